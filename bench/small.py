#!/usr/bin/env python3
"""Small problems from Python beside scikit-learn: fit, predict and predictions of single rows; a markdown table.

    small.py [--only WORD …] [--repeats 15] [--cpu] [--quick]

PYTHONPATH names the folder of the package. All run in one process, in turn, and the best of several times counts. scikit-learn has one thread; Mercer has one (n_jobs=1) and
what it takes by itself (n_jobs=None). A ratio is Mercer's time over scikit-learn's: below 1 is faster. Data are scikit-learn's own small sets, standardised, and random problems;
as many rows as are learned from are predicted. --only: the cells whose name has one of the words. --cpu: CPU time of all threads instead of time by the clock, for a computer
that others use. --quick: tries the script and measures nothing.
"""
from __future__ import annotations

import argparse
import math
import os
import time
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Iterator

import numpy as np
import sklearn
from sklearn import datasets, decomposition, gaussian_process, kernel_approximation, kernel_ridge, svm
from sklearn.preprocessing import StandardScaler
from threadpoolctl import ThreadpoolController

import mercer

SHORTEST = 1e-3  # seconds that are timed at once: shorter work is repeated
ENOUGH = 4.0     # seconds for the repeats of one cell


@dataclass(frozen=True)
class Data:
    name: str
    X: np.ndarray
    y: np.ndarray
    test: np.ndarray

    def first(self, n: int) -> Data:
        return Data(self.name, self.X[:n], self.y[:n], self.test[:n])


def generated(task: str, n: int, d: int) -> Data:
    """Targets that depend on up to five of the columns, by curves; noise; classes by thresholds of such a target."""
    numbers = np.random.default_rng(n + d)
    X = numbers.normal(size=(2 * n, d))
    some = X[:, :min(d, 5)]
    y = np.sin(2 * some[:, 0]) + some[:, 1] * some[:, 2] + 0.5 * some.sum(axis=1) + 0.3 * numbers.normal(size=2 * n)
    if task != "regression":
        y = np.digitize(y, np.quantile(y, [0.5] if task == "2 classes" else [0.25, 0.5, 0.75]))
    return Data("random", X[:n], y[:n], X[n:])


def bundled(name: str) -> Data:
    """Rows in a random order, so that the first are of all classes."""
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    X = StandardScaler().fit_transform(X)[order]
    return Data(name, X, y[order], X[::-1].copy())


# --- What is timed. ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """An estimator of both with the same parameters, on data. Its answer: what it says of rows."""

    name: str
    data: Data
    mine: Callable[[int | None], Any]
    theirs: Any
    answer: str = "predict"
    single: bool = False  # rows one by one; the fit is not timed


def pair(name: str, module: Any, **parameters: Any) -> tuple[Callable[[int | None], Any], Any]:
    return lambda jobs: getattr(mercer, name)(n_jobs=jobs, **parameters), getattr(module, name)(**parameters)


def on(task: str, sizes: tuple[int, ...], *sets: str) -> Iterator[Data]:
    for n in sizes:
        for d in (4, 20, 100):
            yield generated(task, n, d)
        for name in sets:
            data = bundled(name)
            if len(data.y) >= n or n == min(sizes):
                yield data.first(n)
    for name in sets:  # all rows of those that have fewer than the largest size
        data = bundled(name)
        if min(sizes) < len(data.y) < max(sizes):
            yield data


# What else than the default (squared hinge, l2, dual) LinearSVC solves.
LINEAR_MACHINES = {"": {}, ", hinge": {"loss": "hinge"}, ", primal": {"dual": False}, ", l1": {"penalty": "l1", "dual": False},
                   ", crammer_singer": {"multi_class": "crammer_singer"}}


def cells() -> Iterator[Cell]:
    few, some = (100, 500, 1000), (100, 200, 500, 1000)
    for data in on("regression", some, "diabetes"):
        yield Cell("KernelRidge rbf", data, *pair("KernelRidge", kernel_ridge, kernel="rbf", alpha=0.1))
    for data in on("regression", (100, 500), "diabetes"):
        yield Cell("KernelRidge linear", data, *pair("KernelRidge", kernel_ridge))
    for data in on("2 classes", (500, 1000, 2000), "digits"):
        yield Cell("Nystroem(100)", data, *pair("Nystroem", kernel_approximation, n_components=100, random_state=0), answer="transform")
    for data in on("2 classes", few, "digits", "wine"):
        yield Cell("KernelPCA()", data, *pair("KernelPCA", decomposition), answer="transform")
    for count in (2, 10):
        for data in on("2 classes", few, "digits", "wine"):
            yield Cell(f"KernelPCA(rbf, {count})", data, *pair("KernelPCA", decomposition, n_components=count, kernel="rbf"), answer="transform")
    for data in on("2 classes", few, "breast_cancer"):
        yield Cell("OneClassSVM", data, *pair("OneClassSVM", svm))
        yield Cell("SVC, 2 classes", data, *pair("SVC", svm))
        yield Cell("NuSVC", data, *pair("NuSVC", svm, nu=0.3))
    for data in on("4 classes", few, "iris", "wine", "digits"):
        yield Cell("SVC, several classes", data, *pair("SVC", svm))
    for data in on("regression", few, "diabetes"):
        yield Cell("SVR", data, *pair("SVR", svm))
    for data in on("2 classes", (100, 500, 2000), "breast_cancer", "iris", "digits"):
        for words, parameters in LINEAR_MACHINES.items():
            yield Cell(f"LinearSVC{words}", data, *pair("LinearSVC", svm, random_state=0, **parameters))
    for data in on("regression", (100, 500, 2000), "diabetes"):
        yield Cell("LinearSVR", data, *pair("LinearSVR", svm, random_state=0))
        yield Cell("LinearSVR squared, primal", data, *pair("LinearSVR", svm, random_state=0, loss="squared_epsilon_insensitive", dual=False))
    for data in on("regression", (100, 500), "diabetes"):
        yield Cell("GaussianProcessRegressor", data,
                   *pair("GaussianProcessRegressor", gaussian_process, kernel=gaussian_process.kernels.RBF(2.0), alpha=0.1, optimizer=None))
    white, factor = gaussian_process.kernels.WhiteKernel(), gaussian_process.kernels.ConstantKernel()
    for kernel in (gaussian_process.kernels.RBF(), gaussian_process.kernels.Matern(nu=1.5), gaussian_process.kernels.RationalQuadratic()):
        for data in on("regression", (50, 100, 200)):
            if data.X.shape[1] <= 20:
                yield Cell(f"GaussianProcessRegressor, {type(kernel).__name__} by evidence", data,
                           *pair("GaussianProcessRegressor", gaussian_process, kernel=factor * kernel + white))
    yield from single_rows()


def single_rows() -> Iterator[Cell]:
    for d in (4, 20, 100):
        classes, numbers = generated("2 classes", 500, d), generated("regression", 500, d)
        for name, data, parameters in (("SVC", classes, {}), ("SVC", classes, {"kernel": "linear"}), ("SVR", numbers, {}), ("OneClassSVM", classes, {}),
                                       ("LinearSVC", classes, {"random_state": 0})):
            yield Cell(f"{name}{' linear' if parameters.get('kernel') else ''}, 1 row", data, *pair(name, svm, **parameters), single=True)
        yield Cell("KernelRidge rbf, 1 row", numbers, *pair("KernelRidge", kernel_ridge, kernel="rbf"), single=True)
        yield Cell("KernelPCA(rbf, 10), 1 row", classes, *pair("KernelPCA", decomposition, n_components=10, kernel="rbf"), answer="transform", single=True)
        yield Cell("Nystroem(100), 1 row", classes, *pair("Nystroem", kernel_approximation, random_state=0), answer="transform", single=True)


# --- How. --------------------------------------------------------------------------------------------------------------------


class Timer:
    def __init__(self, given: argparse.Namespace) -> None:
        self.clock = time.process_time if given.cpu else time.perf_counter
        self.repeats, self.quick = given.repeats, given.quick
        self.libraries = ThreadpoolController()

    def once(self, work: Callable[[], Any], times: int) -> float:
        start = self.clock()
        for _ in range(times):
            work()
        return (self.clock() - start) / times

    def best(self, mine: list[Callable[[], Any]], theirs: Callable[[], Any]) -> list[float]:
        """Seconds of each of Mercer's, then of scikit-learn's."""
        works = [*mine, theirs]
        often, least = [], []
        for work in works:  # the first time warms up
            with self.libraries.limit(limits=1 if work is theirs else None):
                work()
                took = self.once(work, 1)
            often.append(max(1, math.ceil(SHORTEST / max(took, 1e-6))))
            least.append(took)
        begin, rounds = time.perf_counter(), 0
        while not self.quick and rounds < self.repeats and (rounds < 3 or time.perf_counter() - begin < ENOUGH):
            for which, work in enumerate(works):
                with self.libraries.limit(limits=1 if work is theirs else None):
                    least[which] = min(least[which], self.once(work, often[which]))
            rounds += 1
        return least

    def cell(self, cell: Cell) -> list[list[float]]:
        """Times of fits and of answers, each with one thread, by default, and scikit-learn's."""
        data, answer = cell.data, cell.answer
        one, usual, theirs = cell.mine(1), cell.mine(None), cell.theirs
        works = [lambda model=model: model.fit(data.X, data.y) for model in (one, usual, theirs)]
        if cell.single:
            for work in works:
                work()
            fits = [0.0] * 3
        else:
            fits = self.best(works[:2], works[2])
        rows = data.test[:1] if cell.single else data.test
        answers = [lambda model=model: getattr(model, answer)(rows) for model in (one, usual, theirs)]
        return [fits, self.best(answers[:2], answers[2])]


def engine() -> str:
    told = {name: value for name, _, value in mercer._mercer.doctor()}
    return f"{told['cpu']}; BLAS core {told['blas_core']}; {len(os.sched_getaffinity(0))} threads by default; scikit-learn {sklearn.__version__}, numpy {np.__version__}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    timer = Timer(given)
    print(f"{engine()}.\n\n| work | data | rows × columns | scikit-learn: fit, ms | answer, ms | one thread: fit | answer | both | default threads: fit | answer | both |\n"
          "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    ratios: list[tuple[float, float, str]] = []
    for cell in cells():
        name = f"{cell.name}, {cell.data.name} {len(cell.data.X)} × {cell.data.X.shape[1]}"
        if given.only and not any(word in name for word in given.only):
            continue
        fits, answers = timer.cell(cell)
        columns = [f"{1e3 * fits[2]:.3g}" if fits[2] else "", f"{1e3 * answers[2]:.3g}"]
        both = []
        for which in (0, 1):
            both.append((fits[which] + answers[which]) / (fits[2] + answers[2]))
            columns += [f"{fits[which] / fits[2]:.2f}" if fits[2] else "", f"{answers[which] / answers[2]:.2f}", f"{both[-1]:.2f}"]
        ratios.append((both[0], both[1], name))
        print(f"| {cell.name} | {cell.data.name} | {len(cell.data.X)} × {cell.data.X.shape[1]} | {' | '.join(columns)} |", flush=True)
    print()
    for which, threads in enumerate(("one thread", "default threads")):
        values = [ratio[which] for ratio in ratios]
        slower = sum(value > 1 for value in values)
        worst = max(ratios, key=lambda ratio: ratio[which])
        print(f"{threads}: geometric mean {math.exp(np.mean(np.log(values))):.2f}, worst {worst[which]:.2f} ({worst[2]}), {slower} of {len(values)} slower than scikit-learn")


if __name__ == "__main__":
    main()
