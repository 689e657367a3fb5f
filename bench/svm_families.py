"""What `bench/run svm` runs: every public data set that LIBSVM can take, with two settings each, and generated families.

A case is (name, function that writes LIBSVM text and returns its path, C, gamma, "svc" or "svr"). Generated problems have fixed seeds.
"""
from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Callable, Iterator

import numpy as np
from scipy import sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

Case = tuple[str, Callable[[], Path], float, float, str]


def write(folder: Path, name: str, X, y) -> Path:
    path = folder / f"{name}.svm"
    if not path.exists():
        dump_svmlight_file(X, y, str(path), zero_based=False)
    return path


def training_file(folder: Path) -> Path:
    """The training rows, or all where they are not divided."""
    return min(folder.glob("*.svm"), key=lambda path: "train" not in path.name)


def mnist(data: Path, folder: Path) -> Path:
    """The first 10,000 rows, pixels / 255."""
    X = np.load(data / "mnist" / "X_train.npy")[:10000].reshape(10000, -1) / 255.0
    return write(folder, "mnist", X, np.load(data / "mnist" / "y_train.npy")[:10000].astype(int))


def standardized(data: Path, folder: Path, name: str) -> Path:
    """Columns and target with mean 0 and variance 1: the raw regression sets have neither."""
    X, y = load_svmlight_file(str(training_file(data / f"reg_{name}")))
    X = X.toarray()
    return write(folder, name, (X - X.mean(0)) / np.maximum(X.std(0), 1e-12), (y - y.mean()) / y.std())


SETS = {  # name: (C, gamma) twice
    "a9a": ((1, 0.05), (100, 0.5)),
    "ijcnn1": ((32, 2), (1, 0.5)),
    "covtype_10k": ((10, 4), (100, 1)),
    "letter": ((10, 10), (100, 1)),
    "pendigits": ((10, 1e-4), (1, 1e-3)),
    "satimage": ((10, 5e-4), (1, 5e-3)),
    "spambase": ((1, 1e-3), (100, 1e-5)),
    "svmguide1": ((1, 1e-2), (100, 1e-3)),
    "heart_scale": ((1, 0.1), (1000, 0.01)),
    "rcv1_1k": ((1, 1), (100, 0.1)),
}
REGRESSIONS = {"cadata": ((1, 0.1), (10, 0.5)), "kin8nm": ((1, 0.1), (10, 0.2)), "concrete": ((10, 0.1), (100, 0.02)),
               "airfoil": ((10, 0.2), (100, 0.5))}


def public(data: Path, folder: Path) -> Iterator[Case]:
    for name, settings in SETS.items():
        for C, gamma in settings:
            yield name, lambda name=name: training_file(data / name), C, gamma, "svc"
    for C, gamma in ((10, 0.02), (1, 0.005)):
        yield "MNIST 10,000", lambda: mnist(data, folder), C, gamma, "svc"
    for name, settings in REGRESSIONS.items():
        for C, gamma in settings:
            yield f"{name} (ε-SVR)", lambda name=name: standardized(data, folder, name), C, gamma, "svr"


def checkerboard(mercer: str, folder: Path) -> Path:
    path = folder / "checkerboard.svm"
    subprocess.run([mercer, "generate", "checkerboard", "-n", "100000", "--seed", "1", "-o", str(path), "--quiet"], check=True)
    return path


def smooth(folder: Path, n: int, d: int, flipped: float) -> Path:
    """Two classes by the sign of a smooth function of a few of the columns; a share of the labels is flipped."""
    random = np.random.default_rng(d)
    X = random.normal(size=(n, d))
    f = np.sin(2 * X[:, 0]) + X[:, 1 % d] * X[:, 2 % d]
    keep = np.abs(f) > 0.1 if flipped == 0 else np.full(n, True)
    y = np.sign(f) * np.where(random.uniform(size=n) < flipped, -1, 1)
    return write(folder, f"smooth{d}_{flipped}", X[keep], y[keep].astype(int))


def clusters(folder: Path, n: int, classes: int) -> Path:
    """Classes of unequal size, three clusters each, in 16 columns."""
    random = np.random.default_rng(classes)
    shares = 1 / np.arange(1, classes + 1)
    y = random.choice(classes, n, p=shares / shares.sum())
    centres = random.normal(size=(classes, 3, 16)) * 1.2
    return write(folder, f"clusters{classes}", centres[y, random.integers(0, 3, n)] + random.normal(size=(n, 16)), y)


def sparse_rows(folder: Path, binary: bool) -> Path:
    """Few of many columns are not 0; the class follows from some of them, one in ten wrongly."""
    random = np.random.default_rng(7 + binary)
    n, d = (15_000, 250) if binary else (8_000, 3_000)
    X = sparse.random(n, d, 0.06 if binary else 0.01, "csr", random_state=random, data_rvs=np.ones if binary else random.random)
    f = X @ random.normal(size=d)
    y = np.where((f > np.median(f)) ^ (random.uniform(size=n) < 0.1), 1, -1)
    return write(folder, "binary" if binary else "sparse", X, y)


def generated(mercer: str, folder: Path) -> Iterator[Case]:
    yield "checkerboard 100,000", lambda: checkerboard(mercer, folder), 100, 1, "svc"
    for n, d in ((20_000, 2), (20_000, 8), (10_000, 32), (6_000, 128), (3_000, 512)):
        for flipped, share in ((0.0, "few"), (0.2, "many")):
            yield (f"smooth, {n:,} × {d}, {share} support vectors", lambda n=n, d=d, flipped=flipped: smooth(folder, n, d, flipped),
                   10 if flipped == 0 else 1, 0.5 / d, "svc")
    for classes in (3, 10, 20, 50):
        yield f"clusters, 8,000 × 16, {classes} classes", lambda classes=classes: clusters(folder, 8_000, classes), 10, 0.05, "svc"
    yield "sparse, 8,000 × 3,000", lambda: sparse_rows(folder, False), 10, 0.1, "svc"
    yield "binary, 15,000 × 250", lambda: sparse_rows(folder, True), 10, 0.05, "svc"
    # What breaks assumptions: rows that repeat, columns that say nothing, columns of very different size, extreme C.
    random = np.random.default_rng(11)
    X = random.normal(size=(4_000, 10))
    y = np.where(X[:, 0] + X[:, 1] ** 2 + 0.3 * random.normal(size=len(X)) > 1, 1, -1)
    twice = np.repeat(np.arange(1_000), 4)
    yield "4,000 rows, each four times", lambda: write(folder, "repeated", X[twice], y[twice]), 10, 0.1, "svc"
    yield "constant columns", lambda: write(folder, "constant", np.hstack([X, np.full((len(X), 5), 3.0)]), y), 10, 0.1, "svc"
    yield "unscaled columns", lambda: write(folder, "unscaled", X * np.logspace(-3, 3, 10), y), 10, 1e-5, "svc"
    yield "C = 0.001", lambda: write(folder, "plain", X, y), 1e-3, 0.1, "svc"
    yield "C = 1e6", lambda: write(folder, "plain", X, y), 1e6, 0.1, "svc"
