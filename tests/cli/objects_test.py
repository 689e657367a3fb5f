#!/usr/bin/env python3
"""Tables with columns of several kinds: kernels with @, what is found without a kernel, models, explanations, refusals."""
import re
import shlex
import unittest

from mercer_cli import MercerTest

WORDS = ("red", "green", "blue", "sea", "sun", "tree", "stone", "cloud")


class ObjectsTest(MercerTest):
    def table(self, name="t.csv", n=80, seed=0):
        """The class follows from a motif in the sequence, a tag, or a number."""
        state = seed * 7919 + 12345
        def draw(k):
            nonlocal state
            state = (state * 1103515245 + 12345) % 2**31
            return (state >> 8) % k
        lines = ["dna,tags,mass,class"]
        for i in range(n):
            dna = "".join("ACGT"[draw(4)] for _ in range(30))
            tags = " ".join(WORDS[draw(8)] for _ in range(3))
            if i % 2:
                dna, tags = dna[:10] + "GATTACA" + dna[17:], tags + " special"
            lines.append(f"{dna},{tags},{draw(100) / 10 + 5 * (i % 2)},{'yes' if i % 2 else 'no'}")
        return self.file(name, "\n".join(lines) + "\n")

    def test_a_kernel_of_several_columns_learns_predicts_and_is_saved(self):
        self.table(), self.table("new.csv", 40, 1)
        kernel = "normalize(spectrum(k=3))@dna + 0.5*jaccard@tags + rbf(gamma=scale)@mass"
        self.mercer("fit", "t.csv", "--target", "class", "--kernel", kernel, "--objects", "tags:symbols", "--method", "svm", "-o", "m.mercer")
        self.assertGreater(self.json("evaluate", "m.mercer", "new.csv", "--metric", "accuracy")["accuracy"], 0.9)
        one = self.mercer("predict", "m.mercer", "new.csv", "--score", "--threads", 1)
        self.assertEqual(self.mercer("predict", "m.mercer", "new.csv", "--score", "--threads", 3), one)
        lines = (self.folder / "new.csv").read_text().splitlines()
        turned = "\n".join(",".join(reversed(line.split(","))) for line in lines) + "\n"
        self.file("turned.csv", turned)  # columns are found by name
        self.assertEqual(self.mercer("predict", "m.mercer", "turned.csv", "--score"), one)
        self.assertIn("dna", self.refused(3, "predict", "m.mercer", self.file("less.csv", "tags,mass\nred,1\n")))

    def test_words_that_are_alike_are_learned_from_each_other(self):
        train = [("a small cat", "pet"), ("the old dog", "pet"), ("a red car", "road"), ("the fast truck", "road")]
        self.file("t.csv", "text,class\n" + "".join(f"{text},{label}\n" for text, label in train))
        self.file("new.csv", "text\nmy kitten\nthat lorry\n")
        self.file("my words.txt", "7 2\ncat 1 0\ndog .9 .1\nkitten .8 .2\ncar 0 1\ntruck .1 .9\nlorry .2 .8\nred 0 0.2\n")
        self.file("pairs.tsv", "cat\tkitten\t0.8\ntruck\tlorry\t0.8\n")
        for words in ('"my words.txt"', "pairs.tsv"):
            for method in ("svm", "logistic", "fisher", "perceptron"):
                self.mercer("fit", "t.csv", "--target", "class", "--kernel", f"normalize(bow(similarity={words}, missing=own))", "--method", method, "-o", "m.mercer")
            (self.folder / words.strip('"')).rename(self.folder / "away")  # the model has the vectors
            self.assertEqual(self.mercer("predict", "m.mercer", "new.csv").split(), ["pet", "road"], words)
            (self.folder / "away").rename(self.folder / words.strip('"'))
        self.assertIn("row 1 of column 'text' has the word 'a', which is not in the file of similarities: 'a small cat'",
                      self.refused(3, "fit", "t.csv", "--target", "class", "--method", "svm", "--kernel", "bow(similarity=pairs.tsv)", "-o", "m.mercer"))
        self.assertIn("cannot be opened", self.refused(3, "gram", "t.csv", "--target", "class", "--kernel", "bow(similarity=nothing.tsv)", "-o", "g.npy"))
        self.file("odd.tsv", "cat\tdog\t0.9\ndog\tcar\t0.9\ncat\tcar\t-0.9\n")
        self.assertIn("odd.tsv: the similarities are not positive semidefinite: the smallest eigenvalue is -0.8",
                      self.refused(3, "gram", "t.csv", "--target", "class", "--kernel", "bow(similarity=odd.tsv)", "-o", "g.npy"))

    def test_an_explanation_names_the_parts_that_matter(self):
        self.table(n=120)
        self.mercer("fit", "t.csv", "--target", "class", "--kernel", "normalize(bow)@tags", "--method", "svm", "-o", "m.mercer")
        explained = self.json("explain", "m.mercer", "t.csv", "--rows", "2", "--plot", "parts.svg")["rows"][0]
        largest = max(explained["parts"], key=lambda part: abs(part["amount"]))
        self.assertEqual((explained["subject"], largest["text"], largest["column"]), ("yes", "special", "tags"))
        self.assertGreater(largest["amount"], 0)
        self.assertIn("special", (self.folder / "parts.svg").read_text())

    def test_without_a_kernel_sequences_are_found_and_their_kernel_is_chosen(self):
        self.table(n=120)
        found = self.json("fit", "t.csv", "--target", "class", "--drop", "tags", "--drop", "mass", "-o", "m.mercer", "--report", "r.html")
        self.assertGreater(found["score"]["value"], 0.8)
        self.assertIn("column 'dna' holds sequences", found["notes"])
        self.assertIn("sequences", (self.folder / "r.html").read_text())

    def test_without_a_kernel_every_method_takes_objects(self):
        self.mercer("generate", "dna_motif", "-n", 24, "-o", "d.fasta")
        self.mercer("generate", "ring_graphs", "-n", 20, "-o", "rings")
        self.mercer("generate", "words", "-n", 24, "-o", "words.csv")
        for data, kernel in (("d.fasta", "weighted_degree"), ("rings", "wl("), ("words.csv", "bow(")):
            for options in (["--method", "logistic"], ["--method", "svm", "--C", 10], ["--C", 10], ["--method", "kmeans"]):
                self.assertIn(kernel, self.json("fit", data, *options)["kernel"])
        self.assertIn("wl(", self.json("fit", "rings", "--method", "gp", "--optimize", "none", "--task", "real")["kernel"])
        self.assertIn("wl(", self.json("fit", "rings", "--method", "svm", "--cv", 2)["kernel"])
        self.mercer("plot", "learning-curve", "rings", "-o", "l.svg")
        self.assertIn("weighted_degree", self.json("plot", "path", "d.fasta", "-o", "p.svg")["kernel"])

    def test_the_kernel_to_try_next_can_be_tried(self):
        self.table(n=30)
        self.mercer("generate", "dna_motif", "-n", 24, "-o", "d.fasta")
        for data, target in (("t.csv", ["--target", "class"]), ("d.fasta", [])):
            hints = [hint for hint in self.json("fit", data, *target)["next"] if hint.startswith("try a kernel of your own")]
            words = shlex.split(re.search(r"--kernel .*--tune", hints[0])[0])
            self.assertGreater(self.json("fit", data, *target, *words)["score"]["value"], 0)

    def test_an_object_without_features_is_like_nothing_and_said_to_be(self):
        self.file("t.tsv", "s\tclass\nACGTACGT\t1\n\t2\nACGTTT\t1\nGGGG\t2\nAC\t2\n")
        fitted = self.json("fit", "t.tsv", "--target", "class", "--task", "classes", "--method", "svm", "--kernel", "normalize(spectrum(k=3))@s", "-o", "m.mercer")
        self.assertIn("2 rows have no features for this kernel (k(x, x) = 0): row 2 is the first; their similarities are 0 with every row", fitted["warnings"])

    def test_columns_and_kinds_that_do_not_fit_are_refused_with_what_would(self):
        self.table()
        self.assertIn("did you mean", self.refused(2, "fit", "t.csv", "--target", "class", "--kernel", "spectrum@dnq"))
        self.assertIn("name the column behind the kernel", self.refused(2, "fit", "t.csv", "--target", "class", "--kernel", "spectrum"))
        self.assertIn("column 'class' is the target", self.refused(2, "fit", "t.csv", "--target", "class", "--kernel", "spectrum@class"))
        self.assertIn("'dna' holds sequences; try spectrum", self.refused(2, "fit", "t.csv", "--target", "class", "--objects", "dna:sequence", "--kernel", "rbf@dna"))
        self.assertIn("unknown kind of objects 'dnas'", self.refused(2, "fit", "t.csv", "--target", "class", "--objects", "dna:dnas", "--kernel", "rbf"))
        self.assertIn("--objects", self.refused(2, "fit", "t.csv", "--target", "class", "--objects", "dna", "--kernel", "rbf"))
        self.assertIn("no columns of numbers to scale", self.refused(2, "fit", "t.csv", "--target", "class", "--drop", "tags", "--drop", "mass", "--scale", "standard",
                                                                     "--kernel", "spectrum@dna"))


if __name__ == "__main__":
    unittest.main()
