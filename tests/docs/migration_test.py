#!/usr/bin/env python3
"""The tables of docs/libsvm.md and docs/scikit_learn.md: both columns of each row are run on the same data, and agree."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MERCER = os.environ["MERCER"]


def rows(page, heading):
    """Cells in `code` of each row of the first table under a heading."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.S | re.M)[1]
    lines = [line for line in section.split("\n") if line.startswith("| `")]
    return [[re.fullmatch(r"`(.*)`", cell.strip())[1] for cell in line.strip("| ").split(" | ")[:2]] for line in lines]


class Libsvm(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name, data, seed in ("train", "moons", 1), ("test", "moons", 2), ("numbers", "friedman1", 1):
            self.run_words("mercer", "generate", data, "-n", "200", "--seed", str(seed), "-o", f"{name}.svm")

    def run_words(self, *words):
        words = [MERCER, *words[1:]] if words[0] == "mercer" else [MERCER, *words] if words[0] in ("svm-train", "svm-predict", "svm-scale") else list(words)
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
        return done.stdout

    def test_flags_of_svm_train(self):
        found = rows("libsvm.md", "svm-train")
        self.assertGreater(len(found), 10)
        for old, new in found:
            with self.subTest(old):
                data = "numbers.svm" if re.search("-s [34]", old) else "train.svm"
                if "-v" in old:
                    self.assertIn("Accuracy", self.run_words("svm-train", *shlex.split(old), data))
                    self.assertIn("5-fold cross-validation", self.run_words("mercer", "fit", data, *shlex.split(new)))
                    continue
                self.run_words("svm-train", *shlex.split(old), data, "old.model")
                self.run_words("mercer", "fit", data, *shlex.split(new), "-o", "new.mercer")
                one, two = ([float(value) for value in self.run_words("mercer", "predict", model, data).split()] for model in ("old.model", "new.mercer"))
                self.assertEqual(len(one), 200)
                if re.search("-s [34]", old):
                    self.assertLess(max(abs(a - b) for a, b in zip(one, two)), 0.02)
                else:  # rows on the boundary may fall on either side within the tolerance
                    self.assertGreaterEqual(sum(a == b for a, b in zip(one, two)), 196)

    def test_other_programs(self):
        self.run_words("svm-train", "train.svm", "m.model")
        self.run_words("svm-train", "-b", "1", "train.svm", "p.model")
        found = rows("libsvm.md", "The other programs")
        self.assertEqual(len(found), 5)
        for old, new in found:
            with self.subTest(old):
                written = [self.numbers_of(command) for command in (old, new)]
                if "-b 1" in old:  # a line "labels 0 1", and the label in front of each row's probabilities
                    pairs = [(row[1:], probabilities) for row, probabilities in zip(written[0][1:], written[1], strict=True)]
                    self.assertTrue(all(abs(a - b) < 1e-4 for one, two in pairs for a, b in zip(one, two, strict=True)))
                elif "svm-predict" in old:
                    self.assertEqual(*written)

    @unittest.skipUnless(shutil.which("svm-grid"), "svm-grid (Debian's libsvm-tools) is not installed")
    def test_grid_over_a_link(self):
        """The search of grid.py with mercer as svm-train, and ours over the same values."""
        [old, new] = rows("libsvm.md", "The other programs")[3]
        (self.folder / "svm-train").symlink_to(MERCER)
        words = shlex.split(old)
        best = self.run_words(sys.executable, shutil.which(words[0]), *words[1:-1], "-svmtrain", "./svm-train", "-gnuplot", "null", words[-1]).split("\n")[-2]
        self.assertGreater(float(best.split()[-1]), 95)  # accuracy in percent
        self.assertIn("9 candidates", self.run_words(*shlex.split(new)))

    def numbers_of(self, command):
        """Numbers of each line that a command writes into `out`; none where it writes no such file."""
        (self.folder / "out").unlink(missing_ok=True)
        words = shlex.split(command)
        if words[0] != "svm-grid":
            self.run_words(*words)
        if not (self.folder / "out").exists():
            return []
        return [[float(word) for word in line.split() if word != "labels"] for line in (self.folder / "out").read_text().splitlines()]


def has_package():
    try:
        import mercer  # noqa: F401
        import sklearn  # noqa: F401
    except ImportError:
        return False
    return True


@unittest.skipUnless(has_package(), "the Python package is not built")
class ScikitLearn(unittest.TestCase):
    def setUp(self):
        import mercer
        import numpy as np
        import sklearn.decomposition, sklearn.gaussian_process, sklearn.gaussian_process.kernels, sklearn.kernel_approximation, sklearn.kernel_ridge, sklearn.metrics, sklearn.svm
        random = np.random.default_rng(0)
        self.np, self.X = np, random.normal(size=(60, 3))
        self.numbers, self.classes = np.sin(self.X[:, 0]) + self.X[:, 1], (self.X[:, 0] ** 2 + self.X[:, 1] > 0.5).astype(int)
        self.old = {**vars(sklearn), "pairwise": sklearn.metrics.pairwise, "gp": sklearn.gaussian_process.kernels, "X": self.X, "abs": abs}
        self.new = {**{name: getattr(mercer, name) for name in ("SVC NuSVC LinearSVC SVR NuSVR OneClassSVM KernelRidge GaussianProcessRegressor GaussianProcessClassifier KernelPCA Nystroem RBF "
                                                                "Manhattan Polynomial Sigmoid Chi2 Cosine Matern RationalQuadratic Linear Delta").split()}, "X": self.X, "abs": abs}

    def test_estimators(self):
        found = rows("scikit_learn.md", "Estimators")
        self.assertGreater(len(found), 10)
        for old, new in found:
            with self.subTest(old):
                one, two = eval(old, self.old), eval(new, self.new)
                y = self.classes if type(one).__name__.endswith(("SVC", "Classifier")) else self.numbers
                one, two = one.fit(self.X, y), two.fit(self.X, y)
                if "KernelPCA" in old:
                    self.assertTrue(self.np.allclose(abs(one.transform(self.X)), abs(two.transform(self.X)), atol=1e-4))
                elif "Nystroem" in old:
                    self.assertTrue(self.np.allclose(one.transform(self.X), two.transform(self.X), atol=1e-6))
                elif "predict_proba" in dir(two) and "Gaussian" in old:
                    self.assertTrue(self.np.allclose(one.predict_proba(self.X), two.predict_proba(self.X), atol=1e-3))
                elif y is self.classes or "OneClass" in old:
                    self.assertGreaterEqual((one.predict(self.X) == two.predict(self.X)).mean(), 0.96)
                else:
                    self.assertTrue(self.np.allclose(one.predict(self.X), two.predict(self.X), atol=0.02), old)

    def test_kernels(self):
        found = rows("scikit_learn.md", "Kernels")
        self.assertGreater(len(found), 8)
        for old, new in found:
            with self.subTest(old):
                self.assertTrue(self.np.allclose(eval(old, self.old), eval(new, self.new), atol=1e-10))


if __name__ == "__main__":
    unittest.main()
