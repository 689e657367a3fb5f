"""A function for every kernel and rule of the engine's catalogue: RBF(gamma=0.1), normalize(k), mkl(k1, k2).

Names, parameters, defaults and meanings come from the catalogue, so that a new kernel appears here by itself.
"""
from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import re
import warnings
from typing import Any, Callable

from . import _mercer
from .kernel_words import argument_text, number_text
from .kernels import Kernel

# Where taking the words of a name together does not give what people call the kernel.
CALLED = {"rbf": "RBF", "poly": "Polynomial", "wl": "WL", "gkm": "GKM", "bow": "BagOfWords", "set": "set_of"}
RENAMED = {("anova", "sigma"): "gamma"}  # parameters that had another name
CATALOGUE = {(info["kind"], info["name"]): info for info in _mercer.kernels()}


def _python_name(info: dict[str, Any]) -> str:
    name = info["name"]
    if name in CALLED:
        return CALLED[name]
    if info["kind"] == "leaf":
        return "".join(word[0].upper() + word[1:] for word in name.split("_"))
    return name + "_of" if hasattr(builtins, name) else name


def _default(parameter: dict[str, Any]) -> Any:
    """As Python writes it. None: the other way to give the parameter before it."""
    text = parameter["default"]
    if text == "":
        return None if parameter["instead"] else inspect.Parameter.empty
    if text in ("yes", "no"):
        return text == "yes"
    if text.startswith("["):
        return ast.literal_eval(text)
    try:
        return int(text) if re.fullmatch(r"-?\d+", text) else float(text)
    except ValueError:
        return text


def _operand(value: Any) -> str:
    if isinstance(value, (Kernel, str)):
        return str(Kernel(value))
    return str(Kernel(number_text(value, "a kernel")))


def _make(info: dict[str, Any]) -> Callable[..., Kernel]:
    """The function that writes the expression."""
    names = {parameter["name"] + "_" * keyword.iskeyword(parameter["name"]): parameter["name"] for parameter in info["parameters"]}
    kinds = inspect.Parameter
    operands = []
    if info["kind"] == "rule":
        operands = [kinds("kernels", kinds.VAR_POSITIONAL)] if info["several"] else [kinds("k", kinds.POSITIONAL_OR_KEYWORD)]
    parameters = [kinds(name, kinds.KEYWORD_ONLY if info["several"] or parameter["instead"] else kinds.POSITIONAL_OR_KEYWORD, default=_default(parameter))
                  for name, parameter in zip(names, info["parameters"])]
    signature = inspect.Signature(operands + parameters, return_annotation=Kernel)

    def function(*values: Any, **named: Any) -> Kernel:
        for old in [name for name in named if (info["name"], name) in RENAMED]:
            now = RENAMED[info["name"], old]
            warnings.warn(f"{function.__name__}(): {old} is deprecated; use {now}", FutureWarning, stacklevel=2)
            if now in named:
                raise TypeError(f"{function.__name__}() got both {old} and {now}, which are the same")
            named[now] = named.pop(old)
        try:
            given = signature.bind(*values, **named).arguments
        except TypeError as error:
            raise TypeError(f"{function.__name__}() {error}") from None
        kernels = given.get("kernels", (given["k"],) if "k" in given and info["kind"] == "rule" else ())
        if info["several"] and not kernels:
            raise TypeError(f"{function.__name__}() needs a kernel")
        written = [_operand(kernel) for kernel in kernels]
        written += [f"{names[name]}={argument_text(name, value)}" for name, value in given.items() if name in names and value is not None]
        return Kernel(f"{info['name']}({', '.join(written)})" if written else info["name"])

    function.__name__ = function.__qualname__ = _python_name(info)
    function.__module__ = "mercer"
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__doc__ = _doc(info, signature)
    return function


def _doc(info: dict[str, Any], signature: inspect.Signature) -> str:
    summary = info["summary"]
    lines = [f"{summary[0].upper()}{summary[1:]}.", "", f"    k(x, z) = {info['formula']}" if info["kind"] == "leaf" else f"    {info['formula']}", ""]
    if info["domains"]:
        lines += [f"Compares objects: {', '.join(info['domains'])}.", ""]
    if signature.parameters:
        lines += ["Parameters", "----------"]
    described = {parameter["name"]: parameter for parameter in info["parameters"]}
    before = ""
    for name, parameter in signature.parameters.items():
        known = described.get(name.rstrip("_"))
        if known is None:
            lines += [f"{'*' if name == 'kernels' else ''}{name} : Kernel, expression or number", f"    the kernel{'s' if name == 'kernels' else ''} that the rule is applied to"]
            continue
        default = "" if parameter.default is parameter.empty else f"instead of {before}" if parameter.default is None else f"default {parameter.default!r}"
        about = ", ".join(part for part in (known["range"], default) if part)
        lines += [f"{name} : {about}" if about else name, f"    {known['meaning']}"]
        before = name
    return "\n".join([*lines, *([""] if signature.parameters else []), "Returns", "-------", "Kernel"])


def formulas(expression: str) -> list[tuple[str, str]]:
    """Kernels and rules that an expression names, with their formulas."""
    named = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", re.sub(r'"(?:\\.|[^"\\])*"|@\s*\w+|@\s*\[[^\]]*\]|\w+\s*=\s*\w+', "", expression)))
    return [(name, CATALOGUE[kind, name]["formula"]) for name in named for kind in ("leaf", "rule") if (kind, name) in CATALOGUE]


__all__ = []
for _info in CATALOGUE.values():
    if _info["kind"] in ("leaf", "rule"):
        _function = _make(_info)
        globals()[_function.__name__] = _function
        __all__.append(_function.__name__)
