"""Writes the functions of the Python package that make kernels, each with signature and documentation, from the engine's catalogue of kernels and rules."""
from __future__ import annotations

import ast
import builtins
import keyword
import re
import textwrap
from dataclasses import dataclass
from typing import Any

from mercer.kernels import Kernel

from python_classes import WIDTH, constant, wrapped
from python_types import annotation

HEAD = '''"""A function for every kernel and rule of the engine's catalogue: RBF(gamma=0.1), normalize(k), mkl(k1, k2).

Written by scripts/python_pages.py; what the functions do stands in kernel_factories.py.
"""
# mypy: disable-error-code="empty-body"
from __future__ import annotations

import os
from typing import Any, Callable, Literal, Mapping

from numpy.typing import ArrayLike

from .kernel_factories import from_features, from_function, of_catalogue
from .kernels import Kernel

__all__ = [
{names}
]
'''
# Where taking the words of a name together does not give what people call the kernel.
CALLED = {"rbf": "RBF", "poly": "Polynomial", "wl": "WL", "gkm": "GKM", "bow": "BagOfWords", "set": "set_of"}
OPERAND = "Kernel, str or float"
# Parameters of which the catalogue's default does not tell the type: the type, and what Python takes beside what the engine does.
TYPES = {
    ("quadratic_form", "A"): ("array of shape (n_features, n_features)", ""),
    ("polynomial", "coefficients"): ("array of shape (n_terms,)", ""),
    ("mapped", "by"): ("str, list of formulas or function", ", or a function of the rows"),
    ("weighted", "by"): ("str or function", ", or a function of the rows"),
    ("scaled", "by"): ("array of shape (n_features,) or function", ", or a function f of the rows: f(x) k(x, z) f(z)"),
    ("bow", "similarity"): ("str, path or mapping", ", or a mapping of words to vectors or of pairs of words to numbers, or gensim's KeyedVectors"),
    ("weighted", "sigma"): ("float > 0", ""),
    ("mkl", "norm"): ("float ≥ 1", ""),
    ("orbit", "rotations"): ("float ≥ 0", ""),
    ("patches", "normalize"): ("{'none', 'cosine', 'size'}", ""),
    ("set", "normalize"): ("{'none', 'cosine', 'size'}", ""),
    ("general_set", "counts"): ("{'raw', 'share'}", ""),
    ("mmd", "gamma"): ("float > 0", ""),
}
# What examples give for parameters that must be given, or where the defaults do not show what the function is for.
EXAMPLES = {
    "quadratic_form": "A=[[2, 1], [1, 2]]", "polynomial": '"linear", coefficients=[1, 2]', "weighted": '"linear", by="norm"', "mapped": '"linear", by="squares"',
    "scaled": '"rbf(gamma=1)", by=[1, 0.5]', "mkl": '"linear", "rbf(gamma=1)"', "general_set": '"delta", "linear"', "orbit": '"hog"',
}
NAME = ("str or None", "what expressions and model files call a function given as by: user:name; None is its own name")


@dataclass(frozen=True)
class Parameter:
    """Of a function; without a default it must be given."""

    name: str
    type: str
    default: str
    meaning: str
    place: bool  # may be given by place


def python_name(info: dict[str, Any]) -> str:
    name = info["name"]
    if name in CALLED:
        return CALLED[name]
    if info["kind"] == "leaf":
        return "".join(word[0].upper() + word[1:] for word in name.split("_"))
    return name + "_of" if hasattr(builtins, name) else name


def type_of(parameter: dict[str, Any]) -> str:
    """From the range, or where there is none (of rules) from the default."""
    text, default = parameter["range"], parameter["default"]
    if text == "a word":
        return "str"
    if "yes" in text.split() or default in ("yes", "no"):
        return "bool"
    if default.startswith("["):
        return f"array (each {text})"
    if "whole number" in text or re.fullmatch(r"\d+(, \d+)* or \d+", text) or (not text and re.fullmatch(r"-?\d+", default)):
        return f"int ({text.replace('a whole number from ', '')})" if text else "int"
    if text.endswith(", scale, auto or median"):
        return f"float {text.split(',')[0]} or {{'scale', 'auto', 'median'}}" + (" or None" if parameter["instead"] else "")
    if re.fullmatch(r"\w+( or \w+)+", text):
        return "{" + ", ".join(map(repr, text.split(" or "))) + "}"
    return f"float {text}".replace("float any number", "float").rstrip()


def default_of(parameter: dict[str, Any], kind: str) -> str:
    """As Python writes it; nothing where the parameter must be given. None: the other way to give the parameter before it."""
    text = parameter["default"]
    if text == "":
        return "None" if parameter["instead"] or "None" in kind else ""
    if text in ("yes", "no"):
        return repr(text == "yes")
    if text.startswith("["):
        return repr(tuple(ast.literal_eval(text)))
    if re.fullmatch(r"[-+.\de]+", text):
        return repr(int(text) if kind.startswith("int") else float(text))
    return constant(text)


def parameters_of(info: dict[str, Any]) -> list[Parameter]:
    rule, several = info["kind"] == "rule", info["several"]
    parameters = []
    if rule:
        parameters.append(Parameter("*kernels", OPERAND, "", "the kernels that the rule is applied to", True) if several
                          else Parameter("k", OPERAND, "", "the kernel that the rule is applied to", True))
    for parameter in info["parameters"]:
        kind, more = TYPES.get((info["name"], parameter["name"]), (type_of(parameter), ""))
        name = parameter["name"] + "_" * keyword.iskeyword(parameter["name"])
        parameters.append(Parameter(name, kind, default_of(parameter, kind), parameter["meaning"] + more, not several and not parameter["instead"]))
    if any("function" in parameter.type for parameter in parameters):
        parameters.append(Parameter("name", NAME[0], "None", NAME[1], False))
    return parameters


def documentation(info: dict[str, Any], parameters: list[Parameter]) -> str:
    lines = [*wrapped(info["summary"], ""), "", "::", "", f"    k(x, z) = {info['formula']}" if info["kind"] == "leaf" else f"    {info['formula']}", ""]
    if info["domains"]:
        lines += [f"Compares objects: {', '.join(info['domains'])}.", ""]
    if parameters:
        lines += ["Parameters", "----------"]
    for parameter in parameters:
        lines += [f"{parameter.name} : {parameter.type}" + (f", default={ast.literal_eval(parameter.default)!r}" if parameter.default else ""), *wrapped(parameter.meaning, capital=False)]
    lines += [""] * bool(parameters) + ["Returns", "-------", "Kernel", "", "Examples", "--------", f">>> from mercer import {python_name(info)}"]
    given = EXAMPLES.get(info["name"], '"rbf(gamma=1)"' if info["kind"] == "rule" else "")
    return "\n".join([*lines, f">>> {python_name(info)}({given})", repr(expression_of(info["name"], given))])


def expression_of(name: str, given: str) -> Kernel:
    """The kernel that the example makes, from the text that the engine reads."""
    words = given.replace('"', "")
    return Kernel(f"{name}({words})" if words else name)


def source(info: dict[str, Any]) -> str:
    """The function: its documentation alone, what it does is the same for all."""
    name, parameters = python_name(info), parameters_of(info)
    words = []
    for parameter in parameters:
        if not parameter.place and "*" not in words and not any(word.startswith("*") for word in words):
            words.append("*")
        words.append(f"{parameter.name}: {annotation(parameter.type)}" + (f" = {parameter.default}" if parameter.default else ""))
    about = documentation(info, parameters)
    assert '"""' not in about and "\\" not in about, about
    line = f"def {name}({', '.join(words)}) -> Kernel:"
    if len(line) > WIDTH:
        line = "\n".join([f"def {name}(", *(f"    {word}," for word in words), ") -> Kernel:"])
    return f'@of_catalogue("{info["kind"]}", "{info["name"]}")\n{line}\n' + textwrap.indent(f'"""{about}\n"""', "    ") + "\n"


def functions(kernels: list[dict[str, Any]]) -> str:
    """The module."""
    known = [info for info in kernels if info["kind"] in ("leaf", "rule")]
    names = ["from_features", "from_function", *map(python_name, known)]
    listed = textwrap.fill(", ".join(f'"{name}"' for name in names) + ",", WIDTH, initial_indent="    ", subsequent_indent="    ")
    return HEAD.format(names=listed) + "".join(f"\n\n{source(info)}" for info in known)
