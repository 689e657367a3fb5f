"""Principal components in feature space."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import _num_samples, check_array, check_is_fitted

from . import _mercer
from .estimator import KernelEstimator
from .kernel_choice import Function, Precomputed
from .rows import NUMBERS
from .words import plain_errors, threads


GAMMA = ("gamma", "scale", "lambda")  # what the engine calls it: of rbf and chi2, of poly and sigmoid, of the exponential of the L1 distance


class PrincipalComponents(ClassNamePrefixFeaturesOutMixin, TransformerMixin, KernelEstimator):
    """Kernel principal component analysis.

    ``inverse_transform`` maps projections back to samples: with ``fit_inverse_transform`` by a kernel ridge regression with the penalty ``alpha``, as scikit-learn does; without it
    by pre-images, the samples nearest in feature space, which exist for the linear kernel and for functions of the distance.
    """

    _fitted = {
        "eigenvalues_": ("ndarray of shape (components,)", "eigenvalues of the centred kernel matrix, descending"),
        "eigenvectors_": ("ndarray of shape (rows, components)", "eigenvectors of the centred kernel matrix"),
        "X_fit_": ("array or sparse matrix", "training samples"),
        "gamma_": ("float or None", "gamma of the kernel, as a number"),
    }

    _takes_functions_of_rows = True

    def fit(self, X: Any, y: Any = None) -> "PrincipalComponents":
        """Fit the model; y is ignored.

        Sets eigenvalues_, eigenvectors_, X_fit_ and gamma_.
        """
        X = self._rows(X, learn=True, ensure_min_samples=2)
        self._find(X)
        self.X_fit_ = X
        numbers = {name: value for name, value, *_ in self.model_.kernel.numbers()}
        self.gamma_ = next((numbers[name] for name in GAMMA if name in numbers), self.gamma)
        if self.fit_inverse_transform:
            self._learn_back(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Fit the model and project the training samples."""
        self.fit(X)
        return self.eigenvectors_ * np.sqrt(self.eigenvalues_)

    def transform(self, X: Any) -> np.ndarray:
        """Project samples onto the components."""
        return self._padded(self._predictions(X, "scores"))

    def inverse_transform(self, X: Any) -> np.ndarray:
        """Map projections back to samples: the pre-images of the projections in X."""
        check_is_fitted(self)
        X = check_array(X, dtype=NUMBERS)
        if X.shape[1] != len(self.eigenvalues_):
            raise ValueError(f"X has {X.shape[1]} coordinates, but there are {len(self.eigenvalues_)} components")
        if self.fit_inverse_transform:
            return self._way_back.predict(X)
        if self.model_.map:
            raise ValueError("with a kernel approximation there are no pre-images; use fit_inverse_transform=True")
        with plain_errors():
            return self.model_.preimages(X[:, :self._rank], threads(self.n_jobs))

    # --- How many. -----------------------------------------------------------------------------------------------------------

    def _find(self, X: Any) -> None:
        """Learns as many components as were asked for, or as there are. scikit-learn's further ones have the eigenvalue 0, and all coordinates 0."""
        if self.n_components is not None and not (np.isreal(self.n_components) and self.n_components >= 1 and float(self.n_components).is_integer()):
            raise ValueError(f"n_components must be a whole number ≥ 1 or None, not {self.n_components!r}")
        n = _num_samples(X)
        asked = int(self.n_components or n)
        self._asked = 0 if asked >= n else asked  # 0: all
        try:
            self._learn(X, _mercer.Target())
        except ValueError as error:
            if getattr(error, "code", None) != "rank_deficient" or self._asked == 0:
                raise
            self._asked = 0
            self._learn(X, _mercer.Target())
        values = np.array(self.report_["diagnostics"]["eigenvalues"])
        zeros = 0 if self.n_components is None or self.remove_zero_eig else max(0, min(asked, n) - len(values))
        self._rank = len(values)
        self.eigenvectors_ = np.pad(self._coefficients * np.sqrt(values), ((0, 0), (0, zeros)))
        self.eigenvalues_ = np.pad(values, (0, zeros))
        del self._coefficients

    def _parameters(self) -> dict[str, Any]:
        return {"components": float(self._asked)}

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        self._coefficients = np.zeros((self.model_.rows, coefficients.shape[1]))
        self._coefficients[rows] = coefficients

    def _take_model(self, model: _mercer.Model) -> None:
        super()._take_model(model)
        self._rank, self.eigenvalues_ = len(model.rho), np.array(self.report_["diagnostics"]["eigenvalues"])

    def _padded(self, scores: np.ndarray) -> np.ndarray:
        return np.pad(scores, ((0, 0), (0, len(self.eigenvalues_) - self._rank)))

    # --- The way back. -------------------------------------------------------------------------------------------------------

    def _learn_back(self, X: Any) -> None:
        if hasattr(X, "indptr"):
            raise ValueError("fit_inverse_transform does not support sparse input")
        if isinstance(self._choice, Precomputed):
            raise ValueError("Cannot fit_inverse_transform with a precomputed kernel.")
        from . import KernelRidge

        self.X_transformed_fit_ = self.eigenvectors_ * np.sqrt(self.eigenvalues_)
        kernel = self._choice.function if isinstance(self._choice, Function) else self.kernel
        self._way_back = KernelRidge(self.alpha, kernel=kernel, gamma=self.gamma, degree=self.degree, coef0=self.coef0, kernel_params=self.kernel_params,
                                     allow_indefinite=self.allow_indefinite, random_state=self.random_state, n_jobs=self.n_jobs, approx="none").fit(self.X_transformed_fit_, X)
        self.dual_coef_ = self._way_back.dual_coef_

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)
