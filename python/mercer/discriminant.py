"""Fisher's discriminant: a classifier, and the coordinates in which it tells the classes apart."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from .classifiers import Classifier
from .compatibility import check_fitted, described


class Discriminant(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Classifier):
    """Gives coordinates beside classes.

    With z the coordinates of a sample, centred, and z_c the mean of class c in them, the engine's function of class c is zᵀz_c plus a constant. Coordinates make the scatter
    between classes, Σ π_c z_c z_cᵀ with π_c the share of the class, diagonal, so both follow from the functions' values: their means over classes, centred, are z_cᵀz_c′.
    """

    _fitted = {"explained_variance_ratio_": ("ndarray of shape (n_classes - 1,)", "share of the scatter between classes along each coordinate, the largest first")}

    def __sklearn_tags__(self) -> Any:
        return described(self, super().__sklearn_tags__())  # those of transformers, which the mixin makes, too

    def _fit_classes(self, X: Any, y: Any, sample_weight: Any) -> None:
        super()._fit_classes(X, y, sample_weight)
        weights = self._weights(sample_weight, X)
        scores = self._predictions_of_rows(X, "scores")
        weights = np.full(len(scores), 1 / len(scores)) if weights is None else weights / weights.sum()
        indicators = (np.ravel(y)[:, np.newaxis] == self.classes_) * weights[:, np.newaxis]
        shares, self._centre = indicators.sum(axis=0), weights @ scores
        means = (indicators.T @ (scores - self._centre)) / shares[:, np.newaxis]  # a row for each class
        if scores.shape[1] == 1:  # one function, zᵀ(z_1 - z_0), and so is the gap between the means of the classes
            gap = float(means[1, 0] - means[0, 0])
            self._axes, scatter = np.array([[1 / np.sqrt(gap) if gap > 0 else 0.0]]), np.ones(1)
        else:
            roots = np.sqrt(shares)
            values, vectors = np.linalg.eigh(roots[:, np.newaxis] * (means + means.T) / 2 * roots)
            scatter, vectors = np.maximum(values[:0:-1], 0), vectors[:, :0:-1]
            vectors = vectors * np.sign(vectors[np.argmax(np.abs(vectors), axis=0), np.arange(len(scatter))])
            sizes = np.sqrt(np.where(scatter > 1e-12 * scatter.max(initial=0), scatter, np.inf))  # where all classes have the same mean, the coordinate is 0
            self._axes = roots[:, np.newaxis] * vectors / sizes
        self.explained_variance_ratio_ = scatter / scatter.sum() if scatter.sum() > 0 else scatter

    def transform(self, X: Any) -> np.ndarray:
        """Discriminant coordinates: centred, with variance 1 within the classes (as the penalty lets it), along which the means of the classes lie furthest apart.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes - 1)
        """
        check_fitted(self)
        if "_axes" not in self.__dict__:
            raise ValueError("coordinates need the classes of the training samples, which a model file does not hold; fit the estimator again")
        return (self._predictions(X, "scores") - self._centre) @ self._axes

    @property
    def _n_features_out(self) -> int:
        return len(self.classes_) - 1
