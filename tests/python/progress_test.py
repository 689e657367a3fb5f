"""The bar of ``verbose=1``: it fits the terminal, ends its line, and is a plain line in files."""
from __future__ import annotations

import io
import pathlib
import sys
from typing import Any

import numpy as np
import pytest

import mercer
from mercer import progress

sys.path.append(str(pathlib.Path(__file__).parents[1] / "cli"))

from terminal import Screen, run_in_terminal  # noqa: E402

NEVER_ENDS = """
import numpy as np, mercer
numbers = np.random.default_rng(0)
X, y = numbers.normal(size=(8000, 40)), numbers.integers(0, 2, 8000)
mercer.SVC(C=1e6, tol=1e-12, n_jobs=1, verbose=1).fit(X, y)
"""


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


def written(monkeypatch: Any, stream: Any, calls: Any, columns: int = 80) -> str:
    """What a bar writes for calls of (seconds after its begin, what, fraction)."""
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "columns_of", lambda _: columns)
    with progress.Bar("SVC") as bar:
        for seconds, what, fraction in calls:
            clock.now = 100.0 + seconds
            bar(what, fraction)
    monkeypatch.undo()
    return stream.getvalue()


LONG_WORK = [(0.1, "rows", 0.1), (10, "rows", 0.25), (20, "rows", 0.2), (3700, "rows", 0.5)]


def test_it_is_written_anew_in_a_terminal(monkeypatch: Any) -> None:
    text = written(monkeypatch, Terminal(), LONG_WORK)
    lines = text.replace("\b", "").split("\r")
    assert [line.rstrip() for line in lines[1:]] == ["SVC:  25%|█████               | [00:10<00:30, rows]",
                                                     "SVC:  25%|█████               | [00:20<01:00, rows]",  # never back
                                                     "SVC:  50%|██████████          | [1:01:40<1:01:40, rows]",
                                                     "SVC: 100%|████████████████████| [1:01:40<00:00]"]
    screen = Screen(80)
    screen.feed(text)
    assert screen.text() == lines[-1].rstrip()  # the longer line is written over


@pytest.mark.parametrize("columns", [1, 10, 20, 40, 60, 200])
def test_it_fits_every_width(monkeypatch: Any, columns: int) -> None:
    text = written(monkeypatch, Terminal(), [*LONG_WORK, (3800, "x" * 300, 0.9)], columns)
    screen = Screen(columns)
    screen.feed(text)
    assert not screen.wrapped
    assert len(screen.text().split("\n")) == 1 and screen.text()


def test_plain_lines_in_files(monkeypatch: Any) -> None:
    text = written(monkeypatch, io.StringIO(), [*LONG_WORK, (3701, "rows", 0.6)])
    assert text == "SVC:  50% [1:01:40<1:01:40, rows]\nSVC: 100% [1:01:41<00:00]\n"


def test_numbers_that_are_none(monkeypatch: Any) -> None:
    text = written(monkeypatch, Terminal(), [(1, "rows", float("nan")), (2, "rows", float("inf")), (3, "rows", -1.0), (4, "rows", 0.0)])
    assert "nan" not in text and "inf" not in text and "-" not in text
    assert "  0%" in text and "<?" in text


def test_the_next_piece_of_work_has_a_clock_of_its_own(monkeypatch: Any) -> None:
    text = written(monkeypatch, Terminal(), [(10, "search", 0.99), (11, "fit", 0.0), (12, "fit", 0.5)])
    assert "SVC:  50%" in text and "[00:12<00:01, fit]" in text


def test_quick_work_shows_nothing(capsys: Any) -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    mercer.SVC(verbose=1).fit(X, np.arange(20) % 2)
    assert capsys.readouterr().err == ""


def test_a_bar_without_a_console(monkeypatch: Any) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with progress.Bar("SVC") as bar:
        bar.start -= 10
        bar("rows", 0.5)


def test_the_line_ends_when_it_is_interrupted() -> None:
    ended = run_in_terminal([sys.executable, "-c", NEVER_ENDS], 60, typed=once_there_is("SVC:"))
    assert not [line for line in ended.screen.wrapped if "SVC:" in line]
    bar, begin = ended.text.split("\n")[:2]
    assert bar.startswith("SVC: ") and begin.startswith("Traceback"), ended.text
    assert ended.text.endswith("KeyboardInterrupt")


def once_there_is(begin: str) -> Any:
    pressed: list[bool] = []

    def typed(screen: Any) -> str | None:
        if pressed or not screen.line().startswith(begin):
            return None
        pressed.append(True)
        return "\x03"

    return typed
