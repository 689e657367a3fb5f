"""What ``kernel=`` may be, and how rows become points that it compares.

A choice has
    kernel                     the engine's kernel
    indefinite                 whether it is taken without a proof that it is positive semidefinite
    training(X)                the points to learn from
    keep(X, support, method)   called after the fit with the rows that the model needs
    blocks(X)                  the points to predict, some rows at a time
"""
from __future__ import annotations

from typing import Any, Callable, Iterator

import numpy as np

from . import _mercer
from .data import points_of
from .frames import Rows
from .kernel_words import WORDS, expression_of
from .kernels import Kernel

BLOCK = 1024  # rows of a function's matrix at a time
PRECOMPUTED = _mercer.Kernel("precomputed")


class Expression:
    """A kernel that the engine computes."""

    def __init__(self, kernel: _mercer.Kernel, indefinite: bool, names: list[str]) -> None:
        self.kernel, self.indefinite, self.names = kernel, indefinite, names

    def training(self, X: Any) -> _mercer.Points:
        return X.points() if isinstance(X, Rows) else points_of(X, self.names)

    def keep(self, X: Any, support: np.ndarray, method: str = "") -> None:
        """The model has all it needs."""

    def blocks(self, X: Any) -> Iterator[_mercer.Points]:
        yield self.training(X)


class Precomputed:
    """Values that somebody else computed: X is K, at prediction the values with the training rows."""

    kernel = PRECOMPUTED
    indefinite = True

    def __init__(self, length: int = 0) -> None:
        self.length = length  # rows learned from, once they are known

    def training(self, X: np.ndarray) -> _mercer.Points:
        if X.shape[0] != X.shape[1]:
            raise ValueError(f"Precomputed matrix must be a square matrix. Input is a {X.shape[0]}x{X.shape[1]} matrix.")
        return _values_of(X).with_ids(range(len(X)))

    def keep(self, X: np.ndarray, support: np.ndarray, method: str = "") -> None:
        """The values say all, but for k(x, x) of rows to come, which one method needs."""
        if method == "mean_distance":
            raise ValueError("mean_distance needs k(x, x) of new rows, which a precomputed matrix does not have; give the kernel as a function")
        self.length = len(X)

    def blocks(self, X: np.ndarray) -> Iterator[_mercer.Points]:
        check_width(X, self.length)
        for begin in range(0, max(len(X), 1), BLOCK):
            yield _values_of(X[begin:begin + BLOCK])


class Function:
    """A function of two arrays (or lists of objects) that gives the matrix of their similarities."""

    kernel = PRECOMPUTED
    indefinite = True

    def __init__(self, function: Callable[..., Any], arguments: dict[str, Any] | None) -> None:
        self.function, self.arguments = function, arguments or {}

    def training(self, X: Any) -> _mercer.Points:
        n = _length(X)
        K = np.zeros((n, n + 1))  # one column more, for k(x, x) of rows to come
        for begin in range(0, n, BLOCK):
            for other in range(0, n, BLOCK):
                rows, columns = slice(begin, begin + BLOCK), slice(other, other + BLOCK)
                K[rows, other:min(other + BLOCK, n)] = self._values(X[rows], X[columns])
        return _mercer.dense(K).with_ids(range(n))

    def keep(self, X: Any, support: np.ndarray, method: str = "") -> None:
        """The rows of X that the function is asked about from now on."""
        self.length, self.support = _length(X), support
        self.rows = [X[i] for i in support] if isinstance(X, list) else X[support]
        self.own = method in ("", "gp", "gp_classifier", "mean_distance")  # who looks at k(x, x) of new rows: a call of the function for each

    def blocks(self, X: Any) -> Iterator[_mercer.Points]:
        for begin in range(0, max(_length(X), 1), BLOCK):
            rows = X[begin:begin + BLOCK]
            K = np.zeros((_length(rows), self.length + 1))
            if len(K) and len(self.support):
                K[:, self.support] = self._values(rows, self.rows)
            if self.own:
                K[:, -1] = [self._values(rows[i:i + 1], rows[i:i + 1])[0, 0] for i in range(len(K))]
            yield _mercer.dense(K)

    def _values(self, rows: Any, columns: Any) -> np.ndarray:
        K = self.function(rows, columns, **self.arguments)
        K = np.asarray(K.toarray() if hasattr(K, "toarray") else K)
        shape = (_length(rows), _length(columns))
        if K.shape != shape:
            raise ValueError(f"the kernel function returned an array of shape {K.shape} for {shape[0]} and {shape[1]} rows; it must return {shape}")
        if K.dtype.kind not in "fiubO":
            raise ValueError(f"the kernel function returned an array of {K.dtype}; its values must be real numbers")
        K = K.astype(np.float64, copy=False)
        if not np.isfinite(K).all():
            raise ValueError("the kernel function returned NaN or infinity; its values must be finite")
        return K


def choose(kernel: Any, X: Any, *, gamma: Any = None, degree: Any = 3, coef0: Any = 0.0, arguments: dict[str, Any] | None = None, indefinite: bool = False,
           names: list[str] | None = None) -> Expression | Precomputed | Function:
    """The choice for ``kernel=``. ``X``: the rows to learn from, validated."""
    function = callable(kernel) and not isinstance(kernel, Kernel)
    if arguments and not function:
        raise ValueError(f"kernel_params are for callable kernels; kernel is {kernel!r}")
    if function:
        return Function(kernel, arguments)
    if isinstance(kernel, Kernel):
        return Expression(kernel.engine, indefinite, names or [])
    if not isinstance(kernel, str):
        raise ValueError(f"kernel must be a name, an expression, a mercer.Kernel or a function, not {kernel!r}")
    if kernel == "precomputed":
        return Precomputed()
    if kernel == "additive_chi2":
        from sklearn.metrics.pairwise import additive_chi2_kernel

        return Function(additive_chi2_kernel, None)
    if kernel in WORDS:
        choice = Expression(_mercer.Kernel(expression_of(kernel, X.numbers if isinstance(X, Rows) else X, gamma, degree, coef0)), True, names or [])
        if not choice.kernel.resolved:
            choice.kernel = choice.kernel.resolve(choice.training(X))
        return choice
    return Expression(_mercer.Kernel(kernel), indefinite, names or [])


def check_width(K: Any, length: int) -> None:
    """Refuses values with other rows than those learned from."""
    if len(K.shape) == 2 and K.shape[1] != length:
        raise ValueError(f"X.shape[1] = {K.shape[1]} should be equal to {length}, the number of samples at training time")


def _values_of(K: np.ndarray) -> _mercer.Points:
    """Rows of kernel values, read where they are."""
    return _mercer.dense(np.ascontiguousarray(K, dtype=K.dtype if K.dtype in (np.float32, np.float64) else np.float64))


def _length(X: Any) -> int:
    return X.shape[0] if hasattr(X, "shape") else len(X)


# --- Functions of two single rows. ---------------------------------------------------------------------------------------------
# scikit-learn's machines call a kernel with two arrays, but its KernelRidge, KernelPCA and Nystroem with two rows. Here both are taken everywhere those estimators are.


class OfRows:
    """A function of two rows as one of two arrays."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, X: Any, Z: Any, **arguments: Any) -> np.ndarray:
        return np.array([[self.function(x, z, **arguments) for z in Z] for x in X])


def of_arrays(function: Callable[..., Any], X: Any, arguments: dict[str, Any] | None) -> Callable[..., Any]:
    """``function`` as one of two arrays: itself, unless it gives no matrix for some rows of X but a number for two of them."""
    shape = (min(2, _length(X)), min(3, _length(X)))
    if _shape(function, X[:2], X[:3], arguments) != shape and _shape(function, X[0], X[0], arguments) == ():
        return OfRows(function)
    return function


def _shape(function: Callable[..., Any], x: Any, z: Any, arguments: dict[str, Any] | None) -> tuple[int, ...] | None:
    """Of what the function gives; None where it raises, which is seen again when it is called for good."""
    try:
        return np.shape(function(x, z, **(arguments or {})))
    except Exception:
        return None
