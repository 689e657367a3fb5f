"""Estimators that learn without a target: novelty and clusters."""
from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import ClusterMixin, OutlierMixin
from sklearn.exceptions import ConvergenceWarning

from . import _mercer
from .compatibility import samples_in
from .estimator import KernelEstimator
from .support_vectors import OneMachine
from .words import caller, whole_number


class Unsupervised(KernelEstimator):
    """Learns from samples alone."""

    _least_rows = 1

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "Unsupervised":
        """Fit the model.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Training samples; with kernel='precomputed' the kernel matrix, (n_samples, n_samples).
        y : ignored
            For compatibility with pipelines.
        sample_weight : array of shape (n_samples,), optional
            Sample weights; a sample of weight 0 is ignored.

        Returns
        -------
        self
        """
        X = self._rows(X, learn=True, ensure_min_samples=self._least_rows)
        self._fit_samples(X, self._weights(sample_weight, X))
        return self

    def _fit_samples(self, X: Any, weights: np.ndarray | None) -> None:
        raise NotImplementedError


class NoveltyDetector(OutlierMixin, Unsupervised):
    """Novelty detection."""

    _fitted = {"offset_": ("ndarray of shape (1,)", "decision_function is score_samples - offset_")}

    def _fit_samples(self, X: Any, weights: np.ndarray | None) -> None:
        self._learn(X, _mercer.Target(), weights)
        self.offset_ = self._offset()

    def _take_model(self, model: _mercer.Model) -> None:
        super()._take_model(model)
        self.offset_ = self._offset()

    def _offset(self) -> np.ndarray:
        return self.model_.rho

    def decision_function(self, X: Any) -> np.ndarray:
        """Decision function values: positive for inliers, negative for outliers.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._predictions(X, "scores").ravel()

    def score_samples(self, X: Any) -> np.ndarray:
        """Decision function values without the offset.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self.decision_function(X) + self.offset_

    def predict(self, X: Any) -> np.ndarray:
        """Predict 1 for inliers and -1 for outliers.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.where(self.decision_function(X) >= 0, 1, -1)


class SupportVectorNovelty(OneMachine, NoveltyDetector):
    """One-class support vector machine."""

    def _own_tags(self) -> dict[str, Any]:
        # The check has four different rows, all of them on the border of the region, where the sign of a decision value, 0 up to rounding, depends on the order of sums.
        return {"_xfail_checks": {"check_sample_weights_invariance": "which side of the border a row on the border lies on depends on the order of the rows"}}


class MeanDetector(NoveltyDetector):
    """The ball around the mean in feature space."""

    _fitted = {"offset_": ("ndarray of shape (1,)", "minus the squared radius; score_samples is minus the squared distance to the mean in feature space")}

    def _offset(self) -> np.ndarray:
        return np.array([-self.report_["diagnostics"]["threshold"]])


class Clusterer(ClusterMixin, Unsupervised):
    """Clustering."""

    _fitted = {"labels_": ("ndarray of shape (n_samples,)", "cluster of each sample, from 0")}

    _least_rows = 2

    def _fit_samples(self, X: Any, weights: np.ndarray | None) -> None:
        self._clusters = None
        whole_number("n_clusters", self.n_clusters, 1)
        try:
            self._learn(X, _mercer.Target(), weights)
        except ValueError:
            # As scikit-learn's KMeans does it: where rows repeat, there may be less to find than was asked for.
            different = _different_rows(X, weights)
            if not 0 < different < min(self.n_clusters, samples_in(X)):
                raise
            warnings.warn(f"Number of distinct clusters ({different}) found smaller than n_clusters ({self.n_clusters}). Possibly due to duplicate points in X.",
                          ConvergenceWarning, stacklevel=caller())
            self._clusters = different
            self._learn(X, _mercer.Target(), weights)
        self.labels_ = self._predictions_of_rows(X, "codes")

    def _parameters(self) -> dict[str, Any]:
        parameters = super()._parameters()
        return parameters if self._clusters is None else {**parameters, "clusters": self._clusters}

    def predict(self, X: Any) -> np.ndarray:
        """Predict the cluster of each sample.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Clusters, from 0.
        """
        return self._predictions(X, "codes")

    def _own_tags(self) -> dict[str, Any]:
        # The clusters are the same, but the check shuffles the rows and compares the clusters' numbers. scikit-learn's KMeans expects it to fail as well.
        return {"_xfail_checks": {"check_sample_weights_invariance": "clusters are numbered in the order of the rows"}}


class MeansClusterer(Clusterer):
    """Clusters around means."""

    _fitted = {
        "inertia_": ("float", "sum of squared distances in feature space between samples and the means of their clusters"),
        "n_iter_": ("int", "iterations of the best start"),
    }

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        self.inertia_, self.n_iter_ = float(self.report_["objective"]), int(self.report_["iterations"])


def _different_rows(X: Any, weights: np.ndarray | None) -> int:
    """How many rows that count are different."""
    counting = range(samples_in(X)) if weights is None else np.flatnonzero(weights)
    if hasattr(X, "indptr"):
        return len({(X[i].indices.tobytes(), X[i].data.tobytes()) for i in counting})
    return len({X[i].tobytes() if isinstance(X, np.ndarray) else repr(X[i]) for i in counting})
