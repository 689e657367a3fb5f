#!/usr/bin/env python3
"""Writes what follows from scripts/python_table.py and the engine's catalogue, or with --check says whether it is up to date:
    python/mercer/estimators.py          the estimators, with signatures and documentation
    python/mercer/kernel_functions.py    a function for each kernel and rule
    python/mercer/names.py               in which module a name of the package is found
    python/mercer/__init__.pyi           the same for type checkers and editors, which do not see names that are looked up when they are asked for
    docs/python.md                       its table of classes

PYTHONPATH names the built package, which must have the engine of this source."""
import inspect
import pathlib
import re
import sys
from importlib import import_module

from mercer import _mercer

from python_classes import estimators, lines_of_table, summary_of
from python_functions import functions, python_name
from python_table import EARLIER, OTHERS, REPLACED

ROOT = pathlib.Path(__file__).resolve().parent.parent
TWINS = ("Nystroem", "RBFSampler", "PolynomialCountSketch")  # of sklearn.kernel_approximation, among the classes that are written out
WRITTEN = '"""{} Written by scripts/python_pages.py."""\n'


def modules():
    """Names of the package by module."""
    kernels = [python_name(info) for info in _mercer.kernels() if info["kind"] in ("leaf", "rule")]
    return {"kernels": OTHERS["kernels"], "kernel_functions": ("from_features", "from_function", *kernels), "estimators": tuple(lines_of_table(_mercer.methods())),
            **{module: names for module, names in OTHERS.items() if module != "kernels"}}


def names():
    lines = [WRITTEN.format("In which module each name of the package is found."), "PLACES = {"]
    lines += [f'    "{name}": "{module}",' for module, own in modules().items() for name in own]
    lines += ["}", "# Names of the version before, and what stands in the place of each.", "REPLACED: dict[str, tuple[str, ...]] = {"]
    return "\n".join(lines + [f'    "{old}": ({", ".join(chr(34) + name + chr(34) for name in now)},),' for old, now in REPLACED.items()]) + "\n}\n"


def stub():
    lines = [WRITTEN.format("What the package has, for type checkers and editors.")]
    for module, own in {**modules(), "estimators": (*modules()["estimators"], *EARLIER)}.items():
        lines += [f"from .{module} import {name} as {name}" for name in own]
    lines += ["", "__version__: str", *(f"{name} = {now[0]}" for name, now in REPLACED.items() if len(now) == 1)]
    return "\n".join(lines) + "\n"


def docs_table():
    lines = ["| Class | What it is | scikit-learn's twin |", "|---|---|---|"]
    methods = {method["name"]: method for method in _mercer.methods()}
    rows = {name: (summary_of(entry, methods.get(entry.method)), entry.like) for name, entry in lines_of_table(_mercer.methods()).items()}
    for module, names_there in OTHERS.items():
        for name in names_there:
            if name[0].isupper() and name != "Kernel":
                about = inspect.getdoc(getattr(import_module(f"mercer.{module}"), name))
                rows[name] = about.split("\n")[0], f"sklearn.kernel_approximation.{name}" if name in TWINS else ""
    for name, (summary, like) in rows.items():
        summary = summary.rstrip(".").replace("|", "\\|")
        lines.append(f"| `{name}` | {summary} | {like and '`' + like + '`'} |")
    return "\n".join(lines)


def pages():
    """Path and text of each page."""
    page = ROOT / "docs/python.md"
    text = re.sub(r"\| Class \|.*?\n\n", lambda _: docs_table() + "\n\n", page.read_text(), count=1, flags=re.S)
    package = ROOT / "python/mercer"
    return {package / "estimators.py": estimators(_mercer.methods()), package / "kernel_functions.py": functions(_mercer.kernels()), package / "names.py": names(),
            package / "__init__.pyi": stub(), page: text}


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
