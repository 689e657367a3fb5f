"""The exact SVM beside LIBSVM on the cases of svm_families.py: a table with the ratio of each, then the geometric mean and the worst.

    svm.py --bench BENCH_SVM --mercer MERCER --data DIR [--repeats 3] [--only WORD …]

bench_svm measures the fits; small files are fitted by whole commands besides, since there starting a program is what takes time.
"""
from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris, load_wine

from svm_families import Case, generated, public, write

COUNTED = 0.1  # seconds of LIBSVM's from which on a ratio counts in the mean
AIMS = {"ijcnn1, C=32": 6, "covtype_10k, C=10": 5, "a9a, C=1,": 25, "a9a, C=100": 25, "MNIST 10,000, C=10": 30, "letter, C=10,": 10,
        "pendigits, C=10": 5, "satimage, C=10": 5, "checkerboard": 8}


def measure(bench: str, case: Case, repeats: int) -> dict[str, float]:
    _, make, C, gamma, kind = case
    run = subprocess.run([bench, kind, make(), f"{C:g}", f"{gamma:g}", str(repeats)], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def row(case: Case, r: dict[str, float]) -> tuple[str, float]:
    name = f"{case[0]}, C={case[2]:g}, γ={case[3]:g}"
    mine, theirs = r["mercer_seconds"], r["libsvm_seconds"]
    worse = (r["mercer_objective"] - r["libsvm_objective"]) / abs(r["libsvm_objective"])
    aim = next((aim for words, aim in AIMS.items() if name.startswith(words)), None)
    verdict = "" if aim is None else "reached" if theirs >= aim * mine else "MISSED"
    print(f"| {name} | {r['support_vectors'] / r['rows']:.0%} | {mine:.3g} | {theirs:.3g} | {theirs / mine:.1f} | {aim or '–'} | {verdict} "
          f"| {mine / r['mercer_two_threads']:.2f} | {worse:.0e} | {r['mercer_violation']:.1e}, {r['libsvm_violation']:.1e} "
          f"| {r['libsvm_predict'] / r['mercer_predict']:.1f} |", flush=True)
    return name, theirs / mine


def summary(ratios: dict[str, float], counted: list[str]) -> None:
    if counted:
        mean = math.exp(statistics.fmean(math.log(ratios[name]) for name in counted))
        worst = min(counted, key=ratios.__getitem__)
        print(f"\nWhere LIBSVM takes {COUNTED} s or more ({len(counted)} cases): geometric mean {mean:.1f} (aim 12), worst {ratios[worst]:.1f} ({worst}; aim 4).")
    slower = [name for name, ratio in ratios.items() if ratio < 1]
    print(f"Slower than LIBSVM: {', '.join(slower) if slower else 'none'}.\n")


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def whole_commands(mercer: str, data: Path, folder: Path) -> None:
    """Small files, start-up and reading included, best of 20 in turn.

    The program is copied, as installing it would: what a linker wrote piecemeal lies in small pieces in the page cache, which costs a seventh of the time.
    """
    peer = shutil.which("svm-train")
    if not peer:
        return print("LIBSVM's programs are not installed: no table of whole commands.")
    random = np.random.default_rng(3)
    y = np.arange(528) % 11
    files = {"iris, 150 × 4": write(folder, "iris", *load_iris(return_X_y=True)), "wine, 178 × 13": write(folder, "wine", *load_wine(return_X_y=True)),
             "heart_scale, 270 × 13": data / "heart_scale" / "heart_scale.train.svm",
             "11 classes, 528 × 10": write(folder, "eleven", random.normal(size=(11, 10))[y] + 0.5 * random.normal(size=(528, 10)), y),
             "svmguide1, 3,089 × 4": data / "svmguide1" / "svmguide1.train.svm"}
    print("| whole command | Mercer, ms | LIBSVM, ms | ratio |\n|---|---:|---:|---:|")
    installed = Path(mercer).with_name("mercer.installed")
    shutil.copy(mercer, installed)
    for name, path in files.items():
        commands = [str(installed), "svm-train", "-q", str(path), str(folder / "ours")], [peer, "-q", str(path), str(folder / "theirs")]
        ours, theirs = (min(times) for times in zip(*[[seconds(command) for command in commands] for _ in range(20)]))
        print(f"| `svm-train`, {name} | {1e3 * ours:.1f} | {1e3 * theirs:.1f} | {theirs / ours:.1f} |", flush=True)
    installed.unlink()


def large_mnist(mercer: str, data: Path, folder: Path) -> None:
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
          f"violation {fit['kkt_violation']:.1e}, accuracy {100 * judged['accuracy']:.2f} % on the test rows.")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", required=True)
    parser.add_argument("--mercer", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="*")
    given = parser.parse_args()
    wanted = lambda name: not given.only or any(word in name for word in given.only)
    print("One thread each unless said; reading is not counted, Mercer's float64 certificate is. \"Two threads\": how many times as fast as with one. "
          "The objective is relative to LIBSVM's; below 0 it is better. Violations: Mercer's, LIBSVM's, both from float64 kernel values.\n")
    print("| case | support vectors | Mercer, s | LIBSVM, s | ratio | aim | | two threads | objective | violations | predict, ratio |")
    print("|---|---:|---:|---:|---:|---:|---|---:|---:|---|---:|", flush=True)
    ratios, counted = {}, []
    # Files are written to memory where there is such a place: nothing should wait for a disk.
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as scratch:
        folder = Path(scratch)
        for case in [*public(given.data, folder), *generated(given.mercer, folder)]:
            if not wanted(case[0]):
                continue
            r = measure(given.bench, case, given.repeats)
            name, ratio = row(case, r)
            ratios[name] = ratio
            if r["libsvm_seconds"] >= COUNTED:
                counted.append(name)
        summary(ratios, counted)
        if wanted("whole command"):
            whole_commands(given.mercer, given.data, folder)
        if wanted("MNIST 60,000"):
            large_mnist(given.mercer, given.data, folder)


if __name__ == "__main__":
    main()
