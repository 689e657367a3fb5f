#!/usr/bin/env python3
"""Columns of a table as lines."""
import unittest
from xml.etree import ElementTree

from mercer_cli import MercerTest


class PlotLines(MercerTest):
    def test_the_columns_are_named_and_counted(self):
        self.file("times.csv", "n,y,other\n10,0.1,0.3\n100,0.2,0.4\n1000,,0.5\n")
        self.assertIn("times.csv:4", self.refused(3, "plot", "lines", "times.csv"))
        self.file("times.csv", "n,y,other\n10,0.1,0.3\n100,0.2,0.4\n1000,0.3,0.5\n")
        told = self.json("plot", "lines", "times.csv", "--log", "x", "--title", "A < B", "--label", "seconds", "-o", "t.svg")
        self.assertEqual((told["kind"], told["rows"], told["lines"]), ("lines", 3, 2))  # y is no target here
        words = [element.text for element in ElementTree.parse(self.folder / "t.svg").iter() if element.tag.endswith("text")]
        for word in ("n", "y", "other", "seconds", "A < B"):
            self.assertIn(word, words)

    def test_what_is_refused(self):
        self.file("one.csv", "n\n1\n2\n")
        self.assertIn("2 columns or more, not 1", self.refused(3, "plot", "lines", "one.csv"))
        self.refused(2, "plot", "lines", "one.csv", "--log", "z")
        self.assertIn("must end in .svg", self.refused(2, "plot", "lines", "one.csv", "-o", "x.png"))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["one.csv"])


if __name__ == "__main__":
    unittest.main()
