#!/usr/bin/env python3
"""Every public header compiles alone, without warnings, on the standard library only.

With --times the seconds of each are printed, slowest first; the project's aim is 0.8 s.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--compiler", default="g++")
    options.add_argument("--generated", required=True, help="folder of the generated mercer/kernels.hpp")
    options.add_argument("--times", action="store_true")
    given = options.parse_args()
    include = pathlib.Path(__file__).resolve().parent.parent / "include"
    headers = sorted(path.relative_to(include) for path in include.rglob("*.hpp")) + [pathlib.Path("mercer/kernels.hpp")]
    times, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "alone.cpp"
        for header in headers:
            source.write_text(f'#include "{header}"\n')
            command = [given.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                       f"-I{include}", f"-I{given.generated}", str(source)]
            seconds = []
            for _ in range(3 if given.times else 1):
                start = time.perf_counter()
                result = subprocess.run(command, capture_output=True, text=True)
                seconds.append(time.perf_counter() - start)
            if result.returncode != 0:
                print(f"{header}: does not compile alone\n{result.stderr}")
                failed += 1
            times.append((sorted(seconds)[len(seconds) // 2], header))
        # mercer.h is for C compilers: -x c lets this one be one.
        source = pathlib.Path(folder) / "alone.c"
        source.write_text('#include "mercer/mercer.h"\n')
        headers.append(pathlib.Path("mercer/mercer.h"))
        for standard in ("c99", "c17"):
            command = [given.compiler, "-x", "c", f"-std={standard}", "-pedantic-errors", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{include}", str(source)]
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode != 0:
                print(f"mercer/mercer.h: is not plain C ({standard})\n{result.stderr}")
                failed += 1
    if given.times:
        print("| header | seconds alone |\n|---|---|")
        for seconds, header in sorted(times, reverse=True):
            print(f"| {header} | {seconds:.2f} |")
    print(f"{len(headers) - failed} of {len(headers)} public headers compile alone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
