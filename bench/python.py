#!/usr/bin/env python3
"""The Python package beside scikit-learn, in one process and in turn, medians; markdown tables.

    python.py --data DIR [--only NAME …] [--repeats 9] [--quick]

PYTHONPATH names the folder of the package. Both get the same arrays; a9a is sparse, as its users have it, and dense besides.
scikit-learn's machines have one thread; Mercer's time is given with one and with all, as by default. Work that takes scikit-learn long is
done less often. --quick takes small sizes: it tries the script and measures nothing.
"""
from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
import sklearn
from sklearn import decomposition, gaussian_process, kernel_ridge, svm
from sklearn.datasets import load_digits, load_svmlight_file

import mercer

ENOUGH = 20  # seconds of scikit-learn's in a row


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Bench:
    """The data, the sizes, and the lines of the table of times."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.data, self.quick, self.repeats = given.data, given.quick, given.repeats

    def size(self, full: int, small: int) -> int:
        return small if self.quick else full

    def in_turn(self, *works: Callable[[], Any]) -> list[float]:
        """The median time of each; they change places every round. The last is scikit-learn's, which says how many rounds there is time for."""
        times: list[list[float]] = [[] for _ in works]
        while len(times[-1]) < (1 if self.quick else self.repeats) and sum(times[-1]) < ENOUGH:
            for work, of_it in zip(works, times):
                of_it.append(seconds(work))
        return [statistics.median(of_it) for of_it in times]

    def row(self, what: str, one: float, all_threads: float, theirs: float, aim: float | None, check: str) -> None:
        best = theirs / min(one, all_threads)
        verdict = "" if self.quick or not aim else "reached" if best >= aim else "MISSED"
        print(f"| {what} | {one:.3g} | {all_threads:.3g} | {theirs:.3g} | {theirs / one:.1f} | {theirs / all_threads:.1f} | {aim or '–'} | {verdict} | {check} |", flush=True)

    def compare(self, what: str, make: Callable[[int | None], Any], theirs: Any, train: tuple[Any, ...], test: Any, aims: tuple[float | None, float | None],
                answer: str = "predict") -> None:
        """Fits and answers of an estimator."""
        X, *y = train
        one, all_threads = make(1), make(None)
        self.row(f"{what}: fit", *self.in_turn(lambda: one.fit(X, *y), lambda: all_threads.fit(X, *y), lambda: theirs.fit(X, *y)), aims[0], sizes(one))
        mine, other = getattr(one, answer)(test), getattr(theirs, answer)(test)
        times = self.in_turn(lambda: getattr(one, answer)(test), lambda: getattr(all_threads, answer)(test), lambda: getattr(theirs, answer)(test))
        self.row(f"{what}: {answer} {test.shape[0]:,} rows", *times, aims[1], agreement(mine, other))


def sizes(model: Any) -> str:
    found = getattr(model, "support_", None)
    return "" if found is None else f"{len(found):,} support vectors"


def agreement(mine: np.ndarray, theirs: np.ndarray) -> str:
    if mine.dtype.kind in "iuOU" or set(np.unique(theirs[:100])) <= {-1.0, 1.0}:
        return f"{100 * np.mean(mine == theirs):.2f} % the same"
    if mine.ndim > 1:  # components: up to sign
        mine, theirs = np.abs(mine), np.abs(theirs)
    return f"differ by {np.max(np.abs(mine - theirs)) / np.max(np.abs(theirs)):.1e}"


# --- Times. ------------------------------------------------------------------------------------------------------------------


def digits(bench: Bench) -> None:
    X, y = load_digits(return_X_y=True)
    bench.compare("SVC, digits", lambda jobs: mercer.SVC(n_jobs=jobs), svm.SVC(), (X, y), X, (3, 10))
    bench.compare("SVC, digits, γ = 0.001", lambda jobs: mercer.SVC(gamma=0.001, n_jobs=jobs), svm.SVC(gamma=0.001), (X, y), X, (3, 10))  # scikit-learn's own example
    row = X[:1]
    one, all_threads, theirs = mercer.SVC(n_jobs=1).fit(X, y), mercer.SVC().fit(X, y), svm.SVC().fit(X, y)
    hundred = [lambda model=model: [model.predict(row) for _ in range(100)] for model in (one, all_threads, theirs)]
    bench.row("SVC, digits: predict 1 row, 100 times", *bench.in_turn(*hundred), None, "")


def a9a(bench: Bench) -> None:
    (X, y), (test, _) = (load_svmlight_file(str(bench.data / "a9a" / f"a9a.{part}.svm"), n_features=123) for part in ("train", "test"))
    n = bench.size(len(y), 2000)
    X, y, test = X[:n], y[:n], test[:bench.size(test.shape[0], 1000)]
    ours = {"C": 1, "gamma": 0.05, "cache_size": 1000}
    bench.compare("SVC, a9a, sparse, C = 1, γ = 0.05", lambda jobs: mercer.SVC(n_jobs=jobs, **ours), svm.SVC(**ours), (X, y), test, (10, 10))
    bench.compare("the same, dense", lambda jobs: mercer.SVC(n_jobs=jobs, **ours), svm.SVC(**ours), (X.toarray(), y), test.toarray(), (None, None))


def mnist(bench: Bench) -> None:
    n = bench.size(10_000, 500)
    X, test = (np.load(bench.data / "mnist" / f"X_{part}.npy")[:n].reshape(n, -1) / 255.0 for part in ("train", "test"))
    y = np.load(bench.data / "mnist" / "y_train.npy")[:n].astype(int)
    ours = {"C": 10, "gamma": 0.02, "cache_size": 1000}
    bench.compare("SVC, MNIST 10,000, C = 10, γ = 0.02", lambda jobs: mercer.SVC(n_jobs=jobs, **ours), svm.SVC(**ours), (X, y), test, (8, 10))


def friedman(n: int, d: int = 8) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    numbers = np.random.default_rng(1)
    X, noise = numbers.uniform(size=(n, d)), numbers.normal(size=n)
    return X, 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 5 * X[:, 3] + 0.1 * noise, numbers.uniform(size=(n, d))


def svr(bench: Bench) -> None:
    X, y, test = friedman(bench.size(5000, 300))
    ours = {"C": 10, "gamma": 1.0, "epsilon": 0.1, "cache_size": 1000}
    bench.compare("SVR, friedman1, n = 5,000, d = 8", lambda jobs: mercer.SVR(n_jobs=jobs, **ours), svm.SVR(**ours), (X, y), test, (None, None))


def ridge(bench: Bench) -> None:
    X, y, test = friedman(bench.size(5000, 300))
    ours = {"kernel": "rbf", "gamma": 1.0, "alpha": 0.1}
    bench.compare("KernelRidge, n = 5,000, d = 8", lambda jobs: mercer.KernelRidge(n_jobs=jobs, **ours), kernel_ridge.KernelRidge(**ours), (X, y), test, (None, None))


def pca(bench: Bench) -> None:
    X, _, test = friedman(bench.size(5000, 300))
    ours = {"kernel": "rbf", "gamma": 1.0, "n_components": 10}
    theirs = decomposition.KernelPCA(eigen_solver="arpack", **ours)
    bench.compare("KernelPCA, 10 components, n = 5,000, d = 8", lambda jobs: mercer.KernelPCA(n_jobs=jobs, **ours), theirs, (X,), test, (None, None), answer="transform")


def gp(bench: Bench) -> None:
    X, y, test = friedman(bench.size(3000, 200))
    theirs = gaussian_process.GaussianProcessRegressor(gaussian_process.kernels.RBF(0.5), alpha=0.01, optimizer=None)

    def mine(jobs: int | None) -> Any:
        return mercer.GaussianProcessRegressor(kernel="rbf(gamma=2)", alpha=0.01, optimizer=None, n_jobs=jobs)

    bench.compare("GaussianProcessRegressor, n = 3,000, d = 8", mine, theirs, (X, y), test, (None, None))


# --- Imports and memory. -----------------------------------------------------------------------------------------------------


def script(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def imports(bench: Bench) -> None:
    """The time of `import mercer` beyond numpy's, and of an estimator beyond scikit-learn's own."""
    codes = ["import numpy", "import numpy, mercer", "import numpy; from sklearn.svm import SVC", "import numpy; from mercer import SVC"]
    times = [[seconds(lambda: script(code)) for code in codes] for _ in range(1 if bench.quick else 15)]
    numpy, package, theirs, ours = (statistics.median(of_it) for of_it in zip(*times))
    verdict = "" if bench.quick else ", aim 0.3 s: " + ("reached" if package - numpy < 0.3 else "MISSED")
    print(f"\n`import mercer` takes {package - numpy:.3f} s beyond numpy's {numpy:.3f} s{verdict}. `from mercer import SVC`, which needs scikit-learn, takes "
          f"{ours - numpy:.3f} s beyond it, scikit-learn's own {theirs - numpy:.3f} s.")


MEASURE = """
import numpy as np
import mercer
mercer.SVC
rows, columns = {rows}, {columns}
numbers = np.random.default_rng(0)
y = np.arange(rows) % 2
X = np.empty((rows, columns), np.float32)
for i in range(rows):
    X[i] = numbers.standard_normal(columns, dtype=np.float32) * 0.1 + y[i]
{prepare}
# Not ru_maxrss, which a program inherits from the one that started it.
def peak(): return int(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1]) / 1024
before = peak()
{work}
print(peak() - before)
"""
MEMORY = [
    ("predict, `SVC(kernel='rbf')`", True, "model = mercer.SVC().fit(X[:1000], y[:1000])", "model.predict(X)"),
    ("predict, `SVC(kernel='linear')`", True, "model = mercer.SVC(kernel='linear').fit(X[:1000], y[:1000])", "model.predict(X)"),
    ("predict, `KernelRidge(kernel='rbf')`", True, "model = mercer.KernelRidge(kernel='rbf').fit(X[:1000], y[:1000])", "model.predict(X)"),
    ("`Nystroem.transform`, 10 components", True, "map = mercer.Nystroem(n_components=10).fit(X[:1000])", "map.transform(X)"),
    ("fit, `SVC(kernel='rbf')`", False, "", "mercer.SVC().fit(X, y)"),
    ("fit, `SVC(kernel='linear')`", False, "", "mercer.SVC(kernel='linear').fit(X, y)"),
    ("fit, `LinearSVC()`", False, "", "mercer.LinearSVC().fit(X, y)"),
]


def memory(bench: Bench) -> None:
    """The highest mark of a process that holds a matrix of float32 and works with it."""
    bytes_of_matrix = bench.size(1 << 30, 1 << 25)
    print(f"\nMemory beyond a matrix of {bytes_of_matrix / 2**20:,.0f} MB of float32 and what was there before, at its highest:\n\n| work | rows × columns | MB |\n|---|---|---:|", flush=True)
    for what, long, prepare, work in MEMORY:
        columns = 128 if long else bench.size(1 << 17, 1 << 13)
        rows = bytes_of_matrix // (4 * columns)
        more = float(script(MEASURE.format(rows=rows, columns=columns, prepare=prepare, work=work)))
        print(f"| {what} | {rows:,} × {columns:,} | {more:,.0f} |", flush=True)


TIMED = {work.__name__: work for work in (digits, a9a, mnist, svr, ridge, pca, gp)}
OTHERS = {work.__name__: work for work in (imports, memory)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="*", choices=[*TIMED, *OTHERS])
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    bench = Bench(given)
    wanted = given.only or [*TIMED, *OTHERS]
    print(f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, {len(os.sched_getaffinity(0))} threads where it says all.\n")
    if any(name in TIMED for name in wanted):
        print("| work | Mercer, one thread, s | all, s | scikit-learn, s | ratio, one | all | aim | | check |\n|---|---:|---:|---:|---:|---:|---:|---|---|", flush=True)
    for name, work in {**TIMED, **OTHERS}.items():
        if name in wanted:
            work(bench)


if __name__ == "__main__":
    main()
