#!/usr/bin/env python3
"""Runs the code blocks of a page in order, in an empty folder, and compares what they print with what the page shows.

    tests/docs/run_page.py PAGE        MERCER names the program; with PYTHONPATH the Python package

A line that the page shows must be among the printed ones, in that order; lines may be left out. Words must be equal. Numbers may differ by 5 %, because
another CPU rounds otherwise; times, residuals and counts of steps may be any number. Python blocks of a page share their names, and a ```text block right
below one is what it prints, exactly. C++ and C blocks are compiled, not run.
"""
from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from page_blocks import Block, blocks_of

ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w]*[a-zA-Z_]\w*\()")
FREE = re.compile(r"^\s*(?:s\b|ms\b|seconds?|minutes?|hours?|steps?|evaluations?|iterations?|rounds?|passes|operations|GB|MB|features of|support vectors)")
FREE_AFTER = re.compile(r"(?:violation|duality gap|residual|gradient norm|residual of eigenvectors|bound of kernel weights)\s*$")
SECONDS = 600


class Mismatch(Exception):
    pass


def same_line(shown: str, printed: str) -> bool:
    if shown.strip() == "…":
        return True
    if "…" in shown and "…" not in printed:
        head, tail = shown.split("…", 1)
        return " ".join(printed.split()).startswith(" ".join(head.split())) and " ".join(printed.split()).endswith(" ".join(tail.split()))
    words, others = NUMBER.split(shown), NUMBER.split(printed)
    if [" ".join(word.split()) for word in words] != [" ".join(word.split()) for word in others]:
        return False
    for before, one, two, after in zip(words, NUMBER.findall(shown), NUMBER.findall(printed), words[1:]):
        a, b = (float(text.replace("−", "-")) for text in (one, two))
        small = max(abs(a), abs(b)) < 1e-3
        if not (FREE.match(after) or FREE_AFTER.search(before) or small or abs(a - b) <= 0.05 * max(abs(a), abs(b))):
            return False
    return True


def compare(shown: list[str], printed: list[str], where: str) -> None:
    at = 0
    for line in shown:
        if line.strip() in ("", "…"):
            continue
        begin = at
        while at < len(printed) and not same_line(line, printed[at]):
            at += 1
        if at == len(printed):
            raise Mismatch(f"{where}: not printed (after line {begin} of the output): {line}\n--- printed:\n" + "\n".join(printed))
        at += 1


def commands_of(text: str) -> list[tuple[str, list[str]]]:
    """Commands of a console block, each with the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    continued = False
    for line in text.rstrip("\n").split("\n"):
        if continued:
            found[-1] = (found[-1][0] + "\n" + line, [])
        elif line.startswith("$ "):
            found.append((line[2:], []))
        elif found:  # what stands above the first command is a formula
            found[-1][1].append(line)
        continued = (continued or line.startswith("$ ")) and line.endswith("\\")
    return found


class Page:
    def __init__(self, path: Path, folder: Path):
        self.path, self.folder = path, folder
        self.names: dict[str, object] = {"__name__": "page"}
        tools = folder / ".tools"
        tools.mkdir()
        (tools / "mercer").symlink_to(os.environ["MERCER"])
        (tools / "python3").symlink_to(sys.executable)
        (folder / "run").symlink_to(os.environ["MERCER"])
        (folder / "examples").symlink_to(ROOT / "examples")
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "COLUMNS": "80"}

    def shell(self, command: str) -> tuple[int, list[str]]:
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                              timeout=SECONDS)
        return done.returncode, done.stdout.rstrip("\n").split("\n")

    def console(self, block: Block, where: str) -> None:
        notes = block.notes or {}
        commands = commands_of(block.text)
        for number, (command, shown) in enumerate(commands):
            code, printed = self.shell(command)
            refused = any(line.startswith("mercer: ") for line in shown)
            wanted = int(notes["exit"]) if "exit" in notes and number == len(commands) - 1 else None
            if (code != wanted) if wanted is not None else (code != 0 and not refused):
                raise Mismatch(f"{where}: exit code {code}: {command}\n" + "\n".join(printed))
            if "output differs" not in notes:
                compare(shown, printed, f"{where}: {command}")

    def python(self, block: Block, where: str, expected: str | None) -> None:
        printed = io.StringIO()
        with contextlib.chdir(self.folder) if hasattr(contextlib, "chdir") else contextlib.nullcontext(), contextlib.redirect_stdout(printed):
            exec(compile(block.text, where, "exec"), self.names)
        if expected is not None and "output differs" not in (block.notes or {}) and printed.getvalue() != expected:
            raise Mismatch(f"{where} prints\n{printed.getvalue()}instead of\n{expected}")

    def compiled(self, block: Block, where: str) -> None:
        """A program as it is; of statements the body of a function, behind the includes and `prelude` of the hidden block above."""
        prelude = str(self.names.get(f"prelude_{block.language}", ""))
        lines = block.text.split("\n")
        includes = "\n".join(line for line in lines if line.startswith("#include"))
        body = "\n".join(line for line in lines if not line.startswith("#include"))
        whole = re.search(r"^int main\(|^struct |^namespace ", body, re.M)
        source = f"{includes}\n{prelude}\n" + (body if whole else f"void shown() {{\n{body}\n}}\n")
        compiler = [os.environ.get("CXX", "c++"), "-std=c++20"] if block.language == "cpp" else [os.environ.get("CC", "cc"), "-std=c99"]
        done = subprocess.run([*compiler, "-fsyntax-only", "-w", "-I", ROOT / "include", "-I", Path(os.environ["MERCER"]).parent / "generated", "-x", {"cpp": "c++", "c": "c"}[block.language], "-"],
                              input=source, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            raise Mismatch(f"{where} does not compile:\n{done.stderr}")

    def run(self) -> list[str]:
        """What went wrong, block by block."""
        wrong, blocks = [], blocks_of(self.path)
        for number, block in enumerate(blocks):
            where = f"{self.path.relative_to(ROOT)}:{block.line}"
            after = blocks[number + 1] if number + 1 < len(blocks) else None
            try:
                if "not run" in (block.notes or {}):
                    continue
                if block.kind == "console":
                    self.console(block, where)
                elif block.kind == "sh":
                    code, printed = self.shell("set -e\n" + block.text)
                    if code:
                        raise Mismatch(f"{where}: exit code {code}\n" + "\n".join(printed))
                elif block.kind == "file":
                    (self.folder / block.argument).write_text(block.text, encoding="utf-8")
                elif block.kind == "python":
                    if has_package():
                        below = after is not None and after.kind == "shown" and after.language == "text" and after.line == block.line + block.text.count("\n") + 3
                        self.python(block, where, after.text if below else None)
                elif block.kind in ("cpp", "c"):
                    self.compiled(block, where)
                elif block.kind in ("prelude_cpp", "prelude_c"):
                    self.names[block.kind] = block.text
                elif block.kind != "shown":
                    raise Mismatch(f"{where}: a block of {block.kind} is neither run nor says '<!-- not run: REASON -->'")
            except Mismatch as problem:
                wrong.append(str(problem))
            except Exception as problem:  # of a Python block
                wrong.append(f"{where}: {type(problem).__name__}: {problem}")
        return wrong


def has_package() -> bool:
    try:
        import mercer  # noqa: F401
        import pandas  # noqa: F401
    except ImportError:
        return False
    return True


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        wrong = Page(Path(sys.argv[1]).resolve(), Path(folder)).run()
    print("\n\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
