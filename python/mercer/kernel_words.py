"""Python's values as expressions have them (numbers to the bit, words, lists, columns), and scikit-learn's words for kernels ('rbf', 'poly' …) with its rules for gamma."""
from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, Callable

import numpy as np

CHUNK = 1 << 18  # numbers looked at together


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


# --- scikit-learn's words. ----------------------------------------------------------------------------------------------------


def _polynomial(gamma: float, degree: Any, coef0: float) -> str:
    if coef0 >= 0:
        return f"poly(degree={number_text(degree, 'degree')}, scale={gamma!r}, offset={coef0!r})"
    return f"({gamma!r}*linear - {-coef0!r})^{number_text(degree, 'degree')}"  # poly's offset is at least 0, so that it is valid


# Of gamma, degree and coef0. scikit-learn's laplacian is the exponential of the L1 distance.
WORDS: dict[str, Callable[[float, Any, float], str]] = {
    "linear": lambda gamma, degree, coef0: "linear",
    "poly": _polynomial,
    "polynomial": _polynomial,
    "rbf": lambda gamma, degree, coef0: f"rbf(gamma={gamma!r})",
    "sigmoid": lambda gamma, degree, coef0: f"sigmoid(scale={gamma!r}, offset={coef0!r})",
    "laplacian": lambda gamma, degree, coef0: f"manhattan(lambda={gamma!r})",
    "chi2": lambda gamma, degree, coef0: f"chi2(gamma={gamma!r})",
    "cosine": lambda gamma, degree, coef0: "cosine",
}

# With gamma = 0, which scikit-learn's support vector machines take, all rows are alike.
AT_ZERO: dict[str, Callable[[Any, float], float]] = {
    "rbf": lambda degree, coef0: 1.0, "laplacian": lambda degree, coef0: 1.0, "chi2": lambda degree, coef0: 1.0, "sigmoid": lambda degree, coef0: math.tanh(coef0),
    "poly": lambda degree, coef0: float(coef0**degree), "polynomial": lambda degree, coef0: float(coef0**degree),
}


def expression_of(word: str, X: Any, gamma: Any, degree: Any, coef0: Any) -> str:
    """The expression that a word of WORDS stands for on the rows of X. Of the RBF kernel the engine computes gamma, since its words are the same."""
    if word == "rbf" and isinstance(gamma, str) and gamma in ("scale", "auto"):
        return f"rbf(gamma={gamma})"
    if X.shape[1] == 0 and word not in ("linear", "cosine") and not isinstance(gamma, Real):
        raise ValueError(f"gamma={gamma!r} of {word!r} is computed from the columns of X, and objects have none; give a number")
    try:
        if isinstance(gamma, Real) and not isinstance(gamma, bool) and gamma == 0 and word in AT_ZERO:
            return repr(AT_ZERO[word](degree, float(coef0)))
        return WORDS[word](gamma_of(word, X, gamma), degree, float(coef0))
    except TypeError as error:
        raise ValueError(str(error)) from None


def gamma_of(word: str, X: Any, gamma: Any) -> float:
    """The number that gamma stands for: 'scale' and 'auto' of support vector machines, None of pairwise kernels, or itself."""
    if word in ("linear", "cosine"):
        return 1.0
    if gamma is None:
        return 1.0 if word == "chi2" else 1.0 / X.shape[1]
    if isinstance(gamma, Real) and gamma >= 0 and not isinstance(gamma, bool):
        return float(gamma)
    if isinstance(gamma, str) and gamma == "auto":
        return 1.0 / X.shape[1]
    if isinstance(gamma, str) and gamma == "scale":
        variance = variance_of(X)
        return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
    raise ValueError(f"gamma must be 'scale', 'auto', None or a number ≥ 0, not {gamma!r}")


def variance_of(X: Any) -> float:
    """Of all numbers of X, some at a time: numpy's own makes a copy of X."""
    sparse = hasattr(X, "indptr")
    numbers, size = (X.data, X.shape[0] * X.shape[1]) if sparse else (X, X.size)
    step = CHUNK if sparse else max(1, CHUNK // max(1, X.shape[1]))
    parts = [numbers[begin:begin + step] for begin in range(0, len(numbers), step)]  # views
    mean = sum(float(part.sum(dtype=np.float64)) for part in parts) / size
    squares = sum(float(np.square(np.subtract(part, mean, dtype=np.float64)).sum()) for part in parts)
    return (squares + (size - numbers.size) * mean * mean) / size
