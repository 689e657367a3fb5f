#!/usr/bin/env python3
"""Independence and two views from tables."""
import unittest

import numpy

from mercer_cli import MercerTest


class Independence(MercerTest):
    def setUp(self):
        super().setUp()
        self.mercer("generate", "friedman1", "-n", 120, "-o", "f.csv")

    def test_dependence_is_found(self):
        found = self.json("hsic", "f.csv", "--permutations", 199)
        self.assertEqual((found["permutations"], found["p_value"]), (199, 0.005))
        self.assertGreater(found["hsic_biased"], found["hsic_unbiased"])
        self.assertEqual(found, self.json("hsic", "f.csv", "--permutations", 199, "--threads", 1))
        self.assertIn("p-value", self.mercer("hsic", "f.csv", "--permutations", 9))
        self.assertIsNone(self.json("hsic", "f.csv", "--permutations", 0)["p_value"])

    def test_columns_are_ranked(self):
        columns = self.json("hsic", "f.csv", "--rank")["columns"]
        self.assertLessEqual({column["column"] for column in columns[:3]}, {"x1", "x2", "x3", "x4", "x5"})  # which the target depends on
        self.assertEqual(len(columns), 10)
        self.assertIsNone(columns[0]["p_value"])
        self.assertLessEqual(self.json("hsic", "f.csv", "--rank", "--permutations", 99)["columns"][0]["p_value"], 0.05)

    def test_refusals(self):
        self.assertIn("did you mean 'rbf'", self.refused(2, "hsic", "f.csv", "--target-kernel", "rbff(gamma=1)"))
        self.assertIn("no target column", self.refused(2, "hsic", "f.csv", "--target", "none"))
        self.assertIn("weights say nothing", self.refused(2, "hsic", "f.csv", "--weights", "x1"))


class TwoViews(MercerTest):
    def setUp(self):
        super().setUp()
        self.mercer("generate", "friedman1", "-n", 120, "-o", "f.csv")

    def test_projections_have_the_correlation(self):
        found = self.json("cca", "f.csv", "--x", "x1,x2,x4", "--y", "y", "--components", 1, "-o", "p.csv")
        projected = numpy.loadtxt(self.folder / "p.csv", delimiter=",", skiprows=1)
        self.assertEqual(projected.shape, (120, 2))
        self.assertGreater(numpy.corrcoef(projected.T)[0, 1], 0.7)
        self.assertTrue(0 < found["correlations"][0] < 1)
        self.mercer("cca", "f.csv", "--x", "1,2,4", "--y", "11", "--components", 1, "--test", "f.csv", "-o", "q.csv")
        self.assertEqual((self.folder / "q.csv").read_text(), (self.folder / "p.csv").read_text())

    def test_refusals(self):
        self.assertIn("'zz', which is not a column; the columns are x1, x2", self.refused(2, "cca", "f.csv", "--x", "x1,zz", "--y", "y"))
        self.assertIn("it must be > 0", self.refused(2, "cca", "f.csv", "--x", "x1", "--y", "y", "--regularization", 0))
        self.assertIn("there are 1 to 119", self.refused(2, "cca", "f.csv", "--x", "x1", "--y", "y", "--components", 120))
        self.assertIn("name one with -o", self.refused(2, "cca", "f.csv", "--x", "x1", "--y", "y", "--test", "f.csv"))


if __name__ == "__main__":
    unittest.main()
