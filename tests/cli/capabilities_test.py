#!/usr/bin/env python3
"""docs/capabilities.md says what it can do: every command runs, every row of the lectures is there, and the tests that it names exist."""
import pathlib
import re
import shlex
import unittest

from mercer_cli import MercerTest

ROOT = pathlib.Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "capabilities.md").read_text(encoding="utf-8")
ROWS = {"K": 10, "A": 9, "V": 4, "F": 5, "G": 4, "M": 14, "D": 10, "E": 10}


def rows():
    """Of each line of a table: its cells."""
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in PAGE.splitlines() if re.match(r"\| [A-Z]\d+ \|", line)]


class Capabilities(MercerTest):
    def test_every_row_of_the_lectures_is_there(self):
        named = [row[0] for row in rows()]
        self.assertEqual(len(named), len(set(named)))
        for letter, count in ROWS.items():
            self.assertEqual([name for name in named if name[0] == letter], [f"{letter}{number}" for number in range(1, count + 1)])

    def test_every_test_exists(self):
        for row in rows():
            self.assertTrue((ROOT / row[-1]).is_file(), row)

    def test_every_command_runs(self):
        for name, text in re.findall(r"```text (\S+)\n(.*?)```", PAGE, re.S):
            self.file(name, text)
        for line in re.search(r"```sh\n(.*?)```", PAGE, re.S)[1].splitlines():
            self.mercer(*shlex.split(line)[1:])
        for row in rows():
            command, code = re.fullmatch(r"`(.*?)`(?: \(exit (\d)\))?", row[2]).groups()
            if command.startswith("examples/"):
                self.assertTrue((ROOT / command).is_file(), command)
                continue
            with self.subTest(row[0]):
                done = self.run_mercer(*shlex.split(command)[1:])
                self.assertEqual(done.returncode, int(code or 0), f"{command}: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    unittest.main()
