"""A column of a frame as numbers: what it is, and how the schema's column says it is encoded. Cells are spelled as files spell them.

A column of texts is read as the command line reads the same cells in a file:

    numbers      all cells are decimal numbers or missing
    dates        all are dates of one order: 2024-01-31, 31/1/2024 (31.1.2024), 1/31/2024, with or without a time
    categories   everything else; but a text among numbers is more likely a slip than a category, so there is a warning
"""
from __future__ import annotations

import re
import warnings
from datetime import date
from numbers import Number
from typing import TYPE_CHECKING, Any, Iterable

import numpy as np

from . import _mercer
from .words import caller

if TYPE_CHECKING:
    import pandas as pd

MOST_CATEGORIES = 1000
TRUE = ["True"]  # the one category of columns of True and False, as files spell it
SKLEARN_NAN = "Input X contains NaN."
MISSING = "?"
MISSING_WORDS = {"", "NA", "N/A", "NaN", "nan", "null", MISSING}  # as in files
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
TIME = r"(?:[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:[+-]\d\d:?(?:\d\d)?|Z)?)?"
YEAR_FIRST = re.compile(rf"(\d{{4}})([-/])(\d{{1,2}})\2(\d{{1,2}}){TIME}", re.ASCII)
YEAR_LAST = re.compile(rf"(\d{{1,2}})([/.])(\d{{1,2}})\2(\d{{4}}){TIME}", re.ASCII)
WORDS_FOR_MISSING = 5  # different texts among numbers that may stand for a missing one


def kind_of(cells: pd.Series) -> str:
    """'number', 'truth', 'date', 'category' (texts), or 'other'."""
    import pandas as pd
    from pandas.api import types

    if isinstance(cells.dtype, pd.CategoricalDtype):
        return "category"
    if types.is_bool_dtype(cells.dtype):
        return "truth"
    if types.is_numeric_dtype(cells.dtype):
        return "number"
    if types.is_datetime64_any_dtype(cells.dtype):
        return "date"
    if not (types.is_object_dtype(cells.dtype) or types.is_string_dtype(cells.dtype)):
        return "other"
    inferred = types.infer_dtype(cells, skipna=True)
    if inferred == "boolean":
        return "category" if cells.isna().any() else "truth"
    kinds = {"number": ("integer", "floating", "mixed-integer-float", "decimal", "complex", "empty"), "date": ("date", "datetime", "datetime64"), "category": ("string",)}
    found = [kind for kind, words in kinds.items() if inferred in words]
    if found or inferred not in ("mixed", "mixed-integer"):
        return found[0] if found else "other"
    present = cells[cells.notna()]
    if all(isinstance(cell, Number) and not isinstance(cell, bool) for cell in present):
        return "number"
    return "category" if all(isinstance(cell, (str, Number)) for cell in present) else "other"


def holds_texts(cells: pd.Series) -> bool:
    """Whether the cells are texts, as those of files are, and nobody said that they are categories (dtype category)."""
    import pandas as pd

    return not isinstance(cells.dtype, pd.CategoricalDtype) and kind_of(cells) == "category"


def learn_column(name: str, cells: pd.Series) -> _mercer.Column:
    kind = kind_of(cells)
    if kind == "other":
        held = f"objects such as {type(cells.iloc[0]).__name__}" if cells.dtype == object else cells.dtype
        raise ValueError(f"column {name!r} holds {held}, which are neither numbers, text nor dates; "
                         f"convert them, drop the column, or use an object kernel on it: kernel@{name}")
    if kind == "truth":
        return _mercer.Column(name, TRUE)
    if kind != "category":
        return _mercer.Column(name, dates="year_first" if kind == "date" else "none")
    if holds_texts(cells):
        written, doubt = kind_of_texts(cells[cells.notna()])
        if doubt:
            warnings.warn(f"column {name!r}: {doubt}", UserWarning, stacklevel=caller())
        if written != "category":
            return _mercer.Column(name, dates="none" if written == "number" else written)
    elif cells.notna().any() and all(is_number(as_in_files(cell)) for cell in cells.cat.categories):
        warnings.warn(f"column {name!r} has the dtype category, so its numbers are treated as categories, a 0/1 column for each; use astype(float) to treat them as numbers",
                      UserWarning, stacklevel=caller())
    words = {as_in_files(cell) for cell in _distinct(name, cells)[1]} | ({MISSING} if cells.isna().any() else set())
    if len(words) > MOST_CATEGORIES:
        raise ValueError(f"column {name!r} has {len(words)} distinct values, more than {MOST_CATEGORIES}; drop it, or use a text kernel on it: bow@{name}")
    try:
        return _mercer.Column(name, sorted(words, key=_category_order) or [MISSING])
    except UnicodeEncodeError as error:
        raise ValueError(f"column {name!r} holds invalid text: {error}") from None


def numbers_of(column: _mercer.Column, cells: pd.Series, fill: bool) -> np.ndarray:
    values = _days(column, cells) if column.dates != "none" else _plain(column, cells)
    if np.isfinite(values).all():
        return values
    if fill:
        return np.where(np.isfinite(values), values, column.mean)
    if np.isnan(values).any():
        raise ValueError(f"{SKLEARN_NAN}\nColumn {column.name!r} is missing in row {int(np.flatnonzero(np.isnan(values))[0])}; impute it, "
                         "e.g. with sklearn.impute.SimpleImputer, or drop the row.")
    raise ValueError(f"Input X contains infinity or a value too large for dtype('float64'), in column {column.name!r}.")


def _plain(column: _mercer.Column, cells: pd.Series) -> np.ndarray:
    if cells.dtype.kind == "c" or kind_of(cells) == "date":
        raise ValueError(f"Complex data not supported, in column {column.name!r}" if cells.dtype.kind == "c" else f"column {column.name!r} holds numbers in training, not dates")
    try:
        if holds_texts(cells):
            texts = [MISSING if missing else as_in_files(cell) for cell, missing in zip(cells, cells.isna())]
            wrong = next((text for text in texts if text != MISSING and not is_number(text)), None)
            if wrong is not None:
                raise ValueError(f"could not convert string to float: {wrong!r}")
            return np.array([np.nan if text == MISSING else float(text) for text in texts])
        return cells.to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"column {column.name!r} holds numbers: {error}") from None


def _days(column: _mercer.Column, cells: pd.Series) -> np.ndarray:
    import pandas as pd

    if kind_of(cells) == "number" and not cells.isna().all():
        raise ValueError(f"column {column.name!r} holds dates in training, not numbers")
    try:
        dates = pd.to_datetime(cells, utc=True, dayfirst=column.dates == "day_first", yearfirst=column.dates == "year_first")
        days = (dates - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(days=1)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"column {column.name!r} holds dates: {error}") from None
    return days.to_numpy(np.float64, na_value=np.nan)


def categories_of(column: _mercer.Column, cells: pd.Series) -> np.ndarray:
    """A 0/1 column for each category."""
    if column.categories == TRUE and kind_of(cells) in ("truth", "number"):
        return (_plain_truth(column, cells) != 0).astype(np.float64)[:, None]
    codes, distinct = _distinct(column.name, cells)
    places = {category: k for k, category in enumerate(column.categories)}
    words = [as_in_files(cell) for cell in distinct]
    unknown = [word for word in words if word not in places and word != MISSING and not (column.categories == TRUE and word == "False")]
    if unknown:
        others = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        warnings.warn(f"column {column.name!r}: {unknown[0]!r}{others} not seen in training; such rows get none of the known categories", UserWarning, stacklevel=2)
    place_of = np.array([places.get(word, -1) for word in words] + [places.get(MISSING, -1)], np.int64)  # the last one is of missing cells
    place = place_of[codes]
    block = np.zeros((len(cells), len(column.categories)))
    known = np.flatnonzero(place >= 0)
    block[known, place[known]] = 1
    return block


def _plain_truth(column: _mercer.Column, cells: pd.Series) -> np.ndarray:
    values = _plain(column, cells)
    if np.isnan(values).any():
        raise ValueError(f"{SKLEARN_NAN}\nColumn {column.name!r} is neither True nor False in row {int(np.flatnonzero(np.isnan(values))[0])}.")
    return values


def _distinct(name: str, cells: pd.Series) -> tuple[np.ndarray, list[Any]]:
    """The distinct cells, and which of them each cell is; -1 where it is missing."""
    import pandas as pd

    try:
        codes, distinct = pd.factorize(cells)
    except TypeError as error:
        raise ValueError(f"column {name!r} holds values that are neither numbers nor text: {error}") from None
    return codes, list(distinct)


def _category_order(text: str) -> tuple[int, float, bytes]:
    """Numbers by value, then texts by byte, as the command line sorts them."""
    number = float(text) if is_number(text) else None
    own = text.encode()
    return (1, 0.0, own) if number is None else (0, number, own)


# --- Cells that are texts. ------------------------------------------------------------------------------------------------------


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
        return "category", f"{texts[0]!r} is not a number, though most cells are, so the column is treated as categorical; correct the cell, or use astype('category')"
    orders = [order for order in ("year_first", "day_first", "month_first") if present and numbers == 0 and all(_is_date(text, order) for text in present)]
    if orders == ["day_first", "month_first"]:
        return "category", "the dates may have the day or the month first, so the column is treated as categorical; write 2024-01-31, or use pandas.to_datetime"
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
