#!/usr/bin/env python3
"""mercer completion bash|zsh|fish in the shells themselves, and mercer man in what shows manual pages."""
import re
import shutil
import subprocess
import unittest

from mercer_cli import MercerTest


class CompletionTest(MercerTest):
    def script(self, shell, name):
        return self.file(name, self.mercer("completion", shell))

    def shell(self, *command):
        result = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""), command)
        return result.stdout

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash_completes(self):
        self.script("bash", "mercer.bash")
        self.moons()

        def completed(*words):
            line = " ".join("'" + word.replace("'", "'\\''") + "'" for word in ("mercer", *words))
            return self.shell("bash", "-c", f"source ./mercer.bash; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _mercer; "
                              'printf "%s\\n" "${COMPREPLY[@]}"').split("\n")[:-1]

        self.assertEqual(completed("fi"), ["fit"])
        self.assertIn("predict", completed(""))
        self.assertEqual(completed("plot", "res"), ["residuals"])
        self.assertEqual(completed("fit", "mo"), ["moons.csv"])
        self.assertEqual(completed("fit", "moons.csv", "--kern"), ["--kernel"])
        self.assertIn("--threads", completed("fit", "--th"))
        self.assertIn("--C", completed("fit", "moons.csv", "--"))
        self.assertNotIn("--C", completed("predict", "--"))
        self.assertEqual(completed("fit", "--method", "nu_"), ["nu_svm", "nu_svr"])
        self.assertEqual(completed("fit", "--method", "=", "nu_svm"), ["nu_svm"])
        self.assertEqual(completed("fit", "--kernel", "rb"), ["rbf"])
        self.assertEqual(completed("fit", "--kernel", "'linear + rb"), ["linear + rbf"])
        self.assertEqual(completed("fit", "--optimize", ""), ["evidence", "none"])
        self.assertEqual(completed("fit", "--scale", "m"), ["minmax"])
        self.assertEqual(completed("fit", "--approx", "ny"), ["nystrom:"])
        self.assertEqual(completed("fit", "moons.csv", "-o", "mo"), ["moons.csv"])
        self.assertEqual(completed("fit", "--seed", ""), [""])
        self.assertEqual(completed("--color", "al"), ["always"])
        self.assertEqual(completed("kernels", "mate"), ["matern"])
        self.assertEqual(completed("methods", "ridg"), ["ridge"])
        self.assertEqual(completed("losses", "hub"), ["huber"])
        self.assertEqual(completed("generate", "moo"), ["moons"])
        self.assertEqual(completed("completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(completed("evaluate", "--metric", "accu"), ["accuracy"])
        self.file("two words.csv", "")
        self.assertEqual(completed("fit", "two"), ["two words.csv"])

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash_knows_every_option(self):
        text = self.mercer("completion", "bash")
        for command in ("fit", "predict", "evaluate", "plot roc", "gram"):
            flags = re.search(rf'"mercer {command}"\)\n +flags="([^"]*)"', text)[1].split()
            for option in re.findall(r"(?m)^  (?:-\w, )?(--[A-Za-z0-9-]+)", self.mercer(*command.split(), "--help")):
                self.assertIn(option, flags)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_takes_the_script(self):
        self.script("zsh", "_mercer")
        self.shell("zsh", "-n", "_mercer")
        # Loaded as the completion system does it.
        out = self.shell("zsh", "-f", "-c", "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[mercer]; "
                         "source ./_mercer; whence -w _mercer_fit")
        self.assertEqual(out, "_mercer\n_mercer_fit: function\n")

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes(self):
        self.script("fish", "mercer.fish")
        self.shell("fish", "--no-execute", "mercer.fish")
        self.moons()

        def completed(line):
            out = self.shell("fish", "--no-config", "-c", f"source mercer.fish; complete -C '{line}'")
            return [each.split("\t")[0] for each in out.splitlines()]

        self.assertEqual(completed("mercer fi"), ["fit"])
        self.assertEqual(completed("mercer plot res"), ["residuals"])
        self.assertEqual(completed("mercer fit --method nu_"), ["nu_svm", "nu_svr"])
        self.assertIn("--kernel", completed("mercer fit moons.csv --kern"))
        self.assertIn("--threads", completed("mercer fit moons.csv --thr"))
        self.assertNotIn("--kernel", completed("mercer predict --ker"))
        self.assertIn("moons.csv", completed("mercer fit mo"))
        self.assertEqual(completed("mercer losses hub"), ["huber"])

    def test_other_shells_are_refused(self):
        self.assertIn("choose from bash, zsh, fish", self.refused(2, "completion", "tcsh"))
        self.assertIn("SHELL is required", self.refused(2, "completion"))


class ManualTest(MercerTest):
    def setUp(self):
        super().setUp()
        self.page = self.mercer("man")
        (self.folder / "mercer.1").write_text(self.page)

    def test_the_page_has_every_command_and_option(self):
        self.assertTrue(self.page.startswith(".TH MERCER 1"))
        self.assertTrue(self.page.isascii())
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "GLOBAL OPTIONS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES"):
            self.assertIn(f"\n.SH {section}\n", self.page)
        for command in ("fit", "predict", "plot roc", "svm\\-train", "completion"):
            self.assertIn(f'.SS "mercer {command}"', self.page)
        for option in re.findall(r"(?m)^  (?:-\w, )?(--[A-Za-z0-9-]+)", self.mercer("fit", "--help")):
            if option != "--help":
                self.assertIn("\\fB" + option.replace("-", "\\-"), self.page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_nothing_to_say(self):
        result = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "mercer.1"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("kernel expression", result.stdout)
        self.assertIn("λ", result.stdout)

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_mandoc_finds_no_error(self):
        result = subprocess.run(["mandoc", "-Tlint", "-W", "error", "mercer.1"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.stdout + result.stderr, "")


if __name__ == "__main__":
    unittest.main()
