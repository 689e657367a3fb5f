"""What Gaussian processes share that find noise and kernel by a bound or an evidence of their own."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _mercer
from .kernel_choice import Expression
from .kernels import Kernel
from .regressors import Regressor
from .words import plain_errors, threads


class Process(Regressor):
    """Keeps the kernel that was found, and predicts standard deviations."""

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        self._take_found()

    def _take_model(self, model: _mercer.Model) -> None:
        super()._take_model(model)
        self._take_found()

    def _take_found(self) -> None:
        """Fitted attributes from the model and its report."""
        self.kernel_ = Kernel(self.model_.kernel) if isinstance(self._choice, Expression) else self._choice.function

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predict the mean at each sample.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Samples.
        return_std : bool, default=False
            Also return the standard deviation of the function at each sample, without the noise.

        Returns
        -------
        mean : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        std : ndarray of shape (n_samples,) if it is the same for all outputs, else of the shape of mean
            With return_std.
        """
        mean = super().predict(X)
        if not return_std:
            return mean
        X = self._rows(X, learn=False)
        with plain_errors():
            parts = [self.model_.variances(points, threads(self.n_jobs)) for points in self._choice.blocks(X)]
        std = np.sqrt(np.concatenate(parts))
        return mean, std.reshape(mean.shape) if std.size == mean.size else std
