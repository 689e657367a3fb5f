#!/usr/bin/env python3
"""mercer-mpi fit on 1 to 4 ranks: the models are those of mercer, to the tolerance; what goes wrong is said and leaves nothing behind."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from jobs import launch, mercer, ranks_of, spread, table

class Fits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = Path(cls.folder.name)
        mercer("generate", "friedman1", "--rows", 400, "--seed", 3, "-o", cls.at / "numbers.csv")
        mercer("generate", "moons", "--rows", 300, "--seed", 3, "-o", cls.at / "moons.csv")
        mercer("convert", cls.at / "numbers.csv", cls.at / "numbers.svm", "--target", "y")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def values(self, model, data, *more):
        out = self.at / "predictions.csv"
        mercer("predict", model, data, "-o", out, "--quiet", *more)
        return table(out)

    def assert_near(self, a, b, tolerance):
        self.assertEqual(len(a), len(b))
        size = max(abs(x) for row in a for x in row)
        for one, other in zip(a, b):
            for x, y in zip(one, other):
                self.assertLessEqual(abs(x - y), tolerance * size)

    def compare(self, data, *arguments, tolerance=1e-6, ranks=(1, 2, 3, 4), more=()):
        """The predictions of mercer and those of each number of ranks; the reports of the latter."""
        one = self.at / "one.mercer"
        mercer("fit", data, *arguments, "-o", one, "--quiet")
        expected = self.values(one, data, *more)
        reports = []
        for count in ranks:
            many = self.at / "many.mercer"
            done = spread(count, "fit", data, *arguments, "-o", many, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            reports.append(json.loads(done.stdout))
            self.assert_near(expected, self.values(many, data, *more), tolerance)
            many.unlink()
        return reports

    def test_ridge(self):
        reports = self.compare(self.at / "numbers.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=0.5)",
                               "--lambda", "1e-4", "--bias", "free", "--scale", "standard")
        objective = reports[0]["objective"]
        for report in reports[1:]:
            self.assertTrue(report["converged"])
            self.assertLessEqual(report["violation"], 1e-8)
            self.assertAlmostEqual(report["objective"], objective, delta=1e-6 * objective)

    def test_ridge_of_sparse_rows(self):
        self.compare(self.at / "numbers.svm", "--method", "ridge", "--kernel", "rbf(gamma=scale)", "--tau2", "0.5", ranks=(3,))

    def test_ridge_over_an_approximation(self):
        for how in ("nystrom:40", "fourier:64", "nystrom:40:uniform"):
            reports = self.compare(self.at / "numbers.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=0.5)",
                                   "--approx", how, "--lambda", "1e-4", "--bias", "free", ranks=(1, 3))
            self.assertAlmostEqual(reports[0]["objective"], reports[1]["objective"], delta=1e-8 * reports[0]["objective"])

    def test_logistic(self):
        for more in ((), ("--approx", "nystrom:30")):
            reports = self.compare(self.at / "moons.csv", "--method", "logistic", "--kernel", "rbf(gamma=2)", "--lambda", "1e-3", *more,
                                   tolerance=1e-4, ranks=(1, 3), more=("--score",))
            self.assertTrue(reports[1]["converged"])
            self.assertAlmostEqual(reports[0]["objective"], reports[1]["objective"], delta=1e-6)

    def test_other_smooth_losses(self):
        counts = self.at / "counts.csv"
        counts.write_text("x,y\n" + "".join(f"{i / 20},{(i * 7) % 5 + i // 20}\n" for i in range(80)))
        for method, more in (("poisson", ()), ("huber", ("--delta", "0.5")), ("huber", ("--approx", "nystrom:10", "--bias", "none"))):
            reports = self.compare(counts, "--target", "y", "--method", method, "--kernel", "rbf(gamma=1)", *more, tolerance=1e-4, ranks=(1, 2))
            self.assertTrue(reports[1]["converged"])
            self.assertAlmostEqual(reports[0]["objective"], reports[1]["objective"], delta=1e-5)

    def test_pca(self):
        arguments = ("fit", self.at / "numbers.csv", "--target", "y", "--method", "pca", "--kernel", "rbf(gamma=0.1)", "--components", 3)
        one, many = self.at / "one.mercer", self.at / "many.mercer"
        mercer(*arguments, "-o", one)
        done = spread(3, *arguments, "-o", many, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        coordinates = []
        for model in (one, many):
            mercer("transform", model, self.at / "numbers.csv", "--target", "y", "-o", self.at / "z.csv", "--quiet")
            coordinates.append(table(self.at / "z.csv"))
        self.assert_near(*coordinates, 1e-5)

    def test_spectral_clustering(self):
        arguments = ("--target", "y", "--method", "spectral", "--kernel", "rbf(gamma=20)", "--clusters", 2)
        reports = self.compare(self.at / "moons.csv", *arguments, tolerance=1e-5, more=("--score",))
        for report in reports:
            self.assertTrue(report["converged"])
            self.assertAlmostEqual(report["objective"], reports[0]["objective"], delta=1e-6 * abs(reports[0]["objective"]))
        self.refused(3, "affinities are numbers", "fit", self.at / "moons.csv", "--target", "y", "--method", "spectral", "--kernel", "linear")

    def test_several_classes(self):
        three = self.at / "three.csv"
        three.write_text("x,z,y\n" + "".join(f"{i / 20},{i * 37 % 60 / 30},{'abc'[(i * 37 % 60 > 20) + (i % 7 > 3)]}\n" for i in range(60)))
        for more in ((), ("--bias", "none"), ("--approx", "nystrom:15"), ("--approx", "nystrom:15", "--bias", "none")):
            reports = self.compare(three, "--method", "logistic", "--kernel", "rbf(gamma=0.5)", "--lambda", "1e-3", *more, tolerance=1e-4, ranks=(1, 3), more=("--proba",))
            self.assertTrue(reports[1]["converged"])
            self.assertAlmostEqual(reports[0]["objective"], reports[1]["objective"], delta=1e-6)
        self.refused(4, "the matrix of a step", "fit", three, "--method", "logistic", "--kernel", "rbf(gamma=0.5)", "--approx", "nystrom:15", "--memory", "0.01MB")

    def test_gaussian_process(self):
        process = ("--target", "y", "--method", "gp", "--noise", "1", "--kernel", "rbf(gamma=0.5)", "--optimize", "none")
        alone = self.compare(self.at / "numbers.csv", *process, ranks=(3,))[0]  # few rows: the factor, and with it variances
        self.assertIn("by rank 0 alone", alone["solver"])
        one, many = self.at / "one.mercer", self.at / "many.mercer"
        mercer("fit", self.at / "numbers.csv", *process, "-o", one)
        for ranks in (2, 3):
            done = spread(ranks, "fit", self.at / "numbers.csv", *process, "--memory", "2MB", "-o", many, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assert_near(self.values(one, self.at / "numbers.csv"), self.values(many, self.at / "numbers.csv"), 1e-6)
            facts = report["diagnostics"]
            error = facts["log_marginal_likelihood_error"]["value"]
            self.assertAlmostEqual(facts["log_marginal_likelihood"]["value"], alone["diagnostics"]["log_marginal_likelihood"]["value"], delta=4 * error + 1e-3)
            self.assertIn("no variances", " ".join(report["warnings"]))
        done = spread(2, "fit", self.at / "numbers.csv", *process[:-2], "--memory", "2MB", "-o", many, "--json")
        self.assertRegex(json.loads(done.stdout)["solver"], r"kernel and noise by the evidence of \d+ rows")

    def test_kernel_regression(self):
        for data, more in ((self.at / "numbers.csv", ("--target", "y")), (self.at / "numbers.csv", ("--target", "y", "--bandwidth", "loo")), (self.at / "moons.csv", ())):
            reports = self.compare(data, "--method", "nadaraya_watson", "--kernel", "rbf(gamma=0.5)", *more, ranks=(1, 2, 4))
            self.assertEqual(reports[0]["kernel"], reports[1]["kernel"])
            for report in reports[1:]:
                self.assertEqual(report["diagnostics"], reports[0]["diagnostics"])

    def test_a_file_for_each_rank(self):
        header, *rows = (self.at / "numbers.csv").read_text().splitlines()
        for rank, part in enumerate((rows[:100], rows[100:101], rows[101:])):
            (self.at / f"part.{rank}.csv").write_text("\n".join([header, *part]) + "\n")
        arguments = ("--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=0.5)", "--lambda", "1e-4")
        one, many = self.at / "one.mercer", self.at / "many.mercer"
        mercer("fit", self.at / "numbers.csv", *arguments, "-o", one)
        done = spread(3, "fit", self.at / "part.%r.csv", *arguments, "-o", many, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["rows"], 400)
        self.assert_near(self.values(one, self.at / "numbers.csv"), self.values(many, self.at / "numbers.csv"), 1e-6)
        self.refused(3, "part.3.csv: cannot be opened", "fit", self.at / "part.%r.csv", *arguments, ranks=4)
        self.refused(2, "a file for each rank is not taken here", "fit", self.at / "part.%r.csv", "--target", "y", "--method", "svr")

    def test_a_spread_fit_of_eigenvectors_goes_on_from_its_checkpoint(self):
        for method, more in (("pca", ("--components", 3)), ("spectral", ("--clusters", 2))):
            state = self.at / f"{method}.state"
            arguments = ("fit", self.at / "moons.csv", "--target", "y", "--method", method, "--kernel", "rbf(gamma=5)", *more, "--checkpoint", state, "--every", 0)
            done = spread(2, *arguments, "--time", "1e-9")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertTrue(state.exists())
            done = spread(3, *arguments, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(json.loads(done.stdout)["solver"], r"after \d+ products of an earlier run")
            self.assertFalse(state.exists())

    def test_predict(self):
        model = self.at / "svm.mercer"
        mercer("fit", self.at / "moons.csv", "--method", "svm", "--kernel", "rbf(gamma=2)", "-o", model)
        for more in ((), ("--score",)):
            mercer("predict", model, self.at / "moons.csv", *more, "-o", self.at / "one.csv")
            done = spread(3, "predict", model, self.at / "moons.csv", *more, "-o", self.at / "many.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("300 predictions", done.stdout)
            one, many = (list(csv.reader((self.at / name).read_text().splitlines())) for name in ("one.csv", "many.csv"))
            self.assertEqual(len(one), len(many))
            for a, b in zip(one[1:], many[1:]):
                self.assertAlmostEqual(float(a[0]), float(b[0]), places=9)
        done = spread(2, "predict", self.at / "none.mercer", self.at / "moons.csv")
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot be opened", done.stderr)

    def test_more_ranks_than_rows(self):
        few = self.at / "few.csv"
        few.write_text("\n".join((self.at / "numbers.csv").read_text().split("\n")[:4]) + "\n")
        self.compare(few, "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=0.5)", ranks=(4,))

    def test_petsc_options(self):
        arguments = ("fit", self.at / "numbers.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=0.5)")
        done = spread(2, *arguments, "--petsc", "-ksp_monitor -nothing_of_the_kind 3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("KSP Residual norm", done.stdout)
        self.assertIn("the PETSc option -nothing_of_the_kind had no effect", done.stderr)

    def refused(self, code, said, *arguments, ranks=2):
        out = self.at / "refused.mercer"
        done = spread(ranks, *arguments, "-o", out)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(said, done.stderr)
        self.assertEqual(done.stderr.count("mercer-mpi: "), 1, done.stderr)
        self.assertFalse(out.exists())

    def test_refusals(self):
        numbers = self.at / "numbers.csv"
        ridge = ("--method", "ridge", "--kernel", "rbf(gamma=0.5)")
        self.refused(3, "cannot be opened", "fit", self.at / "nothing.csv", *ridge)
        self.refused(2, "knn, which rank 0 fits alone, keeps no checkpoint", "fit", numbers, "--target", "y", "--method", "knn", "--checkpoint", self.at / "no_state")
        self.refused(2, "above 0", "fit", numbers, "--target", "y", *ridge, "--lambda", "0")
        self.refused(2, "lambda is not selected", "fit", numbers, "--target", "y", *ridge, "--select", "loo")
        self.refused(2, "is a command of mercer", "evaluate", "a", "b")
        self.refused(2, "--lamda", "fit", numbers, "--target", "y", *ridge, "--lamda", "1")
        self.refused(3, "needs a target", "fit", numbers, "--target", "none", *ridge)

    def test_what_would_have_no_effect_is_refused(self):
        arguments = ("fit", self.at / "numbers.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=0.5)", "--approx", "nystrom:20")
        self.refused(2, "a fit over a kernel approximation keeps no checkpoint", *arguments, "--checkpoint", self.at / "state")
        self.refused(2, "--stream is for one rank", *arguments, "--stream")

    def test_a_damaged_checkpoint_is_refused(self):
        state = self.at / "wrong.state"
        state.write_text("nothing")
        arguments = ("fit", self.at / "numbers.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=0.5)", "--checkpoint", state)
        self.refused(3, "this is not a checkpoint", *arguments)
        self.assertEqual(state.read_text(), "nothing")


class Faults(unittest.TestCase):
    """A fit whose tolerance is out of reach, with thousands of iterations before it gives up: what happens to it happens before its end."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = Path(cls.folder.name)
        mercer("generate", "friedman1", "--rows", 4000, "--seed", 3, "-o", cls.at / "numbers.csv")
        cls.slow = ("fit", cls.at / "numbers.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=0.5)", "--memory", "1MB")
        cls.penalty = ("--lambda", "1e-11")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def started(self, ranks, state, model):
        """The processes of a job that has written a checkpoint."""
        job = subprocess.Popen(launch(ranks, *self.slow, *self.penalty, "--tolerance", "1e-15", "--checkpoint", state, "--every", 0, "-o", model), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        for _ in range(600):
            if state.exists() or job.poll() is not None:
                break
            time.sleep(0.05)
        self.assertIsNone(job.poll(), "the fit ended before its first checkpoint")
        return job

    def test_a_killed_rank_ends_the_job_and_any_number_of_ranks_resumes(self):
        state, model = self.at / "state", self.at / "killed.mercer"
        job = self.started(3, state, model)
        os.kill(ranks_of(job)[1], 9)
        _, said = job.communicate(timeout=60)
        self.assertNotEqual(job.returncode, 0)
        self.assertRegex(said, r"process rank \d")
        self.assertFalse(model.exists())
        self.assertEqual([p.name for p in self.at.iterdir() if "killed" in p.name], [])
        self.assertTrue(state.exists())
        other = spread(2, *self.slow, "--checkpoint", state, "--lambda", "1e-8")
        self.assertEqual(other.returncode, 3)
        self.assertIn("the checkpoint is that of another fit", other.stderr)
        done = spread(2, *self.slow, *self.penalty, "--time", 2, "--checkpoint", state, "-o", model, "--json")  # the model so far
        self.assertIn(done.returncode, (0, 4), done.stderr)
        self.assertRegex(json.loads(done.stdout)["solver"], r"after \d+ iterations of an earlier run")
        self.assertTrue(model.exists())

    def test_a_signal_to_a_rank_ends_the_fit_in_good_order(self):
        state, model = self.at / "third_state", self.at / "signalled.mercer"
        job = self.started(2, state, model)
        os.kill(ranks_of(job)[1], 15)
        _, said = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 130, said)
        self.assertIn("mercer-mpi: interrupted before the end", said)
        self.assertFalse(model.exists())
        self.assertTrue(state.exists())

    def test_an_interrupt_ends_the_job(self):
        state, model = self.at / "other_state", self.at / "interrupted.mercer"
        job = self.started(2, state, model)
        job.send_signal(2)
        job.communicate(timeout=60)
        self.assertNotEqual(job.returncode, 0)
        self.assertFalse(model.exists())
        self.assertTrue(state.exists())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] if "-v" in sys.argv else sys.argv)
