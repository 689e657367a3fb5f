#!/usr/bin/python3
"""Reading text: mercer::read beside LIBSVM's algorithm and pandas, in one run.

    read.py --mercer-read PROGRAM --libsvm-read PROGRAM [--data DIR] [--size MB] [--temp DIR]

Writes a LIBSVM file and a CSV file of MB million bytes (default 500) into a temporary folder, reads each by its
peer and by Mercer in turn, three times, from the page cache, and prints the medians as a markdown table. The
peers read with one thread; Mercer is shown with one and with all. DIR holds a9a/a9a.train.svm, which is read
20 times within a process since it is small. "RSS / held" is the peak resident memory over the bytes of data.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 3
PANDAS = """
import json, sys, time
import pandas
begin = time.perf_counter()
frame = pandas.read_csv(sys.argv[1])
seconds = time.perf_counter() - begin
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM:"))
print(json.dumps({"seconds": seconds, "rows": len(frame), "bytes_held": int(frame.memory_usage().sum()),
                  "peak_rss_bytes": peak * 1024}))
"""


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"read.py: {' '.join(map(str, command[:2]))} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def warm(path):
    """Brings the file into the page cache, so that nobody pays for the disk."""
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass


def compare(path, contenders):
    """The median of each contender, run in turn; contenders: name -> command, the peer first."""
    warm(path)
    runs = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, command in contenders.items():
            runs[name].append(run(command))
    rows = {result["rows"] for results in runs.values() for result in results}
    if len(rows) != 1:
        sys.exit(f"read.py: the readers of {path.name} disagree about its rows: {sorted(rows)}")
    return {
        name: {
            "seconds": statistics.median(result["seconds"] for result in results),
            "rss": max(result["peak_rss_bytes"] for result in results),
            "held": results[0]["bytes_held"],
        }
        for name, results in runs.items()
    }


def print_rows(path, results):
    megabytes = path.stat().st_size / 1e6
    peer = next(iter(results.values()))
    for name, result in results.items():
        seconds = result["seconds"]
        print(
            f"| {path.name} ({megabytes:.1f} MB) | {name} | {seconds:.4g} | {megabytes / seconds:.0f} "
            f"| {peer['seconds'] / seconds:.1f}× | {result['rss'] / 1e6:.0f} MB "
            f"| {result['rss'] / result['held']:.2f} |",
            flush=True,
        )


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mercer-read", required=True, metavar="PROGRAM", help="built from bench/read.cpp")
    parser.add_argument("--libsvm-read", required=True, metavar="PROGRAM", help="built from bench/read_peers.cpp")
    parser.add_argument("--data", type=Path, metavar="DIR", help="holds a9a/a9a.train.svm; else left out")
    parser.add_argument("--size", type=float, default=500, metavar="MB", help="of each generated file")
    parser.add_argument("--temp", metavar="DIR", help="where the generated files go for the time of the run")
    return parser.parse_args()


def main():
    given = arguments()

    def mercer(path, *more):
        return {
            "Mercer, 1 thread": [given.mercer_read, path, "--threads", "1", *more],
            "Mercer, all threads": [given.mercer_read, path, "--threads", "0", *more],
        }

    print("| file | reader | seconds | MB/s | faster | peak RSS | RSS / held |")
    print("|---|---|---:|---:|---:|---:|---:|")
    if given.data:
        path = given.data / "a9a" / "a9a.train.svm"
        repeat = ["--repeat", "20"]
        print_rows(path, compare(path, {"LIBSVM": [given.libsvm_read, path, *repeat], **mercer(path, *repeat)}))
    with tempfile.TemporaryDirectory(dir=given.temp, prefix="mercer-read-") as folder:
        for form, name, peer in (
            ("libsvm", "LIBSVM", [given.libsvm_read]),
            ("csv", "pandas", [sys.executable, "-c", PANDAS]),
        ):
            path = Path(folder) / f"generated.{'svm' if form == 'libsvm' else form}"
            subprocess.run([given.libsvm_read, "--generate", form, path, str(given.size)], check=True)
            print_rows(path, compare(path, {name: [*peer, path], **mercer(path)}))
            path.unlink()


if __name__ == "__main__":
    main()
