"""Online learning: estimators that learn from one sample after the other, and go on with more of them."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from . import _mercer
from .classifiers import Classifier
from .compatibility import check_fitted
from .estimator import Supervised
from .kernel_choice import Expression
from .regressors import Regressor
from .rows import as_rows
from .words import label_text


class Online(Supervised):
    """What they share. The model after some samples is the same, bit by bit, in whatever parts they came."""

    _fitted = {"n_seen_": ("int", "samples seen, each as often as it was visited"),
               "support_vectors_": ("array or sparse matrix of shape (n_kept, n_features)", "the samples kept, the oldest first; at most budget"),
               "dual_coef_": ("ndarray of shape (n_kept, n_functions)", "their coefficients")}

    _going_on = False  # in partial_fit, after the first call
    _partial = False   # in partial_fit

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Online":
        self._going_on = False
        return super().fit(X, y, sample_weight)

    fit.__doc__ = Supervised.fit.__doc__

    def _choose_kernel(self, X: Any) -> Any:
        if not self._going_on:
            return super()._choose_kernel(X)
        if not isinstance(self._choice, Expression):
            raise ValueError("partial_fit compares new samples with earlier ones, so the kernel must be an expression or a mercer.Kernel, not a matrix or a function of arrays")
        return Expression(self.model_.kernel, self._choice.indefinite, self._choice.names)

    def _earlier(self) -> Any:
        return self.model_ if self._going_on else None

    def _parameters(self) -> dict[str, Any]:
        once = {"epochs": 1} if self._partial and "epochs" in self._names else {}
        return {**super()._parameters(), **once}

    def _learn_part(self, X: Any, target: Any, sample_weight: Any) -> None:
        """A pass over these samples, from where the model is."""
        self._partial = True
        try:
            self._learn(X, target, self._weights(sample_weight, X))
        finally:
            self._partial = False

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        self.n_seen_ = int(self.report_["diagnostics"]["rows_seen"])

    def _take_model(self, model: _mercer.Model) -> None:
        super()._take_model(model)
        self._take_support(np.empty(0), np.empty(0))

    @property
    def support_vectors_(self) -> Any:
        """The samples kept, the oldest first."""
        return self._kept()[0]

    @property
    def dual_coef_(self) -> np.ndarray:
        """The coefficients of the samples kept."""
        return self._kept()[1]

    def _kept(self) -> tuple[Any, np.ndarray]:
        check_fitted(self)
        return as_rows(self.model_.points), self.model_.support[1]

    def _own_tags(self) -> dict[str, Any]:
        # What it learns depends on which sample comes first, and the check shuffles them.
        return {"_xfail_checks": {"check_sample_weights_invariance": "learns from the samples in their order"}}


class OnlineClassifier(Online, Classifier):
    """A classifier that learns online."""

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "OnlineClassifier":
        """Learn from these samples too, in their order, in one pass.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples. A kernel that depends on the data (gamma='scale') is made to the measure of those of the first call.
        y : array of shape (n_samples,)
            Class labels.
        classes : array of shape (n_classes,), default=None
            All classes that will ever come; needed in the first call, and not to be changed later.
        sample_weight : array of shape (n_samples,), optional
            Sample weights: factors of the steps; a sample of weight 0 is ignored.

        Returns
        -------
        self
        """
        self._going_on = hasattr(self, "model_")
        X, y = self._rows(X, y, learn=not self._going_on)
        check_classification_targets(y)
        y = column_or_1d(y, warn=True)
        self._take_classes(classes)
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise ValueError(f"y has the class {unknown[0]!r}, which is not among classes={self.classes_!r}")
        labels = [label_text(label) for label in self.classes_]
        self._learn_part(X, _mercer.classes(np.searchsorted(self.classes_, y), labels), sample_weight)
        return self

    def _take_classes(self, classes: Any) -> None:
        given = None if classes is None else np.unique(column_or_1d(classes))
        if not self._going_on:
            if given is None:
                raise ValueError("classes must be passed on the first call to partial_fit")
            if len(given) < 2:
                raise ValueError(f"The number of classes has to be greater than one; got {len(given)} class")
            self.classes_ = given
        elif given is not None and not np.array_equal(given, self.classes_):
            raise ValueError(f"classes={classes!r} is not the same as on the first call to partial_fit: {self.classes_!r}")


class OnlineRegressor(Online, Regressor):
    """A regressor that learns online."""

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> "OnlineRegressor":
        """Learn from these samples too, in their order, in one pass.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples. A kernel that depends on the data (gamma='scale') is made to the measure of those of the first call.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Target values.
        sample_weight : array of shape (n_samples,), optional
            Sample weights: factors of the loss; a sample of weight 0 is ignored.

        Returns
        -------
        self
        """
        self._going_on = hasattr(self, "model_")
        X, y = self._rows(X, y, learn=not self._going_on, multi_output=self._several, y_numeric=True)
        if np.iscomplexobj(y):
            raise ValueError("Complex data not supported: y must be real numbers")
        y = np.asarray(y, dtype=np.float64)
        if self._going_on and (1 if y.ndim == 1 else y.shape[1]) != len(self.model_.rho):
            raise ValueError(f"y has {1 if y.ndim == 1 else y.shape[1]} outputs, but the model has {len(self.model_.rho)}")
        if not self._going_on:
            self._flat = y.ndim == 1
        self._learn_part(X, _mercer.numbers(y), sample_weight)
        return self
