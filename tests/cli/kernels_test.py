#!/usr/bin/env python3
"""mercer kernels EXPRESSION: the properties of any expression, and with --spectrum its frequencies."""
import math
import unittest

from mercer_cli import MercerTest


class Expressions(MercerTest):
    def properties(self, expression):
        return self.json("kernels", expression)["properties"]

    def test_says_what_is_known_of_an_expression(self):
        text = self.mercer("kernels", "0.5*rbf(gamma=1) + linear")
        for part in ("expression: 0.5*rbf(gamma=1) + linear", "exp(−gamma·‖x−z‖²)", "xᵀz", "yes: a sum of valid kernels", "none: not a function of x−z alone",
                     "k(x,x) differs from x to x", "the first terms of its series", "none: not translation invariant"):
            self.assertIn(part, text)

    def test_properties_of_many_expressions(self):
        # expression: PSD, translation invariant, radial, bound, diagonal, map, spectral density known
        for expression, *expected in [
            ("0.5*rbf(gamma=1) + 2*matern(nu=1.5, length=2)", True, True, True, 2.5, 2.5, "none", True),
            ("rbf(gamma=1)*manhattan(lambda=1)", True, True, False, 1, 1, "none", True),
            ("poly(degree=2)@[a, b] + 3*linear", True, False, False, "Infinity", None, "exact", False),
            ("normalize(exp(linear))", True, False, False, 1, None, "truncated", False),
            ("periodic(period=2)*rbf(gamma=1)", True, True, False, 1, 1, "truncated", False),
            ("linear - rbf(gamma=1)", False, False, False, "Infinity", None, "none", False),
            ("(rbf(gamma=scale) + constant(c=2))^2", True, True, True, 9, 9, "truncated", True),
            ("exp(2*distance(beta=1.5))", True, True, True, 1, 1, "none", False),
        ]:
            with self.subTest(expression):
                p = self.properties(expression)
                self.assertEqual([p[name] for name in ("psd", "translation_invariant", "radial", "bound", "diagonal", "explicit_map", "spectral_density")], expected)
                self.assertEqual(p["conditional_order"], 0)

    def test_conditional_kernels(self):
        p = self.properties("distance(beta=1) + rbf(gamma=1)")
        self.assertEqual((p["psd"], p["conditional_order"]), (False, 1))
        self.assertIn("conditionally, of order 1: cᵀKc ≥ 0 for all c with Σ c = 0; center(k) and exp(k) are PSD", " ".join(self.mercer("kernels", "2*distance").split()))
        self.assertIn("all polynomials p of degree below 2", " ".join(self.mercer("kernels", "thin_plate + linear").split()))
        self.assertEqual(self.json("kernels", "distance")["properties"]["conditional_order"], 1)

    def test_names_every_kernel_and_rule_once(self):
        named = [one["name"] for one in self.json("kernels", "exp(linear)^2*normalize(poly(degree=2)@age + linear)")["formulas"]]
        self.assertEqual(named, ["exp", "linear", "normalize", "poly"])

    def test_words_need_no_data(self):
        answer = self.json("kernels", "rbf(gamma=median) + 1")
        self.assertFalse(answer["resolved"])
        self.assertEqual(answer["expression"], "rbf(gamma=median) + constant(c=1)")

    def test_names_are_explained_as_before(self):
        self.assertEqual(self.json("kernels", "rbf")["kind"], "kernel")
        self.assertEqual(self.json("kernels", "center")["kind"], "rule")
        self.assertEqual(self.json("kernels", "squares")["kind"], "map")

    def test_faults_are_shown_with_a_caret(self):
        self.assertEqual(self.refused(2, "kernels", "0.5*rbff(gamma=1)"),
                         "mercer: unknown kernel 'rbff'; did you mean 'rbf'? (mercer kernels lists all)\n  0.5*rbff(gamma=1)\n      ^~~~\n")
        self.assertIn("missing ')'", self.refused(2, "kernels", "rbf(gamma=1"))


class Spectrum(MercerTest):
    def spectrum(self, expression):
        return self.json("kernels", expression, "--spectrum")["spectrum"]

    def test_closed_form(self):
        found = self.spectrum("2*rbf(sigma=0.5)")
        self.assertFalse(found["measured"])
        self.assertEqual(found["terms"], ["mass 2: normal with standard deviation 2"])
        for w, p in zip(found["frequencies"], found["density"]):
            self.assertAlmostEqual(p, 2 * 0.5 / math.sqrt(2 * math.pi) * math.exp(-0.125 * w * w), 12)
        text = " ".join(self.mercer("kernels", "laplace(lambda=2)", "--spectrum").split())
        self.assertIn("Cauchy with scale 2", text)
        self.assertIn("‖f‖² = 1·∫(f)² + 0.25·∫(f′)²: derivatives up to the first are penalised", text)

    def test_measured(self):
        found = self.spectrum("exp(rbf(gamma=1))")
        self.assertTrue(found["measured"])
        self.assertEqual([line["frequency"] for line in found["lines"]], [0])
        self.assertAlmostEqual(found["lines"][0]["mass"], 1, 6)  # e⁰ far away
        for periodic in ("periodic(period=1)", "periodic(period=1)*rbf(gamma=0.01)"):
            text = " ".join(self.mercer("kernels", periodic, "--spectrum").split())
            self.assertIn("measured by a Fourier transform of k", text)
            self.assertRegex(text, r"peaks at p\(0\) = \S+ p\(6\.2\d\) = \S+ p\(12\.[56]\d*\) =")

    def test_peaks_of_a_mixture(self):
        text = " ".join(self.mercer("kernels", "spectral_mixture(weights=[1, 0.3], means=[0.5, 3], variances=[0.0001, 0.0001])", "--spectrum").split())
        self.assertIn("normal with standard deviation 0.0628319, around ±18.8496", text)
        self.assertRegex(text, r"peaks at p\(3\.14\) = 3\.17\d, p\(18\.8\) = 0\.952\d penalty")

    def test_the_expression_is_explained_too(self):
        text = self.mercer("kernels", "matern(nu=1.5, length=1)", "--spectrum")
        self.assertIn("yes: matern is positive semidefinite", text)
        self.assertIn("Student's t with 3 degrees of freedom", text)

    def test_refusals(self):
        self.assertIn("linear is not translation invariant", self.refused(2, "kernels", "linear", "--spectrum"))
        self.assertIn("has words in the place of numbers", self.refused(2, "kernels", "rbf", "--spectrum"))
        self.assertIn("delta is not continuous at 0", self.refused(2, "kernels", "delta", "--spectrum"))


if __name__ == "__main__":
    unittest.main()
