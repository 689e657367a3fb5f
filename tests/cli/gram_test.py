#!/usr/bin/env python3
import unittest
import xml.etree.ElementTree

import numpy

from mercer_cli import MercerTest


class Gram(MercerTest):
    def points(self):
        table = numpy.loadtxt(self.folder / self.moons(), delimiter=",", skiprows=1)
        return table[:, :2]

    def gram(self, *options, **more):
        self.mercer("gram", "moons.csv", "-o", "K.npy", *options, **more)
        return numpy.load(self.folder / "K.npy")

    def test_numpy_agrees(self):
        x = self.points()
        distances = ((x[:, None] - x[None]) ** 2).sum(2)
        expected = numpy.exp(-distances) + 0.5 * (1 + x @ x.T) ** 2
        K = self.gram("--kernel", "rbf(gamma=1) + 0.5*poly(degree=2)")
        self.assertEqual(K.dtype, numpy.float64)
        numpy.testing.assert_allclose(K, expected, rtol=1e-12)
        numpy.testing.assert_array_equal(K, K.T)
        narrow = self.gram("--kernel", "rbf(gamma=1) + 0.5*poly(degree=2)", "--precision", "float32")
        self.assertEqual(narrow.dtype, numpy.float32)
        numpy.testing.assert_allclose(narrow, expected, rtol=1e-5)

    def test_every_instruction_set_and_thread_count(self):
        self.moons()
        listed = self.refused(2, "gram", "moons.csv", "--kernel", "linear", "-o", "K.npy", environment={"MERCER_SIMD": "mmx"})
        sets = listed.split("choose from ")[1].strip().split(", ")
        best = self.gram("--kernel", "laplace(lambda=1)*rational_quadratic(length=2)")
        for name in sets:
            other = self.gram("--kernel", "laplace(lambda=1)*rational_quadratic(length=2)", environment={"MERCER_SIMD": name})
            numpy.testing.assert_allclose(other, best, rtol=1e-13, err_msg=name)
        numpy.testing.assert_array_equal(self.gram("--kernel", "rbf(gamma=scale)", "--threads", 1), self.gram("--kernel", "rbf(gamma=scale)", "--threads", 4))

    def test_reference_distances_and_mean(self):
        x = self.points()
        self.mercer("generate", "moons", "-n", 7, "--seed", 5, "-o", "other.csv", "--quiet")
        z = numpy.loadtxt(self.folder / "other.csv", delimiter=",", skiprows=1)[:, :2]
        numpy.testing.assert_allclose(self.gram("--kernel", "linear", "--reference", "other.csv"), x @ z.T, atol=1e-13)
        numpy.testing.assert_allclose(self.gram("--kernel", "linear", "--reference", "other.csv", "--distances"),
                                      ((x[:, None] - z[None]) ** 2).sum(2), atol=1e-12)
        numpy.testing.assert_allclose(self.gram("--kernel", "linear", "--to-mean")[:, 0], ((x - x.mean(0)) ** 2).sum(1), atol=1e-12)

    def test_plot_is_an_svg_with_the_classes(self):
        self.moons()
        self.mercer("gram", "moons.csv", "--kernel", "rbf(gamma=1) + constant(c=1)", "--plot", "K.svg")
        text = (self.folder / "K.svg").read_text()
        xml.etree.ElementTree.fromstring(text)
        self.assertIn("rbf(gamma=1) + constant(c=1)", text)
        self.assertNotIn("<script", text)

    def test_refusals_leave_nothing_behind(self):
        self.moons()
        before = sorted(p.name for p in self.folder.iterdir())
        self.assertIn("give -o FILE", self.refused(2, "gram", "moons.csv", "--kernel", "linear"))
        self.assertIn("raise --memory", self.refused(4, "gram", "moons.csv", "--kernel", "linear", "-o", "K.npy", "--memory", "1KB"))
        self.assertIn("cannot be created", self.refused(3, "gram", "moons.csv", "--kernel", "linear", "-o", "missing/K.npy"))
        self.assertIn("no column 'x9'", self.refused(2, "gram", "moons.csv", "--kernel", "linear@x9", "-o", "K.npy"))
        self.assertIn("cannot be opened", self.refused(3, "gram", "none.csv", "--kernel", "linear", "-o", "K.npy"))
        self.assertEqual(before, sorted(p.name for p in self.folder.iterdir()))


class Given(MercerTest):
    """A kernel matrix of one's own: what gram and numpy write."""

    def write(self):
        self.mercer("generate", "blobs", "-n", 60, "-o", "train.csv", "--quiet")
        self.mercer("generate", "blobs", "-n", 20, "--seed", 5, "-o", "test.csv", "--quiet")
        table = numpy.loadtxt(self.folder / "train.csv", delimiter=",", skiprows=1)
        numpy.save(self.folder / "y.npy", table[:, -1])
        kernel = ("--target", "y", "--kernel", "rbf(gamma=0.5)")
        for precision in ("float64", "float32"):
            self.mercer("gram", "train.csv", *kernel, "-o", f"{precision}.npy", "--precision", precision)
            self.mercer("gram", "test.csv", *kernel, "--reference", "train.csv", "-o", f"{precision}_test.npy", "--precision", precision)
        self.mercer("fit", "train.csv", "--target", "y", "--method", "svm", "--kernel", "rbf(gamma=0.5)", "--tolerance", 1e-6, "-o", "own.mercer")
        return numpy.array(self.mercer("predict", "own.mercer", "test.csv", "--score").split(), dtype=float)

    def test_gram_matrices_are_fitted_and_predicted(self):
        expected = self.write()
        for precision, delta in (("float64", 1e-4), ("float32", 1e-3)):
            for fit in ((), ("--cv", 3)):
                answer = self.json("fit", f"{precision}.npy", "--target", "y.npy", "--method", "svm", "--kernel", "precomputed", "--tolerance", 1e-6, "-o", "m.mercer", *fit)
                self.assertEqual(answer["warnings"], [])
                self.assertIn("a symmetric 60 × 60 matrix: taken for the kernel matrix of rows 1 to 60", answer["notes"])
                found = numpy.array(self.mercer("predict", "m.mercer", f"{precision}_test.npy", "--score").split(), dtype=float)
                numpy.testing.assert_allclose(found, expected, atol=delta)

    def test_rounding_makes_no_matrix_indefinite(self):
        rng = numpy.random.default_rng(1)
        X, y = rng.standard_normal((50, 2)), rng.integers(0, 2, 50)
        numpy.save(self.folder / "y.npy", y)
        for K in (X @ X.T, (X @ X.T).astype(numpy.float32), (1 + X @ X.T) ** 3):  # of rank 2, 2 and 10
            numpy.save(self.folder / "K.npy", K)
            self.assertLess(numpy.linalg.eigvalsh(K.astype(float)).min(), 0)
            self.mercer("fit", "K.npy", "--target", "y.npy", "--method", "svm", "--kernel", "precomputed")
        numpy.save(self.folder / "K.npy", X @ X.T - 0.1 * numpy.eye(50))
        self.assertIn("not positive semidefinite", self.refused(2, "fit", "K.npy", "--target", "y.npy", "--method", "svm", "--kernel", "precomputed"))
        self.assertEqual(self.json("check", "K.npy", "--kernel", "precomputed", expect=1)["verdict"], "invalid")
        self.mercer("fit", "K.npy", "--target", "y.npy", "--method", "svm", "--kernel", "precomputed", "--allow-indefinite")


if __name__ == "__main__":
    unittest.main()
