#!/usr/bin/env python3
"""Two builds of mercer side by side: seconds of whole commands, best of some alternating runs, and the ratio new/old for each.

    compare.py --old MERCER --mercer MERCER --data DIR [--runs N] [--only WORD]

A change that is not meant to cost time should leave every ratio within 1.05; the objective or score that both report is compared too.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

PLAIN = ["--json", "fit"]
CASES = [  # family, name, arguments; {NAME} is the folder of a data set
    ("gram", "rbf, satimage", ["gram", "{satimage}/satimage.train.svm", "--kernel", "rbf(gamma=0.5)", "-o", "{out}/K.npy"]),
    ("gram", "poly + linear, covtype", ["gram", "{covtype_10k}/covtype_10k.train.svm", "--kernel", "poly(degree=3) + linear", "-o", "{out}/K.npy"]),
    ("gram", "laplace, letter", ["gram", "{letter}/letter.test.svm", "--kernel", "laplace(lambda=1)", "-o", "{out}/K.npy"]),
    ("svm", "satimage", PLAIN + ["{satimage}/satimage.train.svm", "--method", "svm", "--kernel", "rbf(gamma=1)", "--C", "16"]),
    ("svm", "letter", PLAIN + ["{letter}/letter.train.svm", "--method", "svm", "--kernel", "rbf(gamma=4)", "--C", "16"]),
    ("svm", "a9a", PLAIN + ["{a9a}/a9a.train.svm", "--method", "svm", "--kernel", "rbf(gamma=0.05)", "--C", "1"]),
    ("svm", "ijcnn1", PLAIN + ["{ijcnn1}/ijcnn1.train.svm", "--method", "svm", "--kernel", "rbf(gamma=2)", "--C", "32"]),
    ("svm", "covtype", PLAIN + ["{covtype_10k}/covtype_10k.train.svm", "--method", "svm", "--kernel", "rbf(gamma=2)", "--C", "8"]),
    ("svm", "linear, rcv1", PLAIN + ["{rcv1_1k}/rcv1_1k.train.svm", "--method", "svm", "--kernel", "linear"]),
    ("svm", "heart", PLAIN + ["{heart_scale}/heart_scale.train.svm", "--method", "svm", "--kernel", "rbf(gamma=0.1)"]),
    ("svm", "svr, kin8nm", PLAIN + ["{reg_kin8nm}/kin8nm.train.svm", "--method", "svr", "--kernel", "rbf(gamma=0.1)"]),
    ("methods", "ridge rbf, kin8nm", PLAIN + ["{reg_kin8nm}/kin8nm.train.svm", "--method", "ridge", "--kernel", "rbf(gamma=0.1)", "--lambda", "1e-5"]),
    ("methods", "ridge linear, cadata", PLAIN + ["{reg_cadata}/cadata.svm", "--method", "ridge", "--kernel", "linear", "--scale", "standard"]),
    ("methods", "ridge nystrom:500, cadata", PLAIN + ["{reg_cadata}/cadata.svm", "--method", "ridge", "--kernel", "rbf(gamma=0.1)", "--scale", "standard", "--lambda", "1e-6", "--approx", "nystrom:500"]),
    ("methods", "logistic rbf, satimage", PLAIN + ["{satimage}/satimage.train.svm", "--method", "logistic", "--kernel", "rbf(gamma=1)", "--lambda", "1e-4"]),
    ("methods", "gp, concrete", PLAIN + ["{reg_concrete}/concrete.train.svm", "--method", "gp", "--kernel", "rbf(gamma=0.1)", "--scale", "standard"]),
    ("methods", "quantile, airfoil", PLAIN + ["{reg_airfoil}/airfoil.train.svm", "--method", "quantile", "--kernel", "rbf(gamma=0.1)", "--scale", "standard"]),
    ("methods", "pca, pendigits", PLAIN + ["{pendigits}/pendigits.train.svm", "--method", "pca", "--kernel", "rbf(gamma=0.0001)"]),
    ("methods", "one_class, covtype", PLAIN + ["{covtype_10k}/covtype_10k.train.svm", "--method", "one_class", "--kernel", "rbf(gamma=2)"]),
    ("methods", "kmeans, satimage", PLAIN + ["{satimage}/satimage.train.svm", "--method", "kmeans", "--kernel", "rbf(gamma=1)"]),
    ("tuning", "svm, spambase", PLAIN + ["{spambase}/spambase.svm", "--method", "svm", "--kernel", "rbf(gamma=0.02)", "--grid", "C=0.5:32:2", "--grid", "gamma=0.005,0.02,0.08", "--cv", "5", "--scale", "standard"]),
    ("tuning", "everything, concrete", PLAIN + ["{reg_concrete}/concrete.train.svm"]),
    ("tuning", "everything, heart", PLAIN + ["{heart_scale}/heart_scale.train.svm"]),
    ("structured", "bow, sms_spam", PLAIN + ["{sms_spam}/sms_spam.tsv", "--target", "1", "--objects", "2:text", "--method", "svm", "--kernel", "normalize(bow(weight=tfidf))"]),
    ("structured", "spectrum, splice", PLAIN + ["{splice_uci}/splice_uci.tsv", "--target", "1", "--objects", "2:sequence", "--method", "svm", "--kernel", "normalize(spectrum(k=5))"]),
    ("structured", "wl, NCI1", PLAIN + ["{graph_NCI1}", "--method", "svm", "--kernel", "wl(iterations=3)"]),
    ("structured", "tanimoto, lipo", PLAIN + ["{mol_lipo}/lipo.csv", "--target", "-1", "--objects", "1:molecule", "--method", "ridge", "--kernel", "tanimoto"]),
]


def run(mercer, arguments):
    start = time.perf_counter()
    done = subprocess.run([mercer, "--threads", "1", *arguments], capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 1):
        return None, done.stderr.strip().splitlines()[-1] if done.stderr else f"exit {done.returncode}"
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return seconds, None
    return seconds, report.get("objective", report.get("score"))


def agree(a, b):
    if not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
        return "" if a == b else "other result"
    return "" if math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-9) else f"{a:.8g} → {b:.8g}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--old", required=True)
    parser.add_argument("--mercer", required=True)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    ratios = {}
    print("| case | old, s | new, s | new/old | objective |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as out:
        places = {folder.name: str(folder) for folder in options.data.iterdir() if folder.is_dir()} | {"out": out}
        for family, name, arguments in CASES:
            if options.only not in f"{family}: {name}":
                continue
            try:
                filled = [argument.format(**places) for argument in arguments]
            except KeyError as missing:
                print(f"| {family}: {name} | | | skipped: no data set {missing} | |")
                continue
            best, results, fault = [math.inf, math.inf], [None, None], None
            for _ in range(options.runs):
                for which, mercer in enumerate((options.old, options.mercer)):
                    seconds, result = run(mercer, filled)
                    if seconds is None:
                        fault = fault or result
                        continue
                    best[which], results[which] = min(best[which], seconds), result
            if math.inf in best:
                print(f"| {family}: {name} | | | failed: {fault} | |")
                continue
            ratios[f"{family}: {name}"] = best[1] / best[0]
            print(f"| {family}: {name} | {best[0]:.3f} | {best[1]:.3f} | {best[1] / best[0]:.2f} | {agree(*results)} |", flush=True)
    if ratios:
        worst = max(ratios, key=ratios.get)
        mean = math.exp(sum(math.log(r) for r in ratios.values()) / len(ratios))
        print(f"\nGeometric mean {mean:.2f}; worst {ratios[worst]:.2f} ({worst}).")


if __name__ == "__main__":
    sys.exit(main())
