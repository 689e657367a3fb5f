#!/usr/bin/env python3
"""fit, predict and evaluate on tables as people keep them, from a shell with no other flag than the target."""
import math
import random
import unittest

from mercer_cli import MercerTest


class MessyTables(MercerTest):
    def passengers(self, name="passengers.csv", n=80, seed=1, target=True):
        """An index, names, tickets, ages with holes, cabins mostly missing, a constant, an empty column, a port, a comment."""
        generator = random.Random(seed)
        lines = ["PassengerId,Survived,Name,Age,Sex,Ticket,Fare,Cabin,Ship,Remarks,Booked,Comment"]
        for i in range(n):
            sex = generator.choice(["male", "female"])
            fare = generator.uniform(5, 80)
            survived = str(int((sex == "female") != (generator.random() < 0.1))) if target else ""
            age = "" if generator.random() < 0.2 else f"{generator.uniform(1, 70):.0f}"
            cabin = generator.choice(["A", "B"]) if generator.random() < 0.3 else ""
            ticket = f"{generator.randrange(10**5, 10**6)}" if generator.random() < 0.5 else f"PC {generator.randrange(10**4)}"
            booked = f"1912-{1 + i % 3:02}-{1 + i % 28:02}"
            lines.append(f'{i + 1},{survived},"Smith, Mr. {chr(65 + i % 26)}{i}",{age},{sex},{ticket},{fare:.2f},{cabin},Titanic,,{booked},'
                         f'"boarded as passenger {i} of the ship"')
        return self.file(name, "\n".join(lines) + "\n")

    def noted(self, *arguments):
        """Runs with --quiet off and gives the notes on standard error."""
        result = self.run_mercer(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout, [line.removeprefix("mercer: note: ") for line in result.stderr.splitlines()]

    def test_passengers(self):
        report = self.json("fit", self.passengers(), "--target", "Survived", "--scale", "standard", "-o", "m.mercer")
        notes = "\n".join(report["notes"])
        self.assertEqual(report["rows"], 80)
        for part in ["column 'PassengerId' is dropped: it numbers the rows", "'Name', 'Ticket' are dropped: they look like IDs, with texts that differ from row to row",
                     "column 'Ship' is dropped: it has the same value in every row", "column 'Remarks' is dropped: it has no values",
                     "column 'Comment' holds texts",
                     "column 'Booked' holds dates", "missing numbers take the mean of their column: 'Age' (", "a category of their own: 'Cabin' ("]:
            self.assertIn(part, notes)
        text = self.mercer("fit", "passengers.csv", "--target", "Survived")
        self.assertIn("note", text)
        self.assertIn("'Ship' is dropped", text)
        # Another file, with all the same holes and without answers, gets a prediction for every row.
        answers, stderr = self.noted("predict", "m.mercer", self.passengers("new.csv", 30, 2, target=False))
        self.assertEqual(len(answers.splitlines()), 30)
        self.assertEqual(set(answers.split()), {"0", "1"})
        self.assertEqual([line for line in stderr if "mean" not in line], [line for line in stderr if "category of their own" in line])
        self.assertGreater(self.json("evaluate", "m.mercer", self.passengers("more.csv", 60, 3))["accuracy"], 0.6)

    def test_another_file_with_other_columns(self):
        rows = "\n".join(f"{i * 37 % 50},{'red' if i % 3 else 'blue'},{int(i * 37 % 50 > 25)}" for i in range(60))
        self.file("a.csv", "x,colour,y\n" + rows + "\n")
        self.mercer("fit", "a.csv", "-o", "m.mercer")
        answers, notes = self.noted("predict", "m.mercer", self.file("b.csv", "extra,colour,x\nfoo,red,1\nbar,green,49\nbaz,pink,49\n"))
        self.assertEqual(answers.split(), ["0", "1", "1"])
        self.assertEqual(notes, ["column 'extra' is ignored: not among those learned from",
                                 "column 'colour': 2 cells have a category that was not learned, such as 'green': none of the known ones is set"])
        self.assertEqual(self.run_mercer("predict", "m.mercer", "b.csv", "--quiet").stderr, "")
        message = self.refused(3, "predict", "m.mercer", self.file("c.csv", "extra,more\nfoo,1\nbar,2\n"))
        self.assertIn("there are no columns 'x', 'colour'; the columns are 'extra', 'more'", message)
        # Rows without an answer are predicted, but cannot be compared.
        self.file("d.csv", "x,colour,y\n1,red,0\n49,,\n48,blue,1\n")
        self.assertEqual(len(self.noted("predict", "m.mercer", "d.csv")[0].split()), 3)
        result = self.run_mercer("evaluate", "m.mercer", "d.csv", "--json")
        self.assertIn("dropped 1 of 3 rows: no target", result.stderr)
        self.assertIn("missing", self.refused(3, "predict", "m.mercer", "d.csv", "--missing", "refuse"))

    def test_targets_that_cannot_be_learned(self):
        rows = [f"{math.sin(i):.4f},{i % 2},same,name{i}" for i in range(40)]
        self.file("t.csv", "x,half,one,key\n" + "\n".join(rows) + "\n")
        self.assertIn("is 'same' in every row, so there is nothing to learn", self.refused(3, "fit", "t.csv", "--target", "one"))
        self.assertIn("has 40 classes in 40 rows: looks like an ID column, not a target", self.refused(3, "fit", "t.csv", "--target", "key"))
        message = self.refused(2, "fit", "t.csv")
        for part in ["no target column found", "--target", "'x', 'half', 'one', 'key'"]:
            self.assertIn(part, message)
        self.assertIn("target 'n' is 3.5 in every row", self.refused(3, "fit", self.file("n.csv", "x,n\n1,3.5\n2,3.5\n4,3.5\n"), "--target", "n"))

    def test_a_column_that_repeats_the_target(self):
        generator = random.Random(4)
        rows = []
        for i in range(60):
            x = generator.gauss(0, 1)
            rows.append(f"{x:.4f},{int(x > 0)},{'up' if x > 0 else 'down'}")
        self.file("leak.csv", "x,code,y\n" + "\n".join(rows) + "\n")
        self.assertIn("column 'code' repeats the target: a model that learns from it learns nothing else; leave it out with --drop code",
                      self.json("fit", "leak.csv")["notes"])
        report = self.json("fit", "leak.csv", "--drop", "code", "-o", "m.mercer")
        self.assertEqual(report["columns"], 1)
        self.assertEqual(report["notes"], [])
        self.assertEqual(self.noted("predict", "m.mercer", "leak.csv")[1], [])
        self.assertIn("there is no column 'cod' to leave out; did you mean 'code'?", self.refused(2, "fit", "leak.csv", "--drop", "cod"))

    def test_keep_learns_from_what_looks_like_nothing(self):
        rows = "\n".join(f"{i},{i * i % 7},{int(i > 20)}" for i in range(40))
        self.file("k.csv", "t,x,y\n" + rows + "\n")
        self.assertEqual(self.json("fit", "k.csv")["columns"], 1)
        self.assertEqual(self.json("fit", "k.csv", "--keep", "t")["columns"], 2)

    def test_a_spreadsheet_of_europe(self):
        rows = []
        for i in range(60):
            size, city, bought = i * 7 % 20 / 2, "München" if i % 2 else "Köln", "ja" if i * 7 % 20 > 9 else "nein"
            rows.append(f"{size};{city};{1 + i % 28:02}-{1 + i % 12:02}-2023;{bought}".replace(".", ",").replace("-", "."))
        (self.folder / "eu.csv").write_bytes(("Größe;Stadt;Datum;Kauf\r\n" + "\r\n".join(rows) + "\r\n").encode("cp1252"))
        report = self.json("fit", "eu.csv", "--target", "Kauf", "-o", "m.mercer")
        self.assertEqual(report["columns"], 4)
        self.assertEqual(report["classes"], ["ja", "nein"])
        self.assertIn("the file is not UTF-8 text; it is read as Windows-1252 (Latin-1)", report["notes"])
        self.assertIn("the commas inside numbers are read as decimal points", report["notes"])
        # The same data as UTF-8, with commas and points, are the same to the model.
        text = (self.folder / "eu.csv").read_bytes().decode("cp1252").replace(",", ".").replace(";", ",")
        (self.folder / "utf8.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
        self.assertEqual(self.noted("predict", "m.mercer", "eu.csv")[0], self.noted("predict", "m.mercer", "utf8.csv")[0])
        (self.folder / "utf16.csv").write_bytes(text.encode("utf-16"))
        self.assertIn("the file is UTF-16 text; save it as UTF-8", self.refused(3, "fit", "utf16.csv", "--target", "Kauf"))

    def test_three_rows_work_or_are_refused_in_words(self):
        for text in ["x,y\n1,a\n2,b\n3,a\n", "x,y\n1,a\n2,b\n3,c\n", "x,y\n1,0.5\n2,1.5\n3,1.25\n", "x,y\n1,a\n", "x,y\n,a\n,b\n,a\n", "x,y\n1,\n2,\n3,\n"]:
            with self.subTest(text):
                result = self.run_mercer("fit", self.file("three.csv", text), "--target", "y")
                self.assertIn(result.returncode, (0, 2, 3), result.stderr)
                if result.returncode:
                    self.assertTrue(result.stderr.startswith("mercer: "), result.stderr)

    def test_other_commands_keep_refusing(self):
        self.file("h.csv", "a,b,y\n1,2,0\n,4,1\n5,6,0\n")
        self.assertIn("missing", self.refused(3, "convert", "h.csv", "out.csv"))
        self.assertIn("--missing", self.mercer("convert", "--help"))
        self.mercer("convert", "h.csv", "out.csv", "--missing", "auto", "--drop", "b")
        self.assertEqual((self.folder / "out.csv").read_text(), "a,y\n1,0\n3,1\n5,0\n")
        self.assertIn("--drop", self.refused(2, "predict", "m.mercer", "h.csv", "--drop", "a"))

    def test_a_wide_table(self):
        generator = random.Random(5)
        header = ",".join(f"gene{j}" for j in range(10000)) + ",y"
        rows = [",".join(str(generator.randrange(100)) for _ in range(10000)) + f",{i % 2}" for i in range(24)]
        self.file("wide.csv", header + "\n" + "\n".join(rows) + "\n")
        self.assertEqual(self.json("fit", "wide.csv", "-o", "m.mercer")["columns"], 10000)
        self.assertEqual(len(self.noted("predict", "m.mercer", "wide.csv")[0].split()), 24)


if __name__ == "__main__":
    unittest.main()
