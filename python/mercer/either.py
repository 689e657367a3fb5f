"""Estimators of classes or numbers, whichever the target or the loss is of.

They are classifiers and regressors in one: ``_estimator_type`` says which of the two, and only that one's methods show. Where y decides and nobody has seen it
yet, it says 'classifier': scikit-learn asks before the fit, to choose folds, and then looks at y itself. Of a classifier it stratifies the folds where y is classes
and takes plain ones where y is numbers; of a regressor, or of neither, it never does, and rows sorted by class would leave each fold without the class it predicts.
"""
from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import type_of_target

from . import _mercer
from .classifiers import Classifier
from .compatibility import described
from .estimator import SolvedInSteps
from .losses import Loss
from .regressors import Regressor
from .words import caller, truth, word

LOSSES: dict[str, str] = {loss["name"]: loss["target"] for loss in _mercer.losses()}  # name: what it is of
TASKS: dict[str, str] = {loss["name"]: loss["task"] for loss in _mercer.losses()}
KINDS = {"classification": "classifier", "regression": "regressor"}  # task: what scikit-learn calls its estimators
WITH_CORNERS = ("absolute", "pinball", "epsilon_insensitive", "hinge")  # these are solved in steps, the smooth ones by Newton's


class ClassesOrNumbers(Classifier, Regressor):
    """What both have in common."""

    _fitted = {"classes_": ("ndarray of shape (n_classes,)", "class labels, sorted; for classification only")}

    def _kind(self) -> str | None:
        """'classifier', 'regressor', or None where nobody can know."""
        raise NotImplementedError

    @property
    def _estimator_type(self) -> str:
        kind = self._kind()
        if kind is None:
            raise AttributeError(f"cannot tell whether {type(self).__name__} is a classifier or a regressor")
        return kind

    def __sklearn_tags__(self) -> Any:
        tags, kind = super().__sklearn_tags__(), self._kind()
        tags.estimator_type = kind
        tags.classifier_tags = tags.classifier_tags if kind == "classifier" else None
        tags.regressor_tags = tags.regressor_tags if kind == "regressor" else None
        return described(self, tags)

    def _take_task(self, y: Any) -> None:
        """Finds out from y what is to be learned, where that is not yet known."""

    def _fit_target(self, X: Any, y: Any, sample_weight: Any) -> None:
        self._take_task(y)
        if self._kind() == "classifier":
            return Classifier._fit_target(self, X, y, sample_weight)
        if getattr(self, "class_weight", None) is not None:
            raise ValueError("class_weight is for classification; use sample_weight for regression")
        self.__dict__.pop("classes_", None)
        Regressor._fit_target(self, X, y, sample_weight)

    def _predicted(self, X: Any) -> np.ndarray:
        return (Classifier if hasattr(self, "classes_") else Regressor)._predicted(self, X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy for classification, R² for regression.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            True classes or values.
        sample_weight : array of shape (n_samples,), default=None
            Sample weights.

        Returns
        -------
        float
        """
        mixin = ClassifierMixin if hasattr(self, "classes_") else RegressorMixin
        return mixin.score(self, X, y, sample_weight)

    def _has_probabilities(self) -> bool:
        return self._kind() == "classifier" and super()._has_probabilities()

    def _has_decision_values(self) -> bool:
        return self._kind() == "classifier"

    def _own_tags(self) -> dict[str, Any]:
        return {"multioutput": self._several and self._kind() == "regressor"}


class AnyTask(ClassesOrNumbers):
    """Classes or numbers, whichever the target is."""

    def _kind(self) -> str | None:
        named = KINDS.get(self.task)
        return named or getattr(self, "_found", "classifier")

    def _take_task(self, y: Any) -> None:
        self.__dict__.pop("_found", None)
        if word("task", self.task, ("auto", "classification", "regression")) != "auto" or y is None:
            return
        with np.errstate(invalid="ignore"):  # y is checked for NaN later
            kind = type_of_target(y)
        self._found = "classifier" if kind in ("binary", "multiclass") else "regressor"
        if kind == "multiclass":
            self._doubt(np.asarray(y).ravel())

    @staticmethod
    def _doubt(y: np.ndarray) -> None:
        """Whole numbers are classes to scikit-learn, however many there are; a measurement in whole numbers is none."""
        different = len(np.unique(y))
        if y.dtype.kind in "iuf" and different > max(20, y.size ** 0.5):
            warnings.warn(f"y has {different} distinct whole numbers in {y.size} samples and is treated as classes; "
                          "set task='regression' to treat it as numbers, or task='classification' to silence this warning", UserWarning, stacklevel=caller())

    def _own_tags(self) -> dict[str, Any]:
        if self.task != "auto":
            return {}
        return {"_xfail_checks": {"check_classifiers_regression_target": "with task='auto' a target of numbers is learned as such"}}

    def _promises_probabilities(self) -> bool:
        return True

    def _has_decision_values(self) -> bool:
        return False  # beside the shares of the classes among the neighbours, which are probabilities


class Smoother(AnyTask):
    """Means of all targets, weighted by the kernel."""

    def _own_tags(self) -> dict[str, Any]:
        # The width that gamma='scale' gives a machine, which is to weigh rows against each other, is wide for a mean: the answers of regression come out too flat for the
        # check's R² > 0.5 on ten columns of which nine are noise. bandwidth='loo' finds a width.
        return {"poor_score": self.bandwidth == "none"}


class ShareClassifier(Classifier):
    """Gives shares of the classes among neighbours, which are probabilities; there are no decision values beside them."""

    def _promises_probabilities(self) -> bool:
        return True

    def _has_decision_values(self) -> bool:
        return False


class SmoothClassifier(ShareClassifier):
    """Shares of the classes among all samples, weighted by the kernel."""


class SmoothRegressor(Regressor):
    """The mean of all targets, weighted by the kernel."""

    def _own_tags(self) -> dict[str, Any]:
        return {"poor_score": self.bandwidth == "none"}  # as Smoother's


class RiskEstimator(SolvedInSteps, ClassesOrNumbers):
    """Classes or numbers, whichever the loss is of."""

    def _kind(self) -> str | None:
        if isinstance(self.loss, Loss):
            return KINDS[self.loss.task]
        if self._is_formula():  # y decides; before the fit it counts as a loss of numbers
            return getattr(self, "_kind_of_formula", "regressor")
        return KINDS.get(TASKS.get(self.loss, "")) if isinstance(self.loss, str) else None

    def _is_formula(self) -> bool:
        return isinstance(self.loss, str) and bool(set("()+-*/^") & set(self.loss))

    def _take_task(self, y: Any) -> None:
        if self._is_formula():
            self._kind_of_formula = "classifier" if type_of_target(y) == "binary" else "regressor"
        elif not isinstance(self.loss, Loss):
            word("loss", self.loss, tuple(LOSSES))

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "allow_nonconvex": truth("allow_nonconvex", self.allow_nonconvex)}

    def _fit_classes(self, X: Any, y: Any, sample_weight: Any) -> None:
        if self._target() == "signs" and type_of_target(y) == "multiclass":
            raise ValueError(f"loss={self.loss!r} is for two classes, but y has {len(np.unique(y))}; use loss='multinomial', "
                             f"or sklearn.multiclass.OneVsRestClassifier(RiskMinimizer(loss={self.loss!r}))")
        super()._fit_classes(X, y, sample_weight)

    def _target(self) -> str | None:
        """What the loss is of; None, where the target decides."""
        return self.loss.target if isinstance(self.loss, Loss) else LOSSES.get(self.loss) if isinstance(self.loss, str) else None

    def _promises_probabilities(self) -> bool:
        return isinstance(self.loss, str) and self.loss in ("logistic", "multinomial")

    def _own_tags(self) -> dict[str, Any]:
        target = self._target()
        in_steps = SolvedInSteps._own_tags(self) if isinstance(self.loss, str) and self.loss in WITH_CORNERS else {}
        return {"_xfail_checks": False, **in_steps, "binary_only": target == "signs", "requires_positive_y": target == "counts"}
