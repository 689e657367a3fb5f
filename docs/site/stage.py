#!/usr/bin/env python3
"""Writes the source of the documentation site into a folder, from what the repository has: the pages of docs/, the pages of the project, the files that they
link to, and references made from the command line's help, the public headers and the Python package.

    docs/site/stage.py FOLDER        MERCER names the program, PYTHONPATH the built Python package

docs/README.md is the site's first page, and its lists are the table of contents: a link belongs to the heading above it.
"""
import os
import pathlib
import posixpath
import re
import shutil
import sys

import command_reference
import cpp_reference
import python_reference

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A link, or the file of a picture: ](target). A title behind the target does not occur.
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```|~~~)")
REFERENCES = [("Commands", "commands/index.md"), ("Python", "python/index.md"), ("C++", "cpp/index.md")]
LANGUAGES = {".c": "c", ".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".py": "python", ".sh": "bash", ".R": "r", ".md": "markdown"}


def pages():
    """Repository path → path in the site."""
    found = {}
    for path in sorted((ROOT / "docs").rglob("*.md")):
        name = path.relative_to(ROOT / "docs").as_posix()
        found[f"docs/{name}"] = re.sub(r"README\.md$", "index.md", name)
    for path in sorted(ROOT.glob("*.md")):
        found[path.name] = f"project/{path.name.lower()}"
    return found


class Site:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.pages = pages()
        self.files = {}  # repository path of another file that is linked to → its page

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def target(self, source, link):
        """Where a link of the page `source` (a repository path) leads in the site; the page it is in is staged already."""
        if re.match(r"[a-z]+:", link) or link.startswith("#"):
            return link
        path, mark, anchor = link.partition("#")
        found = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        here = posixpath.dirname(self.pages[source])
        if found in self.pages or f"{found}/README.md" in self.pages:
            place = self.pages.get(found) or self.pages[f"{found}/README.md"]
        elif found.endswith((".svg", ".png")):
            place = found.removeprefix("docs/")
            (self.folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / found, self.folder / place)
        elif found == "include/mercer":
            place = "reference/cpp/index.md"
        elif not (ROOT / found).exists():  # code that looks like a link; Sphinx complains if it is one
            return link
        else:
            place = self.files.setdefault(found, f"files/{found}.md")
        return posixpath.relpath(place, here) + mark + anchor

    def stage_page(self, source):
        text = (ROOT / source).read_text(encoding="utf-8")
        text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
        lines, fenced = [], False
        for line in text.split("\n"):
            if FENCE.match(line):
                fenced = not fenced
            if not fenced:
                line = LINK.sub(lambda match: f"]({self.target(source, match[1])})", line)
            lines.append(line)
        text = "\n".join(lines)
        if source == "docs/README.md":
            text += contents(text)
        elif source == "docs/reference/README.md":
            text += "\nThey are here: " + ", ".join(f"[{title}]({place})" for title, place in REFERENCES) + ".\n"
        elif source.endswith("/README.md"):
            inside = sorted(name for name in self.pages if posixpath.dirname(name) == posixpath.dirname(source) and name != source)
            text += "" if not inside else toctree([posixpath.relpath(self.pages[name], posixpath.dirname(self.pages[source])) for name in inside])
        self.write(self.pages[source], text)

    def stage_file(self, path):
        """A page that shows a file, or names the files of a folder."""
        here = posixpath.dirname(self.files[path])
        if (ROOT / path).is_dir():
            text = f"---\norphan: true\n---\n# {path}/\n\n"
            for entry in sorted((ROOT / path).iterdir()):
                name = f"{path}/{entry.name}"
                shown = entry.is_file() and (entry.suffix in LANGUAGES or os.access(entry, os.X_OK)) and not entry.name.endswith(".md")
                text += f"- [{entry.name}]({posixpath.relpath(self.files.setdefault(name, f'files/{name}.md'), here)})\n" if shown else f"- {entry.name}\n"
        else:
            language = LANGUAGES.get(pathlib.Path(path).suffix, "text")
            code = (ROOT / path).read_text(encoding="utf-8").rstrip("\n")
            text = f"---\norphan: true\n---\n# {path}\n\n````{language}\n{code}\n````\n"
        self.write(self.files[path], text)

    def stage(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        for source in self.pages:
            self.stage_page(source)
        staged = set()
        while staged != set(self.files):
            for path in set(self.files) - staged:
                self.stage_file(path)
                staged.add(path)
        for reference in command_reference, cpp_reference, python_reference:
            for name, text in reference.pages(ROOT):
                self.write(f"reference/{name}", text)


def toctree(entries, caption=""):
    return "\n```{toctree}\n:hidden:\n" + (f":caption: {caption}\n" if caption else "") + "\n" + "\n".join(entries) + "\n```\n"


def contents(text):
    """Table of contents of the first page: a tree for each heading, an entry for each link to a page."""
    trees = ""
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        caption, body = section.split("\n", 1)
        entries = [f"{title} <{target}>" for title, target in re.findall(r"\[([^\]]+)\]\(([^)#]+\.md)\)", body)]
        if "reference/index.md" in body:
            entries = [f"{title} <reference/{place}>" for title, place in REFERENCES] + ["About <reference/index.md>"]
        if entries:
            trees += toctree(list(dict.fromkeys(entries)), caption)
    return trees


if __name__ == "__main__":
    Site(sys.argv[1]).stage()
