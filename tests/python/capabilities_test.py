"""Every Python expression of docs/capabilities.md has a value."""
import pathlib
import re
import warnings

import pytest

PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "capabilities.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in PAGE.splitlines() if re.match(r"\| [A-Z]\d+ \|", line)]


@pytest.fixture(scope="module")
def names():
    made = {}
    exec(re.search(r"```python\n(.*?)```", PAGE, re.S)[1], made)
    return made


@pytest.mark.parametrize("row", [pytest.param(row, id=row[0]) for row in ROWS if len(row) == 5])
def test_every_expression_has_a_value(row, names):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = eval(re.fullmatch(r"`(.*)`", row[3])[1], names)
    assert value is not None and value is not False
