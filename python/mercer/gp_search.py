"""Where the numbers of a kernel are looked for by the evidence; and the search itself for kernels that only Python can compute: those of scikit-learn's without an expression, and
those that somebody wrote to its protocol.

    log p(y) = −½ yᵀα − Σ log Lᵢᵢ − n/2 log 2π,   K + alpha·I = LLᵀ,   ∂/∂θ = ½ tr (ααᵀ − K⁻¹) ∂K/∂θ          (Rasmussen & Williams 2006, eqs. 2.30 and 5.9)
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky
from scipy.optimize import minimize
from sklearn.utils import check_random_state


@dataclass(frozen=True)
class Range:
    """A number and where it may be looked for; where both ends are the same, it stays."""

    value: float
    low: float
    high: float

    def __add__(self, other: "Range") -> "Range":
        return Range(self.value + other.value, self.low + other.low, self.high + other.high)

    def __mul__(self, other: "Range") -> "Range":
        return Range(self.value * other.value, self.low * other.low, self.high * other.high)

    @property
    def fixed(self) -> bool:
        return self.low == self.high


NONE = Range(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Written:
    """An expression, and the ranges of its numbers in the order in which they stand in it."""

    text: str
    ranges: tuple[Range, ...] = ()


def evidence(kernel: Any, X: Any, Y: np.ndarray, alpha: float, theta: np.ndarray) -> tuple[float, np.ndarray]:
    """The logarithm of the evidence of the columns of Y and its gradient; −inf where K is not positive definite."""
    K, slopes = kernel.clone_with_theta(theta)(X, eval_gradient=True)
    K[np.diag_indices_from(K)] += alpha
    try:
        L = cholesky(K, lower=True, check_finite=False)
    except LinAlgError:
        return -np.inf, np.zeros_like(theta)
    A, inverse = cho_solve((L, True), Y, check_finite=False), cho_solve((L, True), np.eye(len(K)), check_finite=False)
    value = -0.5 * np.sum(Y * A) - Y.shape[1] * (np.log(np.diag(L)).sum() + 0.5 * len(K) * np.log(2 * np.pi))
    return float(value), 0.5 * np.einsum("ij,ijk->k", A @ A.T - Y.shape[1] * inverse, slopes)


def maximise(kernel: Any, X: Any, y: np.ndarray, alpha: float, restarts: int, random_state: Any) -> Any:
    """The kernel with the numbers of greatest evidence within its bounds, from its own and from others drawn between the bounds."""
    Y, bounds = y.reshape(len(y), -1), kernel.bounds
    if restarts and not np.isfinite(bounds).all():
        raise ValueError("n_restarts_optimizer draws numbers between the bounds of the kernel, which must be finite")

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = evidence(kernel, X, Y, alpha, theta)
        return -value, -slope

    random = check_random_state(random_state)
    starts = [kernel.theta, *(random.uniform(bounds[:, 0], bounds[:, 1]) for _ in range(restarts))]
    found = [minimize(loss, np.clip(start, bounds[:, 0], bounds[:, 1]), jac=True, method="L-BFGS-B", bounds=bounds) for start in starts]
    best = min(found, key=lambda result: result.fun if np.isfinite(result.fun) else np.inf)
    return kernel.clone_with_theta(best.x)
