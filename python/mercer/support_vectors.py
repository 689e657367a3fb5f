"""The attributes that scikit-learn's support vector machines have."""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .compatibility import check_fitted, checked_weights, samples_at
from .estimator import SolvedInSteps
from .kernel_choice import choose
from .rows import as_rows
from .words import seed, threads, truth


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
    def _gamma(self) -> float:
        """The number that gamma came to, where programs look for it in scikit-learn's classes."""
        if not isinstance(self.kernel, str) or self.kernel not in ("rbf", "poly", "sigmoid"):
            raise AttributeError("_gamma is that of kernel='rbf', 'poly' and 'sigmoid'")
        check_fitted(self)
        numbers = {name: value for name, value, *_ in self.model_.kernel.numbers()}
        return numbers.get("gamma" if self.kernel == "rbf" else "scale", 0.0)  # with gamma=0 the kernel is a constant

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


class Coefficients:
    """A function that is a sum over training samples: which ones, and how much each counts."""

    _fitted = {
        "support_": ("ndarray of shape (n_support,)", "indices of the training samples whose coefficients are not 0"),
        "dual_coef_": ("ndarray of shape (n_functions, n_support)",
                       "their coefficients: dual_coef_ @ k(X[support_], x) + intercept_ is the decision function or the prediction (of counts and rates its logarithm)"),
        "intercept_": ("ndarray of shape (n_functions,)", "intercepts"),
    }

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        super()._take_support(rows, coefficients)  # type: ignore[misc]
        sign = -1 if len(getattr(self, "classes_", ())) == 2 and coefficients.shape[1] == 1 else 1  # the engine's function is above 0 for the first of two classes
        self.support_, self.dual_coef_, self.intercept_ = rows.astype(np.int32), np.ascontiguousarray(sign * coefficients.T), sign * -self.model_.rho


class LinearMachine(SolvedInSteps):
    """A machine with a weight for each feature, and LIBLINEAR's problems."""

    def _weights(self, sample_weight: Any, X: Any) -> np.ndarray | None:
        """Samples of negative weight are ignored like those of weight 0, as LIBLINEAR does it."""
        return super()._weights(None if sample_weight is None else np.maximum(checked_weights(sample_weight, X), 0), X)

    def _choose_kernel(self, X: Any) -> Any:
        return choose("linear", X, names=self._columns())

    def _parameters(self) -> dict[str, Any]:
        if truth("fit_intercept", self.fit_intercept) and not self.intercept_scaling > 0:
            raise ValueError(f"Intercept scaling is {self.intercept_scaling!r} but needs to be greater than 0. To disable fitting an intercept, set fit_intercept=False.")
        parameters = super()._parameters()
        return parameters if self.fit_intercept else {name: value for name, value in parameters.items() if name != "intercept_scaling"}

    def _options(self) -> dict[str, Any]:
        return {"threads": threads(self.n_jobs), "seed": seed(self.random_state), "tolerance": self._tolerance(), "solver": self._solver()}

    def _solver(self) -> str:
        """The engine's, where 'dual' asks for one. Raises where scikit-learn has no solver for a combination of the parameters."""
        if not isinstance(self.dual, (bool, np.bool_)) and self.dual != "auto":
            raise ValueError(f"dual must be 'auto', True or False, not {self.dual!r}")
        if self._duals() is None or self.dual == "auto":
            return "auto"
        only = self._duals()
        if self.dual not in only:
            penalty = f"penalty={self.penalty!r}" if hasattr(self, "penalty") else "penalty='l2'"
            raise ValueError(f"Unsupported set of arguments: The combination of {penalty} and loss={self.loss!r} is not supported when dual={bool(self.dual)}, "
                             f"Parameters: {penalty}, loss={self.loss!r}, dual={bool(self.dual)}")
        return "descent" if self.dual or len(only) == 1 else "newton"

    def _duals(self) -> tuple[bool, ...] | None:
        """The values of 'dual' that go with the other parameters; None: it is not looked at."""
        raise NotImplementedError

    def _ended_by_max_iter(self, options: dict[str, Any]) -> bool:
        return max(self.report_["problem_iterations"], default=0) >= self.max_iter

    def _take_rows(self, X: Any, rows: np.ndarray) -> None:
        self._take_weights()
        self.n_iter_ = int(max(self.report_["problem_iterations"], default=0))

    def _take_model(self, model: Any) -> None:
        super()._take_model(model)
        self._take_weights()

    def __getstate__(self) -> dict[str, Any]:
        """Without what follows from the model; coef_ that was changed, or made sparse, is kept."""
        state = super().__getstate__()
        if "model_" in state:
            fresh = object.__new__(type(self))
            fresh.__dict__.update(self.__dict__)
            fresh._take_weights()
            for name in ("coef_", "intercept_"):
                own = state.get(name)
                if own is not None and not sparse.issparse(own) and np.array_equal(own, getattr(fresh, name)):
                    state = {key: value for key, value in state.items() if key != name}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "model_" in self.__dict__ and not {"coef_", "intercept_"} <= self.__dict__.keys():
            kept = {name: self.__dict__[name] for name in ("coef_", "intercept_") if name in self.__dict__}
            self._take_weights()
            self.__dict__.update(kept)

    def _take_weights(self) -> None:
        weights = self.model_.coefficients.T @ as_rows(self.model_.points)
        self.coef_ = weights.toarray() if sparse.issparse(weights) else np.asarray(weights, dtype=np.float64)
        self.intercept_ = -self.model_.rho if self.fit_intercept else 0.0


class OneMachine(SupportVectors):
    """A single function, of regression or novelty."""

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        super()._take_support(rows, coefficients)
        self._n_support = np.array([len(rows)], dtype=np.int32)
        self.n_iter_ = int(self.n_iter_.sum())
