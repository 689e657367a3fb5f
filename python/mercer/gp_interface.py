"""What scikit-learn's Gaussian processes ask of a kernel: its parameters as the vector theta of their logarithms, bounds, derivatives.

Nothing here imports scikit-learn before somebody uses it. GaussianProcessRegressor(kernel=k) insists on isinstance(k, its own Kernel);
so a kernel is registered there (abc.ABCMeta.register) when it is asked for its class and scikit-learn's module has been loaded. The same
registration makes scikit-learn's pairwise_kernels call a kernel with whole matrices and not with a pair of rows at a time.
"""
from __future__ import annotations

import math
import re
import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _mercer
from .words import threads

STEP = 1e-5          # of a logarithm, in central differences: truncation and rounding are both about 1e-11
BOUNDS = (1e-5, 1e5)  # of scikit-learn's kernels


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


def constructed(engine: _mercer.Kernel) -> Any:
    """What makes an equal kernel: its text, unless functions or word vectors belong to it."""
    return engine if engine.functions() or engine.words() else engine.text()


class GaussianProcessKernel:
    """The protocol of sklearn.gaussian_process.kernels.Kernel, over the numbers of an expression."""

    __slots__ = ()
    _engine: _mercer.Kernel
    _given: Any
    _bounds: Any
    _theirs: Any

    @property
    def __class__(self) -> type:  # type: ignore[override]
        module = sys.modules.get("sklearn.gaussian_process.kernels")
        theirs = getattr(module, "Kernel", None)
        if theirs is not None and not issubclass(type(self), theirs):
            theirs.register(type(self))
        return type(self)

    # --- As scikit-learn's kernel, where it was fitted as one. ---------------------------------------------------------------------

    def _part(self, name: str) -> Any:
        if getattr(self, "_theirs", None) is None:
            raise AttributeError(f"{name} is a part of kernels that were given as scikit-learn's; this one is the expression {self}")
        return getattr(self._theirs, name)

    @property
    def k1(self) -> Any:
        """The first part of a sum or product that was given as scikit-learn's kernel, with the values of the fit."""
        return self._part("k1")

    @property
    def k2(self) -> Any:
        """The second part."""
        return self._part("k2")

    # --- Parameters by name: what clone, set_params and GridSearchCV use. -------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters of the constructor.

        Parameters
        ----------
        deep : bool, default=True
            Also the hyperparameters of the expression, by name.

        Returns
        -------
        dict
        """
        params: dict[str, Any] = {"expression": self._given, "parameter_bounds": self._bounds}
        if deep and self._engine.resolved:
            params.update((name, value) for name, value, _, _ in self._engine.numbers())
        return params

    def set_params(self, **params: Any) -> Any:
        """Set ``expression``, ``parameter_bounds``, or hyperparameters by name, in place.

        Parameters
        ----------
        **params : float, str, Kernel, pair of floats or dict
            What to set.

        Returns
        -------
        self
        """
        numbers = {name: value for name, value in params.items() if name not in ("expression", "parameter_bounds")}
        if "expression" in params:
            self._take(params["expression"])  # type: ignore[attr-defined]
        self._change(numbers)
        if "parameter_bounds" in params:
            self._take_bounds(params["parameter_bounds"])
        return self

    def _change(self, changes: dict[str, float]) -> None:
        changes = self._change_words(dict(changes))
        if not changes:
            return
        values = {name: value for name, value, _, _ in self._engine.numbers()}
        unknown = [name for name in changes if name not in values]
        if unknown:
            raise ValueError(f"Invalid parameter {unknown[0]!r} for kernel {self}; it has {', '.join(values) or 'none'}")
        values.update(changes)
        self._set([float(value) for value in values.values()])

    def _change_words(self, changes: dict[str, float]) -> dict[str, float]:
        """Puts numbers in the place of ``scale``, ``auto`` and ``median`` where the name says which one is meant; gives back the changes that are left."""
        pieces = re.split(r'("(?:\\.|[^"\\])*")', self._engine.text())  # every other one is quoted: a column's name
        for name in list(changes):
            word = re.compile(rf"\b{re.escape(name)}=(?:scale|auto|median)\b")
            if sum(len(word.findall(piece)) for piece in pieces[::2]) == 1:
                number = repr(float(changes.pop(name)))
                pieces[::2] = [word.sub(f"{name}={number}", piece) for piece in pieces[::2]]
                self._replace(_mercer.Kernel("".join(pieces), self._engine.functions()))
        return changes

    def _set(self, values: list[float]) -> None:
        self._replace(self._engine.with_numbers(values))

    def _replace(self, engine: _mercer.Kernel) -> None:
        self._engine = engine
        self._given = constructed(engine)

    def _take_bounds(self, given: Any) -> None:
        for bounds in given.values() if isinstance(given, dict) else [given]:
            if bounds is None or (isinstance(bounds, str) and bounds == "fixed"):
                continue
            if isinstance(bounds, str) or np.shape(bounds) != (2,) or not 0 < bounds[0] <= bounds[1] < math.inf:
                raise ValueError(f"parameter_bounds must be a pair (low, high) with 0 < low ≤ high, 'fixed', or a dict of these by parameter name, not {given!r}")
        self._bounds = given

    # --- Theta. ----------------------------------------------------------------------------------------------------------------

    def _free(self) -> list[tuple[int, float, float, float]]:
        """Of each number that is looked for: its place among the numbers, its value, and its bounds."""
        if not self._engine.resolved:
            raise ValueError(f"{self} has hyperparameters without values; set them, or compute them from data with k.resolve(X)")
        numbers = self._engine.numbers()
        if isinstance(self._bounds, dict):
            unknown = [name for name in self._bounds if name not in [number[0] for number in numbers]]
            if unknown:
                raise ValueError(f"parameter_bounds names {unknown[0]!r}, but {self} has {', '.join(number[0] for number in numbers) or 'no hyperparameters'}")
        free = []
        for place, (name, value, low, high) in enumerate(numbers):
            given = self._bounds.get(name) if isinstance(self._bounds, dict) else self._bounds
            if (isinstance(given, str) and given == "fixed") or not (value > 0 and low >= 0):  # a logarithm is of what stays positive
                continue
            least, most = (min(BOUNDS[0], value), max(BOUNDS[1], value)) if given is None else given
            free.append((place, value, max(low, least), min(high, most)))
        return free

    def _search_ranges(self) -> list[tuple[str, float, float, float]]:
        """Of every number of the expression its name, its value, and between which numbers a search by the evidence looks for it: at both ends the value where it stays."""
        free = {place: (low, high) for place, _, low, high in self._free()}
        stays = [isinstance(self._bounds.get(number[0]) if isinstance(self._bounds, dict) else self._bounds, str) for number in self._engine.numbers()]
        ranges = []
        for place, (name, value, low, high) in enumerate(self._engine.numbers()):
            # What may be 0 or negative is not in theta; the engine looks for it all the same, near where it is.
            around = (max(low, value - 10 * (1 + abs(value))), min(high, value + 10 * (1 + abs(value))))
            ranges.append((name, value, *((value, value) if stays[place] else free.get(place, around))))
        return ranges

    @property
    def theta(self) -> np.ndarray:
        """Logarithms of the positive hyperparameters, from left to right in the expression."""
        return np.log([value for _, value, _, _ in self._free()])

    @theta.setter
    def theta(self, theta: Any) -> None:
        free, numbers = self._free(), self._engine.numbers()
        if len(free) != len(theta):
            raise ValueError(f"theta has not the correct number of entries. Should be {len(free)}; given are {len(theta)}")
        values = [number[1] for number in numbers]
        for (place, *_), logarithm in zip(free, theta):
            values[place] = min(math.exp(logarithm), numbers[place][3])  # exp(log(1)) may be above 1 by a rounding
        self._set(values)

    @property
    def bounds(self) -> np.ndarray:
        """Logarithms of the bounds, one row per entry of theta."""
        return np.log([(low, high) for _, _, low, high in self._free()]).reshape(-1, 2)

    @property
    def n_dims(self) -> int:
        """Length of theta."""
        return len(self._free())

    @property
    def hyperparameters(self) -> list[Any]:
        """The hyperparameters, as scikit-learn describes them; those that are not in theta are fixed."""
        from sklearn.gaussian_process.kernels import Hyperparameter

        free = {place: (low, high) for place, _, low, high in self._free()}
        return [Hyperparameter(number[0], "numeric", np.array([free[place]]) if place in free else "fixed") for place, number in enumerate(self._engine.numbers())]

    def clone_with_theta(self, theta: Any) -> Any:
        """A copy with other hyperparameters.

        Parameters
        ----------
        theta : array of shape (n_hyperparameters,)
            Their logarithms.

        Returns
        -------
        Kernel
        """
        copy = type(self)(self._given, self._bounds)  # type: ignore[call-arg]
        copy.theta = theta
        return copy

    def is_stationary(self) -> bool:
        """Whether it is a function of x − z.

        Returns
        -------
        bool
        """
        return self._engine.properties()["translation_invariant"]

    @property
    def requires_vector_input(self) -> bool:
        """Whether it compares rows of numbers, and not objects."""
        return not self._engine.compared()

    def _check_bounds_params(self) -> None:
        """Called after a fit: warns where a bound may have been too tight."""
        from sklearn.exceptions import ConvergenceWarning

        names = [number[0] for number in self._engine.numbers()]
        for place, value, low, high in self._free():
            for which, bound in (("lower", low), ("upper", high)):
                if np.isclose(math.log(value), math.log(bound)):
                    warnings.warn(f"The optimal value found for parameter {names[place]} is close to its {which} bound {bound:g}. "
                                  "Other parameter_bounds may give a better value.", ConvergenceWarning, stacklevel=3)

    # --- Derivatives. ------------------------------------------------------------------------------------------------------------

    def _values_and_gradient(self, points: _mercer.Points) -> tuple[np.ndarray, np.ndarray]:
        """K, and ∂K/∂theta by differences: central ones, or of three points on one side where a number can go no higher."""
        values = [number[1] for number in self._engine.numbers()]
        tops = [number[3] for number in self._engine.numbers()]

        def K_at(place: int, steps: int) -> np.ndarray:
            moved = list(values)
            moved[place] *= math.exp(steps * STEP)
            return self._engine.with_numbers(moved).gram(points, threads=threads(None))

        K = self._engine.gram(points, threads=threads(None))
        free = self._free()
        gradient = np.empty((*K.shape, len(free)))
        for j, (place, value, _, _) in enumerate(free):
            if value * math.exp(STEP) <= tops[place]:
                gradient[:, :, j] = (K_at(place, 1) - K_at(place, -1)) / (2 * STEP)
            else:
                gradient[:, :, j] = (3 * K - 4 * K_at(place, -1) + K_at(place, -2)) / (2 * STEP)
        return K, gradient
