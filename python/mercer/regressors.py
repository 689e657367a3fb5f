"""Estimators that learn numbers."""
from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import _num_samples, check_is_fitted

from . import _mercer
from .estimator import SolvedInSteps, Supervised
from .frames import Rows
from .rows import as_rows
from .support_vectors import LinearMachine, OneMachine
from .words import caller


class Regressor(RegressorMixin, Supervised):
    """A regressor."""

    _several = False  # outputs

    def _fit_target(self, X: Any, y: Any, sample_weight: Any) -> None:
        self._fit_numbers(*self._rows(X, y, learn=True, multi_output=self._several, y_numeric=True), sample_weight)

    def _fit_numbers(self, X: Any, y: Any, sample_weight: Any) -> None:
        if np.iscomplexobj(y):
            raise ValueError("Complex data not supported: y must be real numbers")
        y = np.asarray(y, dtype=np.float64)
        self._flat = y.ndim == 1
        self._learn(X, _mercer.numbers(y), self._weights(sample_weight, X))

    def _predicted(self, X: Any) -> np.ndarray:
        values = self._predictions(X, "values")
        return values.ravel() if self._flat else values

    def _more_tags(self) -> dict[str, Any]:
        return {"multioutput": self._several}


class CountRegressor(Regressor):
    """Regression of counts."""

    def _more_tags(self) -> dict[str, Any]:
        return {"requires_positive_y": True}


class DualRegressor(Regressor):
    """Keeps a coefficient for each row, as scikit-learn's KernelRidge does."""

    _fitted = {
        "dual_coef_": ("ndarray of shape (n_samples,) or (n_samples, n_outputs)", "dual coefficients, one per training sample"),
        "X_fit_": ("array or sparse matrix of shape (n_samples, n_features)", "training samples; with kernel='precomputed' the kernel matrix"),
    }

    _takes_functions_of_rows = True

    def _take_model(self, model: _mercer.Model) -> None:
        super()._take_model(model)
        if model.parameters["tau2"] is None:  # the command line's penalty is of the mean
            self.alpha = model.rows * model.parameters["lambda"]

    def _take_rows(self, X: Any, rows: np.ndarray) -> None:
        # The model leaves out rows that do not count (weight 0), scikit-learn keeps all.
        self._n_rows = _num_samples(X)
        self._of_objects = isinstance(X, Rows) and bool(X.objects)
        self._X = None if self._of_objects or (self._rows_kept_by_model(X) and len(rows) == self._n_rows) else X

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        if self.report_["certificate"] == "normal_equations_residual":  # where scikit-learn warns, too
            warnings.warn("K is singular and alpha=0: using the minimum-norm least-squares solution", UserWarning, stacklevel=caller())
        all_rows = np.zeros((self._n_rows, coefficients.shape[1]))
        all_rows[rows] = coefficients
        self.dual_coef_ = all_rows.ravel() if self._flat else all_rows

    @property
    def X_fit_(self) -> Any:
        """Training samples."""
        check_is_fitted(self)
        if getattr(self, "_of_objects", False):
            raise AttributeError("X_fit_ is of rows of numbers, and this was fitted to objects")
        return as_rows(self.model_.points) if self._X is None else self._X


class SupportVectorRegressor(OneMachine, Regressor):
    """Support vector regression."""


class LinearRegressor(LinearMachine, Regressor):
    """Linear support vector regression."""

    _fitted = {
        "coef_": ("ndarray of shape (n_features,)", "feature weights"),
        "intercept_": ("ndarray of shape (1,)", "intercept"),
        "n_iter_": ("int", "solver iterations"),
    }

    def _options(self) -> dict[str, Any]:
        options = super()._options()
        return options if "most_steps" in options else {**options, "solver": "primal"}  # steps are those of the dual

    def _take_rows(self, X: Any, rows: np.ndarray) -> None:
        super()._take_rows(X, rows)
        self.coef_ = self.coef_.ravel()


class QuantileMachine(SolvedInSteps, Regressor):
    """Quantile regression."""
