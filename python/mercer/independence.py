"""Are rows and targets independent? The Hilbert–Schmidt independence criterion (Gretton et al. 2005, 2008)."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from . import _mercer
from .kernels import Kernel, names_of
from .words import RandomSeed, bytes_of, plain_errors, seed, threads, whole_number


@dataclass(frozen=True)
class HsicResult:
    """What ``hsic_test`` found.

    Attributes
    ----------
    statistic : float
        Biased estimate of HSIC, tr(KHLH)/n²; 0 in the limit of many rows if and only if X and y are independent (with kernels such as rbf).
    unbiased : float or None
        Unbiased estimate (Song et al. 2012), for four rows or more.
    pvalue : float or None
        Permutation p-value: the fraction of permutations of y with a statistic at least as large; None without permutations.
    alignment : float
        HSIC divided by the root of HSIC(X, X)·HSIC(y, y), between 0 and 1.
    kernel, target_kernel : Kernel
        The kernels with resolved hyperparameters.
    """

    statistic: float
    unbiased: float | None
    pvalue: float | None
    alignment: float
    kernel: Kernel
    target_kernel: Kernel


class ColumnDependence(NamedTuple):
    """A column's dependence on the target, in the list that ``hsic_ranking`` returns."""

    column: Any
    hsic: float
    alignment: float
    pvalue: float | None


def hsic_test(X: Any, y: Any, *, kernel: str | Kernel = "rbf(gamma=median)", target_kernel: str | Kernel | None = None, permutations: int = 1000, random_state: RandomSeed = None,
              n_jobs: int | None = None, cache_size: float = 1024) -> HsicResult:
    """Test whether the rows of X and the targets y are independent.

    Parameters
    ----------
    X : array, sparse matrix, data frame or list of objects
        Rows.
    y : array of shape (n_rows,) or (n_rows, n_targets)
        Targets: arrays of float are numbers, others are classes.
    kernel : Kernel or str, default='rbf(gamma=median)'
        Of the rows of X.
    target_kernel : Kernel, str or None, default=None
        Of y; None is rbf(gamma=median) of numbers and equality of classes.
    permutations : int, default=1000
        Number of permutations for the p-value; 0: none.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set.
    cache_size : float, default=1024
        Memory for the kernel matrices, in MB.

    Returns
    -------
    HsicResult

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).uniform(-1, 1, (200, 1))
    >>> hsic_test(x, np.cos(5 * x[:, 0])).pvalue < 0.01
    True
    """
    x, of_x, targets, of_y = _pairs(X, y, kernel, target_kernel)
    with plain_errors():
        found = _mercer.hsic_test(of_x, x, of_y, targets, whole_number("permutations", permutations, 0), seed(random_state), threads(n_jobs), bytes_of(cache_size))
    return HsicResult(found["biased"], found["unbiased"], found["p_value"], found["alignment"], Kernel(found["kernel"]), Kernel(found["target_kernel"]))


def hsic_ranking(X: Any, y: Any, *, kernel: str | Kernel = "rbf(gamma=median)", target_kernel: str | Kernel | None = None, permutations: int = 0, random_state: RandomSeed = None,
                 n_jobs: int | None = None, cache_size: float = 1024) -> list[ColumnDependence]:
    """HSIC of each column of X alone with y, the largest first.

    Parameters
    ----------
    X : array, sparse matrix, data frame or list of objects
        Rows.
    y : array of shape (n_rows,) or (n_rows, n_targets)
        Targets: arrays of float are numbers, others are classes.
    kernel : Kernel or str, default='rbf(gamma=median)'
        Of one column.
    target_kernel : Kernel, str or None, default=None
        Of y; None is rbf(gamma=median) of numbers and equality of classes.
    permutations : int, default=0
        Number of permutations for the p-value; 0: none.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set.
    cache_size : float, default=1024
        Memory for the kernel matrices, in MB.

    Returns
    -------
    list of ColumnDependence (column, hsic, alignment, pvalue)
        Columns are named if X is a frame, and counted from 0 otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).uniform(-1, 1, (200, 3))
    >>> [column for column, *_ in hsic_ranking(x, np.cos(5 * x[:, 1]))][0]
    1
    """
    x, of_x, targets, of_y = _pairs(X, y, kernel, target_kernel)
    names = names_of(X)
    with plain_errors():
        found = _mercer.hsic_ranking(of_x, x, of_y, targets, whole_number("permutations", permutations, 0), seed(random_state), threads(n_jobs), bytes_of(cache_size))
    return [ColumnDependence(names[column] if names else column, hsic, alignment, pvalue) for column, hsic, alignment, pvalue in found]


def _pairs(X: Any, y: Any, kernel: Any, target_kernel: Any) -> tuple[_mercer.Points, _mercer.Kernel, _mercer.Points, _mercer.Kernel]:
    """Both sides as points, with their kernels."""
    with plain_errors():
        of_x = kernel if isinstance(kernel, Kernel) else Kernel(kernel)
        y = np.asarray(y)
        if y.ndim not in (1, 2):
            raise ValueError(f"y must have one or two dimensions, not the shape {y.shape}")
        if y.dtype.kind == "f":
            targets, standard = y.astype(np.float64).reshape(len(y), -1), "rbf(gamma=median)"
        else:
            if y.ndim == 2:
                raise ValueError("y of several columns must be an array of float; of classes there is one column")
            classes, codes = np.unique(y, return_inverse=True)
            targets, standard = np.eye(len(classes))[codes], "linear"
        if not np.isfinite(targets).all():
            raise ValueError("y contains NaN or infinity")
        of_y = Kernel(standard if target_kernel is None else target_kernel) if not isinstance(target_kernel, Kernel) else target_kernel
        return of_x._points(X), of_x._engine, of_y._points(targets), of_y._engine
