"""Sparse Gaussian processes: regression with variances for many rows (Titsias 2009)."""
from __future__ import annotations

import numpy as np

from .processes import Process


class SparseProcess(Process):
    """Gaussian process regression through inducing points."""

    _fitted = {
        "kernel_": ("Kernel", "the kernel with its optimized hyperparameters; a callable kernel is kept as given"),
        "noise_": ("float", "noise variance, optimized or given"),
        "evidence_lower_bound_": ("float", "evidence lower bound; at most the log marginal likelihood of GaussianProcessRegressor"),
        "inducing_indices_": ("ndarray of shape (n_inducing,)", "the training samples that are inducing points"),
    }

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        self.inducing_indices_ = rows
        super()._take_support(rows, coefficients)

    def _take_found(self) -> None:
        super()._take_found()
        found = self.report_["diagnostics"]
        self.noise_, self.evidence_lower_bound_ = found["noise_variance"], found["evidence_lower_bound"]
