"""Writes the estimators of the Python package, each a class with signature and documentation, from the table and the engine's catalogue of methods."""
from __future__ import annotations

import textwrap
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from python_table import EARLIER, ESTIMATORS, KERNEL, SHARED, Entry, unnamed
from python_types import annotation

WIDTH = 110
HEAD = '''"""Every estimator: what its parameters are, what it learns and an example.

Written by scripts/python_pages.py from scripts/python_table.py and the engine's catalogue of methods; what the classes do stands in those they come from.
"""
from __future__ import annotations

from typing import Any, Callable, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.gaussian_process.kernels import Kernel as ProcessKernel

{bases}from .kernels import Kernel
from .losses import Loss, Regularizer

__all__ = [
{names}
]
'''


@dataclass(frozen=True)
class Parameter:
    """Of a constructor."""

    default: Any
    type: str
    meaning: str


def lines_of_table(methods: list[dict[str, Any]]) -> dict[str, Entry]:
    """Every estimator of this version."""
    return {**ESTIMATORS, **unnamed(methods, {entry.method for entry in ESTIMATORS.values()})}


def of_catalogue(parameter: dict[str, Any]) -> Parameter:
    """A parameter as Python writes it: yes and no are True and False, numbers that count are whole."""
    default, choices, meaning = parameter["default"], parameter["choices"], parameter["meaning"]
    if set(choices) == {"yes", "no"}:
        return Parameter(default == "yes", "bool", meaning)
    if choices:
        return Parameter(default, "{" + ", ".join(map(repr, choices)) + "}", meaning)
    if "whole" in parameter["range"]:
        return Parameter(int(default), "int", meaning)
    return Parameter(default, f"float {parameter['range']}".rstrip() + (" or None" if default is None else ""), meaning)


def parameters_of(entry: Entry, method: dict[str, Any]) -> tuple[dict[str, str], dict[str, Parameter]]:
    """Catalogue's names with Python's, and the constructor's parameters: first the method's, then the kernel's, then those that are shared."""
    names, parameters = {}, {}
    for parameter in method["parameters"]:
        if parameter["name"] in entry.left_out:
            continue
        # lambda is a word of the language
        python = entry.renamed.get(parameter["name"], "alpha" if parameter["name"] == "lambda" else parameter["name"])
        names[parameter["name"]], parameters[python] = python, of_catalogue(parameter)
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
    if entry.first:
        parameters = {entry.first: parameters[entry.first], **parameters}
    return names, parameters


def fitted_attributes(base: type) -> dict[str, tuple[str, str]]:
    """What fit() gives, from the class itself first."""
    attributes: dict[str, tuple[str, str]] = {}
    for part in base.__mro__:
        for attribute, about in part.__dict__.get("_fitted", {}).items():
            attributes.setdefault(attribute, about)
    return attributes


def wrapped(text: str, indent: str = "    ", *, capital: bool = True) -> list[str]:
    """A sentence in lines; its first word is written small where it may be a value."""
    sentence = (text[0].upper() if capital else text[0]) + text[1:] + ("" if text.endswith(".") else ".")
    return textwrap.wrap(sentence, WIDTH - 4, initial_indent=indent, subsequent_indent=indent, break_long_words=False)


def constant(value: Any) -> str:
    """As Python programs write it."""
    return f'"{value}"' if isinstance(value, str) and '"' not in value else repr(value)


EXAMPLES = {
    "classifier": ">>> model = {call}.fit(X[:100], y[:100])\n>>> model.predict(X[[0, 99]])\narray([0, 1])",
    "regressor": ">>> model = {call}.fit(X[:, :3], X[:, 3])\n>>> model.predict(X[:2, :3]).shape\n(2,)",
    "clusterer": ">>> {call}.fit_predict(X).shape\n(150,)",
    "outlier_detector": ">>> model = {call}.fit(X)\n>>> model.predict([[50.0, 50.0, 50.0, 50.0]])\narray([-1])",
    "transformer": ">>> len({call}.fit_transform(X))\n150",
}


def example(name: str, entry: Entry, base: type, earlier: bool) -> list[str]:
    from mercer.compatibility import kind_of

    kind = kind_of(base) or ("transformer" if hasattr(base, "fit_transform") else "classifier")  # of classes or numbers: classes
    lines = entry.example or EXAMPLES[kind].format(call=f"{name}({entry.chosen})")
    place = "mercer.estimators" if earlier else "mercer"
    return [">>> from sklearn.datasets import load_iris", f">>> from {place} import {name}", ">>> X, y = load_iris(return_X_y=True)", *lines.split("\n")]


def summary_of(entry: Entry, method: dict[str, Any]) -> str:
    """A sentence."""
    summary = entry.summary or method["summary"].replace(" (mercer losses lists all)", "")
    return f"{summary[0].upper()}{summary[1:]}."


def documentation(name: str, entry: Entry, method: dict[str, Any], parameters: dict[str, Parameter], base: type, now: tuple[str, ...]) -> str:
    """In numpydoc's sections."""
    lines = [*wrapped(summary_of(entry, method), ""), ""]
    formula = entry.formula or method.get("formula", "")
    if formula:
        lines += ["::", "", f"    {formula}", ""]
    if now:
        lines += [*wrapped(f"The name of {' and '.join(now)} in the version before, which goes with the next one.", ""), ""]
    if entry.like:
        lines += [f"Same interface as {entry.like}.", ""]
    if entry.note:
        lines += [*wrapped(entry.note, ""), ""]
    lines += ["Parameters", "----------"]
    for python, parameter in parameters.items():
        lines += [f"{python} : {parameter.type}, default={parameter.default!r}", *wrapped(parameter.meaning)]
    lines += ["", "Attributes", "----------"]
    for attribute, (kind, meaning) in fitted_attributes(base).items():
        lines += [f"{attribute} : {kind}", *wrapped(meaning)]
    lines += ["", "Examples", "--------", *example(name, entry, base, bool(now))]
    return "\n".join(lines)


def source(name: str, entry: Entry, method: dict[str, Any], now: tuple[str, ...] = ()) -> str:
    """The class."""
    names, parameters = parameters_of(entry, method)
    module, base = entry.base.split(".")
    about = documentation(name, entry, method, parameters, getattr(import_module(f"mercer.{module}"), base), now)
    assert '"""' not in about and "\\" not in about, about
    first, *rest = [f"{python}: {annotation(parameter.type)} = {constant(parameter.default)}," for python, parameter in parameters.items()]
    lines = [f'class {name}({base}):', *textwrap.indent(f'"""{about}\n"""', "    ").split("\n"), ""]
    if entry.method:
        lines += [f'    _method = "{entry.method}"',
                  *textwrap.wrap("_names = {" + ", ".join(f'"{old}": "{new}"' for old, new in names.items()) + "}", WIDTH, initial_indent="    ", subsequent_indent=" " * 14)]
    if method.get("multi_output"):
        lines.append("    _several = True")
    lines += [""] * bool(entry.method) + ["    def __init__(", *(f"        {part}" for part in ("self,", first, "*,", *rest)), "    ) -> None:"]
    return "\n".join(lines + [f"        self.{python} = {python}" for python in parameters]) + "\n"


def estimators(methods: list[dict[str, Any]]) -> str:
    """The module."""
    from python_table import REPLACED

    known = {"": {"parameters": [], "solvers": []}, **{method["name"]: method for method in methods}}
    table = lines_of_table(methods)
    bases: dict[str, list[str]] = {}
    for module, base in sorted({tuple(entry.base.split(".")) for entry in {**table, **EARLIER}.values()}):
        bases.setdefault(module, []).append(base)
    imports = "".join(f"from .{module} import {', '.join(names)}\n" for module, names in bases.items())
    names = textwrap.fill(", ".join(f'"{name}"' for name in table) + ",", WIDTH, initial_indent="    ", subsequent_indent="    ")
    parts = [source(name, entry, known[entry.method]) for name, entry in table.items()]
    parts += [source(name, entry, known[entry.method], REPLACED[name]) for name, entry in EARLIER.items()]
    return HEAD.format(bases=imports, names=names) + "".join(f"\n\n{part}" for part in parts)
