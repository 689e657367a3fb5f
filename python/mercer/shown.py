"""What a fitted estimator shows: pictures and a report, of rows that are given or of those that the model keeps."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _mercer
from .compatibility import check_fitted
from .kernel_choice import Expression
from .pictures import Page, Picture, picture_of
from .words import plain_errors, seed, threads


class Shown:
    """Adds plot() and report_html() to an estimator."""

    def plot(self, X: Any = None, y: Any = None, kind: str | None = None, *, columns: Any = None, projection: str = "columns", title: str = "") -> Picture:
        """Plot the model.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features), default=None
            Samples to plot; None: the samples that the model keeps, such as support vectors, with their predictions.
        y : array of shape (n_samples,), default=None
            Their targets.
        kind : {'regions', 'curve', 'components', 'gram', 'roc', 'precision-recall', 'calibration', 'confusion', 'residuals'}, default=None
            None: 'regions' for classification and novelty detection, 'curve' for regression, 'components' for objects.
        columns : list of two columns, or one for 'curve', default=None
            Names, or numbers counted from 1; None: those that influence the prediction most.
        projection : {'columns', 'components'}, default='columns'
            Plane of 'regions': two columns, or the two leading kernel principal components.
        title : str, default=''
            Title of the plot.

        Returns
        -------
        Picture
        """
        check_fitted(self)
        data = self._drawn_rows(X, y)
        return picture_of(self.model_, data, kind or self._usual_picture(), columns=columns, projection=projection, title=title, n_jobs=self.n_jobs)

    def report_html(self, X: Any, y: Any, name: str = "") -> Page:
        """The HTML report that ``mercer fit --report`` writes, for this estimator: data, cross-validated score, plots and certificate.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples; the estimator is fitted to them again and evaluated by cross-validation.
        y : array of shape (n_samples,)
            Their targets.
        name : str, default=''
            Name of the data, for the title of the report.

        Returns
        -------
        Page
        """
        check_fitted(self)
        data = self._drawn_rows(X, y)
        with plain_errors():
            wishes = {"search": False, "method": self._method, "parameters": self._parameters(), "kernel": self._choice.kernel}
            options = {**self._options(), "allow_indefinite": self._choice.indefinite, **(self._class_options(np.asarray(y)) if hasattr(self, "classes_") else {})}
            made = _mercer.AutomaticFit(data, wishes, options)
            return Page(_mercer.report_page(made, data, name, seed(self.random_state), threads(self.n_jobs)))

    def _usual_picture(self) -> str:
        if self.model_.points.objects:
            return "components"
        return "curve" if self.model_.rule in ("value", "rate") else "components" if self.model_.rule == "projection" else "regions"

    def _drawn_rows(self, X: Any, y: Any) -> _mercer.Dataset:
        if not isinstance(self._choice, Expression):
            raise ValueError("plots need a kernel given as a name, an expression or a mercer.Kernel")
        if X is not None:
            points = self._choice.training(self._rows(X, learn=False))
            return _mercer.Dataset(points, self._drawn_target(y, points))
        return self._own_rows()

    def _own_rows(self) -> _mercer.Dataset:
        """The rows that the model keeps as they were given, with its predictions."""
        points, scaled = self.model_.points, any(len(numbers) for numbers in self.model_.scaling)
        if self.model_.map or scaled or self.model_.linear or points.rows == 0:
            raise ValueError("the model does not keep its training samples as they were; pass X and y")
        predictions = self.model_.predict(points)
        target = _mercer.classes(predictions["codes"], self.model_.labels) if self.model_.labels else _mercer.numbers(predictions["values"])
        return _mercer.Dataset(points, target)

    def _drawn_target(self, y: Any, points: _mercer.Points) -> _mercer.Target:
        if y is None:
            return _mercer.Target()
        y = np.asarray(y)
        if len(y) != points.rows:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: {[points.rows, len(y)]}")
        if not hasattr(self, "classes_"):
            return _mercer.numbers(y)
        codes = np.searchsorted(self.classes_, y).clip(0, len(self.classes_) - 1)
        if not np.array_equal(self.classes_[codes], y):
            raise ValueError(f"y has classes that were not in the training data; the classes are {list(self.classes_)}")
        return _mercer.classes(codes, self.model_.labels)
