"""A column of a frame as numbers: what it is, and how the schema's column says it is encoded. Cells are spelled as files spell them."""
from __future__ import annotations

import warnings
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _mercer
from .text_cells import MISSING, as_in_files, is_number, kind_of_texts
from .words import caller

if TYPE_CHECKING:
    import pandas as pd

MOST_CATEGORIES = 1000
TRUE = ["True"]  # the one category of columns of True and False, as files spell it
SKLEARN_NAN = "Input X contains NaN."


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
        raise ValueError(f"column {name!r} holds {held}, which are neither numbers, texts nor dates; "
                         f"convert them, leave the column out, or compare it with a kernel of objects: kernel@{name}")
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
    words = {as_in_files(cell) for cell in _distinct(name, cells)[1]} | ({MISSING} if cells.isna().any() else set())
    if len(words) > MOST_CATEGORIES:
        raise ValueError(f"column {name!r} holds {len(words)} different texts, more than {MOST_CATEGORIES}; leave it out, or compare it with a kernel of texts: bow@{name}")
    try:
        return _mercer.Column(name, sorted(words, key=_category_order) or [MISSING])
    except UnicodeEncodeError as error:
        raise ValueError(f"column {name!r} holds what is no text: {error}") from None


def numbers_of(column: _mercer.Column, cells: pd.Series, fill: bool) -> np.ndarray:
    values = _days(column, cells) if column.dates != "none" else _plain(column, cells)
    if np.isfinite(values).all():
        return values
    if fill:
        return np.where(np.isfinite(values), values, column.mean)
    if np.isnan(values).any():
        raise ValueError(f"{SKLEARN_NAN}\nColumn {column.name!r} has no number in row {int(np.flatnonzero(np.isnan(values))[0])}; fill it in, "
                         "for instance with sklearn.impute.SimpleImputer, or leave the row out.")
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
        warnings.warn(f"column {column.name!r}: {unknown[0]!r}{others} not met in training; such rows are none of the known categories", UserWarning, stacklevel=2)
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
        raise ValueError(f"column {name!r} holds what is neither number nor text: {error}") from None
    return codes, list(distinct)


def _category_order(text: str) -> tuple[int, float, bytes]:
    """Numbers by value, then texts by byte, as the command line sorts them."""
    number = float(text) if is_number(text) else None
    own = text.encode()
    return (1, 0.0, own) if number is None else (0, number, own)
