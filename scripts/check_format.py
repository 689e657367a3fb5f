#!/usr/bin/env python3
"""Checks that every C++ file is laid out as .clang-format says; run by ctest.

    check_format.py         exit 1 and the files and lines that are not
    check_format.py --fix   lays them out

Versions of clang-format differ in details. The one that decides is Debian 12's; with another, or with none, the check is skipped (exit 77).
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("include", "src", "cli", "capi", "cluster", "python", "tests", "bench", "examples")
VERSION = "14"
SKIPPED = 77


def version():
    try:
        said = subprocess.run(["clang-format", "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(r"version (\d+)", said)
    return found and found.group(1)


def main(arguments):
    if arguments not in ([], ["--fix"]):
        print(__doc__, file=sys.stderr)
        return 2
    if version() != VERSION:
        print(f"check_format: skipped, needs clang-format {VERSION}, found {version() or 'none'}")
        return SKIPPED
    files = [str(p) for folder in FOLDERS for p in sorted((ROOT / folder).rglob("*.[ch]pp"))]
    how = ["-i"] if arguments else ["--dry-run", "-Werror"]
    done = subprocess.run(["clang-format", *how, *files], capture_output=True, text=True, cwd=ROOT)
    for line in done.stderr.splitlines():
        if ": error: " in line:
            print(line.replace(f"{ROOT}/", "").replace(" [-Wclang-format-violations]", "; run scripts/check_format.py --fix"))
    if done.returncode == 0:
        print(f"check_format: OK, {len(files)} files")
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
