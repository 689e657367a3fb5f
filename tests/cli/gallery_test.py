#!/usr/bin/env python3
"""The gallery's experiments, each run in an empty folder, and the numbers that matter in them. No times."""
import math
import pathlib
import subprocess
import sys
import unittest
from xml.etree import ElementTree

from mercer_cli import MERCER, MercerTest

GALLERY = pathlib.Path(__file__).parents[2] / "examples" / "gallery"
sys.path.insert(0, str(GALLERY))
import gallery_numbers  # noqa: E402


class Gallery(MercerTest):
    def run_experiment(self, name, pictures):
        """The numbers; the pictures are there, well-formed and small."""
        [script] = GALLERY.glob(f"{name}_*.sh")
        done = subprocess.run([script, MERCER, self.folder], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        for picture in pictures:
            path = self.folder / f"{picture}.svg"
            self.assertTrue(ElementTree.parse(path).getroot().tag.endswith("svg"))
            self.assertLess(path.stat().st_size, 100_000, picture)
        return getattr(gallery_numbers, name)(self.folder)

    def test_e1_the_kernel_has_the_smaller_error(self):
        numbers = self.run_experiment("e1", ["path"])
        self.assertLess(numbers["kernel"], numbers["basis"])
        self.assertAlmostEqual(numbers["basis"], 0.121, delta=0.02)
        self.assertAlmostEqual(numbers["kernel"], 0.109, delta=0.02)
        self.assertAlmostEqual(numbers["leave-one-out"], numbers["kernel"], delta=0.01)

    def test_e2_the_gaussian_separates_what_a_line_does_not(self):
        numbers = self.run_experiment("e2", ["linear", "gaussian"])
        self.assertLess(numbers["linear"]["test"], 0.65)
        self.assertGreater(numbers["gaussian"]["test"], 0.9)

    def test_e3_narrow_gaussians_overfit(self):
        numbers = self.run_experiment("e3", ["gamma_1", "gamma_10", "gamma_100"])
        self.assertEqual(numbers[100]["train"], 1)
        self.assertLess(numbers[100]["test"], numbers[1]["test"] - 0.05)
        self.assertGreater(numbers[100]["support vectors"], numbers[10]["support vectors"])
        self.assertGreater(numbers[10]["support vectors"], numbers[1]["support vectors"])

    def test_e4_other_weights_have_other_support_vectors(self):
        numbers = self.run_experiment("e4", ["small", "middle", "large", "tenth"])
        sets = [tuple(numbers[name]["support vectors"]) for name in ("small", "middle", "large")]
        self.assertEqual(len(set(sets)), 3, sets)
        self.assertAlmostEqual(numbers["tenth"]["margin"], 0.1, delta=0.005)

    def test_e5_the_error_left_is_the_noise(self):
        numbers = self.run_experiment("e5", ["line", "sine", "noise"])
        self.assertAlmostEqual(numbers["line"]["test RMSE"], 0.3, delta=0.03)
        self.assertAlmostEqual(numbers["sine"]["test RMSE"], 0.3, delta=0.05)
        self.assertAlmostEqual(numbers["noise"]["R2"], 0, delta=0.02)
        self.assertLess(numbers["line"]["gamma"], numbers["sine"]["gamma"])

    def test_e6_circles_become_separable(self):
        numbers = self.run_experiment("e6", ["linear", "append_norm", "squares"])
        self.assertLess(numbers["linear"]["test"], 0.6)
        self.assertEqual(numbers["append_norm"]["test"], 1)
        self.assertEqual(numbers["squares"]["test"], 1)

    def test_e7_the_choice_changes_where_the_formulas_say(self):
        numbers = self.run_experiment("e7", ["times", "columns"])
        self.assertEqual([(degree, columns) for degree, columns, _, _, _ in numbers["choices"]][::2], [(2, 5), (2, 10), (2, 20), (2, 30), (3, 5), (4, 5), (5, 5)])
        for degree, columns, features, rows, explicit in numbers["choices"]:
            self.assertEqual(features, math.comb(columns + degree, degree))
            self.assertEqual(explicit, rows * features**2 < rows**2 * (columns + 64), (degree, columns, rows))
        for kernel, explicit in numbers["objectives"]:
            self.assertAlmostEqual(kernel, explicit, delta=1e-6)

    def test_e8_colours_tell_the_categories(self):
        numbers = self.run_experiment("e8", ["gram", "confusion"])
        self.assertEqual(numbers["classes"], 14)
        self.assertLess(numbers["error"], 0.15)
        self.assertGreater(numbers["alignment"], 0.2)

    def test_e9_support_vectors_lie_on_or_inside_the_margin(self):
        numbers = self.run_experiment("e9", ["margin", "losses"])
        self.assertEqual(numbers["support vectors"], numbers["on or inside"])
        self.assertAlmostEqual(numbers["hinge"], numbers["hinge of scores"], places=6)

    def test_e10_the_degree_overfits_and_the_penalty_smooths(self):
        numbers = self.run_experiment("e10", ["stiff", "right", "free", "smooth"])
        self.assertGreater(numbers["stiff"]["train"], 2 * numbers["right"]["train"])
        self.assertLess(numbers["free"]["train"], numbers["right"]["train"] / 2)
        self.assertGreater(numbers["free"]["test"], 2 * numbers["smooth"]["test"])
        self.assertLess(numbers["smooth"]["norm"], numbers["free"]["norm"] / 1000)
        # 654,062,936.2 in arithmetic of 60 digits; the page shows no more of it than the fit knows.
        self.assertAlmostEqual(numbers["free"]["norm"] / 654062936.2, 1, delta=0.01)
        # With the small penalties of the others it depends on the CPU's rounding whether the residual reaches the tolerance.
        self.assertTrue(numbers["smooth"]["converged"])

    def test_m13_the_svm_votes_with_fewer_rows_and_no_worse(self):
        numbers = self.run_experiment("m13", ["nearest", "neighbours", "svm"])
        self.assertGreater(numbers["svm"]["test"], numbers["nearest"]["test"])
        self.assertGreater(numbers["svm"]["test"], numbers["neighbours"]["test"] - 0.02)
        self.assertEqual(numbers["nearest"]["rows"], 200)
        self.assertLess(numbers["svm"]["rows"], 150)

    def test_d6_small_changes_of_images_hardly_count(self):
        numbers = self.run_experiment("d6", ["curve"])
        for rows in (50, 100, 200):
            self.assertLess(numbers[rows]["orbit"], numbers[rows]["pixels"] / 1.5, rows)

    def test_d4_few_texts_are_enough_where_words_are_known_to_be_alike(self):
        numbers = self.run_experiment("d4", ["curve"])
        for rows, found in numbers.items():
            self.assertLess(found["similar"], found["equal"] / 2, rows)
        self.assertLess(numbers[40]["similar"], 0.02)

    def test_i1_edges_and_patches_need_fewer_images(self):
        for rows, found in self.run_experiment("i1", ["curve"]).items():
            self.assertLess(found["hog"], found["pixels"] / 1.5, rows)
            self.assertLess(found["patches"], found["pixels"] / 1.5, rows)

    def test_x2_smoother_kernels_penalize_more_derivatives(self):
        numbers = self.run_experiment("x2", ["rbf", "matern", "laplace", "mixture"])
        self.assertEqual([numbers[name]["penalty"].count("∫") for name in ("laplace", "matern")], [2, 3])
        self.assertIn("every derivative", numbers["rbf"]["penalty"])

    def test_x12_an_output_is_predicted_from_another(self):
        numbers = self.run_experiment("x12", ["both", "alone"])
        self.assertLess(numbers["both"], 0.7 * numbers["alone"])
        self.assertLess(numbers["both"], 0.25)
        self.assertLess(numbers["B"][1], 0)

    def test_x5_gaussian_kernels_see_what_linear_ones_do_not(self):
        numbers = self.run_experiment("x5", ["rejected"])
        self.assertEqual(numbers["rejected"][0][1], 1)
        self.assertLess(numbers["rejected"][0][2], 0.3)
        self.assertLess(numbers["rejected"][-1][1], 0.5)
        self.assertLess(numbers["p"]["both"], 0.01)
        self.assertGreater(min(numbers["p"]["x1"], numbers["p"]["x2"]), 0.05)
        self.assertGreater(numbers["correlations"]["rbf"], numbers["correlations"]["linear"] + 0.3)

    def test_x7_probabilities_are_as_good_as_calibrated_ones(self):
        numbers = self.run_experiment("x7", ["regions", "calibration"])
        self.assertGreater(numbers["process"]["test"], 0.88)
        self.assertLess(numbers["process"]["log loss"], numbers["svm"]["log loss"] + 0.02)

    def test_x8_the_bound_rises_to_the_evidence(self):
        numbers = self.run_experiment("x8", ["inducing_3", "inducing_6", "inducing_20"])
        self.assertLess(numbers["bounds"][3], numbers["bounds"][20] - 50)
        self.assertLess(numbers["bounds"][20], numbers["evidence"] + 0.01)
        self.assertGreater(numbers["bounds"][20], numbers["evidence"] - 5)

    def test_x9_more_points_are_steadier(self):
        numbers = self.run_experiment("x9", ["accuracy"])
        self.assertGreater(numbers["test"][200], numbers["svm"] - 0.02)
        last = [[row[budget] for row in numbers["curve"][5:]] for budget in (1, 3)]
        self.assertLess(min(last[0]), min(last[1]))


if __name__ == "__main__":
    unittest.main()
