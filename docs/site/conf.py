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
html_show_sphinx = False
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
    "dark_css_variables": {"color-brand-primary": "#7db4f0", "color-brand-content": "#7db4f0"},
}
pygments_style = "tango"
pygments_dark_style = "monokai"
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True


def name_consoles(app, doctree):
    """Blocks with commands behind a dollar sign are highlighted as such."""
    for block in doctree.findall(nodes.literal_block):
        if block.get("language", "default") in ("default", "none") and re.search(r"^ *\$ ", block.astext(), re.M):
            block["language"] = "console"


def wrap_tables(app, doctree):
    """A table that is wider than the page scrolls by itself, not with the page."""
    for table in doctree.findall(nodes.table):
        if "table-wrapper" not in table.parent.get("classes", []):
            box = nodes.container(classes=["table-wrapper"])
            table.replace_self(box)
            box += table


def escape_docstring(app, what, name, obj, options, lines):
    """Docstrings are written for people: fitted_ attributes and |x| are no references to targets and substitutions, as reStructuredText has them."""
    for number, line in enumerate(lines):
        line = re.sub(r":(?:ref|term|mod|doc):`([^`<]*?)(?: *<[^`>]*>)?`", r"\1", line)  # labels of scikit-learn's own site, in what is inherited from it
        parts = re.split(r"(``.*?``|`[^`]*`_?)", line)
        parts[::2] = [re.sub(r"(?<=\w)_(?!\w)", r"\\_", part.replace("|", r"\|")).replace(r"\\_", r"\_") for part in parts[::2]]
        lines[number] = "".join(parts)


def setup(app):
    app.connect("autodoc-process-docstring", escape_docstring, priority=900)  # after numpydoc
    app.connect("doctree-read", name_consoles)
    app.connect("doctree-read", wrap_tables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
