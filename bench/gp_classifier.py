#!/usr/bin/env python3
"""Gaussian process classification beside scikit-learn's, in one process and in turn: a ratio for each case, their geometric mean and the worst.

    gp_classifier.py [--rows 250 500 1000 2000] [--repeats 3]

PYTHONPATH names the folder of the package. Both get the same arrays, kernel and starting point; probabilities are compared.
"""
import argparse
import math
import statistics
import time

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

import mercer


def problem(n, classes):
    random = np.random.default_rng(n + classes)
    X = random.standard_normal((n + 200, 8))
    score = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * random.standard_normal(n + 200)
    y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    return X[:n], y[:n], X[n:]


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, nargs="+", default=[250, 500, 1000, 2000])
    options.add_argument("--repeats", type=int, default=3)
    given = options.parse_args()
    ratios = {}
    print("| case | Mercer, s | scikit-learn, s | ratio | probabilities differ by |\n|---|---:|---:|---:|---:|")
    for n in given.rows:
        for classes, optimizer in ((2, None), (2, "fmin_l_bfgs_b"), (3, None)):
            X, y, test = problem(n, classes)
            mine = mercer.GaussianProcessClassifier("1*rbf(sigma=2)", optimizer=optimizer)
            theirs = GaussianProcessClassifier(ConstantKernel() * RBF(2), optimizer=optimizer)
            times = [[], []]
            for _ in range(given.repeats if optimizer is None else 1):
                for estimator, of_it in ((mine, times[0]), (theirs, times[1])):
                    of_it.append(seconds(lambda: estimator.fit(X, y)))
            ours, other = map(statistics.median, times)
            case = f"n = {n:,}, {classes} classes, kernel {'as given' if optimizer is None else 'by the evidence'}"
            ratios[case] = other / ours
            difference = np.max(np.abs(mine.predict_proba(test) - theirs.predict_proba(test)))
            print(f"| {case} | {ours:.3g} | {other:.3g} | {other / ours:.1f} | {difference:.1e} |", flush=True)
    worst = min(ratios, key=ratios.get)
    mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
    print(f"\nGeometric mean of the ratios {mean:.1f}; the worst is {ratios[worst]:.1f} ({worst}).")


if __name__ == "__main__":
    main()
