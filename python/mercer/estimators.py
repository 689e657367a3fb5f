"""The estimators, made from the table and the engine's catalogue of methods, and loaded from files. Loading runs no code of the file's."""
from __future__ import annotations

import inspect
import os
import textwrap
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Callable

from . import _mercer
from .compatibility import kind_of
from .kernels import Kernel, both_kinds
from .table import EARLIER, ESTIMATORS, KERNEL, SHARED, Entry
from .words import plain_errors

METHODS = {method["name"]: method for method in _mercer.methods()}


@dataclass(frozen=True)
class Parameter:
    """Of a constructor."""

    default: Any
    type: str
    meaning: str


def _of_catalogue(parameter: dict[str, Any]) -> Parameter:
    """A parameter as Python writes it: yes and no are True and False, numbers that count are whole."""
    default, choices, meaning = parameter["default"], parameter["choices"], parameter["meaning"]
    if set(choices) == {"yes", "no"}:
        return Parameter(default == "yes", "bool", meaning)
    if choices:
        return Parameter(default, "{" + ", ".join(map(repr, choices)) + "}", meaning)
    if "whole" in parameter["range"]:
        return Parameter(int(default), "int", meaning)
    return Parameter(default, f"float {parameter['range']}" + (" or None" if default is None else ""), meaning)


def _parameters(entry: Entry, method: dict[str, Any]) -> tuple[dict[str, str], dict[str, Parameter]]:
    """Catalogue's names with Python's, and the constructor's parameters: first the method's, then the kernel's, then those that are shared."""
    names, parameters = {}, {}
    for parameter in method["parameters"]:
        if parameter["name"] in entry.left_out:
            continue
        # lambda is a word of the language
        python = entry.renamed.get(parameter["name"], "alpha" if parameter["name"] == "lambda" else parameter["name"])
        names[parameter["name"]], parameters[python] = python, _of_catalogue(parameter)
    for shared in (KERNEL if entry.kernel is not None else ()) + entry.shared:
        parameters[shared] = Parameter(*SHARED[shared])
    if "solver" in parameters:
        parameters["solver"] = Parameter("auto", "{" + ", ".join(map(repr, ["auto", *method["solvers"]])) + "}", SHARED["solver"][2])
    for python, default in {**entry.defaults, **(entry.kernel or {})}.items():
        known = parameters[python]
        kind = known.type.replace("float", "int") if type(default) is int else known.type + (" or None" if default is None and "None" not in known.type else "")
        parameters[python] = Parameter(default, kind, known.meaning)
    for python, (kind, meaning) in entry.meanings.items():
        parameters[python] = Parameter(parameters[python].default, kind, meaning)
    return names, parameters


def _make(name: str, entry: Entry) -> type:
    method = METHODS[entry.method]
    names, parameters = _parameters(entry, method)
    if entry.first:
        parameters = {entry.first: parameters[entry.first], **parameters}
    module, base_name = entry.base.split(".")
    base = getattr(import_module(f".{module}", __package__), base_name)
    return type(name, (base,), {
        "__doc__": _doc(name, entry, method, parameters, base), "__init__": _init(name, parameters), "__module__": __package__, "_method": entry.method, "_names": names,
        "_standard": {python: parameter.default for python, parameter in parameters.items()}, "_types": {python: parameter.type for python, parameter in parameters.items()}, **({"_several": True} if method["multi_output"] else {})})


def _init(name: str, parameters: dict[str, Parameter]) -> Any:
    """A constructor with these parameters, the first of them by place too, that only remembers them."""

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        try:
            given = signature.bind(self, *values, **named)
        except TypeError as error:
            raise TypeError(f"{name}.__init__() {error}") from None
        given.apply_defaults()
        for parameter, value in list(given.arguments.items())[1:]:
            setattr(self, parameter, value)

    kinds = [inspect.Parameter.POSITIONAL_OR_KEYWORD] + [inspect.Parameter.KEYWORD_ONLY] * len(parameters)
    signature = inspect.Signature([inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)] + [
        inspect.Parameter(python, kind, default=parameter.default) for (python, parameter), kind in zip(parameters.items(), kinds)])
    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{name}.__init__"
    return __init__


# --- The documentation. ------------------------------------------------------------------------------------------------------

EXAMPLES = {
    "classifier": ">>> model = {call}.fit(X[:100], y[:100])\n>>> model.predict(X[[0, 99]])\narray([0, 1])",
    "regressor": ">>> model = {call}.fit(X[:, :3], X[:, 3])\n>>> model.predict(X[:2, :3]).shape\n(2,)",
    "clusterer": ">>> {call}.fit_predict(X).shape\n(150,)",
    "outlier_detector": ">>> model = {call}.fit(X)\n>>> model.predict([[50.0, 50.0, 50.0, 50.0]])\narray([-1])",
    "transformer": ">>> len({call}.fit_transform(X))\n150",
}


def _example(name: str, entry: Entry, base: type) -> list[str]:
    kind = "transformer" if hasattr(base, "transform") else kind_of(base) or "classifier"  # of classes or numbers: classes
    lines = EXAMPLES[kind].format(call=f"{name}({entry.chosen})")
    return [">>> from sklearn.datasets import load_iris", f">>> from {__package__} import {name}", ">>> X, y = load_iris(return_X_y=True)", *lines.split("\n")]


def _doc(name: str, entry: Entry, method: dict[str, Any], parameters: dict[str, Parameter], base: type) -> str:
    summary = method["summary"].replace(" (mercer losses lists all)", "")
    lines = [f"{summary[0].upper()}{summary[1:]}.", "", f"    {entry.formula or method['formula']}", ""]
    if entry.like:
        lines += [f"Same interface as {entry.like}.", ""]
    if entry.note:
        lines += [*_wrapped(entry.note, ""), ""]
    lines += ["Parameters", "----------"]
    for python, parameter in parameters.items():
        lines += [f"{python} : {parameter.type}, default={parameter.default!r}", *_wrapped(parameter.meaning)]
    lines += ["", "Attributes", "----------"]
    for attribute, (kind, meaning) in fitted_attributes(base).items():
        lines += [f"{attribute} : {kind}", *_wrapped(meaning)]
    lines += ["", "Examples", "--------", *_example(name, entry, base)]
    return "\n".join(lines)


def fitted_attributes(base: type) -> dict[str, tuple[str, str]]:
    """What fit() gives, from the class itself first."""
    attributes: dict[str, tuple[str, str]] = {}
    for part in base.__mro__:
        for attribute, about in part.__dict__.get("_fitted", {}).items():
            attributes.setdefault(attribute, about)
    return attributes


def _wrapped(text: str, indent: str = "    ") -> list[str]:
    sentence = text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")
    return textwrap.wrap(sentence, 110, initial_indent=indent, subsequent_indent=indent, break_long_words=False)


for _name, _entry in {**EARLIER, **ESTIMATORS}.items():
    globals()[_name] = _make(_name, _entry)
__all__ = [*ESTIMATORS, "load"]


# --- Files, shared with the command line. --------------------------------------------------------------------------------------


def load(path: str | os.PathLike[str], functions: dict[str, Callable[..., Any]] | None = None) -> Any:
    """Load the estimator from a file that ``save`` or the command line wrote; LIBSVM's .model files are read too.

    Parameters
    ----------
    path : str or path
        The file.
    functions : dict of functions, default None
        The Python functions in the model's kernel, by name: a file holds the names alone.

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
        with plain_errors():
            model = _mercer.Model.load(os.fspath(path), both_kinds(functions))
    return estimator_of(model)


def estimator_of(model: _mercer.Model) -> Any:
    """A fitted estimator around a model."""
    classes = [globals()[name] for name, entry in ESTIMATORS.items() if entry.method == model.method]
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
