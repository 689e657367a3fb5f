#!/usr/bin/env python3
"""Sets and texts, from files to predictions: bag tables, .sets files, text columns."""
import os
import pathlib
import unittest

from mercer_cli import MercerTest

DATA = pathlib.Path(os.environ.get("MERCER_DATA", "/nowhere"))


class Sets(MercerTest):
    def bags(self, n=80):
        self.mercer("generate", "sets", "-n", n, "-o", "sets.csv", "--quiet")
        return "sets.csv"

    def lines(self, *arguments):
        return self.mercer(*arguments).splitlines()

    def test_a_table_of_members_is_learned_and_predicted(self):
        self.bags()
        report = self.json("fit", "sets.csv", "--bag", "bag", "--target", "y", "--method", "svm", "--C", 100, "--kernel",
                           "mmd(rbf(gamma=scale), gamma=20)", "-o", "m.mercer")
        self.assertEqual(report["rows"], 80)
        measures = self.json("evaluate", "m.mercer", "sets.csv")
        self.assertGreater(measures["accuracy"], 0.9)
        predictions = self.mercer("predict", "m.mercer", "sets.csv").splitlines()
        self.assertEqual(len(predictions), 80, "one for each set, and no --bag was needed")

    def test_sets_without_a_target_are_predicted_in_order_of_appearance(self):
        self.bags(20)
        self.mercer("fit", "sets.csv", "--bag", "1", "--target", "y", "--method", "svm", "--kernel", "set(rbf(gamma=1), normalize=cosine)", "-o", "m.mercer")
        whole = self.lines("predict", "m.mercer", "sets.csv")
        text = (self.folder / "sets.csv").read_text().splitlines()
        header, members = text[0], text[1:]
        turned = [header] + [row for row in reversed(members)]
        self.file("turned.csv", "\n".join(row.rsplit(",", 1)[0] for row in turned) + "\n")
        self.assertEqual(self.lines("predict", "m.mercer", "turned.csv"), whole[::-1])

    def test_a_set_with_two_targets_is_refused_by_name(self):
        self.file("two.csv", "bag,x,y\na,1,yes\nb,2,no\na,3,no\nc,1,yes\n")
        message = self.refused(3, "fit", "two.csv", "--bag", "bag", "--target", "y", "--method", "svm", "--kernel", "set(rbf(gamma=1))", "-o", "m.mercer")
        self.assertIn("set 'a' has the target 'yes' in row 1 and 'no' in row 3; all members of a set must have the same", message)
        self.assertEqual(self.files(), ["two.csv"])

    def test_a_column_of_texts_is_one_of_sets_to_kernels_of_sets(self):
        tags = ["red green", "green blue", "blue red", "red green blue", "tall", "tall wide", "wide", "deep tall"] * 3
        self.file("shop.csv", "tags,price,bought\n" + "".join(f"{tag},{i},{'yes' if i % 8 < 4 else 'no'}\n" for i, tag in enumerate(tags)))
        self.mercer("gram", "shop.csv", "--target", "bought", "--kernel", "jaccard@tags", "-o", "K.csv")
        self.mercer("gram", "shop.csv", "--target", "bought", "--objects", "tags:symbols", "--kernel", "jaccard@tags", "-o", "told.csv")
        K, told = ((self.folder / name).read_text() for name in ("K.csv", "told.csv"))
        self.assertEqual(K, told)
        self.assertAlmostEqual(float(K.splitlines()[1].split(",")[1]), 1 / 3)  # {red, green} and {green, blue}
        self.mercer("fit", "shop.csv", "--target", "bought", "--kernel", "intersection@tags + linear@price", "-o", "m.mercer")
        self.file("new.csv", "tags,price\nblue,3\nwide deep,3\n")
        self.assertEqual(self.lines("predict", "m.mercer", "new.csv"), ["yes", "no"])
        # Numbers stay numbers, and standard input cannot be looked at before it is read.
        self.mercer("gram", "shop.csv", "--target", "bought", "--kernel", "jaccard@price", "-o", "K.csv")
        self.assertAlmostEqual(float((self.folder / "K.csv").read_text().splitlines()[2].split(",")[2]), 1 / 2)
        self.assertIn("--objects tags:symbols", self.refused(2, "gram", "-", "--target", "bought", "--kernel", "jaccard@tags", "-o", "K.csv", stdin="tags,bought\na,1\n"))

    def test_an_unknown_column_of_sets_is_refused(self):
        self.bags(10)
        message = self.refused(2, "fit", "sets.csv", "--bag", "bagg", "--target", "y", "--method", "svm", "--kernel", "set(rbf(gamma=1))", "-o", "m.mercer")
        self.assertIn("there is no column 'bagg'", message)
        self.assertIn("did you mean 'bag'?", message)

    def test_a_file_of_sets_is_learned_and_predicted(self):
        self.file("baskets.sets", "fruit\tapple pear fig\ntools\thammer saw\nfruit\tpear plum\ntools\tsaw nail nail\nfruit\tapple plum\ntools\t\n")
        self.mercer("fit", "baskets.sets", "--method", "svm", "--C", 10, "--kernel", "jaccard", "-o", "m.mercer")
        self.file("new.sets", "plum apple\nnail saw\n")
        self.assertEqual(self.lines("predict", "m.mercer", "new.sets"), ["fruit", "tools"])

    def test_sets_are_converted(self):
        self.bags(6)
        self.mercer("convert", "sets.csv", "--bag", "bag", "--target", "y", "sets.sets")
        self.assertEqual(len((self.folder / "sets.sets").read_text().splitlines()), 6)
        self.mercer("convert", "sets.sets", "again.csv")
        again = (self.folder / "again.csv").read_text().splitlines()
        self.assertEqual(len(again), len((self.folder / "sets.csv").read_text().splitlines()))

    def test_empty_sets_and_texts_have_nothing_in_common_with_any(self):
        self.file("e.sets", "a\tx y\na\t\nb\tz\nb\ty z\n")
        for kernel in ("set(delta, normalize=cosine)", "jaccard", "normalize(bow)", "normalize(general_set(delta, linear))"):
            self.mercer("gram", "e.sets", "--kernel", kernel, "-o", "K.csv")
            rows = [[float(cell) for cell in line.split(",")[:4]] for line in (self.folder / "K.csv").read_text().splitlines() if line[0] in "-0123456789"]
            self.assertEqual(rows[1], [0, 0, 0, 0], kernel)

    def test_texts_of_a_table_are_learned_and_predicted(self):
        self.mercer("generate", "words", "-n", 200, "-o", "words.csv", "--quiet")
        self.mercer("fit", "words.csv", "--target", "y", "--method", "svm", "--kernel", "normalize(bow)@text", "-o", "m.mercer")
        self.assertGreater(self.json("evaluate", "m.mercer", "words.csv")["accuracy"], 0.9)
        self.file("new.csv", 'text\n"Free prize, claim NOW!"\nlunch at home\n""\n')
        self.assertEqual(self.lines("predict", "m.mercer", "new.csv")[:2], ["1", "0"])

    def test_words_and_members_are_explained_beside_numbers(self):
        rows = [(f"win a prize {i % 3}", i % 5, 1) if i % 2 else (f"lunch at home {i % 3}", i % 7, 0) for i in range(40)]
        self.file("mixed.csv", "text,hour,y\n" + "".join(f"{text},{hour},{y}\n" for text, hour, y in rows))
        self.mercer("fit", "mixed.csv", "--target", "y", "--method", "svm", "--kernel", "normalize(bow)@text + 0.1*rbf(gamma=1)@hour", "-o", "m.mercer")
        said = self.mercer("explain", "m.mercer", "mixed.csv")
        for part in ("lunch", "home", "hour"):
            self.assertIn(part, said)
        self.bags(20)
        self.mercer("fit", "sets.csv", "--bag", "bag", "--target", "y", "--method", "svm", "--kernel", "set(rbf(gamma=1))", "-o", "b.mercer")
        self.assertIn("member 1", self.mercer("explain", "b.mercer", "sets.csv"))

    def test_labels_that_the_model_does_not_know_are_refused(self):
        self.file("baskets.sets", "fruit\tapple pear\ntools\thammer saw\nfruit\tpear\ntools\tsaw\n")
        self.mercer("fit", "baskets.sets", "--method", "svm", "--kernel", "jaccard", "-o", "m.mercer")
        self.file("new.sets", "animals\tcat dog\nfruit\tpear\n")
        result = self.run_mercer("evaluate", "m.mercer", "new.sets")
        self.assertIn("animals", result.stdout + result.stderr)

    def test_quotes_inside_cells_of_tab_separated_text_are_text(self):
        self.file("messages.tsv", "ham\tHe said \"yes\" to me\nspam\t\"win\" now\nham\t\"all of it\"\nspam\twin 5\" pipes\n" * 5)
        result = self.run_mercer("fit", "messages.tsv", "--target", "1", "--method", "svm", "--kernel", "bow", "-o", "m.mercer")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("quotes inside cells are read as text", result.stdout + result.stderr)

    @unittest.skipUnless((DATA / "sms_spam/sms_spam.tsv").exists(), "the folder of public data is missing; set MERCER_DATA")
    def test_spam_is_told_from_ham(self):
        report = self.json("fit", DATA / "sms_spam/sms_spam.tsv", "--target", 1, "--method", "svm", "--kernel", "normalize(bow(weight=log))", "-o", "m.mercer")
        self.assertEqual(report["rows"], 5574)


if __name__ == "__main__":
    unittest.main()
