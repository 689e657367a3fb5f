"""The attributes that scikit-learn's support vector machines have."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .estimator import as_rows


class SupportVectors:
    """The attributes that scikit-learn's machines have."""

    def _take_support(self, rows: np.ndarray, coefficients: np.ndarray) -> None:
        model = self.model_
        self.support_ = rows.astype(np.int32)
        self.dual_coef_ = np.ascontiguousarray(coefficients.T)
        self.intercept_ = -model.levels
        self.n_iter_ = np.asarray(self.report_["problem_iterations"], dtype=np.int32)
        self.fit_status_ = 0 if self.report_["converged"] else 1

    @property
    def n_support_(self) -> np.ndarray:
        """Support vectors of each class; of regression and novelty their number."""
        check_is_fitted(self)
        return self._n_support

    @property
    def support_vectors_(self) -> Any:
        """The rows that carry the function."""
        check_is_fitted(self)
        return as_rows(self.model_.points)

    @property
    def coef_(self) -> Any:
        """The weights of the columns, of the linear kernel."""
        if getattr(self, "kernel", "linear") != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        check_is_fitted(self)
        return self._linear_weights()
