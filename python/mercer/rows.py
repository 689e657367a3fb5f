"""X as an estimator is given it, where scikit-learn's checks know numbers only: frames with other columns, and lists of objects."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import _check_y, _num_samples

from . import _mercer
from .frames import Rows, encode, has_only_numbers, is_encoded, is_frame, objects_of_function, one_of_objects, rows_beyond_numbers, schema_of_numbers


def rows_of(estimator: Any, X: Any, y: Any = "no_validation", *, kernel: Any, schema: _mercer.Schema | None, learn: bool, multi_output: bool = False, y_numeric: bool = False,
            ensure_min_samples: int = 1, **of_numbers: Any) -> Any:
    """X, or X and y, checked; None where X is for scikit-learn's own checks: it has nothing but numbers.

    Parameters
    ----------
    kernel : what ``kernel=`` is
    schema : of the model, at prediction
    learn : whether X is to be learned from; otherwise it must have the columns learned from
    of_numbers : checks that only numbers need, and scikit-learn makes
    """
    if isinstance(X, Rows):
        return X
    rows = _learned(estimator, X, kernel, target_name(y)) if learn else _encoded(estimator, X, kernel, schema)
    if rows is None:
        return None
    if _num_samples(rows) < ensure_min_samples:
        raise ValueError(f"Found array with {_num_samples(rows)} sample(s) (shape={getattr(rows, 'shape', (len(rows),))}) while a minimum of {ensure_min_samples} is required"
                         f" by {type(estimator).__name__}.")
    if isinstance(y, str):
        return rows
    if y is None:
        raise ValueError(f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None.")
    y = _check_y(y, multi_output=multi_output, y_numeric=y_numeric, estimator=estimator)
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
        estimator._check_feature_names(X, reset=True)
        estimator.n_features_in_ = X.shape[1] if is_frame(X) else 1
    return rows


def _encoded(estimator: Any, X: Any, kernel: Any, schema: _mercer.Schema | None) -> Any:
    written = is_frame(X) and schema is not None and bool(schema.columns) and not has_only_numbers(X)  # numbers, as texts
    if schema is None or not (written or is_encoded(schema)):
        return objects_of_function(X, kernel)
    estimator._check_feature_names(X, reset=False)
    if is_frame(X):
        estimator._check_n_features(X, reset=False)
    elif not one_of_objects(schema):
        X = np.asarray(X, None if hasattr(X, "dtype") else object)
        if X.ndim != 2:
            raise ValueError(f"Expected 2D array, got {X.ndim}D array instead.\nA frame with the columns {', '.join(repr(column.name) for column in schema.columns)} is due.")
        estimator._check_n_features(X, reset=False)
    return encode(X, schema)

