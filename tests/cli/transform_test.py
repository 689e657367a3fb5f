#!/usr/bin/env python3
"""transform: coordinates of rows and their pre-images; what fit, predict and inspect say of components and clusters."""
import random
import unittest

import numpy

from mercer_cli import MercerTest


class Transform(MercerTest):
    def cloud(self, name="cloud.csv", n=60, seed=1, target=True):
        generator = random.Random(seed)
        lines = ["height,weight,age" + (",kind" if target else "")]
        for i in range(n):
            size = generator.gauss(0, 2)
            row = f"{size + generator.gauss(0, 0.2):.5f},{2 * size + generator.gauss(0, 0.2):.5f},{generator.gauss(5, 0.3):.5f}"
            lines.append(row + (f",{'ab'[i % 2]}" if target else ""))
        return self.file(name, "\n".join(lines) + "\n")

    def table(self, name, columns):
        lines = (self.folder / name).read_text().splitlines()
        return lines[0], numpy.array([[float(v) for v in line.split(",")[:columns]] for line in lines[1:]])

    def principal_components(self, points, count):
        centred = points - points.mean(axis=0)
        return numpy.linalg.svd(centred, full_matrices=False)[2][:count]

    def fit_linear(self, components, *options):
        self.cloud()
        return self.json("fit", "cloud.csv", "--target", "kind", "--method", "pca", "--components", components, "--kernel", "linear", "-o", "m.mercer", *options)

    def test_coordinates_are_principal_components_and_the_target_stays(self):
        report = self.fit_linear(2)
        self.assertGreater(report["diagnostics"]["explained_variance_ratio_sum"]["value"], 0.95)
        answer = self.json("transform", "m.mercer", "cloud.csv", "-o", "z.csv")
        self.assertEqual((answer["rows"], answer["columns"], answer["preimages"]), (60, 2, False))
        header, found = self.table("z.csv", 2)
        self.assertEqual(header, "pc1,pc2,kind")
        self.assertTrue((self.folder / "z.csv").read_text().splitlines()[2].endswith(",b"))
        points = self.table("cloud.csv", 3)[1]
        expected = (points - points.mean(axis=0)) @ self.principal_components(points, 2).T
        numpy.testing.assert_allclose(numpy.abs(found), numpy.abs(expected), atol=1e-9)

    def test_new_rows_without_a_target_and_other_formats(self):
        self.fit_linear(2)
        self.cloud("new.csv", n=7, seed=5, target=False)
        self.mercer("transform", "m.mercer", "new.csv", "-o", "z.npy")
        self.mercer("transform", "m.mercer", "new.csv", "-o", "z.csv")
        found = numpy.load(self.folder / "z.npy")
        self.assertEqual(found.shape, (7, 2))
        numpy.testing.assert_array_equal(found, self.table("z.csv", 2)[1])
        scores = self.mercer("predict", "m.mercer", "new.csv").split("\n")[0].split(" ")
        numpy.testing.assert_array_equal([float(s) for s in scores], found[0])

    def test_preimages_are_in_the_units_of_the_data(self):
        self.fit_linear(1, "--scale", "standard")
        self.mercer("transform", "m.mercer", "cloud.csv", "-o", "clean.csv", "--preimages")
        header, found = self.table("clean.csv", 3)
        self.assertEqual(header, "height,weight,age,kind")
        points = self.table("cloud.csv", 3)[1]
        scaled = (points - points.mean(axis=0)) / points.std(axis=0)
        axis = self.principal_components(scaled, 1)
        expected = scaled @ axis.T @ axis * points.std(axis=0) + points.mean(axis=0)
        numpy.testing.assert_allclose(found, expected, atol=1e-8)

    def test_preimages_of_a_radial_kernel_lie_nearer_to_the_curve(self):
        self.mercer("generate", "circles", "-n", 120, "-o", "rings.csv")
        self.mercer("fit", "rings.csv", "--method", "pca", "--components", 6, "--kernel", "rbf(gamma=2)", "-o", "m.mercer")
        answer = self.json("transform", "m.mercer", "rings.csv", "-o", "clean.csv", "--preimages")
        self.assertEqual((answer["rows"], answer["preimages"]), (120, True))
        self.assertTrue(numpy.isfinite(self.table("clean.csv", 2)[1]).all())

    def test_other_models_give_their_scores(self):
        self.moons()
        self.mercer("fit", "moons.csv", "-o", "m.mercer")
        self.mercer("transform", "m.mercer", "moons.csv", "-o", "z.csv")
        self.assertEqual(self.table("z.csv", 1)[0].split(",")[0], "score1")
        self.assertIn("pre-images are those of a model of pca, not of svm",
                      self.refused(2, "transform", "m.mercer", "moons.csv", "-o", "p.csv", "--preimages"))
        self.assertFalse((self.folder / "p.csv").exists())

    def test_refusals(self):
        self.moons()
        self.mercer("fit", "moons.csv", "--method", "pca", "--kernel", "poly(degree=2)", "-o", "m.mercer")
        self.assertIn("the kernel must be linear, or a function of the distance alone",
                      self.refused(2, "transform", "m.mercer", "moons.csv", "-o", "p.csv", "--preimages"))
        self.assertIn("pca computes coordinates, which have no target to compare with", self.refused(2, "evaluate", "m.mercer", "moons.csv"))
        self.assertIn("--output is required", self.refused(2, "transform", "m.mercer", "moons.csv"))
        self.assertIn("pca: 200 components of 100 rows; there are at most 99", self.refused(2, "fit", "moons.csv", "--method", "pca", "--components", 200))

    # --- clusters
    def test_clusters_are_predicted_by_number(self):
        self.mercer("generate", "moons", "-n", 200, "--noise", 0.05, "-o", "moons.csv")
        report = self.json("fit", "moons.csv", "--method", "spectral", "--kernel", "rbf(gamma=20)", "-o", "s.mercer")
        self.assertEqual(report["classes"], ["1", "2"])
        self.assertEqual(sum(report["diagnostics"]["cluster_rows"]["values"]), 200)
        found = self.mercer("predict", "s.mercer", "moons.csv").split()
        target = [line.rsplit(",", 1)[1] for line in (self.folder / "moons.csv").read_text().splitlines()[1:]]
        pairs = set(zip(found, target))
        self.assertEqual(len(pairs), 2, pairs)  # each moon is a cluster
        self.assertEqual(self.json("evaluate", "s.mercer", "moons.csv"), {"n": 200, "adjusted_rand_index": 1})
        self.assertIn("adjusted Rand index  1.0000", self.mercer("evaluate", "s.mercer", "moons.csv"))
        report = self.json("fit", "moons.csv", "--method", "kmeans", "--clusters", 4, "--seed", 3, "-o", "k.mercer")
        self.assertEqual(report["classes"], ["1", "2", "3", "4"])
        self.assertEqual(set(self.mercer("predict", "k.mercer", "moons.csv").split()), {"1", "2", "3", "4"})
        self.assertIn("rows in cluster 3", self.mercer("inspect", "k.mercer"))


if __name__ == "__main__":
    unittest.main()
