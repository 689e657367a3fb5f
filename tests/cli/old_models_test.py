#!/usr/bin/env python3
"""Model files that version 0.7.0 wrote, with the predictions that it printed: they load and predict the same."""
import pathlib
import unittest

from mercer_cli import MercerTest

MODELS = pathlib.Path(__file__).resolve().parent / "old_models"
DATA = {"svm": "classes.csv", "knn": "classes.csv", "kmeans": "classes.csv", "ridge": "numbers.csv", "nystrom": "numbers.csv", "gp": "numbers.csv",
        "texts": "texts.tsv", "precomputed": "values.csv"}


def cells(text):
    return [cell for line in text.splitlines() for cell in line.split()]


class OldModels(MercerTest):
    def test_they_predict_what_they_did(self):
        self.assertEqual(sorted(DATA), sorted(path.stem for path in MODELS.glob("*.mercer")))
        for name, data in DATA.items():
            with self.subTest(name):
                found = cells(self.mercer("predict", MODELS / f"{name}.mercer", MODELS / data))
                for a, b in zip(found, cells((MODELS / f"{name}.txt").read_text()), strict=True):
                    if a != b:  # another CPU rounds otherwise
                        self.assertAlmostEqual(float(a), float(b), delta=1e-9 * max(1, abs(float(b))))


if __name__ == "__main__":
    unittest.main()
