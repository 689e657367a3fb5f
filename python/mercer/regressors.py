"""Estimators that learn numbers."""
from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin, clone

from . import _mercer
from .compatibility import check_fitted, described, dtype_of, samples_in
from .estimator import SolvedInSteps, Supervised
from .frames import Rows
from .rows import as_rows
from .support_vectors import Coefficients, LinearMachine, OneMachine
from .words import caller, word


class Regressor(RegressorMixin, Supervised):
    """A regressor."""

    _several = False  # outputs

    def __sklearn_tags__(self) -> Any:
        return described(self, super().__sklearn_tags__())  # those of regressors, which the mixin makes, too

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

    def _own_tags(self) -> dict[str, Any]:
        return {"multioutput": self._several}


class SumRegressor(Coefficients, Regressor):
    """A regressor whose coefficients are shown."""


class CountRegressor(SumRegressor):
    """Regression of counts."""

    def _own_tags(self) -> dict[str, Any]:
        return {"requires_positive_y": True}


class DualRegressor(Regressor):
    """Keeps a coefficient for each row, as scikit-learn's KernelRidge does."""

    _fitted = {
        "dual_coef_": ("ndarray of shape (n_samples,) or (n_samples, n_outputs)", "dual coefficients, one per training sample"),
        "X_fit_": ("array or sparse matrix of shape (n_samples, n_features)", "training samples; with kernel='precomputed' the kernel matrix"),
    }

    _takes_functions_of_rows = True

    def _fit_numbers(self, X: Any, y: Any, sample_weight: Any) -> None:
        self.__dict__.pop("_of_targets", None)
        self._dtype = np.result_type(dtype_of(X), np.float32 if getattr(y, "dtype", None) == np.float32 else np.float64)
        if np.ndim(self.alpha) == 0:
            return super()._fit_numbers(X, y, sample_weight)
        y = np.asarray(y, dtype=np.float64)
        columns = y.reshape(len(y), -1)
        penalties = np.asarray(self.alpha)
        if penalties.shape != (columns.shape[1],):
            raise ValueError(f"alpha must be a number or an array with one number for each of the {columns.shape[1]} targets, not of shape {penalties.shape}")
        # A model has one penalty: there is one for each target.
        models = [clone(self).set_params(alpha=penalty) for penalty in penalties.tolist()]
        for model, column in zip(models, columns.T):
            model._plan_only, model.n_features_in_, model._only_numbers, model._target_name = self._plan_only, self.n_features_in_, self._only_numbers, ""
            if hasattr(self, "feature_names_in_"):
                model.feature_names_in_ = self.feature_names_in_
            model._fit_numbers(X, np.ascontiguousarray(column), sample_weight)
        first = models[0]
        self._choice, self._n_rows, self._of_objects, self._X = first._choice, first._n_rows, first._of_objects, first._X
        self.model_, self.report_, self._of_targets, self._flat = first.model_, first.report_, models, y.ndim == 1
        self.dual_coef_ = first.dual_coef_ if self._flat else np.column_stack([model.dual_coef_ for model in models])

    def _predicted(self, X: Any) -> np.ndarray:
        check_fitted(self)
        rows = self._rows(X, learn=False)
        parts = [model._predictions_of_rows(rows, "values") for model in self.__dict__.get("_of_targets", [self])]
        values = parts[0] if len(parts) == 1 else np.hstack(parts)
        return (values.ravel() if self._flat else values).astype(np.result_type(getattr(self, "_dtype", np.float64), dtype_of(rows)), copy=False)

    def _check_written(self, place: str) -> None:
        if len(self.__dict__.get("_of_targets", ())) > 1:
            raise ValueError(f"{place} has one penalty for all targets; fit a KernelRidge for each target, or pickle the estimator")
        super()._check_written(place)

    def _drawn_rows(self, X: Any, y: Any) -> _mercer.Dataset:
        if len(self.__dict__.get("_of_targets", ())) > 1:
            raise ValueError("plots and reports need one alpha for all targets")
        return super()._drawn_rows(X, y)

    def _take_model(self, model: _mercer.Model) -> None:
        super()._take_model(model)
        if model.parameters["tau2"] is None:  # the command line's penalty is of the mean
            self.alpha = model.rows * model.parameters["lambda"]

    def _take_rows(self, X: Any, rows: np.ndarray) -> None:
        # The model leaves out rows that do not count (weight 0), scikit-learn keeps all.
        self._n_rows = samples_in(X)
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
        check_fitted(self)
        if getattr(self, "_of_objects", False):
            raise AttributeError("X_fit_ is of rows of numbers, and this was fitted to objects")
        return as_rows(self.model_.points) if self._X is None else self._X


class SupportVectorRegressor(OneMachine, Regressor):
    """Support vector regression."""


class LinearRegressor(LinearMachine, Regressor):
    """Linear support vector regression."""

    _fitted = {
        "coef_": ("ndarray of shape (n_features,)", "feature weights"),
        "intercept_": ("ndarray of shape (1,) or 0.0", "intercept; 0.0 with fit_intercept=False"),
        "n_iter_": ("int", "passes over the samples, or Newton steps"),
    }

    def _duals(self) -> tuple[bool, ...]:
        losses = ("epsilon_insensitive", "squared_epsilon_insensitive")
        return (True,) if word("loss", self.loss, losses) == losses[0] else (True, False)

    def _take_weights(self) -> None:
        super()._take_weights()
        self.coef_ = self.coef_.ravel()


class QuantileMachine(SolvedInSteps, SumRegressor):
    """Quantile regression."""
