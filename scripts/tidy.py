#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy; a source takes about ten seconds.

    scripts/tidy.py              what has changed since the last commit
    scripts/tidy.py FILE…        these sources, with the headers they include
    scripts/tidy.py --all        every source of the library and the command line

Exit 1 where there are findings, 77 where there is no clang-tidy. What clang says as a compiler is left out: g++ is the compiler, and clang 14
does not understand all of libstdc++ 12's <ranges>.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "tidy"


def run(*command):
    return subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)


def compiled():
    """The sources that CMake compiles, each alone."""
    done = run("cmake", "--preset", "tidy")
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    commands = json.loads((FOLDER / "compile_commands.json").read_text(encoding="utf-8"))
    return {Path(command["file"]).resolve() for command in commands}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--all", action="store_true")
    given = options.parse_args()
    tidy = shutil.which("clang-tidy")
    if not tidy:
        print("there is no clang-tidy here: apt-get install clang-tidy")
        return 77
    sources = compiled()
    if not given.all:
        changed = given.files or [ROOT / name for name in run("git", "diff", "--name-only", "HEAD").stdout.split()]
        sources &= {path.resolve() for path in changed}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda source: run(tidy, "-p", FOLDER, "--quiet", source), sorted(sources)))
    lines = {line: None for result in done for line in result.stdout.splitlines()}
    findings = [line for line in lines if re.match(rf"{re.escape(str(ROOT))}/[^:]+:\d+:\d+: (error|warning): ", line) and "[clang-diagnostic-" not in line]
    print("\n".join(findings + [f"{len(sources)} sources, {len(findings)} findings"]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
