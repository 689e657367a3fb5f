#!/usr/bin/env python3
"""Tuning beside scikit-learn, one thread each: a grid of C × γ, the automatic fit, and what the report costs; markdown tables.

    tuning.py --mercer MERCER --data DIR [--only grid|automatic|report …] [--sets NAME …] [--repeats 3] [--quick] [--cache DIR] [--peers]

scikit-learn runs in processes of its own (tuning_peers.py), each search once: the large ones take it ten minutes and more. --cache
keeps its answers and uses them again, and the table says where it did; --peers fills the cache and measures nothing else. Mercer's
times are wall times of the whole command, reading included, scikit-learn's of search and last fit alone. Both are also given as
processor times, which is what counts where others work on the machine. --quick takes small parts: it tries the script.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.model_selection import StratifiedKFold, train_test_split

PEERS = Path(__file__).with_name("tuning_peers.py")
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
FILES = {  # folder: the files for learning and testing; one alone is split
    "heart_scale": ["heart_scale.train.svm"], "spambase": ["spambase.svm"],
    **{name: [f"{name}.train.svm", f"{name}.test.svm"] for name in ("svmguide1", "satimage", "pendigits", "letter")},
    **{f"reg_{name}": [f"{name}.train.svm", f"{name}.test.svm"] for name in ("concrete", "airfoil", "kin8nm")},
}
GRID_SETS = {"satimage": ("satimage/satimage.train.svm", None), "a9a": ("a9a/a9a.train.svm", 5000)}


def powers(first, last):
    return [2.0 ** p for p in range(first, last + 1, 2)]


class Bench:
    """The program, a folder for files, the sizes, and scikit-learn's answers as far as they are known."""

    def __init__(self, given, folder):
        self.mercer, self.data, self.quick, self.cache, self.peers = given.mercer, given.data, given.quick, given.cache, given.peers
        self.repeats, self.sets, self.folder = (1 if given.quick else given.repeats), given.sets, folder

    def wanted(self, names):
        return [name for name in names if not self.sets or name in self.sets]

    def run(self, *words):
        """The report of a command, with its wall and processor time."""
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run([self.mercer, "--json", "--quiet", "--threads", "1", *map(str, words)], capture_output=True, text=True, env=ONE_THREAD)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):  # 1: some fit did not converge; the report says so
            raise RuntimeError(f"{' '.join(map(str, words))}\n{done.stderr}")
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {**json.loads(done.stdout), "time": wall, "processor": processor}

    def repeated(self, *words):
        runs = [self.run(*words) for _ in range(self.repeats)]
        return {**runs[-1], **{which: statistics.median(run[which] for run in runs) for which in ("time", "processor")}}

    def peer(self, name, what, files, **work):
        """scikit-learn's answer; from the cache where it holds one for the same work."""
        kept = self.cache / f"{name}{'.quick' if self.quick else ''}.json" if self.cache else None
        asked = {"what": what, **work}
        if kept and kept.exists():
            known = json.loads(kept.read_text())
            if known["work"] == asked:
                return {**known["answer"], "reused": f"measured {known['when']}"}
        words = json.dumps({**asked, **files}, default=str)
        answer = json.loads(subprocess.run([sys.executable, PEERS, words], check=True, stdout=subprocess.PIPE, text=True).stdout)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps({"work": asked, "when": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), "answer": answer}))
        return {**answer, "reused": ""}

    def verdict(self, reached):
        return "" if self.quick else "reached" if reached else "MISSED"


def grid_rows(bench, name):
    """The scaled rows and the folds, as a file of each kind."""
    path, rows = GRID_SETS[name]
    X, y = load_svmlight_file(str(bench.data / path))
    rows = 400 if bench.quick else rows
    X, y = X.toarray()[:rows], y[:rows].astype(int)
    low, high = X.min(axis=0), X.max(axis=0)
    X = (X - low) / np.where(high > low, high - low, 1)
    folds = np.empty(len(y), dtype=int)
    for k, (_, kept) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)):
        folds[kept] = k
    for_peer, for_mercer, fold_file = (bench.folder / f"{name}.{kind}" for kind in ("npz", "svm", "folds"))
    np.savez(for_peer, X=X, y=y, folds=folds)
    dump_svmlight_file(X, y, str(for_mercer), zero_based=False)
    np.savetxt(fold_file, folds + 1, fmt="%d")
    return for_peer, for_mercer, fold_file


def score_at(trials, cell):
    """The score of the trial at this C and γ."""
    for trial in trials:
        at = trial.get("values", trial)
        if all(abs(np.log2(at[name]) - np.log2(cell[name])) < 1e-9 for name in ("C", "gamma")):
            return trial["score"]
    raise RuntimeError(f"no trial at {cell}")


def cell_text(cell):
    return f"C = 2^{np.log2(cell['C']):g}, γ = 2^{np.log2(cell['gamma']):g}"


def grid(bench):
    C, gamma = (powers(-1, 3), powers(-5, -1)) if bench.quick else (powers(-5, 15), powers(-15, 3))
    axes = [f"{axis}=2^{np.log2(values[0]):g}:2^{np.log2(values[-1]):g}:2" for axis, values in (("C", C), ("gamma", gamma))]
    if not bench.peers:
        print(f"{len(C)} × {len(gamma)} cells, 5 folds, RBF SVM.\n\n| rows | Mercer, s | scikit-learn, s | ratio | of processor times | target | |"
              " Mercer's best | scikit-learn's best | scores differ there | in all cells |\n|---|---:|---:|---:|---:|---:|---|---|---|---|---|")
    for name in bench.wanted(GRID_SETS):
        for_peer, for_mercer, folds = grid_rows(bench, name)
        sparsities = [False, True] if name == "a9a" else [False]  # a9a is sparse: the better of the two counts
        theirs = min((bench.peer(f"grid_{name}_{'sparse' if sparse else 'dense'}", "grid", {"train": for_peer}, C=C, gamma=gamma, sparse=sparse)
                      for sparse in sparsities), key=lambda answer: answer["processor"])
        if bench.peers:
            continue
        mine = bench.repeated("fit", for_mercer, "--method", "svm", "--kernel", "rbf(gamma=1)", "--grid", axes[0], "--grid", axes[1],
                              "--cv", 5, "--folds", folds)
        trials, best = mine["search"]["trials"], mine["search"]["best"]["values"]
        here, there = (best, theirs["best"])
        # Whether Mercer's cell is as good: both cells by scikit-learn's own scores.
        loss = score_at(theirs["trials"], there) - score_at(theirs["trials"], here)
        gaps = [abs(score_at(trials, cell) - score_at(theirs["trials"], cell)) for cell in (here, there)]
        everywhere = [abs(score_at(trials, cell) - cell["score"]) for cell in theirs["trials"]]
        ratio, processor = theirs["seconds"] / mine["time"], theirs["processor"] / mine["processor"]
        print(f"| {name} | {mine['time']:.3g} | {theirs['seconds']:.4g} | {ratio:.1f} | {processor:.1f} | 30 |"
              f" {bench.verdict(processor >= 30 and loss <= 0.002)} |"
              f" {cell_text(here)}: {100 * score_at(trials, here):.2f} % | {cell_text(there)}: {100 * score_at(theirs['trials'], there):.2f} %"
              f" (Mercer's cell: {100 * loss:.2f} points less) | {100 * gaps[0]:.2f}, {100 * gaps[1]:.2f} points |"
              f" at most {100 * max(everywhere):.2f}, mean {100 * np.mean(everywhere):.3f}{remark(theirs)} |", flush=True)


def remark(theirs):
    return f"; scikit-learn {theirs['reused']}" if theirs["reused"] else ""


def train_and_test(bench, name):
    """The two files; a set without test rows gives a quarter of its rows, drawn with seed 0."""
    files = [bench.data / name / file for file in FILES[name]]
    if len(files) == 2 and not bench.quick:
        return files
    X, y = load_svmlight_file(str(files[0]))
    classes = not name.startswith("reg_")
    parts = train_test_split(X[:400] if bench.quick and not classes else X, y[:400] if bench.quick and not classes else y, test_size=0.25,
                             train_size=300 if bench.quick and len(y) > 400 and classes else None, random_state=0, stratify=y if classes else None)
    out = [bench.folder / f"{name}.{part}.svm" for part in ("train", "test")]
    for path, rows, labels in zip(out, parts[:2], parts[2:]):
        dump_svmlight_file(rows, labels.astype(int) if classes else labels, str(path), zero_based=False)
    return out


def automatic(bench):
    if not bench.peers:
        print("| rows | Mercer, s | scikit-learn, s | ratio of processor times | Mercer's test score | scikit-learn's | its standard error | |"
              " Mercer chose | scikit-learn chose |\n|---|---:|---:|---:|---:|---:|---:|---|---|---|")
    for name in bench.wanted(FILES):
        train, test = train_and_test(bench, name)
        task = "real" if name.startswith("reg_") else "classes"
        searched = 5000  # rows of the peer's search; more take it hours on letter and kin8nm
        theirs = bench.peer(f"automatic_{name}", "automatic", {"train": str(train), "test": str(test)}, task=task,
                            rows=8000 if name == "pendigits" else searched, C=powers(-1, 9), gamma=powers(-9, 1),
                            alpha=[1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0])
        if bench.peers:
            continue
        model = bench.folder / "m.mercer"
        fit = bench.repeated("fit", train, "-o", model)
        judged = bench.run("evaluate", model, test)
        score = judged["accuracy"] if task == "classes" else judged["rmse"]
        worse = theirs["score"] - score if task == "classes" else score - theirs["score"]
        seconds, processor = fit["time"] + judged["time"], fit["processor"] + judged["processor"]
        chose = f"{fit['method']}, `{fit['kernel']}`"
        parts = " (search on 5,000 of the rows)" if name in ("letter", "reg_kin8nm") else ""
        print(f"| {name} | {seconds:.3g} | {theirs['seconds']:.4g} | {theirs['processor'] / processor:.1f} | {score:.4f} | {theirs['score']:.4f} |"
              f" {theirs['error']:.4f} | {bench.verdict(worse <= theirs['error'] and processor < theirs['processor'])} | {chose} |"
              f" {theirs['learner']}, {', '.join(f'{key} = {value:g}' for key, value in theirs['parameters'].items())}{parts}{remark(theirs)} |",
              flush=True)


def report(bench):
    """The page beside the same fit without it. The times are of whole commands in turn, so that their difference is the page's."""
    if bench.peers:
        return
    n = 500 if bench.quick else 10000
    print(f"| model of {n:,} rows | fit, s | with --report, s | beyond the fit, s | target | file, MB | target | |\n|---|---:|---:|---:|---:|---:|---:|---|")
    for name, words in (("checkerboard", ("--method", "svm", "--kernel", "rbf(gamma=scale)", "--C", 10)),
                        ("friedman1", ("--method", "ridge", "--kernel", "rbf(gamma=scale)", "--tau2", 1))):
        rows, page = bench.folder / f"{name}.csv", bench.folder / f"{name}.html"
        bench.run("generate", name, "-n", n, "-o", rows)
        pairs = [(bench.run("fit", rows, *words), bench.run("fit", rows, *words, "--report", page)) for _ in range(bench.repeats)]
        bare, full = (statistics.median(run["time"] for run in side) for side in zip(*pairs))
        beyond = statistics.median(b["processor"] - a["processor"] for a, b in pairs)
        size = page.stat().st_size / 1e6
        print(f"| {name}, {words[1]} | {bare:.3g} | {full:.3g} | {full - bare:.3g} ({beyond:.3g} of processor time) | 3 | {size:.2f} | 2 |"
              f" {bench.verdict(beyond < 3 and size < 2)} |", flush=True)


WORKS = {"automatic": automatic, "grid": grid, "report": report}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--mercer", help="the program mercer")
    options.add_argument("--data", type=Path, required=True, help="the folder of the public data sets")
    options.add_argument("--only", nargs="*", choices=WORKS, help="these works")
    options.add_argument("--sets", nargs="*", choices=[*FILES, "a9a"], help="these data sets")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--quick", action="store_true", help="small parts, to try the script")
    options.add_argument("--cache", type=Path, help="keep scikit-learn's answers in this folder, and use what it holds")
    options.add_argument("--peers", action="store_true", help="only fill the cache")
    given = options.parse_args()
    if given.peers and not given.cache:
        options.error("--peers needs --cache DIR, where the answers are to be kept")
    if not given.peers and not given.mercer:
        options.error("--mercer MERCER is needed to measure it")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given, Path(folder))
        for name in given.only or WORKS:
            if not given.peers:
                print(f"\n### {name.capitalize()}\n")
            WORKS[name](bench)


if __name__ == "__main__":
    main()
