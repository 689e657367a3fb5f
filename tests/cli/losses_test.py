#!/usr/bin/env python3
"""mercer losses, and the page that explains them."""
import pathlib
import unittest

from mercer_cli import MercerTest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/losses.md"


class Losses(MercerTest):
    def test_losses_are_listed(self):
        listed = {loss["name"]: loss for loss in self.json("losses")}
        self.assertEqual(set(listed), {"squared", "absolute", "huber", "pinball", "epsilon_insensitive", "poisson", "hinge",
                                       "squared_hinge", "logistic", "exponential", "multinomial"})
        for loss in listed.values():
            self.assertEqual(list(loss), ["name", "formula", "summary", "target", "smooth", "parameters"])
            self.assertTrue(loss["formula"] and loss["summary"])
            self.assertIn(loss["target"], ("real", "counts", "signs", "classes"))
            for parameter in loss["parameters"]:
                self.assertTrue(parameter["range"] and parameter["meaning"] and parameter["default"])
        self.assertEqual((listed["hinge"]["smooth"], listed["logistic"]["smooth"]), (False, True))
        self.assertEqual([p["name"] for p in listed["huber"]["parameters"]], ["delta"])

    def test_losses_are_printed(self):
        text = self.mercer("losses", environment={"COLUMNS": "120"})
        for loss in self.json("losses"):
            self.assertIn(f"{loss['name']}\n  {loss['summary']}\n  {loss['formula']}\n", text)
            for parameter in loss["parameters"]:
                self.assertIn(parameter["meaning"], text)
        self.assertEqual(self.mercer("losses", "--quiet"), "")

    def test_the_page_has_them_all(self):
        rows = [line.replace("\\|", "¦").split("|") for line in PAGE.read_text().splitlines() if line.startswith("| `")]
        told = [tuple(cell.strip().replace("¦", "|") for cell in row[1:6]) for row in rows]
        expected = []
        for loss in self.json("losses"):
            parameters = "; ".join(f"`{p['name']}` = {p['default']} ({p['range']})" for p in loss["parameters"])
            way = "curvature" if loss["smooth"] else "dual"
            expected.append((f"`{loss['name']}`", loss["formula"], loss["target"], parameters, way))
        self.assertEqual(told, expected)

    def test_one_is_explained_and_more_are_refused(self):
        self.assertIn("max(0, 1 − y·f)", self.mercer("losses", "hinge"))
        self.refused(2, "losses", "hinge", "huber")


if __name__ == "__main__":
    unittest.main()
