"""From a table to a model: what ``mercer fit`` does on the command line."""
from __future__ import annotations

from contextlib import nullcontext
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if

from . import _mercer
from .classifiers import Classifier
from .compatibility import votes_of_pairs
from .either import AnyTask
from .estimator import Supervised
from .kernel_choice import Expression
from .kernels import Kernel
from .pictures import Page
from .progress import Bar
from .regressors import Regressor
from .rows import schema_of
from .words import note_text, plain_errors, positive_number, seed, threads, whole_number


class Selection(Supervised):
    """What the classes below share: the search, what it found, and the report."""

    _method = "auto"
    _names: dict[str, str] = {}

    def fit(self, X: Any, y: Any) -> Any:
        """Select and fit the model."""
        return super().fit(X, y)

    def _rows(self, X: Any, y: Any = "no_validation", *, learn: bool, **checks: Any) -> Any:
        return super()._rows(X, y, learn=learn, **({"ensure_min_samples": 2} if learn else {}), **checks)

    def _wishes(self) -> dict[str, Any]:
        """What is given and not to be chosen."""
        if isinstance(self.holdout, bool) or not isinstance(self.holdout, Real) or not 0 <= self.holdout < 1:
            raise ValueError(f"holdout must be a number from 0 to below 1, not {self.holdout!r}")
        wishes: dict[str, Any] = {"folds": whole_number("cv", self.cv, 2), "holdout": float(self.holdout)}
        for name in ("method", "scaling", "metric"):
            if getattr(self, name) is not None:
                wishes[name] = getattr(self, name)
        if self.kernel is not None:
            if not isinstance(self.kernel, (str, Kernel)):
                raise ValueError(f"kernel must be an expression or a mercer.Kernel, not {self.kernel!r}")
            wishes["kernel"] = Kernel(self.kernel).engine
        return wishes

    def _learn(self, X: Any, target: Any, weights: Any = None, **options: Any) -> None:
        options = {"threads": threads(self.n_jobs), "seed": seed(self.random_state)}
        if self.max_seconds is not None:
            options["seconds"] = positive_number("max_seconds", self.max_seconds)
        with plain_errors():
            wishes = self._wishes()
            rows = Expression(wishes.get("kernel") or _mercer.Kernel("linear"), True, list(getattr(self, "feature_names_in_", [])))
            points = rows.training(X)
            self._data = _mercer.Dataset(points, target, None, schema_of(self, X, points, self._target_name))
            with Bar(type(self).__name__) if self.verbose else nullcontext() as bar:
                made = self._made = _mercer.AutomaticFit(self._data, wishes, options, bar)
        self._choice, self.model_ = rows, made.model
        self.kernel_, self.method_, self.parameters_ = Kernel(made.model.kernel), made.model.method, made.model.parameters
        self.score_, self.baseline_, self.metric_, self.scored_on_ = made.score, made.baseline, made.metric, made.scored_on
        self.trials_, self.notes_, self.report_ = made.trials, [note_text(*note) for note in made.notes], made.model.report()

    def _promises_probabilities(self) -> bool:
        return False  # the method chosen decides

    def _own_rows(self) -> _mercer.Dataset:
        return self._data if hasattr(self, "_data") else super()._own_rows()

    def report_html(self, X: Any = None, y: Any = None, name: str = "") -> Page:
        """The HTML report that ``mercer fit --report`` writes: data, model selection, plots, certificate and the most influential examples.

        Parameters
        ----------
        X, y : optional
            Samples and targets to fit first; None: the report is about the training data.
        name : str
            Name of the data, for the title of the report.
        """
        if X is not None:
            return clone(self).fit(X, y).report_html(name=name)
        if not hasattr(self, "_made"):
            raise ValueError("the report needs the training data, which copies and loaded models do not keep; fit again")
        return Page(_mercer.report_page(self._made, self._data, name, seed(self.random_state), threads(self.n_jobs)))

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        return {key: value for key, value in state.items() if key not in ("_made", "_data")}


class ChosenClassifier(Selection):
    """Decision values and probabilities of the method that was chosen."""

    def _class_scores(self, scores: np.ndarray) -> np.ndarray:
        if self.model_.rule == "one_vs_one" and len(self.classes_) > 2:
            return votes_of_pairs(scores, len(self.classes_))
        return super()._class_scores(scores)


class AutoKernelClassifier(ChosenClassifier, Classifier):
    """Selects method, kernel, hyperparameters and scaling of a classifier by cross-validation, fits on all samples and estimates its score on unseen samples.

    Parameters
    ----------
    method : str, default None
        A method of the catalogue ('svm', 'ridge', 'logistic' …); None: selected.
    kernel : str or Kernel, default None
        An expression, whose 'scale', 'auto' and 'median' are searched; None: selected among several.
    scaling : {'none', 'standard', 'minmax'}, default None
        Scaling of the columns; None: selected.
    metric : str, default None
        Metric to optimize: 'accuracy', 'auc' …; None: accuracy.
    cv : int, default 5
        Number of cross-validation folds.
    holdout : float, default 0
        Fraction of the samples to hold out for the evaluation; 0: cross-validation with new folds.
    max_seconds : float, default None
        Time limit: the best candidate so far is taken then; TimeoutError if none has been evaluated.
    random_state : int, default None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int, default None
        Number of threads; None: all, or OMP_NUM_THREADS if set.
    verbose : bool, default False
        Show a progress bar.

    Attributes
    ----------
    kernel_ : Kernel
        The selected kernel, with its hyperparameters.
    method_ : str
        The selected method; ``parameters_`` are its hyperparameters.
    score_, baseline_ : dict
        The score on unseen samples ('value', with the confidence interval 'low' to 'high'), and that of always predicting the most frequent class;
        ``metric_`` is the metric, ``scored_on_`` says how it was estimated.
    trials_ : list of dict
        Every candidate evaluated, with its score.
    notes_ : list of str
        Notes on the data and the selection.
    report_ : dict
        Report of the final fit.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import AutoKernelClassifier
    >>> model = AutoKernelClassifier().fit(*load_iris(return_X_y=True))
    >>> model.score_["value"] > 0.9
    True
    """

    def __init__(self, *, method: str | None = None, kernel: Any = None, scaling: str | None = None, metric: str | None = None, cv: int = 5, holdout: float = 0,
                 max_seconds: float | None = None, random_state: Any = None, n_jobs: int | None = None, verbose: bool = False) -> None:
        self.method, self.kernel, self.scaling, self.metric, self.cv, self.holdout = method, kernel, scaling, metric, cv, holdout
        self.max_seconds, self.random_state, self.n_jobs, self.verbose = max_seconds, random_state, n_jobs, verbose

    @available_if(lambda self: not hasattr(self, "model_") or self.model_.rule != "shares")
    def decision_function(self, X: Any) -> np.ndarray:
        """Decision function values: with two classes one per sample, positive for the second class, ``classes_[1]``; with more, a column per class."""
        return super().decision_function(X)


class AutoKernelRegressor(Selection, Regressor):
    """Selects method, kernel, hyperparameters and scaling of a regressor by cross-validation, fits on all samples and estimates its score on unseen samples.

    Parameters
    ----------
    method : str, default None
        A method of the catalogue ('svr', 'ridge', 'gp' …); None: selected.
    kernel : str or Kernel, default None
        An expression, whose 'scale', 'auto' and 'median' are searched; None: selected among several.
    scaling : {'none', 'standard', 'minmax'}, default None
        Scaling of the columns; None: selected.
    metric : str, default None
        Metric to optimize: 'rmse', 'mae' …; None: rmse.
    cv : int, default 5
        Number of cross-validation folds.
    holdout : float, default 0
        Fraction of the samples to hold out for the evaluation; 0: cross-validation with new folds.
    max_seconds : float, default None
        Time limit: the best candidate so far is taken then; TimeoutError if none has been evaluated.
    random_state : int, default None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int, default None
        Number of threads; None: all, or OMP_NUM_THREADS if set.
    verbose : bool, default False
        Show a progress bar.

    Attributes
    ----------
    kernel_ : Kernel
        The selected kernel, with its hyperparameters.
    method_ : str
        The selected method; ``parameters_`` are its hyperparameters.
    score_, baseline_ : dict
        The score on unseen samples ('value', with the confidence interval 'low' to 'high'), and that of always predicting the mean;
        ``metric_`` is the metric, ``scored_on_`` says how it was estimated.
    trials_ : list of dict
        Every candidate evaluated, with its score.
    notes_ : list of str
        Notes on the data and the selection.
    report_ : dict
        Report of the final fit.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from mercer import AutoKernelRegressor
    >>> model = AutoKernelRegressor(method='ridge').fit(*load_diabetes(return_X_y=True))
    >>> model.score_["value"] < model.baseline_["value"]
    True
    """

    def __init__(self, *, method: str | None = None, kernel: Any = None, scaling: str | None = None, metric: str | None = None, cv: int = 5, holdout: float = 0,
                 max_seconds: float | None = None, random_state: Any = None, n_jobs: int | None = None, verbose: bool = False) -> None:
        self.method, self.kernel, self.scaling, self.metric, self.cv, self.holdout = method, kernel, scaling, metric, cv, holdout
        self.max_seconds, self.random_state, self.n_jobs, self.verbose = max_seconds, random_state, n_jobs, verbose


class AutoKernel(ChosenClassifier, AnyTask):
    """Classes or numbers, whichever y holds: the name of AutoKernelClassifier and AutoKernelRegressor in the version before.

    Parameters
    ----------
    task : {'auto', 'classification', 'regression'}, default 'auto'
        What y holds; 'auto': fractional numbers are regression targets, everything else is classes. Before a fit 'auto' counts as a classifier, so that cross_val_score
        stratifies folds where y holds classes.
    method, kernel, scaling, metric, cv, holdout, max_seconds, random_state, n_jobs, verbose
        As AutoKernelClassifier's and AutoKernelRegressor's.
    """

    def __init__(self, task: str = "auto", *, method: str | None = None, kernel: Any = None, scaling: str | None = None, metric: str | None = None, cv: int = 5, holdout: float = 0,
                 max_seconds: float | None = None, random_state: Any = None, n_jobs: int | None = None, verbose: bool = False) -> None:
        self.task, self.method, self.kernel, self.scaling, self.metric, self.cv, self.holdout = task, method, kernel, scaling, metric, cv, holdout
        self.max_seconds, self.random_state, self.n_jobs, self.verbose = max_seconds, random_state, n_jobs, verbose

    def _has_decision_values(self) -> bool:
        return self._kind() == "classifier" and (not hasattr(self, "model_") or self.model_.rule != "shares")
