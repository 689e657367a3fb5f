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
    """``function`` as one of two arrays: itself where it gives a matrix for some rows of X, else one that calls it for each pair of rows."""
    rows, columns = X[:2], X[:3]
    shape = (min(2, _num_samples(X)), min(3, _num_samples(X)))
    try:
        gives_matrix = np.shape(function(rows, columns, **(arguments or {}))) == shape
    except Exception:  # whatever a function of rows does with arrays; what it raises for rows too is seen when it is called with them
        gives_matrix = False
    return function if gives_matrix else OfRows(function)
