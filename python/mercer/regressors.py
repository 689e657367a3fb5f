"""Estimators that learn numbers."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import _check_sample_weight

from . import _mercer
from .estimator import KernelEstimator, as_rows
from .support_vectors import SupportVectors


class Regressor(RegressorMixin, KernelEstimator):
    """Learns numbers."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Regressor":
        """Learns from the rows of X and their numbers y."""
        X, y = self._rows(X, y, learn=True, multi_output=self._several, y_numeric=True)
        return self._fit_numbers(X, y, sample_weight)

    _several = False  # outputs

    def _fit_numbers(self, X: Any, y: Any, sample_weight: Any) -> "Regressor":
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        self._flat = y.ndim == 1
        self._learn(X, _mercer.numbers(y), weights)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The number, or numbers, of each row."""
        values = self._answers(X, "values")
        return values.ravel() if self._flat else values

    def _more_tags(self) -> dict[str, Any]:
        return {**super()._more_tags(), "multioutput": self._several}


class DualRegressor(Regressor):
    """Keeps a coefficient for each row, as scikit-learn's KernelRidge does."""

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        self.dual_coef_ = coefficients.ravel() if self._flat else coefficients


class SupportVectorRegressor(SupportVectors, Regressor):
    """Support vector regression."""

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        super()._take_support(rows, coefficients)
        self._n_support = np.array([len(rows)], dtype=np.int32)

    def _linear_weights(self) -> Any:
        return np.asarray(self.model_.coefficients.T @ as_rows(self.model_.points))
