#!/usr/bin/env python3
"""mercer plot: every kind of picture about losses, kernels, searches and how good a model is."""
import re
import unittest
import xml.etree.ElementTree as ElementTree

import numpy

from mercer_cli import MercerTest


class Plot(MercerTest):
    def svg(self, name):
        """The text of a picture that is XML, small and without scripts or outside files."""
        text = (self.folder / name).read_text(encoding="utf-8")
        root = ElementTree.fromstring(text)
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        self.assertLess(len(text), 300_000)
        self.assertIsNone(re.search(r"<script|href|@import|url\(", text))
        return text

    def words(self, name):
        """All texts of a picture, in order."""
        root = ElementTree.fromstring(self.svg(name))
        return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]

    def numbers_file(self, n=60):
        generator = numpy.random.default_rng(3)
        x = generator.uniform(-3, 3, n)
        rows = "\n".join(f"{a:.5f},{numpy.sin(a) + generator.normal(0, 0.1):.5f}" for a in x)
        return self.file("sine.csv", "x,y\n" + rows + "\n")

    def moons_model(self):
        self.moons()
        self.mercer("fit", "moons.csv", "--kernel", "rbf(gamma=1)", "--proba", "-o", "m.mercer")
        return "m.mercer", "moons.csv"

    # --- models
    def test_functions_of_the_prior(self):
        facts = self.json("plot", "prior", "--kernel", "matern(nu=1.5, length=1)", "--samples", 3, "--from", -1, "--to", 2)
        self.assertEqual((facts["kernel"], facts["samples"], facts["from"], facts["to"]), ("matern(nu=1.5, length=1)", 3, -1, 2))
        self.svg("prior.svg")
        first = (self.folder / "prior.svg").read_text()
        self.mercer("plot", "prior", "--kernel", "matern(nu=1.5, length=1)", "--samples", 3, "--from", -1, "--to", 2, "--seed", 2)
        self.assertNotEqual((self.folder / "prior.svg").read_text(), first)
        self.assertIn("center(distance(beta=1)) is one", self.refused(2, "plot", "prior", "--kernel", "distance"))
        self.assertIn("from 2 to 1", self.refused(2, "plot", "prior", "--kernel", "rbf(gamma=1)", "--from", 2, "--to", 1))

    def test_roc_has_the_area_that_evaluate_gives(self):
        model, data = self.moons_model()
        facts = self.json("plot", "roc", model, data)
        self.assertEqual((facts["kind"], facts["file"], facts["rows"]), ("roc", "roc.svg", 100))
        area = self.json("evaluate", model, data)["auc"]
        self.assertIn(f"1: AUC {area:.3f}", self.words("roc.svg"))

    def test_precision_recall_and_calibration(self):
        model, data = self.moons_model()
        self.mercer("plot", "precision-recall", model, data, "-o", "p.svg")
        self.assertTrue(any(word.startswith("1: average precision") for word in self.words("p.svg")))
        self.mercer("plot", "calibration", model, data, "-o", "c.svg")
        self.assertIn("100 rows", self.words("c.svg"))

    def test_confusion_has_the_counts_that_evaluate_gives(self):
        model, data = self.moons_model()
        self.mercer("plot", "confusion", model, data)
        counts = [str(count) for row in self.json("evaluate", model, data)["confusion"] for count in row if count > 0]
        words = self.words("confusion.svg")
        for count in counts:
            self.assertIn(count, words)

    def test_residuals_have_the_error_that_evaluate_gives(self):
        self.mercer("fit", self.numbers_file(), "--target", "y", "--method", "ridge", "-o", "r.mercer")
        self.mercer("plot", "residuals", "r.mercer", "sine.csv")
        rmse = self.json("evaluate", "r.mercer", "sine.csv")["rmse"]
        self.assertTrue(any(word.startswith(f"RMSE {rmse:.4g}") for word in self.words("residuals.svg")))

    def test_a_model_of_another_kind_is_refused(self):
        model, data = self.moons_model()
        self.assertIn("does not predict numbers", self.refused(2, "plot", "residuals", model, data))
        self.mercer("fit", self.numbers_file(), "--target", "y", "--method", "ridge", "-o", "r.mercer")
        self.assertIn("does not predict classes", self.refused(2, "plot", "roc", "r.mercer", "sine.csv"))
        self.mercer("fit", data, "--method", "svm", "-o", "plain.mercer")
        self.assertIn("--proba", self.refused(2, "plot", "calibration", "plain.mercer", data))
        self.mercer("fit", data, "--method", "kmeans", "--clusters", 2, "-o", "k.mercer")
        self.refused(2, "plot", "confusion", "k.mercer", data)
        self.assertFalse(list(self.folder.glob("*.svg")))

    def test_unknown_labels_and_missing_targets_are_refused(self):
        model, _ = self.moons_model()
        header = (self.folder / "moons.csv").read_text().splitlines()[0]
        self.file("other.csv", header + "\n0,0,0\n1,1,7\n")
        self.assertIn("row 2 has the label '7'", self.refused(3, "plot", "confusion", model, "other.csv"))
        self.file("without.csv", ",".join(header.split(",")[:2]) + "\n0,0\n1,1\n")
        self.refused(3, "plot", "confusion", model, "without.csv")

    def test_several_classes_without_probabilities(self):
        rows = "\n".join(f"{i % 3 + 0.1 * (i % 7):.2f},{i % 5},{'abc'[i % 3]}" for i in range(60))
        self.file("three.csv", "x,z,label\n" + rows + "\n")
        self.mercer("fit", "three.csv", "--method", "svm", "-o", "t.mercer")
        self.mercer("plot", "roc", "t.mercer", "three.csv")
        self.assertEqual(sum(": AUC " in word for word in self.words("roc.svg")), 3)

    # --- kernels and losses
    def test_spectrum_is_that_of_the_matrix(self):
        self.moons(40)
        facts = self.json("plot", "spectrum", "moons.csv", "--kernel", "rbf(gamma=1)")
        self.mercer("gram", "moons.csv", "--kernel", "rbf(gamma=1)", "-o", "K.npy")
        values = numpy.linalg.eigvalsh(numpy.load(self.folder / "K.npy"))
        self.assertAlmostEqual(facts["largest"], values[-1], places=8)
        self.assertAlmostEqual(facts["effective_rank"], abs(values).sum() ** 2 / (values**2).sum(), places=6)
        first = int(numpy.searchsorted(numpy.cumsum(values[::-1]) / values.sum(), 0.9)) + 1
        self.assertIn(f"90 % of the sum in the first {first}", self.words("spectrum.svg"))

    def test_losses(self):
        facts = self.json("plot", "losses", "hinge", "huber", "-o", "l.svg")
        self.assertEqual(facts["losses"], ["hinge", "huber"])
        self.assertIn("margin y·f", self.words("l.svg"))
        self.assertIn("did you mean", self.refused(2, "plot", "losses", "hing").lower())

    # --- searches
    def test_surface_marks_the_best(self):
        self.moons()
        facts = self.json("plot", "surface", "moons.csv", "--grid", "C=1,10", "--grid", "gamma=0.1,1,10", "--cv", 3)
        self.assertEqual((facts["metric"], facts["settings"]), ("accuracy", 6))
        best = facts["best"]
        words = " ".join(self.words("surface.svg"))
        self.assertIn(f"best: accuracy {facts['score']:.3f} at C = {best['C']:g}, gamma = {best['gamma']:g}", words)

    def test_surface_of_one_axis_and_of_the_methods_own(self):
        self.mercer("plot", "surface", self.numbers_file(), "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=1)", "--grid", "lambda=10^-6:10^0:1", "-o", "one.svg")
        self.assertIn("lambda", self.words("one.svg"))
        self.moons(30)
        self.assertEqual(self.json("plot", "surface", "moons.csv", "--cv", 2)["settings"], 110)
        self.assertEqual(self.json("plot", "surface", "sine.csv", "--target", "y", "--method", "ridge", "--cv", 2)["settings"], 110)
        self.assertIn("--grid", self.refused(2, "plot", "surface", "moons.csv", "--grid", "C=1"))
        self.assertIn("--grid", self.refused(2, "plot", "surface", "moons.csv", "--method", "knn", "--kernel", "linear"))

    def test_path_is_that_of_ridge(self):
        """λ of the smallest leave-one-out error, against a loop over rows left out."""
        self.numbers_file(25)
        facts = self.json("plot", "path", "sine.csv", "--target", "y", "--kernel", "rbf(gamma=1)", "--no-bias")
        table = numpy.loadtxt(self.folder / "sine.csv", delimiter=",", skiprows=1)
        x, y = table[:, 0], table[:, 1]
        K = numpy.exp(-((x[:, None] - x[None]) ** 2))
        residuals = []
        for i in range(25):
            rest = numpy.arange(25) != i
            alpha = numpy.linalg.solve(K[numpy.ix_(rest, rest)] + 25 * facts["lambda"] * numpy.eye(24), y[rest])
            residuals.append(y[i] - K[i, rest] @ alpha)
        self.assertAlmostEqual(facts["leave_one_out"], numpy.sqrt(numpy.mean(numpy.square(residuals))), places=6)
        self.assertTrue(any(word.startswith("best: λ = ") for word in self.words("path.svg")))

    def test_learning_curve(self):
        self.moons()
        facts = self.json("plot", "learning-curve", "moons.csv", "--method", "svm", "--set", "C=10", "--sizes", "10,40,80")
        self.assertEqual([point["rows"] for point in facts["points"]], [10, 40, 80])
        for point in facts["points"]:
            self.assertTrue(0 <= point["validation"] <= 1)
        self.svg("learning-curve.svg")
        self.assertIn("1 to 80 rows", self.refused(3, "plot", "learning-curve", "moons.csv", "--sizes", "10,400"))
        self.assertIn("NAME=VALUE", self.refused(2, "plot", "learning-curve", "moons.csv", "--set", "C"))
        self.refused(2, "plot", "learning-curve", "moons.csv", "--set", "D=1")

    # --- all
    def test_only_svg_is_written(self):
        for name in ("x.png", "x", ".svg", "x.svg.gz"):
            self.assertIn(".svg", self.refused(2, "plot", "losses", "-o", name))
        self.refused(3, "plot", "losses", "-o", "no/such/folder/x.svg")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_kind_is_needed(self):
        self.assertIn("mercer plot --help", self.refused(2, "plot"))
        self.assertIn("mercer plot roc --help", self.refused(2, "plot", "roc", "--nonsense"))
        self.refused(2, "plot", "pie")

    def test_hostile_names_are_escaped(self):
        rows = "\n".join(f"{i % 2 + 0.01 * i:.2f},{'<script>&' if i % 2 else '!b'}" for i in range(40))
        self.file("evil.csv", "x,label\n" + rows + "\n")
        self.mercer("fit", "evil.csv", "--method", "svm", "-o", "e.mercer")
        for kind in ("roc", "precision-recall", "confusion"):
            self.mercer("plot", kind, "e.mercer", "evil.csv", "-o", "evil.svg")
            self.assertTrue(any("<script>&" in word for word in self.words("evil.svg")))


if __name__ == "__main__":
    unittest.main()
