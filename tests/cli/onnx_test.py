#!/usr/bin/env python3
"""Models as ONNX graphs: checked by onnx, run by ONNX Runtime, and compared with what `mercer predict` says."""
import json
import unittest

from mercer_cli import MERCER, MercerTest
from onnx_matrix import BOUND, KERNELS, METHODS, Matrix, gap
from onnx_runtime import Runtime

try:
    import onnx
except ImportError:
    onnx = None

# Kernels with every method, and methods with every kernel.
KERNELS_OF_ALL, METHODS_OF_ALL = ("rbf", "linear", "manhattan", "center"), ("svm 3 classes", "ridge", "knn distance")
APPROXIMATIONS = {"svm nystrom": "normalize", "ridge fourier": "sum", "ridge sketch": "poly", "ridge explicit": "mapped powers"}


def check(path):
    if onnx:
        onnx.checker.check_model(onnx.load(str(path)), full_check=True)


class Graphs(MercerTest):
    def test_kernels_and_methods_agree_with_mercer_predict(self):
        matrix = Matrix(MERCER, self.folder)
        self.addCleanup(matrix.close)
        worst, compared, refused = (0.0, "", ""), 0, []
        cells = [(m, k) for m in METHODS for k in KERNELS if m in METHODS_OF_ALL or (k in KERNELS_OF_ALL and m not in APPROXIMATIONS)]
        for method, kernel in [*cells, *APPROXIMATIONS.items()]:
            found = matrix.cell(method, kernel, check)
            if found is None:
                refused.append((method, kernel))
                continue
            compared += 1
            worst = max(worst, (found, method, kernel))
            self.assertLessEqual(found, BOUND, (method, kernel))
        print(f"ONNX: {compared} models, largest difference {worst[0]:.1e} ({worst[1]}, {worst[2]}); {len(refused)} that a fit refuses")
        self.assertGreater(compared, 200)
        self.assertFalse([cell for cell in refused if cell[0] in METHODS_OF_ALL], "every kernel has a model of these")

    def test_every_kernel_of_numbers_and_every_method_is_in_the_matrix(self):
        numeric = {k["name"] for k in self.json("kernels") if k["kind"] == "kernel" and not k["domains"]} - {"precomputed"}
        self.assertLessEqual(numeric, set(KERNELS), "tests/cli/onnx_matrix.py lacks a kernel")
        methods = {m["name"] for m in self.json("methods")}
        self.assertEqual(methods, {name.split(" ")[0] for name in METHODS}, "tests/cli/onnx_matrix.py lacks a method")


class Tables(MercerTest):
    """Categories, missing cells, scaling, labels of any kind."""

    TABLE = "size,colour,weight,kind\n" + "".join(
        f"{size},{colour},{weight},{kind}\n"
        for size, colour, weight, kind in (
            (1.0, "red", 10, "small one"), (2.5, "blue", 20, "big"), (1.2, "red", "", "small one"), (2.0, "", 30, "big"), (0.7, "green", 11, "small one"),
            (3.1, "blue", 25, "big"), ("", "green", 14, "small one"), (2.2, "red", 33, "big"), (1.1, "blue", 9, "other"), (0.2, "green", 50, "other"), (0.3, "red", 52, "other")))
    NEW = [[1.4, 12.0], [None, 22.0], [2.9, None], [0.4, 51.0], [1.0, 10.0]]
    COLOURS = [["red"], ["blue"], [""], ["violet"], ["NA"]]

    def setUp(self):
        super().setUp()
        self.runtime = Runtime()
        self.addCleanup(self.runtime.close)
        self.file("new.csv", "size,colour,weight\n" + "".join(f"{'' if a is None else a},{c},{'' if b is None else b}\n" for (a, b), [c] in zip(self.NEW, self.COLOURS)))

    def compare(self, *options, table=TABLE):
        self.file("table.csv", table)
        self.mercer("fit", "table.csv", "--target", "kind", *options, "-o", "m.mercer", "--quiet")
        self.mercer("convert", "m.mercer", "m.onnx", "--quiet")
        check(self.folder / "m.onnx")
        found = self.runtime.run(self.folder / "m.onnx", X=self.NEW, categories=self.COLOURS)
        lines = lambda *flags: self.mercer("predict", "m.mercer", "new.csv", "--quiet", *flags).splitlines()
        self.assertEqual([str(label) for label in found["label"]], lines())
        numbers = [[float(cell) for cell in line.split(" ")] for line in lines("--score")]
        self.assertLessEqual(gap(found["scores"], numbers), BOUND)
        if "probabilities" in found:
            self.assertLessEqual(gap(found["probabilities"], [[float(cell) for cell in line.split(" ")] for line in lines("--proba")]), BOUND)
        return found

    def test_texts_missing_cells_and_scaling_are_in_the_graph(self):
        for scale in ("none", "standard", "minmax"):
            found = self.compare("--kernel", "rbf(gamma=0.3)", "--method", "svm", "--scale", scale)
            self.assertIsInstance(found["label"][0], str)
        self.compare("--kernel", "rbf(gamma=0.3)@[size, weight] + delta@colour", "--method", "logistic", "--scale", "standard")
        self.compare("--kernel", "rbf(gamma=0.3)", "--method", "svm", "--proba", "--scale", "standard", table=self.TABLE + self.TABLE.split("\n", 1)[1] * 4)

    def test_labels_that_are_whole_numbers_are_numbers(self):
        found = self.compare("--kernel", "rbf(gamma=0.3)", "--method", "svm", "--scale", "standard", "--task", "classes",
                             table=self.TABLE.replace("small one", "-1").replace("big", "7").replace("other", "3"))
        self.assertIsInstance(found["label"][0], int)

    def test_the_file_names_its_columns(self):
        self.file("table.csv", self.TABLE)
        self.mercer("fit", "table.csv", "--target", "kind", "--kernel", "linear", "--method", "svm", "-o", "m.mercer", "--quiet")
        answer = self.json("convert", "m.mercer", "m.onnx")
        self.assertEqual((answer["file"], answer["method"], answer["kernel"]), ("m.onnx", "svm", "linear"))
        if not onnx:
            self.skipTest("there is no onnx to read the file with")
        graph = onnx.load(str(self.folder / "m.onnx"))
        metadata = {entry.key: entry.value for entry in graph.metadata_props}
        self.assertEqual(json.loads(metadata["mercer.X"]), ["size", "weight"])
        self.assertEqual(json.loads(metadata["mercer.categories"]), ["colour"])
        self.assertEqual(json.loads(metadata["mercer.labels"]), ["big", "other", "small one"])
        self.assertEqual([value.name for value in graph.graph.input], ["X", "categories"])

    def test_float32(self):
        data = self.moons(60)
        self.mercer("fit", data, "--kernel", "rbf(gamma=1)", "-o", "m.mercer", "--quiet")
        self.mercer("convert", "m.mercer", "m.onnx", "--float32", "--quiet")
        check(self.folder / "m.onnx")
        rows = [[float(cell) for cell in line.split(",")[:2]] for line in (self.folder / data).read_text().splitlines()[1:]]
        found = self.runtime.run(self.folder / "m.onnx", X=(rows, "float32"))
        expected = [[float(line)] for line in self.mercer("predict", "m.mercer", data, "--score", "--quiet").split()]
        self.assertLessEqual(gap(found["scores"], expected), BOUND)

    def test_a_kernel_matrix_that_is_given(self):
        data = self.moons(40)
        self.mercer("gram", data, "--kernel", "rbf(gamma=1)", "-o", "k.csv", "--quiet")
        rows = [[float(cell) for cell in line.split(",")] for line in (self.folder / "k.csv").read_text().splitlines()[1:]]
        kernel = "\n".join(",".join(map(str, row)) + f",{i % 2}" for i, row in enumerate(row[:40] for row in rows))
        self.file("given.csv", ",".join(f"k{i + 1}" for i in range(40)) + ",y\n" + kernel + "\n")
        self.mercer("fit", "given.csv", "--target", "y", "--task", "classes", "--kernel", "precomputed", "--allow-indefinite", "-o", "m.mercer", "--quiet")
        self.mercer("convert", "m.mercer", "m.onnx", "--quiet")
        found = self.runtime.run(self.folder / "m.onnx", X=[row[:40] for row in rows])
        expected = [[float(line)] for line in self.mercer("predict", "m.mercer", "given.csv", "--score", "--quiet").split()]
        self.assertLessEqual(gap(found["scores"], expected), BOUND)


class Refusals(MercerTest):
    def test_variances(self):
        self.mercer("generate", "sine", "-n", 30, "-o", "sine.csv", "--quiet")
        self.mercer("fit", "sine.csv", "--method", "gp", "--kernel", "rbf(gamma=1)", "-o", "m.mercer", "--quiet")
        message = self.refused(2, "convert", "m.mercer", "m.onnx", "--variance")
        self.assertIn("not their variances", message)
        self.assertIn("predict", message)
        self.assertNotIn("m.onnx", self.files())
        self.mercer("convert", "m.mercer", "m.onnx", "--quiet")

    def test_objects(self):
        self.mercer("generate", "dna_motif", "-n", 30, "-o", "dna.csv", "--quiet")
        self.mercer("fit", "dna.csv", "--kernel", "spectrum(k=3)", "--method", "svm", "-o", "m.mercer", "--quiet")
        message = self.refused(2, "convert", "m.mercer", "m.onnx")
        self.assertIn("compares objects", message)
        self.assertIn("make features of the objects first", message)

    def test_what_is_no_model_and_flags_of_models_beside_data(self):
        data = self.moons(20)
        self.refused(3, "convert", data, "m.onnx")
        self.assertIn("are of models", self.refused(2, "convert", data, "moons.tsv", "--float32"))


if __name__ == "__main__":
    unittest.main()
