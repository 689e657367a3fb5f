"""X as an estimator is given it: numbers, which scikit-learn checks, frames with other columns, and lists of objects."""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_consistent_length

from . import _mercer
from .compatibility import Tagged, check_names, check_width, checked, checked_target, require_target, samples_in
from .data import FLOATS, with_dlpack
from .frames import Rows, encode, has_only_numbers, is_encoded, is_frame, objects_of_function, one_of_objects, rows_beyond_numbers, schema_of_numbers

NUMBERS = [np.float64, np.float32]


class RowsEstimator(Tagged):
    """Takes rows as scikit-learn's estimators do, and frames and objects beside them, for a parameter ``kernel``."""

    def _rows(self, X: Any, y: Any = "no_validation", *, learn: bool, **checks: Any) -> Any:
        """X checked as scikit-learn checks it (and y with it, where one is given): float32 or float64, dense by rows or CSR.

        Frames with columns that are no numbers, and lists of objects, become Rows.
        """
        if learn:
            self._target_name, self._only_numbers = target_name(y), True
        if self._takes_as_is(X, y, learn, checks.get("ensure_min_samples", 1)):
            return X if isinstance(y, str) else (X, y)
        X = with_dlpack(X)
        if self._pairwise and sparse.issparse(X):
            raise TypeError("Sparse precomputed kernels are not supported: a sparse matrix was passed, but dense data is required. Use X.toarray()")
        rows = rows_of(self, X, y, learn=learn, **checks)
        if learn:  # otherwise rows without names may be taken as they are
            self._only_numbers = rows is None and not is_frame(X)
        if rows is not None:
            return rows
        return checked(self, checked_sparse(X), y, reset=learn, accept_sparse=False if self._pairwise else "csr", dtype=NUMBERS, order="C", **checks)

    def _takes_as_is(self, X: Any, y: Any, learn: bool, least: int) -> bool:
        """Whether scikit-learn's checks would pass X, and y, as they are: finite numbers laid out as the engine reads them. The checks take longer than many a fit."""
        if not is_plain(X, least) or not (isinstance(y, str) or is_plain_target(y, len(X))):
            return False
        if not learn:
            return self.__dict__.get("_only_numbers", False) and X.shape[1] == self.n_features_in_
        self.n_features_in_ = X.shape[1]
        self.__dict__.pop("feature_names_in_", None)
        return True

    def _schema(self) -> _mercer.Schema | None:
        """How the rows learned from became points; None where they were numbers as they are."""
        raise NotImplementedError

    @property
    def _pairwise(self) -> bool:
        kernel = getattr(self, "kernel", None)
        return isinstance(kernel, str) and kernel == "precomputed"

    def _own_tags(self) -> dict[str, Any]:
        return {"pairwise": self._pairwise, "sparse": not self._pairwise}

    def _columns(self) -> list[str]:
        return list(getattr(self, "feature_names_in_", []))


def is_plain(X: Any, least: int) -> bool:
    """Whether X is an array of at least so many rows of finite floats, laid out by rows. Where it is not, it may still be rows of numbers."""
    return (type(X) is np.ndarray and X.ndim == 2 and X.dtype in FLOATS and X.flags.c_contiguous and X.flags.aligned and X.shape[0] >= max(1, least) and X.shape[1] > 0
            and _mercer.all_finite(X))


def is_plain_target(y: Any, rows: int) -> bool:
    """Whether y is an array of so many whole numbers or finite floats. Where it is not, it may still be a target."""
    return type(y) is np.ndarray and y.ndim == 1 and len(y) == rows and (y.dtype.kind in "iub" or (y.dtype in FLOATS and y.flags.c_contiguous and _mercer.all_finite(y)))


def rows_of(estimator: RowsEstimator, X: Any, y: Any, *, learn: bool, multi_output: bool = False, y_numeric: bool = False, ensure_min_samples: int = 1, **of_numbers: Any) -> Any:
    """X, or X and y, checked; None where X is for scikit-learn's own checks: it has nothing but numbers.

    Parameters
    ----------
    learn : whether X is to be learned from; otherwise it must have the columns learned from
    of_numbers : checks that only numbers need, and scikit-learn makes
    """
    if isinstance(X, Rows):
        return X
    kernel = getattr(estimator, "kernel", None)
    rows = _learned(estimator, X, kernel, target_name(y)) if learn else _encoded(estimator, X, kernel, estimator._schema())
    if rows is None:
        return None
    if samples_in(rows) < ensure_min_samples:
        raise ValueError(f"Found array with {samples_in(rows)} sample(s) (shape={getattr(rows, 'shape', (len(rows),))}) while a minimum of {ensure_min_samples} is required"
                         f" by {type(estimator).__name__}.")
    if isinstance(y, str):
        return rows
    require_target(estimator, y)
    y = checked_target(y, multi_output=multi_output, y_numeric=y_numeric, estimator=estimator)
    check_consistent_length(rows, y)
    return rows, y


def target_name(y: Any) -> str:
    """What a table calls the target: the name of a Series."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) else ""


def schema_of(estimator: Any, X: Any, points: _mercer.Points, target: str = "") -> _mercer.Schema:
    """How X became points, for the model to remember."""
    if isinstance(X, Rows):
        return X.schema
    names = list(getattr(estimator, "feature_names_in_", []))
    return _mercer.Schema() if points.of_kernel_values else schema_of_numbers(X, names, target)


def _learned(estimator: Any, X: Any, kernel: Any, target: str) -> Any:
    rows = rows_beyond_numbers(X, kernel, target)
    if rows is not None:
        check_names(estimator, X, reset=True)
        estimator.n_features_in_ = X.shape[1] if is_frame(X) else 1
    return rows


def _encoded(estimator: Any, X: Any, kernel: Any, schema: _mercer.Schema | None) -> Any:
    written = is_frame(X) and schema is not None and bool(schema.columns) and not has_only_numbers(X)  # numbers, as texts
    if schema is None or not (written or is_encoded(schema)):
        return objects_of_function(X, kernel)
    # A file names the one column of objects, whether these were a frame's or a list.
    if is_frame(X) or not (one_of_objects(schema) and getattr(estimator, "_from_file", False)):
        check_names(estimator, X, reset=False)
    if is_frame(X):
        check_width(estimator, X, reset=False)
    elif not one_of_objects(schema):
        X = np.asarray(X, None if hasattr(X, "dtype") else object)
        if X.ndim != 2:
            raise ValueError(f"Expected 2D array, got {X.ndim}D array instead.\nExpected a data frame with the columns {', '.join(repr(column.name) for column in schema.columns)}.")
        check_width(estimator, X, reset=False)
    return encode(X, schema)


def checked_sparse(X: Any) -> Any:
    """A sparse matrix by rows or columns with each entry once, if it is one at all: its arrays are open to anybody, and nobody else looks before they are followed."""
    if not (sparse.issparse(X) and X.format in ("csr", "csc")):
        return X
    lines, width = X.shape if X.format == "csr" else X.shape[::-1]
    starts = X.indptr
    if len(starts) != lines + 1 or starts[0] != 0 or np.any(starts[1:] < starts[:-1]) or starts[-1] > min(len(X.indices), len(X.data)):
        raise ValueError("X is not a sparse matrix: its indptr must rise from 0 to at most the number of its values")
    used = X.indices[:starts[-1]]
    if used.size and not 0 <= used.min() <= used.max() < width:
        raise ValueError(f"X is not a sparse matrix: its indices must be from 0 to {width - 1}")
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def as_rows(points: _mercer.Points) -> Any:
    """Numbers of points as an array or a CSR matrix."""
    numbers = points.numbers()
    if not isinstance(numbers, tuple):
        return numbers
    values, indices, starts, shape = numbers
    return sparse.csr_matrix((values, indices, starts), shape=shape)
