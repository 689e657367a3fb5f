#!/usr/bin/env python3
"""explain: what it prints adds up, and the columns are those of the table."""
import unittest

import numpy

from mercer_cli import MercerTest


class ExplainTest(MercerTest):
    def animals(self):
        generator = numpy.random.default_rng(1)
        lines = ["home,weight,noise,species"]
        for i in range(90):
            species = ("cat", "dog", "hamster")[i % 3]
            home = ("house", "garden", "cage")[i % 3]
            lines.append(f"{home},{10 * (i % 3) + generator.normal():.4f},{generator.normal():.4f},{species}")
        return self.file("animals.csv", "\n".join(lines) + "\n")

    def fit_animals(self, *options):
        self.animals()
        self.json("fit", "animals.csv", "--target", "species", "-o", "m.mercer", "--scale", "standard", *options)

    def test_amounts_add_up_to_the_score(self):
        self.fit_animals("--method", "svm", "--kernel", "rbf(gamma=0.2) + 0.5*linear")
        answer = self.json("explain", "m.mercer", "animals.csv", "--rows", "1-3,17", "--examples", 3)
        self.assertEqual([e["row"] for e in answer["rows"]], [1, 2, 3, 17])
        predicted = self.mercer("predict", "m.mercer", "animals.csv").split()
        for e in answer["rows"]:
            self.assertEqual(e["subject"], predicted[e["row"] - 1])
            self.assertNotEqual(e["against"], e["subject"])
            self.assertLessEqual(len(e["examples"]), 3)
            total = sum(one["amount"] for one in e["examples"]) + e["others"]["amount"] + e["self"] + e["constant"]
            self.assertAlmostEqual(total, e["score"], places=10)
            self.assertEqual([t["kernel"] for t in e["terms"]], ["rbf(gamma=0.2)", "0.5*linear"])
            self.assertAlmostEqual(sum(t["amount"] for t in e["terms"]) + e["constant"], e["score"], places=10)
            self.assertEqual({c["name"] for c in e["columns"]}, {"home", "weight", "noise"})
            self.assertTrue({one["class"] for one in e["examples"]} <= {e["subject"], e["against"]})
        self.assertEqual(answer["columns"][-1]["name"], "noise")
        self.assertAlmostEqual(sum(c["share"] for c in answer["columns"]), 1)

    def test_text_names_examples_and_columns(self):
        self.fit_animals("--method", "svm", "--kernel", "rbf(gamma=0.2)")
        text = self.mercer("explain", "m.mercer", "animals.csv", "--rows", "2")
        self.assertIn("row 2: 'dog' rather than '", text)
        for part in ("share", "weight ", "home = garden", "would add", "intercept", "column importance over all rows"):
            self.assertIn(part, text)
        self.assertEqual(text, self.mercer("explain", "m.mercer", "animals.csv", "--rows", "2", "--threads", 3))
        self.assertEqual(self.mercer("explain", "m.mercer", "animals.csv").count("\nrow "), 4)  # the first line begins with the first of five

    def test_the_slope_is_in_the_units_of_the_column(self):
        self.mercer("generate", "sine", "-n", 60, "-o", "sine.csv")
        self.json("fit", "sine.csv", "--method", "ridge", "--kernel", "rbf(gamma=1)", "--scale", "standard", "-o", "r.mercer")
        lines = (self.folder / "sine.csv").read_text().splitlines()
        x = float(lines[4].split(",")[0])
        slope = self.json("explain", "r.mercer", "sine.csv", "--rows", "4")["rows"][0]["columns"][0]["slope"]
        step = 1e-4
        target = lines[0].split(",")[-1]
        name = lines[0].split(",")[0]
        self.file("near.csv", f"{name},{target}\n{x - step!r},0\n{x + step!r},0\n")
        low, high = (float(v) for v in self.mercer("predict", "r.mercer", "near.csv").split())
        self.assertAlmostEqual(slope, (high - low) / (2 * step), places=4)

    def test_features_say_that_there_are_no_examples(self):
        self.fit_animals("--method", "logistic", "--kernel", "linear", "--approx", "explicit")
        e = self.json("explain", "m.mercer", "animals.csv", "--rows", "1")["rows"][0]
        self.assertEqual(e["examples"], [])
        self.assertIn("not on similarities to examples", e["no_examples"])
        self.assertAlmostEqual(sum(c["amount"] for c in e["columns"]) + e["constant"], e["score"], places=9)
        self.assertIn("examples: none", self.mercer("explain", "m.mercer", "animals.csv", "--rows", "1"))

    def test_a_picture(self):
        self.fit_animals()
        answer = self.json("explain", "m.mercer", "animals.csv", "--plot", "e.svg")
        self.assertEqual(answer["plot"], "e.svg")
        svg = (self.folder / "e.svg").read_text()
        self.assertTrue(svg.startswith("<svg") and "row 5: " in svg and "noise" in svg)
        self.assertIn("cannot be created", self.refused(3, "explain", "m.mercer", "animals.csv", "--plot", "no/e.svg", "--quiet"))

    def test_refusals(self):
        self.fit_animals()
        for rows, said in [("0", "not a row number"), ("91", "there is no row 91; the data have 90 rows"), ("5-2", "the first row is after the last"), ("1,", "not a row number"),
                           ("x", "not a row number"), ("1;2", "unexpected ';2'"), ("-3", "not a row number"), ("99999999999999999999", "not a row number")]:
            self.assertIn(said, self.refused(2, "explain", "m.mercer", "animals.csv", f"--rows={rows}"))
        self.file("other.csv", "home,weight\nhouse,1\n")
        self.assertIn("noise", self.refused(3, "explain", "m.mercer", "other.csv"))
        self.assertIn("none.mercer", self.refused(3, "explain", "none.mercer", "animals.csv"))


if __name__ == "__main__":
    unittest.main()
