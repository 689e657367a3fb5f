"""Sparse Gaussian processes: regression with variances for many rows (Titsias 2009)."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _mercer
from .kernel_choice import Expression
from .kernels import Kernel
from .regressors import Regressor
from .words import plain_errors, threads


class SparseProcess(Regressor):
    """Gaussian process regression through inducing points."""

    _fitted = {
        "kernel_": ("Kernel", "the kernel with its optimized hyperparameters; a callable kernel is kept as given"),
        "noise_": ("float", "noise variance, optimized or given"),
        "evidence_lower_bound_": ("float", "evidence lower bound; at most the log marginal likelihood of GaussianProcessRegressor"),
        "inducing_indices_": ("ndarray of shape (n_inducing,)", "the training samples that are inducing points"),
    }

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        self.inducing_indices_ = rows
        self._take_bound()

    def _take_bound(self) -> None:
        found = self.report_["diagnostics"]
        self.noise_, self.evidence_lower_bound_ = found["noise_variance"], found["evidence_lower_bound"]
        self.kernel_ = Kernel(self.model_.kernel) if isinstance(self._choice, Expression) else self._choice.function

    def _take_model(self, model: _mercer.Model) -> None:
        super()._take_model(model)
        self._take_bound()

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predict the mean at each sample.

        Parameters
        ----------
        X : array of shape (rows, columns)
        return_std : bool
            also return the standard deviation of the function at each sample, without the noise

        Returns
        -------
        mean : array of shape (rows,) or (rows, outputs)
        std : array of shape (rows,), if return_std; it is the same for all outputs
        """
        mean = super().predict(X)
        if not return_std:
            return mean
        X = self._rows(X, learn=False)
        with plain_errors():
            parts = [self.model_.variances(points, threads(self.n_jobs)) for points in self._choice.blocks(X)]
        return mean, np.sqrt(np.concatenate(parts))
