"""mercer fit --explain-plan, and solvers by name."""
import unittest

from mercer_cli import MercerTest


class Plans(MercerTest):
    def test_the_plan_is_that_of_the_fit_and_nothing_is_written(self):
        self.moons(200)
        for method, kernel in (("svm", "linear"), ("fisher", "poly(degree=3)"), ("pca", "poly(degree=2)"), ("perceptron", "rbf(gamma=1)"), ("logistic", "poly(degree=14, scale=0.1)")):
            words = ("fit", "moons.csv", "--method", method, "--kernel", kernel)
            plan = self.json(*words, "--explain-plan", "-o", "m.mercer")
            self.assertEqual(self.files(), ["moons.csv"])
            self.assertEqual(plan["solver"], self.json(*words)["plan"]["way"], (method, kernel))
            self.assertGreater(plan["dual"]["operations"], 0)
        said = self.mercer("fit", "moons.csv", "--method", "fisher", "--kernel", "poly(degree=3)", "--explain-plan")
        for word in ("solver      primal: 10 explicit features", "primal      10 features, about", "dual        200 rows of K, about"):
            self.assertIn(word, said)
        self.assertIn("no finite explicit features", self.mercer("fit", "moons.csv", "--method", "svm", "--kernel", "rbf(gamma=1)", "--explain-plan"))

    def test_a_search_has_no_plan(self):
        self.moons(40)
        self.assertIn("--dry-run", self.refused(2, "fit", "moons.csv", "--explain-plan"))


if __name__ == "__main__":
    unittest.main()
