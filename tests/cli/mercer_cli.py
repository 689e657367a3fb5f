"""Runs the mercer binary for the tests of the command line."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

MERCER = os.environ["MERCER"]


class MercerTest(unittest.TestCase):
    """Each test has an empty folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_mercer(self, *arguments, stdin="", environment=None):
        return subprocess.run([MERCER, *map(str, arguments)], cwd=self.folder, input=stdin, capture_output=True, text=True,
                              env={**os.environ, **(environment or {})}, timeout=120)

    def mercer(self, *arguments, **options):
        """Runs and expects success; gives standard output."""
        result = self.run_mercer(*arguments, **options)
        self.assertEqual(result.returncode, 0, f"{arguments}: {result.stderr}")
        return result.stdout

    def json(self, *arguments, expect=0):
        result = self.run_mercer(*arguments, "--json")
        self.assertEqual(result.returncode, expect, result.stderr)
        return json.loads(result.stdout)

    def refused(self, code, *arguments, **options):
        """Runs and expects failure with this exit code and nothing on standard output; gives the message."""
        result = self.run_mercer(*arguments, **options)
        self.assertEqual(result.returncode, code, f"{arguments}: {result.stdout}{result.stderr}")
        self.assertTrue(result.stderr.startswith("mercer: "), result.stderr)
        self.assertEqual(result.stdout, "")
        return result.stderr

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def moons(self, n=100):
        self.mercer("generate", "moons", "-n", n, "-o", "moons.csv", "--quiet")
        return "moons.csv"
