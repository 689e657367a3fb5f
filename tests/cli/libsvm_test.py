#!/usr/bin/env python3
"""svm-train, svm-predict and svm-scale, beside LIBSVM's own where they are installed."""
import math
import os
import random
import re
import shutil
import subprocess
import unittest

from mercer_cli import MERCER, MercerTest


class Libsvm(MercerTest):
    def text(self, name):
        return (self.folder / name).read_text()

    def rows(self, n=120, classes=2, regression=False, seed=1):
        draw = random.Random(seed)
        path = os.path.join(self.folder, f"rows{n}_{classes}_{regression}_{seed}.svm")
        with open(path, "w") as file:
            for i in range(n):
                x = [draw.gauss(0, 1) for _ in range(4)]
                label = x[0] * x[1] + 0.3 * draw.gauss(0, 1) if regression else [1, -1, 3, 7][(x[0] > 0) + (classes > 2) * (x[1] > 0.5) * 2]
                cells = " ".join(f"{k + 1}:{v:.6g}" for k, v in enumerate(x) if draw.random() < 0.8)
                file.write(f"{label:g} {cells}\n")
        return path

    def ours(self, program, *arguments, expect=0):
        run = subprocess.run([MERCER, program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, expect, run.stderr)
        return run.stdout if expect == 0 else run.stderr

    def theirs(self, program, *arguments):
        if not shutil.which(program):
            self.skipTest(f"{program} of LIBSVM (Debian's libsvm-tools) is not installed")
        return subprocess.run([program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=60, check=True).stdout

    @staticmethod
    def numbers(text, word):
        return [float(part.split()[2].rstrip(",")) for line in text.splitlines() for part in line.split(", ") if part.startswith(word + " =")]

    def test_lines_and_objectives_are_libsvms(self):
        for kind in range(5):
            data = self.rows(classes=3, regression=kind > 2)
            for kernel in range(3):
                mine = self.ours("svm-train", "-s", kind, "-t", kernel, "-e", 1e-5, "-n", 0.373, "-g", 0.5, data, "m.model")
                peer = self.theirs("svm-train", "-s", kind, "-t", kernel, "-e", 1e-5, "-n", 0.373, "-g", 0.5, data, "l.model")
                with self.subTest(kind=kind, kernel=kernel):
                    words = [line.split(" = ")[0].split(",")[0] for line in mine.splitlines() if line != "*"]
                    self.assertEqual(words, [line.split(" = ")[0].split(",")[0] for line in peer.splitlines() if line.strip(".*") and not line.startswith("WARNING")])
                    for a, b in zip(self.numbers(mine, "obj"), self.numbers(peer, "obj"), strict=True):
                        self.assertAlmostEqual(a, b, delta=1e-4 * max(1, abs(b)))
                    self.assertEqual(self.text("m.model").split("\nrho")[0].replace("\n", " ").split("total_sv")[0],
                                     self.text("l.model").split("\nrho")[0].replace("\n", " ").split("total_sv")[0])

    def test_each_predicts_with_the_models_of_the_other(self):
        for kind in range(5):
            data = self.rows(classes=3, regression=kind > 2)
            self.theirs("svm-train", "-s", kind, "-n", 0.2, "-q", data, "l.model")
            self.ours("svm-train", "-s", kind, "-n", 0.2, "-q", data, "m.model")
            for model in ("l.model", "m.model"):
                self.ours("svm-predict", data, model, "mine")
                self.theirs("svm-predict", data, model, "peer")
                mine, peer = ([float(line) for line in self.text(name).splitlines()] for name in ("mine", "peer"))
                for a, b in zip(mine, peer, strict=True):
                    self.assertAlmostEqual(a, b, delta=1e-10 * max(1, abs(b)))

    def test_cross_validation_makes_libsvms_folds(self):
        for arguments in (["-v", 5], ["-v", 3, "-c", 10], ["-s", 3, "-v", 5], ["-s", 2, "-v", 4], ["-v", 1000]):
            data = self.rows(n=40, regression=arguments[:2] == ["-s", 3])
            mine = [line for line in self.ours("svm-train", "-e", 1e-6, *arguments, data).splitlines() if line.startswith("Cross")]
            peer = [line for line in self.theirs("svm-train", "-e", 1e-6, *arguments, data).splitlines() if line.startswith("Cross")]
            for a, b in zip(mine, peer, strict=True):
                self.assertEqual(a.split("= ")[0], b.split("= ")[0])
                self.assertAlmostEqual(float(a.split("= ")[1].rstrip("%")), float(b.split("= ")[1].rstrip("%")), delta=1e-3, msg=str(arguments))

    def test_scale_writes_the_same_bytes(self):
        data = self.rows()
        for arguments in ([], ["-l", 0, "-u", 2], ["-y", 0, 1]):
            self.assertEqual(self.ours("svm-scale", "-s", "a.range", *arguments, data), self.theirs("svm-scale", "-s", "b.range", *arguments, data))
            self.assertEqual(self.text("a.range"), self.text("b.range"))
            other = self.rows(seed=2)
            self.assertEqual(self.ours("svm-scale", "-r", "b.range", other), self.theirs("svm-scale", "-r", "a.range", other))

    def test_scale_refuses_broken_ranges_at_their_line(self):
        data = self.rows()
        for text, line, word in [("", 1, "empty"), ("x\n", 2, "two numbers"), ("x\n-1\n", 2, "two numbers"), ("x\n-1\n1 0 1\n", 2, "two numbers"),
                                 ("x\n-1 1\n-1 0 1\n", 3, "'-1' is not an index"), ("x\n-1 1\n99999999999 0 1\n", 3, "not an index"),
                                 ("x\n-1 1\n18446744073709551615 0 1\n", 3, "not an index"), ("x\n-1 1\n1 0\n", 3, "an index and two numbers"),
                                 ("x\n-1 1\n1 2 1\n", 3, "above the upper limit"), ("x\n1 -1\n", 2, "above the upper limit"), ("x\n1 1\n", 2, "the same number"),
                                 ("x\n-1 1\n1 nan 1\n", 3, "not a number"), ("x\n-1 inf\n", 2, "not a number"), ("y\n0 1\nx\n", 3, "two numbers"), ("z\n", 1, "x is missing")]:
            with self.subTest(text):
                (self.folder / "bad.range").write_text(text)
                message = self.ours("svm-scale", "-r", "bad.range", data, expect=3)
                self.assertIn(f"bad.range:{line}: ", message)
                self.assertIn(word, message)
        (self.folder / "far.range").write_text("x\n-1 1\n1 0 1\n2147483647 0 1\n")
        self.assertIn("2147483647:-1", self.ours("svm-scale", "-r", "far.range", data))

    def test_scale_ends_on_any_ranges(self):
        data = self.rows(n=20)
        self.ours("svm-scale", "-s", "good.range", "-y", -1, 1, data)
        good = (self.folder / "good.range").read_text()
        draw = random.Random(3)
        for _ in range(80):
            text = list(good)
            for _ in range(draw.randrange(1, 5)):
                at = draw.randrange(len(text))
                text[at] = draw.choice("0123456789-+.exy \n\0") if draw.randrange(3) else ""
            (self.folder / "bad.range").write_text("".join(text))
            result = self.run_mercer("svm-scale", "-r", "bad.range", data)
            self.assertIn(result.returncode, (0, 3), (text, result.stderr))
            for word in result.stdout.split():
                self.assertTrue(math.isfinite(float(word.split(":")[-1])), word)

    def test_scale_keeps_index_zero_and_warns_as_libsvm_does(self):
        zero = self.file("zero.svm", re.sub(r"(\d+):", lambda index: f"{int(index[1]) - 1}:", self.text(self.rows())))
        late = self.file("late.svm", "1 1:3 2:4\n")
        for arguments in (["-s", "a.range", zero], ["-l", 0, zero], ["-r", "a.range", late]):
            self.theirs("svm-scale", zero)
            peer = subprocess.run(["svm-scale", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=60, check=True)
            mine = self.run_mercer("svm-scale", *arguments)
            self.assertEqual(mine.stdout, peer.stdout)
            warnings = [line for line in peer.stderr.splitlines() if line and "are not stored" not in line]  # here the range of index 0 is
            self.assertEqual([line for line in mine.stderr.splitlines() if line], warnings)

    def gram(self, name, regression=False):
        """The rows of self.rows() as a table of their dot products."""
        lines = [line.split() for line in self.text(self.rows(regression=regression)).splitlines()]
        points = [{int(k): float(v) for k, v in (cell.split(":") for cell in line[1:])} for line in lines]
        with open(os.path.join(self.folder, name), "w") as file:
            for i, x in enumerate(points):
                values = (sum(v * z.get(k, 0) for k, v in x.items()) for z in points)
                file.write(f"{lines[i][0]} 0:{i + 1} " + " ".join(f"{j + 1}:{v:.17g}" for j, v in enumerate(values)) + "\n")
        return name

    def columns(self, name):
        return [[float(word) for word in line.split()] for line in self.text(name).splitlines() if not line.startswith("labels")]

    def assert_same_predictions(self, data, model, *options, delta=1e-10):
        self.ours("svm-predict", *options, data, model, "mine")
        self.theirs("svm-predict", *options, data, model, "peer")
        for mine, peer in zip(self.columns("mine"), self.columns("peer"), strict=True):
            for a, b in zip(mine, peer, strict=True):
                self.assertAlmostEqual(a, b, delta=delta * max(1, abs(b)))

    def test_a_table_of_dot_products_is_the_linear_kernel(self):
        for kind in range(5):
            plain, table = self.rows(regression=kind > 2), self.gram("table.svm", regression=kind > 2)
            options = ["-s", kind, "-n", 0.3, "-e", 1e-5]
            mine, linear = (self.ours("svm-train", *options, "-t", t, data, f"m{t}.model") for t, data in ((4, table), (0, plain)))
            peer = self.theirs("svm-train", *options, "-t", 4, table, "l.model")
            with self.subTest(kind=kind):
                for a, b, c in zip(*(self.numbers(text, "obj") for text in (mine, linear, peer)), strict=True):
                    self.assertAlmostEqual(a, b, delta=1e-4 * max(1, abs(b)))
                    self.assertAlmostEqual(a, c, delta=1e-4 * max(1, abs(c)))
                self.assertEqual(self.text("m4.model").split("total_sv")[0], self.text("l.model").split("total_sv")[0])
                for model in ("m4.model", "l.model"):
                    self.assert_same_predictions(table, model)
                if kind == 2:
                    continue  # a plane through the origin: every row lies on it, and rounding takes sides
                a, b = (float(re.search(r"= ([\d.]+)", self.ours("svm-predict", data, f"m{t}.model", "out"))[1]) for t, data in ((4, table), (0, plain)))
                self.assertAlmostEqual(a, b, delta=1e-4 * b)
                folds = [[line for line in program("svm-train", *options, "-v", 4, "-t", 4, table).splitlines() if line.startswith("Cross")] for program in (self.ours, self.theirs)]
                for a, b in zip(*folds, strict=True):
                    self.assertAlmostEqual(float(a.split("= ")[1].rstrip("%")), float(b.split("= ")[1].rstrip("%")), delta=1e-3)

    def test_mercers_own_commands_take_tables(self):
        table = self.gram("table.svm")
        self.file("bad.svm", "1 0:1 1:1 2:3\n-1 0:2 1:3 2:1\n")
        self.assertIn("the kernel matrix is not positive semidefinite", self.refused(2, "fit", "bad.svm", "--method", "svm", "--kernel", "precomputed"))
        self.json("fit", "bad.svm", "--method", "svm", "--kernel", "precomputed", "--allow-indefinite")
        report = self.json("fit", table, "--method", "svm", "--kernel", "precomputed", "--proba", "-o", "m.mercer")
        self.assertEqual(report["kernel"], "precomputed")
        plain = self.json("fit", self.rows(), "--method", "svm", "--kernel", "linear", "--proba", "-o", "p.mercer")
        self.assertAlmostEqual(report["objective"], plain["objective"], delta=1e-3)
        self.assertEqual(self.json("evaluate", "m.mercer", table)["accuracy"], self.json("evaluate", "p.mercer", self.rows())["accuracy"])
        self.file("wrong.svm", "1 0:1 1:4 2:1\n-1 0:3 1:1 2:4\n")
        self.assertIn("row 2 has the serial number 3", self.ours("svm-train", "-t", 4, "wrong.svm", expect=3))
        self.file("none.svm", "1 1:4 2:1\n-1 1:1 2:4\n")
        self.assertIn("row 1 has the serial number 0", self.ours("svm-train", "-t", 4, "none.svm", expect=3))

    def test_noise_of_a_regression(self):
        data = self.rows(regression=True)
        for kind in (3, 4):
            options = ["-s", kind, "-b", 1, "-e", 1e-6, "-g", 0.5]
            mine, peer = self.ours("svm-train", *options, data, "m.model"), self.theirs("svm-train", *options, data, "l.model")
            found, expected = ([line for line in text.splitlines() if line.startswith(("Prob.", "z: "))] for text in (mine, peer))
            self.assertEqual(found[0], expected[0])
            self.assertEqual(found[1].split("sigma= ")[0], expected[1].split("sigma= ")[0])
            self.assertAlmostEqual(float(found[1].split("sigma= ")[1]), float(expected[1].split("sigma= ")[1]), delta=1e-4)
            for model in ("m.model", "l.model"):
                self.assertEqual(self.ours("svm-predict", "-b", 1, data, model, "out"), self.theirs("svm-predict", "-b", 1, data, model, "peer"))
                self.assert_same_predictions(data, model, "-b", 1)
                self.assertEqual(self.ours("svm-predict", data, model, "out"), self.theirs("svm-predict", data, model, "peer"))
        report = self.json("fit", data, "--method", "svr", "--proba", "-o", "m.mercer")
        self.assertEqual(self.json("inspect", "m.mercer")["noise_scale"], report["noise_scale"])
        self.assertIn(f"Laplace-distributed with scale {report['noise_scale']:.6g}", self.mercer("inspect", "m.mercer"))
        self.assertIn("scale of their noise", self.refused(2, "predict", "--proba", "m.mercer", data))

    def test_probability_of_lying_inside(self):
        data = self.rows()
        self.ours("svm-train", "-s", 2, "-n", 0.3, "-b", 1, data, "m.model")
        marks = [float(word) for line in self.text("m.model").splitlines() if line.startswith("prob_density_marks ") for word in line.split()[1:]]
        self.assertEqual(marks, sorted(marks))
        self.assertEqual(len(marks), 10)
        self.ours("svm-predict", "-b", 1, data, "m.model", "out")
        self.assertEqual(self.text("out").splitlines()[0], "labels normal outlier")
        scores = [float(line) for line in self.mercer("predict", "--score", "m.model", data).splitlines()]
        for score, (label, inside, outside) in zip(scores, self.columns("out"), strict=True):
            expected = 0.001 if score < marks[0] else 0.999 if score > marks[-1] else sum(mark <= score for mark in marks) / 10
            self.assertAlmostEqual(inside, expected, delta=1e-6)
            self.assertAlmostEqual(inside + outside, 1, delta=1e-6)
            self.assertEqual(label, 1 if score > 0 else -1)
        few = self.file("few.svm", "1 1:1\n1 1:2\n1 1:3\n")
        run = self.run_mercer("svm-train", "-s", "2", "-b", "1", few, "few.model")
        self.assertEqual(run.returncode, 0)
        self.assertIn("too few for probabilities", run.stderr)

    def test_without_b_a_model_with_probabilities_votes(self):
        data = self.rows(classes=3)
        self.theirs("svm-train", "-b", 1, "-q", "-c", 0.1, data, "l.model")
        self.assertEqual(self.ours("svm-predict", data, "l.model", "out"), self.theirs("svm-predict", data, "l.model", "peer"))
        self.assertEqual(self.text("out"), self.text("peer"))
        self.assert_same_predictions(data, "l.model", "-b", 1, delta=2e-2)  # LIBSVM stops coupling early

    def test_index_zero_is_a_column(self):
        zero = self.file("zero.svm", re.sub(r"(\d+):", lambda index: f"{int(index[1]) - 1}:", self.text(self.rows())))
        late = self.file("late.svm", "".join(f"1 {i % 3 + 1}:{i}\n" for i in range(9)))  # no index 0 anywhere
        peer, mine = (program("svm-train", "-e", 1e-6, zero, name) for program, name in ((self.theirs, "l.model"), (self.ours, "m.model")))
        self.assertAlmostEqual(self.numbers(mine, "obj")[0], self.numbers(peer, "obj")[0], delta=1e-3)
        for model in ("l.model", "m.model"):
            for data in (zero, late):
                self.assert_same_predictions(data, model)
        self.theirs("svm-train", "-s", 3, "-q", late, "from_one.model")
        self.assert_same_predictions(zero, "from_one.model")

    def test_probabilities(self):
        data = self.rows(classes=4)
        self.ours("svm-train", "-b", 1, "-q", data, "m.model")
        self.ours("svm-predict", "-b", 1, data, "m.model", "out")
        lines = self.text("out").splitlines()
        labels = lines[0].split()[1:]
        for line in lines[1:]:
            label, *values = line.split()
            self.assertAlmostEqual(sum(map(float, values)), 1, delta=1e-4)
            self.assertEqual(label, labels[max(range(len(values)), key=lambda c: float(values[c]))])

    def test_h_is_a_flag_and_not_a_call_for_help(self):
        data = self.rows()
        self.assertEqual(self.ours("svm-train", "-h", 0, data, "h.model"), self.ours("svm-train", data, "m.model"))
        self.assertEqual(self.text("h.model"), self.text("m.model"))
        self.assertIn("-wi WEIGHT", self.ours("svm-train", "--help"))

    def test_wrong_usage(self):
        data = self.rows()
        for arguments, part in [(["-s", 9, data], "-s 9: must be from 0 to 4"), (["-t", 5, data], "-t 5: must be from 0 to 4"),
                                (["-c", "x", data], "-c 'x': not a number"), (["-z", 1, data], "unknown option -z"), ([], "missing file name"),
                                (["-c", 0, data], "C must be > 0"), (["-w9", 2, data], "not a class"), (["-c"], "-c needs a value")]:
            self.assertIn(part, self.ours("svm-train", *arguments, expect=2))
        self.ours("svm-train", "absent.svm", expect=3)
        self.assertIn("whole number", self.ours("svm-train", self.file("half.svm", "1.5 1:1\n1.7 1:2\n"), expect=3))
        self.ours("svm-train", "-q", data, "m.model")
        self.assertIn("train it with -b 1", self.ours("svm-predict", "-b", 1, data, "m.model", "out", expect=2))
        self.assertIn("svm-scale", self.ours("svm-scale", "-l", 1, "-u", 0, data, expect=2))
        self.assertIn("svm-scale -s wrote", self.ours("svm-scale", "-r", data, data, expect=3))

    def test_a_link_by_the_old_name_is_the_old_program(self):
        link = os.path.join(self.folder, "svm-train")
        os.symlink(MERCER, link)
        run = subprocess.run([link, "-v", "4", self.rows()], capture_output=True, text=True, timeout=60, check=True)
        self.assertIn("Cross Validation Accuracy = ", run.stdout)


if __name__ == "__main__":
    unittest.main()
