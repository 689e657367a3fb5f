"""Runs bench_svm and scikit-learn's SVC on each data set and prints a markdown table.

    svm.py --bench BENCH_SVM --mercer MERCER --data DIR [--repeats 3] [--sklearn-repeats 3] [--only NAME …]

scikit-learn takes minutes on some; 0 repeats leave it out.
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

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.svm import SVC


def mnist(data, folder):
    """The first 10,000 rows of MNIST as LIBSVM text, pixels / 255."""
    files = []
    for part, rows in (("train", 10000), ("test", 10000)):
        path = folder / f"mnist.{part}.svm"
        X = np.load(data / "mnist" / f"X_{part}.npy")[:rows].reshape(rows, -1) / 255.0
        dump_svmlight_file(X, np.load(data / "mnist" / f"y_{part}.npy")[:rows].astype(int), str(path), zero_based=False)
        files.append(path)
    return files


def checkerboard(mercer, folder):
    files = []
    for part, rows, seed in (("train", 100000, 1), ("test", 10000, 2)):
        path = folder / f"checkerboard.{part}.svm"
        subprocess.run([mercer, "generate", "checkerboard", "-n", str(rows), "--seed", str(seed), "-o", str(path), "--quiet"], check=True)
        files.append(path)
    return files


def plain(name):
    return lambda data, folder: [data / name / f"{name}.{part}.svm" for part in ("train", "test")]


def sklearn_seconds(train, C, gamma, repeats):
    """Dense rows: that is where scikit-learn's fork of LIBSVM is fastest."""
    X, y = load_svmlight_file(str(train))
    X = X.toarray()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        SVC(C=C, gamma=gamma, tol=1e-3, cache_size=4000).fit(X, y)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def large_mnist(mercer, data, folder):
    """All 60,000 rows with two threads within 4 GB, the data included; LIBSVM would take a quarter of an hour."""
    files = []
    for part in ("train", "test"):
        path = folder / f"mnist.{part}.npz"
        X = np.load(data / "mnist" / f"X_{part}.npy")
        np.savez(path, X=X.reshape(len(X), -1) / 255.0, y=np.load(data / "mnist" / f"y_{part}.npy").astype(int))
        files.append(path)
    model = folder / "mnist.mercer"

    def answer(*arguments):
        run = subprocess.run([mercer, "--json", "--threads", "2", "--memory", "3GB", *map(str, arguments)], check=True, capture_output=True, text=True)
        return json.loads(run.stdout)

    fit = answer("fit", files[0], "--kernel", "rbf(gamma=0.02)", "--C", 10, "-o", model)
    judged = answer("evaluate", model, files[1])
    print(f"\nMNIST 60,000, C=10, γ=0.02, two threads: {fit['seconds']['fit']:.3g} s, peak {fit['peak_memory_mb']:.0f} MB, "
          f"violation {fit['kkt_violation']:.1e}, {100 * judged['accuracy']:.2f} % of the test rows right.")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", required=True)
    parser.add_argument("--mercer", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sklearn-repeats", type=int)
    parser.add_argument("--only", nargs="*")
    arguments = parser.parse_args()
    works = [
        ("a9a, C=1, γ=0.05", plain("a9a"), 1, 0.05, 16281),
        ("a9a, C=100, γ=0.5", plain("a9a"), 100, 0.5, 16281),
        ("MNIST 10,000", mnist, 10, 0.02, 2000),
        ("letter, C=10, γ=10", plain("letter"), 10, 10, 5000),
        ("pendigits, C=10, γ=0.0001", plain("pendigits"), 10, 0.0001, 3498),
        ("satimage, C=10, γ=0.0005", plain("satimage"), 10, 0.0005, 2000),
        ("checkerboard 100,000, C=100, γ=1", lambda _, folder: checkerboard(arguments.mercer, folder), 100, 1, 10000),
    ]
    print("| work | Mercer, s | LIBSVM, s | ratio | scikit-learn, s | ratio | 2 threads | objective, relative difference "
          "| violation: Mercer, LIBSVM | accuracy: Mercer, LIBSVM | predict, times LIBSVM |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|---|---:|")
    with tempfile.TemporaryDirectory() as scratch:
        for name, files, C, gamma, predicted in works:
            if arguments.only and not any(word in name for word in arguments.only):
                continue
            train, test = files(arguments.data, Path(scratch))
            run = subprocess.run([arguments.bench, train, test, str(C), str(gamma), str(arguments.repeats), str(predicted)],
                                 check=True, capture_output=True, text=True)
            r = json.loads(run.stdout)
            sklearn_repeats = arguments.repeats if arguments.sklearn_repeats is None else arguments.sklearn_repeats
            peer = sklearn_seconds(train, C, gamma, sklearn_repeats) if sklearn_repeats else None
            mine = r["mercer_seconds"]
            difference = (r["mercer_objective"] - r["libsvm_objective"]) / abs(r["libsvm_objective"])
            print(f"| {name} | {mine:.3g} | {r['libsvm_seconds']:.3g} | {r['libsvm_seconds'] / mine:.1f} | {f'{peer:.3g} | {peer / mine:.1f}' if peer else '– | –'} "
                  f"| {mine / r['mercer_two_threads']:.2f}× | {difference:.1e} | {r['mercer_violation']:.1e}, {r['libsvm_violation']:.1e} "
                  f"| {100 * r['mercer_accuracy']:.2f}, {100 * r['libsvm_accuracy']:.2f} % | {r['libsvm_predict'] / r['mercer_predict']:.1f} |")
            sys.stdout.flush()
        if not arguments.only or any(word in "MNIST 60,000" for word in arguments.only):
            large_mnist(arguments.mercer, arguments.data, Path(scratch))


if __name__ == "__main__":
    main()
