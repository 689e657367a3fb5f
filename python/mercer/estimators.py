"""The estimators, made from the table and the engine's catalogue of methods."""
from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from . import _mercer
from .table import ESTIMATORS, KERNEL, SHARED, Entry

METHODS = {method["name"]: method for method in _mercer.methods()}


def _python_name(parameter: str) -> str:
    return "alpha" if parameter == "lambda" else parameter  # lambda is a word of the language


def _default(value: Any) -> Any:
    """Of a parameter of the catalogue, as Python writes it."""
    if value in ("yes", "no"):
        return value == "yes"
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _make(name: str, entry: Entry) -> type:
    method = METHODS[entry.method]
    names, defaults, meanings = {}, {}, {}
    for parameter in method["parameters"]:
        if parameter["name"] in entry.left_out:
            continue
        python = entry.renamed.get(parameter["name"], _python_name(parameter["name"]))
        names[parameter["name"]] = python
        defaults[python] = entry.defaults.get(python, _default(parameter["default"]))
        meanings[python] = parameter["meaning"] + (f" ({', '.join(parameter['choices'])})" if parameter["choices"] else "")
    shared = (() if entry.kernel.get("kernel", "") is None and name == "LinearSVC" else KERNEL) + entry.shared
    for parameter in shared:
        standard, meaning = SHARED[parameter]
        defaults[parameter] = entry.kernel.get(parameter, entry.defaults.get(parameter, standard))
        meanings[parameter] = meaning
    if entry.first:
        defaults = {entry.first: defaults[entry.first], **defaults}
    module, base = entry.base.split(".")
    return type(name, (getattr(import_module(f".{module}", __package__), base),), {
        "__doc__": _doc(name, entry, method, defaults, meanings), "__init__": _init(name, defaults), "__module__": "mercer",
        "_method": entry.method, "_names": names, **({"_several": True} if method["multi_output"] else {})})


def _init(name: str, defaults: dict[str, Any]) -> Any:
    """A constructor with these parameters, the first of them by place too, that only remembers them."""

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        given = signature.bind(self, *values, **named)
        given.apply_defaults()
        for parameter, value in list(given.arguments.items())[1:]:
            setattr(self, parameter, value)

    kinds = [inspect.Parameter.POSITIONAL_OR_KEYWORD] + [inspect.Parameter.KEYWORD_ONLY] * len(defaults)
    signature = inspect.Signature([inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)] + [
        inspect.Parameter(parameter, kind, default=default) for (parameter, default), kind in zip(defaults.items(), kinds)])
    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{name}.__init__"
    return __init__


def _doc(name: str, entry: Entry, method: dict[str, Any], defaults: dict[str, Any], meanings: dict[str, str]) -> str:
    summary = method["summary"]
    lines = [f"{summary[0].upper()}{summary[1:]}.", "", f"    {method['formula']}", ""]
    if entry.like:
        lines += [f"The contract is that of {entry.like}.", ""]
    lines += ["Parameters", "----------"]
    for parameter, default in defaults.items():
        lines += [f"{parameter} : default {default!r}", f"    {meanings[parameter]}"]
    return "\n".join(lines)


for _name, _entry in ESTIMATORS.items():
    globals()[_name] = _make(_name, _entry)
__all__ = list(ESTIMATORS)
