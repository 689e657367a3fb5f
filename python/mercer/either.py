"""Estimators of classes or numbers, whichever the target is."""
from __future__ import annotations

from typing import Any

from .estimator import KernelEstimator


class AnyTask(KernelEstimator):
    """Classes or numbers, whichever the target is."""


class RiskEstimator(KernelEstimator):
    """Classes or numbers, whichever the loss is of."""
