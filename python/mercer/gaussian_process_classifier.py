"""Gaussian process classification by Laplace's approximation (Rasmussen & Williams 2006, chapter 3)."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _mercer
from .classifiers import Classifier
from .compatibility import check_fitted
from .gaussian_process import STANDARD
from .gp_interface import Range
from .kernel_choice import Expression, Function, Precomputed, choose
from .kernels import Kernel
from .words import label_text, number_or_word, plain_errors, truth


class LaplaceClassifier(Classifier):
    """Gaussian process classification.

    Two classes have one latent function. More classes have one each, against the rest, and their probabilities are brought to the sum 1, as in scikit-learn; all share one kernel, whose
    hyperparameters maximize the sum of the log marginal likelihoods (scikit-learn optimizes a kernel for each class). They are kept as given if kernel is None, a callable, or
    precomputed.
    """

    _fitted = {
        "kernel_": ("Kernel", "the kernel with its optimized hyperparameters; a callable kernel is kept as given"),
        "n_classes_": ("int", "number of classes"),
        "log_marginal_likelihood_value_": ("float", "log marginal likelihood (Laplace's approximation); of more than two classes the mean over the classes"),
        "X_train_": ("ndarray of shape (rows, columns)", "training samples"),
    }

    def _fit_classes(self, X: Any, y: Any, sample_weight: Any) -> None:
        self._searching = True
        try:
            super()._fit_classes(X, y, sample_weight)
        finally:
            del self._searching
        self.X_train_ = X.copy() if hasattr(X, "copy") else X
        self._codes, self._weights_given = np.searchsorted(self.classes_, np.ravel(y)), self._weights(sample_weight, X)
        self._take_evidence()

    def _take_evidence(self) -> None:
        self.n_classes_ = len(self.classes_)
        self.log_marginal_likelihood_value_ = self._evidence_of(self.model_)
        if isinstance(self._choice, Expression):
            self.kernel_ = Kernel(self.model_.kernel)
        else:
            self.kernel_ = "precomputed" if isinstance(self._choice, Precomputed) else self._choice.function

    def _evidence_of(self, model: _mercer.Model) -> float:
        return model.report()["diagnostics"]["log_marginal_likelihood"] / (len(self.classes_) if len(self.classes_) > 2 else 1)

    def _take_model(self, model: _mercer.Model) -> None:
        super()._take_model(model)
        self._take_evidence()
        self.optimizer = "fmin_l_bfgs_b" if model.parameters["optimize"] == "evidence" else None

    def _choose_kernel(self, X: Any) -> Any:
        kernel, ranges = self.kernel, None
        if self.optimizer not in ("evidence", "fmin_l_bfgs_b", None):
            raise ValueError(f"optimizer must be 'evidence', 'fmin_l_bfgs_b' (both maximize the log marginal likelihood) or None, not {self.optimizer!r}")
        if kernel is None:
            kernel = STANDARD
        elif hasattr(kernel, "hyperparameters") and not isinstance(kernel, Kernel):  # scikit-learn's own
            kernel, ranges = self._written(kernel, X)
        choice = choose(kernel, X, gamma=self.gamma, degree=self.degree, coef0=self.coef0, arguments=self.kernel_params, indefinite=self.allow_indefinite,
                        names=self._columns())
        self._bounds = self._search_bounds(choice, X, ranges)
        return choice

    def _written(self, kernel: Any, X: Any) -> tuple[Any, tuple[Range, ...] | None]:
        """A kernel of scikit-learn's as an expression with the ranges of its numbers, or, where none of them is looked for, as it is."""
        from .gp_search import expression, without_noise

        rest, white = without_noise(kernel)
        if rest is None or white.value > 0:
            raise ValueError("a WhiteKernel has no meaning in classification, where the labels are noisy by themselves; leave it out")
        written = expression(kernel, X.shape[1])
        if written is not None:
            return written.text, written.ranges
        if self.optimizer is not None and kernel.n_dims > 0:
            raise ValueError(f"{kernel} has no expression, so that its hyperparameters cannot be optimized; optimizer=None keeps them")
        return kernel, None

    def _search_bounds(self, choice: Expression | Precomputed | Function, X: Any, ranges: tuple[Range, ...] | None) -> list[tuple[str, float, float]]:
        """Where the evidence is looked for: none where there is nothing to find."""
        if self.optimizer is None or not hasattr(self, "_searching") or self.kernel is None or not isinstance(choice, Expression) or self.approx not in (None, "none"):
            return []
        if not choice.kernel.resolved:
            choice.kernel = choice.kernel.resolve(choice.training(X))
        own = Kernel(choice.kernel, self.kernel.get_params(deep=False)["parameter_bounds"] if isinstance(self.kernel, Kernel) else None)
        bounds = [(name, low, high) for name, _, low, high in own._search_ranges()]
        if ranges is not None:
            bounds = [(name, given.low, given.high) for (name, *_), given in zip(bounds, ranges, strict=True)]
        if not any(low < high for _, low, high in bounds) and not truth("ard", self.ard):
            return []
        return bounds if any(name.startswith("factor") for name, *_ in bounds) else [*bounds, ("factor", 1.0, 1.0)]

    def _parameters(self) -> dict[str, Any]:
        given = {method: number_or_word(python, getattr(self, python)) for method, python in self._names.items() if python != "optimizer"}
        return {**given, "optimize": "evidence" if self._bounds else "none"}

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), **({"bounds": self._bounds} if getattr(self, "_bounds", None) else {})}

    def _promises_probabilities(self) -> bool:
        return True

    def log_marginal_likelihood(self, theta: Any = None) -> float:
        """Laplace's approximation of the log marginal likelihood of the training labels.

        Parameters
        ----------
        theta : array of shape (n_hyperparameters,), default=None
            Logarithms of the kernel hyperparameters, in the order of ``kernel_``; None: those of the fit.

        Returns
        -------
        float
        """
        check_fitted(self)
        if theta is None:
            return self.log_marginal_likelihood_value_
        if not isinstance(self._choice, Expression) or not hasattr(self, "X_train_"):
            raise ValueError("the hyperparameters or the samples of this model are not known, so theta must be None")
        with plain_errors():
            kernel = self.model_.kernel.with_numbers(np.exp(np.asarray(theta, dtype=float)).tolist())
            target = _mercer.classes(self._codes, [label_text(label) for label in self.classes_])
            options = {**self._options(), "bounds": [], "allow_indefinite": True}
            model = _mercer.fit(_mercer.Method("gp_classifier", {"optimize": "none"}), kernel, self._choice.training(self.X_train_), target, self._weights_given, options=options)
        return self._evidence_of(model)
