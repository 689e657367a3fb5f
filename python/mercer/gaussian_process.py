"""Gaussian processes: regression with variances."""
from __future__ import annotations

from .regressors import Regressor


class GaussianProcess(Regressor):
    """The posterior of a function."""
