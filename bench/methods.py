#!/usr/bin/env python3
"""The methods beside scikit-learn and numpy, one thread each, in turn, medians; a markdown table and what each was checked by.

    methods.py --mercer MERCER --data DIR [--only NAME …] [--repeats 3] [--quick]

Peers run in processes of their own (methods_peers.py), with the kernels of OpenBLAS that Mercer uses: by itself Debian's does not know
newer CPUs and takes those of 2004. Reading is not counted on either side. A fit that takes a peer minutes is made once. --quick takes
small sizes: it tries the script and measures nothing. The last lines have the geometric mean of the ratios, the worst, and the aims
that were missed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_svmlight_file

PEERS = Path(__file__).with_name("methods_peers.py")


class Bench:
    """The program, a folder for files, and the sizes."""

    def __init__(self, given, folder):
        self.mercer, self.data, self.quick, self.repeats, self.folder = given.mercer, given.data, given.quick, given.repeats, folder
        self.ratios, self.missed = {}, []
        self.machine = json.loads(self.run("doctor").stdout)
        self.core = self.machine["blas_core"].split()[0]
        self.environment = {**os.environ, "OPENBLAS_CORETYPE": self.core}
        listed = json.loads(self.run("methods").stdout)
        self.methods = {method["name"] for method in listed}
        self.approx = "--approx" in subprocess.run([self.mercer, "fit", "--help"], check=True, capture_output=True, text=True).stdout

    def size(self, full, small):
        return small if self.quick else full

    def run(self, *words, threads=1, memory="8GB"):
        command = [self.mercer, "--json", "--threads", threads, "--memory", memory, *words]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode not in (0, 1, 4):  # 1: not converged, 4: out of time; the report says so
            raise RuntimeError(f"{' '.join(map(str, words))}\n{done.stderr}")
        return done

    def fit(self, train, method, *words, **how):
        report = json.loads(self.run("fit", train, "--method", method, *words, **how).stdout)
        report["time"] = report["seconds"]["fit"]
        return report

    def predict(self, model, rows):
        out = self.folder / "predicted"
        self.run("predict", model, rows, "-o", out)
        return np.loadtxt(out, ndmin=1)

    def peer(self, what, **work):
        words = json.dumps({"what": what, **work}, default=str)
        done = subprocess.run([sys.executable, PEERS, words], check=True, stdout=subprocess.PIPE, text=True, env=self.environment)
        answer = json.loads(done.stdout)
        answer["time"] = answer["seconds"]
        return answer

    def save(self, name, X, y=None):
        path = self.folder / f"{name}.npz"
        np.savez(path, X=X, **({} if y is None else {"y": y}))
        return path

    def in_turn(self, mine, theirs, repeats=None):
        """The last report of each, with the median of the times."""
        runs = [(mine(), theirs()) for _ in range(1 if self.quick else min(repeats or self.repeats, self.repeats))]
        reports = []
        for side in zip(*runs):
            reports.append({**side[-1], "time": statistics.median(report["time"] for report in side)})
        return reports

    def row(self, what, mine, theirs, target, check):
        """One line of the table; `target`: the ratio to be reached, or none where the two did not do the same work. Small sizes
        reach or miss nothing."""
        ratio = theirs / mine if target else None
        verdict = "" if self.quick or not target else "reached" if ratio >= target else "MISSED"
        if target:
            self.ratios[what] = ratio
            if ratio < target:
                self.missed.append(f"{what}: {ratio:.1f} of {target}")
        times = f"{mine:.3g} | {f'{theirs:.3g}' if theirs else '–'} | {f'{ratio:.1f}' if ratio else '–'}"
        print(f"| {what} | {times} | {target or '–'} | {verdict} | {check} |", flush=True)

    def summary(self):
        if not self.ratios:
            return
        worst = min(self.ratios, key=self.ratios.get)
        print(f"\nPeer's time over Mercer's, {len(self.ratios)} works: geometric mean {statistics.geometric_mean(self.ratios.values()):.1f}, "
              f"worst {self.ratios[worst]:.1f} ({worst}).")
        if self.quick:
            return
        print(f"Aims reached: {len(self.ratios) - len(self.missed)} of {len(self.ratios)}" + ("." if not self.missed else "; missed:"))
        for miss in self.missed:
            print(f"- {miss}")


def largest_difference(mine, theirs):
    return np.max(np.abs(np.subtract(mine, theirs))) / np.max(np.abs(theirs))


def certificate(report):
    words = "" if report["converged"] else ", cut short" if report["cut_short"] else ", NOT CONVERGED"
    return f"{report['certificate']} {report['violation']:.1e}{words}"


def smooth(n, d, seed=1, noise=0.1):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, d))
    a, b, c = X[:, 0], X[:, 1], X[:, 2 % d]
    return X, np.sin(a) + np.cos(b + c) + 0.5 * a * c + noise * random.standard_normal(n)


def ridge(bench):
    for n, target in ((bench.size(10000, 1000), 4), (bench.size(20000, 1500), 5)):
        for d in (8, 32):
            train, test = bench.save("train", *smooth(n, d)), bench.save("test", smooth(500, d, seed=2)[0])
            model, predictions = bench.folder / "ridge.mercer", bench.folder / "ridge.npy"
            work = {"train": train, "gamma": 1 / d, "alpha": 0.1, "test": test, "predictions": predictions}
            mine, theirs = bench.in_turn(lambda: bench.fit(train, "ridge", "--kernel", f"rbf(gamma={1 / d})", "--tau2", 0.1, "-o", model),
                                         lambda: bench.peer("kernel_ridge", **work), repeats=3 if n <= 10000 else 1)
            difference = largest_difference(bench.predict(model, test), np.load(predictions))
            bench.row(f"ridge, n = {n:,}, d = {d}", mine["time"], theirs["time"], target,
                      f"{certificate(mine)}; predictions differ by {difference:.1e}")


def leave_one_out(bench):
    n = bench.size(5000, 800)
    for d in (2, 3, 4, 8, 16, 32, 128):
        train = bench.save("train", *smooth(n, d))
        mine, theirs = bench.in_turn(lambda: bench.fit(train, "ridge", "--kernel", f"rbf(gamma={1 / d})", "--select", "loo"),
                                     lambda: bench.peer("kernel_ridge", train=train, gamma=1 / d, alpha=0.1))
        bench.row(f"ridge, 50 penalties by leave-one-out, n = {n:,}, d = {d} (peer: 50 times one fit)", mine["time"], 50 * theirs["time"], 15,
                  f"{certificate(mine)}; leave-one-out RMSE {mine['diagnostics']['leave_one_out_rmse']['value']:.4g}; {mine['solver']}")


def cadata(bench):
    X, y = load_svmlight_file(str(bench.data / "reg_cadata" / "cadata.svm"))
    X, order = X.toarray(), np.random.default_rng(1).permutation(len(y))
    if bench.quick:
        order = order[:2500]
    learned, kept = np.split(order, [len(order) * 4 // 5])
    X = (X - X[learned].mean(axis=0)) / X[learned].std(axis=0)
    shift, scale = y[learned].mean(), y[learned].std()
    train, test = bench.save("train", X[learned], (y[learned] - shift) / scale), bench.save("test", X[kept], (y[kept] - shift) / scale)
    tuned_on, rows, process_rows = bench.size(4000, 500), bench.size(8000, 1000), bench.size(3000, 300)
    part, gammas = bench.save("part", X[learned][:tuned_on], (y[learned][:tuned_on] - shift) / scale), [0.03, 0.1, 0.3, 1, 3]
    tries = [(gamma, bench.fit(part, "ridge", "--kernel", f"rbf(gamma={gamma})", "--select", "loo")) for gamma in gammas]
    gamma, chosen = min(tries, key=lambda one: one[1]["diagnostics"]["leave_one_out_rmse"]["value"])
    model = bench.folder / "cadata.mercer"
    mine = bench.fit(train, "ridge", "--kernel", f"rbf(gamma={gamma})", "--tau2", chosen["diagnostics"]["tau2"]["value"], "-o", model)
    rmse = json.loads(bench.run("evaluate", model, test).stdout)["rmse"] * scale
    theirs = bench.peer("tuned_kernel_ridge", train=train, test=test, rows=rows, tuned_on=tuned_on, gammas=gammas,
                        alphas=[0.01, 0.03, 0.1, 0.3, 1])
    process = bench.peer("gaussian_process", train=train, rows=process_rows, test=test)
    tuning = sum(report["time"] for _, report in tries)
    bench.row(f"reg_cadata: Mercer on {len(learned):,} rows, KernelRidge on {rows:,}", mine["time"], theirs["time"], None,
              f"test RMSE {rmse:.0f} against {theirs['rmse'] * scale:.0f}; γ = {gamma:g} against {theirs['gamma']:g}; "
              f"tuning on {tuned_on:,} rows {tuning:.3g} s against {theirs['tuning']:.3g}; {certificate(mine)}")
    bench.row(f"reg_cadata: the same against GaussianProcessRegressor on {process_rows:,}", mine["time"], process["time"], None,
              f"test RMSE {rmse:.0f} against {process['rmse'] * scale:.0f}")


def large(bench):
    n, train = bench.size(200000, 4000), bench.folder / "friedman1.npz"
    bench.run("generate", "friedman1", "-n", n, "-o", train)
    for words in [()] + ([("--approx", f"nystrom:{bench.size(2000, 200)}")] if bench.approx else []):
        report = bench.fit(train, "ridge", "--kernel", "rbf(gamma=scale)", "--tau2", 1, "--time", bench.size(1800, 20), *words,
                           threads=0, memory="4GB")
        bench.row(f"ridge, friedman1, n = {n:,}, all threads, `--memory 4GB` {' '.join(words)}", report["time"], None, None,
                  f"{certificate(report)} (aim {report['tolerance']:.0e}); peak {report['peak_memory_mb']:.0f} MB; {report['solver']}")


def gp(bench):
    """A kernel as given, with the standard deviations of 500 rows, and one found by the evidence."""
    n = bench.size(3000, 300)
    X, y = smooth(n, 5)
    train, test = bench.save("train", X, (y - y.mean()) / y.std()), bench.save("test", smooth(500, 5, seed=2)[0])
    model, out, deviations = (bench.folder / name for name in ("process.mercer", "predicted", "process.npy"))
    mine, theirs = bench.in_turn(
        lambda: bench.fit(train, "gp", "--kernel", "rbf(sigma=1.5)", "--noise", 0.1, "--optimize", "none", "--mean", "zero", "-o", model),
        lambda: bench.peer("process_as_given", train=train, test=test, length=1.5, noise=0.1, deviations=deviations))
    bench.run("predict", model, test, "--variance", "-o", out)
    difference = largest_difference(np.sqrt(np.loadtxt(out, usecols=-1)), np.load(deviations))
    bench.row(f"Gaussian process, kernel as given, n = {n:,}, d = 5", mine["time"], theirs["time"], 2,
              f"{certificate(mine)}; standard deviations differ by {difference:.1e}")
    mine, theirs = bench.in_turn(lambda: bench.fit(train, "gp", "--kernel", "1*rbf(gamma=scale)", "--mean", "zero"),
                                 lambda: bench.peer("gaussian_process", train=train), repeats=1)
    found = mine["diagnostics"]
    parameters = dict(zip(found["kernel_parameters"]["names"], found["kernel_parameters"]["values"]))
    there = bench.peer("evidence", train=train, factor=parameters["factor"], gamma=parameters["gamma"], noise=found["noise_variance"]["value"])["evidence"]
    evidence = found["log_marginal_likelihood"]["value"]
    bench.row(f"Gaussian process, evidence maximised, n = {n:,}, d = 5", mine["time"], theirs["time"], 10,
              f"log evidence {evidence:.6f} against {theirs['evidence']:.6f}; the peer's at Mercer's parameters differs by "
              f"{abs(evidence - there) / abs(there):.1e}; {certificate(mine)}")


def gp_classifier(bench):
    """A kernel as given, and one found by the evidence."""
    n, d = bench.size(2000, 300), 8
    random = np.random.default_rng(1)
    X = random.standard_normal((n + 500, d))
    y = (np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * random.standard_normal(n + 500) > 0).astype(float)
    train, test = bench.save("train", X[:n], y[:n]), bench.save("test", X[n:])
    model, probabilities = bench.folder / "classifier.mercer", bench.folder / "probabilities.npy"
    for optimize, optimizer in (("none", None), ("evidence", "fmin_l_bfgs_b")):
        mine, theirs = bench.in_turn(
            lambda: bench.fit(train, "gp_classifier", "--task", "classes", "--kernel", "1*rbf(sigma=2)", "--optimize", optimize, "-o", model),
            lambda: bench.peer("gaussian_process_classifier", train=train, length=2, optimizer=optimizer, test=test, probabilities=probabilities),
            repeats=3 if optimizer is None else 1)
        out = bench.folder / "predicted"
        bench.run("predict", model, test, "--proba", "-o", out)
        difference = np.max(np.abs(np.loadtxt(out) - np.load(probabilities)))
        evidence = mine["diagnostics"]["log_marginal_likelihood"]["value"]
        bench.row(f"GP classification, kernel {'as given' if optimizer is None else 'by the evidence'}, n = {n:,}, d = {d}", mine["time"], theirs["time"], 5,
                  f"{certificate(mine)}; log marginal likelihood {evidence:.6f}, peer {theirs['evidence']:.6f}; probabilities differ by {difference:.1e}")


def pca(bench):
    n = bench.size(10000, 1000)
    train = bench.save("train", smooth(n, 10)[0])
    mine, theirs = bench.in_turn(lambda: bench.fit(train, "pca", "--kernel", "rbf(gamma=0.1)", "--components", 10),
                                 lambda: bench.peer("kernel_pca", train=train, components=10, gamma=0.1))
    values = mine["diagnostics"]["eigenvalues"]["values"][:10]
    bench.row(f"kernel PCA, 10 components, n = {n:,}, d = 10", mine["time"], theirs["time"], 5,
              f"eigenvalues differ by {np.max(np.abs(np.divide(values, theirs['eigenvalues']) - 1)):.1e}; {certificate(mine)}")


def logistic(bench):
    """The lecture's gradient recursion gets more and more time, until its objective is within 0.1 % of Newton's."""
    n = bench.size(10000, 800)
    X, f = smooth(n, 10, noise=0)
    y = (np.random.default_rng(3).random(n) < 1 / (1 + np.exp(-3 * f))).astype(float)
    train, words = bench.save("train", X, y), ("--kernel", "rbf(gamma=0.1)", "--lambda", 1e-4)
    newton = bench.fit(train, "logistic", *words)
    verdict = "" if bench.quick else f"; the aim of 60 s {'reached' if newton['time'] <= 60 else 'MISSED'}"
    bench.row(f"logistic, two classes, n = {n:,}, d = 10, λ = 1e-4", newton["time"], None, None,
              f"{certificate(newton)}, objective {newton['objective']:.6f}{verdict}")
    limit, longest = newton["time"], bench.size(240, 8)  # doubled: the time found is at most twice the least
    while True:
        slow = bench.fit(train, "logistic", *words, "--solver", "gradient", "--time", limit)
        excess = slow["objective"] / newton["objective"] - 1
        if excess <= 1e-3 or slow["converged"] or 2 * limit > longest:
            break
        limit *= 2
    end = "to the same objective" if excess <= 1e-3 else "cut short before the same objective"
    bench.row(f"the same by `--solver gradient` (as the peer), {end}", newton["time"], slow["time"], None,
              f"objective {slow['objective']:.6f}, {100 * excess:.2g} % above; {certificate(slow)}")


def nadaraya_watson(bench):
    """Mercer sums in float32 where that is enough, so numpy is measured in both precisions."""
    n, queries, gamma = bench.size(100000, 5000), bench.size(5000, 1000), 10
    train, queried = bench.save("train", *smooth(n, 3)), smooth(n, 3, seed=2)[0]
    all_rows, one = bench.save("test", queried), bench.save("one", queried[:1])
    model, out, predictions = (bench.folder / name for name in ("kernel_regression.mercer", "predicted", "kernel_regression.npy"))
    work = {"train": train, "test": all_rows, "gamma": gamma, "rows": queries, "predictions": predictions}
    bench.fit(train, "nadaraya_watson", "--kernel", f"rbf(gamma={gamma})", "-o", model)

    def wall(rows):
        start = time.perf_counter()
        bench.run("predict", model, rows, "-o", out)
        return time.perf_counter() - start

    mine, theirs = bench.in_turn(lambda: {"time": wall(all_rows) - wall(one)}, lambda: bench.peer("nadaraya_watson", **work))
    exact = np.load(predictions)
    difference = largest_difference(bench.predict(model, all_rows)[:queries], exact)
    narrow = bench.peer("nadaraya_watson", **work, precision="float32")
    times = n // queries
    bench.row(f"Nadaraya–Watson, predict {n:,} rows from {n:,}, d = 3 (peer: numpy in float64, {queries:,} rows times {times})",
              mine["time"], theirs["time"] * times, 10,
              f"predictions differ by {difference:.1e}; numpy in float32: {narrow['time'] * times:.3g} s, "
              f"{narrow['time'] * times / mine['time']:.1f} times Mercer, differs by {largest_difference(np.load(predictions), exact):.1e}")


WORKS = {  # the method it needs, and what measures it
    "ridge": ("ridge", ridge), "leave_one_out": ("ridge", leave_one_out), "cadata": ("ridge", cadata), "large": ("ridge", large),
    "gp": ("gp", gp), "gp_classifier": ("gp_classifier", gp_classifier), "pca": ("pca", pca), "logistic": ("logistic", logistic), "nadaraya_watson": ("nadaraya_watson", nadaraya_watson),
}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--mercer", required=True, help="the program mercer")
    options.add_argument("--data", type=Path, required=True, help="the folder of the public data sets")
    options.add_argument("--only", nargs="*", choices=WORKS, help="these works")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--quick", action="store_true", help="small sizes, to try the script")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given, Path(folder))
        print(f"{bench.machine['cpu']}; OpenBLAS core {bench.core} on both sides; one thread where nothing else is said.\n")
        print("| work | Mercer, s | peer, s | ratio | target | | check |\n|---|---:|---:|---:|---:|---|---|")
        for name in given.only or WORKS:
            method, work = WORKS[name]
            if method in bench.methods:
                work(bench)
            else:
                print(f"| {name} | – | – | – | – | | this program has no method {method} |", flush=True)
        bench.summary()


if __name__ == "__main__":
    main()
