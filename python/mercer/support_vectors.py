"""The attributes that scikit-learn's support vector machines have."""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .compatibility import check_fitted, checked_weights, samples_at
from .estimator import SolvedInSteps
from .kernel_choice import choose
from .rows import as_rows


class SupportVectors(SolvedInSteps):
    """Rows that carry the function, their coefficients and the rest, under scikit-learn's names and with its signs.

    Of sparse rows dual_coef_ and coef_ are sparse too, as they are there.
    """

    _fitted = {
        "support_": ("ndarray of shape (n_SV,)", "indices of the support vectors, class by class"),
        "support_vectors_": ("array or sparse matrix of shape (n_SV, n_features)", "support vectors; empty with kernel='precomputed'"),
        "n_support_": ("ndarray of shape (n_classes,) or (1,)", "number of support vectors, for classification of each class"),
        "dual_coef_": ("array or sparse matrix of shape (n_classes - 1, n_SV) or (1, n_SV)", "dual coefficients of the support vectors"),
        "intercept_": ("ndarray of shape (n_classes * (n_classes - 1) / 2,) or (1,)", "intercepts"),
        "coef_": ("array or sparse matrix of shape (functions, n_features)", "feature weights; only with kernel='linear'"),
        "fit_status_": ("int", "0 if the solver converged, else 1"),
        "n_iter_": ("int or ndarray of int", "solver iterations, for classification of each pair of classes"),
        "shape_fit_": ("tuple", "shape of X"),
    }

    def _weights(self, sample_weight: Any, X: Any) -> np.ndarray | None:
        """Samples of negative weight are ignored like those of weight 0, as LIBSVM does it."""
        return super()._weights(None if sample_weight is None else np.maximum(checked_weights(sample_weight, X), 0), X)

    def _take_rows(self, X: Any, rows: np.ndarray) -> None:
        self.shape_fit_ = X.shape if hasattr(X, "shape") else (len(X),)
        self._sparse = sparse.issparse(X)
        self._vectors = None
        if self._pairwise:
            self._vectors = np.empty((0, 0))
        elif not self._rows_kept_by_model(X):
            self._vectors = getattr(self._choice, "rows", None)
            if self._vectors is None:
                self._vectors = samples_at(X, rows)

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        self.support_ = rows.astype(np.int32)
        self.intercept_ = self._sign * -self.model_.rho
        self._set_dual(self._sign * coefficients.T)
        self.n_iter_ = np.asarray(self.report_["problem_iterations"], dtype=np.int32)
        self.fit_status_ = 0 if self.report_["converged"] else 1

    def _take_model(self, model: Any) -> None:
        super()._take_model(model)
        self._sparse, self._vectors = model.points.is_sparse, None
        self.intercept_ = self._sign * -model.rho
        self._set_dual(self._sign * model.coefficients.T)
        self._n_support = np.array(model.blocks, dtype=np.int32)

    def _early_end(self) -> str:
        return f"Solver terminated early (max_iter={self.max_iter}).  Consider pre-processing your data with StandardScaler or MinMaxScaler. Or increase max_iter={self.max_iter}"

    @property
    def _sign(self) -> int:
        """scikit-learn's functions times this are the engine's."""
        return 1

    def _set_dual(self, coefficients: np.ndarray) -> None:
        self.dual_coef_ = sparse.csr_matrix(coefficients) if self._sparse else np.ascontiguousarray(coefficients)

    @property
    def n_support_(self) -> np.ndarray:
        """Number of support vectors, for classification of each class."""
        check_fitted(self)
        return self._n_support

    @property
    def support_vectors_(self) -> Any:
        """Support vectors."""
        check_fitted(self)
        return as_rows(self.model_.points) if self._vectors is None else self._vectors

    @property
    def coef_(self) -> Any:
        """Feature weights; only with kernel='linear'."""
        if not isinstance(self.kernel, str) or self.kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        check_fitted(self)
        weights = self._linear_weights()
        (weights.data if self._sparse else weights).flags.writeable = False  # predictions come from the model: a change would be ignored
        return weights

    def _linear_weights(self) -> Any:
        return self.dual_coef_ @ self.support_vectors_


class LinearMachine(SolvedInSteps):
    """A machine of the linear kernel, which keeps weights in place of support vectors."""

    def _choose_kernel(self, X: Any) -> Any:
        return choose("linear", X, names=self._columns())

    def _take_rows(self, X: Any, rows: np.ndarray) -> None:
        weights = self.model_.coefficients.T @ as_rows(self.model_.points)
        self.coef_ = weights.toarray() if sparse.issparse(weights) else np.asarray(weights, dtype=np.float64)
        self.intercept_ = -self.model_.rho
        self.n_iter_ = int(max(self.report_["problem_iterations"], default=0))


class OneMachine(SupportVectors):
    """A single function, of regression or novelty."""

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        super()._take_support(rows, coefficients)
        self._n_support = np.array([len(rows)], dtype=np.int32)
        self.n_iter_ = int(self.n_iter_.sum())
