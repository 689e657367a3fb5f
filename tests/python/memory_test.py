"""Memory: fits leave none behind, and a large matrix is read where it is."""
from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import textwrap
from typing import Any, Callable

import numpy as np
import pytest

import mercer

numbers = np.random.default_rng(0)
X = numbers.normal(size=(60, 5))
labels = numbers.integers(0, 3, 60)
y = X[:, 0] + 0.1 * numbers.normal(size=60)


def resident() -> float:
    """Memory of this process in MB."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def failing(rows: Any, columns: Any) -> np.ndarray:
    raise RuntimeError("no")


def fails() -> None:
    with pytest.raises(RuntimeError):
        mercer.SVC(kernel=failing).fit(X, labels)
    with pytest.raises(ValueError):
        mercer.SVC(C=-1).fit(X, labels)


WORK: dict[str, Callable[[], Any]] = {
    "SVC": lambda: mercer.SVC(n_jobs=1).fit(X, labels).predict(X),
    "SVC with probabilities": lambda: mercer.SVC(n_jobs=1, probability=True).fit(X, labels).predict_proba(X),
    "SVC float32": lambda: mercer.SVC(n_jobs=1).fit(X.astype(np.float32), labels).support_vectors_,
    "KernelRidge": lambda: mercer.KernelRidge(kernel="rbf", n_jobs=1).fit(X, y).predict(X),
    "KernelPCA": lambda: mercer.KernelPCA(n_components=2, kernel="rbf", n_jobs=1).fit(X).transform(X),
    "a function": lambda: mercer.SVC(kernel=lambda a, b: a @ b.T, n_jobs=1).fit(X, labels).decision_function(X),
    "k(X, Y)": lambda: mercer.Kernel("rbf(gamma=1) + linear")(X, X[:7]),
    "errors": fails,
}


@pytest.mark.parametrize("name", WORK)
def test_a_thousand_fits_leave_nothing_behind(name: str) -> None:
    work = WORK[name]
    for _ in range(200):
        work()
    before = resident()
    for _ in range(800):
        work()
    assert resident() - before < 4  # MB: 5 kB a fit would be noticed, and a fit's own arrays are 2 kB and more


def test_fitted_estimators_do_not_hold_the_training_matrix() -> None:
    large = numbers.normal(size=(400, 20000)).astype(np.float32)
    large[:, 0] += 50 * (np.arange(400) % 2)  # two support vectors or a few
    holders = sys.getrefcount(large)
    model = mercer.SVC(kernel="linear", C=1).fit(large, np.arange(400) % 2)
    assert sys.getrefcount(large) == holders
    vectors = model.support_vectors_.copy()
    large[:] = 0
    np.testing.assert_array_equal(model.support_vectors_, vectors)


# --- A large matrix of float32. ----------------------------------------------------------------------------------------------

MEASURE = """
import json, resource, sys
import numpy as np
import mercer
# Not ru_maxrss, which a program inherits from the one that started it.
def peak(): return int(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1]) / 1024
def settle():
    # The highest mark until now is of the matrix and the imports: what is made later comes on top of it.
    global start
    start = peak()
rows, columns = {rows}, {columns}
"""


def beyond(rows: int, columns: int, body: str) -> float:
    """How far beyond the matrix itself the memory of a process goes, as a part of the matrix."""
    code = MEASURE.format(rows=rows, columns=columns) + textwrap.dedent(body) + "\nprint(json.dumps(peak() - start))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) / (rows * columns * 4 / 2**20)


# Two clouds far apart, one row at a time so that nothing larger than the matrix is ever made; y alternates, as real rows do.
CLOUDS = """
numbers = np.random.default_rng(0)
y = np.arange(rows) % 2
Z = np.empty((rows, columns), np.float32)
for i in range(rows):
    Z[i] = numbers.standard_normal(columns, dtype=np.float32) * 0.1 + y[i]
"""
READS = {
    "predict": ("model = mercer.SVC(n_jobs=1).fit(Z[:200], y[:200])", "model.predict(Z)"),
    "predict of a linear machine": ("model = mercer.SVC(kernel='linear', n_jobs=1).fit(Z[:200], y[:200])", "model.predict(Z)"),
    "predict of ridge regression": ("model = mercer.KernelRidge(kernel='rbf', gamma=0.01, n_jobs=1).fit(Z[:200], y[:200])", "model.predict(Z)"),
    "transform": ("model = mercer.KernelPCA(n_components=2, kernel='rbf', n_jobs=1).fit(Z[:200])", "model.transform(Z)"),
}


@pytest.mark.parametrize("name", READS)
def test_a_large_matrix_is_not_copied_to_answer(name: str) -> None:
    prepare, work = READS[name]
    assert beyond(250_000, 128, CLOUDS + prepare + "\nsettle()\n" + work) < 0.5


@pytest.mark.parametrize("model", ["SVC(gamma=1e-8, C=1e4, n_jobs=1)", "SVC(kernel='linear', n_jobs=1)", "LinearSVC(n_jobs=1)"])
def test_a_large_matrix_is_not_copied_to_learn(model: str) -> None:
    """The engine wants rows class by class, in float32 and in float64: it reads them where they are. What is kept are few support vectors."""
    assert beyond(1_200, 36_000, CLOUDS + f"model = mercer.{model}\nsettle()\nmodel.fit(Z, y)") < 0.6


def test_rows_reach_the_engine_without_a_copy() -> None:
    work = """
model = mercer.SVC()
settle()
X, y = model._rows(Z, y, learn=True)
points = model._choose_kernel(X).training(X)
assert points.numbers().__array_interface__["data"][0] == Z.__array_interface__["data"][0]
"""
    assert beyond(250_000, 128, CLOUDS + work) < 0.2
