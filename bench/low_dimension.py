#!/usr/bin/env python3
"""RBF Gram matrices of few columns: scikit-learn's rbf_kernel and Mercer in turn, float32, one thread."""
import argparse
import os
import subprocess
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy  # after the thread settings
from sklearn.metrics.pairwise import rbf_kernel


def median(values):
    return sorted(values)[len(values) // 2]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--mercer", required=True, help="the program bench_gram")
    options.add_argument("-n", type=int, default=10000)
    given = options.parse_args()
    print("| n × n × d | scikit-learn, s | Mercer, s | ratio |\n|---|---|---|---|")
    for d in (2, 16, 64):
        x, z = (numpy.random.default_rng(seed).standard_normal((given.n, d), dtype=numpy.float32) for seed in (1, 2))
        peer, mine = [], []
        for _ in range(5):
            start = time.perf_counter()
            rbf_kernel(x, z, gamma=1 / d)
            peer.append(time.perf_counter() - start)
            mine.append(float(subprocess.run([given.mercer, "rbf", str(given.n), str(d)], capture_output=True, text=True, check=True).stdout))
        print(f"| {given.n} × {given.n} × {d} | {median(peer):.3f} | {median(mine):.3f} | {median(peer) / median(mine):.1f} |")


if __name__ == "__main__":
    main()
