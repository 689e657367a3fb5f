#!/usr/bin/env python3
"""mercer-mpi fit where all ranks have the table: support vector machines agree with mercer's to the tolerance, searches choose what mercer chooses."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from jobs import MPI, launch, mercer, mixed, ranks_of, spread, table


TUNE = "--tune=true"  # Open MPI's mpirun takes a bare --tune for its own, wherever it stands


class WithRows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = Path(cls.folder.name)
        for name, rows in (("moons", 2600), ("friedman1", 2300)):  # more than rows of K are held of
            mercer("generate", name, "--rows", rows, "--seed", 3, "--noise", 0.4, "-o", cls.at / f"{name}.csv")
        for name in ("moons", "friedman1"):
            lines = (cls.at / f"{name}.csv").read_text().splitlines()
            (cls.at / f"few_{name}.csv").write_text("\n".join(lines[:181]) + "\n")
        lines = (cls.at / "few_moons.csv").read_text().splitlines()  # six classes, of both and their place
        rows = [line.split(",") for line in lines[1:]]
        (cls.at / "six.csv").write_text("x1,x2,y\n" + "".join(f"{a},{b},{c}{int(float(a) > 0) + int(float(a) > 1)}\n" for a, b, c in rows))
        mercer("convert", cls.at / "moons.csv", cls.at / "moons.svm")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def job(self, ranks, *arguments):
        done = spread(ranks, *arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["ranks"], ranks)
        return report


class Machines(WithRows):
    def predictions(self, model, data, *more):
        mercer("predict", model, data, "-o", self.at / "p.csv", "--quiet", *more)
        return table(self.at / "p.csv")

    def compare(self, data, *arguments, ranks=(2, 3, 4), more=("--score",), tolerance=5e-3):
        one, many = self.at / "one.mercer", self.at / "many.mercer"
        expected = json.loads(mercer("fit", data, *arguments, "-o", one, "--json"))
        scores = self.predictions(one, data, *more)
        size = max(abs(x) for row in scores for x in row)
        for count in ranks:
            report = self.job(count, "fit", data, *arguments, "-o", many)
            self.assertTrue(report["converged"])
            self.assertLessEqual(report["violation"], report["tolerance"])
            self.assertAlmostEqual(report["objective"], expected["objective"], delta=expected["duality_gap"] + report["duality_gap"] + 1e-9)
            for a, b in zip(scores, self.predictions(many, data, *more), strict=True):
                for x, y in zip(a, b, strict=True):
                    self.assertLessEqual(abs(x - y), tolerance * size)
            many.unlink()

    def test_two_classes(self):
        self.compare(self.at / "moons.csv", "--method", "svm", "--kernel", "rbf(gamma=2)", "--C", 3)
        self.compare(self.at / "moons.svm", "--method", "svm", "--kernel", "rbf(gamma=2)", "--C", 3, ranks=(3,))

    def test_nu(self):
        self.compare(self.at / "moons.csv", "--method", "nu_svm", "--kernel", "rbf(gamma=2)", "--nu", 0.5, ranks=(3,))
        self.compare(self.at / "friedman1.csv", "--target", "y", "--method", "nu_svr", "--kernel", "rbf(gamma=0.5)", "--nu", 0.3, ranks=(2,), more=())

    def test_numbers(self):
        self.compare(self.at / "friedman1.csv", "--target", "y", "--method", "svr", "--kernel", "rbf(gamma=0.5)", "--C", 5, "--tube", 0.5, more=())
        self.compare(self.at / "friedman1.csv", "--target", "y", "--method", "quantile", "--kernel", "rbf(gamma=0.5)", "--tau", 0.8, ranks=(2,), more=())

    def test_one_class(self):
        self.compare(self.at / "moons.csv", "--target", "y", "--method", "one_class", "--kernel", "rbf(gamma=2)", "--nu", 0.2)

    def test_pairs_of_classes(self):
        for ranks in ((2, 3, 4), (9,)):  # 15 pairs: of each rank its own, or all ranks together
            self.compare(self.at / "six.csv", "--method", "svm", "--kernel", "rbf(gamma=2)", "--C", 3, ranks=ranks)

    def test_one_against_the_rest(self):
        self.compare(self.at / "six.csv", "--method", "svm", "--kernel", "rbf(gamma=2)", "--multiclass", "ovr", ranks=(2, 4))

    def test_other_forms(self):
        moons = self.at / "moons.csv"
        self.compare(moons, "--method", "svm", "--kernel", "linear", "--class-weight", "1=3", ranks=(2,))
        self.compare(moons, "--method", "svm", "--kernel", "rbf(gamma=2)", "--approx", "nystrom:60", ranks=(2,))
        self.compare(self.at / "few_moons.csv", "--method", "svm", "--kernel", "rbf(gamma=200)", "--C", "inf", ranks=(3,))
        self.compare(self.at / "few_moons.csv", "--method", "svm", "--kernel", "rbf(gamma=2)", "--proba", ranks=(2,), more=("--proba",))
        self.compare(self.at / "few_moons.csv", "--kernel", "rbf(gamma=2)", ranks=(2,))  # svm by itself

    def test_more_ranks_than_rows(self):
        few = self.at / "three.csv"
        few.write_text("x,y\n0,a\n1,b\n3,a\n")
        self.compare(few, "--method", "svm", "--kernel", "rbf(gamma=1)", "--C", 10, ranks=(4,))

    def test_warm_start(self):
        model = self.at / "start.mercer"
        arguments = ("fit", self.at / "moons.csv", "--method", "svm", "--kernel", "rbf(gamma=2)", "--C")
        mercer(*arguments, 3, "-o", model)
        report = self.job(2, *arguments, 3, "--resume", model)
        self.assertTrue(report["converged"])
        self.assertLess(report["iterations"], 50)


class Searches(WithRows):
    def assert_same_choice(self, *arguments, ranks=(2, 3)):
        """Every trial, its score and the assessment are those of one machine."""
        expected = json.loads(mercer("fit", *arguments, "-o", self.at / "one.mercer", "--json", "--threads", 1))
        for count in ranks:
            report = self.job(count, "fit", *arguments, "-o", self.at / "many.mercer", "--threads", 1)
            for entry in ("kernel", "parameters", "score", "baseline", "metric"):
                self.assertEqual(report.get(entry), expected.get(entry), entry)
            for search in (report["search"] or {}, expected["search"] or {}):
                search.pop("seconds", None)
            self.assertEqual(report["search"], expected["search"])
            models = [table_of(path, arguments[0], self.at) for path in (self.at / "one.mercer", self.at / "many.mercer")]
            self.assertEqual(*models)
            (self.at / "many.mercer").unlink()
        return expected

    def test_tune(self):
        self.assert_same_choice(self.at / "few_moons.csv", "--method", "svm", TUNE, ranks=(2, 4))
        self.assert_same_choice(self.at / "few_friedman1.csv", "--target", "y", "--method", "ridge", "--kernel", "auto")

    def test_grid(self):
        self.assert_same_choice(self.at / "few_moons.csv", "--method", "svm", "--kernel", "rbf(gamma=1)", "--grid", "C=0.1,1,10",
                                "--grid", "gamma=0.1,1,10", "--cv", 4)

    def test_more_rows_in_each_round(self):
        self.assert_same_choice(self.at / "moons.csv", "--method", "svm", "--kernel", "rbf(gamma=1)", "--grid", "C=1,10", "--grid", "gamma=0.5,1,2",
                                ranks=(2,))

    def test_folds_of_few_candidates(self):
        self.assert_same_choice(self.at / "few_moons.csv", "--method", "knn", "--kernel", "rbf(gamma=1)", "--grid", "neighbours=3,9", ranks=(3, 4))

    def test_automatic_selection(self):
        made = self.assert_same_choice(self.at / "few_moons.csv", ranks=(3,))
        self.assertGreater(len(made["search"]["trials"]), 20)

    def test_assessments(self):
        moons = self.at / "few_moons.csv"
        fixed = (moons, "--method", "svm", "--kernel", "rbf(gamma=2)", "--C", 3)
        self.assert_same_choice(*fixed, "--cv", 5)
        self.assert_same_choice(*fixed, "--holdout", 0.3, ranks=(2,))
        self.assert_same_choice(*fixed, "--test", moons, ranks=(2,))
        self.assert_same_choice(*fixed, "--cv", 3, "--metric", "brier", ranks=(2,))

    def test_report_and_dry_run(self):
        page = self.at / "r.html"
        self.job(2, "fit", self.at / "few_moons.csv", "--method", "svm", TUNE, "--report", page)
        self.assertIn("<html", page.read_text())
        done = spread(2, "fit", self.at / "few_moons.csv", "--method", "svm", "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("candidates", done.stdout)

    def test_no_candidate_can_be_fitted(self):
        bad = self.at / "constant.csv"
        bad.write_text("x,y\n" + "".join(f"{i}e300,{'ab'[i % 2]}\n" for i in range(1, 9)))
        arguments = ("fit", bad, "--method", "svm", "--kernel", "poly(degree=3)", "--grid", "C=1,2")
        done = spread(2, *arguments, "-o", self.at / "none.mercer")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr.count("mercer-mpi: "), 1, done.stderr)
        self.assertFalse((self.at / "none.mercer").exists())


def table_of(model, data, folder):
    mercer("predict", model, data, "-o", folder / "p.csv", "--quiet")
    return (folder / "p.csv").read_text()


class Faults(WithRows):
    def refused(self, done, code, said, model=None):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(said, done.stderr)
        self.assertEqual(done.stderr.count("mercer-mpi: "), 1, done.stderr)
        if model:
            self.assertFalse(model.exists())

    def test_refusals(self):
        out = self.at / "refused.mercer"
        moons = ("fit", self.at / "few_moons.csv", "--method", "svm", "-o", out)
        state = ("--checkpoint", self.at / "no_state")
        self.refused(spread(2, *moons, *state, "--cv", 3), 2, "keep no checkpoint", out)
        self.refused(spread(2, *moons, *state, "--kernel", "linear", "--solver", "primal"), 2, "keeps no solutions so far", out)
        (self.at / "damaged").write_text("nothing")
        self.refused(spread(2, *moons, "--kernel", "rbf(gamma=1)", "--checkpoint", self.at / "damaged"), 3, "this is not a checkpoint", out)
        self.refused(spread(2, *moons, "--petsc", "-ksp_monitor"), 2, "--petsc has no effect", out)
        self.refused(spread(3, "fit", self.at / "nothing.csv", "--method", "svm"), 3, "cannot be opened")
        self.refused(spread(2, "fit", "-", "--method", "svm", stdin=subprocess.DEVNULL), 2, "standard input")
        self.refused(spread(3, *moons, "--C", "inf", "--kernel", "linear"), 3, "not separable", out)
        self.refused(spread(2, *moons, "--nu", "3"), 2, "nu", out)

    def test_an_error_of_a_pair_is_one_of_all(self):
        out = self.at / "pairs.mercer"
        self.refused(spread(3, "fit", self.at / "six.csv", "--method", "svm", "--C", "inf", "--kernel", "linear", "-o", out), 3, "separa", out)

    def test_other_files_and_other_programs(self):
        out, other, program = self.at / "other.mercer", self.at / "others.csv", self.at / "mercer-mpi"
        other.write_text((self.at / "few_moons.csv").read_text() + "0,0,1\n")
        fit = lambda data: ("fit", data, "--method", "svm", "-o", out)
        done = mixed((MPI, *fit(self.at / "few_moons.csv")), (MPI, *fit(other)))
        self.refused(done, 3, "rank 1 of 2", out)
        self.assertIn("another file than rank 0 sees", done.stderr)
        done = mixed((MPI, *fit(other)), (MPI, *fit(self.at / "missing.csv")))
        self.refused(done, 3, "rank 1 of 2", out)
        self.assertIn("cannot be opened", done.stderr)
        shutil.copy(MPI, program)
        with open(program, "ab") as file:
            file.write(b"another build")
        done = mixed((MPI, *fit(other)), (program, *fit(other)))
        self.refused(done, 2, "rank 1 of 2", out)
        self.assertIn("another build of mercer-mpi", done.stderr)

    # A hard problem to a tolerance that SMO does not reach: it takes as long as its steps, 10⁷ and more.
    def slow(self):
        return ("fit", self.at / "moons.csv", "--method", "svm", "--kernel", "rbf(gamma=0.01)", "--C", "1e9", "--tolerance", "1e-11", "--threads", 1)

    def started(self, ranks, model):
        job = subprocess.Popen(launch(ranks, *self.slow(), "-o", model), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        self.assertIsNone(job.poll(), "the fit ended before it could be interrupted")
        return job

    def test_a_killed_rank_ends_the_job(self):
        model = self.at / "killed.mercer"
        job = self.started(3, model)
        os.kill(ranks_of(job)[1], signal.SIGKILL)
        _, said = job.communicate(timeout=60)
        self.assertNotEqual(job.returncode, 0)
        self.assertRegex(said, r"process rank \d")
        self.assertFalse(model.exists())

    def test_a_killed_rank_leaves_a_checkpoint(self):
        model, state = self.at / "kept.mercer", self.at / "kept.state"
        keep = ("--checkpoint", state, "--every", 0)
        job = subprocess.Popen(launch(3, *self.slow(), *keep, "-o", model), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(600):
            if state.exists() or job.poll() is not None:
                break
            time.sleep(0.05)
        self.assertIsNone(job.poll(), "the fit ended before its first checkpoint")
        os.kill(ranks_of(job)[1], signal.SIGKILL)
        job.communicate(timeout=60)
        self.assertNotEqual(job.returncode, 0)
        self.assertFalse(model.exists())
        other = list(self.slow())
        other[other.index("1e9")] = "1e8"
        self.refused(spread(2, *other, *keep, "-o", model), 3, "the checkpoint is that of another fit", model)
        done = spread(2, *self.slow(), *keep, "--time", 1, "-o", model, "--json")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("from the checkpoint of an earlier run", json.loads(done.stdout)["solver"])
        self.assertTrue(state.exists())

    def test_a_checkpoint_of_several_problems(self):
        state, model = self.at / "six.state", self.at / "six.mercer"
        arguments = ("fit", self.at / "six.csv", "--method", "svm", "--kernel", "rbf(gamma=2)", "--C", 3)
        done = spread(2, *arguments, "--checkpoint", state, "--every", 0, "-o", model, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(state.exists())  # it is done with
        mercer(*arguments, "-o", self.at / "one.mercer")
        self.assertEqual(*(table_of(path, self.at / "six.csv", self.at) for path in (model, self.at / "one.mercer")))

    def test_a_signal_ends_the_fit_in_good_order(self):
        model = self.at / "signalled.mercer"
        job = self.started(2, model)
        os.kill(ranks_of(job)[1], signal.SIGTERM)
        _, said = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 130, said)
        self.assertFalse(model.exists())

    def test_an_interrupt_ends_the_job(self):
        model = self.at / "interrupted.mercer"
        job = self.started(2, model)
        job.send_signal(signal.SIGINT)
        job.communicate(timeout=60)
        self.assertNotEqual(job.returncode, 0)
        self.assertFalse(model.exists())

    def test_the_time_is_over_on_all_ranks(self):
        model = self.at / "timed.mercer"
        done = spread(3, *self.slow(), "--time", 1, "-o", model, "--json")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertFalse(json.loads(done.stdout)["converged"])
        self.assertTrue(model.exists())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] if "-v" in sys.argv else sys.argv)
