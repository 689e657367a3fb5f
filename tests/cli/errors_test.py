#!/usr/bin/env python3
"""The library's hints in the words of the command line: flags and commands, one for every remedy that a command can meet."""
import unittest

from mercer_cli import MercerTest


class ErrorsTest(MercerTest):
    def test_hints_are_flags(self):
        self.file("t.csv", "a,b,y\n" + "".join(f"{i},{i * i % 7},{i % 3 + 0.5}\n" for i in range(20)))
        self.file("c.csv", "a,b,y\n" + "".join(f"{i},{i * i % 7},{'pq'[i % 2]}\n" for i in range(20)))
        said = {
            ("fit", "t.csv", "--target", "none", "--method", "svm"): "svm needs a target, and the data have none; name its column with --target",
            ("fit", "t.csv", "--target", "y", "--method", "svm", "--task", "real"):
                "svm needs classes, but the target is numeric; take a method for numeric targets, or read it as classes with --task classes",
            ("fit", "c.csv", "--target", "y", "--method", "svm", "--kernel", "1 - linear"):
                "The problem of svm may then have no minimum, or several; --allow-indefinite accepts it anyway (mercer check shows the eigenvalues)",
            ("fit", "c.csv", "--target", "y", "--method", "svm", "--kernel", "rbff"): "unknown kernel 'rbff'; did you mean 'rbf'? (mercer kernels lists all)",
            ("fit", "c.csv", "--target", "y", "--method", "svm", "--C", "-1"): "C must be > 0, not -1",
            ("fit", "t.csv", "--target", "y", "--method", "ridge", "--solver", "primal", "--kernel", "rbf(gamma=1)"):
                "rbf(gamma=1) has no finite explicit features; drop --solver, or approximate the kernel with --approx nystrom:2000",
        }
        for command, expected in said.items():
            with self.subTest(command=command):
                self.assertIn(expected, self.run_mercer(*command).stderr)

    def test_notes_and_next_steps_are_flags(self):
        self.file("t.csv", "id,x,same,y\n" + "".join(f"{i + 1},{i * 37 % 11},{'uv'[i % 2]},{'pq'[i % 2]}\n" for i in range(30)))
        answer = self.json("fit", "t.csv", "--target", "y")
        self.assertIn("column 'id' is dropped: it numbers the rows; --keep id uses it", answer["notes"])
        self.assertIn("column 'same' repeats the target: a model that learns from it learns nothing else; leave it out with --drop same", answer["notes"])
        self.assertTrue(any("--kernel " in step and "(mercer kernels lists all)" in step for step in answer["next"]), answer["next"])


if __name__ == "__main__":
    unittest.main()
