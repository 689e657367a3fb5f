#!/usr/bin/env python3
"""Other machines: a BLAS that chose the wrong kernels, a CPU without AVX2, no RDKit; and doctor, which tells them apart."""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from mercer_cli import MERCER, MercerTest
from misdetected import build_shim

def cpu_has(*features):
    flags = next((line for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags")), "").split()
    return all(feature in flags for feature in features)


class MachineTest(MercerTest):
    def doctor(self, **environment):
        result = self.run_mercer("doctor", "--json", environment=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_doctor_tells_what_a_bug_report_needs(self):
        printed = self.mercer("doctor")
        for label in ("Mercer", "system", "CPU", "instruction set", "BLAS core", "oneDNN", "threads", "memory", "molecules"):
            self.assertRegex(printed, rf"(?m)^{label}  +\S")

    def test_a_core_below_the_cpu_is_replaced_and_the_users_own_is_kept(self):
        if not cpu_has("avx2", "fma"):
            self.skipTest("this CPU has no AVX2, so that no kernels are below it")
        if "address" in os.environ.get("MERCER_SANITIZE", ""):
            self.skipTest("the sanitizer must be preloaded first")
        shim = build_shim(self.folder)
        if not shim:
            self.skipTest("no C compiler")
        right = "SkylakeX" if cpu_has("avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl") else "Haswell"
        self.assertEqual(self.doctor(LD_PRELOAD=str(shim))["blas_core"], f"{right} (OpenBLAS had chosen Prescott, below what this CPU can do)")
        chosen = self.doctor(LD_PRELOAD=str(shim), OPENBLAS_CORETYPE="Prescott")
        self.assertEqual(chosen["blas_core"], "Prescott (OPENBLAS_CORETYPE)")
        self.assertNotIn("warning", chosen)
        self.mercer("generate", "moons", "-n", 200, "-o", "moons.csv")
        fit = ("fit", "moons.csv", "--method", "ridge", "--kernel", "rbf(gamma=2)", "--json")
        replaced = json.loads(self.mercer(*fit, environment={"LD_PRELOAD": str(shim)}))
        wanted = json.loads(self.mercer(*fit, environment={"OPENBLAS_CORETYPE": right}))
        self.assertEqual(replaced["objective"], wanted["objective"])

    def test_a_cpu_without_avx2_is_slower_and_right(self):
        self.mercer("generate", "moons", "-n", 300, "-o", "moons.csv")
        old = {"OPENBLAS_CORETYPE": "Prescott", "MERCER_SIMD": "ssse3"}
        if "ssse3" not in self.doctor()["instruction_set"]:
            self.skipTest("no SSSE3 here")
        self.assertIn("ssse3 (MERCER_SIMD", self.doctor(**old)["instruction_set"])
        for method in ("svm", "logistic", "fisher"):
            self.mercer("fit", "moons.csv", "--method", method, "--kernel", "rbf(gamma=2)", "-o", "m.mercer", environment=old)
            there = self.json("evaluate", "m.mercer", "moons.csv")["accuracy"]
            self.mercer("fit", "moons.csv", "--method", method, "--kernel", "rbf(gamma=2)", "-o", "m.mercer")
            self.assertAlmostEqual(self.json("evaluate", "m.mercer", "moons.csv")["accuracy"], there, delta=0.011)

    def threads_of(self, *words):
        """How many threads a command has had by the time that it writes its results, which nobody reads before they are counted."""
        with subprocess.Popen([MERCER, *map(str, words)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            first = process.stdout.read(1)
            count = len(os.listdir(f"/proc/{process.pid}/task"))  # those that have helped once wait for more
            self.assertGreater(len(first + process.stdout.read()), 1 << 17)  # more than a pipe holds: it was not over
        self.assertEqual(process.returncode, 0)
        return count

    @unittest.skipUnless(os.path.isdir("/proc/self/task") and len(os.sched_getaffinity(0)) > 1, "a system without /proc, or a single core")
    def test_with_one_thread_no_other_is_started(self):
        with open(self.folder / "rows.svm", "w") as file:
            for i in range(40_000):
                file.write(f"{i % 2} " + " ".join(f"{k}:{(i * k * 7919) % 1000 / 999:.3f}" for k in range(1, 9)) + "\n")
        self.mercer("fit", "rows.svm", "--method", "ridge", "--kernel", "linear", "-o", "m.mercer")
        for words in (("svm-scale", "rows.svm"), ("predict", "m.mercer", "rows.svm")):
            with self.subTest(words[0]):
                self.assertEqual(self.threads_of("--threads", 1, *words), 1)
                self.assertEqual(self.threads_of("--threads", 2, *words), 2)

    def installation(self, plugin):
        """The program and its library in a folder of their own, with this text for a plug-in, or none."""
        build = pathlib.Path(MERCER).parent
        place = self.folder / "installed"
        place.mkdir()
        for file in [pathlib.Path(MERCER), *build.glob("libmercer.so*")]:
            shutil.copy(file, place / file.name)
        if plugin is not None:
            (place / "libmercer_molecules.so").write_text(plugin)
        return place / pathlib.Path(MERCER).name

    def test_without_rdkit_all_but_molecules_works(self):
        self.file("m.csv", "smiles,y\nCCO,1\nCCC,2\nCCN,3\nCCCC,4\n")
        for plugin, reason in ((None, "Mercer was built without RDKit, which reads molecules; install librdkit-dev and build it again"),
                               ("no library", "install librdkit1")):
            with self.subTest(plugin):
                program = self.installation(plugin)
                run = lambda *words: subprocess.run([program, *words], cwd=self.folder, capture_output=True, text=True)
                refused = run("fit", "m.csv", "--target", "y", "--kernel", "tanimoto@smiles", "--method", "ridge")
                self.assertEqual(refused.returncode, 2, refused.stderr)
                self.assertIn(reason, refused.stderr)
                self.assertIn("librdkit", json.loads(run("doctor", "--json").stdout)["molecules"])
                self.assertEqual(run("generate", "moons", "-n", "50", "-o", "moons.csv").returncode, 0)
                self.assertEqual(run("fit", "moons.csv", "--kernel", "rbf(gamma=1)", "--C", "1").returncode, 0)
                shutil.rmtree(program.parent)


if __name__ == "__main__":
    unittest.main()
