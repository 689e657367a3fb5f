#!/usr/bin/env python3
"""The largest difference between `mercer predict` and ONNX Runtime, for all methods × all kernels: a table.

    MERCER=build/release/mercer tests/cli/onnx_matrix.py        takes about five minutes; -v says which combinations a fit refuses, and why

Differences are |a − b| / max(1, |b|). A model that least squares makes of a nearly singular K is decided by rounding: where predictions of Mercer itself
differ by more than the bound between instruction sets, the model is listed and not counted.
"""
import csv
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from onnx_runtime import Runtime

# One expression for each kernel of the catalogue over rows of numbers, and for each rule; the rows have three columns of numbers ≥ 0.
KERNELS = {
    "linear": "linear", "poly": "poly(degree=3, scale=0.5, offset=1)", "rbf": "rbf(gamma=0.7)", "laplace": "laplace(lambda=0.8)",
    "exponential": "exponential(sigma=2)", "quadratic_form": "quadratic_form(A=[[2, 1, 0], [1, 2, 0], [0, 0, 1]])", "constant": "constant(c=2)", "delta": "delta",
    "intersection": "intersection", "matern": "matern(nu=1.2, length=1.5)", "rational_quadratic": "rational_quadratic(alpha=0.7, length=1.5)",
    "chi2": "chi2(gamma=0.5)", "cosine": "cosine", "manhattan": "manhattan(lambda=0.4)", "anova": "anova(gamma=0.5, degree=2)",
    "periodic": "periodic(period=1.5, length=1.2)", "sigmoid": "sigmoid(scale=0.1, offset=-0.2)", "arc_cosine": "arc_cosine(order=1)", "ntk": "ntk(depth=3)",
    "spectral_mixture": "spectral_mixture(weights=[1, 0.5], means=[[0.1, 0.2, 0.3], [0.3, 0.1, 0]], variances=[[0.1, 0.2, 0.1], [0.2, 0.1, 0.3]])",
    "distance": "distance(beta=1.3)", "multiquadric": "multiquadric", "thin_plate": "thin_plate", "jaccard": "jaccard",
    # the rules
    "sum": "0.5*rbf(gamma=0.3) + 2*linear", "product": "rbf(gamma=0.3)*poly(degree=2)", "power": "(1 + linear)^3", "exp": "exp(0.1*linear)",
    "polynomial": "polynomial(rbf(gamma=1), coefficients=[1, 2, 0.5])", "normalize": "normalize(poly(degree=2) + 0.1*rbf(gamma=1))", "center": "center(rbf(gamma=0.5))",
    "weighted": "weighted(rbf(gamma=0.5), by=[exp(-a/4) + b^2])", "weighted norm": "weighted(rbf(gamma=0.5), by=norm)",
    "weighted inverse": "weighted(linear, by=inverse_norm)", "weighted exp": "weighted(linear, by=exp_norm, sigma=2)",
    "mapped": "mapped(rbf(gamma=0.2), by=[a, b*c, sqrt(a + 1), max(b, 1)])", "mapped squares": "mapped(rbf(gamma=0.1), by=squares)",
    "mapped powers": "mapped(linear, by=powers, degree=2)", "mapped norm": "mapped(rbf(gamma=0.1), by=append_norm)", "mapped unit": "mapped(rbf(gamma=1), by=unit)",
    "mapped periodic": "mapped(linear, by=\"periodic(period=2)\")", "columns": "rbf(gamma=0.6)@[a, c] + linear@b", "scaled": "scaled(rbf(gamma=0.5), by=[1, 0.3, 2])",
    "mkl": "mkl(rbf(gamma=1), linear)", "nested": "center(normalize(exp(0.2*linear@[a, b]) * matern(nu=2.5, length=2)))", "matern 0.3": "matern(nu=0.3, length=1)",
    "arc_cosine 0": "arc_cosine(order=0, layers=2)", "arc_cosine 2": "arc_cosine(order=2)",
}

# Method: the data, and options.
METHODS = {
    "svm": ("two", ["--C", "2"]), "svm 3 classes": ("three", ["--C", "2"]), "svm rest": ("three", ["--multiclass", "ovr"]), "svm proba": ("three", ["--C", "2", "--proba"]),
    "nu_svm": ("three", ["--nu", "0.3"]), "svr": ("real", []), "nu_svr": ("real", []), "ridge": ("real", ["--lambda", "0.01"]), "ols": ("real", ["--bias", "free"]),
    "gp": ("real", ["--optimize", "none"]), "gp_classifier": ("three", ["--optimize", "none"]), "gp_classifier 2": ("two", ["--optimize", "none"]),
    "sparse_gp": ("real", ["--optimize", "none", "--inducing", "20"]), "multi_gp": ("several", ["--optimize", "none"]), "logistic": ("three", ["--lambda", "0.01"]),
    "logistic 2": ("two", ["--lambda", "0.01"]), "poisson": ("counts", ["--lambda", "0.1"]), "huber": ("real", ["--lambda", "0.01"]), "quantile": ("real", ["--lambda", "0.01"]),
    "rerm": ("real", ["--loss", "absolute", "--lambda", "0.01"]), "fisher": ("three", []), "perceptron": ("three", []), "online_perceptron": ("two", []),
    "norma": ("real", []), "recursive_ridge": ("real", []), "knn": ("real", []), "knn distance": ("three", ["--weighting", "distance"]),
    "nadaraya_watson": ("real", []), "lwlr": ("real", ["--ridge", "1e-4"]), "pca": ("none", ["--components", "3"]), "kmeans": ("none", ["--clusters", "3"]),
    "spectral": ("none", ["--clusters", "3"]), "one_class": ("none", ["--nu", "0.3"]), "one_class proba": ("none", ["--nu", "0.3", "--proba"]),
    "mean_distance": ("none", []), "linear_svm": ("three", ["--C", "2"]), "linear_svr": ("real", []), "mmd": ("two", ["--permutations", "0"]),
    "svm nystrom": ("two", ["--approx", "nystrom:20"]), "ridge fourier": ("real", ["--approx", "fourier:64"]), "ridge sketch": ("real", ["--approx", "sketch:64"]),
    "ridge explicit": ("real", ["--approx", "explicit"]),
}
BOUND = 1e-5


def write_table(path, rows, header):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def make_data(folder, seed=1):
    """Training tables for each kind of target, and rows to predict: new ones, training rows again, and missing cells."""
    draw = random.Random(seed)
    rows = [[round(draw.gammavariate(2, 1), 3) for _ in range(3)] for _ in range(60)]
    value = [math.sin(a) + 0.3 * b - 0.1 * c + draw.gauss(0, 0.1) for a, b, c in rows]
    kinds = {
        "two": [["yes" if v > 0.9 else "no"] for v in value], "three": [[0 if v < 0.5 else 1 if v < 1.2 else 2] for v in value], "real": [[v] for v in value],
        "counts": [[int(abs(3 * v))] for v in value], "several": [[v, v * v - a] for v, (a, _, _) in zip(value, rows)], "none": [[] for _ in rows],
    }
    for kind, targets in kinds.items():
        names = ["y", "z"][: len(targets[0])]
        write_table(folder / f"{kind}.csv", [row + target for row, target in zip(rows, targets)], ["a", "b", "c", *names])
    new = [[round(draw.gammavariate(2, 1), 3) for _ in range(3)] for _ in range(20)] + rows[:15] + [[None, 1.0, 2.0], [0.5, None, None]]
    write_table(folder / "new.csv", [["" if v is None else v for v in row] for row in new], ["a", "b", "c"])
    return new


def gap(found, expected):
    """The largest |a − b| / max(1, |b|)."""
    worst = 0.0
    for ours, theirs in zip(found, expected, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            if a is None or not math.isfinite(b):
                return math.inf
            worst = max(worst, abs(a - b) / max(1.0, abs(b)))
    return worst


class Matrix:
    def __init__(self, mercer, folder):
        self.mercer, self.folder, self.runtime = mercer, pathlib.Path(folder), Runtime()
        self.new = make_data(self.folder)

    def call(self, *arguments, environment=None):
        return subprocess.run([self.mercer, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=120, env=environment)

    def by_rounding(self):
        """The largest difference between predictions of the last model by two instruction sets."""
        numbers = lambda simd: [[float(cell) for cell in row] for row in self.predicted("--score", environment={**os.environ, "MERCER_SIMD": simd})]
        return gap(numbers("scalar"), numbers(""))

    def predicted(self, *flags, environment=None):
        done = self.call("predict", "m.mercer", "new.csv", "--quiet", *flags, environment=environment)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return [line.split(" ") for line in done.stdout.splitlines()]

    def cell(self, method, kernel, check=lambda path: None):
        """The largest difference, None where there is no such model; AssertionError where a label differs."""
        data, options = METHODS[method]
        self.why = ""
        model = self.fit(method, kernel)
        if not model:
            return None
        converted = self.call("convert", "m.mercer", "m.onnx", "--quiet")
        if converted.returncode != 0:
            raise AssertionError(f"{method}, {kernel}: {converted.stderr}")
        check(self.folder / "m.onnx")
        found = self.runtime.run(self.folder / "m.onnx", X=self.new)
        numbers = lambda *flags: [[float(cell) for cell in row] for row in self.predicted(*flags)]
        if "label" not in found:
            return gap(found.get("prediction", found.get("components")), numbers())
        worst = gap(found["scores"], numbers("--score"))
        if "probabilities" in found:
            worst = max(worst, gap(found["probabilities"], numbers("--proba")))
        # A tie may be decided either way.
        for label, [expected], scores in zip(found["label"], self.predicted(), found["scores"], strict=True):
            ordered = sorted(scores)
            tied = min(map(abs, scores)) < BOUND or (len(scores) > 1 and min(b - a for a, b in zip(ordered, ordered[1:])) < BOUND)
            if str(label) != expected and not tied:
                raise AssertionError(f"{method}, {kernel}: label {label}, not {expected}")
        return worst

    def fit(self, method, kernel):
        data, options = METHODS[method]
        target = {"none": ["--target", "none"], "several": ["--target", "y,z"]}.get(data, ["--target", "y", "--task", "classes" if data in ("two", "three") else "real"])
        path = self.folder / "m.mercer"
        path.unlink(missing_ok=True)
        for more in ([], ["--allow-indefinite"]):
            done = self.call("fit", f"{data}.csv", *target, "--method", method.split(" ")[0], "--kernel", KERNELS[kernel], *options, *more, "-o", "m.mercer", "--quiet")
            if path.exists():
                return True
        self.why = done.stderr.strip()
        return False

    def close(self):
        self.runtime.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        matrix = Matrix(os.path.abspath(os.environ["MERCER"]), folder)
        found, none = {}, 0
        for method, kernel in ((m, k) for m in METHODS for k in KERNELS):
            try:
                found[method, kernel] = matrix.cell(method, kernel)
            except AssertionError as error:
                found[method, kernel] = math.inf
                print(f"{method}, {kernel}: {error}"[:300], file=sys.stderr)
            none += found[method, kernel] is None
            if (found[method, kernel] or 0) > BOUND and matrix.by_rounding() > BOUND:
                print(f"not counted: {method}, {kernel}: {found[method, kernel]:.1e}; between instruction sets {matrix.by_rounding():.1e}")
                del found[method, kernel]
                continue
            if found[method, kernel] is None and "-v" in sys.argv:
                print(method, kernel, matrix.why[:200], file=sys.stderr)
        matrix.close()
    compared = {cell: value for cell, value in found.items() if value is not None}
    for title, names, place in (("method", METHODS, 0), ("kernel", KERNELS, 1)):
        print(f"{title:<20} compared  largest difference")
        for name in names:
            values = [(value, cell[1 - place]) for cell, value in compared.items() if cell[place] == name]
            if values:
                print(f"{name:<20} {len(values):>8}  {max(values)[0]:.1e} ({max(values)[1]})")
    (method, kernel), worst = max(compared.items(), key=lambda item: item[1])
    print(f"{len(compared)} models compared, {none} combinations that a fit refuses; largest difference {worst:.1e} ({method}, {kernel})")
    return worst > BOUND


if __name__ == "__main__":
    sys.exit(main())
