"""The search for the numbers of a Gaussian process's kernel by the evidence, where the kernel is scikit-learn's or somebody's own.

Kernels of sklearn.gaussian_process.kernels are written as expressions, so that the engine computes them and finds their numbers. White noise is no kernel of two rows: it is taken out
and told apart. What has no expression (a Matern of another smoothness, a kernel somebody wrote) stays a function, whose numbers are looked for here:

    log p(y) = −½ yᵀα − Σ log Lᵢᵢ − n/2 log 2π,   K + alpha·I = LLᵀ,   ∂/∂θ = ½ tr (ααᵀ − K⁻¹) ∂K/∂θ          (Rasmussen & Williams 2006, eqs. 2.30 and 5.9)
"""
from __future__ import annotations

from typing import Any, Callable, Iterator

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.gaussian_process import kernels as sk
from sklearn.utils import check_random_state

from .gp_interface import NONE, Range, Written
from .kernels import Kernel


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


def maximise(kernel: Any, X: Any, y: np.ndarray, alpha: float, restarts: int, random_state: Any, optimizer: Callable[..., Any] | None = None) -> Any:
    """The kernel with the numbers of greatest evidence within its bounds, from its own and from others drawn between the bounds.

    optimizer : optimizer(loss, theta, bounds), which returns the best theta and its loss; loss(theta, eval_gradient=True) is minus the evidence, with its gradient or without.
    None: L-BFGS-B.
    """
    Y, bounds = y.reshape(len(y), -1), kernel.bounds
    if restarts and not np.isfinite(bounds).all():
        raise ValueError("n_restarts_optimizer draws starting values between the bounds of the kernel, which requires that all bounds are finite")

    def loss(theta: np.ndarray, eval_gradient: bool = True) -> Any:
        value, slope = evidence(kernel, X, Y, alpha, theta)
        return (-value, -slope) if eval_gradient else -value

    random = check_random_state(random_state)
    starts = [kernel.theta, *(random.uniform(bounds[:, 0], bounds[:, 1]) for _ in range(restarts))]
    if optimizer is not None:
        answers = [optimizer(loss, start, bounds=bounds) for start in starts]
        return kernel.clone_with_theta(min(answers, key=lambda answer: answer[1])[0])
    found = [minimize(loss, np.clip(start, bounds[:, 0], bounds[:, 1]), jac=True, method="L-BFGS-B", bounds=bounds) for start in starts]
    best = min(found, key=lambda result: result.fun if np.isfinite(result.fun) else np.inf)
    return kernel.clone_with_theta(best.x)


# --- scikit-learn's kernels as expressions. -------------------------------------------------------------------------------------


def without_noise(kernel: sk.Kernel) -> tuple[sk.Kernel | None, Range]:
    """A sum without its white noise (None where nothing is left), and the noise's variance."""
    if isinstance(kernel, sk.WhiteKernel):
        return None, _range(kernel.hyperparameter_noise_level, kernel.noise_level)
    if isinstance(kernel, sk.Product) and {type(kernel.k1), type(kernel.k2)} == {sk.WhiteKernel, sk.ConstantKernel}:
        white, constant = (kernel.k1, kernel.k2) if isinstance(kernel.k1, sk.WhiteKernel) else (kernel.k2, kernel.k1)
        return None, _range(white.hyperparameter_noise_level, white.noise_level) * _range(constant.hyperparameter_constant_value, constant.constant_value)
    if not isinstance(kernel, sk.Sum):
        return kernel, NONE
    (left, of_left), (right, of_right) = without_noise(kernel.k1), without_noise(kernel.k2)
    rest = right if left is None else left if right is None else left + right
    return rest, of_left + of_right


def expression(kernel: sk.Kernel, columns: int) -> Written | None:
    """The same kernel of rows with so many columns in Mercer's words; None where it has none."""
    if type(kernel) is Kernel:
        return _of_expression(kernel)
    if type(kernel) is sk.ConstantKernel:
        return _leaf("constant(c={})", _range(kernel.hyperparameter_constant_value, kernel.constant_value))
    if type(kernel) in (sk.Sum, sk.Product):
        first, second = (kernel.k2, kernel.k1) if isinstance(kernel.k2, sk.ConstantKernel) and type(kernel) is sk.Product else (kernel.k1, kernel.k2)
        left, right = expression(first, columns), expression(second, columns)
        if left is None or right is None:
            return None
        ranges = left.ranges + right.ranges
        if type(kernel) is sk.Sum:
            return Written(f"({left.text} + {right.text})", ranges)
        return Written(f"{left.ranges[0].value!r}*({right.text})" if type(first) is sk.ConstantKernel else f"({left.text})*({right.text})", ranges)
    if type(kernel) is sk.DotProduct:
        return _leaf("(linear + constant(c={}))", _range(kernel.hyperparameter_sigma_0, kernel.sigma_0, power=2))
    if type(kernel) is sk.ExpSineSquared:  # of several columns scikit-learn's is a function of their distance, which is not positive semidefinite
        if columns != 1:
            return None
        return _leaf("periodic(period={}, length={})", _range(kernel.hyperparameter_periodicity, kernel.periodicity), _range(kernel.hyperparameter_length_scale, kernel.length_scale))
    if type(kernel) is sk.RBF or (type(kernel) is sk.Matern and kernel.nu == np.inf):
        return _scaled("rbf(sigma={})", kernel)
    if type(kernel) is sk.Matern and kernel.nu in (0.5, 1.5, 2.5):
        return _scaled(f"matern(nu={kernel.nu}, length={{}})", kernel)
    if type(kernel) is sk.RationalQuadratic:
        return _scaled("rational_quadratic(alpha={}, length={})", kernel, _range(kernel.hyperparameter_alpha, kernel.alpha))
    return None


def with_values(kernel: sk.Kernel, numbers: Iterator[float], white: float) -> sk.Kernel | None:
    """scikit-learn's kernel with the numbers of its expression, in the order of expression(), and this white noise; None where several parts share the noise."""
    if isinstance(kernel, sk.WhiteKernel):
        return clone(kernel).set_params(noise_level=white)
    if type(kernel) is sk.ConstantKernel:
        return clone(kernel).set_params(constant_value=next(numbers))
    if type(kernel) in (sk.Sum, sk.Product):
        if type(kernel) is sk.Product and sk.WhiteKernel in (type(kernel.k1), type(kernel.k2)):
            return None
        turned = isinstance(kernel.k2, sk.ConstantKernel) and type(kernel) is sk.Product
        first = with_values(kernel.k2 if turned else kernel.k1, numbers, white)
        second = with_values(kernel.k1 if turned else kernel.k2, numbers, white)
        if first is None or second is None:
            return None
        return type(kernel)(*((second, first) if turned else (first, second)))
    if type(kernel) is sk.DotProduct:
        return clone(kernel).set_params(sigma_0=float(np.sqrt(next(numbers))))
    if type(kernel) is sk.ExpSineSquared:
        return clone(kernel).set_params(periodicity=next(numbers), length_scale=next(numbers))
    if type(kernel) not in (sk.RBF, sk.Matern, sk.RationalQuadratic):
        return None
    made = clone(kernel)
    if type(kernel) is sk.RationalQuadratic:
        made.set_params(alpha=next(numbers))
    length = next(numbers)
    lengths = np.atleast_1d(kernel.length_scale)
    if len(lengths) > 1:  # the leaf's own length is 1, and weights are inverses
        return made.set_params(length_scale=np.array([1 / next(numbers) for _ in lengths]))
    return made.set_params(length_scale=length if np.ndim(kernel.length_scale) == 0 else np.array([length]))


def whites(kernel: sk.Kernel) -> int:
    """How many parts of it are white noise."""
    if isinstance(kernel, (sk.Sum, sk.Product)):
        return whites(kernel.k1) + whites(kernel.k2)
    return int(isinstance(kernel, sk.WhiteKernel))


def _range(parameter: sk.Hyperparameter, value: Any, power: int = 1, place: int = 0) -> Range:
    """Of a number that is a power of scikit-learn's."""
    own = float(value) ** power
    if parameter.fixed or not own > 0:
        return Range(own, own, own)
    bounds = np.atleast_2d(parameter.bounds)
    low, high = sorted(float(bound) ** power for bound in bounds[min(place, len(bounds) - 1)])
    return Range(own, low, high)


def _leaf(form: str, *ranges: Range) -> Written:
    return Written(form.format(*(repr(own.value) for own in ranges)), ranges)


def _scaled(form: str, kernel: Any, *first: Range) -> Written:
    """A leaf of one length, or of a length for each column: those are the inverses of weights."""
    parameter, lengths = kernel.hyperparameter_length_scale, np.atleast_1d(kernel.length_scale).astype(float).tolist()
    if len(lengths) == 1:
        return _leaf(form, *first, _range(parameter, lengths[0]))
    inside = _leaf(form, *first, Range(1.0, 1.0, 1.0))
    weights = [_range(parameter, length, -1, place) for place, length in enumerate(lengths)]
    return Written(f"scaled({inside.text}, by=[{', '.join(repr(weight.value) for weight in weights)}])", (*inside.ranges, *weights))


def _of_expression(kernel: Kernel) -> Written | None:
    """One of Mercer's own kernels, in a sum or product with scikit-learn's."""
    if not kernel.resolved:
        return None
    return Written(f"({kernel})", tuple(Range(value, low, high) for _, value, low, high in kernel._search_ranges()))
