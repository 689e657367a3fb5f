"""Gaussian processes of several outputs that learn from each other (the intrinsic coregionalization model)."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length

from .compatibility import checked_array, require_target
from .processes import Process


class CoregionalProcess(Process):
    """Gaussian process regression of correlated outputs."""

    _fitted = {
        "kernel_": ("Kernel", "the kernel with its optimized hyperparameters; a callable kernel is kept as given"),
        "coregionalization_": ("ndarray of shape (n_outputs, n_outputs)", "B: the covariance of the outputs, which multiplies the kernel"),
        "noise_": ("ndarray of shape (n_outputs,)", "noise variance of each output"),
        "log_marginal_likelihood_value_": ("float", "log marginal likelihood at the optimum"),
    }

    def _fit_target(self, X: Any, y: Any, sample_weight: Any) -> None:
        require_target(self, y)
        X = self._rows(X, learn=True)
        y = checked_array(y, allow_nan=True, ensure_2d=False, dtype=np.float64, input_name="y", estimator=self)  # NaN: not observed
        check_consistent_length(X, y)
        if y.ndim == 1 and np.isnan(y).any():
            raise ValueError("Input y contains NaN.")
        self._fit_numbers(X, y, sample_weight)

    def _take_found(self) -> None:
        super()._take_found()
        outputs = len(self.model_.rho)
        state = np.asarray(self.model_.state)
        self.coregionalization_, self.noise_ = state[:outputs**2].reshape(outputs, outputs), state[outputs**2:]
        self.log_marginal_likelihood_value_ = self.report_["diagnostics"]["log_marginal_likelihood"]
