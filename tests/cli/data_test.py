#!/usr/bin/env python3
"""generate, convert and features, with numpy as the other side of the files."""
import unittest

import numpy

from mercer_cli import MercerTest

GENERATORS = "moons circles spirals xor checkerboard blobs histograms sinc2d line sine noise friedman1 swiss_roll".split()


class Generate(MercerTest):
    def test_every_data_set_is_deterministic_for_a_seed(self):
        for name in GENERATORS:
            with self.subTest(name):
                first, again, other = (self.mercer("generate", name, "-n", 20, "--seed", s) for s in (3, 3, 4))
                self.assertEqual(first, again)
                self.assertNotEqual(first, other)
                self.assertEqual(len(first.splitlines()), 21)

    def test_refusals(self):
        self.assertIn("did you mean 'moons'?", self.refused(2, "generate", "moon"))
        self.assertIn("at least 1", self.refused(2, "generate", "moons", "-n", 0))
        self.refused(2, "generate", "moons", "-n", "-5")
        self.assertIn("classes", self.refused(2, "generate", "moons", "--classes", 3))


class Convert(MercerTest):
    def test_round_trip_through_every_format(self):
        data = self.moons(31)
        original = (self.folder / data).read_text()
        for name in ["a.svm", "a.npz", "a.tsv", "a.csv"]:
            self.mercer("convert", data, name, "--target", "y")
        for name in ["a.npz", "a.tsv"]:
            with self.subTest(name):
                self.mercer("convert", name, "back.csv")
                rows = (self.folder / "back.csv").read_text().splitlines()[1:]
                self.assertEqual(rows, original.splitlines()[1:])

    def test_numpy_reads_what_is_written_and_the_other_way(self):
        self.moons(20)
        self.mercer("convert", "moons.csv", "m.npz", "--target", "y")
        table = numpy.loadtxt(self.folder / "moons.csv", delimiter=",", skiprows=1)
        arrays = numpy.load(self.folder / "m.npz")
        numpy.testing.assert_array_equal(arrays["X"], table[:, :2])
        numpy.savez_compressed(self.folder / "n.npz", X=table[:, :2].astype(numpy.float32), y=numpy.array(["cat", "dog"] * 10))
        self.assertIn("2 classes (cat, dog)", self.mercer("convert", "n.npz", "n.csv"))
        numpy.save(self.folder / "f.npy", numpy.asfortranarray(table[:, :2]))
        self.mercer("convert", "f.npy", "f.csv")
        numpy.testing.assert_array_equal(numpy.loadtxt(self.folder / "f.csv", delimiter=",", skiprows=1), table[:, :2])

    def test_standard_input_and_output(self):
        self.assertEqual(self.mercer("convert", "-", "-", "--to", "libsvm", stdin="+1 1:0.5 3:2\n-1 2:1e-3\n"), "1 1:0.5 3:2\n-1 2:0.001\n")

    def test_refusals_say_where_and_what(self):
        for text, parts in [
            ("a,b,y\n1,2,0\n3,4\n", ["bad.csv:3:", "2", "3"]),
            ("a,b,y\n1,nan,0\n3,4,1\n", ["bad.csv:2:3:", "nan", "--missing mean or drop"]),
            ("a,b,y\n1,1e400,0\n", ["bad.csv:2:3:", "1e400"]),
            ("", ["bad.csv", "empty"]),
        ]:
            with self.subTest(text):
                message = self.refused(3, "convert", self.file("bad.csv", text), "out.npz", "--target", "y")
                for part in parts:
                    self.assertIn(part, message)
        for text, part in [("1 3:1 2:1\n", "bad.svm:1:"), ("1 2:1 2:3\n", "bad.svm:1:"), ("1 99999999999:1\n", "bad.svm:1:"), ("1:2 2:3\n", "bad.svm:1:")]:
            with self.subTest(text):
                self.assertIn(part, self.refused(3, "convert", self.file("bad.svm", text), "out.npz"))
        self.assertIn("directory", self.refused(3, "convert", ".", "out.npz"))
        (self.folder / "cut.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1000, 2), }".ljust(128) + b"\0" * 80)
        self.assertIn("cut.npy", self.refused(3, "convert", "cut.npy", "out.csv"))
        (self.folder / "binary.csv").write_bytes(bytes(range(256)) * 20)
        self.refused(3, "convert", "binary.csv", "out.npz")
        self.assertFalse((self.folder / "out.npz").exists())

    def test_targets_of_several_columns(self):
        self.file("three.csv", "a,u,v,w\n1,2,3,4\n5,6,7,8.5\n")
        self.assertIn("3 numeric targets", self.mercer("convert", "three.csv", "t.npz", "--target", "u,3,-1"))
        arrays = numpy.load(self.folder / "t.npz")
        numpy.testing.assert_array_equal(arrays["y"], [[2, 3, 4], [6, 7, 8.5]])
        self.mercer("convert", "t.npz", "back.csv")
        self.assertEqual((self.folder / "back.csv").read_text(), "column 1,y1,y2,y3\n1,2,3,4\n5,6,7,8.5\n")
        numpy.save(self.folder / "X.npy", arrays["X"])
        numpy.save(self.folder / "Y.npy", numpy.asfortranarray(arrays["y"]))
        self.assertIn("3 numeric targets", self.mercer("convert", "X.npy", "again.npz", "--target", "Y.npy"))
        numpy.testing.assert_array_equal(numpy.load(self.folder / "again.npz")["y"], arrays["y"])
        self.assertIn("LIBSVM text has one target", self.refused(3, "convert", "t.npz", "t.svm"))
        self.assertIn("not of classes", self.refused(2, "convert", "three.csv", "t.npz", "--target", "u,v", "--task", "classes"))
        self.assertIn("svr predicts one number, but the target has 2 columns",
                      self.refused(3, "fit", "three.csv", "--target", "u,v", "--kernel", "linear", "-o", "m.mercer"))

    def test_missing_values_by_choice(self):
        self.file("holes.csv", "a,b,y\n1,2,0\n,4,1\n5,inf,0\n")
        self.assertIn("1 rows", self.mercer("convert", "holes.csv", "d.csv", "--target", "y", "--missing", "drop"))
        self.mercer("convert", "holes.csv", "m.csv", "--target", "y", "--missing", "mean")
        self.assertEqual((self.folder / "m.csv").read_text().splitlines()[2], "3,4,1")


class Features(MercerTest):
    def test_count_of_the_lecture(self):
        self.assertEqual(self.mercer("features", "--count", "--kernel", "poly(degree=4, offset=1)", "--dim", 784), "15943435565\n")

    def test_the_count_of_an_infinite_map_is_infinite(self):
        text = self.mercer("features", "--count", "--kernel", "rbf(gamma=1)", "--dim", 784)
        self.assertTrue(text.startswith("infinite: rbf(gamma=1) has no finite feature map; the first 8 terms of its series (--terms) have "), text)
        answer = self.json("features", "--count", "--kernel", "rbf(gamma=1)", "--dim", 5, "--terms", 4)
        self.assertEqual((answer["infinite"], answer["terms"], answer["features"]), (True, 4, "56"))
        self.assertFalse(self.json("features", "--count", "--kernel", "poly(degree=2)", "--dim", 5)["infinite"])
        self.moons(20)
        self.assertIn("the feature map of rbf(gamma=1) is infinite: these are the first 8 terms",
                      self.mercer("features", "moons.csv", "--target", "y", "--kernel", "rbf(gamma=1)", "-o", "phi.npz"))

    def test_columns_by_name(self):
        self.moons(30)
        for name, number in [("poly(degree=2)@x1", "poly(degree=2)@1"), ("poly(degree=2)@x2 + linear@x1", "poly(degree=2)@2 + linear@1")]:
            by_name, by_number = (self.json("features", "moons.csv", "--target", "y", "--kernel", kernel, "--count")["features"] for kernel in (name, number))
            self.assertEqual(by_name, by_number)
            phi = []
            for kernel in (name, number):
                self.mercer("features", "moons.csv", "--target", "y", "--kernel", kernel, "-o", "phi.npz")
                phi.append(numpy.load(self.folder / "phi.npz")["X"])
            numpy.testing.assert_array_equal(*phi)
            answers = []
            for kernel in (name, number):
                self.mercer("fit", "moons.csv", "--target", "y", "--method", "logistic", "--kernel", kernel, "--approx", "explicit", "-o", "m.mercer")
                answers.append(self.mercer("predict", "m.mercer", "moons.csv", "--score"))
            self.assertEqual(*answers)

    def test_inner_products_are_the_kernel(self):
        self.moons(30)
        self.mercer("features", "moons.csv", "--target", "y", "--kernel", "poly(degree=3)", "-o", "phi.npz")
        self.mercer("gram", "moons.csv", "--target", "y", "--kernel", "poly(degree=3)", "-o", "K.npy")
        phi = numpy.load(self.folder / "phi.npz")["X"]
        self.assertEqual(phi.shape, (30, 10))
        numpy.testing.assert_allclose(phi @ phi.T, numpy.load(self.folder / "K.npy"), rtol=1e-12, atol=1e-12)

    def test_approximations_are_near_the_kernel(self):
        self.moons(60)
        kernel = ["--target", "y", "--kernel", "rbf(gamma=scale)"]
        self.mercer("gram", "moons.csv", *kernel, "-o", "K.npy")
        K = numpy.load(self.folder / "K.npy")
        for approx, features, error in [("nystrom:60", 60, 1e-10), ("nystrom:25", 25, 0.2), ("nystrom:25:uniform", 25, 0.4),
                                        ("nystrom:25:kmeans++", 25, 0.3), ("fourier:2000", 2000, 0.15)]:
            answer = self.json("features", "moons.csv", *kernel, "--approx", approx, "-o", "phi.npz")
            file = numpy.load(self.folder / "phi.npz")
            phi = file["X"]
            self.assertEqual(phi.shape, (60, answer["features"]), approx)
            self.assertLessEqual(answer["features"], features)
            self.assertLess(abs(phi @ phi.T - K).max(), error, approx)
            self.assertAlmostEqual(answer["error"], numpy.linalg.norm(phi @ phi.T - K) / numpy.linalg.norm(K), delta=1e-10)
            self.assertAlmostEqual(answer["trace_left"], 1 - (phi**2).sum() / numpy.trace(K), delta=1e-9)
            self.assertEqual(set(file["y"]), {"0", "1"} if file["y"].dtype.kind in "US" else {0, 1})
        self.assertIn("trace not covered: ", self.mercer("features", "moons.csv", *kernel, "--approx", "nystrom:5", "-o", "phi.npz"))

    def test_approximations_follow_the_seed_alone(self):
        self.moons(60)

        def features(*options):
            self.mercer("features", "moons.csv", "--target", "y", "--kernel", "rbf(gamma=1)", "--approx", "fourier:20", "-o", "phi.npz", *options)
            return numpy.load(self.folder / "phi.npz")["X"]

        numpy.testing.assert_array_equal(features("--threads", 1), features("--threads", 3))
        self.assertTrue((features("--seed", 1) != features("--seed", 2)).any())

    def test_approximations_that_do_not_exist(self):
        self.moons(20)

        def refused(code, approx, kernel, *options):
            return self.refused(code, "features", "moons.csv", "--kernel", kernel, "--approx", approx, "-o", "phi.npz", *options)

        self.assertIn("did you mean 'fourier'?", refused(2, "furier:10", "rbf"))
        self.assertIn("must be a whole number from 1", refused(2, "nystrom:0", "rbf"))
        self.assertIn("linear has no Fourier features", refused(2, "fourier:10", "linear"))
        self.assertIn("infinitely many", refused(2, "explicit", "rbf"))
        self.assertIn("use fewer features", refused(4, "fourier:100000", "rbf", "--memory", "1MB"))
        self.assertFalse((self.folder / "phi.npz").exists())

    def test_refusals(self):
        self.assertIn("would take", self.refused(4, "features", self.moons(), "--kernel", "poly(degree=30)", "-o", "f.npz", "--memory", "100KB"))
        self.assertIn("no finite explicit feature map", self.refused(2, "features", "--count", "--dim", 3, "--kernel", "laplace(lambda=1)"))
        self.assertIn("needs DATA", self.refused(2, "features", "--kernel", "linear"))


class Kernels(MercerTest):
    def test_lists_and_explains(self):
        text = self.mercer("kernels")
        for name in ["linear", "rbf", "periodic", "normalize", "append_norm", "exp_norm"]:
            self.assertIn(name, text)
        self.assertIn("exp(−gamma·‖x−z‖²)", self.mercer("kernels", "rbf"))
        self.assertEqual(self.json("kernels", "rbf")["properties"]["radial"], True)
        self.assertIn("did you mean 'laplace'?", self.refused(2, "kernels", "laplac"))

    def test_usage(self):
        self.assertIn("mercer 0", self.mercer("--version"))
        self.refused(2, "nonsense")
        self.refused(2, "check")
        self.refused(2, "generate", "moons", "--format", "xml")


if __name__ == "__main__":
    unittest.main()
