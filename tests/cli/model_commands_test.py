#!/usr/bin/env python3
"""fit, predict, evaluate, inspect and methods, from tables to answers."""
import json
import random
import unittest

import numpy

from mercer_cli import MercerTest


class ModelCommands(MercerTest):
    def animals(self, name="animals.csv", n=90, seed=1, target=True):
        """Three species with labels that need quotes, a categorical column and two numbers."""
        generator = random.Random(seed)
        species = [("cat, tabby", "indoors", 4, 30), ("dog \"big\"", "garden", 30, 60), ("hamster", "cage", 0.1, 8)]
        lines = ["home,weight,size" + (",species" if target else "")]
        for i in range(n):
            label, home, weight, size = species[i % 3]
            home = home if generator.random() < 0.8 else generator.choice(["indoors", "garden", "cage"])
            row = f"{home},{weight * generator.uniform(0.7, 1.3):.4f},{size * generator.uniform(0.7, 1.3):.3f}"
            quoted = label.replace('"', '""')
            lines.append(row + (f',"{quoted}"' if target else ""))
        return self.file(name, "\n".join(lines) + "\n")

    def sine(self, name="sine.csv", n=80):
        generator = random.Random(3)
        rows = []
        for _ in range(n):
            x = generator.uniform(-3, 3)
            rows.append(f"{x:.5f},{numpy.sin(x) + generator.gauss(0, 0.05):.5f}")
        return self.file(name, "x,height\n" + "\n".join(rows) + "\n")

    def fit_moons(self, *options):
        self.moons()
        return self.json("fit", "moons.csv", "-o", "m.mercer", *options)

    # --- fit
    def test_fit_reports(self):
        report = self.fit_moons("--kernel", "rbf(gamma=1)", "--C", 5)
        self.assertEqual(set(report), {
            "method", "parameters", "kernel", "rows", "columns", "converged", "cut_short", "objective", "kkt_violation",
            "duality_gap", "iterations", "kernel_evaluations", "support_vectors", "bounded_support_vectors", "classes",
            "seconds", "peak_memory_mb", "streamed", "budget", "noise_scale", "warnings", "notes", "certificate", "violation", "tolerance", "solver", "plan", "norm", "loss", "degrees_of_freedom", "diagnostics",
        })
        self.assertEqual(report["method"], "svm")
        self.assertEqual(report["parameters"]["C"], 5)
        self.assertEqual(report["kernel"], "rbf(gamma=1)")
        self.assertEqual((report["rows"], report["columns"]), (100, 2))
        self.assertIs(report["converged"], True)
        self.assertLess(report["objective"], 0)
        self.assertLessEqual(report["kkt_violation"], 1e-3)
        self.assertGreaterEqual(report["duality_gap"], 0)
        self.assertGreater(report["iterations"], 0)
        self.assertGreater(report["support_vectors"], report["bounded_support_vectors"])
        self.assertEqual(report["classes"], ["0", "1"])
        self.assertEqual(set(report["seconds"]), {"read", "fit", "total"})
        self.assertGreaterEqual(report["seconds"]["total"], report["seconds"]["fit"])
        self.assertGreater(report["peak_memory_mb"], 1)
        self.assertEqual(report["warnings"], [])
        text = self.mercer("fit", "moons.csv", "--kernel", "rbf(gamma=1)", "--C", 5)
        self.assertIn("converged", text)
        self.assertIn(f"{report['support_vectors']} support vectors of 100 rows", text)

    def test_the_method_follows_the_target(self):
        self.sine()
        self.assertEqual(self.json("fit", "sine.csv", "--target", "height", "--kernel", "rbf(gamma=1)")["method"], "svr")
        self.assertEqual(self.json("fit", "sine.csv", "--target", "none")["method"], "one_class")
        self.assertEqual(self.fit_moons()["method"], "svm")

    def test_parameters_become_flags(self):
        self.animals()
        report = self.json("fit", "animals.csv", "--target", "species", "--C", "inf", "--kernel", "poly(degree=3)", "--scale", "standard")
        self.assertEqual(report["parameters"]["C"], "Infinity")
        report = self.json("fit", "animals.csv", "--target", "species", "--multiclass", "ovr", "--lambda", "0.01", "--C-convention", "mean")
        self.assertEqual(report["parameters"], {"C": 1, "lambda": 0.01, "C_convention": "mean", "multiclass": "ovr"})
        self.assertEqual(self.json("fit", "animals.csv", "--target", "species", "--method", "nu_svm", "--nu", 0.2)["parameters"], {"nu": 0.2})

    def test_class_weights_move_the_border(self):
        self.mercer("generate", "moons", "-n", 200, "--noise", 0.6, "-o", "noisy.csv", "--quiet")
        found = {}
        for weight in ("1", "20"):
            self.json("fit", "noisy.csv", "--class-weight", f"1={weight}", "--kernel", "linear", "-o", "w.mercer")
            answers = self.mercer("predict", "w.mercer", "noisy.csv").split()
            found[weight] = answers.count("1")
        self.assertGreater(found["20"], found["1"])
        self.json("fit", "noisy.csv", "--class-weight", "balanced")
        self.assertIn("'7'", self.refused(2, "fit", "noisy.csv", "--class-weight", "7=2"))
        self.assertIn("LABEL=WEIGHT", self.refused(2, "fit", "noisy.csv", "--class-weight", "1"))
        self.assertIn("not a number", self.refused(2, "fit", "noisy.csv", "--class-weight", "1=heavy"))
        self.sine()
        self.assertIn("need classes", self.refused(2, "fit", "sine.csv", "--target", "height", "--class-weight", "balanced"))

    def test_labels_with_equals_signs_have_weights(self):
        self.file("d.csv", "x,label\n" + "".join(f"{i},{'a=b' if i < 5 else 'c'}\n" for i in range(10)))
        self.assertEqual(self.json("fit", "d.csv", "--class-weight", "a=b=2")["classes"], ["a=b", "c"])

    def test_wrong_usage(self):
        self.moons()
        before = self.files()
        for said, *options in [
            ("did you mean 'svm'", "--method", "svmm"),
            ("rbff", "--kernel", "rbff(gamma=1)"),
            ("C must be > 0", "--C", "0"),
            ("C must be > 0", "--C", "-1"),
            ("C must be > 0", "--C", "nan"),
            ("is not a number", "--C", "much"),
            ("svm has no parameter 'nu'", "--nu", "0.5"),
            ("nu must be", "--method", "nu_svm", "--nu", "1.5"),
            ("cannot be 'both'", "--multiclass", "both"),
            ("not proved positive semidefinite", "--kernel", "sigmoid(scale=1)"),
            ("tolerance must be > 0", "--tolerance", "0"),
            ("--time", "--time", "0"),
            ("--on-interrupt", "--on-interrupt", "maybe"),
            ("unknown scaling 'log'", "--scale", "log"),
            ("--gamma", "--gamma", "1"),
        ]:
            self.assertIn(said, self.refused(2, "fit", "moons.csv", "-o", "m.mercer", *options))
        self.assertIn("DATA", self.refused(2, "fit"))
        self.assertEqual(before, self.files())

    def test_bad_data(self):
        self.moons()
        self.sine()
        before = self.files()
        self.assertIn("none.csv", self.refused(3, "fit", "none.csv", "-o", "m.mercer"))
        self.assertIn("needs classes", self.refused(3, "fit", "sine.csv", "--target", "height", "--task", "real", "--method", "svm"))
        self.assertIn("needs a target", self.refused(3, "fit", "sine.csv", "--target", "none", "--method", "svr"))
        self.assertIn("not separable", self.refused(3, "fit", "moons.csv", "--C", "inf", "--kernel", "linear", "-o", "m.mercer"))
        self.assertIn("cannot be created", self.refused(3, "fit", "moons.csv", "-o", "no/where.mercer"))
        self.assertIn("two rows", self.refused(4, "fit", "moons.csv", "--memory", "1B", "-o", "m.mercer"))
        self.assertEqual(before, self.files())
        self.file("one.csv", "x,y\n1,a\n2,a\n")
        self.assertIn("target 'y' is 'a' in every row", self.refused(3, "fit", "one.csv"))

    def test_an_indefinite_kernel_is_taken_when_allowed(self):
        self.moons()
        report = self.json("fit", "moons.csv", "--kernel", "sigmoid(scale=0.1)", "--allow-indefinite")
        self.assertIn("local", report["warnings"][-1])

    def test_time_runs_out_with_a_model(self):
        self.moons(2000)
        report = self.json("fit", "moons.csv", "--C", 1, "-o", "m.mercer", "--time", "1e-9", expect=4)
        self.assertIs(report["cut_short"], True)
        self.assertIs(report["converged"], False)
        self.assertEqual(len(self.mercer("predict", "m.mercer", "moons.csv").splitlines()), 2000)

    def test_goes_on_from_a_saved_model(self):
        self.moons(500)
        settings = ("--kernel", "rbf(gamma=2)", "--C", 30, "--scale", "standard")
        whole = self.json("fit", "moons.csv", *settings, "-o", "whole.mercer")
        self.json("fit", "moons.csv", *settings, "--time", "1e-9", "-o", "cut.mercer", expect=4)
        resumed = self.json("fit", "moons.csv", "--resume", "cut.mercer", "-o", "cut.mercer")
        for key in ("kernel", "parameters", "converged", "classes"):
            self.assertEqual(resumed[key], whole[key])
        self.assertAlmostEqual(resumed["objective"], whole["objective"], delta=1e-4 * abs(whole["objective"]))
        again = self.json("fit", "moons.csv", "--resume", "cut.mercer")
        self.assertEqual(again["iterations"], 0)
        self.assertAlmostEqual(again["objective"], resumed["objective"], delta=1e-10)
        other = self.json("fit", "moons.csv", "--resume", "cut.mercer", "--C", 60)
        self.assertEqual(other["parameters"]["C"], 60)
        self.assertIn("fitted by svm, not by one_class", self.refused(2, "fit", "moons.csv", "--resume", "cut.mercer", "--method", "one_class"))

    def test_the_same_bytes_for_any_number_of_threads(self):
        self.moons(500)
        answers = set()
        for threads in (1, 2, 4):
            self.json("fit", "moons.csv", "-o", "m.mercer", "--threads", threads)
            answers.add(self.mercer("predict", "m.mercer", "moons.csv", "--score", "--threads", threads))
        self.assertEqual(len(answers), 1)

    # --- predict and evaluate
    def test_moons_are_learned(self):
        self.fit_moons()
        result = self.json("evaluate", "m.mercer", "moons.csv")
        self.assertEqual(set(result), {"n", "accuracy", "balanced_accuracy", "f1_macro", "f1_micro", "auc", "intervals", "baseline", "classes", "confusion"})
        self.assertEqual(result["n"], 100)
        self.assertGreater(result["accuracy"], 0.9)
        self.assertGreater(result["auc"], 0.95)
        self.assertEqual(sum(map(sum, result["confusion"])), 100)
        self.assertAlmostEqual(result["accuracy"], (result["confusion"][0][0] + result["confusion"][1][1]) / 100)
        text = self.mercer("evaluate", "m.mercer", "moons.csv")
        self.assertIn("accuracy", text)
        self.assertIn("auc", text)
        truth = numpy.loadtxt(self.folder / "moons.csv", delimiter=",", skiprows=1)[:, 2]
        answers = numpy.array(self.mercer("predict", "m.mercer", "moons.csv").split(), dtype=float)
        self.assertAlmostEqual((answers == truth).mean(), result["accuracy"])
        scores = numpy.array(self.mercer("predict", "m.mercer", "moons.csv", "--score").split(), dtype=float)
        numpy.testing.assert_array_equal(scores > 0, answers == 1)

    def test_a_score_per_class_has_an_auc_too(self):
        self.fit_moons()
        self.mercer("fit", "moons.csv", "--method", "knn", "-o", "k.mercer")
        result = self.json("evaluate", "k.mercer", "moons.csv")
        self.assertGreater(result["auc"], 0.95)
        self.assertLess(result["log_loss"], 0.2)

    def test_words_and_categories(self):
        self.animals()
        self.json("fit", "animals.csv", "--target", "species", "-o", "m.mercer", "--scale", "standard")
        self.animals("new.csv", seed=2)
        result = self.json("evaluate", "m.mercer", "new.csv")
        self.assertEqual(result["classes"], ["cat, tabby", 'dog "big"', "hamster"])
        self.assertGreater(result["accuracy"], 0.9)
        self.assertGreater(result["auc"], 0.9)
        self.assertEqual(len(result["confusion"]), 3)
        with_answers = self.mercer("predict", "m.mercer", "new.csv")
        self.animals("blind.csv", seed=2, target=False)
        self.assertEqual(self.mercer("predict", "m.mercer", "blind.csv"), with_answers)
        self.assertEqual(set(with_answers.splitlines()), {"cat, tabby", 'dog "big"', "hamster"})
        lines = (self.folder / "blind.csv").read_text().splitlines()
        turned = "\n".join(",".join(line.split(",")[::-1]) for line in lines) + "\n"  # columns in another order
        self.assertEqual(self.mercer("predict", "m.mercer", self.file("turned.csv", turned)), with_answers)

    def test_tables_that_do_not_fit_the_model(self):
        self.animals()
        self.json("fit", "animals.csv", "--target", "species", "-o", "m.mercer")
        before = self.files()
        for text, said in [("home,weight\ncage,1\n", "size"), ("home,weight,length\ncage,1,2\n", "size"),
                           ("home,weight,size\ncage,heavy,2\n", "heavy"), ("home,weight,size\ncage,,2\n", "missing value")]:
            for command in (("predict", "m.mercer", "-"), ("predict", "m.mercer", "-", "-o", "out.txt")):
                self.assertIn(said, self.refused(3, *command, "--format", "csv", "--missing", "refuse", stdin=text))
        self.file("more.csv", "home,weight,size,species\ncage,1,2,whale\n")
        self.assertIn("'whale'", self.refused(3, "evaluate", "m.mercer", "more.csv"))
        self.animals("blind.csv", target=False)
        self.assertIn("species", self.refused(3, "evaluate", "m.mercer", "blind.csv"))
        self.assertEqual(sorted([*before, "more.csv", "blind.csv"]), self.files())

    def test_missing_values_take_the_mean_of_the_training_rows(self):
        self.animals()
        self.json("fit", "animals.csv", "--target", "species", "-o", "m.mercer")
        lines = (self.folder / "animals.csv").read_text().splitlines()[1:]
        mean = sum(float(line.split(",")[1]) for line in lines) / len(lines)
        self.file("gap.csv", "home,weight,size\ncage,,9\ncage,1,9\n")
        self.file("full.csv", f"home,weight,size\ncage,{mean!r},9\ncage,1,9\n")
        gap = self.mercer("predict", "m.mercer", "gap.csv", "--missing", "mean", "--score")
        full = self.mercer("predict", "m.mercer", "full.csv", "--score")
        numpy.testing.assert_allclose([float(x) for x in gap.split()], [float(x) for x in full.split()], rtol=1e-9)

    def test_scaling_is_the_models_own(self):
        self.animals()
        self.json("fit", "animals.csv", "--target", "species", "--scale", "standard", "-o", "m.mercer")
        whole = self.mercer("predict", "m.mercer", "animals.csv", "--score").splitlines()
        lines = (self.folder / "animals.csv").read_text().splitlines()
        self.file("some.csv", "\n".join([lines[0], lines[1], lines[7]]) + "\n")
        some = self.mercer("predict", "m.mercer", "some.csv", "--score").splitlines()
        numpy.testing.assert_allclose([list(map(float, line.split())) for line in some],
                                      [list(map(float, whole[i].split())) for i in (0, 6)], rtol=1e-9)
        self.assertIn("--scale", self.refused(2, "predict", "m.mercer", "some.csv", "--scale", "standard"))
        self.assertIn("--scale", self.refused(2, "evaluate", "m.mercer", "some.csv", "--scale", "minmax"))

    def test_numbers_are_evaluated(self):
        self.sine()
        for method in ("svr", "nu_svr"):
            self.json("fit", "sine.csv", "--target", "height", "--method", method, "--C", 10, "--kernel", "rbf(gamma=1)", "-o", "r.mercer")
            result = self.json("evaluate", "r.mercer", "sine.csv")
            self.assertEqual(set(result), {"n", "rmse", "mae", "r2", "pinball", "intervals", "baseline"})
            self.assertEqual(result["n"], 80)
            self.assertLess(result["rmse"], 0.12)
            self.assertGreater(result["r2"], 0.95)
            truth = numpy.loadtxt(self.folder / "sine.csv", delimiter=",", skiprows=1)[:, 1]
            answers = numpy.array(self.mercer("predict", "r.mercer", "sine.csv").split(), dtype=float)
            self.assertAlmostEqual(float(numpy.sqrt(((answers - truth) ** 2).mean())), result["rmse"], places=12)
            self.assertAlmostEqual(float(abs(answers - truth).mean()), result["mae"], places=12)
        self.file("wide.csv", "x,height,width\n1,2,3\n4,5,6\n")
        self.assertIn("predicts 1 number per row, but the target has 2 columns", self.refused(3, "evaluate", "r.mercer", "wide.csv", "--target", "height,width"))

    def test_metrics_have_intervals_and_a_baseline(self):
        self.fit_moons("--proba")
        result = self.json("evaluate", "m.mercer", "moons.csv")
        names = ["accuracy", "balanced_accuracy", "f1_macro", "f1_micro", "auc", "log_loss", "brier", "calibration_error"]
        self.assertEqual(list(result["intervals"]), names)
        self.assertEqual(list(result["baseline"]), names)
        for name in names[:7]:
            low, high = result["intervals"][name]
            self.assertTrue(low <= result[name] <= high, name)
        self.assertEqual(result["baseline"]["accuracy"], 0.5)  # 50 rows of each class
        self.assertEqual(result["baseline"]["auc"], 0.5)
        self.assertAlmostEqual(result["baseline"]["log_loss"], float(numpy.log(2)))
        truth = numpy.loadtxt(self.folder / "moons.csv", delimiter=",", skiprows=1)[:, 2].astype(int)
        p = numpy.array(self.mercer("predict", "m.mercer", "moons.csv", "--proba").split(), dtype=float).reshape(-1, 2)
        self.assertAlmostEqual(float(((p[:, 1] - truth) ** 2).mean()), result["brier"], places=12)
        text = self.mercer("evaluate", "m.mercer", "moons.csv")
        self.assertIn("95 % interval", text)
        self.assertIn("baseline: always '0'", text)
        self.assertNotIn("f1_micro", text)
        for threads in (1, 3):
            self.assertEqual(self.json("evaluate", "m.mercer", "moons.csv", "--threads", threads), result)

    def test_metrics_are_chosen(self):
        self.fit_moons()
        result = self.json("evaluate", "m.mercer", "moons.csv", "--metric", "f1_micro", "--metric", "auc")
        self.assertEqual(list(result), ["n", "f1_micro", "auc", "intervals", "baseline"])
        lines = self.mercer("evaluate", "m.mercer", "moons.csv", "--metric", "f1_micro").splitlines()
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[1].startswith("f1_micro  "))
        self.assertEqual(self.mercer("evaluate", "--metric", "f1_micro", "m.mercer", "moons.csv").splitlines(), lines)
        self.assertIn("did you mean 'accuracy'?", self.refused(2, "evaluate", "m.mercer", "moons.csv", "--metric", "acuracy"))
        self.assertIn("fit the model with --proba", self.refused(2, "evaluate", "m.mercer", "moons.csv", "--metric", "brier"))
        self.assertIn("rmse compares numbers", self.refused(2, "evaluate", "m.mercer", "moons.csv", "--metric", "rmse"))
        self.assertIn("between 0 and 1", self.refused(2, "evaluate", "m.mercer", "moons.csv", "--metric", "pinball:2"))
        self.sine()
        self.json("fit", "sine.csv", "--target", "none", "--kernel", "rbf(gamma=1)", "-o", "n.mercer")
        self.assertIn("one_class predicts neither", self.refused(2, "evaluate", "n.mercer", "sine.csv", "--metric", "rmse"))

    def test_a_quantile_is_judged_by_its_own_loss(self):
        self.sine()
        self.json("fit", "sine.csv", "--target", "height", "--method", "quantile", "--tau", 0.9, "-o", "q.mercer")
        result = self.json("evaluate", "q.mercer", "sine.csv")
        truth = numpy.loadtxt(self.folder / "sine.csv", delimiter=",", skiprows=1)[:, 1]
        error = truth - numpy.array(self.mercer("predict", "q.mercer", "sine.csv").split(), dtype=float)
        self.assertAlmostEqual(float(numpy.maximum(0.9 * error, -0.1 * error).mean()), result["pinball:0.9"], places=12)
        self.assertIn("pinball:0.9", self.mercer("evaluate", "q.mercer", "sine.csv"))

    def test_novelty_is_evaluated(self):
        self.sine()
        self.json("fit", "sine.csv", "--target", "none", "--nu", 0.1, "--kernel", "rbf(gamma=1)", "-o", "n.mercer")
        result = self.json("evaluate", "n.mercer", "sine.csv")
        self.assertEqual(set(result), {"n", "inside"})
        self.assertGreater(result["inside"], 0.8)
        self.file("far.csv", "x,height\n50,50\n")
        self.assertEqual(self.mercer("predict", "n.mercer", "far.csv"), "-1\n")

    def test_predictions_go_to_a_file_whole_or_not_at_all(self):
        self.fit_moons()
        answer = self.json("predict", "m.mercer", "moons.csv", "-o", "out.txt")
        self.assertEqual(answer, {"file": "out.txt", "n": 100, "left_out": []})
        self.assertEqual((self.folder / "out.txt").read_text(), self.mercer("predict", "m.mercer", "moons.csv"))
        self.assertIn("cannot be created", self.refused(3, "predict", "m.mercer", "moons.csv", "-o", "no/out.txt"))
        self.refused(3, "predict", "m.mercer", "moons.csv", "-o", "/dev/full")

    def test_libsvm_models_and_data(self):
        self.mercer("generate", "moons", "-n", 80, "-o", "moons.svm", "--quiet")
        self.json("fit", "moons.svm", "-o", "m.model", "--kernel", "rbf(gamma=0.5)")
        self.assertTrue((self.folder / "m.model").read_text().startswith("svm_type c_svc\nkernel_type rbf\ngamma 0.5\n"))
        self.json("fit", "moons.svm", "-o", "m.mercer", "--kernel", "rbf(gamma=0.5)")
        self.assertEqual(self.mercer("predict", "m.model", "moons.svm"), self.mercer("predict", "m.mercer", "moons.svm"))
        self.assertEqual(self.json("evaluate", "m.model", "moons.svm"), self.json("evaluate", "m.mercer", "moons.svm"))
        self.assertIn("cannot hold", self.refused(2, "fit", "moons.svm", "-o", "x.model", "--kernel", "2*linear"))
        self.assertNotIn("x.model", self.files())

    def test_broken_models(self):
        self.fit_moons()
        whole = (self.folder / "m.mercer").read_bytes()
        (self.folder / "cut.mercer").write_bytes(whole[:-9])
        self.file("text.mercer", "hello")
        for command in ("predict", "evaluate"):
            for name in ("cut.mercer", "text.mercer", "none.mercer"):
                self.assertIn(name, self.refused(3, command, name, "moons.csv"))
        for name in ("cut.mercer", "text.mercer", "none.mercer"):
            self.assertIn(name, self.refused(3, "inspect", name))

    # --- inspect and methods
    def test_inspect(self):
        report = self.fit_moons("--C", "2", "--kernel", "rbf(gamma=1)")
        shown = self.json("inspect", "m.mercer")
        for key in ("method", "parameters", "kernel", "classes", "columns", "rows", "converged", "objective", "kkt_violation", "duality_gap", "warnings"):
            self.assertEqual(shown[key], report[key], key)
        self.assertEqual(shown["points"], report["support_vectors"])
        text = self.mercer("inspect", "m.mercer")
        for word in ("svm", "C = 2", "rbf(gamma=1)", "0, 1", "converged"):
            self.assertIn(word, text)

    def test_inspect_shows_the_weights_of_linear_models(self):
        self.file("line.csv", "width,height,y\n" + "".join(f"{i % 5},{i % 7},{2 * (i % 5) - 3 * (i % 7) + 10}\n" for i in range(35)))
        self.mercer("fit", "line.csv", "--target", "y", "--method", "svr", "--C", "1000", "--tube", "0.0001", "--kernel", "linear", "--scale", "standard", "-o", "m.mercer")
        functions = self.json("inspect", "m.mercer")["linear"]
        self.assertEqual(len(functions), 1)
        for found, expected in zip([*functions[0]["weights"], functions[0]["intercept"]], [2, -3, 10]):
            self.assertAlmostEqual(found, expected, places=2)
        self.assertRegex(self.mercer("inspect", "m.mercer"), r"weights +y = [\d.]+·width \+ -[\d.]+·height \+ [\d.]+\n")
        self.fit_moons("--kernel", "rbf(gamma=1)")
        self.assertNotIn("linear", self.json("inspect", "m.mercer"))

    def test_nu_svr_tells_its_epsilon(self):
        self.file("line.csv", "x,y\n" + "".join(f"{i},{(i * 7) % 11}\n" for i in range(40)))
        text = self.mercer("fit", "line.csv", "--target", "y", "--method", "nu_svr", "--kernel", "rbf(gamma=0.1)", "-o", "m.mercer")
        self.assertRegex(text, r"epsilon \d")
        self.assertGreater(self.json("inspect", "m.mercer")["diagnostics"]["epsilon"]["value"], 0)

    def test_methods(self):
        listed = self.json("methods")
        self.assertEqual([m["name"] for m in listed][:4], ["svm", "nu_svm", "svr", "nu_svr"])
        for method in listed:
            self.assertTrue(method["formula"] and method["summary"])
            for parameter in method["parameters"]:
                self.assertTrue(parameter["range"] and parameter["meaning"] and parameter["default"])
        text = " ".join(self.mercer("methods").split())
        help_text = self.mercer("fit", "--help")
        for method in listed:
            self.assertIn(" ".join(method["formula"].split()), text)
            for parameter in method["parameters"]:
                self.assertIn(parameter["flag"], help_text)
        self.assertIn("--tube of 'mercer fit'", " ".join(self.mercer("methods", "svr").split()))
        for old in ("--eps ", "--epsilon"):
            self.assertNotIn(old, help_text + self.mercer("man").replace("\\-", "-") + self.mercer("completion", "bash"))

    def test_flags_with_other_names_now(self):
        self.file("line.csv", "x,y\n" + "".join(f"{i},{(i * 7) % 11}\n" for i in range(40)))
        fit = ("fit", "line.csv", "--target", "y", "--method", "svr", "--kernel", "rbf(gamma=0.1)")
        now = self.run_mercer(*fit, "--tube", 0.5, "--tolerance", 1e-6, "--json")
        self.assertEqual(now.stderr, "")
        expected = json.loads(now.stdout)
        self.assertEqual((expected["parameters"]["epsilon"], expected["tolerance"], expected["warnings"]), (0.5, 1e-6, []))
        before = self.run_mercer(*fit, "--epsilon", 0.5, "--eps", 1e-6, "--json")
        self.assertEqual(before.returncode, 0)
        said = ["--epsilon is deprecated; use --tube", "--eps is deprecated; use --tolerance"]
        self.assertEqual(sorted(before.stderr.splitlines()), sorted("mercer: warning: " + line for line in said))
        answer = json.loads(before.stdout)
        self.assertEqual(sorted(answer["warnings"]), sorted(said))
        self.assertEqual((answer["parameters"], answer["tolerance"], answer["objective"]), (expected["parameters"], 1e-6, expected["objective"]))
        self.assertIn("--eps is deprecated", self.run_mercer(*fit, "--eps", 1e-6).stderr)
        self.assertEqual(self.run_mercer(*fit, "--eps", 1e-6, "--quiet").stderr, "")
        chosen = self.run_mercer(*fit, "--epsilon", 0.5, "--cv", 3, "--json")
        self.assertEqual(json.loads(chosen.stdout)["warnings"], said[:1])
        self.assertIn("--eps and --tolerance cannot be given together", self.refused(2, *fit, "--eps", 1e-6, "--tolerance", 1e-6))
        self.assertIn("--eps: 'small' is not a number", self.refused(2, *fit, "--eps", "small"))
        searched = self.json(*fit, "--C", 1, "--grid", "tube=0.1,1", "--cv", 3)["search"]["trials"]
        self.assertEqual(len(searched), 2, searched)


if __name__ == "__main__":
    unittest.main()
