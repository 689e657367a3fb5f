#!/usr/bin/env python3
"""Graphs and molecules, from files to predictions."""
import os
import pathlib
import unittest

from mercer_cli import MercerTest

DATA = pathlib.Path(os.environ.get("MERCER_DATA", "/nowhere"))

ALCOHOLS = ["CO", "CCO", "CCCO", "CC(C)O", "OCCO", "CCCCO", "OC1CCCC1", "CC(O)CC"]
ALKANES = ["CC", "CCC", "CCCC", "CC(C)C", "CCCCC", "CCCCCC", "C1CCCC1", "CC(C)CC"]


class Graphs(MercerTest):
    def test_rings_are_found(self):
        self.mercer("generate", "ring_graphs", "-n", 200, "-o", "rings", "--quiet")
        self.assertEqual(sorted(p.name for p in (self.folder / "rings").iterdir()),
                         ["rings_A.txt", "rings_graph_indicator.txt", "rings_graph_labels.txt", "rings_node_labels.txt"])
        report = self.json("fit", "rings", "--method", "svm", "--C", 100, "--kernel", "normalize(wl(iterations=1, base=shortest_path))", "-o", "m.mercer")
        self.assertEqual(report["rows"], 200)
        self.mercer("--seed", 2, "generate", "ring_graphs", "-n", 50, "-o", "new", "--quiet")
        self.assertGreater(self.json("evaluate", "m.mercer", "new")["accuracy"], 0.65)
        self.assertEqual(len(self.mercer("predict", "m.mercer", "new").splitlines()), 50)

    def test_a_folder_is_written_whole_or_not_at_all(self):
        self.assertIn("graphs are written as a folder", self.refused(2, "generate", "ring_graphs", "-n", 5))
        self.mercer("generate", "ring_graphs", "-n", 5, "-o", "rings", "--quiet")
        self.assertIn("rings: exists already; name a folder that does not", self.refused(3, "generate", "ring_graphs", "-n", 5, "-o", "rings"))
        self.assertEqual(self.files(), ["rings"])

    def test_a_fault_is_said_with_its_line(self):
        self.mercer("generate", "ring_graphs", "-n", 5, "-o", "rings", "--quiet")
        with open(self.folder / "rings/rings_A.txt", "a") as edges:
            edges.write("1, 100000\n")
        message = self.refused(3, "gram", "rings", "--kernel", "wl", "-o", "K.npy")
        self.assertRegex(message, r"rings_A.txt:\d+:4: '100000' is no node; a whole number from 1 to \d+ is needed")
        self.assertEqual(self.files(), ["rings"])

    def test_a_decay_that_is_too_large_is_refused_with_one_that_is_not(self):
        self.mercer("generate", "ring_graphs", "-n", 5, "-o", "rings", "--quiet")
        message = self.refused(2, "gram", "rings", "--kernel", "random_walk(decay=0.9)", "-o", "K.npy")
        self.assertRegex(message, r"decay 0.9 is too large: .* does not converge; below [0-9.]+ it does, or give steps")

    def test_kernels_of_graphs_need_graphs(self):
        self.file("numbers.csv", "x,y\n1,2\n3,4\n")
        self.assertIn("compares molecules", self.refused(2, "gram", "numbers.csv", "--kernel", "wl", "-o", "K.npy"))


class Molecules(MercerTest):
    def setUp(self):
        super().setUp()
        self.file("m.csv", "smiles,y\n" + "".join(f"{s},alcohol\n" for s in ALCOHOLS) + "".join(f"{s},alkane\n" for s in ALKANES))
        result = self.run_mercer("gram", "m.csv", "--target", "y", "--kernel", "tanimoto@smiles", "-o", "K.npy")
        if "RDKit" in result.stderr:  # built without it, or it cannot be loaded
            self.skipTest(result.stderr.strip())
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_column_is_learned_and_predicted(self):
        for kernel in ("tanimoto@smiles", "tanimoto(counts=no)@smiles", "normalize(wl(iterations=2))@smiles + tanimoto@smiles"):
            self.mercer("fit", "m.csv", "--target", "y", "--method", "svm", "--C", 10, "--kernel", kernel, "-o", "m.mercer")
            self.file("new.csv", "smiles\nCCCCCO\nCCCCCCC\n")
            self.assertEqual(self.mercer("predict", "m.mercer", "new.csv").splitlines(), ["alcohol", "alkane"], kernel)

    def test_a_row_that_is_no_molecule_is_named_or_left_out(self):
        self.mercer("fit", "m.csv", "--target", "y", "--method", "svm", "--C", 10, "--kernel", "tanimoto@smiles", "-o", "m.mercer")
        self.file("new.csv", "smiles\nCCCCCO\nC1CC\n")
        message = self.refused(3, "predict", "m.mercer", "new.csv")
        self.assertIn("row 2", message)
        self.assertIn("'C1CC' is no molecule", message)
        result = self.run_mercer("predict", "m.mercer", "new.csv", "--skip-bad")
        self.assertEqual(result.stdout.splitlines(), ["alcohol", "NaN"])
        self.assertIn("dropped 1 of 2 rows", result.stderr)

    @unittest.skipUnless((DATA / "mol_esol/esol.csv").exists(), "the folder of public data is missing; set MERCER_DATA")
    def test_solubility_is_learned(self):
        report = self.json("fit", DATA / "mol_esol/esol.csv", "--target", "logSolubility", "--method", "ridge", "--tau2", 0.01, "--kernel", "tanimoto@smiles", "-o", "m.mercer")
        self.assertEqual(report["rows"], 1128)


if __name__ == "__main__":
    unittest.main()
