"""The manners of scikit-learn's estimators over the engine's methods: validation, targets, fitted attributes, shapes and signs."""
from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from .data import with_dlpack
from .kernel_choice import choose
from .progress import Bar
from .rows import rows_of, schema_of, target_name
from .words import plain_errors, seed, threads

NUMBERS = [np.float64, np.float32]


class KernelEstimator(BaseEstimator):
    """What every estimator shares. A class made from the table says which method it is, and how its parameters are called."""

    _method: str
    _names: dict[str, str]  # catalogue's name of a parameter: Python's

    # --- The rows. -----------------------------------------------------------------------------------------------------------

    def _rows(self, X: Any, y: Any = "no_validation", *, learn: bool, **checks: Any) -> Any:
        """X checked as scikit-learn checks it (and y with it, where one is given): float32 or float64, dense by rows or CSR.

        Frames with columns that are no numbers, and lists of objects, become Rows.
        """
        X = with_dlpack(X)
        if learn:
            self._target_name = target_name(y)
        schema = None if learn else self.model_.schema
        rows = rows_of(self, X, y, kernel=getattr(self, "kernel", None), schema=schema, learn=learn, **checks)
        if rows is not None:
            return rows
        return self._validate_data(X, y, reset=learn, accept_sparse=False if self._pairwise else "csr", dtype=NUMBERS, order="C", **checks)

    @property
    def _pairwise(self) -> bool:
        return getattr(self, "kernel", None) == "precomputed"

    def _more_tags(self) -> dict[str, Any]:
        return {"pairwise": self._pairwise}

    # --- The fit. ------------------------------------------------------------------------------------------------------------

    def _choose_kernel(self, X: Any) -> Any:
        return choose(self.kernel, X, gamma=self.gamma, degree=self.degree, coef0=self.coef0, arguments=self.kernel_params, indefinite=self.allow_indefinite,
                      names=list(getattr(self, "feature_names_in_", [])))

    def _parameters(self) -> dict[str, Any]:
        """Of the method, in the catalogue's names."""
        return {method: _checked(python, getattr(self, python)) for method, python in self._names.items() if getattr(self, python) is not None}

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"threads": threads(self.n_jobs), "seed": seed(self.random_state), "memory": int(self.cache_size * 2**20)}
        if self.tol is not None:
            options["tolerance"] = float(self.tol)
        if self.approx is not None:
            options["approx"] = self.approx
        if hasattr(self, "shrinking"):
            options["shrinking"] = bool(self.shrinking)
        if getattr(self, "solver", "auto") != "auto":
            options["solver"] = self.solver
        if "max_iter" not in self._names.values() and getattr(self, "max_iter", -1) != -1:
            if self.max_iter < 1:
                raise ValueError(f"max_iter must be -1 or at least 1, not {self.max_iter}")
            options["most_steps"] = int(self.max_iter)
        return options

    def _learn(self, X: Any, target: Any, weights: Any = None, **options: Any) -> None:
        """Fits the method and keeps the model."""
        with plain_errors(self._names):
            choice = self._choose_kernel(X)
            method = _mercer.Method(self._method, self._parameters())
            options = {**self._options(), "allow_indefinite": choice.indefinite, **options}
            points = choice.training(X)
            bar = Bar(type(self).__name__) if self.verbose else None
            schema = schema_of(self, X, points, getattr(self, "_target_name", ""))
            self.model_ = _mercer.fit(method, choice.kernel, points, target, weights, schema, options=options, listener=bar)
            if bar:
                bar.close()
        self._choice = choice
        self.report_ = self.model_.report()
        rows, coefficients = self.model_.support
        choice.keep(X, rows)
        self._take_support(rows, coefficients)
        if not self.report_["converged"]:
            why = f"max_iter={self.max_iter} steps were not enough" if options.get("most_steps") else "the time was over" if self.report_["cut_short"] else "the solver stopped before"
            warnings.warn(f"{type(self).__name__} did not reach the tolerance {self.report_['tolerance']:g}: {self.report_['certificate']} {self.report_['violation']:.3g}; {why}",
                          ConvergenceWarning, stacklevel=3)

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        """Fitted attributes from the rows that carry the function, and their coefficients."""

    # --- The answers. --------------------------------------------------------------------------------------------------------

    def _answers(self, X: Any, name: str, **how: Any) -> np.ndarray:
        """What the model says of the rows: 'codes', 'values', 'scores' or 'probabilities'."""
        check_is_fitted(self)
        X = self._rows(X, learn=False)
        with plain_errors():
            parts = [self.model_.predict(points, threads=threads(self.n_jobs), **how)[name] for points in self._choice.blocks(X)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _checked(name: str, value: Any) -> Any:
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number or a word, not {value!r}") from None


def as_rows(points: _mercer.Points) -> Any:
    """Numbers of points as an array or a CSR matrix."""
    numbers = points.numbers()
    if not isinstance(numbers, tuple):
        return numbers
    values, indices, starts, shape = numbers
    return sparse.csr_matrix((values, indices, starts), shape=shape)
