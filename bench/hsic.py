#!/usr/bin/env python3
"""HSIC of 5,000 rows with 1,000 permutations, beside numpy as one would write it: K̄ held, L read in the order of each permutation.

    hsic.py --mercer MERCER [--rows 5000] [--permutations 1000] [--threads 2]

numpy does 20 permutations, and their time is multiplied.
"""
import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np


def numpy_seconds(X, y, gamma, delta, permutations):
    start = time.perf_counter()
    squares = np.einsum("ij,ij->i", X, X)
    K = np.exp(-gamma * (squares[:, None] + squares - 2 * X @ X.T))
    K -= K.mean(0)
    K -= K.mean(1)[:, None]
    L = np.exp(-delta * (y[:, None] - y) ** 2)
    setup = time.perf_counter() - start
    random, start = np.random.default_rng(1), time.perf_counter()
    for _ in range(20):
        order = random.permutation(len(y))
        np.einsum("ij,ij->", K, L[order][:, order])
    return setup + (time.perf_counter() - start) * permutations / 20


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--mercer", required=True)
    options.add_argument("--rows", type=int, default=5000)
    options.add_argument("--permutations", type=int, default=1000)
    options.add_argument("--threads", type=int, default=2)
    given = options.parse_args()
    random = np.random.default_rng(1)
    X = random.standard_normal((given.rows, 8))
    y = 0.02 * X[:, 0] + random.standard_normal(given.rows)
    print("| target | Mercer, s (the whole command) | numpy, s | ratio | p-value |\n|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, target, words in (("number", y, []), ("two classes", (y > 0).astype(float), ["--task", "classes"])):
            path = Path(folder) / "rows.npz"
            np.savez(path, X=X, y=target)
            start = time.perf_counter()
            done = subprocess.run([given.mercer, "--json", "--threads", str(given.threads), "hsic", str(path), "--permutations", str(given.permutations), *words],
                                  check=True, capture_output=True, text=True)
            mine, theirs = time.perf_counter() - start, numpy_seconds(X, target, 0.034, 0.55, given.permutations)
            print(f"| {name} | {mine:.2f} | {theirs:.1f} | {theirs / mine:.1f} | {json.loads(done.stdout)['p_value']:.4f} |", flush=True)


if __name__ == "__main__":
    main()
