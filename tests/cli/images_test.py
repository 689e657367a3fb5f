#!/usr/bin/env python3
"""Folders of images on the command line: from a folder to a prediction, and what is refused."""
import shutil
import unittest

from mercer_cli import MercerTest


class Images(MercerTest):
    def make(self, name="colour_images", n=84, folder="photos"):
        self.mercer("generate", name, "-n", n, "-o", folder, "--quiet")
        return folder

    def test_generate_writes_a_folder_for_each_class(self):
        self.make()
        self.make(folder="again")
        photos, again = ({path.relative_to(self.folder / name): path.read_bytes() for path in (self.folder / name).glob("*/*.png")} for name in ("photos", "again"))
        self.assertEqual(photos, again)
        self.assertEqual({path.parent.name for path in photos}, {str(c) for c in range(14)})
        self.assertEqual(len(photos), 84)
        self.assertIn("exists already", self.refused(3, "generate", "colour_images", "-o", "photos"))
        self.assertIn("name one", self.refused(2, "generate", "colour_images", "--format", "images"))
        self.assertIn("not as a table", self.refused(2, "generate", "colour_images", "-o", "a.csv"))
        self.assertEqual(self.files(), ["again", "photos"])

    def test_check_says_that_the_kernel_is_valid(self):
        checked = self.json("check", self.make(), "--kernel", "histogram")
        self.assertEqual(checked["verdict"], "valid")
        self.assertGreater(checked["alignment"], 0.3)

    def test_from_a_folder_to_a_prediction(self):
        self.make(n=168)
        for kernel in ("histogram", 'mapped(chi2(gamma=1), by="histogram(levels=8)")', "rbf"):
            with self.subTest(kernel):
                self.mercer("fit", "photos", "--method", "svm", "--C", 10, "--kernel", kernel, "-o", "m.mercer", "--quiet")
                found = self.mercer("predict", "m.mercer", "photos").split()
                right = sum(int(label) == c for label, c in zip(found, [c for c in range(14) for _ in range(12)]))
                self.assertGreater(right, 150)
                image = self.folder / "photos" / "3" / "0004.png"
                self.assertEqual(self.mercer("predict", "m.mercer", image).split(), [found[3 * 12]])

    def test_orbits_of_images_and_of_rows_of_pixels(self):
        self.make("digit_images", 40, "digits")
        kernel = "normalize(orbit(rbf(gamma=1e-6), rotations=0))"
        self.assertEqual(self.json("check", "digits", "--kernel", kernel)["verdict"], "valid")
        self.file("rows.csv", "a,b,c\n" + "1,2,3\n" * 5)
        self.assertIn("no square images", self.refused(3, "check", "rows.csv", "--kernel", kernel))

    def test_damaged_images_are_named(self):
        self.make(n=28)
        damaged = self.folder / "photos" / "2" / "0003.png"
        damaged.write_bytes(damaged.read_bytes()[:100])
        self.assertIn("photos/2/0003.png", self.refused(3, "check", "photos", "--kernel", "histogram"))
        shutil.rmtree(self.folder / "photos" / "5")
        (self.folder / "photos" / "5").mkdir()
        damaged.unlink()
        self.assertIn("photos/5: holds no images", self.refused(3, "check", "photos", "--kernel", "histogram"))


if __name__ == "__main__":
    unittest.main()
