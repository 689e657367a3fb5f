"""The code blocks of a Markdown page, fenced or indented, with what a comment above one says of it.

| above a block | means |
|---|---|
| <!-- not run: REASON --> | it is shown only |
| <!-- output differs: REASON --> | it is run, and what it prints is not compared |
| <!-- exit N --> | its last command ends with this code |

<!-- setup LANGUAGE ... --> (sh or python) is a block of its own that readers do not see."""
from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^( *)(```+|~~~+)(.*)$")
NOTE = re.compile(r"<!-- (not run|output differs): (\S.*?) -->|<!-- (exit) (\d+) -->")
# What begins a line that somebody could type. A block with such a line is run, or says why not.
COMMAND = re.compile(r"^\s*(?:\$ |#? ?(?:mercer(?:-mpi)?|mpirun|\./run|\./test|scripts/\S+|pip|apt|apt-get|cmake|ctest|python3?|cc|g\+\+|R) (?=\S))")
SHELLS = ("", "text", "console", "sh")


@dataclass
class Block:
    line: int
    language: str  # of a fence; "" of an indented block
    text: str
    argument: str = ""  # behind the language: the name of a file
    notes: dict[str, str] | None = None
    hidden: bool = False

    @property
    def kind(self) -> str:
        """console, sh, python, cpp, c, file, output, shown; or the language."""
        if self.language in SHELLS and re.search(r"^\$ ", self.text, re.M):
            return "console"
        if self.language == "text" and self.argument:
            return "file"
        if self.language in ("", "text"):
            return "unmarked commands" if any(COMMAND.match(line) for line in self.text.splitlines()) else "shown"
        return self.language


def blocks_of(page: Path) -> list[Block]:
    lines = page.read_text(encoding="utf-8").split("\n")
    found: list[Block] = []
    notes: dict[str, str] = {}
    index = 0
    while index < len(lines):
        line = lines[index]
        begins = FENCE.match(line)
        if begins:
            start, indent, mark = index, len(begins[1]), begins[2]
            body = []
            index += 1
            while index < len(lines) and lines[index].strip() != mark:
                body.append(lines[index][indent:])
                index += 1
            language, _, argument = begins[3].strip().partition(" ")
            found.append(Block(start + 1, language, "\n".join(body) + "\n", argument, notes))
            notes = {}
        elif line.startswith("<!-- setup "):
            start, body = index, []
            language = line.removeprefix("<!-- setup ").strip()
            index += 1
            while lines[index] != "-->":
                body.append(lines[index])
                index += 1
            found.append(Block(start + 1, language, "\n".join(body) + "\n", hidden=True))
        elif NOTE.search(line):
            for said, reason, ends, code in NOTE.findall(line):
                notes[said or ends] = reason or code
        elif re.match(r"^ {4,}\S", line) and (index == 0 or not lines[index - 1].strip()) and not re.match(r"^ +([-*]|\d+\.) ", line):
            start, body = index, []
            while index < len(lines) and (re.match(r"^ {4,}", lines[index]) or not lines[index].strip()):
                body.append(lines[index])
                index += 1
            index -= 1
            while not body[-1].strip():
                body.pop()
            least = min(len(text) - len(text.lstrip()) for text in body if text.strip())
            found.append(Block(start + 1, "", "\n".join(text[least:] for text in body) + "\n", notes=notes))
            notes = {}
        elif line.strip():
            notes = {}
        index += 1
    return found


def pages(root: Path) -> list[Path]:
    return sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")])
