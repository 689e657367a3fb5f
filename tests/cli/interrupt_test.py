#!/usr/bin/env python3
"""Ctrl-C keeps the best model so far, in whichever phase of a fit; pressed again, it ends the program and leaves nothing half done."""
import random
import re
import unittest

from mercer_cli import MERCER, MercerTest
from terminal import PHASES, run_in_terminal

INTERRUPTED = 130


class Interrupt(MercerTest):
    def rows(self, n, columns=5):
        draw = random.Random(2)
        lines = ["y," + ",".join(f"x{j}" for j in range(columns))]
        for _ in range(n):
            x = [draw.gauss(0, 1) for _ in range(columns)]
            lines.append(f"{'ab'[x[0] * x[1] + draw.gauss(0, 1.5) > 0]}," + ",".join(f"{v:.3f}" for v in x))
        return self.file("rows.csv", "\n".join(lines) + "\n")

    def interrupted(self, pattern, *arguments, presses=1):
        """Presses Ctrl-C once the line on the screen looks like this."""
        pressed = 0

        def typed(screen):
            nonlocal pressed
            if pressed < presses and ("mercer: interrupted" in screen.text() if pressed else re.match(pattern, screen.line())):
                pressed += 1
                return "\x03"
            return None

        ended = run_in_terminal([MERCER, "fit", *arguments, "--threads", "1"], columns=200, cwd=self.folder, typed=typed, timeout=300)
        self.assertEqual(pressed, presses, f"the phase was not seen:\n{ended.text}")
        self.assertEqual(ended.code, INTERRUPTED, ended.text)
        self.assertEqual([line for line in ended.screen.wrapped if line.startswith(PHASES)], [])
        return ended.text

    def predicts(self):
        answers = self.mercer("predict", "m.mercer", "rows.csv").split()
        self.assertEqual(set(answers) - {"a", "b"}, set())
        return self.json("inspect", "m.mercer")

    def test_in_the_search(self):
        data = self.rows(1200)
        text = self.interrupted(r"search: .*best accuracy", data, "--target", "y", "-o", "m.mercer", "--report", "r.html")
        self.assertRegex(text, r"mercer: interrupted during the search; kept the best of \d+ candidates? of \d+, fitted on all 1200 rows; "
                               r"not done: the rest of the search.*, the report")
        self.assertRegex(text, r"selected +best of \d+ candidates? \(.*\d+ not reached\), .*, interrupted")
        self.predicts()
        self.assertEqual(self.files(), ["m.mercer", "rows.csv"])

    def test_in_the_final_fit(self):
        data = self.rows(6000)
        text = self.interrupted(r"final fit", data, "--target", "y", "--method", "svm", "--C", "300", "--kernel", "rbf(gamma=1)", "--cv", "3", "-o", "m.mercer")
        self.assertRegex(text, "interrupted during the final fit; kept a model of 2000 of 6000 rows(, not converged)?; not done: the fit on all rows, the score")
        self.assertIn("score       not measured: interrupted", text)
        self.assertEqual(self.predicts()["rows"], 2000)
        self.assertEqual(self.files(), ["m.mercer", "rows.csv"])

    def test_in_the_assessment(self):
        data = self.rows(1000)
        text = self.interrupted(r"assessment: fold", data, "--target", "y", "--method", "svm", "--C", "10", "--kernel", "rbf(gamma=1)", "--cv", "200", "-o", "m.mercer")
        self.assertIn("interrupted during the assessment; kept the model of all 1000 rows; not done: the score", text)
        self.assertEqual(self.predicts()["rows"], 1000)
        self.assertEqual(self.files(), ["m.mercer", "rows.csv"])

    def test_in_the_report(self):
        # Enough columns for the page to take a while: what each of them does is drawn.
        data = self.rows(3000, 120)
        text = self.interrupted(r"report", data, "--target", "y", "--method", "svm", "--C", "10", "--kernel", "rbf(gamma=0.02)", "--holdout", "0.1", "-o", "m.mercer", "--report", "r.html")
        self.assertIn("interrupted during the report; kept the model of all 3000 rows; not done: the report", text)
        self.assertRegex(text, r"score +accuracy ")
        self.predicts()
        self.assertEqual(self.files(), ["m.mercer", "rows.csv"])

    def test_a_single_fit_is_discarded_or_saved(self):
        data = self.rows(2000)
        fixed = (data, "--target", "y", "--method", "svm", "--C", "1e6", "--kernel", "rbf(gamma=0.05)", "--tolerance", "1e-12", "-o", "m.mercer")
        text = self.interrupted(r"fit: violation", *fixed)
        self.assertTrue(text.endswith("mercer: interrupted before the end"), text)
        self.assertEqual(self.files(), ["rows.csv"])
        self.interrupted(r"fit: violation", *fixed, "--on-interrupt", "save")
        self.predicts()

    def test_twice_ends_at_once(self):
        data = self.rows(2000)
        text = self.interrupted(r"final fit: ", data, "--target", "y", "--method", "svm", "--C", "1e6", "--kernel", "rbf(gamma=0.05)", "--tolerance", "1e-12", "--cv", "3", "-o", "m.mercer",
                                presses=2)
        self.assertNotIn("kept", text)
        self.assertNotIn("%", text)
        self.assertEqual(self.files(), ["rows.csv"])

    def test_discarded_when_told_so(self):
        data = self.rows(1200)
        self.interrupted(r"search: .*best accuracy", data, "--target", "y", "-o", "m.mercer", "--on-interrupt", "discard")
        self.assertEqual(self.files(), ["rows.csv"])


if __name__ == "__main__":
    unittest.main()
