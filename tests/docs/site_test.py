#!/usr/bin/env python3
"""The documentation site is built without a warning; then, in the HTML: no link is broken, nothing is loaded from a network, pictures show, search has an index, and the
references have every command, header and Python name.

    tests/docs/site_test.py        MERCER names the program, PYTHONPATH the built Python package; without Sphinx and its extensions it is skipped (exit code 77)
"""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
from html.parser import HTMLParser

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))
NEEDED = ("sphinx", "myst_parser", "numpydoc", "sphinx_copybutton", "furo", "mercer")


class Page(HTMLParser):
    """Anchors, links and loaded files of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "id" in found:
            self.anchors.add(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") in ("stylesheet", "icon", "preload"):
            self.loaded.append(found["href"])
        elif tag in ("img", "script", "iframe", "source", "object") and (found.get("src") or found.get("data")):
            self.loaded.append(found.get("src") or found["data"])


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import build
        cls.work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.work.cleanup)
        cls.folder = pathlib.Path(cls.work.name, "site").resolve()
        failed = build.build(cls.folder)
        if failed:
            raise AssertionError(f"the site was not built:\n{failed}")
        cls.pages = {path: Page(path.read_text(encoding="utf-8")) for path in cls.folder.rglob("*.html")}

    def target(self, page, link):
        path, _, mark = urllib.parse.unquote(link).partition("#")
        return ((page.parent / path).resolve() if path else page), mark

    def test_no_link_is_broken(self):
        broken = []
        for page, parsed in self.pages.items():
            for link in parsed.links:
                if re.match(r"(https?|mailto):", link):
                    continue
                target, mark = self.target(page, link)
                if not target.is_file():
                    broken.append(f"{page.relative_to(self.folder)}: {link}")
                elif mark and target in self.pages and mark not in self.pages[target].anchors:
                    broken.append(f"{page.relative_to(self.folder)}: {link}: no such place in the page")
        self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_nothing_comes_from_a_network(self):
        for page, parsed in self.pages.items():
            for file in parsed.loaded:
                self.assertIsNone(re.match(r"(https?:)?//", file), f"{page.relative_to(self.folder)} loads {file}")
                target, _ = self.target(page, file.partition("?")[0])
                self.assertTrue(target.is_file(), f"{page.relative_to(self.folder)} loads {file}")
        for style in self.folder.rglob("*.css"):
            self.assertNotRegex(re.sub(r"/\*.*?\*/", "", style.read_text(encoding="utf-8"), flags=re.S), r"url\(\s*['\"]?(https?:)?//", style)

    def test_pictures_and_search_are_there(self):
        gallery = [file for file in self.pages[self.folder / "gallery" / "index.html"].loaded if file.endswith(".svg")]
        self.assertEqual(len(gallery), len(re.findall(r"^!\[", (ROOT / "docs" / "gallery" / "README.md").read_text(encoding="utf-8"), re.M)))
        index = (self.folder / "searchindex.js").read_text(encoding="utf-8")  # a script, so that it works from a disk
        for word in "nystrom", "mercer.svc", "linear_svm":
            self.assertIn(word, index.lower())

    def test_references_are_complete(self):
        import mercer
        reference = self.folder / "reference"
        listed = subprocess.run([os.environ["MERCER"], "--help"], capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "120"}).stdout
        for command in re.findall(r"^  ([a-z][a-z-]+)  +\S", listed.split("\nOptions:")[0], re.M):
            self.assertTrue((reference / "commands" / f"{command}.html").is_file(), command)
        self.assertIn("--explain-plan", (reference / "commands" / "fit.html").read_text(encoding="utf-8"))
        for name in mercer.__all__:
            self.assertTrue((reference / "python" / f"{name}.html").is_file(), name)
        for header in (ROOT / "include" / "mercer").rglob("*.hpp"):
            page = reference / "cpp" / header.relative_to(ROOT / "include" / "mercer").with_suffix(".html")
            self.assertTrue(page.is_file(), page)
            declared = re.sub(r"^namespace detail \{\n.*?^\}  // namespace detail\n", "", header.read_text(encoding="utf-8"), flags=re.S | re.M)
            for name in re.findall(r"^(?:struct|class) (?:MERCER_\w+ )?(\w+)(?: final)?(?: : .*)? \{", declared, re.M):
                self.assertIn(name, page.read_text(encoding="utf-8"), f"{header.name}: {name}")


if __name__ == "__main__":
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: no module {', '.join(missing)} (scripts/install_packages docs)")
        sys.exit(77)
    unittest.main()
