"""Texts, sequences, molecules, sets, graphs and images: Python's lists of them as the engine's objects."""
from __future__ import annotations

from typing import Any

from . import _mercer


def points_of_objects(X: Any, compared: list[tuple[str, list[str]]]) -> _mercer.Points:
    """Points of the objects in ``X``, as the kernel that compares ``compared`` (column, domains) sees them."""
    name, domains = compared[0]
    return _mercer.points_of_objects(_mercer.texts(name or "x", domains[0], list(X)))
