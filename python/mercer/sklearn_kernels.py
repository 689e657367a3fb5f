"""Kernels of sklearn.gaussian_process.kernels as expressions, so that the engine computes them and finds their numbers by the evidence.

White noise is no kernel of two rows: it is taken out and told apart. What has no expression (a Matern of another smoothness, a kernel somebody wrote) stays a function.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.gaussian_process import kernels as sk


def without_noise(kernel: sk.Kernel) -> tuple[sk.Kernel | None, float]:
    """A sum without its white noise (None where nothing is left), and the noise's variance."""
    if isinstance(kernel, sk.WhiteKernel):
        return None, float(kernel.noise_level)
    if isinstance(kernel, sk.Product) and {type(kernel.k1), type(kernel.k2)} == {sk.WhiteKernel, sk.ConstantKernel}:
        return None, float(kernel.diag(np.zeros((1, 1)))[0])
    if not isinstance(kernel, sk.Sum):
        return kernel, 0.0
    (left, of_left), (right, of_right) = without_noise(kernel.k1), without_noise(kernel.k2)
    rest = right if left is None else left if right is None else left + right
    return rest, of_left + of_right


def expression(kernel: sk.Kernel, columns: int) -> str | None:
    """The same kernel of rows with so many columns in Mercer's words; None where it has none."""
    if type(kernel) is sk.ConstantKernel:
        return f"constant(c={float(kernel.constant_value)!r})"
    if type(kernel) in (sk.Sum, sk.Product):
        first, second = (kernel.k2, kernel.k1) if isinstance(kernel.k2, sk.ConstantKernel) else (kernel.k1, kernel.k2)
        left, right = expression(first, columns), expression(second, columns)
        if left is None or right is None:
            return None
        if type(kernel) is sk.Sum:
            return f"({left} + {right})"
        return f"{float(first.constant_value)!r}*{right}" if isinstance(first, sk.ConstantKernel) else f"{left}*{right}"
    if type(kernel) is sk.DotProduct:
        return f"(linear + constant(c={float(kernel.sigma_0) ** 2!r}))"
    if type(kernel) is sk.ExpSineSquared:  # of several columns scikit-learn's is a function of their distance, which is not positive semidefinite
        return f"periodic(period={float(kernel.periodicity)!r}, length={float(kernel.length_scale)!r})" if columns == 1 else None
    if type(kernel) is sk.RBF or (type(kernel) is sk.Matern and kernel.nu == np.inf):
        return _scaled("rbf(sigma={})", kernel.length_scale)
    if type(kernel) is sk.Matern and kernel.nu in (0.5, 1.5, 2.5):
        return _scaled(f"matern(nu={kernel.nu}, length={{}})", kernel.length_scale)
    if type(kernel) is sk.RationalQuadratic:
        return _scaled(f"rational_quadratic(alpha={float(kernel.alpha)!r}, length={{}})", kernel.length_scale)
    return None


def _scaled(leaf: str, lengths: Any) -> str:
    """A leaf of one length, or of a length for each column."""
    lengths = np.atleast_1d(lengths).astype(float)
    if len(lengths) == 1:
        return leaf.format(repr(lengths[0].item()))
    return f"scaled({leaf.format('1.0')}, by=[{', '.join(repr(1 / length) for length in lengths.tolist())}])"


def free_numbers(kernel: sk.Kernel) -> bool:
    """Whether the kernel has numbers to be found. Refuses those of which some are fixed: the evidence is maximised over all."""
    fixed = [parameter.name for parameter in kernel.hyperparameters if parameter.fixed]
    if fixed and kernel.n_dims > 0:
        raise ValueError(f"{', '.join(fixed)} of the kernel is fixed and other numbers are not; the evidence is maximised over all of them: free all, or fix all (optimizer=None)")
    return kernel.n_dims > 0
