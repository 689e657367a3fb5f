"""What the package runs on: versions for bug reports, and a warning where OpenBLAS runs slower code than the CPU could."""
from __future__ import annotations

import platform
import sys
import warnings
from importlib import metadata

from . import _mercer

DEPENDENCIES = ("numpy", "scipy", "scikit-learn", "pandas", "networkx", "matplotlib", "setuptools", "pip")
_warned = False


def show_versions() -> None:
    """Print useful debugging information: Python, its packages, and what the engine runs on (as ``mercer doctor`` does)."""
    sections: dict[str, list[tuple[str, str]]] = {
        "System": [("python", sys.version.replace("\n", " ")), ("executable", sys.executable), ("machine", platform.platform())],
        "Python dependencies": [(name, _version(name)) for name in DEPENDENCIES],
        "Engine": [(label, value) for _, label, value in _mercer.doctor()],
    }
    for title, lines in sections.items():
        print(f"\n{title}:")
        width = max(len(label) for label, _ in lines)
        for label, value in lines:
            print(f"{label:>{width}}: {value}")


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "None"


def warn_of_slow_products(stacklevel: int) -> None:
    """Once in a process, where the engine could not mend it from inside; the level is that of the function that calls this one."""
    global _warned
    if not _warned and (warning := _mercer.performance_warning()):
        _warned = True
        warnings.warn(warning, RuntimeWarning, stacklevel=stacklevel + 1)
