"""Gaussian processes: regression with variances (Rasmussen & Williams 2006)."""
from __future__ import annotations

import math
import warnings
from numbers import Real
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from sklearn.utils import check_random_state

from . import _mercer
from .compatibility import samples_in
from .frames import Rows
from .gp_interface import Range, Written
from .kernel_choice import Expression, Function, Precomputed, choose
from .kernels import Kernel
from .regressors import Regressor
from .words import number_or_word, plain_errors, seed, threads, truth, whole_number

STANDARD = "rbf(gamma=0.5)"  # kernel=None: scikit-learn's, of length 1
BEGIN = 0.1  # alpha='auto': where the search for the noise begins, as on the command line


class GaussianProcess(Regressor):
    """Gaussian process regression with prior mean 0.

    The optimizer maximizes the log marginal likelihood over the kernel hyperparameters within their bounds (a WhiteKernel in a sum is noise that is optimized, too). They are kept
    as given if kernel is None, a callable, or precomputed. ``alpha`` is added to the diagonal as given; alpha='auto' is optimized with the hyperparameters.
    """

    _fitted = {
        "kernel_": ("Kernel", "the kernel with its optimized hyperparameters, without white noise; a callable kernel is kept as given"),
        "noise_": ("float or ndarray of shape (rows,)", "noise variance, optimized or given; with an array alpha one for each sample"),
        "alpha_": ("ndarray of shape (rows,) or (rows, outputs)", "dual coefficients"),
        "L_": ("ndarray of shape (rows, rows)", "lower Cholesky factor of K + noise"),
        "log_marginal_likelihood_value_": ("float", "log marginal likelihood (evidence)"),
        "X_train_": ("ndarray of shape (rows, columns)", "training samples"),
        "y_train_": ("ndarray of shape (rows,) or (rows, outputs)", "training targets; standardized with normalize_y=True"),
    }

    # --- The fit. ------------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> "GaussianProcess":
        """Fit the model: optimize the kernel hyperparameters, where they are not fixed, and factorize K.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Training samples.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Target values.

        Returns
        -------
        self
        """
        X, y = self._rows(X, y, learn=True, multi_output=True, y_numeric=True)
        self._y_train_mean, self._y_train_std = np.zeros(1), np.ones(1)
        if self.normalize_y:
            deviation = np.std(y, axis=0)
            self._y_train_mean, self._y_train_std = np.atleast_1d(np.mean(y, axis=0)), np.atleast_1d(np.where(deviation < 10 * np.finfo(float).eps, 1.0, deviation))
        y = (y - self._y_train_mean) / self._y_train_std
        self._targets = y
        try:
            noise = self._noise_of_samples(X)
            self._noise = noise
            self._fit_numbers(X, y, None if noise is None else noise.mean() / noise)
        finally:
            del self._targets
            self.__dict__.pop("_kernel_found", None)
        found = self.report_["diagnostics"]
        self.noise_ = found["noise_variance"] if noise is None else noise
        if noise is None:
            self._white = max(0.0, self.noise_ - self._given_noise()) if self._white else 0.0
        self.log_marginal_likelihood_value_ = found["log_marginal_likelihood"]
        self.X_train_, self.y_train_ = X.copy() if truth("copy_X_train", self.copy_X_train) and hasattr(X, "copy") else X, y
        if isinstance(self._choice, Expression):
            self.kernel_ = self._found_kernel()
            self.kernel_._theirs = self._found_as_given()
            if self._bounds:
                self.kernel_._check_bounds_params()
        else:
            self.kernel_ = "precomputed" if isinstance(self._choice, Precomputed) else self._choice.function
        self.__dict__.pop("_L", None)
        self.alpha_ = self._dual_coefficients(X)
        return self

    def _found_kernel(self) -> Kernel:
        """The kernel of the model, with the bounds that were given: what was fixed is not in its theta."""
        names = [name for name, *_ in self.model_.kernel.numbers()]
        given = {name: "fixed" if low == high else (low, high) for name, low, high in self._ranges if low == high or 0 < low < high < math.inf}
        return Kernel(self.model_.kernel, given if [name for name, *_ in self._ranges] == names else None)  # with ard=True it has other numbers

    def _found_as_given(self) -> Any:
        """scikit-learn's kernel with the values found, where one was given and it is an expression."""
        if not hasattr(self.kernel, "hyperparameters") or isinstance(self.kernel, Kernel) or self.ard or self.approx not in (None, "none"):
            return None
        from .gp_search import whites, with_values

        numbers = [value for _, value, *_ in self.model_.kernel.numbers()]
        if whites(self.kernel) > 1 or len(numbers) != len(self._ranges):
            return None
        return with_values(self.kernel, iter(numbers), self._white)

    def _take_model(self, model: _mercer.Model) -> None:
        super()._take_model(model)
        self._y_train_mean, self._y_train_std, self._white = np.zeros(1), np.ones(1), 0.0
        self.kernel_, self.noise_ = Kernel(model.kernel), self.report_["diagnostics"]["noise_variance"]
        self.log_marginal_likelihood_value_ = self.report_["diagnostics"]["log_marginal_likelihood"]
        self.optimizer = "fmin_l_bfgs_b" if model.parameters["optimize"] == "evidence" else None

    def save(self, path: Any) -> None:
        if self.normalize_y:
            raise ValueError("a model file does not store the mean and scale of y; pickle the estimator, or fit it with normalize_y=False")
        super().save(path)

    def _choose_kernel(self, X: Any) -> Expression | Precomputed | Function:
        kernel, self._white, ranges = self.__dict__.get("_kernel_found", self.kernel), 0.0, None
        if not callable(self.optimizer) and self.optimizer not in ("evidence", "fmin_l_bfgs_b", None):
            raise ValueError(f"optimizer must be 'evidence', 'fmin_l_bfgs_b' (both maximize the log marginal likelihood), a function or None, not {self.optimizer!r}")
        noise = self._noise_range()
        if kernel is None:
            kernel = STANDARD
        elif hasattr(kernel, "hyperparameters") and not isinstance(kernel, Kernel):  # scikit-learn's own
            from .gp_search import expression, without_noise

            found = kernel is not self.kernel
            if callable(self.optimizer) and not found:
                kernel = self._found_by_python(kernel, X)
            rest, white = without_noise(kernel)
            if found:
                white = Range(white.value, white.value, white.value)
            if whole_number("n_restarts_optimizer", self.n_restarts_optimizer, 0) and self.optimizer is not None and not np.isfinite(kernel.bounds).all():
                raise ValueError("n_restarts_optimizer > 0 requires that all bounds are finite")
            written = Written("constant(c=0.0)", (Range(0.0, 0.0, 0.0),)) if rest is None else expression(rest, X.shape[1]) if hasattr(X, "shape") else None  # lists are for functions
            if written is None:
                kernel = kernel if callable(self.optimizer) else self._found_by_python(kernel, X)
                rest, white = without_noise(kernel)
                white = Range(white.value, white.value, white.value)
            self._white, noise = white.value, noise + white
            kernel, ranges = (rest, None) if written is None else (written.text, written.ranges)
        choice = choose(kernel, X, gamma=self.gamma, degree=self.degree, coef0=self.coef0, arguments=self.kernel_params, indefinite=self.allow_indefinite,
                        names=self._columns())
        if callable(self.optimizer) and isinstance(choice, Expression) and ranges is None and self.kernel is not None:
            given = Kernel(choice.kernel.resolve(choice.training(X)), self.kernel.get_params(deep=False)["parameter_bounds"] if isinstance(self.kernel, Kernel) else None)
            choice.kernel = self._found_by_python(given, X).engine
        self._ranges = self._number_ranges(choice, X, ranges)
        self._bounds = self._search_bounds(choice, noise)
        return choice

    def _given_noise(self) -> Any:
        """alpha: a number, or one for each sample."""
        return 0.0 if isinstance(self.alpha, str) else float(self.alpha) if np.ndim(self.alpha) == 0 else np.asarray(self.alpha, dtype=float)

    def _noise_of_samples(self, X: Any) -> np.ndarray | None:
        """The noise variance of each sample, where alpha has one for each; with it stays the white noise of the kernel, which is found before anything else."""
        self._white = 0.0
        if np.ndim(self.alpha) == 0:
            return None
        noise, count = np.asarray(self.alpha), samples_in(X)
        if noise.shape == (1,):
            noise = np.repeat(noise, count)
        if noise.shape != (count,):
            raise ValueError(f"alpha must be a scalar or an array with same number of entries as y. ({noise.shape[0] if noise.ndim == 1 else noise.shape} != {count})")
        if noise.dtype.kind not in "iuf" or not np.all((noise >= 0) & (noise < math.inf)):
            raise ValueError(f"alpha must be ≥ 0 and finite, but it has {noise[~((noise >= 0) & (noise < math.inf))][0] if noise.dtype.kind in 'iuf' else noise.dtype}")
        if hasattr(self.kernel, "hyperparameters") and not isinstance(self.kernel, Kernel):
            from .gp_search import without_noise

            if without_noise(self.kernel)[1].high > 0:  # beside noise that differs from sample to sample the engine searches none
                self._kernel_found = self._found_by_python(self.kernel, X)
                self._white = without_noise(self._kernel_found)[1].value
        noise = noise.astype(float) + self._white
        noise = np.maximum(noise, np.finfo(float).tiny if not noise.any() else 1e-15 * noise.max())  # a weight is finite
        self._mean_alpha = float(noise.mean()) - self._white
        return noise

    def _noise_range(self) -> Range:
        """Of alpha."""
        if isinstance(self.alpha, str) and self.alpha == "auto":
            return Range(BEGIN, 0.0, math.inf)
        if getattr(self, "_noise", None) is not None and np.ndim(self.alpha) > 0:
            return Range(self._mean_alpha, self._mean_alpha, self._mean_alpha)
        if isinstance(self.alpha, bool) or not isinstance(self.alpha, Real):
            raise ValueError(f"alpha must be a number (the noise variance), an array of one for each sample, or 'auto', not {self.alpha!r}")
        if not 0 <= self.alpha < math.inf:
            raise ValueError(f"alpha must be ≥ 0 and finite, not {self.alpha!r}")
        return Range(float(self.alpha), float(self.alpha), float(self.alpha))

    def _found_by_python(self, kernel: Any, X: Any) -> Any:
        """A kernel without an expression, or one for an optimizer that is a function, with the numbers of greatest evidence."""
        if self.optimizer is None or not hasattr(self, "_targets") or kernel.n_dims == 0:
            return kernel
        if isinstance(self.alpha, str):
            raise ValueError("alpha='auto' needs a kernel given as an expression; with this one, add a WhiteKernel")
        from .gp_search import maximise

        rows = X.numbers if isinstance(X, Rows) else X
        return maximise(kernel, rows, self._targets, self._given_noise(), whole_number("n_restarts_optimizer", self.n_restarts_optimizer, 0), seed(self.random_state),
                        self.optimizer if callable(self.optimizer) else None)

    def _number_ranges(self, choice: Any, X: Any, ranges: tuple[Range, ...] | None) -> list[tuple[str, float, float]]:
        """Between which numbers each number of the kernel may be."""
        if not isinstance(choice, Expression):
            return []
        if not choice.kernel.resolved:
            choice.kernel = choice.kernel.resolve(choice.training(X))
        numbers = Kernel(choice.kernel, self.kernel.get_params(deep=False)["parameter_bounds"] if isinstance(self.kernel, Kernel) else None)._search_ranges()
        if ranges is not None:
            return [(name, given.low, given.high) for (name, *_), given in zip(numbers, ranges, strict=True)]
        return [(name, value, value) if self.kernel is None else (name, low, high) for name, value, low, high in numbers]

    def _search_bounds(self, choice: Any, noise: Range) -> list[tuple[str, float, float]]:
        """Where the evidence is looked for: none where there is nothing to find."""
        if self.optimizer is None or callable(self.optimizer) or not hasattr(self, "_targets"):
            return []
        bounds = [] if math.isinf(noise.high) else [("noise", noise.low, noise.high)]
        searched = not noise.fixed
        if isinstance(choice, Expression) and self.approx in (None, "none"):  # features have no numbers to be found
            bounds += self._ranges
            searched = searched or any(low < high for _, low, high in self._ranges) or (truth("ard", self.ard) and self.kernel is not None)
        if not searched:
            return []
        return bounds if any(name.startswith("factor") for name, *_ in bounds) else [*bounds, ("factor", 1.0, 1.0)]

    def _parameters(self) -> dict[str, Any]:
        given = {method: number_or_word(python, getattr(self, python)) for method, python in self._names.items() if python not in ("optimizer", "alpha")}
        noise = self._noise_range().value + self._white
        return {**given, "noise": noise, "optimize": "evidence" if self._bounds else "none", "mean": "zero"}

    def _options(self) -> dict[str, Any]:
        # With scikit-learn's default alpha of 1e-10 rounding leaves residuals of about 1e-6; to warn of them would tell nothing.
        return {"tolerance": 1e-4, **super()._options(), **({"bounds": self._bounds} if getattr(self, "_bounds", None) else {})}

    @property
    def _over_rows(self) -> bool:
        """Whether the function is a sum over the training rows. Under the linear kernel it may be one over columns, with approx= over features."""
        scaled = any(len(numbers) for numbers in self.model_.scaling)  # of the command line: kernel values are then those of scaled rows
        return not self.model_.map and not scaled and self.model_.points.rows == self.model_.rows

    def _dual_coefficients(self, X: Any) -> np.ndarray:
        if self._over_rows:
            alpha = self.model_.coefficients
        else:  # (K + noise)α = y, so what is left of y is noise·α
            alpha = (self.y_train_.reshape(len(self.y_train_), -1) - self._predictions_of_rows(X, "values")) / np.reshape(self.noise_, (-1, 1))
        return alpha.ravel() if self._flat else alpha

    # --- Predictions. --------------------------------------------------------------------------------------------------------

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Predict the mean at each sample; before a fit, the mean of the prior.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Samples.
        return_std : bool, default=False
            Also return the standard deviation of each prediction, without the noise alpha.
        return_cov : bool, default=False
            Also return the covariance matrix of the predictions.

        Returns
        -------
        mean : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        std : ndarray of the same shape
            With return_std.
        cov : ndarray of shape (n_samples, n_samples) or (n_samples, n_samples, n_outputs)
            With return_cov.
        """
        if return_std and return_cov:
            raise RuntimeError("At most one of return_std or return_cov can be requested.")
        if not hasattr(self, "model_"):
            return self._prior(X, return_std, return_cov)
        mean = self._of_outputs(self._predictions(X, "values") * self._y_train_std + self._y_train_mean)
        if not return_std and not return_cov:
            return mean
        if isinstance(self._choice, Precomputed):
            raise ValueError("a precomputed kernel matrix has no k(x, x) of new samples, so std and cov are not available; give the kernel as a function")
        X = self._rows(X, learn=False)
        with plain_errors():
            if return_cov:
                return mean, self._of_outputs(self._covariances(X)[..., np.newaxis] * self._y_train_std**2)
            return mean, np.sqrt(self._of_outputs(self._variances(X)[:, np.newaxis] * self._y_train_std**2))

    def _of_outputs(self, values: np.ndarray) -> np.ndarray:
        """The last axis is that of the outputs; it goes where there is only one."""
        if values.shape[-1] == 1:
            values = np.repeat(values, len(self.model_.rho), axis=-1)
        return values[..., 0] if values.shape[-1] == 1 else values

    def _variances(self, X: Any) -> np.ndarray:
        parts = []
        for points in self._choice.blocks(X):
            if self._over_rows:
                kernel = self.model_.kernel
                V = self._solve(kernel.gram(points, self.model_.points, threads(self.n_jobs)))
                own = points.numbers()[:, -1] if isinstance(self._choice, Function) else kernel.diagonal(points)
                parts.append(own - np.einsum("ij,ij->j", V, V))
            else:
                parts.append(self.model_.variances(points, threads(self.n_jobs)))
        variances = np.concatenate(parts)
        if (variances < -1e-10).any():
            warnings.warn("Predicted variances smaller than 0. Setting those variances to 0.", stacklevel=3)
        return np.maximum(variances, 0) + self._white

    def _covariances(self, X: Any) -> np.ndarray:
        if isinstance(self._choice, Function):
            own, cross = self._choice._values(X, X), self._choice._values(X, self._choice.rows)
        else:
            own, cross = self.model_.compare(self._choice.training(X), threads(self.n_jobs))
        if self._over_rows:
            V = self._solve(cross)
            covariances = own - V.T @ V
            covariances[np.diag_indices_from(covariances)] += self._white
        else:
            if self.model_.factor.size:
                V = solve_triangular(self.model_.factor, cross.T, lower=True, check_finite=False)
                covariances = own - V.T @ V
            else:
                covariances = own - cross @ self.model_.precision @ cross.T
            np.fill_diagonal(covariances, self._variances(X))  # landmarks leave something over, which is each row's own
        return covariances

    def _solve(self, cross: np.ndarray) -> np.ndarray:
        """L⁻¹ of the columns of crossᵀ. The model's inverse of K + noise would do, but where noise is small it loses the digits that a small variance consists of."""
        return solve_triangular(self.L_, cross.T, lower=True, check_finite=False)

    @property
    def L_(self) -> np.ndarray:
        """The lower Cholesky factor of K + noise, made when it is first asked for."""
        if not hasattr(self, "_L"):
            if not self._over_rows:
                raise AttributeError("this model is not a sum over the training rows, so it has no L_")
            if isinstance(self._choice, Expression) and self.model_.factor.size:
                self._L = self.model_.factor
                return self._L
            points = self.model_.points if isinstance(self._choice, Expression) else self._choice.training(self.X_train_)
            K = self.model_.kernel.gram(points, threads=threads(self.n_jobs))
            K[np.diag_indices_from(K)] += self.noise_
            self._L = cholesky(K, lower=True, overwrite_a=True, check_finite=False)
        return self._L

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_L"}

    def _prior(self, X: Any, return_std: bool, return_cov: bool) -> Any:
        X = self._rows(X, learn=False)
        choice, mean = self._choose_kernel(X), np.zeros(samples_in(X))
        if not return_std and not return_cov:
            return mean
        with plain_errors():
            points = choice.training(X)
            K = choice.kernel.resolve(points).gram(points, threads=threads(self.n_jobs)) + self._white * np.eye(len(mean))
        return (mean, K) if return_cov else (mean, np.sqrt(np.diag(K)))

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> np.ndarray:
        """Draw functions from the process, evaluated at some samples.

        Parameters
        ----------
        X : array of shape (n_samples_X, n_features)
            Samples.
        n_samples : int, default=1
            Number of functions.
        random_state : int, RandomState or None, default=0
            Random seed.

        Returns
        -------
        ndarray of shape (n_samples_X, n_samples) or (n_samples_X, n_outputs, n_samples)
        """
        mean, cov = self.predict(X, return_cov=True)
        draw = check_random_state(random_state).multivariate_normal
        if mean.ndim == 1:
            return draw(mean, cov, n_samples).T
        return np.stack([draw(mean[:, j], cov[..., j], n_samples).T for j in range(mean.shape[1])], axis=1)

    def log_marginal_likelihood(self, theta: Any = None, eval_gradient: bool = False, clone_kernel: bool = True) -> Any:
        """Log marginal likelihood (evidence) of the training targets.

        Parameters
        ----------
        theta : array of shape (n_hyperparameters,), default=None
            Logarithms of the kernel hyperparameters, in the order of ``kernel_``; None: those of the fit.
        eval_gradient : bool, default=False
            Also return the gradient with respect to theta.
        clone_kernel : bool, default=True
            False: ``kernel_`` takes theta; predictions stay those of the fit.

        Returns
        -------
        float, or float and ndarray of shape (n_hyperparameters,)
        """
        if theta is None:
            if eval_gradient:
                raise ValueError("Gradient can only be evaluated for theta!=None")
            return self.log_marginal_likelihood_value_
        if not hasattr(self.kernel_, "clone_with_theta"):
            raise ValueError("the hyperparameters of this kernel are not known, so theta must be None")
        theta = np.asarray(theta, dtype=float)
        if eval_gradient or not isinstance(self._choice, Expression):
            value = self._evidence_and_gradient(theta)
            value = value if eval_gradient else value[0]
        else:
            value = self._evidence(theta)
        if not clone_kernel:
            self.kernel_ = self.kernel_.clone_with_theta(theta)
        return value

    def _evidence_and_gradient(self, theta: np.ndarray) -> tuple[float, np.ndarray]:
        from .gp_search import evidence

        rows = self.X_train_.numbers if isinstance(self.X_train_, Rows) else self.X_train_
        return evidence(self.kernel_, rows, self.y_train_.reshape(len(self.y_train_), -1), self.noise_, theta)

    def _evidence(self, theta: np.ndarray) -> float:
        with plain_errors():
            kernel = self.kernel_.clone_with_theta(theta).engine
            noise = float(np.mean(self.noise_))
            method = _mercer.Method("gp", {"noise": noise, "optimize": "none", "mean": "zero"})
            weights = None if np.ndim(self.noise_) == 0 else noise / self.noise_
            model = _mercer.fit(method, kernel, self._choice.training(self.X_train_), _mercer.numbers(self.y_train_), weights, options={**self._options(), "bounds": [], "allow_indefinite": True})
        return model.report()["diagnostics"]["log_marginal_likelihood"]

    def _own_tags(self) -> dict[str, Any]:
        return {**super()._own_tags(), "requires_fit": False}
