"""The command line beside the package, for tests that both agree."""
from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

MERCER = os.environ.get("MERCER", "")
DATA = Path(os.environ.get("MERCER_DATA", "/nonexistent"))  # real data sets
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the environment variable MERCER_DATA does not name a folder of data sets")
needs_mercer = pytest.mark.skipif(not MERCER, reason="the environment variable MERCER does not name the command line")


def mercer(folder: Path, *arguments: str) -> str:
    """What a command prints."""
    return subprocess.run([MERCER, *arguments], cwd=folder, check=True, capture_output=True, text=True, timeout=60).stdout


def scores(text: str) -> np.ndarray:
    """Lines of numbers."""
    return np.array([[float(word) for word in line.split()] for line in text.splitlines()])


def gram(path: Path, kernel: str, folder: Path | None = None) -> np.ndarray:
    """The matrix that the command line computes of a file or folder; it is written beside it, or into another folder."""
    out = (folder or path.parent) / "gram.npy"
    mercer(path.parent, "gram", path.name, "--kernel", kernel, "-o", str(out), "--quiet")
    return np.load(out)
