#!/usr/bin/env python3
"""Sequences from a file to a prediction: tables and FASTA, every string kernel, saved and loaded."""
import unittest

from mercer_cli import MercerTest


class StringsTest(MercerTest):
    def motif(self, name="motif.csv", n=120, seed=1, *options):
        self.mercer("generate", "dna_motif", "-n", n, "--dim", 40, "--seed", seed, "-o", name, "--quiet", *options)
        return name

    def rows(self, name):
        header, *lines = (self.folder / name).read_text().splitlines()
        self.assertEqual(header, "sequence,y")
        return [line.split(",") for line in lines]

    def fasta(self, name, source):
        return self.file(name, "".join(f">r{i}\n{s[:25].lower()}\n{s[25:]}\n\n" for i, (s, _) in enumerate(self.rows(source))))

    def test_a_motif_is_found_on_either_strand(self):
        self.motif(n=300), self.motif("new.csv", 100, 2)
        self.mercer("fit", "motif.csv", "--target", "y", "--method", "svm", "--C", 1, "--kernel", "normalize(gkm(l=8, k=6))", "-o", "m.mercer")
        self.assertGreater(self.json("evaluate", "m.mercer", "new.csv", "--metric", "accuracy")["accuracy"], 0.9)
        plain = self.mercer("predict", "m.mercer", "new.csv", "--score")
        self.assertEqual(self.mercer("predict", "m.mercer", self.fasta("new.fa", "new.csv"), "--score"), plain)  # lower case and lines do not matter
        complement = str.maketrans("ACGT", "TGCA")
        self.file("turned.csv", "sequence\n" + "".join(s[::-1].translate(complement) + "\n" for s, _ in self.rows("new.csv")))
        for ours, theirs in zip(plain.split(), self.mercer("predict", "m.mercer", "turned.csv", "--score").split()):
            self.assertAlmostEqual(float(ours), float(theirs), places=12)

    def test_every_string_kernel_fits_and_predicts_from_its_file(self):
        self.motif(), self.motif("new.csv", 20, 2)
        for kernel in ("normalize(spectrum(k=4, reverse_complement=yes))", "normalize(mismatch(k=5, m=1))", "normalize(weighted_degree(degree=3, shift=2))@sequence",
                       "normalize(subsequence(length=3, decay=0.8))", "edit(gamma=0.05)", "normalize(spectrum) + 0.5*normalize(gkm(l=6, k=4, filter=truncated))"):
            self.mercer("fit", "motif.csv", "--target", "y", "--method", "svm", "--kernel", kernel, "-o", "m.mercer", "--allow-indefinite")
            answers = self.mercer("predict", "m.mercer", "new.csv").split()
            self.assertEqual(len(answers), 20, kernel)
            self.assertLessEqual(set(answers), {"0", "1"})
            self.assertEqual(self.mercer("predict", "m.mercer", "new.csv", "--threads", 1).split(), answers)

    def test_fasta_has_its_target_in_the_headers(self):
        self.motif()
        self.file("motif.fa", "".join(f">r{i} label=c{y}\n{s}\n" for i, (s, y) in enumerate(self.rows("motif.csv"))))
        self.mercer("fit", "motif.fa", "--method", "svm", "--kernel", "normalize(gkm(l=8, k=6))", "-o", "m.mercer")
        self.assertLessEqual(set(self.mercer("predict", "m.mercer", "motif.csv").split()), {"c0", "c1"})
        self.mercer("convert", "motif.fa", "again.csv")
        self.assertEqual([s for s, _ in self.rows_of("again.csv")], [s for s, _ in self.rows("motif.csv")])

    def rows_of(self, name):
        return [line.split(",") for line in (self.folder / name).read_text().splitlines()[1:]]

    def test_generated_data_are_written_as_tables_and_as_fasta(self):
        self.motif("a.csv"), self.motif("a.tsv"), self.motif("a.fa")
        self.assertEqual((self.folder / "a.csv").read_text().replace(",", "\t"), (self.folder / "a.tsv").read_text())
        self.assertEqual((self.folder / "a.fa").read_text(), "".join(f">{i} label={y}\n{s}\n" for i, (s, y) in enumerate(self.rows("a.csv"), 1)))
        self.assertIn("a.npz: column 'sequence' holds sequences, which this format cannot; write .csv or .tsv",
                      self.refused(2, "generate", "dna_motif", "-o", "a.npz"))
        self.assertNotIn("a.npz", self.files())

    def test_what_is_wrong_is_said_with_its_place(self):
        self.file("bare.fa", "ACGT\n")
        self.assertIn("bare.fa:1:1: the sequence has no header; FASTA has a line >name above each sequence", self.refused(3, "gram", "bare.fa", "--kernel", "spectrum", "-o", "K.npy"))
        self.file("long.fa", ">a\n" + "ACGT" * 250_000 + "\n>b\n" + "ACCT" * 250_000 + "\n")
        self.mercer("gram", "long.fa", "--kernel", "normalize(gkm(l=8, k=6)) + normalize(spectrum(k=5)) + normalize(mismatch(k=5))", "-o", "K.npy")
        self.assertIn("so cut them or use spectrum, mismatch or gkm", self.refused(4, "gram", "long.fa", "--kernel", "edit", "-o", "L.npy"))
        self.assertNotIn("L.npy", self.files())


if __name__ == "__main__":
    unittest.main()
