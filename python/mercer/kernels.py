"""Kernels as objects: an algebra that reads like mathematics."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _mercer
from .frames import points_for


class Kernel:
    """A kernel k(x, z), written as an expression."""

    def __init__(self, expression: Any) -> None:
        self.engine = expression if isinstance(expression, _mercer.Kernel) else _mercer.Kernel(str(expression))

    def __str__(self) -> str:
        return self.engine.text()

    def __repr__(self) -> str:
        return f"Kernel({str(self)!r})"

    def __call__(self, X: Any, Y: Any = None) -> Any:
        return self.engine.gram(*points_for(self.engine, X, Y))
