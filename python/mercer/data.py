"""Numbers: arrays, sparse matrices and tensors as the engine's points, over the same memory where the layout allows it.

The engine works row by row, so arrays of float32 and float64 in C order (and CSR matrices of them) are read where they are: read-only and memory-mapped ones
too. Everything else, Fortran order, views with gaps, other types and byte orders, is copied once.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _mercer

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
MOST_COLUMNS = np.iinfo(np.int32).max  # of sparse points: the engine counts their columns in 32 bits


def points_of(X: Any, names: list[str] | None = None) -> _mercer.Points:
    """Points over the memory of ``X``.

    Parameters
    ----------
    X : array of two dimensions, sparse matrix, frame of numbers, or an object with ``__dlpack__``
        Float32 and float64 in C order, and CSR matrices of them with 32-bit indices in order, are not copied.
    names : list of str
        Of the columns; none where they have none.
    """
    X = with_dlpack(X)
    return _sparse(X, names or []) if is_sparse(X) else _mercer.dense(_by_rows(X), names or [])


def is_sparse(X: Any) -> bool:
    """Whether X is a sparse matrix of scipy's, of any format. scipy is not imported for the question."""
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


def with_dlpack(X: Any) -> Any:
    """Tensors of other libraries as arrays over the same memory (DLPack)."""
    if isinstance(X, np.ndarray) or hasattr(X, "__array__") or not hasattr(X, "__dlpack__"):
        return X
    try:
        return np.from_dlpack(X)
    except (RuntimeError, BufferError) as error:
        raise ValueError(f"cannot read the tensor: {error}; it must be in CPU memory and have a NumPy dtype") from None


def check_finite(points: _mercer.Points) -> None:
    """Refuses NaN and infinity, in scikit-learn's words."""
    numbers = points.numbers()
    values = numbers[0] if isinstance(numbers, tuple) else numbers
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()) or np.isfinite(values).all():  # the sum takes no memory
            return
    raise ValueError("Input X contains NaN." if np.isnan(values).any() else f"Input X contains infinity or a value too large for {values.dtype!r}.")


def _by_rows(X: Any) -> np.ndarray:
    array = np.asarray(X)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{X}\n")
    if array.dtype.kind not in "biufO":
        raise ValueError(f"expected numbers, not {array.dtype}; kernels for text, sets and graphs take lists of objects")
    try:
        return np.ascontiguousarray(array, array.dtype if array.dtype in FLOATS else np.float64).reshape(array.shape)  # a number alone stays without dimensions
    except (TypeError, OverflowError) as error:
        raise ValueError(f"expected numbers: {error}") from None


def _sparse(X: Any, names: list[str]) -> _mercer.Points:
    if len(X.shape) != 2:
        raise ValueError(f"expected a 2D matrix, got {len(X.shape)} dimensions")
    if X.shape[1] > MOST_COLUMNS:
        raise ValueError(f"sparse matrices may have at most {MOST_COLUMNS} columns (32-bit indices), not {X.shape[1]}")
    if X.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{X!r}\n")
    X = X.tocsr()
    if not X.has_canonical_format:  # indices out of order, or an entry in two parts
        X = X.copy()
        X.sum_duplicates()
    values = np.ascontiguousarray(X.data, X.dtype if X.dtype in FLOATS else np.float64)
    if len(X.indices) and not 0 <= X.indices.min() <= X.indices.max() <= MOST_COLUMNS:  # before a cast could hide it
        raise ValueError("the sparse matrix has an index below 0 or beyond its columns")
    return _mercer.sparse(values, np.ascontiguousarray(X.indices, np.int32), np.ascontiguousarray(X.indptr, np.int64), X.shape, names)


def rows_of_numbers(X: Any) -> bool:
    """Whether X is an array, or a list of rows of numbers of one length, and not a list of other things."""
    if hasattr(X, "__array__") and not hasattr(X, "shape"):
        X = np.asarray(X)
    if hasattr(X, "shape"):
        return len(X.shape) == 2 or (len(X.shape) < 2 and getattr(X, "dtype", None) is not None and X.dtype.kind in "biufc")
    if not isinstance(X, (list, tuple)):
        return False
    try:
        return len(X) == 0 or (not isinstance(X[0], (str, bytes)) and np.array(X, dtype=np.float64).ndim <= 2)
    except (TypeError, ValueError):
        return False
