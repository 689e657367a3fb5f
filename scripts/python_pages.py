#!/usr/bin/env python3
"""Writes what follows from the Python package's catalogue, or with --check says whether it is up to date: the table of docs/python.md, and
python/mercer/__init__.pyi, which tells type checkers and editors of the classes and functions that are made when they are asked for.

PYTHONPATH names the built package."""
import inspect
import pathlib
import re
import sys

import mercer
from mercer import table

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEAD = '''"""Written by scripts/python_pages.py from the catalogue."""
from typing import Any, Callable, Literal, Union

from .automatic import AutoKernel as AutoKernel, AutoKernelClassifier as AutoKernelClassifier, AutoKernelRegressor as AutoKernelRegressor
from .cca import KernelCCA as KernelCCA
from .estimators import load as load
from .feature_maps import ExplicitFeatureMap as ExplicitFeatureMap, Nystroem as Nystroem, PolynomialCountSketch as PolynomialCountSketch
from .feature_maps import RandomFourierFeatures as RandomFourierFeatures, RBFSampler as RBFSampler
from .independence import hsic_ranking as hsic_ranking, hsic_test as hsic_test
from .kernel_check import check_kernel as check_kernel
from .kernels import Kernel as Kernel
from .machine import show_versions as show_versions
from .pictures import plot_gram as plot_gram, plot_prior as plot_prior
'''


def hint(default):
    """Of a parameter of which nothing is known but its default."""
    return type(default).__name__ if isinstance(default, (bool, int, float, str)) else "Any"


WORDS = {"bool": "bool", "int": "int", "float": "float", "str": "str", "None": "None", "dict": "dict[Any, Any]", "callable": "Callable[..., Any]", "Kernel": "Kernel", "True": "bool", "False": "bool"}


def annotation(kind):
    """A type of the documentation ("{'scale', 'auto'}, float or None") as type checkers write it; Any where a part of it is no type."""
    parts = []
    for part in re.findall(r"\{[^}]*\}|[^{},]+?(?=,| or |$)", kind.replace(" or ", ", ")):
        part = part.strip()
        if part.startswith("{"):
            parts += [f"Literal[{own}]" if own.startswith("'") else WORDS[own] for own in re.split(r",\s*", part[1:-1])]
        elif part.startswith("'"):
            parts.append(f"Literal[{part}]")
        elif part:
            parts.append(WORDS.get(part.split()[0], "Any"))
    parts = list(dict.fromkeys(parts))
    if not parts or "Any" in parts:
        return "Any"
    words = [part[8:-1] for part in parts if part.startswith("Literal[")]
    others = [part for part in parts if not part.startswith("Literal[")]
    if "str" in parts:
        words = []
    parts = ([f"Literal[{', '.join(words)}]"] if words else []) + others
    return parts[0] if len(parts) == 1 else f"Union[{', '.join(parts)}]"


def written(parameters, types=None):
    """The parameters of a signature with their types, those of the documentation where it has any, and defaults."""
    parts, starred = [], False
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not starred:
            parts.append("*")
        starred = starred or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        kind = annotation(types[p.name]) if types else hint(p.default)
        if p.kind is p.VAR_POSITIONAL:
            parts.append(f"*{p.name}: Any")
        else:
            parts.append(f"{p.name}: Any" if p.default is p.empty else f"{p.name}: {kind} = {p.default!r}")
    return ", ".join(parts)


def stub():
    bases = {}
    for module, name in sorted({tuple(entry.base.split(".")) for entry in [*table.ESTIMATORS.values(), *table.EARLIER.values()]}):
        bases.setdefault(module, []).append(name)
    lines = [HEAD + "".join(f"from .{module} import {', '.join(names)}\n" for module, names in bases.items()), "__version__: str\n"]
    from mercer import estimators, kernel_factories

    for name, entry in {**table.ESTIMATORS, **table.EARLIER}.items():
        base = entry.base.split(".")[1]
        lines.append(f"class {name}({base}):\n    def __init__(self, {written(inspect.signature(getattr(estimators, name)).parameters.values(), getattr(estimators, name)._types)}) -> None: ...")
    lines += [f"{name} = {now[0]}" for name, now in table.REPLACED.items() if len(now) == 1]
    lines.append("")
    for name in kernel_factories.__all__:
        lines.append(f"def {name}({written(inspect.signature(getattr(mercer, name)).parameters.values())}) -> Kernel: ...")
    return "\n".join(lines) + "\n"


def docs_table():
    lines = ["| Class | What it is | scikit-learn's twin |", "|---|---|---|"]
    for name in [*table.ESTIMATORS, *(other for other in table.OTHERS if other[0].isupper())]:
        summary = next(line for line in inspect.getdoc(getattr(mercer, name)).split("\n") if line).rstrip(".").replace("|", "\\|")
        like = table.ESTIMATORS[name].like if name in table.ESTIMATORS else f"sklearn.kernel_approximation.{name}" if name in ("Nystroem", "RBFSampler", "PolynomialCountSketch") else ""
        lines.append(f"| `{name}` | {summary} | {like and '`' + like + '`'} |")
    return "\n".join(lines)


def pages():
    """Path and text of each page."""
    page = ROOT / "docs/python.md"
    text = re.sub(r"\| Class \|.*?\n\n", lambda _: docs_table() + "\n\n", page.read_text(), count=1, flags=re.S)
    return {page: text, ROOT / "python/mercer/__init__.pyi": stub()}


def main():
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not up to date; run scripts/python_pages.py")
        return 1 if stale else 0
    for path in stale:
        path.write_text(pages()[path])
    return 0


if __name__ == "__main__":
    sys.exit(main())
