#!/usr/bin/env python3
"""A million rows on one machine: streamed Nyström features, beside scikit-learn's Nystroem with Ridge and SGDClassifier; exact ridge and an exact SVM of many rows; a file larger
than the memory.

    scale.py --mercer MERCER [--rows 1000000] [--landmarks 10000] [--only WORD …]

Each fit is a process of its own, with all threads; seconds, processor seconds and the peak of its memory are those of the process, data read from the file included (scikit-learn's as .npy). The error
is that of 20,000 other rows. scikit-learn's features are float32: float64 ones of a million rows would take 16 GB.
"""
import argparse
import functools
import os
import re
import subprocess
import sys
import tempfile
import time

PEER = """
import sys
import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge, SGDClassifier
kind, gamma, alpha, train, test = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), np.load(sys.argv[4]), np.load(sys.argv[5])
X, y, Xt, yt = train[:, :-1].astype("f4"), train[:, -1], test[:, :-1].astype("f4"), test[:, -1]
features = Nystroem(gamma=gamma, n_components=1000, random_state=1)
Z = features.fit_transform(X)
if kind == "ridge":
    model = Ridge(alpha=alpha * len(y), solver="cholesky").fit(Z, y)
    print(np.sqrt(np.mean((model.predict(features.transform(Xt)) - yt) ** 2)))
else:
    model = SGDClassifier(loss="log_loss", alpha=2 * alpha, random_state=1).fit(Z, y)
    print(np.mean(model.predict(features.transform(Xt)) == yt))
"""


def run(command):
    """What it printed, seconds, processor seconds, peak memory in GB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"scale.py: {' '.join(command)} failed")
    return printed, time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--mercer", required=True)
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--landmarks", type=int, default=10_000, help="of the largest fit")
    options.add_argument("--only", nargs="*", default=[], metavar="WORD", help="fits whose name has one of the words")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        def made(name, rows, seed, ending):
            path = f"{folder}/{name}{rows}_{seed}.{ending}"
            subprocess.run([given.mercer, "generate", name, "-n", str(rows), "--seed", str(seed), "-o", path], check=True, stdout=subprocess.DEVNULL)
            return path

        def table(path):
            import numpy as np
            np.save(path + ".npy", np.loadtxt(path, delimiter=",", skiprows=1))
            return path + ".npy"

        @functools.cache
        def pair(name, rows):
            return made(name, rows, 1, "csv"), made(name, 20_000, 2, "csv")

        def fitted(files, measure, *options):
            """The error of the model that `mercer fit` makes, and what it took."""
            model = f"{folder}/model.mercer"
            _, *cost = run([given.mercer, "fit", files[0], "--target", "y", *options, "-o", model])
            judged = subprocess.run([given.mercer, "evaluate", model, files[1]], check=True, capture_output=True, text=True).stdout
            return float(re.search(rf"{measure} +(\S+)", judged)[1]), *cost

        def mercer(method, gamma, penalty, files, measure, *more):
            return fitted(files, measure, "--method", method, "--kernel", f"rbf(gamma={gamma})", *penalty, *more)

        def sklearn(kind, gamma, alpha, files):
            printed, *cost = run([sys.executable, "-c", PEER, kind, str(gamma), str(alpha), *map(table, files)])
            return float(printed), *cost

        def nystrom(landmarks, memory="4GB"):
            return "--approx", f"nystrom:{landmarks}", "--memory", memory

        def numbers(rows=given.rows):
            return pair("friedman1", rows)

        def classes():
            return pair("checkerboard", given.rows)

        weak, strong, most = ("--lambda", "1e-7"), ("--lambda", "1e-6"), given.landmarks
        ridge_peer, classes_peer = "scikit-learn, `Nystroem(1000)` + `Ridge`", "scikit-learn, `Nystroem(1000)` + `SGDClassifier`"
        ridge, logistic = "`ridge`, `nystrom:1000`", "`logistic`, `nystrom:1000`"
        # Name, work, measure and what it should reach: seconds, gigabytes, error.
        fits = [
            (ridge, lambda: mercer("ridge", 0.3, weak, numbers(), "rmse", *nystrom(1000)), "RMSE", {"times": (ridge_peer, 5)}),
            (ridge_peer, lambda: sklearn("ridge", 0.3, 1e-7, numbers()), "RMSE", {}),
            ("`ridge`, `nystrom:2000`", lambda: mercer("ridge", 0.3, weak, numbers(), "rmse", *nystrom(2000)), "RMSE", {"seconds": 120, "peak": 4.2, "error": 1.05}),
            (f"`ridge`, `nystrom:{most}`", lambda: mercer("ridge", 0.3, weak, numbers(), "rmse", *nystrom(most)), "RMSE", {"seconds": 400, "peak": 4.2}),
            (logistic, lambda: mercer("logistic", 5, strong, classes(), "accuracy", *nystrom(1000)), "accuracy", {"seconds": 180, "times": (classes_peer, 5)}),
            ("`svm`, `nystrom:1000`", lambda: mercer("svm", 5, ("--C", "1"), classes(), "accuracy", *nystrom(1000)), "accuracy", {"peak": 4.2}),
            (classes_peer, lambda: sklearn("logistic", 5, 1e-6, classes()), "accuracy", {}),
            (f"exact `ridge`, {given.rows // 5:,} rows, `--memory 8GB`",
             lambda: mercer("ridge", 0.3, weak, numbers(given.rows // 5), "rmse", "--solver", "cg", "--memory", "8GB", "--tolerance", "1e-8"), "RMSE", {"seconds": 300, "peak": 8.4}),
            ("exact `svm`, C = 10, γ = 1", lambda: mercer("svm", 1, ("--C", "10"), classes(), "accuracy"), "accuracy", {"seconds": 600}),
            ("selected automatically, numbers", lambda: fitted(numbers(), "rmse"), "RMSE", {}),
            ("selected automatically, classes", lambda: fitted(classes(), "accuracy"), "accuracy", {}),
            (f"`ridge`, `nystrom:1000`, {10 * given.rows:,} rows, `--memory 2GB`",
             lambda: mercer("ridge", 0.3, weak, numbers(10 * given.rows), "rmse", *nystrom(1000, "2GB")), "RMSE", {"peak": 2.2})]
        print(f"{given.rows:,} rows unless said otherwise; friedman1 (10 columns, noise 1) and checkerboard (2 columns).\n")
        print("| fit | seconds (aim) | processor seconds | peak memory (aim) | 20,000 test rows (aim) |\n|---|---:|---:|---:|---:|")
        times = {}
        for name, work, measure, aims in fits:
            if given.only and not any(word in name for word in given.only):
                continue
            score, seconds, processor, peak = work()
            times[name] = seconds
            aim = lambda key, unit="": f" (≤ {aims[key]}{unit})" if key in aims else ""
            print(f"| {name} | {seconds:.0f}{aim('seconds')} | {processor:.0f} | {peak:.2f} GB{aim('peak', ' GB')} | {measure} {score:.4f}{aim('error')} |", flush=True)
        for name, _, _, aims in fits:
            peer, wanted = aims.get("times", (None, 0))
            if name in times and peer in times:
                print(f"\n{name}: {times[peer] / times[name]:.1f} times as fast as {peer} (aim {wanted}).")


if __name__ == "__main__":
    main()
