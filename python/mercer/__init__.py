"""Mercer: every kernel machine, one engine.

Estimators keep scikit-learn's contract: ``from mercer import SVC``.
"""
from __future__ import annotations

from importlib import import_module
from typing import Any

from . import _mercer
from .kernels import Kernel
from .names import PLACES, REPLACED

__version__ = _mercer.version

# Estimators need scikit-learn, which takes half a second to load: only whoever asks for one waits for it.
__all__ = [*PLACES]


def __getattr__(name: str) -> Any:
    if name in REPLACED:
        return _earlier(name)
    if name not in PLACES:
        raise AttributeError(f"module 'mercer' has no attribute {name!r}{_suggestion(name)}")
    value = getattr(import_module(f".{PLACES[name]}", __name__), name)
    globals()[name] = value
    return value


def _earlier(name: str) -> Any:
    """A name that goes with the next version: the class of another name, or one for classes and numbers alike."""
    import warnings

    names = REPLACED[name]
    warnings.warn(f"mercer.{name} is now {' or '.join(names)}; the old name goes with the next version", FutureWarning, stacklevel=3)
    if len(names) == 1:
        return getattr(import_module(".estimators", __name__), names[0])
    return getattr(import_module(".estimators", __name__), name)


def _suggestion(name: str) -> str:
    from difflib import get_close_matches

    known = {public.lower(): public for public in __all__}
    near = get_close_matches(name.lower(), known, n=1) if not name.startswith("_") else []
    return f"; did you mean {known[near[0]]!r}?" if near else ""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
