"""Estimators from model files, those that ``save`` wrote and those of the command line. Loading runs no code of the file's."""
from __future__ import annotations

import os
from typing import Any, Callable

from . import _mercer, estimators
from .compatibility import kind_of
from .kernels import Kernel, both_kinds
from .words import plain_errors


def load(path: str | os.PathLike[str], functions: dict[str, Callable[..., Any]] | None = None) -> Any:
    """Load the estimator from a file that ``save`` or the command line wrote; LIBSVM's .model files are read too.

    Parameters
    ----------
    path : str or path
        The file.
    functions : dict of functions or None, default=None
        The Python functions in the model's kernel, by name: a file holds the names alone.

    Returns
    -------
    estimator
        The fitted estimator.

    Raises
    ------
    ValueError
        If the file is not a valid model.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.datasets import load_iris
    >>> from mercer import SVC, load
    >>> X, y = load_iris(return_X_y=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "iris.mercer")
    ...     SVC().fit(X, y).save(path)
    ...     model = load(path)
    >>> model.predict(X[[0, 149]])
    array([0, 2])
    """
    with open(path, "rb"):  # what cannot be opened is Python's own error
        with plain_errors():
            model = _mercer.Model.load(os.fspath(path), both_kinds(functions))
    return estimator_of(model)


def estimator_of(model: _mercer.Model) -> Any:
    """A fitted estimator around a model."""
    classes = [cls for name in estimators.__all__ if (cls := getattr(estimators, name))._method == model.method]
    # Where a method has an estimator for classes and one for numbers, the labels tell.
    cls = next((one for one in classes if kind_of(one) == ("classifier" if model.labels else "regressor")), classes[0])
    given = {python: _python_value(model.parameters[method]) for method, python in cls._names.items()}
    made = cls(**given, **({"kernel": Kernel(model.kernel) if model.kernel.functions() else model.kernel.text()} if "kernel" in cls().get_params() else {}))
    made._take_model(model)
    return made


def _python_value(value: Any) -> Any:
    if value in ("yes", "no"):
        return value == "yes"
    return int(value) if isinstance(value, float) and value.is_integer() else value
