"""Estimators that learn classes."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import _ovr_decision_function, check_classification_targets
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from . import _mercer
from .estimator import KernelEstimator, as_rows
from .kernel_choice import choose
from .support_vectors import SupportVectors


def label_text(label: Any) -> str:
    """A class as the engine and its files name it: whole numbers without a point."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


class Classifier(ClassifierMixin, KernelEstimator):
    """Learns classes."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Classifier":
        """Learns from the rows of X and their classes y."""
        X, y = self._rows(X, y, learn=True)
        return self._fit_classes(X, y, sample_weight)

    def _fit_classes(self, X: Any, y: Any, sample_weight: Any) -> "Classifier":
        check_classification_targets(y)
        y = column_or_1d(y, warn=True)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"The number of classes has to be greater than one; got {len(self.classes_)} class")
        labels = [label_text(label) for label in self.classes_]
        factors = compute_class_weight(self.class_weight, classes=self.classes_, y=y) if self.class_weight is not None else None
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        options = {"probabilities": True} if getattr(self, "probability", False) else {}
        if factors is not None:
            options["class_weights"] = list(zip(labels, factors.tolist()))
        self._learn(X, _mercer.classes(codes, labels), weights, **options)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row."""
        codes = self._answers(X, "codes")
        return self.classes_[codes]

    def decision_function(self, X: Any) -> np.ndarray:
        """Of two classes a number per row, above 0 for the second; of more a column per class."""
        scores = self._answers(X, "scores")
        return self._class_scores(scores)

    def _class_scores(self, scores: np.ndarray) -> np.ndarray:
        if len(self.classes_) > 2:
            return scores
        return -scores.ravel() if scores.shape[1] == 1 else scores[:, 1] - scores[:, 0]

    def _has_probabilities(self) -> bool:
        if not hasattr(self, "model_"):
            return self._method in ("logistic", "knn", "nadaraya_watson") or bool(getattr(self, "probability", False))
        return self.model_.calibrated or self.model_.rule in ("softmax", "shares")

    @available_if(lambda self: self._has_probabilities())
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class."""
        return self._answers(X, "probabilities", probabilities=True)

    @available_if(lambda self: self._has_probabilities())
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of predict_proba."""
        return np.log(self.predict_proba(X))


class SupportVectorClassifier(SupportVectors, Classifier):
    """A machine for each pair of classes."""

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        super()._take_support(rows, coefficients)
        codes = self._codes[rows]
        self._n_support = np.bincount(codes, minlength=len(self.classes_)).astype(np.int32)
        if len(self.classes_) == 2:  # scikit-learn's sign: above 0 for the second class
            self.dual_coef_, self.intercept_ = -self.dual_coef_, -self.intercept_
        self.class_weight_ = np.ones(len(self.classes_)) if self.class_weight is None else self._factors

    def _fit_classes(self, X: Any, y: Any, sample_weight: Any) -> "Classifier":
        if self.decision_function_shape not in ("ovr", "ovo"):
            raise ValueError(f"decision_function_shape must be 'ovr' or 'ovo', not {self.decision_function_shape!r}")
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        check_classification_targets(y)
        classes, self._codes = np.unique(y, return_inverse=True)
        if self.class_weight is not None:
            self._factors = compute_class_weight(self.class_weight, classes=classes, y=column_or_1d(y))
        try:
            return super()._fit_classes(X, y, sample_weight)
        finally:
            del self._codes

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row: the one with most votes of the pairs."""
        if self.break_ties and len(getattr(self, "classes_", ())) > 2:
            return self.classes_[np.argmax(self.decision_function(X), axis=1)]
        return super().predict(X)

    def _class_scores(self, scores: np.ndarray) -> np.ndarray:
        if len(self.classes_) == 2:
            return -scores.ravel()
        if self.decision_function_shape == "ovo":
            return scores
        return _ovr_decision_function(scores < 0, -scores, len(self.classes_))

    def _linear_weights(self) -> Any:
        """A row for each pair of classes."""
        model, blocks = self.model_, np.concatenate([[0], np.cumsum(self.model_.blocks)])
        vectors, coefficients = as_rows(model.points), model.coefficients
        rows = []
        for i in range(len(self.classes_)):
            for j in range(i + 1, len(self.classes_)):
                of_i, of_j = slice(blocks[i], blocks[i + 1]), slice(blocks[j], blocks[j + 1])
                rows.append(coefficients[of_i, j - 1] @ vectors[of_i] + coefficients[of_j, i] @ vectors[of_j])
        weights = np.vstack([np.asarray(row).ravel() for row in rows])
        return -weights if len(self.classes_) == 2 else weights


class LinearClassifier(Classifier):
    """A machine for each class against the others, with a weight per column."""

    def _choose_kernel(self, X: Any) -> Any:
        return choose("linear", X, names=list(getattr(self, "feature_names_in_", [])))

    def _parameters(self) -> dict[str, Any]:
        return {**super()._parameters(), "multiclass": "ovr"}

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        vectors = as_rows(self.model_.points)
        pairs = self.model_.rule == "one_vs_one"
        weights = np.asarray((self.model_.coefficients.T @ vectors))
        self.coef_, self.intercept_ = weights, -self.model_.levels
        if len(self.classes_) == 2:
            self.coef_, self.intercept_ = -weights.reshape(1, -1), self.model_.levels
        assert not pairs or len(self.classes_) == 2
        self.n_iter_ = int(max(self.report_["problem_iterations"], default=0))
