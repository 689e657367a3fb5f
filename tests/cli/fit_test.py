"""mercer fit that chooses: with nothing but DATA, with grids, with rows to judge on; what it says and how it refuses."""
import random
import signal
import subprocess
import time
import unittest

import numpy

from mercer_cli import MERCER, MercerTest


class Choosing(MercerTest):
    def passengers(self, n=120):
        """A table as people keep it: names, categories, missing cells, a date, and an answer that depends on two columns."""
        chance = random.Random(3)
        lines = ["id,name,class,age,joined,fare,survived"]
        for i in range(n):
            place = chance.choice(["first", "second", "third"])
            fare = {"first": 80, "second": 25, "third": 8}[place] * chance.uniform(0.7, 1.4)
            age = "" if chance.random() < 0.1 else str(chance.randint(1, 80))
            lived = (place == "first" or (age and int(age) < 25)) != (chance.random() < 0.05)
            lines.append(f"{i + 1},Person {chance.random():.9f},{place},{age},2020-01-{1 + i % 28:02d},{fare:.2f},{'yes' if lived else 'no'}")
        return self.file("passengers.csv", "\n".join(lines) + "\n")

    def test_with_nothing_but_the_data(self):
        self.passengers()
        said = self.mercer("fit", "passengers.csv", "--target", "survived", "-o", "m.mercer")
        for word in ("selected    best of ", "score       accuracy", "baseline    accuracy", "5-fold cross-validation", "scaling     standard", "note", "'id' is dropped", "next"):
            self.assertIn(word, said)
        answer = self.json("fit", "passengers.csv", "--target", "survived")
        self.assertGreater(answer["score"]["low"], answer["baseline"]["high"])
        self.assertLessEqual(answer["score"]["low"], answer["score"]["value"])
        self.assertEqual(answer["search"]["best"]["kernel"], answer["kernel"])
        self.assertEqual(len(self.mercer("predict", "m.mercer", "passengers.csv").splitlines()), 120)

    def test_numbers_without_a_word(self):
        self.mercer("generate", "sine", "-n", 80, "-o", "sine.csv")
        answer = self.json("fit", "sine.csv")
        self.assertEqual(answer["metric"], "rmse")
        self.assertLess(answer["score"]["high"], answer["baseline"]["low"])

    def test_the_same_answer_each_time_and_for_any_threads(self):
        self.moons(200)
        one, two = (self.json("fit", "moons.csv", "--threads", threads) for threads in (1, 2))
        for key in ("kernel", "parameters", "score", "baseline", "objective"):
            self.assertEqual(one[key], two[key])

    def test_grids_and_folds(self):
        self.moons(60)
        self.file("folds.txt", "".join(f"{i % 3 + 1}\n" for i in range(60)))
        answer = self.json("fit", "moons.csv", "--method", "svm", "--kernel", "rbf(gamma=1)", "--grid", "C=2^-1:2^3:2", "--grid", "gamma=0.5,2", "--folds", "folds.txt")
        trials = answer["search"]["trials"]
        self.assertEqual({(t["values"]["C"], t["values"]["gamma"]) for t in trials}, {(c, g) for c in (0.5, 2, 8) for g in (0.5, 2)})
        best = max(t["score"] for t in trials)
        self.assertEqual(answer["search"]["best"]["score"], best)
        self.assertEqual(answer["parameters"]["C"], answer["search"]["best"]["values"]["C"])

    def test_what_is_given_stays(self):
        self.moons(80)
        answer = self.json("fit", "moons.csv", "--C", 3, "--kernel", "rbf(gamma=scale)", "--tune")
        self.assertEqual(answer["parameters"]["C"], 3)
        self.assertGreater(len(answer["search"]["trials"]), 3)
        answer = self.json("fit", "moons.csv", "--C", 3, "--kernel", "rbf(gamma=2)", "--holdout", 0.25)
        self.assertEqual((answer["parameters"]["C"], answer["kernel"], answer["scored_on"]), (3, "rbf(gamma=2)", "20 rows held out"))
        answer = self.json("fit", "moons.csv", "--metric", "auc", "--scale", "minmax", "--cv", 3, "--repeats", 2)
        self.assertEqual((answer["metric"], answer["scored_on"]), ("auc", "3-fold cross-validation"))

    def test_weights_of_kernels_are_judged_too(self):
        self.moons(60)
        answer = self.json("fit", "moons.csv", "--kernel", "mkl(rbf(gamma=1), linear)", "--C", 1, "--holdout", 0.3)
        self.assertNotIn("mkl", answer["kernel"])
        self.assertEqual(len(self.json("fit", "moons.csv", "--kernel", "mkl(rbf(gamma=1), linear)", "--grid", "C=1,10", "--cv", 3)["search"]["trials"]), 2)

    def test_a_test_file_is_matched_by_name(self):
        lines = [line.split(",") for line in (self.folder / self.passengers()).read_text().splitlines()[:41]]
        self.file("test.csv", "".join(",".join([line[c] for c in (6, 5, 3, 2, 4)] + ["extra" if line is lines[0] else "1"]) + "\n" for line in lines))
        result = self.run_mercer("fit", "passengers.csv", "--target", "survived", "--test", "test.csv", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("40 test rows", result.stdout)

    def test_whole_numbers_are_numbers_to_a_method_of_numbers(self):
        self.moons(60)
        answer = self.json("fit", "moons.csv", "--method", "ridge", "--tune")
        self.assertEqual((answer["metric"], answer["method"]), ("rmse", "ridge"))

    def test_many_whole_numbers_are_learned_as_numbers(self):
        """Counts with rare values at their ends, as the rings of abalone are: as classes they ended in an error after half a minute."""
        rng = numpy.random.default_rng(3)
        rings = numpy.clip(numpy.round(rng.lognormal(2.2, 0.35, 200)), 1, 29).astype(int)
        rows = "".join(f"{ring + rng.normal():.3f},{rng.normal():.3f},{ring}\n" for ring in rings)
        self.file("shells.csv", "length,weight,rings\n" + rows)
        options = ("shells.csv", "--target", "rings", "--holdout", 0.3)
        answer = self.json("fit", *options)
        self.assertEqual((answer["metric"], answer["scored_on"]), ("rmse", "60 rows held out"))
        note = f"target 'rings' has {len(set(rings))} different whole numbers and is read as numbers (regression); read it as classes with --task classes"
        self.assertIn(note, answer["notes"])
        for told in (("--task", "classes"), ("--metric", "accuracy"), ("--class-weight", "balanced")):
            answer = self.json("fit", *options, *told, "--method", "svm", "--kernel", "rbf(gamma=1)")
            self.assertEqual((answer["metric"], answer["scored_on"], len(answer["classes"])), ("accuracy", "60 rows held out", len(set(rings))))
            self.assertNotIn(note, answer["notes"])
        self.assertEqual(self.json("fit", *options, "--task", "real", "--kernel", "linear")["notes"], [])

    def test_the_share_held_out_is_the_one_asked_for(self):
        self.mercer("generate", "moons", "-n", 300, "-o", "moons.csv", "--quiet")
        for part, rows in [(0.3, 90), (0.15, 45), (0.6, 180), (0.7, 210)]:
            self.assertEqual(self.json("fit", "moons.csv", "--kernel", "rbf(gamma=1)", "--holdout", part)["scored_on"], f"{rows} rows held out")

    def test_a_class_that_only_the_test_rows_have_counts_as_an_error(self):
        self.file("train.csv", "x,y\n" + "".join(f"{i % 2 * 5 + i / 100},{'ab'[i % 2]}\n" for i in range(40)))
        self.file("test.csv", "x,y\n0,a\n5,b\n0.1,a\n9,c\n")
        answer = self.json("fit", "train.csv", "--target", "y", "--kernel", "rbf(gamma=1)", "--test", "test.csv")
        self.assertEqual(answer["score"]["value"], 0.75)
        self.assertIn("1 of 4 rows to judge on is of a class that no row to learn from has ('c'); they count as errors", answer["notes"])

    def test_what_is_fixed_is_not_searched(self):
        self.moons(60)
        fixed = ("fit", "moons.csv", "--method", "svm", "--C", "3", "--kernel", "rbf(gamma=1)", "--test", "moons.csv")
        answer = self.json(*fixed)
        self.assertEqual((answer["search"], answer["scored_on"]), (None, "60 test rows"))
        self.assertNotIn("candidate", self.mercer(*fixed))

    def test_the_candidates_announced_are_those_reported(self):
        self.moons(60)
        planned = self.json("fit", "moons.csv", "--dry-run")["candidates"]
        search = self.json("fit", "moons.csv")["search"]
        self.assertEqual(search["planned"], planned)
        self.assertEqual(search["candidates"], planned - search["failed"] + search["refined"])

    def test_dry_run_says_what_it_would_take(self):
        self.moons(50)
        plan = self.json("fit", "moons.csv", "--dry-run")
        self.assertGreater(plan["candidates"], 20)
        self.assertGreater(plan["seconds"]["low"], 0)
        self.assertEqual(self.files(), ["moons.csv"])

    def test_refusals(self):
        self.moons(40)
        self.file("folds.txt", "0\n1\n")
        self.file("words.txt", "0\n1\n0\nx\n")
        for code, said, *options in [
            (2, "grid 'C'", "--grid", "C"),
            (2, "neither svm nor", "--method", "svm", "--grid", "width=1,2"),
            (2, "for 2 rows, but there are 40", "--folds", "folds.txt"),
            (3, "words.txt", "--folds", "words.txt"),
            (2, "rmse is a metric of numbers", "--metric", "rmse"),
            (2, "did you mean 'accuracy'", "--metric", "acuracy"),
            (2, "--cv", "--cv", "1"),
            (2, "--holdout", "--holdout", "1"),
            (2, "is unsupervised", "--method", "kmeans", "--tune"),
            (2, "give only one", "--holdout", "0.5", "--test", "moons.csv"),
            (4, "did not suffice to evaluate one candidate", "--time", "1e-9"),
        ]:
            self.assertIn(said, self.refused(code, "fit", "moons.csv", "-o", "m.mercer", *options))
        self.assertNotIn("m.mercer", self.files())

    def test_tables_that_cannot_be_learned(self):
        for text, said in [
            ("x,y\n1,2\n", "one row"),
            ("x,label\n1,a\n2,a\n3,a\n", "a"),
            ("x,label\n" + "".join(f"{i},name{i}\n" for i in range(100)), "classes"),
            ("a,b\n1,2\n3,4\n", "--target"),
        ]:
            self.file("t.csv", text)
            result = self.run_mercer("fit", "t.csv")
            self.assertIn(result.returncode, (2, 3), result.stderr)
            self.assertIn(said, result.stderr)

    def test_three_rows(self):
        self.file("t.csv", "x,y\n1,2.5\n2,3.5\n3,4.6\n")
        self.assertEqual(self.json("fit", "t.csv")["rows"], 3)

    def test_ctrl_c_keeps_the_best(self):
        self.mercer("generate", "checkerboard", "-n", 3000, "-o", "board.csv")
        process = subprocess.Popen([MERCER, "fit", "board.csv", "--method", "svm", "--kernel", "rbf(gamma=1)", "--grid", "gamma=0.1:60:0.1", "--C", "1",
                                    "-o", "m.mercer", "--quiet"], cwd=self.folder, stderr=subprocess.PIPE)
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130, said)
        self.assertEqual(len(self.mercer("predict", "m.mercer", "board.csv").splitlines()), 3000)


if __name__ == "__main__":
    unittest.main()
