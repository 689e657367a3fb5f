#!/usr/bin/env python3
"""Online learning from files: one pass, several passes, and more rows for a saved model."""
import unittest

from mercer_cli import MercerTest


class Online(MercerTest):
    def split(self, name, count):
        """`name`.csv as parts of `count` rows, each with the line of names."""
        names, *rows = (self.folder / f"{name}.csv").read_text().splitlines()
        parts = []
        for begin in range(0, len(rows), count):
            parts.append(f"{name}{begin}.csv")
            (self.folder / parts[-1]).write_text("\n".join([names, *rows[begin:begin + count]]) + "\n")
        return parts

    def test_more_rows_for_a_saved_model(self):
        self.mercer("generate", "blobs", "-n", 90, "--classes", 3, "--noise", 2, "-o", "b.csv")
        for method in ("online_perceptron", "norma"):
            how = ("--method", method, "--kernel", "rbf(gamma=0.5)", "--budget", 12)
            whole = self.json("fit", "b.csv", *how, "-o", "whole.mercer")
            first, *others = self.split("b", 40)
            self.json("fit", first, *how, "-o", "m.mercer")
            for part in others:
                told = self.json("fit", part, "--resume", "m.mercer", "-o", "m.mercer")
            self.assertEqual(told["diagnostics"]["rows_seen"], whole["diagnostics"]["rows_seen"])
            self.assertEqual(self.mercer("predict", "m.mercer", "b.csv", "--score"), self.mercer("predict", "whole.mercer", "b.csv", "--score"))
            inspected = self.mercer("inspect", "m.mercer")
            self.assertIn(method, inspected)

    def test_recursive_ridge_is_ridge(self):
        self.mercer("generate", "sine", "-n", 80, "-o", "s.csv")
        how = ("--kernel", "rbf(gamma=5)", "--tau2", 0.5, "--scale", "standard")
        self.json("fit", "s.csv", "--method", "ridge", *how, "-o", "ridge.mercer")
        self.json("fit", "s.csv", "--method", "recursive_ridge", "--novelty", 0, *how, "-o", "m.mercer")
        batch, online = ([float(line) for line in self.mercer("predict", name, "s.csv").split()] for name in ("ridge.mercer", "m.mercer"))
        for a, b in zip(batch, online):
            self.assertAlmostEqual(a, b, delta=1e-6)
        told = self.json("fit", "s.csv", "--resume", "m.mercer", "-o", "m.mercer")
        self.assertEqual(told["diagnostics"]["rows_seen"]["value"], 160)

    def test_passes(self):
        self.moons(100)
        told = self.json("fit", "moons.csv", "--method", "online_perceptron", "--kernel", "rbf(gamma=1)", "--epochs", 5)
        self.assertEqual(told["diagnostics"]["rows_seen"]["value"], 500)

    def test_classes_that_come_later(self):
        self.mercer("generate", "blobs", "-n", 60, "--classes", 3, "-o", "b.csv")
        names, *rows = (self.folder / "b.csv").read_text().splitlines()
        for name, wanted in (("early.csv", "01"), ("late.csv", "2")):
            (self.folder / name).write_text("\n".join([names, *(row for row in rows if row[-1] in wanted)]) + "\n")
        how = ("fit", "early.csv", "--method", "online_perceptron", "--kernel", "rbf(gamma=1)", "-o", "m.mercer")
        self.json(*how)
        self.assertIn("name all classes at the first fit, as in --classes a,b,c", self.refused(3, "fit", "late.csv", "--resume", "m.mercer"))
        told = self.json(*how, "--classes", "0,1,2")
        self.assertEqual(told["classes"], ["0", "1", "2"])
        self.json("fit", "late.csv", "--resume", "m.mercer", "-o", "m.mercer")
        self.assertEqual(set(self.mercer("predict", "m.mercer", "late.csv").split()), {"2"})
        self.assertIn("does not name the class '0'", self.refused(2, *how, "--classes", "1,2"))
        self.assertIn("names a class twice", self.refused(2, *how, "--classes", "0,1,1"))
        self.assertIn("methods that learn online", self.refused(2, "fit", "early.csv", "--method", "svm", "--classes", "0,1"))
        self.assertIn("drop --classes", self.refused(2, "fit", "late.csv", "--resume", "m.mercer", "--classes", "0,1,2"))

    def test_what_is_refused(self):
        self.moons(30)
        how = ("fit", "moons.csv", "--method", "online_perceptron", "--kernel", "rbf(gamma=1)")
        self.json(*how, "-o", "m.mercer")
        self.assertIn("budget must be a whole number ≥ 1, not 0", self.refused(2, *how, "--budget", 0))
        self.assertIn("has the kernel rbf(gamma=1), not linear", self.refused(2, "fit", "moons.csv", "--resume", "m.mercer", "--kernel", "linear"))
        self.assertIn("fitted by online_perceptron, not by norma", self.refused(2, "fit", "moons.csv", "--resume", "m.mercer", "--method", "norma"))
        (self.folder / "other.csv").write_text("x1,y\n1,0\n2,1\n")
        self.assertIn("x2", self.refused(3, "fit", "other.csv", "--resume", "m.mercer"))


if __name__ == "__main__":
    unittest.main()
