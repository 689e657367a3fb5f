"""Principal components in feature space."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import TransformerMixin

from . import _mercer
from .estimator import KernelEstimator


class PrincipalComponents(TransformerMixin, KernelEstimator):
    """Coordinates in feature space."""

    def fit(self, X: Any, y: Any = None) -> "PrincipalComponents":
        """Finds the components of the rows of X; y is there for pipelines."""
        X = self._rows(X, learn=True, ensure_min_samples=2)
        self._learn(X, _mercer.Target())
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The coordinates of each row."""
        return self._answers(X, "scores")
