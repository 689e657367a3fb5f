"""What a column of texts holds: numbers, dates or categories, as the command line reads the same cells in a file.

    numbers      all cells are decimal numbers or missing
    dates        all are dates of one order: 2024-01-31, 31/1/2024 (31.1.2024), 1/31/2024, with or without a time
    categories   everything else; but a text among numbers is more likely a slip than a category, so there is a warning
"""
from __future__ import annotations

import re
from datetime import date
from typing import Iterable

MISSING = "?"
MISSING_WORDS = {"", "NA", "N/A", "NaN", "nan", "null", MISSING}  # as in files
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
TIME = r"(?:[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:[+-]\d\d:?(?:\d\d)?|Z)?)?"
YEAR_FIRST = re.compile(rf"(\d{{4}})([-/])(\d{{1,2}})\2(\d{{1,2}}){TIME}", re.ASCII)
YEAR_LAST = re.compile(rf"(\d{{1,2}})([/.])(\d{{1,2}})\2(\d{{4}}){TIME}", re.ASCII)
WORDS_FOR_MISSING = 5  # different texts among numbers that may stand for a missing one


def as_in_files(cell: object) -> str:
    """A cell as files write it; what stands for a missing one is '?'."""
    text = str(cell).strip(" \t\r")
    return MISSING if text in MISSING_WORDS else text


def is_number(text: str) -> bool:
    return DECIMAL.fullmatch(text) is not None


def kind_of_texts(cells: Iterable[object]) -> tuple[str, str]:
    """'number', 'year_first', 'day_first', 'month_first' or 'category'; and a warning where that may not be what was meant."""
    present = [text for text in map(as_in_files, cells) if text != MISSING]
    texts = [text for text in present if not is_number(text)]
    numbers = len(present) - len(texts)
    if present and not texts:
        return "number", ""
    if numbers > len(texts) and (len(set(texts)) <= WORDS_FOR_MISSING or 20 * len(texts) <= numbers):
        return "category", f"{texts[0]!r} is not a number, though most cells are, so the cells are taken as categories; write a number, or say astype('category')"
    orders = [order for order in ("year_first", "day_first", "month_first") if present and numbers == 0 and all(_is_date(text, order) for text in present)]
    if orders == ["day_first", "month_first"]:
        return "category", "the dates may have the day or the month first, so they are taken as categories; write 2024-01-31, or use pandas.to_datetime"
    return orders[0] if orders else "category", ""


def _is_date(text: str, order: str) -> bool:
    found = (YEAR_FIRST if order == "year_first" else YEAR_LAST).fullmatch(text)
    if found is None or (order == "month_first" and found[2] == "."):
        return False
    first, second, third = int(found[1]), int(found[3]), int(found[4])
    year, month, day = (first, second, third) if order == "year_first" else (third, second, first) if order == "day_first" else (third, first, second)
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
