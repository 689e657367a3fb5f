"""The command line beside the package, for tests that both agree."""
from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

MERCER = os.environ.get("MERCER", "")
needs_mercer = pytest.mark.skipif(not MERCER, reason="the environment variable MERCER does not name the command line")


def mercer(folder: Path, *arguments: str) -> str:
    """What a command prints."""
    return subprocess.run([MERCER, *arguments], cwd=folder, check=True, capture_output=True, text=True, timeout=60).stdout


def scores(text: str) -> np.ndarray:
    """Lines of numbers."""
    return np.array([[float(word) for word in line.split()] for line in text.splitlines()])


def gram(path: Path, kernel: str) -> np.ndarray:
    """The matrix that the command line computes of a file or folder."""
    mercer(path.parent, "gram", path.name, "--kernel", kernel, "-o", "gram.npy", "--quiet")
    return np.load(path.parent / "gram.npy")
