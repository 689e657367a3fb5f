#!/usr/bin/env python3
"""The same numbers give the same model in every format and storage, scaled or not, as a computation in numpy says."""
import json
import struct
import unittest

import numpy

from mercer_cli import MercerTest

RNG = numpy.random.default_rng(16)
PRESSURE = 1013 + 6 * RNG.standard_normal(60)  # far from 0: only its spread tells anything
FULL = numpy.column_stack([PRESSURE, 1e6 + RNG.standard_normal(60), RNG.standard_normal(60), RNG.integers(0, 4, 60)])
THIN = numpy.where(RNG.random((60, 12)) < 0.15, RNG.normal(3, 1, (60, 12)), 0)
Y = numpy.sin((PRESSURE - 1013) / 6) + 0.3 * FULL[:, 2] + 0.05 * RNG.standard_normal(60)
KERNELS = {
    "linear": lambda A, B: A @ B.T,
    "rbf(gamma=0.1)": lambda A, B: numpy.exp(-0.1 * ((A[:, None] - B[None]) ** 2).sum(2)),
}
SCALINGS = {
    "none": lambda X: X,
    "standard": lambda X: (X - X.mean(0)) / X.std(0),
    "minmax": lambda X: (X - X.min(0)) / (X.max(0) - X.min(0)),
}
LAMBDA = 0.01


def csv_text(X, y):
    header = ",".join([f"x{j}" for j in range(X.shape[1])] + ["y"])
    return "\n".join([header] + [",".join(map(repr, map(float, [*row, value]))) for row, value in zip(X, y)]) + "\n"


def libsvm_text(X, y):
    return "".join(f"{float(value)!r} " + " ".join(f"{j + 1}:{float(x)!r}" for j, x in enumerate(row) if x != 0) + "\n" for row, value in zip(X, y))


def compressed(X):
    """The five arrays of scipy.sparse.save_npz."""
    rows, columns = numpy.nonzero(X)
    return {"data": X[rows, columns], "indices": columns.astype(numpy.int32), "format": numpy.array(b"csr"), "shape": numpy.array(X.shape),
            "indptr": numpy.concatenate([[0], numpy.cumsum((X != 0).sum(1))]).astype(numpy.int32)}


def expected(X, scale, kernel):
    """Kernel ridge regression, α = (K + nλI)⁻¹y, on the rows it was fitted to."""
    Z = SCALINGS[scale](X)
    K = KERNELS[kernel](Z, Z)
    return K @ numpy.linalg.solve(K + len(Y) * LAMBDA * numpy.eye(len(Y)), Y)


class SameDataSameAnswer(MercerTest):
    def write(self, X, y, to="d"):
        """The rows in every format; gives the arguments that read each."""
        at = self.folder / to
        self.file(f"{to}.csv", csv_text(X, y))
        self.file(f"{to}.svm", libsvm_text(X, y))
        numpy.save(f"{at}.npy", X)
        numpy.save(f"{at}_y.npy", y)
        numpy.savez(f"{at}_dense.npz", X=X, y=y)
        numpy.savez(f"{at}_csr.npz", **compressed(X), y=y)
        return {"csv": [f"{to}.csv", "--target", "y"], "svm": [f"{to}.svm"], "npy": [f"{to}.npy", "--target", f"{to}_y.npy"],
                "dense npz": [f"{to}_dense.npz"], "CSR npz": [f"{to}_csr.npz"]}

    def predictions(self, source, *options):
        self.mercer("fit", *source, *options, "--task", "real", "-o", "m.mercer", "--quiet", "--threads", 1)
        return numpy.array([float(line) for line in self.mercer("predict", "m.mercer", *source[:1], "--threads", 1).split()])

    def test_every_format_scaling_and_storage(self):
        for name, X in [("full", FULL), ("thin", THIN)]:
            sources = self.write(X, Y)
            for scale in SCALINGS:
                for kernel in KERNELS:
                    if scale == "none" and name == "full":
                        continue  # 1e6 ± 1 unscaled: too ill-conditioned to compare with numpy
                    wanted = expected(X, scale, kernel)
                    for source, arguments in sources.items():
                        with self.subTest(f"{name} {source}: {scale}, {kernel}"):
                            found = self.predictions(arguments, "--method", "ridge", "--lambda", LAMBDA, "--kernel", kernel, "--scale", scale)
                            numpy.testing.assert_allclose(found, wanted, rtol=0, atol=2e-6)

    def test_a_model_takes_rows_of_every_format(self):
        sources = self.write(FULL, Y)
        others = self.write(FULL[:9], Y[:9], "new")
        self.mercer("fit", *sources["svm"], "--method", "svr", "--kernel", "rbf(gamma=0.1)", "--scale", "standard", "-o", "m.mercer")
        answers = {name: self.mercer("predict", "m.mercer", arguments[0], *(["--target", "y"] if name == "csv" else [])) for name, arguments in others.items()}
        self.assertEqual(set(answers.values()), {answers["svm"]})

    def test_everything_is_chosen_alike(self):
        answers = {}
        for name, arguments in self.write(FULL, Y).items():
            answer = self.json("fit", *arguments, "--method", "ridge", "--kernel", "rbf(gamma=scale)", "--tune", "--cv", 3, "--threads", 1)
            answers[name] = (answer["kernel"], answer["score"]["value"])
        self.assertEqual(len(set(answers.values())), 1, answers)

    def test_storage_follows_from_the_numbers(self):
        for name, X, word in [("full", FULL, "dense"), ("thin", THIN, "sparse")]:
            sources = self.write(X, Y)
            for source in ("svm", "CSR npz"):
                self.assertIn(f"columns, {word} float64", self.mercer("convert", *sources[source], "out.npz"), (name, source))

    def test_libsvm_text_survives(self):
        self.file("a.svm", "1 1:0.5 2:3 4:1e-3\n-1 1:2 2:1 3:4 4:5\n1 2:1 3:1 4:1\n")
        self.mercer("convert", "a.svm", "b.svm")
        self.assertEqual((self.folder / "b.svm").read_text(), "1 1:0.5 2:3 4:0.001\n-1 1:2 2:1 3:4 4:5\n1 2:1 3:1 4:1\n")
        # Rows with more columns than the model has: widened for dense text as for sparse.
        self.mercer("fit", "a.svm", "--method", "svm", "--kernel", "rbf(gamma=0.1)", "-o", "m.mercer")
        self.file("wide.svm", "1 1:1 2:1 3:1 4:1 5:1 6:1\n")
        self.assertEqual(len(self.mercer("predict", "m.mercer", "wide.svm").split()), 1)

    def test_large_sparse_rows_are_divided_but_not_shifted(self):
        rows, columns = 40, 1_000_000
        RNG = numpy.random.default_rng(2)
        lines, X = [], numpy.zeros((rows, 3))
        for i in range(rows):
            X[i] = [1013 + 6 * RNG.standard_normal(), RNG.standard_normal() if i % 4 == 0 else 0, RNG.standard_normal()]
            lines.append(f"{Y[i]!r} " + " ".join(f"{j}:{float(x)!r}" for j, x in zip((1, 2, columns), X[i]) if x != 0))
        self.file("wide.svm", "\n".join(lines) + "\n")
        y, K = Y[:rows], KERNELS["rbf(gamma=0.1)"]
        for scale, divisor in [("standard", X.std(0)), ("minmax", X.max(0) - X.min(0))]:
            answer = self.json("fit", "wide.svm", "--method", "ridge", "--lambda", LAMBDA, "--kernel", "rbf(gamma=0.1)", "--scale", scale, "-o", "m.mercer")
            self.assertTrue(any("is not subtracted" in note for note in answer["notes"]), answer["notes"])
            found = numpy.array([float(line) for line in self.mercer("predict", "m.mercer", "wide.svm").split()])
            Z = X / divisor
            wanted = K(Z, Z) @ numpy.linalg.solve(K(Z, Z) + rows * LAMBDA * numpy.eye(rows), y)
            numpy.testing.assert_allclose(found, wanted, rtol=0, atol=2e-6)

    def test_models_of_earlier_versions_scale_as_they_did(self):
        """Sparse rows were divided by their root mean square; a model file holds the numbers."""
        self.write(FULL, Y)
        self.mercer("fit", "d.csv", "--target", "y", "--method", "ridge", "--lambda", LAMBDA, "--kernel", "linear", "--scale", "standard", "-o", "m.mercer")
        bytes_ = (self.folder / "m.mercer").read_bytes()
        size = struct.unpack("<Q", bytes_[:8])[0]
        header = json.loads(bytes_[8:8 + size])
        begin, end = header.pop("scaling.shift")["data_offsets"]
        for value in header.values():
            if "data_offsets" in value and value["data_offsets"][0] >= end:
                value["data_offsets"] = [offset - (end - begin) for offset in value["data_offsets"]]
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        data = bytes_[8 + size:]
        (self.folder / "old.mercer").write_bytes(struct.pack("<Q", len(text)) + text + data[:begin] + data[end:])
        before = numpy.array([float(line) for line in self.mercer("predict", "m.mercer", "d.csv").split()])
        found = numpy.array([float(line) for line in self.mercer("predict", "old.mercer", "d.csv").split()])
        # f is linear: without the shift it moves by the same amount everywhere.
        moved = found - before
        self.assertGreater(abs(moved[0]), 1)
        numpy.testing.assert_allclose(moved, moved[0], rtol=1e-6)


if __name__ == "__main__":
    unittest.main()
