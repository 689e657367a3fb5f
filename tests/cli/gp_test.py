#!/usr/bin/env python3
"""Gaussian processes from tables to variances."""
import math
import unittest

import numpy

from mercer_cli import MercerTest


class GaussianProcesses(MercerTest):
    def fit_sine(self, *arguments):
        self.mercer("generate", "sine", "-n", 60, "-o", "sine.csv")
        return self.json("fit", "sine.csv", "--method", "gp", "-o", "m.mercer", *arguments)

    def test_the_evidence_is_maximised_and_told(self):
        fitted = self.fit_sine()
        self.assertTrue(fitted["converged"])
        self.assertEqual(fitted["certificate"], "relative_residual")
        self.assertEqual(set(fitted["diagnostics"]), {"log_marginal_likelihood", "noise_variance", "kernel_parameters"})
        given = self.fit_sine("--optimize", "none")
        self.assertEqual(set(given["diagnostics"]), {"log_marginal_likelihood", "noise_variance"})
        self.assertGreater(fitted["diagnostics"]["log_marginal_likelihood"]["value"], given["diagnostics"]["log_marginal_likelihood"]["value"])
        text = self.mercer("fit", "sine.csv", "--method", "gp", "--ard", "yes", "--restarts", 1, "-o", "m.mercer")
        self.assertIn("by ", text)

    def test_variances_and_the_density_of_the_truth(self):
        noise = self.fit_sine()["diagnostics"]["noise_variance"]["value"]
        truth = numpy.loadtxt(self.folder / "sine.csv", delimiter=",", skiprows=1)[:, -1]
        lines = self.mercer("predict", "m.mercer", "sine.csv", "--variance").splitlines()
        mean, variance = numpy.array([line.split() for line in lines], dtype=float).T
        plain = numpy.array(self.mercer("predict", "m.mercer", "sine.csv").split(), dtype=float)
        numpy.testing.assert_array_equal(mean, plain)
        self.assertTrue((variance > 0).all() and (variance < noise).all())
        total = variance + noise
        expected = (0.5 * numpy.log(2 * math.pi * total) + 0.5 * (truth - mean) ** 2 / total).mean()
        self.assertAlmostEqual(self.json("evaluate", "m.mercer", "sine.csv")["nlpd"], expected)
        self.assertIn("NLPD", self.mercer("evaluate", "m.mercer", "sine.csv"))

    def test_other_methods_have_no_variances(self):
        self.mercer("generate", "sine", "-n", 20, "-o", "sine.csv")
        self.json("fit", "sine.csv", "--method", "svr", "-o", "m.mercer")
        self.assertIn("gp has", self.refused(2, "predict", "m.mercer", "sine.csv", "--variance"))
        self.assertNotIn("nlpd", self.json("evaluate", "m.mercer", "sine.csv"))

    def test_what_is_refused(self):
        self.mercer("generate", "sine", "-n", 500, "-o", "sine.csv")
        self.assertIn("choose from evidence, none", self.refused(2, "fit", "sine.csv", "--method", "gp", "--optimize", "maybe"))
        self.assertIn("noise must be ≥ 0, not -1", self.refused(2, "fit", "sine.csv", "--method", "gp", "--noise", -1))
        self.assertIn("needs 6.0 MB", self.refused(4, "fit", "sine.csv", "--method", "gp", "--memory", "1MB"))

    def test_classes_with_probabilities(self):
        self.mercer("generate", "moons", "-n", 80, "-o", "moons.csv")
        found = self.json("fit", "moons.csv", "--method", "gp_classifier", "-o", "m.mercer")
        given = self.json("fit", "moons.csv", "--method", "gp_classifier", "--optimize", "none", "--kernel", "rbf(gamma=0.01)")
        self.assertTrue(found["converged"])
        self.assertGreater(found["diagnostics"]["log_marginal_likelihood"]["value"], given["diagnostics"]["log_marginal_likelihood"]["value"])
        for line in self.mercer("predict", "m.mercer", "moons.csv", "--proba").splitlines():
            self.assertAlmostEqual(sum(map(float, line.split())), 1, places=6)
        refused = self.refused(3, "fit", "moons.csv", "--target", "x1", "--task", "real", "--method", "gp_classifier")
        self.assertIn("gp_classifier needs classes, but the target is numeric", refused)

    def test_several_outputs_learn_from_each_other(self):
        random = numpy.random.default_rng(2)
        x = random.uniform(-3, 3, 60)
        a, b = numpy.sin(2 * x) + 0.1 * random.standard_normal(60), 20 - 5 * numpy.sin(2 * x)
        lines = [f"{x[i]},{a[i]},{b[i] if i < 15 else ''}" for i in range(60)] + ["1,,"]
        (self.folder / "two.csv").write_text("\n".join(["x,a,b", *lines]) + "\n")
        fitted = self.json("fit", "two.csv", "--target", "a,b", "--method", "multi_gp", "--kernel", "rbf(gamma=1)", "-o", "m.mercer")
        self.assertTrue(fitted["converged"])
        self.assertEqual(fitted["rows"], 60)  # the last has no target at all
        self.assertEqual(fitted["diagnostics"]["missing_targets"]["value"], 45)
        self.mercer("predict", "m.mercer", "two.csv", "--variance", "-o", "p.csv")
        names, *rows = (self.folder / "p.csv").read_text().splitlines()
        self.assertEqual(names, "a,b,variance_a,variance_b")
        found = numpy.array([row.split(",") for row in rows], dtype=float)[:60]
        self.assertLess(numpy.abs(found[:, 1] - b).max(), 2)
        self.assertTrue((found[:, 2:] >= 0).all())
        plain = self.json("fit", "two.csv", "--target", "a,b", "--method", "gp", "--kernel", "rbf(gamma=1)")
        self.assertEqual(plain["rows"], 15)  # others take rows without gaps
        self.assertIn("rank must be at most 2", self.refused(2, "fit", "two.csv", "--target", "a,b", "--method", "multi_gp", "--rank", 3))


if __name__ == "__main__":
    unittest.main()
