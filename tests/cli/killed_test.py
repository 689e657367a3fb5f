#!/usr/bin/env python3
"""A process that is killed while it saves leaves a whole model: the old one, or the new one."""
import random
import subprocess
import time
import unittest

from mercer_cli import MERCER, MercerTest


class Killed(MercerTest):
    def save_and_kill(self, name, *save):
        """Saves over the model again and again, killed at random moments around the writing; gives how often there was still a process."""
        draw = random.Random(1)
        seconds = float("inf")
        for _ in range(2):
            began = time.monotonic()
            subprocess.run([MERCER, *save], cwd=self.folder, check=True, timeout=60)
            seconds = min(seconds, time.monotonic() - began)
        report = self.json("inspect", name)
        killed = 0
        for _ in range(12):
            process = subprocess.Popen([MERCER, *save], cwd=self.folder)
            time.sleep(seconds * draw.uniform(0.2, 1))
            process.kill()
            killed += process.wait() != 0
            self.assertEqual(self.json("inspect", name), report)
        return killed

    def test_the_file_is_always_a_whole_model(self):
        draw = random.Random(2)
        # Wide rows, so that writing takes a good part of the time.
        data = self.file("a.svm", "".join(f"{i % 2} " + " ".join(f"{j + 1}:{draw.random():.9g}" for j in range(2000)) + "\n" for i in range(60)))
        self.assertGreater(self.save_and_kill("m.mercer", "fit", "--quiet", "--kernel", "linear", "-o", "m.mercer", data), 0)
        self.assertGreater(self.save_and_kill("m.model", "svm-train", "-q", "-t", "0", data, "m.model"), 0)


if __name__ == "__main__":
    unittest.main()
