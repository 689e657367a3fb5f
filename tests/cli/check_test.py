#!/usr/bin/env python3
import unittest

from mercer_cli import MercerTest


class Check(MercerTest):
    def verdict(self, kernel, code):
        return self.json("check", self.moons(), "--kernel", kernel, expect=code)

    def test_verdicts_of_the_catalogue(self):
        for kernel, verdict, code in [
            ("rbf(gamma=1)", "valid", 0),
            ("poly(degree=3)", "valid", 0),
            ("rbf(gamma=1) - linear", "invalid", 1),
            ("sigmoid(scale=1,offset=-1)", "invalid", 1),
            ("rbf(gamma=1) - 0.000000000001*rbf(gamma=2)", "not_proved", 0),
            ("delta", "useless", 1),
            ("constant(c=1)", "useless", 1),
            ("exp(0.1*linear)", "valid", 0),
            ("normalize(poly(degree=2) + rbf(sigma=2))", "valid", 0),
            ("distance", "conditional", 0),
            ("thin_plate + rbf(gamma=1)", "conditional", 0),
            ("center(2*multiquadric)", "valid", 0),
            ("-1*distance", "invalid", 1),
        ]:
            with self.subTest(kernel):
                self.assertEqual(self.verdict(kernel, code)["verdict"], verdict)

    def test_repeated_rows_do_not_make_a_kernel_useful(self):
        lines = (self.folder / self.moons()).read_text().splitlines()
        (self.folder / "twice.csv").write_text("\n".join([*lines, lines[1]]) + "\n")
        for kernel in ("delta", "delta + constant(c=0.5)"):
            with self.subTest(kernel):
                answer = self.json("check", "twice.csv", "--kernel", kernel, expect=1)
                self.assertEqual(answer["verdict"], "useless")
                self.assertIn("apart from 2 repeated rows", answer["reason"])
                self.assertIn("no generalisation possible", answer["reason"])
                self.assertNotIn("gamma", str(answer["warnings"]))

    def test_json_has_the_promised_keys(self):
        good = self.verdict("rbf(gamma=1)", 0)
        for key in ["kernel", "proved_psd", "symmetric", "min_eigenvalue", "effective_rank", "alignment", "verdict"]:
            self.assertIn(key, good)
        self.assertNotIn("witness", good)
        bad = self.verdict("rbf(gamma=1) + exp(rbf(gamma=1) - 3*linear)", 1)
        self.assertEqual(bad["culprit"], "-3*linear")
        self.assertLess(bad["witness"]["value"], 0)
        self.assertEqual(len(bad["witness"]["rows"]), len(bad["witness"]["coefficients"]))

    def test_conditional_kernels_say_under_which_condition(self):
        text = self.mercer("check", self.moons(), "--kernel", "distance(beta=1.5)")
        for part in ("conditionally PSD: distance is positive semidefinite only conditionally, of order 1", "least cᵀKc/‖c‖² with Σ c = 0: 0.",
                     "center(distance(beta=1.5)) is positive semidefinite"):
            self.assertIn(part, text)
        self.assertNotIn("warning", text)
        found = self.verdict("thin_plate", 0)
        self.assertEqual((found["conditional_order"], found["proved_psd"]), (2, False))
        self.assertGreater(found["conditional_minimum"], -found["tolerance"])
        self.assertIsNone(self.verdict("rbf(gamma=1)", 0)["conditional_minimum"])

    def test_methods_take_or_refuse_conditional_kernels(self):
        data = self.moons()
        for method in ("svm", "nu_svm", "mmd", "one_class"):
            self.mercer("fit", data, "--method", method, "--kernel", "distance", "-o", "m.mercer", "--quiet")
            self.mercer("predict", "m.mercer", data, "--quiet")
        self.mercer("fit", data, "--method", "ridge", "--kernel", "distance", "--bias", "free", "-o", "m.mercer", "--quiet")
        self.mercer("fit", data, "--method", "svm", "--kernel", "distance", "--tune", "-o", "m.mercer", "--quiet")
        self.assertIn("take bias=free; or center(distance(beta=1)) is positive semidefinite",
                      self.refused(2, "fit", data, "--method", "ridge", "--kernel", "distance", "-o", "m.mercer"))
        self.assertIn("which those of knn need not; center(distance(beta=1))",
                      self.refused(2, "fit", data, "--method", "knn", "--kernel", "distance", "-o", "m.mercer"))
        self.assertIn("of order 2", self.refused(2, "fit", data, "--method", "svm", "--kernel", "thin_plate", "-o", "m.mercer"))
        self.assertIn("conditionally so of order 1 (distance, multiquadric) with --bias free", " ".join(self.mercer("methods", "ridge").split()))

    def test_auto_is_resolved(self):
        self.assertRegex(self.verdict("rbf(gamma=scale)", 0)["kernel"], r"^rbf\(gamma=\d")
        self.assertRegex(self.verdict("laplace(lambda=median)", 0)["kernel"], r"^laplace\(lambda=\d")

    def test_the_same_for_any_number_of_threads(self):
        data = self.moons(700)
        one, four = (self.mercer("check", data, "--kernel", "rbf(gamma=scale)*linear", "--json", "--threads", t) for t in (1, 4))
        self.assertEqual(one, four)

    def test_sampling_says_so_and_follows_the_seed(self):
        data = self.moons(300)
        first, again, other = (self.mercer("check", data, "--kernel", "rbf(gamma=1)", "--sample", 50, "--seed", s) for s in (1, 1, 2))
        self.assertIn("50 of them sampled", first)
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_bad_expressions_point_at_the_fault(self):
        message = self.refused(2, "check", self.moons(), "--kernel", "0.5*rbff(gamma=1)")
        self.assertEqual(message, "mercer: unknown kernel 'rbff'; did you mean 'rbf'? (mercer kernels lists all)\n"
                                  "  0.5*rbff(gamma=1)\n      ^~~~\n")
        for kernel, part in [("rbf(gamma=-1)", "gamma must be > 0, not -1"), ("poly(degree=0)", "degree must be a whole number"),
                             ("poly(degree=2.5)", "must be a whole number, not 2.5"), ("rbf(gamma=1", "missing ')'"),
                             ("rbf(gama=1)", "did you mean 'gamma'?")]:
            self.assertIn(part, self.refused(2, "check", self.moons(), "--kernel", kernel))

    def test_overflow_names_both_rows(self):
        data = self.file("big.csv", "a,b\n1,2\n3,4\n900,1\n")
        message = self.refused(3, "check", data, "--kernel", "exp(linear)")
        self.assertIn("exp(linear) of row 1 and row 3 is too large in float64", message)

    def test_negative_values_for_histograms_are_refused(self):
        self.assertIn("row 1, x1 is -0.", self.refused(3, "check", self.moons(), "--kernel", "intersection"))


if __name__ == "__main__":
    unittest.main()
