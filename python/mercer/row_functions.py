"""Kernels given as a function of two single rows.

scikit-learn's machines call a kernel with two arrays, but its KernelRidge, KernelPCA and Nystroem with two rows. Here both are taken everywhere those estimators are.
"""
from __future__ import annotations

from typing import Any, Callable

import numpy as np
from sklearn.utils.validation import _num_samples


class OfRows:
    """A function of two rows as one of two arrays."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, X: Any, Z: Any, **arguments: Any) -> np.ndarray:
        return np.array([[self.function(x, z, **arguments) for z in Z] for x in X])


def of_arrays(function: Callable[..., Any], X: Any, arguments: dict[str, Any] | None) -> Callable[..., Any]:
    """``function`` as one of two arrays: itself, unless it gives no matrix for some rows of X but a number for two of them."""
    shape = (min(2, _num_samples(X)), min(3, _num_samples(X)))
    if _shape(function, X[:2], X[:3], arguments) != shape and _shape(function, X[0], X[0], arguments) == ():
        return OfRows(function)
    return function


def _shape(function: Callable[..., Any], x: Any, z: Any, arguments: dict[str, Any] | None) -> tuple[int, ...] | None:
    """Of what the function gives; None where it raises, which is seen again when it is called for good."""
    try:
        return np.shape(function(x, z, **(arguments or {})))
    except Exception:
        return None
