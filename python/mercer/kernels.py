"""Kernels as objects: an algebra that reads like mathematics.

    k = 0.5 * RBF(gamma=0.1) + Polynomial(degree=2) * Linear()
    k(X, Y), k.diag(X), str(k)

A kernel is its expression. Whatever is computed here is written as an expression and read by the engine, so that Python, the command
line and model files mean the same by it, bit for bit.
"""
from __future__ import annotations

from dataclasses import dataclass
from html import escape
from numbers import Integral, Real
from typing import Any, Callable, Iterable, Literal, Sequence

import numpy as np

from . import _mercer
from .data import with_dlpack
from .frames import points_for
from .gp_interface import GaussianProcessKernel, constructed
from .kernel_words import column_text, number_text
from .objects import holds_sets, is_set
from .words import plain_errors, threads


@dataclass(frozen=True)
class Properties:
    """Properties of a kernel, whatever the data.

    Attributes
    ----------
    psd : bool
        Positive semidefinite, proved by the rules.
    because : str
        The reason, or which part of the kernel no rule covers.
    translation_invariant, radial : bool
        Whether it is a function of x − z, of ‖x − z‖ alone.
    bound : float
        abs(k(x, z)) never exceeds it.
    diagonal : float or None
        k(x, x), where it is the same for every x.
    conditional_order : int
        m ≥ 1 where it is not positive semidefinite, but conditionally so of order m: cᵀKc ≥ 0 for all c orthogonal to the polynomials
        of degree below m (of order 1: c sums to 0). 0 otherwise.
    explicit_map : {'none', 'exact', 'truncated'}
        Whether a finite feature map is known, or the first terms of an infinite one.
    spectral_density : bool
        Whether the distribution of its frequencies is known, as random Fourier features need.
    """

    psd: bool
    because: str
    translation_invariant: bool
    radial: bool
    bound: float
    diagonal: float | None
    conditional_order: int = 0
    explicit_map: str = "none"
    spectral_density: bool = False


@dataclass(frozen=True, eq=False)
class SpectralDensity:
    """The frequencies that a translation-invariant kernel is made of: along the first column, k(τ) = ∫ p(ω) cos(ωτ) dω (Bochner 1932).

    Attributes
    ----------
    frequencies, density : ndarray
        Angular frequencies ω > 0 and p(ω) there; p(−ω) is the same.
    lines : list of (frequency, mass)
        Mass at single frequencies beside the density: constants (at 0) and waves.
    terms : list of str
        The distributions that p is the sum of; empty where it was measured by a Fourier transform of the kernel.
    variance : float
        k(x, x), all of the mass.
    decay : float or None
        p falls like ω^−decay; None: faster than any power.
    resolution : float
        Of a measured density whose kernel does not fall to 0: how wide a line appears. Otherwise 0.
    penalty : str
        What the norm ‖f‖² penalizes, in words.
    """

    frequencies: np.ndarray
    density: np.ndarray
    lines: list[tuple[float, float]]
    terms: list[str]
    variance: float
    decay: float | None
    resolution: float
    penalty: str


class Kernel(GaussianProcessKernel):
    """A kernel k(x, z), written as an expression.

    Kernels are immutable: operations return new ones, and two are equal if their expressions are. Only ``set_params`` and ``theta``
    change a kernel in place, as scikit-learn's protocol requires; scikit-learn calls them on copies.

    Parameters
    ----------
    expression : str, float or Kernel
        Such as ``"0.5*rbf(gamma=0.1) + poly(degree=2)*linear"``; a number is a constant kernel.
    parameter_bounds : pair of floats, 'fixed' or dict, default=None
        Bounds of the hyperparameters in scikit-learn's Gaussian processes: for all of them, or by name. None is
        (1e-5, 1e5).
    functions : dict of functions, default=None
        Those that the expression names with ``user:``, by name, as in ``"mapped(linear, by=user:phi)"``; ``mapped``, ``weighted``, ``from_features`` and
        ``from_function`` make such expressions.

    Examples
    --------
    >>> Kernel("rbf(gamma=0.5)")([0.0, 0.0], [1.0, 1.0])
    0.36787944117144233
    """

    __module__ = "mercer"
    __slots__ = ("_engine", "_given", "_bounds", "_theirs", "__weakref__")
    __array_ufunc__ = None  # numpy's numbers leave 0.5 * k to the kernel

    def __init__(self, expression: str | float | Kernel, parameter_bounds: tuple[float, float] | Literal["fixed"] | dict[str, Any] | None = None, functions: dict[str, Callable[..., Any]] | None = None) -> None:
        self._theirs = None
        self._take(expression, both_kinds(functions))
        self._take_bounds(parameter_bounds)

    def _take(self, expression: Any, functions: Sequence[_mercer.UserFunction] = ()) -> None:
        if isinstance(expression, Kernel):
            expression = expression._engine
        elif not isinstance(expression, (str, _mercer.Kernel)):
            expression = number_text(expression, "a kernel")
        with plain_errors():
            self._replace(expression if isinstance(expression, _mercer.Kernel) else _mercer.Kernel(expression, functions))
        if isinstance(expression, str) and not self._engine.functions() and not self._engine.words():
            self._given = expression  # as it was written

    # --- What it is. -----------------------------------------------------------------------------------------------------------

    @property
    def engine(self) -> _mercer.Kernel:
        """The engine's kernel."""
        return self._engine

    @property
    def parts(self) -> tuple["Kernel", ...]:
        """The kernels it is made of, outermost level only."""
        return tuple(Kernel(part) for part in self._engine.parts())

    @property
    def properties(self) -> Properties:
        """Properties of the kernel, whatever the data."""
        return Properties(**self._engine.properties())

    def spectral_density(self) -> SpectralDensity:
        """The spectral density of a translation-invariant kernel whose parameters are numbers, and what its norm penalizes.

        Returns
        -------
        SpectralDensity
        """
        with plain_errors():
            return SpectralDensity(**self._engine.spectral_density())

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The Python functions in the expression, by name."""
        return {function.name: function.function for function in self._engine.functions()}

    @property
    def resolved(self) -> bool:
        """Whether all parameters are numbers: no ``scale``, ``auto``, ``median`` or ``mkl``."""
        return self._engine.resolved

    @property
    def parameters(self) -> dict[str, float]:
        """The continuous parameters by their names. Those of a kernel with ``scale``, ``auto`` or ``median`` are known once it is resolved."""
        return {name: value for name, value, _, _ in self._engine.numbers()}

    def with_parameters(self, values: dict[str, float] | None = None, **named: float) -> "Kernel":
        """The same expression with other parameter values.

        Parameters
        ----------
        values : dict of float, default=None
            Values by the names in ``parameters``.
        **named : float
            The same, where names are words of Python.

        Returns
        -------
        Kernel
        """
        changed = Kernel(self, self._bounds)
        changed._change({**(values or {}), **named})
        return changed

    def resolve(self, X: Any) -> "Kernel":
        """The kernel with ``scale``, ``auto`` and ``median`` replaced by numbers.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of objects
            Rows that the numbers are computed from.

        Returns
        -------
        Kernel
        """
        return Kernel(self._engine.resolve(self._points(X)), self._bounds)

    def __str__(self) -> str:
        return self._engine.text()

    def __repr__(self) -> str:
        return f"Kernel({str(self)!r})"

    def _repr_html_(self) -> str:
        from .kernel_factories import formulas

        known = self.properties
        rows = "".join(f"<tr><td><code>{escape(name)}</code></td><td style='text-align:left'>{escape(formula)}</td></tr>" for name, formula in formulas(str(self)))
        proof = ("positive semidefinite: " if known.psd else "not proved positive semidefinite: ") + known.because
        return f"<div><code>{escape(str(self))}</code><table>{rows}</table><small>{escape(proof)}</small></div>"

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) and self.functions == other.functions if isinstance(other, Kernel) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Kernel, (constructed(self._engine), self._bounds), getattr(self, "_theirs", None)

    def __setstate__(self, theirs: Any) -> None:
        self._theirs = theirs

    # --- The algebra. ------------------------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> "Kernel":
        return _written("{} + ({})", self, other)

    def __radd__(self, other: Any) -> "Kernel":
        return self if isinstance(other, Real) and other == 0 else _written("({1}) + ({0})", self, other)  # sum([k1, k2]) begins with 0

    def __sub__(self, other: Any) -> "Kernel":
        return _written("{} - ({})", self, other)

    def __rsub__(self, other: Any) -> "Kernel":
        return _written("({1}) - ({0})", self, other)

    def __mul__(self, other: Any) -> "Kernel":
        return _written("({1})*({0})" if isinstance(other, Real) else "({0})*({1})", self, other)

    def __rmul__(self, other: Any) -> "Kernel":
        return _written("({1})*({0})", self, other)

    def __truediv__(self, other: Any) -> "Kernel":
        return _written("({})/{}", self, other) if isinstance(other, Real) else NotImplemented

    def __pow__(self, exponent: Any) -> "Kernel":
        return _written("({})^{}", self, exponent) if isinstance(exponent, Real) else NotImplemented

    def __neg__(self) -> "Kernel":
        return written(f"-({self})", self)

    def __pos__(self) -> "Kernel":
        return self

    def on(self, *columns: str | int) -> "Kernel":
        """The kernel of these columns only. ``k @ "age"`` is the same.

        Parameters
        ----------
        *columns : str or int
            Names or numbers of columns; numbers count from 1, as in expressions.

        Returns
        -------
        Kernel

        Examples
        --------
        >>> str(Kernel("linear").on("age", "net income"))
        'linear@[age, "net income"]'
        """
        if not columns:
            raise ValueError("on() needs a column, by name or number")
        return written(f"({self})@[{', '.join(column_text(column) for column in columns)}]", self)

    def __matmul__(self, columns: Any) -> "Kernel":
        if isinstance(columns, (str, Integral)):
            return self.on(columns)
        return self.on(*columns) if isinstance(columns, (list, tuple)) else NotImplemented

    # --- Its values. -------------------------------------------------------------------------------------------------------------

    def __call__(self, X: Any, Y: Any = None, eval_gradient: bool = False) -> Any:
        """The kernel matrix of the rows of X and those of Y.

        ``scale``, ``auto`` and ``median`` are resolved on the rows of Y (of X, where Y is None), and ``center`` takes its mean over them: the
        training data come second. Use ``resolve`` first where a matrix is computed in pieces (scikit-learn's n_jobs).

        Parameters
        ----------
        X, Y : arrays of two dimensions, CSR matrices, data frames (columns by name) or, for kernels of objects, lists of them
            Y None is X. Two rows x and z of one dimension, two numbers or two texts give the number k(x, z).
        eval_gradient : bool, default False
            Also return the gradient with respect to ``theta``, for scikit-learn's Gaussian processes; Y must be None.

        Returns
        -------
        K : ndarray of float64, rows of X × rows of Y; with eval_gradient also an array rows × rows × len(theta)
        """
        X, Y = with_dlpack(X), with_dlpack(Y)
        if eval_gradient:
            if Y is not None:
                raise ValueError("Gradient can only be evaluated when Y is None.")
            return self._values_and_gradient(self._points(X))
        if Y is not None and self._is_one(X) and self._is_one(Y):
            return self._of_two(X, Y)
        return self._engine.gram(*self._both(X, None if Y is X else Y), threads=threads(None))

    def diag(self, X: Any) -> np.ndarray:
        """The values k(x, x).

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of objects
            Rows.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        return self._engine.diagonal(self._points(with_dlpack(X)))

    # --- Geometry in feature space, by kernels alone. ----------------------------------------------------------------------------

    def distances(self, X: Any, Y: Any = None, squared: bool = False) -> np.ndarray:
        """Distances in feature space between rows: ‖φ(x) − φ(z)‖² = k(x, x) − 2k(x, z) + k(z, z).

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of objects
            Rows.
        Y : as X, default=None
            Other rows; None: those of X.
        squared : bool, default=False
            Return the squares.

        Returns
        -------
        ndarray of shape (n_rows_X, n_rows_Y)

        Examples
        --------
        >>> Kernel("linear").distances([[0.0, 0.0], [3.0, 4.0]])
        array([[0., 5.],
               [5., 0.]])
        """
        found = self._geometry("distances", X, Y)
        return found if squared else np.sqrt(found)

    def angles(self, X: Any, Y: Any = None) -> np.ndarray:
        """Angles in feature space, in radians, between rows.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of objects
            Rows.
        Y : as X, default=None
            Other rows; None: those of X.

        Returns
        -------
        ndarray of shape (n_rows_X, n_rows_Y)
        """
        return self._geometry("angles", X, Y)

    def mean_embedding(self, X: Any, reference: Any) -> np.ndarray:
        """The mean embedding of reference rows at each row of X: the mean of k(x, r) over them.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of objects
            Rows.
        reference : as X
            Reference rows r.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        return self._geometry("mean_embedding", X, reference)

    def distances_to_mean(self, X: Any, reference: Any = None, squared: bool = False) -> np.ndarray:
        """The distance in feature space of each row of X to the mean of reference rows, from three sums of kernels.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of objects
            Rows.
        reference : as X, default=None
            Reference rows; None: those of X.
        squared : bool, default=False
            Return the squares.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        found = self._geometry("to_mean", X, reference)
        return found if squared else np.sqrt(found)

    def _geometry(self, what: str, X: Any, Y: Any) -> np.ndarray:
        X, Y = with_dlpack(X), with_dlpack(Y)
        with plain_errors():
            return self._engine.geometry(what, *self._both(X, None if Y is X else Y), threads=threads(None))

    def _points(self, X: Any) -> _mercer.Points:
        self._check_dimensions(X)
        return points_for(self._engine, X)[0]

    def _check_dimensions(self, *given: Any) -> None:
        for X in given:
            if not self._engine.compared() and not hasattr(X, "indptr") and not holds_sets(X) and np.ndim(X) != 2:
                raise ValueError(f"Expected 2D array, got {np.ndim(X)}D array instead; reshape(1, -1) makes one row of it, reshape(-1, 1) one column")

    def _both(self, X: Any, Y: Any) -> tuple[_mercer.Points, _mercer.Points | None]:
        if Y is None:
            return self._points(X), None
        self._check_dimensions(X, Y)
        _same_width(X, Y)
        return points_for(self._engine, X, Y)

    def _is_one(self, X: Any) -> bool:
        """Whether X is one row, number, text or set, and not several."""
        if is_set(X):
            return True
        return isinstance(X, str) if self._engine.compared() else not hasattr(X, "indptr") and not holds_sets(X) and np.ndim(X) < 2

    def _of_two(self, x: Any, z: Any) -> float:
        if not self._engine.resolved:
            raise ValueError(f"{self} has hyperparameters that are computed from data; use k.resolve(X) first")
        if isinstance(x, str) or is_set(x):
            return float(self([x], [z])[0, 0])
        return float(self(np.reshape(x, (1, -1)), np.reshape(z, (1, -1)))[0, 0])


def written(expression: str, *parts: Kernel, by: tuple[_mercer.UserFunction, ...] = ()) -> Kernel:
    """The expression, with the functions of the kernels that it is made of."""
    functions: list[_mercer.UserFunction] = list(by)
    for function in (function for part in parts for function in part._engine.functions()):
        if not any(function.name == known.name and function.kernel == known.kernel and function.function is known.function for known in functions):
            functions.append(function)
    made = Kernel.__new__(Kernel)
    made._take(expression, functions)
    made._take_bounds(None)
    return made


def both_kinds(functions: dict[str, Callable[..., Any]] | None) -> list[_mercer.UserFunction]:
    """Functions by name, as functions of rows and as kernels: the expression says which each is. A kernel made of a function stands for it, and for the objects that it takes."""
    made = []
    for name, function in (functions or {}).items():
        of = None
        if isinstance(function, Kernel):
            known = [own for own in function.engine.functions() if own.name == name]
            if not known:
                raise ValueError(f"functions: {function} has no function {name!r}")
            function, of = known[0].function, known[0].of
        made += [_mercer.UserFunction(name, function, kernel, of=of) for kernel in (False, True)]
    return made


def _written(form: str, kernel: Kernel, other: Any) -> Kernel:
    """The expression of the form with the two in their places."""
    if isinstance(other, Kernel):
        return written(form.format(kernel, other), kernel, other)
    if isinstance(other, Real) and not isinstance(other, (bool, np.bool_)):
        return written(form.format(kernel, number_text(other, "a factor or term of a kernel")), kernel)
    return NotImplemented


def names_of(X: Any) -> list[str]:
    """The names of a frame's columns, where all of them are texts."""
    columns: Iterable[Any] = getattr(X, "columns", ())
    names = list(columns)
    return names if all(isinstance(name, str) for name in names) else []


def _same_width(X: Any, Y: Any) -> None:
    width, other = getattr(X, "shape", ()), getattr(Y, "shape", ())
    if len(width) == 2 and len(other) == 2 and width[1] != other[1]:
        raise ValueError(f"Incompatible dimension for X and Y matrices: X.shape[1] == {width[1]} while Y.shape[1] == {other[1]}")
