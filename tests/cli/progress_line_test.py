#!/usr/bin/env python3
"""How far long work is, on the terminal: a line that never wraps, is gone in the end, and is nowhere else."""
import random
import unittest

from mercer_cli import MERCER, MercerTest
from terminal import PHASES, run_in_terminal

NEVER_ENDS = ("--method", "svm", "--C", "1e6", "--kernel", "rbf(gamma=0.3)", "--tolerance", "1e-12", "--time", "1.5")


class ProgressLine(MercerTest):
    def rows(self, n, columns=4, name="rows.csv"):
        """Labels that hardly depend on the columns, so that machines have work."""
        draw = random.Random(1)
        lines = ["y," + ",".join(f"x{j}" for j in range(columns))]
        for _ in range(n):
            x = [draw.gauss(0, 1) for _ in range(columns)]
            lines.append(f"{'ab'[x[0] + draw.gauss(0, 1.5) > 0]}," + ",".join(f"{v:.3f}" for v in x))
        return self.file(name, "\n".join(lines) + "\n")

    def shown(self, columns, *arguments, codes=(0,)):
        """Runs it in a terminal of this width; the lines of progress, and what stands there in the end."""
        ended = run_in_terminal([MERCER, *arguments, "--threads", "1"], columns, cwd=self.folder)
        self.assertIn(ended.code, codes, ended.text)
        self.assertEqual([line for line in ended.screen.wrapped if line.startswith(PHASES)], [])
        self.assertEqual(ended.screen.odd, set())
        bars = ended.screen.bars()
        for bar in bars:
            self.assertLess(len(bar), columns)
            self.assertNotRegex(bar, r"\binf\b|\bnan\b|-\d+ [%sm]")
        for line in ended.text.split("\n"):  # nothing of the bar stays, and nothing is glued to it
            self.assertNotRegex(line, r"\[[#.]|% *$| left$")
        return bars, ended.text

    def test_every_command_that_takes_long(self):
        train, many = self.rows(3000), self.rows(6000, 4, "many.csv")
        commands = {"fit": ("fit", train, "--target", "y", "--time", "2"), "fit as told": ("fit", train, "--target", "y", *NEVER_ENDS, "-o", "m.mercer"),
                    "predict": ("predict", "m.mercer", many), "evaluate": ("evaluate", "m.mercer", many),
                    "gram": ("gram", many, "--target", "y", "--kernel", "manhattan(lambda=0.1)", "--to-mean", "-o", "k.npy")}
        for name, arguments in commands.items():
            for columns in (40, 80, 200):
                with self.subTest(name, columns=columns):
                    bars, text = self.shown(columns, *arguments, codes=(0, 4))
                    if name.startswith("fit"):
                        self.assertTrue(bars, f"{name} showed nothing")
                    if name == "fit":
                        self.assertTrue(any(line.startswith("search") for line in bars), bars)
                        self.assertEqual(text.count("evaluating "), 1)
                    if name == "predict":
                        self.assertEqual(set(text.split("\n")) - {"a", "b"}, set())

    def test_every_width(self):
        train = self.rows(3000)
        for columns in (1, 5, 20, 60, 0):  # 0: the terminal does not know
            with self.subTest(columns=columns):
                bars, _ = self.shown(columns or 80, "fit", train, "--target", "y", *NEVER_ENDS, codes=(4,))
                if columns > 5:
                    self.assertTrue(bars)

    def test_nothing_where_there_is_no_terminal(self):
        result = self.run_mercer("fit", self.rows(3000), "--target", "y", *NEVER_ENDS)
        self.assertEqual((result.returncode, result.stderr), (4, ""))
        self.assertNotIn("\r", result.stdout)

    def test_nothing_when_asked_to_be_quiet(self):
        ended = run_in_terminal([MERCER, "fit", self.rows(3000), "--target", "y", "--quiet", *NEVER_ENDS], cwd=self.folder)
        self.assertEqual((ended.code, ended.raw), (4, ""))


if __name__ == "__main__":
    unittest.main()
