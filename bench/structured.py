#!/usr/bin/env python3
"""Kernels of objects on public data sets: how good models are, and how long Gram matrices take beside a plain loop over pairs; markdown tables.

    structured.py --mercer MERCER --data DIR [--only NAME …]

Scores are those of cross-validation by the program itself (folds drawn with seed 1, of the two smallest sets the mean over five draws in the search), or of a
random split where the row says so. The loops are Python
over dictionaries of counts, made before the clock starts, on 300 of the rows, and scaled up to all pairs.
"""
import argparse
import collections
import json
import random
import resource
import subprocess
import tempfile
import time
from pathlib import Path


class Bench:
    def __init__(self, given, folder):
        self.mercer, self.data, self.folder = given.mercer, given.data, folder

    def run(self, *words):
        start = time.perf_counter()
        done = subprocess.run([self.mercer, "--json", "--quiet", *map(str, words)], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{' '.join(map(str, words))}\n{done.stderr}")
        return {**json.loads(done.stdout), "time": time.perf_counter() - start}

    def judged(self, *words):
        return self.run("fit", *words)


def line(what, kernel, score, aim, reached, seconds, text):
    print(f"| {what} | `{kernel}` | {score} | {aim} | {'reached' if reached else 'MISSED'} | {seconds:.3g} | {text} |", flush=True)


def accuracy(bench, what, path, kernel, aim, *words, folds=5):
    found = bench.judged(path, "--kernel", kernel, "--method", "svm", "--tune", "--cv", folds, *words)
    score = found["score"]["value"]
    line(what, found["kernel"], f"{100 * score:.2f} %", f"≥ {100 * aim:g} %", score >= aim, found["time"], f"{folds} folds")


def chosen(bench, what, path, aim, *words, folds=5):
    """Everything is chosen, the kernel too."""
    found = bench.judged(path, "--cv", folds, *words)
    score = found["score"]["value"]
    line(what, found["kernel"], f"{100 * score:.2f} %", f"≥ {100 * aim:g} %", score >= aim, found["time"], f"kernel chosen, {folds} folds")


def regression(bench, what, path, target, kernel, aim):
    found = bench.judged(path, "--target", target, "--kernel", kernel, "--method", "ridge", "--tune", "--holdout", 0.2, "--skip-bad")
    score = found["score"]["value"]
    line(what, found["kernel"], f"RMSE {score:.3f}", f"≤ {aim}", score <= aim, found["time"], "a random fifth held out")


def auc(bench, what, path, target, kernel, aim):
    found = bench.judged(path, "--target", target, "--kernel", kernel, "--method", "svm", "--tune", "--metric", "auc", "--holdout", 0.2, "--skip-bad", "--task", "classes")
    score = found["score"]["value"]
    line(what, found["kernel"], f"AUC {score:.3f}", f"≥ {aim}", score >= aim, found["time"], "a random fifth held out")


def area(positive, negative):
    """The share of pairs in the right order."""
    return sum((p > n) + 0.5 * (p == n) for p in positive for n in negative) / (len(positive) * len(negative))


def nfe2(bench):
    folder, model, out = bench.data / "lsgkm_nfe2_chipseq", bench.folder / "nfe2.mercer", bench.folder / "nfe2.csv"
    kernel = "normalize(gkm(l=11, k=7, d=3, filter=truncated))"
    found = bench.run("fit", folder / "nfe2.train.tsv", "--target", 1, "--method", "svm", "--C", 1, "--kernel", kernel, "--allow-indefinite", "-o", model)
    judged = bench.run("evaluate", model, folder / "nfe2.test.tsv", "--metric", "auc")
    ours = judged["auc"]["value"] if isinstance(judged["auc"], dict) else judged["auc"]
    scores = [[float(row.split()[1]) for row in (folder / name).read_text().splitlines()] for name in ("lsgkm.test.pred.txt", "lsgkm.neg.test.pred.txt")]
    theirs = area(*scores)
    line("lsgkm_nfe2_chipseq", kernel, f"AUC {ours:.4f}", f"≥ {theirs - 0.01:.4f}", ours >= theirs - 0.01, found["time"], f"the test file; ls-gkm's own scores: {theirs:.4f}")


def scores(bench):
    print("| data | kernel | score | aim | | seconds | judged on |\n|---|---|---:|---:|---|---:|---|")
    data = bench.data
    chosen(bench, "splice_uci", data / "splice_uci/splice_uci.tsv", 0.95, "--target", 1)
    chosen(bench, "promoters_dna", data / "promoters_dna/promoters_dna.tsv", 0.90, "--target", 1, "--task", "classes")
    nfe2(bench)
    accuracy(bench, "MUTAG", data / "graph_MUTAG", "normalize(wl(iterations=2, base=shortest_path))", 0.85, "--repeats", 5, folds=10)
    accuracy(bench, "NCI1", data / "graph_NCI1", "normalize(wl(iterations=4))", 0.83, folds=10)
    accuracy(bench, "sms_spam", data / "sms_spam/sms_spam.tsv", "normalize(bow(weight=log, ngrams=2))", 0.98, "--target", 1)
    regression(bench, "mol_esol", data / "mol_esol/esol.csv", "logSolubility", "tanimoto@smiles", 0.75)
    regression(bench, "mol_esol", data / "mol_esol/esol.csv", "logSolubility", "tanimoto@smiles + normalize(wl(iterations=3))@smiles + normalize(shortest_path)@smiles", 0.75)
    regression(bench, "mol_lipo", data / "mol_lipo/lipo.csv", "lipo", "tanimoto@smiles", 0.72)
    auc(bench, "mol_bbbp", data / "mol_bbbp/bbbp.csv", "p_np", "tanimoto@smiles", 0.90)
    chosen(bench, "mil_musk1", data / "mil_musk1/musk1.csv", 0.85, "--target", 2, "--bag", 1, "--task", "classes", "--repeats", 5, folds=10)


def words(text, k):
    return collections.Counter(text[i:i + k] for i in range(len(text) - k + 1))


def gapped(text, l, k):
    from itertools import combinations
    places = list(combinations(range(l), k))
    complement = text[::-1].translate(str.maketrans("ACGT", "TGCA"))
    counts = collections.Counter()
    for strand in (text, complement):
        for i in range(len(strand) - l + 1):
            word = strand[i:i + l]
            for p in places:
                counts[p, "".join(word[q] for q in p)] += 1
    return counts


def loop_seconds(rows, total):
    """Of all pairs, from those of `rows`."""
    start = time.perf_counter()
    for i, a in enumerate(rows):
        for b in rows[:i + 1]:
            if len(b) < len(a):
                sum(count * a[key] for key, count in b.items() if key in a)
            else:
                sum(count * b[key] for key, count in a.items() if key in b)
    pairs = len(rows) * (len(rows) + 1) / 2
    return (time.perf_counter() - start) * total * (total + 1) / 2 / pairs


def gram_line(bench, what, path, kernel, loop, aim, *words_):
    times = [bench.run("gram", path, "--kernel", kernel, "-o", bench.folder / "K.npy", *words_)["seconds"] for _ in range(3)]
    seconds = sorted(times)[1]
    if loop:
        print(f"| {what} | `{kernel}` | {seconds:.3g} | {loop:.3g} | {loop / seconds:.0f} | {aim} | {'reached' if loop / seconds >= 10 else 'MISSED'} |", flush=True)
    else:
        limit = float(aim.split()[1])
        print(f"| {what} | `{kernel}` | {seconds:.3g} | | | {aim} | {'reached' if seconds <= limit else 'MISSED'} |", flush=True)


def grams(bench):
    print("| data | kernel | Gram matrix, s | a loop over pairs, s | ratio | aim | |\n|---|---|---:|---:|---:|---|---|")
    splice = bench.data / "splice_uci/splice_uci.tsv"
    texts = [row.split("\t")[1] for row in splice.read_text().splitlines()]
    drawn = random.Random(0).sample(texts, 300)
    gram_line(bench, "splice_uci, 3,190", splice, "spectrum(k=6)", loop_seconds([words(t, 6) for t in drawn], len(texts)), "10 times", "--target", 1)
    nfe2_ = bench.data / "lsgkm_nfe2_chipseq/nfe2.train.tsv"
    texts = [row.split("\t")[1].upper() for row in nfe2_.read_text().splitlines()]
    drawn = random.Random(0).sample(texts, 30)
    gram_line(bench, "nfe2, 1,288", nfe2_, "gkm(l=10, k=6)", loop_seconds([gapped(t, 10, 6) for t in drawn], len(texts)), "10 times", "--target", 1)
    gram_line(bench, "NCI1, 4,110", bench.data / "graph_NCI1", "wl(iterations=5)", None, "≤ 5 s")
    gram_line(bench, "mol_lipo, 4,200", bench.data / "mol_lipo/lipo.csv", "tanimoto@smiles", None, "≤ 2 s (parsing included)", "--target", "lipo")


def many(bench):
    """100,000 short strings: fit and predict, and the memory that takes."""
    rows, model = bench.folder / "many.csv", bench.folder / "many.mercer"
    bench.run("generate", "dna_motif", "-n", 100000, "-o", rows)
    fit = bench.run("fit", rows, "--target", "y", "--kernel", "normalize(spectrum(k=5))", "--method", "svm", "--C", 10, "-o", model)
    predict = bench.run("predict", model, rows, "-o", bench.folder / "p.csv")
    judged = bench.run("evaluate", model, rows)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"\n100,000 sequences, `normalize(spectrum(k=5))`, svm: fit {fit['time']:.3g} s, predict {predict['time']:.3g} s,"
          f" training accuracy {judged['accuracy'] if not isinstance(judged['accuracy'], dict) else judged['accuracy']['value']:.4f}, peak {peak:.0f} MB of any command (aim 4,096): "
          f"{'reached' if peak < 4096 else 'MISSED'}.")


WORKS = {"scores": scores, "grams": grams, "many": many}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--mercer", required=True, help="the program mercer")
    options.add_argument("--data", type=Path, required=True, help="the folder of the public data sets")
    options.add_argument("--only", nargs="*", choices=WORKS, help="these works")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given, Path(folder))
        for name in given.only or WORKS:
            WORKS[name](bench)
            print()


if __name__ == "__main__":
    main()
