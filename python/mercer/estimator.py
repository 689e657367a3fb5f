"""The manners of scikit-learn's estimators over the engine's methods: validation, targets, fitted attributes, shapes and signs."""
from __future__ import annotations

import functools
import inspect
import os
import warnings
from contextlib import nullcontext
from numbers import Real
from typing import Any, TypeVar

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from . import _mercer
from .compatibility import check_fitted, checked_weights, samples_at
from .kernel_choice import Expression, Function, Precomputed, choose, of_arrays
from .kernels import Kernel
from .machine import warn_of_slow_products
from .progress import Bar
from .rows import RowsEstimator, schema_of
from .shown import Shown
from .words import bytes_of, caller, classes_of, number_or_word, plain_errors, positive_number, seed, threads, truth, whole_number, word

Own = TypeVar("Own", bound="KernelEstimator")  # fit() gives the estimator itself


class Planned(Exception):
    """Ends a fit of which nothing but the plan was wanted."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan


@functools.lru_cache(maxsize=None)
def defaults_of(cls: type) -> dict[str, Any]:
    """Of the parameters of an estimator."""
    return {parameter.name: parameter.default for parameter in inspect.signature(cls).parameters.values()}


class KernelEstimator(Shown, RowsEstimator):
    """What every estimator with a model shares. A class of estimators.py says which method it is, and how its parameters are called."""

    _method: str
    _names: dict[str, str]      # catalogue's name of a parameter: Python's
    _fitted = {  # attributes that fit() gives, for the documentation: name, (type, meaning)
        "model_": ("Model", "the fitted model, which the command line can read, too"),
        "report_": ("dict", "report of the fit: convergence, objective, time, warnings"),
        "n_features_in_": ("int", "number of features"),
        "feature_names_in_": ("ndarray of shape (n_features_in_,)", "feature names, if X was a data frame with column names"),
    }

    _plan_only = False
    _takes_functions_of_rows = False  # beside those of arrays: where scikit-learn calls kernels with two rows

    def _schema(self) -> _mercer.Schema | None:
        return self.model_.schema if hasattr(self, "model_") else None

    def _weights(self, sample_weight: Any, X: Any) -> np.ndarray | None:
        if sample_weight is None:
            return None
        weights = checked_weights(sample_weight, X)
        if np.any(weights < 0):
            raise ValueError(f"Negative values in data passed to `sample_weight`: the smallest is {weights.min():g}, but weights must be ≥ 0")
        if not weights.any():
            raise ValueError("Invalid input - all samples have zero or negative weights.")
        return weights

    # --- The fit. ------------------------------------------------------------------------------------------------------------

    def _choose_kernel(self, X: Any) -> Any:
        """The kernel, where it depends on X on these rows."""
        if self.gamma is not None and not isinstance(self.gamma, (str, Real)):
            raise ValueError(f"gamma must be 'scale', 'auto', None or a number ≥ 0, not {self.gamma!r}")
        if not isinstance(self.coef0, Real):
            raise ValueError(f"coef0 must be a number, not {self.coef0!r}")
        kernel = self.kernel
        if self._takes_functions_of_rows and callable(kernel) and not isinstance(kernel, Kernel):
            kernel = of_arrays(kernel, X, self.kernel_params)
        return choose(kernel, X, gamma=self.gamma, degree=self.degree, coef0=self.coef0, arguments=self.kernel_params,
                      indefinite=truth("allow_indefinite", self.allow_indefinite), names=self._columns())

    def _parameters(self) -> dict[str, Any]:
        """Of the method, in the catalogue's names. None, where it is the default, leaves the choice to the method."""
        given = {method: (python, getattr(self, python)) for method, python in self._names.items()}
        chosen = defaults_of(type(self))
        return {method: number_or_word(python, value) for method, (python, value) in given.items() if value is not None or chosen[python] is not None}

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"threads": threads(self.n_jobs), "seed": seed(self.random_state), "memory": bytes_of(self.cache_size)}
        tolerance = self._tolerance()
        if tolerance is not None:
            options["tolerance"] = tolerance
        if getattr(self, "approx", None) is not None:
            if not isinstance(self.approx, str):
                raise ValueError(f"approx must be None or a word such as 'nystrom:500', not {self.approx!r}")
            options["approx"] = self.approx
        if getattr(self, "repair", None) is not None:
            options["repair"] = word("repair", self.repair, ("clip", "flip", "shift", "square"))
        if hasattr(self, "shrinking"):
            options["shrinking"] = truth("shrinking", self.shrinking)
        if getattr(self, "solver", "auto") != "auto":
            options["solver"] = str(self.solver)
        if "max_iter" not in self._names.values() and getattr(self, "max_iter", -1) not in (-1, None):
            options["most_steps"] = whole_number("max_iter", self.max_iter, 1)
        return options

    def _ended_by_max_iter(self, options: dict[str, Any]) -> bool:
        return bool(options.get("most_steps"))

    def _early_end(self) -> str:
        """What to do where max_iter ended a fit."""
        return f"increase max_iter={self.max_iter}"

    def _tolerance(self) -> float | None:
        """tol; None leaves the choice to the method."""
        return None if self.tol is None else positive_number("tol", self.tol)

    def _earlier(self) -> _mercer.Model | None:
        """The model to go on from, where the samples are more of those that it has seen."""
        return None

    def _class_options(self, y: Any) -> dict[str, Any]:
        """What classes y add to the options: their weights, probabilities."""
        return {}

    def _learn(self, X: Any, target: Any, weights: Any = None, **options: Any) -> None:
        """Fits the method and keeps the model."""
        with plain_errors(self._names, self._method, type(self).__name__, "the kernel function" if callable(getattr(self, "kernel", None)) else "precomputed"):
            # A row of weight 0 is as good as absent, also where the kernel is made to the measure of the rows (gamma='scale').
            choice = self._choose_kernel(X if weights is None or weights.all() else samples_at(X, np.flatnonzero(weights)))
            method = _mercer.Method(self._method, self._parameters())
            options = {**self._options(), "allow_indefinite": choice.indefinite, **options}
            points = choice.training(X)
            if self._plan_only:
                raise Planned(_mercer.explain_plan(method, choice.kernel, points, target, weights, options))
            schema = schema_of(self, X, points, getattr(self, "_target_name", ""))
            with Bar(type(self).__name__) if self.verbose else nullcontext() as bar:
                self.model_ = _mercer.fit(method, choice.kernel, points, target, weights, schema, options=options, listener=bar, resume=self._earlier())
        warn_of_slow_products(caller())
        self._choice = choice
        self.report_ = self.model_.report()
        rows, coefficients = self.model_.support
        choice.keep(X, rows, self._method)
        self._take_rows(X, rows)
        self._take_support(rows, coefficients)
        if not self.report_["converged"]:
            report = self.report_
            why = self._early_end() if self._ended_by_max_iter(options) else "the time limit was reached" if report["cut_short"] else "the solver stopped early"
            warnings.warn(f"{type(self).__name__} did not reach the tolerance {report['tolerance']:g}: {report['certificate'].replace('_', ' ')} {report['violation']:.3g}; {why}",
                          ConvergenceWarning, stacklevel=caller())

    def explain_plan(self, X: Any, y: Any = None) -> dict[str, Any]:
        """Tell how fit(X, y) would be solved, without fitting: over explicit features (primal) or over the kernel matrix (dual), and about what either costs.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array of shape (n_samples,), optional
            Targets, where the estimator has any.

        Returns
        -------
        dict
            solver ('primal' or 'dual') and why; features, the number of explicit features, or None; primal and dual, rough numbers of operations; no_primal, why there
            are no features.
        """
        planned = clone(self)
        planned._plan_only = True
        try:
            planned.fit(X, y)
        except Planned as answer:
            return answer.plan
        raise TypeError(f"{type(self).__name__} has no plan to explain")

    # --- Files. --------------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the model to a file that ``mercer.load`` and the command line read: a safetensors file, or LIBSVM's format if the path ends in .model.

        Parameters
        ----------
        path : str or path
            The file; it is written whole or not at all.
        """
        check_fitted(self)
        self._check_written("a model file")
        with plain_errors():
            self.model_.save(os.fspath(path))

    def to_onnx(self, path: str | os.PathLike[str] | None = None, *, float32: bool = False, variance: bool = False) -> bytes:
        """Give the fitted model as an ONNX graph for ONNX Runtime and other programs.

        The graph has the input ``X`` (double, rows × columns of numbers) and, where there are columns of texts, ``categories`` (string). Its outputs are
        ``label``, ``scores`` and ``probabilities`` of classes, ``prediction`` of numbers, ``components`` of KernelPCA.

        Parameters
        ----------
        path : str or path, optional
            A file to write, whole or not at all.
        float32 : bool, default=False
            Whether the graph takes and gives float32 numbers instead of float64.
        variance : bool, default=False
            Refused if true: a graph has no variances of Gaussian processes; ``predict(X, return_std=True)`` has them.

        Returns
        -------
        graph : bytes
            What an .onnx file holds.
        """
        check_fitted(self)
        self._check_written("an ONNX graph")
        with plain_errors():
            return self.model_.to_onnx("" if path is None else os.fspath(path), float32, variance)

    def _check_written(self, place: str) -> None:
        """Raises where the estimator is more than a model that can be written down."""
        if isinstance(self._choice, Function):
            raise ValueError(f"{place} cannot hold a Python function; give the kernel as an expression, or pickle the estimator")

    def __getstate__(self) -> dict[str, Any]:
        """Without the report that the model has, too."""
        state = super().__getstate__()
        if "model_" in state and state.get("report_") == state["model_"].report():
            state = {name: value for name, value in state.items() if name != "report_"}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "model_" in self.__dict__:
            self.__dict__.setdefault("report_", self.model_.report())

    def _take_model(self, model: _mercer.Model) -> None:
        """Becomes fitted by a model from a file. Which rows carried the function a file does not say."""
        self.model_, self.report_, self._from_file = model, model.report(), True
        self._choice = Precomputed(model.columns) if model.kernel.precomputed else Expression(model.kernel, True, [])
        names = [column.name for column in model.schema.columns]
        self.n_features_in_ = len(names) or model.columns
        if names:
            self.feature_names_in_ = np.array(names, dtype=object)
        if model.labels:
            self.classes_ = classes_of(model.labels)
        self._flat = len(model.rho) == 1

    def _take_rows(self, X: Any, rows: np.ndarray) -> None:
        """Keeps the rows of X that carry the function, where an attribute shows them."""

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        """Fitted attributes from the rows that carry the function, and their coefficients."""

    def _rows_kept_by_model(self, X: Any) -> bool:
        """Whether the model has the rows that carry the function as they are in X, so that nobody else need keep them."""
        return self.model_.keeps_rows and not self._pairwise and not hasattr(self._choice, "rows") and (isinstance(X, np.ndarray) or sparse.issparse(X))

    # --- Predictions. --------------------------------------------------------------------------------------------------------

    def _predictions(self, X: Any, name: str, **how: Any) -> np.ndarray:
        """What the model says of the rows: 'codes', 'values', 'scores' or 'probabilities'."""
        if "model_" not in self.__dict__:  # the check itself looks at all attributes
            check_fitted(self)
        return self._predictions_of_rows(self._rows(X, learn=False), name, **how)

    def _predictions_of_rows(self, X: Any, name: str, **how: Any) -> np.ndarray:
        """The same of rows that are checked, such as those of the fit."""
        with plain_errors():
            parts = [self.model_.predict(points, threads=threads(self.n_jobs), **how)[name] for points in self._choice.blocks(X)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)


class Supervised(KernelEstimator):
    """Learns from samples with targets: classes or numbers."""

    def fit(self: Own, X: Any, y: Any, sample_weight: Any = None) -> Own:
        """Fit the model.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Training samples; with kernel='precomputed' the kernel matrix, (n_samples, n_samples).
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Class labels (numbers or strings) or target values; several columns only of values, if the method supports several outputs.
        sample_weight : array of shape (n_samples,), optional
            Sample weights; a sample of weight 0 is ignored.

        Returns
        -------
        self
        """
        self._fit_target(X, y, sample_weight)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class or the target value of each sample.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples; with kernel='precomputed' their kernel values with the training samples.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        return self._predicted(X)

    def _fit_target(self, X: Any, y: Any, sample_weight: Any) -> None:
        raise NotImplementedError

    def _predicted(self, X: Any) -> np.ndarray:
        raise NotImplementedError


class SolvedInSteps:
    """For machines whose solver goes on until a tolerance is reached."""

    def _own_tags(self) -> dict[str, Any]:
        # scikit-learn's check shuffles the rows and compares answers to 1e-7. A solver that steps from row to row ends elsewhere within its tolerance (1e-3, as there, where
        # the same check is expected to fail); where the tolerance is small enough for such a comparison, nothing is excused.
        if isinstance(self.tol, Real) and self.tol <= 1e-9:
            return {}
        return {"_xfail_checks": {"check_sample_weights_invariance": "rows in another order are solved to the same tolerance, not to the same bits"}}
