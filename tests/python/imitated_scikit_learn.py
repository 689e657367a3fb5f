"""Makes the installed scikit-learn look like a later one: what was removed or renamed is, and what was added is there. For tests, in a process of their own, before mercer is imported.

1.2.1 is the version that is installed. Of 1.6, _tags.py, the mixins of base.py and check_is_fitted were read; of 1.7 and 1.8 what the warnings of 1.6, a note for 1.8 in its source, and the release notes announce:
    1.2   BaseEstimator._validate_data, _check_feature_names, _check_n_features, _get_tags, _more_tags; check_array(force_all_finite=); mixins with _estimator_type and _more_tags
    1.6   Tags and its parts in sklearn.utils, get_tags, __sklearn_tags__ in BaseEstimator and mixins; _more_tags without __sklearn_tags__ in the same class makes a warning;
          validate_data in place of the methods, which warn; ensure_all_finite in place of force_all_finite, which warns; check_is_fitted passes what needs no fit
    1.7   the methods of BaseEstimator and of the old tags are gone
    1.8   force_all_finite and _estimator_type of the mixins are gone
"""
from __future__ import annotations

import functools
import inspect
import sys
import warnings
from dataclasses import dataclass, field
from typing import Any

import sklearn.base
import sklearn.utils
import sklearn.utils.validation


@dataclass
class InputTags:
    sparse: bool = False
    pairwise: bool = False


@dataclass
class TargetTags:
    required: bool
    positive_only: bool = False
    multi_output: bool = False


@dataclass
class ClassifierTags:
    poor_score: bool = False
    multi_class: bool = True


@dataclass
class RegressorTags:
    poor_score: bool = False


@dataclass
class TransformerTags:
    preserves_dtype: list = field(default_factory=lambda: ["float64"])


@dataclass
class Tags:
    estimator_type: Any
    target_tags: TargetTags
    transformer_tags: Any = None
    classifier_tags: Any = None
    regressor_tags: Any = None
    requires_fit: bool = True
    input_tags: InputTags = field(default_factory=InputTags)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in type(self).__annotations__:
            raise AttributeError(f"scikit-learn has no tag {name!r}")
        super().__setattr__(name, value)


OF_MIXINS = {"ClassifierMixin": ("classifier", "classifier_tags", ClassifierTags), "RegressorMixin": ("regressor", "regressor_tags", RegressorTags),
             "TransformerMixin": (None, "transformer_tags", TransformerTags), "ClusterMixin": ("clusterer", None, None), "OutlierMixin": ("outlier_detector", None, None)}
METHODS = ("_validate_data", "_check_feature_names", "_check_n_features", "_get_tags", "_more_tags")


def tags_of_mixin(mixin: type, kind: str | None, part: str | None, made: Any) -> Any:
    def __sklearn_tags__(self: Any) -> Tags:
        tags = super(mixin, self).__sklearn_tags__()
        tags.estimator_type = kind or tags.estimator_type
        if part:
            setattr(tags, part, made())
        if kind in ("classifier", "regressor"):
            tags.target_tags.required = True
        return tags

    return __sklearn_tags__


def get_tags(estimator: Any) -> Tags:
    for part in type(estimator).__mro__:
        if "_more_tags" in vars(part) and "__sklearn_tags__" not in vars(part):
            warnings.warn(f"{part.__name__} has _more_tags and no __sklearn_tags__", DeprecationWarning, stacklevel=2)
    return estimator.__sklearn_tags__()


def deprecated(name: str, method: Any) -> Any:
    @functools.wraps(method)
    def warned(*arguments: Any, **named: Any) -> Any:
        warnings.warn(f"`BaseEstimator.{name}` is deprecated in 1.6", FutureWarning, stacklevel=2)
        return method(*arguments, **named)

    return warned


def renamed(function: Any, keep_old: bool) -> Any:
    """check_array or check_X_y with the parameter under its new name, but for the installed scikit-learn itself."""
    def checked(*arguments: Any, ensure_all_finite: Any = True, force_all_finite: Any = None, **named: Any) -> Any:
        if sys._getframe(1).f_globals["__name__"].startswith("sklearn."):
            return function(*arguments, force_all_finite=True if force_all_finite is None else force_all_finite, **named)
        if force_all_finite is not None:
            if not keep_old:
                raise TypeError("check_array() got an unexpected keyword argument 'force_all_finite'")
            warnings.warn("'force_all_finite' was renamed to 'ensure_all_finite' in 1.6", FutureWarning, stacklevel=2)
        return function(*arguments, force_all_finite=ensure_all_finite, **named)

    return checked


def fitted_checked(original: Any) -> Any:
    def check_is_fitted(estimator: Any, attributes: Any = None, **how: Any) -> None:
        if attributes is not None or get_tags(estimator).requires_fit:
            original(estimator, attributes, **how)

    return check_is_fitted


def imitate(version: str) -> None:
    minor = int(version.split(".")[1])
    if minor < 6:
        return
    base = sklearn.base
    base.BaseEstimator.__sklearn_tags__ = lambda self: Tags(None, TargetTags(required=False))
    for name, (kind, part, made) in OF_MIXINS.items():
        mixin = getattr(base, name)
        mixin.__sklearn_tags__ = tags_of_mixin(mixin, kind, part, made)
        if "_more_tags" in vars(mixin):
            del mixin._more_tags
        if minor >= 8 and "_estimator_type" in vars(mixin):
            del mixin._estimator_type
    for name in METHODS:
        if minor >= 7 or name in ("_more_tags", "_get_tags"):
            delattr(base.BaseEstimator, name)
        else:
            setattr(base.BaseEstimator, name, deprecated(name, getattr(base.BaseEstimator, name)))
    sklearn.utils.get_tags = get_tags
    for name in ("check_array", "check_X_y"):
        function = renamed(getattr(sklearn.utils, name), keep_old=minor < 8)
        for module in (sklearn.utils, sklearn.utils.validation):
            setattr(module, name, function)
    if minor >= 8:
        for name in ("check_array", "check_X_y"):
            own = getattr(sklearn.utils, name)
            parameters = [one for one in inspect.signature(own).parameters.values() if one.name != "force_all_finite"]
            own.__signature__ = inspect.Signature(parameters)
    sklearn.utils.validation.check_is_fitted = fitted_checked(sklearn.utils.validation.check_is_fitted)
