"""Kernel canonical correlation analysis (Bach & Jordan 2002; Hardoon, Szedmak & Shawe-Taylor 2004)."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from .kernels import Kernel
from .words import bytes_of, plain_errors, positive_number, threads, whole_number


class KernelCCA(BaseEstimator):
    """Regularized kernel canonical correlation analysis: functions of two views that correlate most.

    Parameters
    ----------
    n_components : int, default=2
        Number of pairs of functions.
    kernel : Kernel or str, default='rbf(gamma=median)'
        Of the rows of X.
    other_kernel : Kernel, str or None, default=None
        Of the rows of Y; None: that of X.
    regularization : float > 0, default=0.02
        κ: n·κ/2 is added to the diagonals of the centred kernel matrices. The smaller it is, the nearer to 1 are all correlations.
    cache_size : float, default=1024
        Memory for the matrices, in MB.
    n_jobs : int or None, default=None
        Number of threads.

    Attributes
    ----------
    canonical_correlations_ : ndarray of shape (n_components,)
        Canonical correlations of the regularized problem, descending.
    x_weights_, y_weights_ : ndarrays of shape (rows, n_components)
        Dual coefficients of the functions: of centred kernels, scaled so that projections of the training rows have variance 1.
    kernel_, other_kernel_ : Kernel
        The centred kernels with resolved hyperparameters.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).uniform(-2, 2, (100, 1))
    >>> model = KernelCCA(n_components=1).fit(x, np.sin(2 * x))
    >>> model.transform(x).shape
    (100, 1)
    """

    def __init__(self, n_components: int = 2, *, kernel: str | Kernel = "rbf(gamma=median)", other_kernel: str | Kernel | None = None, regularization: float = 0.02, cache_size: float = 1024,
                 n_jobs: int | None = None) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.other_kernel = other_kernel
        self.regularization = regularization
        self.cache_size = cache_size
        self.n_jobs = n_jobs

    def fit(self, X: Any, Y: Any) -> "KernelCCA":
        """Fit the functions to two views of the same rows.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of objects
            Rows of the first view.
        Y : as X
            Rows of the second view, in the same order.

        Returns
        -------
        self
        """
        with plain_errors():
            self._of_x = self.kernel if isinstance(self.kernel, Kernel) else Kernel(self.kernel)
            other = self.kernel if self.other_kernel is None else self.other_kernel
            self._of_y = other if isinstance(other, Kernel) else Kernel(other)
            x, y = self._of_x._points(X), self._of_y._points(Y)
            self._cca = _mercer.KernelCca(self._of_x._engine, x, self._of_y._engine, y, whole_number("n_components", self.n_components, 1),
                                          positive_number("regularization", self.regularization), threads(self.n_jobs), bytes_of(self.cache_size))
        self._x, self._y = X, Y  # new rows are encoded as these were
        self.canonical_correlations_ = self._cca.correlations
        self.x_weights_, self.y_weights_ = self._cca.coefficients
        self.kernel_, self.other_kernel_ = map(Kernel, self._cca.kernels)
        return self

    def transform(self, X: Any, Y: Any = None) -> Any:
        """Project rows.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of objects
            Rows of the first view.
        Y : as X, default=None
            Rows of the second view.

        Returns
        -------
        ndarray of shape (n_rows, n_components)
            If Y is given, a pair of them.
        """
        check_is_fitted(self, "canonical_correlations_")
        with plain_errors():
            x = self._cca.project_x(self._of_x._both(self._x, X)[1], threads(self.n_jobs))
            return x if Y is None else (x, self._cca.project_y(self._of_y._both(self._y, Y)[1], threads(self.n_jobs)))

    def fit_transform(self, X: Any, Y: Any) -> tuple[np.ndarray, np.ndarray]:
        """Fit the functions and project both views.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list of objects
            Rows of the first view.
        Y : as X
            Rows of the second view, in the same order.

        Returns
        -------
        pair of ndarrays of shape (n_rows, n_components)
        """
        return self.fit(X, Y).transform(X, Y)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_cca"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if hasattr(self, "canonical_correlations_"):  # from the rows again: the same bits
            self.fit(self._x, self._y)
