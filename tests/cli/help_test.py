#!/usr/bin/env python3
"""What a newcomer meets: mercer alone, help at any width, listings, misspelt words, colour."""
import re
import unicodedata
import unittest

from mercer_cli import MERCER, MercerTest
from terminal import run_in_terminal

WIDTHS = (60, 80, 120, 200)


def columns(line):
    return sum(not unicodedata.combining(letter) for letter in line)


class HelpTest(MercerTest):
    def shown(self, width, *arguments):
        return self.mercer(*arguments, environment={"COLUMNS": str(width)})

    def commands(self, *above):
        """The paths of all commands, as their help lists them."""
        text = self.shown(120, *above, "--help")
        listed = re.findall(r"^  ([a-z][a-z-]+)  +\S", text.split("Usage:")[1].split("\nOptions:")[0], re.M)
        if not above:
            self.assertIn("fit", listed)
            self.assertIn("completion", listed)
        return [[*above, name] for name in listed]

    def test_every_help_fits_every_width(self):
        paths = [[], *self.commands(), *self.commands("plot")]
        self.assertGreater(len(paths), 30)
        for path in paths:
            words = None
            for width in WIDTHS:
                text = self.shown(width, *path, "--help")
                for line in text.splitlines():
                    self.assertLessEqual(columns(line), width, f"{path} at {width}: {line}")
                    self.assertEqual(line, line.rstrip(), f"{path} at {width}")
                self.assertIn("Usage: mercer", text)
                # The same letters at every width: nothing is lost or glued, only broken elsewhere.
                letters = re.sub(r"\s", "", text)
                self.assertEqual(letters, words or letters, f"{path} at {width}")
                words = letters

    def test_options_stand_apart_from_their_descriptions(self):
        for width in WIDTHS:
            text = self.shown(width, "fit", "--help")
            for name in ("--kernel EXPR", "--C NUMBER", "--class-weight LABEL=WEIGHT", "--approx APPROX", "-o, --output FILE"):
                self.assertRegex(text, rf"(?m)^  {re.escape(name)}(  +\S|$)", f"at {width}")
            self.assertIn("[OPTIONS] DATA", text)
            self.assertIn("auto, csv", re.sub(r"\s+", " ", text))

    def test_listings_fit_and_are_not_glued(self):
        for listing in ("methods", "kernels", "losses"):
            names = [one["name"] for one in self.json(listing)]
            whole = None
            for width in WIDTHS:
                text = self.shown(width, listing)
                for line in text.splitlines():
                    self.assertLessEqual(columns(line), width, f"{listing} at {width}: {line}")
                letters = re.sub(r"\s", "", text)
                self.assertEqual(letters, whole or letters)
                whole = letters
                for name in names:
                    self.assertRegex(text, rf"(?m)^ *{name}( |$)")
        text = self.shown(80, "methods")
        self.assertNotIn("evidenceevidence", text)
        self.assertRegex(text, r"(?m)^    restarts +\S")
        for method in self.json("methods"):
            for parameter in method["parameters"]:
                self.assertRegex(text, rf"(?m)^    {parameter['name']}(  +\S|$)")  # a name that is wider than its column has a line of its own

    def test_one_method_or_loss_is_explained(self):
        text = self.mercer("methods", "ridge")
        for part in ("method: ridge", "formula", "lambda", "default", "--method ridge"):
            self.assertIn(part, text)
        self.assertEqual(self.json("methods", "ridge")["name"], "ridge")
        text = self.mercer("losses", "huber")
        for part in ("loss: huber", "formula", "delta", "default: 1", "--loss huber"):
            self.assertIn(part, text)
        self.assertEqual(self.json("losses", "huber")["target"], "real")
        self.assertIn("no method 'rigde'; did you mean 'ridge'?", self.refused(2, "methods", "rigde"))
        self.assertIn("no loss 'hubber'; did you mean 'huber'?", self.refused(2, "losses", "hubber"))
        self.assertIn("'mercer losses' lists all", self.refused(2, "losses", "quux"))
        for name in [one["name"] for one in self.json("methods")]:
            for line in self.shown(60, "methods", name).splitlines():
                self.assertLessEqual(columns(line), 60, line)

    def test_mercer_alone_says_how_to_begin(self):
        result = self.run_mercer()
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout, "")
        for part in ("Usage: mercer COMMAND", "  fit ", "  predict ", "  evaluate ", "  explain ", "  check ", "mercer fit moons.csv", "mercer --help"):
            self.assertIn(part, result.stderr)
        for line in re.findall(r"(?m)^  (mercer .*)$", result.stderr):  # the example runs
            self.mercer(*line.split()[1:])

    def test_help_is_a_command_too(self):
        self.assertEqual(self.mercer("help"), self.mercer("--help"))
        self.assertEqual(self.mercer("help", "plot", "roc"), self.mercer("plot", "roc", "--help"))
        self.assertIn("unknown command 'fitt'; did you mean 'fit'?", self.refused(2, "help", "fitt"))
        self.assertIn("unknown kind 'rock'", self.refused(2, "plot", "rock", "--help"))

    def test_unknown_commands_and_options_have_suggestions(self):
        data = self.moons()
        for arguments, part in [
            (["fitt"], "unknown command 'fitt'; did you mean 'fit'?"),
            (["fitt", data, "--target", "y"], "unknown command 'fitt'; did you mean 'fit'?"),
            (["--threads", 1, "predct"], "did you mean 'predict'?"),
            (["quux"], "unknown command 'quux'; choose from fit, predict"),
            (["--quiet"], "needs a command; choose from fit"),
            (["plot"], "'mercer plot' needs a kind; choose from regions"),
            (["plot", "rock"], "unknown kind 'rock'; did you mean 'roc'?"),
            (["fit", data, "--kernl", "rbf"], "unknown option '--kernl' of 'mercer fit'; did you mean '--kernel'?"),
            (["fit", "--kernl=rbf", data], "did you mean '--kernel'?"),
            (["predict", data, "--scor"], "did you mean '--score'?"),
            (["fit", data, "--thread", 1], "did you mean '--threads'?"),
            (["fit", data, "--zzzzzz"], "unknown option '--zzzzzz' of 'mercer fit'\n"),
            (["--kolor", "fit"], "did you mean '--color'?"),
            (["fit", data, "more.csv"], "unexpected argument 'more.csv'; the usage is: mercer fit [OPTIONS] DATA"),
            (["fit"], "DATA is required; the usage is: mercer fit [OPTIONS] DATA"),
            (["fit", data, "--kernel"], "--kernel needs a value"),
            (["fit", data, "--kernel", "rbf", "--kernel", "linear"], "--kernel is given more than once"),
            (["fit", data, "--seed", "x"], "--seed: 'x' is not a number"),
            (["fit", data, "--cv", "x"], "--cv x: must be 2 to 1000"),
            (["fit", data, "--cv", 1], "--cv 1: must be 2 to 1000"),
            (["fit", data, "--holdout", 2], "--holdout 2: must be 0.001 to 0.999"),
            (["fit", data, "--time", -1], "--time -1: must be above 0"),
            (["fit", data, "--format", "cvs"], "--format: unknown value 'cvs'; did you mean 'csv'?"),
            (["plot", "lines", data, "--log", "z"], "--log: unknown value 'z'; choose from x, y, both, none"),
            (["features", data, "--kernel", "linear", "--count", "--approx", "explicit"], "cannot be given together"),
        ]:
            self.assertIn(part, self.refused(2, *arguments), arguments)
        self.assertIn("'mercer fit --help' explains", self.refused(2, "fit", data, "--kernl", "rbf"))

    def test_color_is_asked_for_or_left_to_the_terminal(self):
        for when, colored in (("always", True), ("never", False), ("auto", False)):  # the output is a pipe
            self.assertEqual("\033[" in self.mercer("methods", "svm", "--color", when), colored)
            wrong = self.run_mercer(f"--color={when}", "fitt")
            self.assertEqual(wrong.stderr.startswith("\033[1;31mmercer:\033[0m unknown command"), colored, wrong.stderr)
            wrong = self.run_mercer("fit", "no.csv", "--color", when)
            self.assertEqual(wrong.stderr.startswith("\033[1;31mmercer:\033[0m "), colored, wrong.stderr)
        self.assertNotIn("\033", self.mercer("fit", "--help"))
        self.assertIn("did you mean 'always'?", self.refused(2, "--color", "allways", "methods"))
        self.assertNotIn("\033", self.run_mercer("--json", "--color", "always", "methods", "svm").stdout)

    def on_terminal(self, *arguments, **environment):
        """What a terminal of 70 columns is sent."""
        return run_in_terminal([MERCER, *arguments], 70, color=True, environment=environment).raw

    def test_a_terminal_has_color_and_its_own_width(self):
        text = self.on_terminal("fit", "--help")
        self.assertIn("\033[1mArguments:\033[0m", text)
        plain = re.sub(r"\033\[[0-9;]*m", "", text)
        widest = max(columns(line) for line in plain.splitlines())
        self.assertLessEqual(widest, 70)
        self.assertGreater(widest, 60)
        self.assertTrue(self.on_terminal("fitt").startswith("\033[1;31mmercer:\033[0m unknown command"))
        self.assertNotIn("\033", self.on_terminal("fit", "--help", NO_COLOR="1"))
        self.assertNotIn("\033", self.on_terminal("fit", "--help", TERM="dumb"))
        self.assertIn("\033[1m", self.on_terminal("fit", "--help", "--color", "always", NO_COLOR="1"))
        self.assertNotIn("\033", self.on_terminal("--color", "never", "fitt"))


if __name__ == "__main__":
    unittest.main()
