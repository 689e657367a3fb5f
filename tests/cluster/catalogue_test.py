#!/usr/bin/env python3
"""Every method of the catalogue on several ranks: its predictions are those of mercer, to the tolerance."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

from jobs import mercer, spread, table

SPREAD = ("ridge", "logistic", "poisson", "huber", "pca", "spectral", "svm", "nu_svm", "svr", "nu_svr", "one_class", "quantile", "nadaraya_watson")
MORE = {"pca": ("--components", 2)}


class Catalogue(unittest.TestCase):
    def test_every_method(self):
        with tempfile.TemporaryDirectory() as folder:
            at = Path(folder)
            mercer("generate", "friedman1", "--rows", 60, "--seed", 3, "-o", at / "numbers.csv")
            mercer("generate", "moons", "--rows", 60, "--seed", 3, "--noise", 0.2, "-o", at / "moons.csv")
            methods = json.loads(mercer("methods", "--json"))
            self.assertLessEqual(set(SPREAD), {method["name"] for method in methods})
            for method in methods:
                name = method["name"]
                data = at / ("moons.csv" if method["task"] in ("classification", "either") else "numbers.csv")
                kernel = "linear" if name.startswith("linear_") else "rbf(gamma=0.5)"
                arguments = ("fit", data, "--target", "y", "--method", name, "--kernel", kernel, *MORE.get(name, ()))
                mercer(*arguments, "-o", at / "one.mercer", "--quiet")
                mercer("predict", at / "one.mercer", data, "-o", at / "one.csv", "--quiet")
                expected = table(at / "one.csv")
                size = max(abs(x) for row in expected for x in row) or 1
                for ranks in (2, 4) if name in SPREAD else (2,):
                    with self.subTest(method=name, ranks=ranks):
                        done = spread(ranks, *arguments, "-o", at / "many.mercer", "--json")
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertEqual("by rank 0 alone" in json.loads(done.stdout)["solver"], name not in SPREAD)
                        mercer("predict", at / "many.mercer", data, "-o", at / "many.csv", "--quiet")
                        found = table(at / "many.csv")
                        self.assertEqual(len(found), len(expected))
                        for one, other in zip(expected, found):
                            for x, y in zip(one, other):
                                self.assertLessEqual(abs(x - y), 2e-3 * size)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] if "-v" in sys.argv else sys.argv)
