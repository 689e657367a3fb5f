"""Losses and regularizers of your own for RiskMinimizer, as Python functions."""
from __future__ import annotations

from typing import Any, Callable, Literal

from . import _mercer


class Loss:
    """A smooth loss L(y, f) of your own, for ``RiskMinimizer(loss=…)``.

    The functions take arrays of targets y and predictions f of the same length and return as many numbers. The loss is checked on samples when it is fitted: one that is not
    finite, whose derivative is not that of its value, or that is not convex is refused with the place; ``allow_nonconvex=True`` takes the last kind.

    Parameters
    ----------
    value : function
        L(y, f).
    derivative : function
        ∂L/∂f.
    second : function, default=None
        ∂²L/∂f²; None finds it from differences of the derivative.
    conjugate : function, default=None
        sup over f of a·f − L(y, f), as a function of y and a; with it the report has a duality gap.
    target : {'real', 'counts', 'signs'}, default='real'
        What y is: any number, a number ≥ 0, or one of two classes (1 for the second, -1 for the first).
    name : str, default=None
        Name in messages and model files. None is that of the function ``value``.

    Examples
    --------
    >>> import numpy as np
    >>> log_cosh = Loss(lambda y, f: np.log(np.cosh(f - y)), lambda y, f: np.tanh(f - y), name="log_cosh")
    >>> from sklearn.datasets import load_iris
    >>> from mercer import RiskMinimizer
    >>> X = load_iris().data
    >>> bool(RiskMinimizer(loss=log_cosh).fit(X[:, :3], X[:, 3]).score(X[:, :3], X[:, 3]) > 0.9)
    True
    """

    def __init__(self, value: Callable[..., Any], derivative: Callable[..., Any], second: Callable[..., Any] | None = None,
                 conjugate: Callable[..., Any] | None = None, *, target: Literal["real", "counts", "signs"] = "real", name: str | None = None) -> None:
        self.value, self.derivative, self.second, self.conjugate, self.target = value, derivative, second, conjugate, target
        own = getattr(value, "__name__", "")
        self.name = name or (own if own.isidentifier() else "loss")
        self._own()  # refuses another target

    @property
    def task(self) -> str:
        return "classification" if self.target == "signs" else "regression"

    def _own(self) -> _mercer.OwnLoss:
        return _mercer.OwnLoss(self.name, self.target, self.value, self.derivative, self.second, self.conjugate)


class Regularizer:
    """A regularizer Ω(‖f‖²) of your own, for ``RiskMinimizer(omega=…)``: a strictly increasing function.

    Parameters
    ----------
    value : function
        Ω(t) of a number t ≥ 0.
    derivative : function
        Ω′(t).

    Examples
    --------
    >>> Regularizer(lambda t: t + t**2, lambda t: 1 + 2 * t).value(2.0)
    6.0
    """

    def __init__(self, value: Callable[[float], float], derivative: Callable[[float], float]) -> None:
        self.value, self.derivative = value, derivative

    def _own(self) -> _mercer.OwnOmega:
        return _mercer.OwnOmega(self.value, self.derivative)
