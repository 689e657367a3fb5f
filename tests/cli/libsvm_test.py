#!/usr/bin/env python3
"""svm-train, svm-predict and svm-scale, beside LIBSVM's own where they are installed."""
import os
import random
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
        for arguments, part in [(["-s", 9, data], "-s 9: must be from 0 to 4"), (["-t", 4, data], "-t 4: must be from 0 to 3"),
                                (["-c", "x", data], "-c 'x': not a number"), (["-z", 1, data], "unknown option -z"), ([], "a file is missing"),
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
