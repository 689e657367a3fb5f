"""From arrays, sparse matrices and frames to the engine's points, without a copy where the layout allows it."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _mercer


def points_of(X: Any, names: list[str] | None = None) -> _mercer.Points:
    """Points over the memory of ``X``: an array of two dimensions, float32 or float64 by rows, or a CSR matrix.

    Arrays of another order or type are copied once.
    """
    names = names or []
    if hasattr(X, "indptr"):
        X = X.tocsr()
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        values = np.ascontiguousarray(X.data if X.data.dtype in (np.float32, np.float64) else X.data.astype(np.float64))
        return _mercer.sparse(values, np.ascontiguousarray(X.indices, np.int32), np.ascontiguousarray(X.indptr, np.int64), X.shape, names)
    X = np.asarray(X)
    return _mercer.dense(np.ascontiguousarray(X, X.dtype if X.dtype in (np.float32, np.float64) else np.float64), names)


def with_dlpack(X: Any) -> Any:
    """Tensors of other libraries as arrays over the same memory (DLPack)."""
    if isinstance(X, np.ndarray) or hasattr(X, "__array__") or not hasattr(X, "__dlpack__"):
        return X
    return np.from_dlpack(X)
