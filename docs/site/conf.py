"""Sphinx's settings for the documentation site; docs/site/stage.py writes the pages it reads."""
import re
from pathlib import Path

from docutils import nodes

project = "Mercer"
author = copyright = "The Mercer authors"
html_title = "Mercer"
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "sphinx_copybutton"]
language = "en"
smartquotes = False  # -- begins options

# Pages
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
highlight_language = "none"  # blocks without a language hold formulas, output and expressions
suppress_warnings = ["misc.highlighting_failure"]

# Python reference. Classes may be made when they are asked for, so signatures and docstrings are those of the living objects.
autodoc_member_order = "alphabetical"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# HTML: no network, no server; opened from a disk, search and both colour schemes work.
html_theme = "furo"
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["mercer.css"]
html_search_scorer = str(Path(__file__).parent / "static" / "scorer.js")
html_show_sphinx = False
html_show_sourcelink = False
html_copy_source = False
# Debian's furo.css (2022.12.07) lacks the rule that gives readers whose system is dark its dark colours; named here, they apply.
DARK = {
    "color-problematic": "#ee5151",
    "color-foreground-primary": "#ffffffcc",
    "color-foreground-secondary": "#9ca0a5",
    "color-foreground-muted": "#81868d",
    "color-foreground-border": "#666666",
    "color-background-primary": "#131416",
    "color-background-secondary": "#1a1c1e",
    "color-background-hover": "#1e2124ff",
    "color-background-hover--transparent": "#1e212400",
    "color-background-border": "#303335",
    "color-background-item": "#444",
    "color-highlighted-background": "#083563",
    "color-guilabel-background": "#08356380",
    "color-guilabel-border": "#13395f80",
    "color-api-keyword": "var(--color-foreground-secondary)",
    "color-highlight-on-target": "#333300",
    "color-admonition-background": "#18181a",
    "color-brand-primary": "#7db4f0",
    "color-brand-content": "#7db4f0",
}
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
    "dark_css_variables": DARK,
}
pygments_style = "tango"
pygments_dark_style = "native"  # comments stay readable: in the C++ reference they are the text
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_selector = ", ".join(f"div.highlight-{language} pre" for language in ("console", "sh", "bash", "python", "cpp", "c", "cmake", "r", "js"))


def name_consoles(app, doctree):
    """Blocks with commands behind a dollar sign are highlighted as such."""
    for block in doctree.findall(nodes.literal_block):
        if block.get("language", "default") in ("default", "none") and re.search(r"^ *\$ ", block.astext(), re.M):
            block["language"] = "console"


def escape_docstring(app, what, name, obj, options, lines):
    """Docstrings are written for people: fitted_ attributes and |x| are no references to targets and substitutions, as reStructuredText has them."""
    for number, line in enumerate(lines):
        line = re.sub(r":(?:ref|term|mod|doc):`([^`<]*?)(?: *<[^`>]*>)?`", r"\1", line)  # labels of scikit-learn's own site, in what is inherited from it
        line = re.sub(r":math:`([^`]*)`", r"``\1``", line)  # no program for formulas is loaded
        parts = re.split(r"(``.*?``|`[^`]*`_?)", line)
        parts[::2] = [re.sub(r"(?<=\w)_(?!\w)", r"\\_", part.replace("|", r"\|")).replace(r"\\_", r"\_") for part in parts[::2]]
        lines[number] = "".join(parts)


def setup(app):
    app.connect("autodoc-process-docstring", escape_docstring, priority=900)  # after numpydoc
    app.connect("doctree-read", name_consoles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
