#!/usr/bin/env python3
"""Kernel weights from the command line: learned, printed, saved, used."""
import unittest

from mercer_cli import MercerTest

KERNEL = "mkl(rbf(gamma=1), poly(degree=2), linear)"
NAMES = ["rbf(gamma=1)", "poly(degree=2, scale=1, offset=1)", "linear"]


class KernelWeights(MercerTest):
    def test_a_fit_prints_the_weights_and_the_model_holds_the_sum(self):
        data = self.moons(150)
        fitted = self.json("fit", data, "--kernel", KERNEL, "--C", 10, "-o", "m.mercer")
        found = fitted["diagnostics"]
        self.assertEqual(found["kernel_shares"]["names"], NAMES)
        self.assertAlmostEqual(sum(found["kernel_shares"]["values"]), 1)
        self.assertLessEqual(found["kernel_weight_bound"]["value"], 1e-3)
        self.assertIn("kernel weights in", fitted["solver"])
        kept = [name for name, weight in zip(NAMES, found["kernel_weights"]["values"]) if weight > 0]
        self.assertTrue(kept)
        for name in NAMES:
            self.assertEqual(name in fitted["kernel"], name in kept)
        self.assertNotIn("mkl", fitted["kernel"])
        text = self.mercer("fit", data, "--kernel", KERNEL, "--C", 10)
        self.assertIn("weight of rbf(gamma=1) ", text)
        self.assertIn("share of linear ", text)
        # The sum, written out, is the same kernel, and so the same model.
        written = self.json("fit", data, "--kernel", fitted["kernel"], "--C", 10)
        self.assertEqual(written["objective"], fitted["objective"])
        self.assertEqual(len(self.mercer("predict", "m.mercer", data).split()), 150)
        self.assertGreater(self.json("evaluate", "m.mercer", data)["accuracy"], 0.95)
        inspected = self.json("inspect", "m.mercer")
        self.assertEqual(inspected["kernel"], fitted["kernel"])

    def test_beside_a_fixed_kernel_and_with_features_in_its_place(self):
        data = self.moons(150)
        fitted = self.json("fit", data, "--kernel", "mkl(rbf(gamma=1), linear, norm=2) + 0.1*delta")
        self.assertIn("+ 0.1*delta", fitted["kernel"])
        self.assertTrue(all(weight > 0 for weight in fitted["diagnostics"]["kernel_weights"]["values"]))
        mapped = self.json("fit", data, "--kernel", "mkl(rbf(gamma=1), linear)", "--approx", "nystrom:50", "-o", "m.mercer")
        self.assertIn("linear", mapped["diagnostics"]["kernel_shares"]["names"])
        self.assertIn("nystrom", mapped["solver"])
        self.mercer("predict", "m.mercer", data)

    def test_what_is_refused(self):
        data = self.moons(40)
        self.assertIn("norm must be a number ≥ 1, not 0.5", self.refused(2, "fit", data, "--kernel", "mkl(linear, norm=0.5)"))
        self.assertIn("expected a kernel", self.refused(2, "fit", data, "--kernel", "mkl()"))
        self.assertIn("not proved positive semidefinite", self.refused(2, "fit", data, "--kernel", "mkl(linear, sigmoid)"))
        self.assertIn("is not linear in the weights", self.refused(2, "fit", data, "--kernel", "normalize(mkl(linear, delta))"))
        self.assertIn("one_class has none", self.refused(2, "fit", data, "--method", "one_class", "--kernel", "mkl(linear, delta)"))
        self.assertIn("learned from a target by a method", self.refused(2, "gram", data, "--kernel", "mkl(linear, delta)", "-o", "k.npy"))
        self.assertIn("learned from a target by a method", self.refused(2, "check", data, "--kernel", "mkl(linear, delta)"))

    def test_the_catalogue_has_it(self):
        self.assertIn("mkl(k1, k2, …, norm=1)", self.mercer("kernels", "mkl"))
        self.assertTrue(self.json("kernels", "mkl")["several"])


if __name__ == "__main__":
    unittest.main()
