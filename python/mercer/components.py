"""Principal components in feature space."""
from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_array

from . import _mercer
from .compatibility import check_fitted, described, dtype_of, samples_in
from .eigen_solvers import centred, leading, without_rounding
from .estimator import KernelEstimator, Own
from .kernel_choice import Expression, Function
from .rows import NUMBERS
from .words import plain_errors, seed, threads, truth, whole_number, word


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

    def __sklearn_tags__(self) -> Any:
        return described(self, super().__sklearn_tags__())  # those of transformers, which the mixin makes, too

    def _own_tags(self) -> dict[str, Any]:
        return {"preserves_dtype": [np.float64, np.float32]}

    def fit(self: Own, X: Any, y: Any = None) -> Own:
        """Fit the model.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Training samples; with kernel='precomputed' the kernel matrix, (n_samples, n_samples).
        y : ignored
            For compatibility with pipelines.

        Returns
        -------
        self
        """
        given, X = X, self._rows(X, learn=True, ensure_min_samples=2)
        if truth("copy_X", self.copy_X) and X is given:
            X = X.copy()
        self._check_solver()
        self.__dict__.pop("_projection", None)
        if truth("fit_inverse_transform", self.fit_inverse_transform) and self._pairwise:
            raise ValueError("Cannot fit_inverse_transform with a precomputed kernel.")
        if self.eigen_solver != "auto":
            self._find_by(X, self.eigen_solver)
        elif self._pairwise and X.shape[0] == X.shape[1] and not np.allclose(X, X.T):  # scikit-learn takes its lower half
            self._find_by(X, "dense")
        else:
            self._find(X)
        self.X_fit_, self._dtype = X, dtype_of(X)
        numbers = {name: value for name, value, *_ in self._choice.kernel.numbers()} if "_projection" in self.__dict__ else {
            name: value for name, value, *_ in self.model_.kernel.numbers()}
        self.gamma_ = next((numbers[name] for name in GAMMA if name in numbers), self.gamma)
        if self.fit_inverse_transform:
            self._learn_back(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Fit the model and project the training samples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : ignored
            For compatibility with pipelines.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        self.fit(X)
        return (self.eigenvectors_ * np.sqrt(self.eigenvalues_)).astype(self._dtype, copy=False)

    def transform(self, X: Any) -> np.ndarray:
        """Project samples onto the components.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            float32 where these samples and those of the fit are, otherwise float64.
        """
        check_fitted(self)
        X = self._rows(X, learn=False)
        return self._projected(X).astype(np.result_type(getattr(self, "_dtype", np.float64), dtype_of(X)), copy=False)  # a model from a file: float64

    def _projected(self, X: Any) -> np.ndarray:
        """Of rows that are checked."""
        if "_projection" not in self.__dict__:
            return self._padded(self._predictions_of_rows(X, "scores"))
        columns, overall, vectors = self._projection
        with plain_errors():
            return np.concatenate([centred(self._values(points), columns, overall) @ vectors for points in self._choice.blocks(X)])

    def inverse_transform(self, X: Any) -> np.ndarray:
        """Map projections back to samples: the pre-images of the projections.

        Parameters
        ----------
        X : array of shape (n_samples, n_components)
            Projections.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_fitted(self)
        X = check_array(X, dtype=NUMBERS)
        if X.shape[1] != len(self.eigenvalues_):
            raise ValueError(f"X has {X.shape[1]} coordinates, but there are {len(self.eigenvalues_)} components")
        if self.fit_inverse_transform:
            return self._way_back.predict(X)
        if "_projection" in self.__dict__:
            raise NotFittedError(f"with eigen_solver={self.eigen_solver!r} inverse_transform is learned: use fit_inverse_transform=True, or eigen_solver='auto', which finds pre-images")
        if self.model_.map:
            raise ValueError("with a kernel approximation there are no pre-images; use fit_inverse_transform=True")
        with plain_errors():
            return self.model_.preimages(X[:, :self._rank], threads(self.n_jobs))

    # --- How many. -----------------------------------------------------------------------------------------------------------

    def _find(self, X: Any) -> None:
        """Learns as many components as were asked for, or as there are. scikit-learn's further ones have the eigenvalue 0, and all coordinates 0."""
        n, asked = samples_in(X), self._count(X)
        self._asked = 0 if asked >= n else asked  # 0: all
        try:
            self._learn(X, _mercer.Target())
        except ValueError as error:
            if getattr(error, "code", None) != "rank_deficient":
                raise
            if self._asked == 0:  # all rows are the same
                return self._find_by(X, "dense")
            return self._find_all(X)
        self._take_components(X)

    def _find_all(self, X: Any) -> None:
        self._asked = 0
        try:
            self._learn(X, _mercer.Target())
        except ValueError as error:
            if getattr(error, "code", None) != "rank_deficient":
                raise
            return self._find_by(X, "dense")
        self._take_components(X)

    def _take_components(self, X: Any) -> None:
        n, asked = samples_in(X), self._count(X)
        values = np.array(self.report_["diagnostics"]["eigenvalues"])
        zeros = 0 if self.n_components is None or self.remove_zero_eig else max(0, min(asked, n) - len(values))
        if len(values) < min(asked, n) and not isinstance(self._choice, Expression):  # nobody knows what a matrix is made of
            K = self._choice.training(X).numbers()[:, :n]
            without_rounding(np.linalg.eigvalsh(centred(K, K.mean(axis=0), K.mean()))[::-1][:asked])
        self._rank = len(values)
        self.eigenvectors_ = np.pad(self._coefficients * np.sqrt(values), ((0, 0), (0, zeros)))
        self.eigenvalues_ = np.pad(values, (0, zeros))
        del self._coefficients

    def _count(self, X: Any) -> int:
        """How many components are asked for."""
        if self.n_components is not None and not (np.isreal(self.n_components) and self.n_components >= 1 and float(self.n_components).is_integer()):
            raise ValueError(f"n_components must be a whole number ≥ 1 or None, not {self.n_components!r}")
        return int(self.n_components or samples_in(X))

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

    # --- By a solver that is named. ------------------------------------------------------------------------------------------

    def _check_solver(self) -> None:
        word("eigen_solver", self.eigen_solver, ("auto", "dense", "arpack", "randomized"))
        if self.max_iter is not None and self.eigen_solver != "arpack":
            raise ValueError(f"max_iter is for eigen_solver='arpack', not for {self.eigen_solver!r}")
        if self.iterated_power != "auto" and self.eigen_solver != "randomized":
            raise ValueError(f"iterated_power is for eigen_solver='randomized', not for {self.eigen_solver!r}")
        for name, standard in (("solver", "auto"), ("approx", None)):
            if self.eigen_solver != "auto" and getattr(self, name) != standard:
                raise ValueError(f"{name} is for eigen_solver='auto', not for {self.eigen_solver!r}")
        if self.max_iter is not None:
            whole_number("max_iter", self.max_iter, 1)
        if self.iterated_power != "auto":
            whole_number("iterated_power", self.iterated_power, 0)

    def _tolerance(self) -> float | None:
        return None if isinstance(self.tol, Real) and self.tol == 0 else super()._tolerance()  # scikit-learn's word for machine precision

    def _find_by(self, X: Any, solver: str) -> None:
        """Eigenvectors of the centred kernel matrix, which is held."""
        n = samples_in(X)
        count = min(self._count(X), n)
        for name in ("model_", "report_"):
            self.__dict__.pop(name, None)
        with plain_errors():
            choice = self._choice = self._choose_kernel(X)
            points = choice.training(X)
            if isinstance(choice, Expression):
                choice.kernel = choice.kernel.resolve(points)
                K = choice.kernel.gram(points, points, threads(self.n_jobs))
            else:
                K = np.array(points.numbers()[:, :n])
        choice.keep(X, np.arange(n), self._method)
        columns, overall = K.mean(axis=0), K.mean()
        values, vectors = leading(centred(K, columns, overall), count, solver, tol=self._tolerance() or 0.0, max_iter=self.max_iter,
                                  iterated_power=self.iterated_power, seed=seed(self.random_state))
        values = without_rounding(values)
        kept = values > 0 if self.remove_zero_eig or self.n_components is None else np.full(len(values), True)
        self.eigenvalues_, self.eigenvectors_ = values[kept], vectors[:, kept]
        roots = np.sqrt(self.eigenvalues_)
        self._projection = columns, overall, np.divide(self.eigenvectors_, roots, out=np.zeros_like(self.eigenvectors_), where=roots > 0)

    def _values(self, points: Any) -> np.ndarray:
        """Kernel values with the training rows."""
        if isinstance(self._choice, Expression):
            return self._choice.kernel.gram(points, self._choice.training(self.X_fit_), threads(self.n_jobs))
        return points.numbers()[:, :len(self.eigenvectors_)]

    def _drawn_rows(self, X: Any, y: Any) -> _mercer.Dataset:
        if "_projection" in self.__dict__:
            raise ValueError(f"plots need eigen_solver='auto', not {self.eigen_solver!r}")
        return super()._drawn_rows(X, y)

    def _check_written(self, place: str) -> None:
        if "_projection" in self.__dict__:
            raise ValueError(f"{place} is written with eigen_solver='auto' alone, not with {self.eigen_solver!r}; fit it with 'auto', or pickle the estimator")
        super()._check_written(place)

    # --- The way back. -------------------------------------------------------------------------------------------------------

    def _learn_back(self, X: Any) -> None:
        if hasattr(X, "indptr"):
            raise ValueError("fit_inverse_transform does not support sparse input")
        from . import KernelRidge

        self.X_transformed_fit_ = self.eigenvectors_ * np.sqrt(self.eigenvalues_)
        kernel = self._choice.function if isinstance(self._choice, Function) else self.kernel
        self._way_back = KernelRidge(self.alpha, kernel=kernel, gamma=self.gamma, degree=self.degree, coef0=self.coef0, kernel_params=self.kernel_params,
                                     allow_indefinite=self.allow_indefinite, random_state=self.random_state, n_jobs=self.n_jobs, approx="none").fit(self.X_transformed_fit_, X)
        self.dual_coef_ = self._way_back.dual_coef_

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)
