"""Estimators that learn without a target: novelty and clusters."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClusterMixin, OutlierMixin
from sklearn.utils.validation import _check_sample_weight

from . import _mercer
from .estimator import KernelEstimator, as_rows
from .support_vectors import SupportVectors


class NoveltyDetector(SupportVectors, OutlierMixin, KernelEstimator):
    """Learns the region where rows are."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "NoveltyDetector":
        """Learns from the rows of X; y is there for pipelines."""
        X = self._rows(X, learn=True)
        self._learn(X, _mercer.Target(), None if sample_weight is None else _check_sample_weight(sample_weight, X))
        self.offset_ = -self.intercept_
        return self

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        super()._take_support(rows, coefficients)
        self._n_support = np.array([len(rows)], dtype=np.int32)

    def decision_function(self, X: Any) -> np.ndarray:
        """Above 0 inside."""
        return self._answers(X, "scores").ravel()

    def score_samples(self, X: Any) -> np.ndarray:
        """The decision values without the offset."""
        return self.decision_function(X) + self.offset_

    def predict(self, X: Any) -> np.ndarray:
        """1 inside, -1 outside."""
        return np.where(self._answers(X, "scores").ravel() >= 0, 1, -1)

    def _linear_weights(self) -> Any:
        return np.asarray(self.model_.coefficients.T @ as_rows(self.model_.points))


class Clusterer(ClusterMixin, KernelEstimator):
    """Finds clusters."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "Clusterer":
        """Finds clusters among the rows of X; y is there for pipelines."""
        X = self._rows(X, learn=True, ensure_min_samples=2)
        self._learn(X, _mercer.Target(), None if sample_weight is None else _check_sample_weight(sample_weight, X))
        self.labels_ = self.predict(X)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The cluster of each row."""
        return self._answers(X, "codes")
