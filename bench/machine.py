#!/usr/bin/env python3
"""Start-up, beside LIBSVM's programs, and a CPU that OpenBLAS does not know, beside the right kernels; markdown tables.

    machine.py --mercer PROGRAM --data DIR [--repeats 15]

Times are of whole commands, the commands of a line in turn, medians. The unknown CPU is played by tests/cli/misdetected.py: OpenBLAS detects its
oldest core. "as chosen by the user" asks for that core with OPENBLAS_CORETYPE, which is respected: what a misdetected CPU would cost.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "cli"))
from misdetected import build_shim  # noqa: E402


def seconds(command, environment):
    start = time.perf_counter()
    subprocess.run([str(word) for word in command], env={**os.environ, **environment}, check=True, capture_output=True)
    return time.perf_counter() - start


def in_turn(repeats, *commands):
    """The median time of each (command, environment)."""
    times = [[] for _ in commands]
    for _ in range(repeats):
        for (command, environment), of_it in zip(commands, times):
            of_it.append(seconds(command, environment))
    return [statistics.median(of_it) for of_it in times]


def start_up(mercer, data, folder, repeats):
    heart = data / "heart_scale" / "heart_scale.train.svm"
    (version,) = in_turn(repeats, ([mercer, "--version"], {}))
    print("| command | Mercer, ms | LIBSVM, ms | aim | |\n|---|---:|---:|---|---|")
    print(f"| `mercer --version` | {1e3 * version:.1f} | – | ≤ 8 ms | {'reached' if version <= 0.008 else 'MISSED'} |")
    peer = shutil.which("svm-train")
    if not peer:
        print("| `svm-train heart_scale` | LIBSVM's programs are not installed | | | |")
        return
    ours, theirs = in_turn(repeats, ([mercer, "svm-train", heart, folder / "a"], {}), ([peer, heart, folder / "b"], {}))
    print(f"| `svm-train heart_scale` | {1e3 * ours:.1f} | {1e3 * theirs:.1f} | no slower | {'reached' if ours <= theirs else 'MISSED'} |")


def unknown_cpu(mercer, data, folder, repeats):
    shim = build_shim(folder)
    rows = folder / "rows.npz"
    random = np.random.default_rng(1)
    X = random.normal(size=(4000, 200))
    np.savez(rows, X=X, y=np.sin(X[:, 0]) + X[:, 1] * X[:, 2])
    works = {
        "SVM, satimage": ["fit", data / "satimage" / "satimage.train.svm", "--method", "svm", "--C", "16", "--kernel", "rbf(gamma=1)"],
        "SVM, ijcnn1": ["fit", data / "ijcnn1" / "ijcnn1.train.svm", "--method", "svm", "--C", "32", "--kernel", "rbf(gamma=2)"],
        "ridge, 4,000 × 200": ["fit", rows, "--method", "ridge", "--lambda", "1e-4", "--kernel", "rbf(gamma=0.005)"],
        "Gram matrix, 4,000 × 200": ["gram", rows, "--kernel", "rbf(gamma=0.005)", "-o", folder / "K.npy"],
    }
    print("\n| work | right core, s | OpenBLAS misdetects the CPU, s | ratio | aim | | the old core, chosen by the user, s |\n|---|---:|---:|---:|---|---|---:|")
    for name, arguments in works.items():
        command = [mercer, *arguments, "--threads", "1"]
        right, wrong, old = in_turn(repeats, (command, {}), (command, {"LD_PRELOAD": str(shim)}), (command, {"OPENBLAS_CORETYPE": "Prescott"}))
        print(f"| {name} | {right:.3f} | {wrong:.3f} | {wrong / right:.2f} | ≤ 1.1 | {'reached' if wrong <= 1.1 * right else 'MISSED'} | {old:.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mercer", required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--repeats", type=int, default=15)
    given = parser.parse_args()
    memory = "/dev/shm"  # what is written must not wait for a disk
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        start_up(given.mercer, given.data, pathlib.Path(folder), 2 * given.repeats)
        unknown_cpu(given.mercer, given.data, pathlib.Path(folder), max(3, given.repeats // 4))


if __name__ == "__main__":
    main()
