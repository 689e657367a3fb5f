#!/usr/bin/env python3
"""The shared library exports what the public headers declare, and nothing else; run by ctest.

    check_exports.py LIBRARY     exit 1 where it exports more, or not all of mercer.h, 77 where there is no nm to list what it exports
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

INCLUDE = Path(__file__).resolve().parent.parent / "include"
OPENS = "namespace MERCER_EXPORT mercer {"
ABOUT_TYPES = re.compile(r"^(vtable|VTT|typeinfo|typeinfo name|guard variable|construction vtable) for ")
NAME = re.compile(r"\bmercer::(?:detail::)?(\w+)")
# Templates and inline functions of others that the library's code made instances of.
OTHERS = re.compile(r"^(\w[\w ]* )?(std|__gnu_cxx|fmt|nlohmann|hwy)::|^void \(\*\)\(|^(_init|_fini)$|^_ZGRN6mercer")


def read_headers(faults):
    """The words of the public headers, and the classes among them that are only named."""
    words, hidden = set(), set()
    for path in sorted(INCLUDE.rglob("*.hpp")):
        text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
        if "namespace" in text and OPENS not in text:
            faults.append(f"{path.relative_to(INCLUDE.parent)}: what it declares is not exported; it should open {OPENS}")
        words.update(re.findall(r"\w+", text))
        hidden.update(re.findall(r"MERCER_HIDDEN (\w+)\b(?!::)", text))
    return words, hidden


def c_functions():
    """What mercer.h declares, without its comments."""
    text = re.sub(r"/\*.*?\*/", "", (INCLUDE / "mercer/mercer.h").read_text(encoding="utf-8"), flags=re.S)
    return set(re.findall(r"MERCER_C_API [\w* ]*?\b(mercer_\w+)\(", text))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    nm = shutil.which("nm")
    if not nm:
        print("there is no nm here to list what a library exports")
        return 77
    faults = []
    words, hidden = read_headers(faults)
    listed = subprocess.run([nm, "-DC", "--defined-only", sys.argv[1]], capture_output=True, text=True, check=True).stdout
    symbols = [line.split(maxsplit=2)[2] for line in listed.splitlines()]
    of_c = c_functions()
    faults += [f"{name}: mercer.h declares it, but it is not exported" for name in sorted(of_c - set(symbols))]
    for symbol in symbols:
        if symbol in of_c:
            continue
        itself = ABOUT_TYPES.sub("", symbol)
        names = NAME.findall(itself)
        unknown = [name for name in names if name not in words]
        own = re.split(r"[(\[]", itself, maxsplit=1)[0].split("::")
        if unknown:
            faults.append(f"{symbol}: exported, but no public header knows {unknown[0]}")
        elif hidden & set(own[:-1]):
            faults.append(f"{symbol}: exported, but public headers only name its class")
        elif not names and not OTHERS.search(itself):
            faults.append(f"{symbol}: exported, but not Mercer's")
    print("\n".join(faults + [f"{len(symbols)} symbols exported, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
