#!/usr/bin/env python3
"""The page "Add a kernel in ten minutes" is true: this test follows it, with the text that stands there, in a copy."""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*command, cwd):
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def add_kernel(copy):
    page = (copy / "CONTRIBUTING.md").read_text()
    name = re.search(r"`include/mercer/kernels/(\w+)\.hpp`:\n\n(?:<!--[^\n]*-->\n)?```cpp\n(.*?)```", page, re.S)
    search = re.search(r"\*\*4\..*?```cpp\n(.*?)```", page, re.S)[1]
    text, replaced = re.subn(r"  static constexpr LeafTraits traits\{.*?\};\n", lambda _: search, name[2])
    assert replaced == 1, "the line of traits was not found"
    (copy / f"include/mercer/kernels/{name[1]}.hpp").write_text(text)
    catalogue = copy / "src/kernels/catalogue.cpp"
    before = catalogue.read_text()
    after = before.replace("}(linear, ", "}(" + name[1] + ", linear, ", 1)
    assert after != before, "the list of leaves was not found"
    catalogue.write_text(after)
    return name[1]


def build(copy, folder):
    """The program with the catalogue compiled anew; all other objects are those of the build under test: adding a kernel
    does not touch them."""
    built = pathlib.Path(os.environ["MERCER"]).parent
    changed = "src/CMakeFiles/mercer_objects.dir/kernels/catalogue.cpp.o"
    run("cmake", "-S", copy, "-B", copy / "build", "-G", "Ninja", "-DMERCER_TESTS=OFF", "-DCMAKE_CXX_FLAGS=-O0", cwd=copy)
    run("cmake", "--build", copy / "build", "--target", changed, cwd=copy)
    commands = (built / "build.ninja").read_text()
    link = re.search(r"^build mercer [^\n]*?: CXX_EXECUTABLE_LINKER\S* (.*?)( \||\n)(.*?)\n\n", commands, re.S | re.M)
    objects = [path for path in link[1].split() if path.endswith(".o") and path != changed]
    words = [word for name in ("FLAGS", "LINK_FLAGS", "LINK_LIBRARIES") if (found := re.search(rf"  {name} = (.*)", link[3])) for word in found[1].split()]
    mercer = folder / "mercer"
    run("c++", "-o", mercer, copy / "build" / changed, *objects, *words, cwd=built)
    return mercer


def main():
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("build", ".git", "tests", "docs"))
        kernel = add_kernel(copy)
        mercer = build(copy, pathlib.Path(folder))
        explained = run(mercer, "kernels", kernel, cwd=folder)
        assert "1 / (1 + ‖x−z‖²/sigma²)" in explained and "radial" in explained, explained
        (pathlib.Path(folder) / "two.csv").write_text("a,b\n1,2\n4,6\n")
        run(mercer, "gram", "two.csv", "--kernel", f"3*{kernel}(sigma=2) + constant(c=1)", "-o", "K.csv", cwd=folder)
        lines = (pathlib.Path(folder) / "K.csv").read_text().split()
        value = float(lines[-1].split(",")[0])
        assert math.isclose(value, 3 / (1 + 25 / 4) + 1, rel_tol=1e-14), value
        rows = "".join(f"{x},{x * x % 7}\n" for x in range(40))
        (pathlib.Path(folder) / "rows.csv").write_text("x,y\n" + rows)
        plan = run(mercer, "fit", "rows.csv", "--target", "y", "--dry-run", cwd=folder)
        assert f"{kernel}(sigma=2)" in plan, plan
        wrong = subprocess.run([mercer, "gram", "two.csv", "--kernel", f"{kernel}(sigma=-1)", "-o", "K.csv"], cwd=folder, capture_output=True, text=True)
        assert wrong.returncode == 2 and "sigma must be > 0, not -1" in wrong.stderr, wrong.stderr
    print(f"{kernel} was added as CONTRIBUTING.md says, and works")


if __name__ == "__main__":
    main()
