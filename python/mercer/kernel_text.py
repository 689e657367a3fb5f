"""Python's values as expressions have them: numbers to the bit, words, lists, columns."""
from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np


def number_text(value: Any, what: str) -> str:
    """A number, so that reading it gives the same bits."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{what} must be a number or an expression, not {value!r}")
    if isinstance(value, Integral):
        return str(int(value))
    if not math.isfinite(value):
        raise ValueError(f"{what} must be a finite number, not {value!r}")
    return repr(float(value))


def quoted(word: str) -> str:
    """A text as expressions have it."""
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def column_text(column: Any) -> str:
    """A column by its name, or its number from 1."""
    if isinstance(column, Integral) and not isinstance(column, bool):
        if column < 1:
            raise ValueError(f"columns are counted from 1, not {column}")
        return str(int(column))
    return quoted(str(column))


def argument_text(name: str, value: Any) -> str:
    """The value of a parameter."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Real):
        return number_text(value, name)
    if isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value) in (1, 2):
        return "[" + ", ".join(argument_text(name, entry) for entry in value) + "]"
    raise TypeError(f"{name} must be a number, a word or a list of numbers, not {value!r}")
