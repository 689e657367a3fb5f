#!/usr/bin/env python3
"""What predict writes: tables with column names, plain lines, and a line for every row of the file."""
import csv
import unittest

import numpy

from mercer_cli import MercerTest

ANIMALS = 'size,weight,species\n1,2,"cat, small"\n2,1,"cat, small"\n1.5,1.6,"cat, small"\n8,9,dog\n9,8,dog\n8.5,8.4,dog\n20,1,"big ""one"""\n21,2,"big ""one"""\n19,1,"big ""one"""\n'


class Tables(MercerTest):
    def table(self, *arguments, out="p.csv"):
        self.mercer("predict", *arguments, "-o", out)
        with open(self.folder / out, newline="") as file:
            return list(csv.reader(file, delimiter="\t" if out.endswith(".tsv") else ","))

    def fit(self, *options):
        self.file("animals.csv", ANIMALS)
        self.mercer("fit", "animals.csv", "--target", "species", "--kernel", "rbf(gamma=0.1)", "-o", "m.mercer", *options)

    def test_classes_have_a_header(self):
        self.fit("--method", "svm")
        for out in ("p.csv", "p.tsv"):
            header, *rows = self.table("m.mercer", "animals.csv", out=out)
            self.assertEqual(header, ["prediction"])
            self.assertEqual([row[0] for row in rows], ["cat, small"] * 3 + ["dog"] * 3 + ['big "one"'] * 3)

    def test_probabilities_are_named_after_the_classes(self):
        self.fit("--method", "logistic")
        header, *rows = self.table("m.mercer", "animals.csv", "--proba")
        self.assertEqual(header, ['big "one"', "cat, small", "dog"])
        p = numpy.array(rows, dtype=float)
        numpy.testing.assert_allclose(p.sum(1), 1, rtol=1e-12)
        self.assertEqual([header[k] for k in p.argmax(1)], [row[0] for row in self.table("m.mercer", "animals.csv")[1:]])
        plain = numpy.array(self.mercer("predict", "m.mercer", "animals.csv", "--proba").split(), dtype=float)
        numpy.testing.assert_array_equal(plain, p.ravel())

    def test_scores_are_named_after_pairs_or_classes(self):
        self.fit("--method", "svm")
        header, *rows = self.table("m.mercer", "animals.csv", "--score")
        self.assertEqual(header, ['big "one" vs cat, small', 'big "one" vs dog', "cat, small vs dog"])
        self.assertGreater(float(rows[0][2]), 0)
        self.fit("--method", "svm", "--multiclass", "ovr")
        self.assertEqual(self.table("m.mercer", "animals.csv", "--score")[0], ['big "one"', "cat, small", "dog"])

    def test_scores_of_two_classes_are_positive_for_the_second(self):
        self.moons()
        for method in ("svm", "nu_svm", "logistic", "fisher", "perceptron"):
            self.mercer("fit", "moons.csv", "--method", method, "--kernel", "rbf(gamma=1)", "-o", "m.mercer")
            header, *rows = self.table("m.mercer", "moons.csv", "--score")
            self.assertEqual(header, ["1 vs 0"])
            self.assertEqual([float(score) > 0 for score, in rows], [row == ["1"] for row in self.table("m.mercer", "moons.csv")[1:]], method)
        self.mercer("fit", "moons.csv", "--method", "svm", "--kernel", "linear", "-o", "m.mercer")
        linear = self.json("inspect", "m.mercer")["linear"][0]
        self.assertEqual(linear["score"], "1 against 0")

    def test_numbers_variances_and_several_outputs(self):
        self.file("two.csv", "x,u,v\n1,2,3.5\n2,4,5.5\n3,6,7.25\n4,8,9\n")
        self.mercer("fit", "two.csv", "--target", "u,v", "--method", "ridge", "--kernel", "linear", "-o", "m.mercer")
        self.assertEqual(self.table("m.mercer", "two.csv")[0], ["u", "v"])
        self.mercer("fit", "two.csv", "--target", "u", "--task", "real", "--method", "gp", "--kernel", "linear", "-o", "m.mercer")
        header, *rows = self.table("m.mercer", "two.csv", "--variance")
        self.assertEqual(header, ["prediction", "variance"])
        self.assertEqual(len(rows), 4)

    def test_one_word_for_probabilities(self):
        self.moons(60)
        for word in ("--proba", "--probabilities", "--probability"):
            self.mercer("fit", "moons.csv", "--kernel", "rbf(gamma=1)", word, "-o", "m.mercer")
            self.assertEqual(len(self.mercer("predict", "m.mercer", "moons.csv", word).splitlines()), 60)
        for command in ("fit", "predict"):
            help_text = self.mercer(command, "--help")
            self.assertIn("--proba ", help_text)
            self.assertNotIn("--probabilities", help_text)
        self.mercer("fit", "moons.csv", "--kernel", "rbf(gamma=1)", "-o", "plain.mercer")
        self.assertIn("fit it with --proba\n", self.refused(2, "predict", "plain.mercer", "moons.csv", "--proba"))


class EveryRow(MercerTest):
    def test_rows_that_are_left_out_are_nan(self):
        self.moons(40)
        self.mercer("fit", "moons.csv", "--method", "logistic", "--kernel", "rbf(gamma=1)", "-o", "m.mercer")
        names = (self.folder / "moons.csv").read_text().splitlines()[0].split(",")[:2]
        self.file("new.csv", ",".join(names) + "\n0,1\n,1\n1,0\n2,\n1,\n")
        for options, nothing in [((), "NaN"), (("--proba",), "NaN NaN"), (("--score",), "NaN")]:
            result = self.run_mercer("predict", "m.mercer", "new.csv", "--missing", "drop", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            lines = result.stdout.splitlines()
            self.assertEqual([line == nothing for line in lines], [False, True, False, True, True], lines)
            self.assertIn("3 of 5 rows cannot be predicted and are NaN: rows 2, 4, 5", result.stderr)
        answer = self.json("predict", "m.mercer", "new.csv", "--missing", "drop", "-o", "p.csv")
        self.assertEqual((answer["n"], answer["left_out"]), (2, [2, 4, 5]))
        self.assertEqual((self.folder / "p.csv").read_text().splitlines()[2], "NaN")

    def test_images_that_cannot_be_read(self):
        self.mercer("generate", "colour_images", "-n", 28, "-o", "photos", "--quiet")
        self.mercer("fit", "photos", "--method", "svm", "--kernel", "histogram", "-o", "m.mercer")
        images = sorted(path for path in (self.folder / "photos").rglob("*") if path.is_file())
        whole = self.mercer("predict", "m.mercer", "photos").splitlines()
        images[1].write_bytes(b"P6 not an image")
        lines = self.mercer("predict", "m.mercer", "photos", "--skip-bad").splitlines()
        self.assertEqual(lines.count("NaN"), 1)
        self.assertEqual([line for line in lines if line != "NaN"], [line for k, line in enumerate(whole) if k != lines.index("NaN")])


if __name__ == "__main__":
    unittest.main()
