"""mercer fit with rows on disk (--stream): the same models as with rows in memory, within the memory allowed, and what happens to files and disks that are not what they were."""
import os
import re
import resource
import subprocess
import time
import unittest

import numpy

from mercer_cli import MERCER, MercerTest


class Streaming(MercerTest):
    def rows(self, n=60_000, seed=1):
        """So many that Nyström features are computed again in each pass in memory, too. Numbers in [0, 1], with targets that depend on them: a number, a count, two classes and three."""
        chance = numpy.random.default_rng(seed)
        X = chance.random((n, 6))
        f = numpy.sin(6 * X[:, 0]) + X[:, 1]
        return X, f + 0.1 * chance.standard_normal(n), chance.poisson(numpy.exp(f)), numpy.where(f > 0.5, "yes", "no"), 1 + (f > 0.2) + (f > 0.9)

    def table(self, name, X, y):
        lines = [",".join(f"x{j}" for j in range(X.shape[1])) + ",y"]
        lines += [",".join(map(repr, map(float, x))) + f",{v}" for x, v in zip(X, y)]
        return self.file(name, "\n".join(lines) + "\n")

    def expect_same_model(self, path, *options):
        """Bit for bit: the rows are the same and so is the work."""
        told = []
        for more in ((), ("--stream",)):
            answer = self.json("fit", path, "--approx", "nystrom:200", "-o", f"m{len(more)}.mercer", *options, *more)
            self.assertEqual(answer["streamed"], bool(more))
            told.append((answer["objective"], answer["norm"]))
        self.assertEqual(*told)
        predictions = [self.mercer("predict", model, path) for model in ("m0.mercer", "m1.mercer")]
        self.assertEqual(*predictions)
        return predictions[0]

    def test_ridge_of_a_table_as_in_memory(self):
        X, y, *_ = self.rows()
        self.table("t.csv", X, y)
        for more in ((), ("--scale", "standard"), ("--select", "loo")):
            said = self.expect_same_model("t.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=2)", "--lambda", "1e-6", *more)
        error = numpy.array(said.split(), float) - y
        self.assertLess(numpy.sqrt(numpy.mean(error**2)), 0.2)

    def test_ridge_by_passes(self):
        X, y, *_ = self.rows()
        self.table("t.csv", X, y)
        answer = [self.json("fit", "t.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=2)", "--lambda", "1e-6", "--approx", "nystrom:600", *more)
                  for more in ((), ("--stream",))]
        self.assertIn("passes over the rows", answer[0]["solver"])
        self.assertEqual(answer[0]["objective"], answer[1]["objective"])

    def test_smooth_losses_as_in_memory(self):
        X, _, counts, classes, three = self.rows()
        for method, y, more in (("logistic", classes, ()), ("logistic", three, ("--task", "classes")), ("poisson", counts, ("--task", "real")),
                                ("rerm", classes, ("--loss", "squared_hinge"))):
            self.table("t.csv", X, y)
            self.expect_same_model("t.csv", "--target", "y", "--method", method, "--kernel", "rbf(gamma=2)", "--lambda", "1e-4", *more)

    def test_support_vector_machines_as_in_memory(self):
        X, y, _, classes, three = self.rows()
        for method, target, more in (("svm", classes, ("--C", "1")), ("svr", y, ("--C", "1", "--tube", "0.2")), ("rerm", classes, ("--loss", "hinge", "--lambda", "1e-5")),
                                     ("rerm", y, ("--loss", "pinball", "--lambda", "1e-5"))):
            self.table("t.csv", X, target)
            said = self.expect_same_model("t.csv", "--target", "y", "--method", method, "--kernel", "rbf(gamma=2)", *more)
            if method == "svm":
                self.assertGreater(numpy.mean(numpy.array(said.split()) == classes), 0.97)
            if method == "svr":
                self.assertLess(numpy.sqrt(numpy.mean((numpy.array(said.split(), float) - y) ** 2)), 0.2)
        self.table("t.csv", X, three)  # pairs of classes: of rows on disk all are passed over for each
        fit = "fit", "t.csv", "--target", "y", "--task", "classes", "--method", "svm", "--kernel", "rbf(gamma=2)", "--approx", "nystrom:100"
        # One class against the rest does not find the middle one well: 0.83 over features that are held, too.
        for more, least in (((), 0.92), (("--stream",), 0.92), (("--multiclass", "ovr"), 0.82)):
            answer = self.json(*fit, *more, "-o", "m.mercer")
            self.assertTrue(answer["converged"])
            self.assertLessEqual(answer["violation"], 1e-3)
            self.assertGreater(numpy.mean(numpy.array(self.mercer("predict", "m.mercer", "t.csv").split(), int) == three), least)

    def test_a_machine_over_streamed_features_is_that_over_a_table(self):
        X, _, _, classes, _ = self.rows()
        self.table("t.csv", X, classes)
        fit = "fit", "t.csv", "--target", "y", "--method", "svm", "--kernel", "rbf(gamma=2)", "--approx", "nystrom:60", "--tolerance", "1e-4"
        streamed, held = self.json(*fit, "--C", "0.1"), self.json(*fit, "--C", "0.1", "--solver", "dual")
        self.assertIn("passes over the rows", streamed["solver"])
        self.assertNotIn("passes", held["solver"])
        # Other landmarks: the same risk, nearly.
        self.assertLess(abs(streamed["objective"] / held["objective"] - 1), 0.02)
        self.assertLess(streamed["duality_gap"], 1e-3 * abs(streamed["objective"]))
        self.assertIn("the hard margin needs the features of all rows at hand", self.refused(2, *fit, "--C", "inf"))

    def test_gaussian_process_with_variances(self):
        X, y, *_ = self.rows()
        self.table("t.csv", X, y)
        fit = "--target", "y", "--method", "gp", "--kernel", "rbf(gamma=2)", "--noise", "0.01"
        for optimize in ("none", "evidence"):
            self.expect_same_model("t.csv", *fit, "--optimize", optimize)
            few, far = self.table("few.csv", X[:200], y[:200]), self.table("far.csv", X[:5] + 50, y[:5])
            answer = self.json("fit", "t.csv", *fit, "--optimize", optimize, "--approx", "nystrom:200", "-o", "m.mercer")
            noise = answer["diagnostics"]["noise_variance"]["value"]
            self.assertTrue(noise == 0.01 if optimize == "none" else 0.01 < noise < 0.04)
            near = numpy.array([line.split() for line in self.mercer("predict", "m.mercer", few, "--variance").split("\n") if line][-200:], float)
            self.assertLess(numpy.sqrt(numpy.mean((near[:, 0] - y[:200]) ** 2)), 0.2)
            away = numpy.array([line.split() for line in self.mercer("predict", "m.mercer", far, "--variance").split("\n") if line][-5:], float)
            self.assertGreater(away[:, 1].min(), 5 * near[:, 1].mean())  # that of the process itself

    def test_other_formats(self):
        X, y, _, classes, _ = self.rows()
        self.table("t.csv", X, y)
        self.mercer("convert", "t.csv", "t.svm", "--target", "y")
        self.expect_same_model("t.svm", "--method", "ridge", "--kernel", "rbf(gamma=2)", "--lambda", "1e-6")
        numpy.save(self.folder / "X.npy", X)
        numpy.save(self.folder / "y.npy", y)
        self.expect_same_model("X.npy", "--target", "y.npy", "--method", "ridge", "--kernel", "rbf(gamma=2)", "--lambda", "1e-6")

    def test_linear_kernels_need_no_approximation(self):
        X, y, *_ = self.rows()
        self.table("t.csv", X, y)
        one, two = [self.json("fit", "t.csv", "--target", "y", "--method", "ridge", "--kernel", "linear", *more) for more in ((), ("--stream",))]
        self.assertAlmostEqual(one["objective"], two["objective"], places=9)

    def test_without_an_approximation_one_is_chosen(self):
        X, y, *_ = self.rows()
        self.table("t.csv", X, y)
        answer = self.json("fit", "t.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=2)", "--lambda", "1e-6", "--stream", "--memory", "160MB")
        self.assertTrue(answer["budget"]["chosen"])
        self.assertIn("an exact solution of 60000 rows would take about", answer["budget"]["why"])
        self.assertEqual(answer["held_out"]["rows"], 5000)
        self.assertEqual(answer["rows"], 55_000)
        self.assertLess(answer["held_out"]["low"], answer["held_out"]["value"])

    def test_a_class_that_only_the_last_row_has(self):
        X, _, _, classes, _ = self.rows()
        classes = classes.astype("<U5")
        classes[-3:] = "maybe"
        self.table("t.csv", X, classes)
        answer = self.json("fit", "t.csv", "--target", "y", "--method", "logistic", "--kernel", "rbf(gamma=2)", "--lambda", "1e-3", "--approx", "nystrom:50", "--stream")
        self.assertEqual(answer["classes"], ["maybe", "no", "yes"])

    def wide(self):
        """80 MB of numbers in X.npy, targets in y.npy."""
        chance = numpy.random.default_rng(1)
        X = chance.random((500_000, 20))
        numpy.save(self.folder / "X.npy", X)
        numpy.save(self.folder / "y.npy", numpy.sin(6 * X[:, 0]) + 0.1 * chance.standard_normal(len(X)))
        return "fit", "X.npy", "--target", "y.npy", "--method", "ridge", "--kernel", "rbf(gamma=0.1)"

    def test_chosen_by_itself_above_half_of_the_memory(self):
        fit = *self.wide(), "--approx", "nystrom:10"
        self.assertFalse(self.json(*fit, "--memory", "400MB")["streamed"])
        self.assertTrue(self.json(*fit, "--memory", "300MB")["streamed"])

    def test_the_least_memory_that_is_named_works_and_holds(self):
        fit = *self.wide(), "--approx", "nystrom:300"
        said = self.refused(4, *fit, "--memory", "100MB")
        least = float(re.search(r"nystrom:300 takes ([0-9.]+) MB with the data and the program, but 105 MB are allowed", said)[1])
        for memory in (least, 300, 360, 420):
            answer = self.json(*fit, "--memory", round(memory * 1e6))
            self.assertLess(answer["peak_memory_mb"] * 1024**2, 1.05 * memory * 1e6)
            self.assertLess(answer["budget"]["bytes"], 1.01 * memory * 1e6)
        machine = "fit", "X.npy", "--target", "y.npy", "--method", "svr", "--tube", "0.3", "--kernel", "rbf(gamma=0.1)", "--approx", "nystrom:50"
        least = float(re.search(r"nystrom:50 takes ([0-9.]+) MB with the data and the program", self.refused(4, *machine, "--memory", "100MB"))[1])
        for more in ((), ("--stream",)):
            answer = self.json(*machine, "--memory", round(least * 1e6), *more)
            self.assertLess(answer["peak_memory_mb"] * 1024**2, 1.05 * least * 1e6)

    def test_a_search_on_a_sample(self):
        """The hyperparameters are selected on some of the rows, the model is fitted on all of them: as in memory."""
        X, y, *_ = self.rows(130_000)
        self.table("t.csv", X, y)
        fit = "fit", "t.csv", "--target", "y", "--method", "ridge", "--tune", "--approx", "nystrom:100"
        held, streamed = self.json(*fit), self.json(*fit, "--stream")
        self.assertEqual((held["streamed"], streamed["streamed"]), (False, True))
        for key in ("kernel", "parameters", "score", "scored_on", "objective", "rows"):
            self.assertEqual(held[key], streamed[key])
        self.assertEqual((streamed["scored_on"], streamed["rows"]), ("20000 rows held out", 110_000))

    def test_nothing_is_left_behind(self):
        X, y, *_ = self.rows()
        self.table("t.csv", X, y)
        self.mercer("fit", "t.csv", "--target", "y", "--method", "ridge", "--approx", "nystrom:20", "--stream", "-o", "m.mercer")
        self.assertEqual(self.files(), ["m.mercer", "t.csv"])

    def test_methods_that_need_their_rows_at_hand(self):
        X, y, _, classes, _ = self.rows()
        self.table("t.csv", X, classes)
        for options, words in ((("--method", "nu_svm"), "nu_svm needs its rows at hand"), ((), "a search may select a method that needs its rows at hand"),
                               (("--kernel", "linear"), "svm needs all rows at hand"), (("--method", "svm", "--solver", "dual", "--approx", "nystrom:20"), "svm needs all rows at hand"),
                               (("--method", "logistic", "--cv", "3"), "cross-validation fits several models"),
                               (("--method", "logistic", "--grid", "lambda=1,2"), "--grid compares fits of all rows"), (("--method", "logistic", "--report", "r.html"), "--report draws the rows"),
                               (("--method", "logistic", "--approx", "fourier:100"), "--approx fourier:100 needs its rows at hand"),
                               (("--method", "logistic", "--repair", "clip"), "--repair needs the kernel matrix"),
                               (("--method", "rerm", "--loss", "logistic", "--omega", "norm", "--approx", "nystrom:20"), "take Nyström features"),
                               (("--method", "logistic", "--approx", "none"), "--approx none needs its rows at hand")):
            said = self.refused(2, "fit", "t.csv", "--target", "y", "--stream", "-o", "m.mercer", *options)
            self.assertIn(words, said)
        self.assertEqual(self.files(), ["t.csv"])
        self.assertIn("LIBSVM or .npy file, not of this one", self.refused(2, "fit", "-", "--target", "y", "--method", "logistic", "--stream", stdin="x,y\n1,a\n2,b\n"))

    def test_bad_files(self):
        X, y, *_ = self.rows()
        fit = ("--target", "y", "--method", "ridge", "--approx", "nystrom:20", "--stream", "-o", "m.mercer")
        self.file("empty.csv", "")
        self.assertIn("empty.csv:1:1: the file is empty", self.refused(3, "fit", "empty.csv", *fit))
        self.file("one.csv", "x,y\n1,2\n")
        self.assertEqual(self.json("fit", "one.csv", *fit)["rows"], 1)
        (self.folder / "m.mercer").unlink()
        self.table("t.csv", X, y)
        with open(self.folder / "t.csv", "a") as table:
            table.write("0.1,0.2,0.3,0.4,0.5\n")  # a cell is missing
        self.assertIn("t.csv:60002:", self.refused(3, "fit", "t.csv", *fit))
        numpy.save(self.folder / "X.npy", X)
        with open(self.folder / "X.npy", "r+b") as array:
            array.truncate(1000)
        self.assertIn("X.npy: the file is cut short", self.refused(3, "fit", "X.npy", "--target", "none", *fit[2:]))
        self.assertNotIn("m.mercer", self.files())

    def test_a_disk_that_is_full(self):
        X, y, *_ = self.rows()
        self.table("t.csv", X, y)
        little = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        result = subprocess.run([MERCER, "fit", "t.csv", "--target", "y", "--method", "ridge", "--approx", "nystrom:20", "--stream", "-o", "m.mercer"],
                                cwd=self.folder, capture_output=True, text=True, preexec_fn=little)
        self.assertEqual(result.returncode, 3)
        self.assertIn("a temporary file of 0.00288 GB for the rows cannot be made: File too large", result.stderr)
        self.assertEqual(self.files(), ["t.csv"])

    def test_a_small_file_system_that_fills(self):
        """The rows do not fit it, or the rows are gone again and the model does not."""
        X, y, *_ = self.rows()
        self.table("t.csv", X, y)
        small = self.folder / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", small], capture_output=True).returncode:
            self.skipTest("a file system cannot be mounted here")
        try:
            fit = "fit", "t.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=2)", "--lambda", "1e-6", "-o", "small/m.mercer"
            self.assertIn("a temporary file of 0.00288 GB for the rows cannot be made: No space left on device", self.refused(3, *fit, "--approx", "nystrom:20", "--stream"))
            self.assertEqual(list(small.iterdir()), [])
            self.assertIn("No space left on device", self.refused(3, *fit, "--approx", "nystrom:400"))
            self.assertEqual(list(small.iterdir()), [])
        finally:
            subprocess.run(["umount", small], check=True)

    def change_while_read(self, change):
        """What a fit says of a file that changes once it is mapped."""
        X, y, *_ = self.rows(200_000)
        path = self.folder / self.table("t.csv", X, y)
        fit = subprocess.Popen([MERCER, "fit", "t.csv", "--target", "y", "--method", "ridge", "--approx", "nystrom:20", "--stream", "-o", "m.mercer", "--threads", "1"],
                               cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while fit.poll() is None:
            try:
                with open(f"/proc/{fit.pid}/maps") as maps:
                    if str(path) in maps.read():
                        break
            except OSError:
                pass
        change(path)
        said, error = fit.communicate()
        self.assertEqual(fit.returncode, 3, said + error)
        self.assertEqual(self.files(), ["t.csv"])
        return error

    def test_a_file_that_is_cut_while_it_is_read(self):
        said = self.change_while_read(lambda path: os.truncate(path, 4096))
        self.assertIn("t.csv: the file ", said)
        self.assertIn("while it was being read; read it again when it is complete", said)

    def test_a_file_that_grows_while_it_is_read(self):
        def grow(path):
            with open(path, "a") as table:
                table.write("1,1,1,1,1,1,1\n")
        self.assertIn("t.csv: the file changed while it was being read", self.change_while_read(grow))


class Budgets(MercerTest):
    def fit(self, *more):
        self.mercer("generate", "friedman1", "-n", 60_000, "-o", "f.csv", "--quiet")
        return "fit", "f.csv", "--target", "y", "--method", "ridge", "--kernel", "rbf(gamma=0.3)", "--lambda", "1e-6", *more

    def test_the_plan_is_said_before_the_work(self):
        fit = self.fit("--approx", "nystrom:600")
        result = self.run_mercer(*fit)
        self.assertRegex(result.stderr, r"^mercer: plan: nystrom:600, about \d+ passes of \S+ s \(\S+ (s|minutes) in all\), \S+ GB\n$")
        self.assertEqual(self.run_mercer(*fit, "--quiet").stderr, "")
        self.assertIn("plan        nystrom:600, about", self.mercer(*fit, "--explain-plan"))
        answer = self.json(*fit)
        self.assertEqual(answer["budget"]["approx"], "nystrom:600")
        self.assertFalse(answer["budget"]["chosen"])
        self.assertNotIn("held_out", answer)

    def test_time_chooses_the_rank(self):
        """What a hundredth of a second allows is not much; what is given up is said, with an error from rows held out."""
        for approx in ((), ("--approx", "nystrom")):
            result = self.run_mercer(*self.fit("--time", "0.01", *approx), "-o", "m.mercer")
            self.assertIn(result.returncode, (0, 4), result.stderr)
            self.assertIn("mercer: plan: nystrom:64, ", result.stderr)
            if result.returncode == 0:
                self.assertIn("given up    exactness: ", result.stdout)
                self.assertIn("on 5000 rows that took no part in the fit", result.stdout)

    def test_held_out_rows_are_held_out(self):
        """The error agrees with that of other rows."""
        fit = self.fit("--approx", "nystrom", "--memory", "200MB")
        answer = self.json(*fit, "-o", "m.mercer")
        self.mercer("generate", "friedman1", "-n", 20_000, "--seed", 2, "-o", "other.csv", "--quiet")
        other = self.json("evaluate", "m.mercer", "other.csv")
        self.assertAlmostEqual(answer["held_out"]["value"], other["rmse"], delta=0.1)
        self.assertEqual(answer["rows"], 55_000)


if __name__ == "__main__":
    unittest.main()
