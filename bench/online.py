#!/usr/bin/env python3
"""Online learning on a budget, one pass over 100,000 rows, beside scikit-learn's SGD over Nyström features, in one process.

    online.py [--rows 100000] [--budget 500]

PYTHONPATH names the folder of the package. The peer has as many landmarks as the budget, drawn before it begins; it computes their kernel values and a product with a
budget × budget matrix for each row.
"""
import argparse
import time

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import SGDClassifier, SGDRegressor

import mercer

GAMMA = 0.1


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def features_then(linear, budget):
    def fit(X, y):
        first = {"classes": np.unique(y)} if isinstance(linear, SGDClassifier) else {}
        features = Nystroem(gamma=GAMMA, n_components=budget, random_state=1).fit(X[:5000])
        for begin in range(0, len(y), 1000):
            linear.partial_fit(features.transform(X[begin:begin + 1000]), y[begin:begin + 1000], **first)
        return lambda rows: linear.predict(features.transform(rows))

    return fit


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=100_000)
    options.add_argument("--budget", type=int, default=500)
    given = options.parse_args()
    random = np.random.default_rng(1)
    n, kernel = given.rows, f"rbf(gamma={GAMMA})"
    X = random.standard_normal((n + 5000, 10))
    signal = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2]
    numbers, classes = signal + 0.2 * random.standard_normal(n + 5000), (signal + 0.2 * random.standard_normal(n + 5000) > 0).astype(int)
    right = lambda found: f"accuracy {np.mean(found == classes[n:]):.3f}"
    error = lambda found: f"RMSE {np.sqrt(np.mean((found - numbers[n:]) ** 2)):.3f}"
    print(f"{n:,} rows, d = 10, one pass; at most {given.budget} points or landmarks.\n\n| method | seconds | µs a row | 5,000 test rows |\n|---|---:|---:|---:|")
    cases = [("`online_perceptron`", mercer.OnlinePerceptron(kernel=kernel, budget=given.budget).fit, classes, right),
             ("`norma`, hinge", mercer.NormaClassifier(kernel=kernel, budget=given.budget).fit, classes, right),
             ("scikit-learn, SGD with the hinge over Nyström features", features_then(SGDClassifier(random_state=1), given.budget), classes, right),
             ("`norma`, squared", mercer.NormaRegressor(kernel=kernel, budget=given.budget).fit, numbers, error),
             (f"`recursive_ridge`, budget {given.budget // 2}", mercer.RecursiveKernelRidge(kernel=kernel, budget=given.budget // 2).fit, numbers, error),
             ("scikit-learn, SGD with squares over Nyström features", features_then(SGDRegressor(random_state=1), given.budget), numbers, error)]
    for name, fit, y, score in cases:
        made, seconds = timed(lambda: fit(X[:n], y[:n]))
        found = made(X[n:]) if callable(made) else made.predict(X[n:])
        print(f"| {name} | {seconds:.2f} | {1e6 * seconds / n:.1f} | {score(found)} |", flush=True)


if __name__ == "__main__":
    main()
