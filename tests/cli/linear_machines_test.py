#!/usr/bin/env python3
"""Linear machines from files: losses, penalties, one problem for all classes, and what they refuse."""
import unittest

from mercer_cli import MercerTest


class LinearMachines(MercerTest):
    def setUp(self):
        super().setUp()
        self.mercer("generate", "blobs", "-n", 120, "--classes", 3, "--noise", 2, "-o", "b.csv")

    def test_every_problem_converges_with_the_linear_kernel_by_itself(self):
        for how in ((), ("--loss", "hinge"), ("--penalty", "l1"), ("--multiclass", "crammer_singer"), ("--intercept", "no"), ("--solver", "descent")):
            told = self.json("fit", "b.csv", "--method", "linear_svm", "--C", 0.1, *how, "-o", "m.mercer")
            self.assertTrue(told["converged"], how)
            self.assertEqual(len(self.mercer("predict", "m.mercer", "b.csv", "--score").splitlines()), 120)
            self.assertIn("linear_svm", self.mercer("inspect", "m.mercer"))

    def test_numbers(self):
        self.mercer("generate", "sine", "-n", 80, "-o", "s.csv")
        for loss in ("epsilon_insensitive", "squared_epsilon_insensitive"):
            self.assertTrue(self.json("fit", "s.csv", "--method", "linear_svr", "--loss", loss, "-o", "m.mercer")["converged"])

    def test_kernels_without_columns_need_an_approximation(self):
        self.assertIn("it finds weights of columns, and rbf(gamma=1) is no kernel of columns", self.refused(2, "fit", "b.csv", "--method", "linear_svm", "--kernel", "rbf(gamma=1)"))
        self.assertTrue(self.json("fit", "b.csv", "--method", "linear_svm", "--kernel", "rbf(gamma=1)", "--approx", "nystrom:20")["converged"])

    def test_combinations_without_a_solver_are_refused(self):
        self.assertIn("must be squared_hinge with the penalty l1", self.refused(2, "fit", "b.csv", "--method", "linear_svm", "--penalty", "l1", "--loss", "hinge"))
        self.assertIn("Newton's method needs a squared loss", self.refused(2, "fit", "b.csv", "--method", "linear_svm", "--loss", "hinge", "--solver", "newton"))

    def test_automatic_selection_tries_the_linear_kernel(self):
        told = self.json("fit", "b.csv", "--method", "linear_svm", "--tune")
        self.assertIn("linear", str(told["kernel"]))


if __name__ == "__main__":
    unittest.main()
