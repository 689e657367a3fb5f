"""Models in files, shared with the command line. Loading runs no code of the file's."""
from __future__ import annotations

import os
from typing import Any

from . import _mercer
from .table import ESTIMATORS


def load(path: str | os.PathLike[str]) -> Any:
    """Load the estimator from a file that ``save`` or the command line wrote; LIBSVM's .model files are read too.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    estimator
        The fitted estimator.

    Raises
    ------
    ValueError
        If the file is not a valid model.
    """
    with open(path, "rb"):  # what cannot be opened is Python's own error
        model = _mercer.Model.load(os.fspath(path))
    return estimator_of(model)


def estimator_of(model: _mercer.Model) -> Any:
    """A fitted estimator around a model."""
    from . import estimators

    name = next(name for name, entry in ESTIMATORS.items() if entry.method == model.method)
    cls = getattr(estimators, name)
    given = {python: _python_value(model.parameters[method]) for method, python in cls._names.items()}
    made = cls(**given, **({"kernel": model.kernel.text()} if "kernel" in cls().get_params() else {}))
    made._take_model(model)
    return made


def _python_value(value: Any) -> Any:
    if value in ("yes", "no"):
        return value == "yes"
    return int(value) if isinstance(value, float) and value.is_integer() else value
