"""How functions make kernels: from parameters, as the engine's catalogue has them (the functions of kernel_functions.py), and from functions of the user's."""
from __future__ import annotations

import functools
import inspect
import keyword
import os
import re
import warnings
from typing import Any, Callable, Literal, TypeVar, cast

from . import _mercer
from .kernel_words import argument_text, number_text
from .kernels import Kernel, written
from .similar_words import similar_words

RENAMED = {("anova", "sigma"): "gamma"}  # parameters that had another name
BY = {"mapped": "mapped", "weighted": "weighted", "scaled": "weighted"}  # rules whose `by` may be a Python function, and the rule that it makes
Domain = Literal["text", "sequence", "symbols", "molecule", "vectors", "image"]
Described = TypeVar("Described", bound=Callable[..., Kernel])
CATALOGUE = {(info["kind"], info["name"]): info for info in _mercer.kernels()}


def _operand(value: Any) -> Kernel:
    return Kernel(value if isinstance(value, (Kernel, str)) else number_text(value, "a kernel"))


def _user(function: Callable[..., Any], name: str | None, standard: str, **kind: Any) -> _mercer.UserFunction:
    """The function under its own name, unless another is given; a lambda has none."""
    if not callable(function):
        raise TypeError(f"{function!r} is no function")
    own = getattr(function, "__name__", "")
    return _mercer.UserFunction(name or (own if own.isidentifier() and own.isascii() else standard), function, **kind)


def from_features(phi: Callable[..., Any], name: str | None = None, of: Domain | None = None) -> Kernel:
    """The kernel φ(x)ᵀφ(z) of a feature map φ.

    Parameters
    ----------
    phi : function
        Of an array of rows (a CSR matrix, where the data are sparse); returns an array with as many rows.
    name : str or None, default=None
        What expressions and model files call it: ``user:name``. None is the function's own name.
    of : {'text', 'sequence', 'symbols', 'molecule', 'vectors', 'image'} or None, default=None
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


def from_function(k: Callable[..., Any], name: str | None = None, psd: bool = False, of: Domain | None = None) -> Kernel:
    """A kernel given as a function of two arrays of rows.

    Parameters
    ----------
    k : function
        ``k(X, Z)`` returns the array of the similarities, rows of X × rows of Z. It is called on parts of the rows, by several threads in turn.
    name : str or None, default=None
        What expressions and model files call it: ``user:name``. None is the function's own name.
    psd : bool, default=False
        Whether you know that the function is positive semidefinite.
    of : {'text', 'sequence', 'symbols', 'molecule', 'vectors', 'image'} or None, default=None
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


def of_catalogue(kind: str, name: str) -> Callable[[Described], Described]:
    """Makes a signature and its documentation a function that writes the expression."""
    info = CATALOGUE[kind, name]
    names = {parameter["name"] + "_" * keyword.iskeyword(parameter["name"]): parameter["name"] for parameter in info["parameters"]}

    def made(described: Described) -> Described:
        signature = inspect.signature(described)

        @functools.wraps(described)
        def function(*values: Any, **named: Any) -> Kernel:
            _rename(info, function.__name__, named)
            try:
                given = signature.bind(*values, **named).arguments
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return _written(info, names, function.__name__, given)

        return cast(Described, function)

    return made


def _rename(info: dict[str, Any], function: str, named: dict[str, Any]) -> None:
    for old in [name for name in named if (info["name"], name) in RENAMED]:
        now = RENAMED[info["name"], old]
        warnings.warn(f"{function}(): {old} is deprecated; use {now}", FutureWarning, stacklevel=3)
        if now in named:
            raise TypeError(f"{function}() got both {old} and {now}, which are the same")
        named[now] = named.pop(old)


def _written(info: dict[str, Any], names: dict[str, str], function: str, given: dict[str, Any]) -> Kernel:
    """The expression with the parameters that were given; names are Python's and the engine's."""
    kernels = given.get("kernels", (given["k"],) if "k" in given and info["kind"] == "rule" else ())
    if info["several"] and not kernels:
        raise TypeError(f"{function}() needs a kernel")
    operands = [_operand(kernel) for kernel in kernels]
    rule, by = info["name"], given.get("by")
    if rule in BY and callable(by):
        user = _user(by, given.get("name"), "f" if rule != "mapped" else "phi")
        if set(given) - {"k", "by", "name"}:
            raise TypeError(f"{function}() of a function takes no other parameters")
        return written(f"{BY[rule]}({operands[0]}, by=user:{user.name})", *operands, by=(user,))
    if given.pop("name", None) is not None:
        raise TypeError(f"{function}(): name is that of a function, and by={by!r} is none")
    if isinstance(by, (list, tuple)) and by and all(isinstance(entry, str) for entry in by):  # formulas over columns
        given["by"] = f"[{', '.join(by)}]"
    vectors = None  # held until the text that names them is read
    if rule == "bow" and not isinstance(given.get("similarity"), (str, type(None))):
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


def formulas(expression: str) -> list[tuple[str, str]]:
    """Kernels and rules that an expression names, with their formulas."""
    named = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", re.sub(r'"(?:\\.|[^"\\])*"|@\s*\w+|@\s*\[[^\]]*\]|\w+\s*=\s*\w+', "", expression)))
    return [(name, CATALOGUE[kind, name]["formula"]) for name in named for kind in ("leaf", "rule") if (kind, name) in CATALOGUE]
