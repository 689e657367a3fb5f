"""From a table to a model: what ``mercer fit`` does on the command line."""
from __future__ import annotations

from contextlib import nullcontext
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone

from . import _mercer
from .classifiers import Classifier
from .compatibility import votes_of_pairs
from .either import AnyTask
from .estimator import Own, Supervised
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
    _fitted = {
        "kernel_": ("Kernel", "the selected kernel, with its hyperparameters"),
        "method_": ("str", "the selected method"),
        "parameters_": ("dict", "its hyperparameters"),
        "score_": ("dict", "the score on unseen samples: 'value', with the confidence interval from 'low' to 'high'"),
        "baseline_": ("dict", "that of always predicting the most frequent class, or the mean"),
        "metric_": ("str", "the metric of both"),
        "scored_on_": ("str", "how the score was estimated"),
        "trials_": ("list of dict", "every candidate evaluated, with its score"),
        "notes_": ("list of str", "notes on the data and the selection"),
    }

    def fit(self: Own, X: Any, y: Any) -> Own:
        """Select and fit the model.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array of shape (n_samples,)
            Class labels or target values.

        Returns
        -------
        self
        """
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
        X : array or sparse matrix of shape (n_samples, n_features), default=None
            Samples to fit first; None: the report is about the training data.
        y : array of shape (n_samples,), default=None
            Their targets.
        name : str, default=''
            Name of the data, for the title of the report.

        Returns
        -------
        Page
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


class SelectedClassifier(ChosenClassifier, Classifier):
    """Of classes."""

    def _has_decision_values(self) -> bool:
        return not hasattr(self, "model_") or self.model_.rule != "shares"


class SelectedRegressor(Selection, Regressor):
    """Of numbers."""


class SelectedEither(ChosenClassifier, AnyTask):
    """Of classes or numbers, whichever y holds."""

    def _has_decision_values(self) -> bool:
        return self._kind() == "classifier" and (not hasattr(self, "model_") or self.model_.rule != "shares")
