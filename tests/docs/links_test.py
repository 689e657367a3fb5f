#!/usr/bin/env python3
"""The Markdown pages as a repository browser shows them: every link leads to a file, every #anchor to a heading, every page is in the table of contents, and every block of
code is run or says why not."""
import re
import unittest
from pathlib import Path

from page_blocks import FENCE, blocks_of, pages

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")
KNOWN = {"console", "sh", "python", "cpp", "c", "file", "shown", "prelude_cpp", "prelude_c"}


def prose(page):
    """Lines outside of code blocks and comments, with their numbers; code in a line is blanked."""
    fenced = comment = False
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            comment = comment or line.startswith("<!--")
            if not comment and not line.startswith("    "):
                yield number, re.sub(r"`[^`]*`", "", line)
            if line.rstrip().endswith("-->"):
                comment = False


def anchor(heading):
    """As GitHub and GitLab make it of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(page):
    found = {}
    for _, line in headings(page):
        name = anchor(line)
        found[name] = found.get(name, -1) + 1
    return {name if not number else f"{name}-{number}" for name, last in found.items() for number in range(last + 1)}


def headings(page):
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced and re.match(r"#+ ", line):
            yield number, line.lstrip("#").strip()


class Links(unittest.TestCase):
    def test_links_lead_somewhere(self):
        broken, known = [], {}
        for page in pages(ROOT):
            for number, line in prose(page):
                for link in LINK.findall(line):
                    if re.match(r"[a-z]+:", link):
                        continue
                    path, _, mark = link.partition("#")
                    target = (page.parent / path).resolve() if path else page
                    if not target.exists():
                        broken.append(f"{page.relative_to(ROOT)}:{number}: {link}: no such file")
                    elif mark and target.suffix == ".md" and mark not in known.setdefault(target, anchors(target)):
                        broken.append(f"{page.relative_to(ROOT)}:{number}: {link}: no such heading")
        self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_every_page_is_in_the_table_of_contents(self):
        named = {(ROOT / "docs" / target).resolve() for target in LINK.findall((ROOT / "docs" / "README.md").read_text(encoding="utf-8"))}
        for folder in "decisions", "reference", "gallery":
            named |= {(ROOT / "docs" / folder / target).resolve() for target in LINK.findall((ROOT / "docs" / folder / "README.md").read_text(encoding="utf-8"))}
        missing = [str(page.relative_to(ROOT)) for page in pages(ROOT) if page not in named and page != ROOT / "docs" / "README.md"]
        self.assertEqual(missing, [])

    def test_every_block_is_run_or_says_why_not(self):
        wrong = [f"{page.relative_to(ROOT)}:{block.line}: {block.kind}" for page in pages(ROOT) for block in blocks_of(page)
                 if block.kind not in KNOWN and "not run" not in (block.notes or {})]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))

    def test_anchors_are_made_as_browsers_make_them(self):
        self.assertEqual(anchor("Linear machines: `linear_svm` and `linear_svr`"), "linear-machines-linear_svm-and-linear_svr")
        self.assertEqual(anchor("E1. Basis functions against a kernel"), "e1-basis-functions-against-a-kernel")


if __name__ == "__main__":
    unittest.main()
