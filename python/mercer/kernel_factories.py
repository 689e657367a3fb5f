"""A function for every kernel and rule of the engine's catalogue: RBF(gamma=0.1), normalize(k), mkl(k1, k2).

Names, parameters, defaults and meanings come from the catalogue, so that a new kernel appears here by itself.
"""
from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import os
import re
import warnings
from typing import Any, Callable

from . import _mercer
from .kernel_words import argument_text, number_text
from .kernels import Kernel, written
from .similar_words import similar_words

# Where taking the words of a name together does not give what people call the kernel.
CALLED = {"rbf": "RBF", "poly": "Polynomial", "wl": "WL", "gkm": "GKM", "bow": "BagOfWords", "set": "set_of"}
RENAMED = {("anova", "sigma"): "gamma"}  # parameters that had another name
BY = {"mapped": "mapped", "weighted": "weighted", "scaled": "weighted"}  # rules whose `by` may be a Python function, and the rule that it makes
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


def _operand(value: Any) -> Kernel:
    return Kernel(value if isinstance(value, (Kernel, str)) else number_text(value, "a kernel"))


def _user(function: Callable[..., Any], name: str | None, standard: str, **kind: Any) -> _mercer.UserFunction:
    """The function under its own name, unless another is given; a lambda has none."""
    if not callable(function):
        raise TypeError(f"{function!r} is no function")
    own = getattr(function, "__name__", "")
    return _mercer.UserFunction(name or (own if own.isidentifier() and own.isascii() else standard), function, **kind)


def from_features(phi: Callable[..., Any], name: str | None = None, of: str | None = None) -> Kernel:
    """The kernel φ(x)ᵀφ(z) of a feature map φ.

    Parameters
    ----------
    phi : function
        Of an array of rows (a CSR matrix, where the data are sparse); returns an array with as many rows.
    name : str, default None
        What expressions and model files call it: ``user:name``. None is the function's own name.
    of : {'text', 'sequence', 'symbols', 'molecule', 'vectors', 'image'}, default None
        Which objects the function takes, a list of them at a time: str, of sets of vectors and of images arrays. None is rows of numbers.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> k = from_features(lambda X: X**2)
    >>> k([1.0, 2.0], [3.0, 4.0])
    73.0
    >>> lengths = from_features(lambda texts: [[len(text)] for text in texts], of="text")
    >>> lengths(["a", "abc"])
    array([[1., 3.],
           [3., 9.]])
    """
    function = _user(phi, name, "phi", of=of)
    return written(f"mapped(linear, by=user:{function.name})", by=(function,))


def from_function(k: Callable[..., Any], name: str | None = None, psd: bool = False, of: str | None = None) -> Kernel:
    """A kernel given as a function of two arrays of rows.

    Parameters
    ----------
    k : function
        ``k(X, Z)`` returns the array of the similarities, rows of X × rows of Z. It is called on parts of the rows, by several threads in turn.
    name : str, default None
        What expressions and model files call it: ``user:name``. None is the function's own name.
    psd : bool, default False
        Whether you know that the function is positive semidefinite.
    of : str, default None
        Which objects the function compares, as in :func:`from_features`: it is given two lists. None is rows of numbers.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> k = 0.5 * from_function(lambda X, Z: X @ Z.T, psd=True) + Kernel("rbf(gamma=1)")
    >>> k([1.0, 0.0], [1.0, 0.0])
    1.5
    """
    function = _user(k, name, "k", kernel=True, psd=psd, of=of)
    return written(f"user:{function.name}", by=(function,))


def _make(info: dict[str, Any]) -> Callable[..., Kernel]:
    """The function that writes the expression."""
    names = {parameter["name"] + "_" * keyword.iskeyword(parameter["name"]): parameter["name"] for parameter in info["parameters"]}
    kinds = inspect.Parameter
    operands = []
    if info["kind"] == "rule":
        operands = [kinds("kernels", kinds.VAR_POSITIONAL)] if info["several"] else [kinds("k", kinds.POSITIONAL_OR_KEYWORD)]
    parameters = [kinds(name, kinds.KEYWORD_ONLY if info["several"] or parameter["instead"] else kinds.POSITIONAL_OR_KEYWORD, default=_default(parameter))
                  for name, parameter in zip(names, info["parameters"])]
    if info["name"] in BY:
        parameters.append(kinds("name", kinds.KEYWORD_ONLY, default=None))
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
        operands = [_operand(kernel) for kernel in kernels]
        rule, by = info["name"], given.get("by")
        if info["name"] in BY and callable(by):
            made = _user(by, given.get("name"), "f" if info["name"] != "mapped" else "phi")
            if set(given) - {"k", "by", "name"}:
                raise TypeError(f"{function.__name__}() of a function takes no other parameters")
            return written(f"{BY[info['name']]}({operands[0]}, by=user:{made.name})", *operands, by=(made,))
        if given.pop("name", None) is not None:
            raise TypeError(f"{function.__name__}(): name is that of a function, and by={by!r} is none")
        if isinstance(by, (list, tuple)) and by and all(isinstance(entry, str) for entry in by):  # formulas over columns
            given["by"] = f"[{', '.join(by)}]"
        vectors = None  # held until the text that names them is read
        if info["name"] == "bow" and not isinstance(given.get("similarity"), (str, type(None))):
            if isinstance(given["similarity"], os.PathLike):
                given["similarity"] = os.fspath(given["similarity"])
            else:
                vectors = similar_words(given["similarity"])
                given["similarity"] = f"words#{vectors.checksum}"
        texts = [str(kernel) for kernel in operands]
        texts += [f"{names[name]}={argument_text(name, value)}" for name, value in given.items() if name in names and value is not None]
        made = written(f"{rule}({', '.join(texts)})" if texts else rule, *operands)
        del vectors
        return made

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
        if known is None and name == "name":
            lines += ["name : str, default None", "    what expressions and model files call a function given as by: user:name; None is its own name"]
            continue
        if known is None:
            lines += [f"{'*' if name == 'kernels' else ''}{name} : Kernel, expression or number", f"    the kernel{'s' if name == 'kernels' else ''} that the rule is applied to"]
            continue
        default = "" if parameter.default is parameter.empty else f"instead of {before}" if parameter.default is None else f"default {parameter.default!r}"
        about = ", ".join(part for part in (known["range"], default) if part)
        more = ", or a mapping of words to vectors or of pairs of words to numbers, or gensim's KeyedVectors" if name == "similarity" else ""
        more += {"scaled": ", or a function f of the rows: f(x) k(x, z) f(z)"}.get(info["name"], ", or a function of the rows") if info["name"] in BY and name == "by" else ""
        lines += [f"{name} : {about}" if about else name, f"    {known['meaning']}{more}"]
        before = name
    return "\n".join([*lines, *([""] if signature.parameters else []), "Returns", "-------", "Kernel"])


def formulas(expression: str) -> list[tuple[str, str]]:
    """Kernels and rules that an expression names, with their formulas."""
    named = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", re.sub(r'"(?:\\.|[^"\\])*"|@\s*\w+|@\s*\[[^\]]*\]|\w+\s*=\s*\w+', "", expression)))
    return [(name, CATALOGUE[kind, name]["formula"]) for name in named for kind in ("leaf", "rule") if (kind, name) in CATALOGUE]


__all__ = ["from_features", "from_function"]
for _info in CATALOGUE.values():
    if _info["kind"] in ("leaf", "rule"):
        _function = _make(_info)
        globals()[_function.__name__] = _function
        __all__.append(_function.__name__)
