"""docs/python.md: its code blocks run in order, and print what stands under them."""
from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

pytest.importorskip("pandas")
PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def blocks() -> list[tuple[int, str, str | None]]:
    """Line number, code, and what it prints (None: the page does not say)."""
    text = PAGE.read_text()
    found = re.finditer(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", text, re.S)
    return [(text.count("\n", 0, block.start()) + 1, block[1], block[2]) for block in found]


def test_code_prints_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    assert len(blocks()) >= 9
    for line, code, expected in blocks():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"{PAGE.name}, block at line {line}", "exec"), names)
        if expected is not None:
            assert printed.getvalue() == expected, f"block at line {line}"
