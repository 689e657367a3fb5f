"""What estimators need of scikit-learn, by way of public functions that every version from 1.2 on has.

scikit-learn 1.6 made its private checks of X public under a new name (``validate_data``), 1.7 removed the old ones, and 1.6 also replaced the dictionary of tags (``_more_tags``) by
dataclasses (``__sklearn_tags__``). Here both kinds of tags come from one description, and X and y are checked by ``check_array`` and ``check_X_y``, which have stayed the same:
one way for all versions, so that what is tested with one holds for the others. The one parameter that was renamed, ``force_all_finite``, is looked up in the signature.
"""
from __future__ import annotations

import inspect
import warnings
from numbers import Number
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin, OutlierMixin, RegressorMixin
from sklearn.utils import check_array, check_X_y
from sklearn.utils.validation import check_is_fitted, column_or_1d

from .words import caller

FINITE = "ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters else "force_all_finite"  # 1.6 renamed it, 1.8 dropped the old name
KINDS = {ClassifierMixin: "classifier", RegressorMixin: "regressor", ClusterMixin: "clusterer", OutlierMixin: "outlier_detector"}


# --- Tags. -----------------------------------------------------------------------------------------------------------------------


class Tagged(BaseEstimator):
    """Tells every version of scikit-learn the same. A class describes itself by ``_own_tags``, in the words of versions up to 1.5; classes further down the line of
    inheritance have the last word."""

    def _own_tags(self) -> dict[str, Any]:
        return {}

    def _all_tags(self) -> dict[str, Any]:
        tags: dict[str, Any] = {}
        for part in reversed(type(self).__mro__):
            if "_own_tags" in vars(part):
                tags.update(part._own_tags(self))
        return tags

    def _more_tags(self) -> dict[str, Any]:
        """For scikit-learn up to 1.5."""
        return self._all_tags()

    def __sklearn_tags__(self) -> Any:
        """For scikit-learn from 1.6 on."""
        return described(self, super().__sklearn_tags__())


def described(estimator: Tagged, tags: Any) -> Any:
    """scikit-learn's dataclasses of tags, with what the estimator says of itself."""
    own = estimator._all_tags()
    tags.input_tags.pairwise = own.get("pairwise", False)
    tags.input_tags.sparse = own.get("sparse", False)
    tags.target_tags.multi_output = own.get("multioutput", False)
    tags.target_tags.positive_only = own.get("requires_positive_y", False)
    tags.requires_fit = own.get("requires_fit", True)
    for kind in filter(None, (tags.classifier_tags, tags.regressor_tags)):
        kind.poor_score = own.get("poor_score", False)
    if tags.transformer_tags is not None:
        tags.transformer_tags.preserves_dtype = [np.dtype(kind).name for kind in own.get("preserves_dtype", [np.float64])]
    if tags.classifier_tags is not None:
        tags.classifier_tags.multi_class = not own.get("binary_only", False)
    return tags


def kind_of(cls: type) -> str | None:
    """'classifier', 'regressor', 'clusterer' or 'outlier_detector', by the mixin it has; None where it has none of them, or two."""
    kinds = [kind for mixin, kind in KINDS.items() if issubclass(cls, mixin)]
    return kinds[0] if len(kinds) == 1 else None


# --- X and y. --------------------------------------------------------------------------------------------------------------------


def checked(estimator: Any, X: Any, y: Any = "no_validation", *, reset: bool, **checks: Any) -> Any:
    """X, or X and y, as check_array and check_X_y leave them; the number of columns and their names are learned (reset) or compared with those learned."""
    check_names(estimator, X, reset=reset)
    if isinstance(y, str):
        X = check_array(X, input_name="X", estimator=estimator, **checks)
        check_width(estimator, X, reset=reset)
        return X
    require_target(estimator, y)
    X, y = check_X_y(X, y, estimator=estimator, **checks)
    check_width(estimator, X, reset=reset)
    return X, y


def require_target(estimator: Any, y: Any) -> None:
    if y is None:
        raise ValueError(f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None.")


def checked_target(y: Any, *, multi_output: bool = False, y_numeric: bool = False, estimator: Any = None) -> np.ndarray:
    """y alone, as check_X_y checks it."""
    if not multi_output:
        y = column_or_1d(y, warn=True)
    y = check_array(y, ensure_2d=False, dtype=None, ensure_min_samples=0, input_name="y", estimator=estimator)
    return y.astype(np.float64) if y_numeric and y.dtype.kind == "O" else y


def checked_array(X: Any, *, allow_nan: bool = False, **checks: Any) -> Any:
    return check_array(X, **({FINITE: "allow-nan"} if allow_nan else {}), **checks)


def checked_weights(sample_weight: Any, X: Any) -> np.ndarray:
    """A weight for each sample."""
    n = samples_in(X)
    if isinstance(sample_weight, Number):
        return np.full(n, sample_weight, dtype=np.float64)
    weights = check_array(sample_weight, ensure_2d=False, dtype=[np.float64, np.float32], order="C", input_name="sample_weight")
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if weights.shape != (n,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n,)}!")
    return weights


def samples_in(X: Any) -> int:
    """Number of samples in an array, a matrix, a frame or a list."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def samples_at(X: Any, indices: np.ndarray) -> Any:
    """Those samples of an array, a matrix, Rows or a list."""
    return [X[i] for i in indices] if isinstance(X, list) else X[indices]


def dtype_of(X: Any) -> type:
    """float32 for an array or matrix of it, otherwise float64."""
    return np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64


def check_fitted(estimator: Any) -> None:
    """Raises NotFittedError before a fit; also where predictions need none (those of a Gaussian process' prior)."""
    check_is_fitted(estimator, [name for name in vars(estimator) if name.endswith("_") and not name.startswith("__")] or "model_")


# --- Columns. --------------------------------------------------------------------------------------------------------------------


def names_of(X: Any) -> np.ndarray | None:
    """Names of the columns of a frame, if they are all texts."""
    names = np.asarray(X.columns, dtype=object) if hasattr(X, "columns") else ()
    kinds = sorted({type(name).__qualname__ for name in names})
    if len(kinds) > 1 and "str" in kinds:
        raise TypeError("Feature names are only supported if all input features have string names, "
                        f"but your input has {kinds} as feature name / column name types. Use X.columns = X.columns.astype(str).")
    return names if kinds == ["str"] else None


def check_names(estimator: Any, X: Any, *, reset: bool) -> None:
    """Learns feature_names_in_, or compares the names of X with it."""
    names, learned = names_of(X), getattr(estimator, "feature_names_in_", None)
    if reset:
        estimator.__dict__.pop("feature_names_in_", None)
        if names is not None:
            estimator.feature_names_in_ = names
    elif learned is None and names is not None:
        warnings.warn(f"X has feature names, but {type(estimator).__name__} was fitted without feature names", UserWarning, stacklevel=caller())
    elif learned is not None and names is None:
        warnings.warn(f"X does not have valid feature names, but {type(estimator).__name__} was fitted with feature names", UserWarning, stacklevel=caller())
    elif learned is not None and (len(learned) != len(names) or np.any(learned != names)):
        raise ValueError(_difference(set(names), set(learned)))


def _difference(names: set[str], learned: set[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    for title, these in (("Feature names unseen at fit time:", sorted(names - learned)), ("Feature names seen at fit time, yet now missing:", sorted(learned - names))):
        if these:
            message += "\n".join([title, *(f"- {name}" for name in these[:5]), *(["- ..."] if len(these) > 5 else [])]) + "\n"
    return message if names != learned else message + "Feature names must be in the same order as they were in fit.\n"


def check_width(estimator: Any, X: Any, *, reset: bool) -> None:
    """Learns n_features_in_, or compares the number of columns of X with it."""
    if reset:
        estimator.n_features_in_ = X.shape[1]
    elif X.shape[1] != getattr(estimator, "n_features_in_", X.shape[1]):  # a prior has learned none
        raise ValueError(f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} features as input.")


# --- Votes. ----------------------------------------------------------------------------------------------------------------------


def votes_of_pairs(scores: np.ndarray, classes: int) -> np.ndarray:
    """A column for each class: the votes of its pairs, and the sum of its decision values squeezed into ±1/3, which decides between equal numbers of votes.

    A column of scores is above 0 for the first class of a pair; the pairs are (0, 1), (0, 2), …, (1, 2), ….
    """
    first, second = np.triu_indices(classes, 1)
    votes, sums = np.zeros((len(scores), classes)), np.zeros((len(scores), classes))
    for pair, (i, j) in enumerate(zip(first, second)):
        own = scores[:, pair]
        sums[:, i] += own
        sums[:, j] -= own
        votes[:, i] += own >= 0
        votes[:, j] += own < 0
    return votes + sums / (3 * (np.abs(sums) + 1))
