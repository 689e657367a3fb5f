"""What ``kernel=`` may be, and how rows become points that it compares.

A choice has
    kernel               the engine's kernel
    indefinite           whether it is taken without a proof that it is positive semidefinite
    training(X)          the points to learn from
    keep(X, support)     called after the fit with the rows that the model needs
    blocks(X)            the points to predict, some rows at a time
"""
from __future__ import annotations

from typing import Any, Callable, Iterator

import numpy as np

from . import _mercer
from .data import points_of
from .frames import Rows
from .kernels import Kernel

BLOCK = 1024  # rows of a function's matrix at a time


class Expression:
    """A kernel that the engine computes."""

    def __init__(self, kernel: _mercer.Kernel, indefinite: bool, names: list[str]) -> None:
        self.kernel, self.indefinite, self.names = kernel, indefinite, names

    def training(self, X: Any) -> _mercer.Points:
        return X.points() if isinstance(X, Rows) else points_of(X, self.names)

    def keep(self, X: Any, support: np.ndarray) -> None:
        """The model has all it needs."""

    def blocks(self, X: Any) -> Iterator[_mercer.Points]:
        yield self.training(X)


class Precomputed:
    """Values that somebody else computed: X is K, at prediction the values with the training rows."""

    kernel = _mercer.Kernel("precomputed")
    indefinite = True

    def training(self, X: np.ndarray) -> _mercer.Points:
        if X.shape[0] != X.shape[1]:
            raise ValueError(f"Precomputed matrix must be a square matrix. Input is a {X.shape[0]}x{X.shape[1]} matrix.")
        return _numbered(X)

    def keep(self, X: np.ndarray, support: np.ndarray) -> None:
        """The values say all."""

    def blocks(self, X: np.ndarray) -> Iterator[_mercer.Points]:
        for begin in range(0, max(len(X), 1), BLOCK):
            yield _numbered(X[begin:begin + BLOCK])


class Function:
    """A function of two arrays (or lists of objects) that gives the matrix of their similarities."""

    kernel = _mercer.Kernel("precomputed")
    indefinite = True

    def __init__(self, function: Callable[..., Any], arguments: dict[str, Any] | None) -> None:
        self.function, self.arguments = function, arguments or {}

    def training(self, X: Any) -> _mercer.Points:
        n = _length(X)
        K = np.zeros((n, n + 2))
        K[:, 0] = np.arange(1, n + 1)
        for begin in range(0, n, BLOCK):
            for other in range(0, n, BLOCK):
                rows, columns = slice(begin, begin + BLOCK), slice(other, other + BLOCK)
                K[rows, 1 + other:1 + min(other + BLOCK, n)] = self._values(X[rows], X[columns])
        return _mercer.dense(K)

    def keep(self, X: Any, support: np.ndarray) -> None:
        self.length, self.support = _length(X), support
        self.rows = [X[i] for i in support] if isinstance(X, list) else X[support]

    def blocks(self, X: Any) -> Iterator[_mercer.Points]:
        for begin in range(0, max(_length(X), 1), BLOCK):
            rows = X[begin:begin + BLOCK]
            K = np.zeros((_length(rows), self.length + 2))
            K[:, 0] = self.length + 1  # its own number: where k(x, x) stands
            if len(K):
                K[:, 1 + self.support] = self._values(rows, self.rows)
                K[:, -1] = [self._values(rows[i:i + 1], rows[i:i + 1])[0, 0] for i in range(len(K))]
            yield _mercer.dense(K)

    def _values(self, rows: Any, columns: Any) -> np.ndarray:
        K = np.asarray(self.function(rows, columns, **self.arguments), dtype=np.float64)
        shape = (_length(rows), _length(columns))
        if K.shape != shape:
            raise ValueError(f"the kernel function gave an array of shape {K.shape} for {shape[0]} and {shape[1]} rows; it must give {shape}")
        if not np.isfinite(K).all():
            raise ValueError("the kernel function gave NaN or infinity; its values must be finite numbers")
        return K


def choose(kernel: Any, X: Any, *, gamma: Any = None, degree: Any = 3, coef0: Any = 0.0, arguments: dict[str, Any] | None = None, indefinite: bool = False,
           names: list[str] | None = None) -> Expression | Precomputed | Function:
    """The choice for ``kernel=``. ``X``: the rows to learn from, validated."""
    if isinstance(kernel, Kernel):
        return Expression(kernel.engine, indefinite, names or [])
    if callable(kernel):
        return Function(kernel, arguments)
    if not isinstance(kernel, str):
        raise ValueError(f"kernel must be a name, an expression, a mercer.Kernel or a function, not {kernel!r}")
    if kernel == "precomputed":
        return Precomputed()
    if kernel in SKLEARN:
        return Expression(_mercer.Kernel(SKLEARN[kernel](_gamma(gamma, X.numbers if isinstance(X, Rows) else X, kernel), degree, coef0)), True, names or [])
    if kernel == "additive_chi2":
        from sklearn.metrics.pairwise import additive_chi2_kernel

        return Function(additive_chi2_kernel, arguments)
    return Expression(_mercer.Kernel(kernel), indefinite, names or [])


# scikit-learn's names, with its parameters.
SKLEARN: dict[str, Callable[[float, Any, Any], str]] = {
    "linear": lambda gamma, degree, coef0: "linear",
    "poly": lambda gamma, degree, coef0: f"poly(degree={degree}, scale={gamma!r}, offset={float(coef0)!r})",
    "polynomial": lambda gamma, degree, coef0: SKLEARN["poly"](gamma, degree, coef0),
    "rbf": lambda gamma, degree, coef0: f"rbf(gamma={gamma!r})",
    "sigmoid": lambda gamma, degree, coef0: f"sigmoid(scale={gamma!r}, offset={float(coef0)!r})",
    "laplacian": lambda gamma, degree, coef0: f"manhattan(lambda={gamma!r})",
    "chi2": lambda gamma, degree, coef0: f"chi2(gamma={gamma!r})",
    "cosine": lambda gamma, degree, coef0: "cosine",
}


def _gamma(gamma: Any, X: Any, kernel: str) -> float:
    if kernel in ("linear", "cosine"):
        return 1.0
    if isinstance(gamma, str):
        if gamma not in ("scale", "auto"):
            raise ValueError(f"gamma must be 'scale', 'auto', None or a number > 0, not {gamma!r}")
        if gamma == "scale":
            variance = _variance(X)
            return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
    elif gamma is not None:
        if not gamma > 0:
            raise ValueError(f"gamma must be > 0, not {gamma!r}")
        return float(gamma)
    return 1.0 if kernel == "chi2" else 1.0 / X.shape[1]


def _variance(X: Any) -> float:
    """Of all numbers of X, some rows at a time: numpy's own makes a copy of X."""
    if hasattr(X, "indptr"):
        size = X.shape[0] * X.shape[1]
        mean = X.data.sum(dtype=np.float64) / size
        return float(np.square(X.data, dtype=np.float64).sum() / size - mean * mean)
    step = max(1, (1 << 20) // max(1, X.shape[1]))
    mean = X.sum(dtype=np.float64) / X.size
    return float(sum(np.square(np.subtract(X[b:b + step], mean, dtype=np.float64)).sum() for b in range(0, X.shape[0], step)) / X.size)


def _numbered(K: np.ndarray) -> _mercer.Points:
    """Rows of a serial number and the values, as the engine's kernel precomputed has them."""
    numbered = np.empty((K.shape[0], K.shape[1] + 1))
    numbered[:, 0] = np.arange(1, K.shape[0] + 1) if K.shape[0] == K.shape[1] else 1
    numbered[:, 1:] = K
    return _mercer.dense(numbered)


def _length(X: Any) -> int:
    return X.shape[0] if hasattr(X, "shape") else len(X)
