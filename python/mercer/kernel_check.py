"""Is it a valid, useful kernel on these rows? Mercer's condition, and what the matrix can teach."""
from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any, Callable

import numpy as np

from . import _mercer
from .data import with_dlpack
from .frames import rows_beyond_numbers
from .kernel_choice import Function, choose
from .kernels import Kernel, names_of
from .words import RandomSeed, seed, threads


@dataclass(frozen=True, eq=False)
class Witness:
    """vᵀKv < 0, with few entries of v that are not 0."""

    value: float
    rows: np.ndarray
    coefficients: np.ndarray

    def __repr__(self) -> str:
        terms = ", ".join(f"{c:.6g} at row {row}" for row, c in zip(self.rows[:5], self.coefficients))
        return f"vᵀKv = {self.value:.6g} for v = {terms}{' …' if len(self.rows) > 5 else ''}"


@dataclass(frozen=True, eq=False, repr=False)
class KernelCheck:
    """What ``check_kernel`` found. As a truth value: whether the kernel may be used (valid, or not proved and no violation seen).

    Attributes
    ----------
    verdict : str
        'valid', 'not proved' (no rule proves it; no violation on these rows), 'invalid', 'useless' or 'conditional' (valid for
        coefficients that satisfy a side condition, as those of support vector machines do).
    reason : str
        Reason for the verdict.
    kernel : str
        The kernel expression with resolved hyperparameters.
    psd : bool
        Proved positive semidefinite by the rules; ``because`` says how, or which part no rule covers.
    symmetric : bool
        Whether k(x, z) = k(z, x); ``asymmetry`` is the largest difference, relative to the largest value.
    eigenvalues : ndarray
        Eigenvalues of the kernel matrix, ascending; values below ``-tolerance`` are negative beyond rounding error.
    conditional_minimum : float or None
        Of a conditional kernel: the smallest cᵀKc/‖c‖² over the c that satisfy the side condition.
    witness : Witness or None
        A vector v with vᵀKv < 0.
    culprit : str or None
        The smallest part of the expression that is already indefinite.
    effective_rank : float
        Effective rank of the kernel matrix.
    alignment : float or None
        Centred kernel alignment with the target, in [−1, 1].
    rows : ndarray
        Indices of the rows checked, from 0.
    warnings : list of str
    """

    verdict: str
    reason: str
    kernel: str
    psd: bool
    because: str
    symmetric: bool
    asymmetry: float
    eigenvalues: np.ndarray
    tolerance: float
    effective_rank: float
    alignment: float | None
    culprit: str | None
    witness: Witness | None
    rows: np.ndarray
    warnings: list[str] = field(default_factory=list)
    conditional_minimum: float | None = None

    def __bool__(self) -> bool:
        return self.verdict in ("valid", "not proved", "conditional")

    def _lines(self) -> list[tuple[str, str]]:
        lines = [("verdict", f"{self.verdict}: {self.reason}"), ("proof", self.because if self.psd or self.verdict == "conditional" else f"none: {self.because}"),
                 ("symmetric", "yes" if self.symmetric else f"no: k(x, z) and k(z, x) differ by {self.asymmetry:.3g} of the largest value")]
        if len(self.eigenvalues):
            lines.append(("eigenvalues", f"{self.eigenvalues[0]:.6g} … {self.eigenvalues[-1]:.6g}"))
        if self.conditional_minimum is not None:
            lines.append(("condition", f"least cᵀKc/‖c‖² under the side condition: {self.conditional_minimum:.6g}"))
        if self.witness is not None:
            lines.append(("witness", repr(self.witness)))
        if self.culprit is not None:
            lines.append(("culprit", self.culprit))
        lines.append(("rank", f"{self.effective_rank:.1f} effective, of {len(self.rows)}"))
        if self.alignment is not None:
            lines.append(("alignment", f"{self.alignment:.4f} with the target"))
        return lines + [("warning", warning) for warning in self.warnings]

    def __repr__(self) -> str:
        return "\n".join([self.kernel, *(f"  {name:<12}{text}" for name, text in self._lines())])

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(text)}</td></tr>" for name, text in self._lines())
        return f"<div><code>{escape(self.kernel)}</code><table>{rows}</table></div>"


def check_kernel(kernel: str | Kernel | Callable[..., Any], X: Any, y: Any = None, *, sample: int = 1000, random_state: RandomSeed = None, n_jobs: int | None = None) -> KernelCheck:
    """Check whether a kernel is valid (symmetric and positive semidefinite) and useful on the rows of X.

    Parameters
    ----------
    kernel : Kernel, str or callable
        A kernel, an expression, one of scikit-learn's names, a function of two arrays, or 'precomputed' with X = K.
    X : array, sparse matrix, data frame or list of objects
        Rows.
    y : array of shape (n_rows,), default=None
        Target: ``alignment`` says how well the kernel fits it.
    sample : int, default=1000
        Maximum number of rows to check; more rows are sampled with ``random_state``.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set.

    Returns
    -------
    KernelCheck

    Examples
    --------
    >>> from mercer import check_kernel
    >>> check_kernel("rbf(gamma=1)", [[0.0], [1.0], [2.0]]).verdict
    'valid'
    """
    X = with_dlpack(X)
    names = names_of(X)
    rows = rows_beyond_numbers(X, kernel)
    if rows is not None:
        X = rows
    elif not hasattr(X, "indptr"):
        X = np.asarray(X)
        if X.ndim != 2:
            raise ValueError(f"Expected 2D array, got {X.ndim}D array instead")
        if X.dtype not in (np.float32, np.float64):
            X = X.astype(np.float64)
    choice = choose(kernel, X, indefinite=True, names=names)
    rows = np.arange(X.shape[0] if hasattr(X, "shape") else len(X))
    target = _target(y, len(rows))
    if isinstance(choice, Function) and len(rows) > sample:  # the engine would be given all n² values to draw from
        rows = np.sort(np.random.default_rng(seed(random_state)).choice(len(rows), sample, replace=False))
        X, target = [X[i] for i in rows] if isinstance(X, list) else X[rows], _target(None if y is None else np.asarray(y)[rows], sample)
    found = _mercer.check_kernel(choice.kernel, choice.training(X), target, sample=sample, seed=seed(random_state), threads=threads(n_jobs))
    found["rows"] = rows[found["rows"]]
    if found["witness"] is not None:
        value, places, coefficients = found["witness"]
        found["witness"] = Witness(value, rows[places], np.asarray(coefficients))
    return KernelCheck(**found)


def _target(y: Any, rows: int) -> _mercer.Target:
    if y is None:
        return _mercer.Target()
    y = np.asarray(y)
    if y.ndim != 1 or len(y) != rows:
        raise ValueError(f"y must have one entry for each of the {rows} rows, not the shape {y.shape}")
    if y.dtype.kind == "f":
        return _mercer.numbers(y.astype(np.float64))
    classes, codes = np.unique(y, return_inverse=True)
    return _mercer.classes(codes, [str(label) for label in classes])
