"""Frames: how their columns become numbers and objects, and how another frame becomes the same ones.

What is learned of a frame is the engine's schema, the one that the command line learns of a table; it is kept in the model. So a model fitted here predicts a
CSV file of the same columns on the command line, and a model fitted there predicts a frame here.

    numbers             a column of numbers; also where they are written as texts, as in a file
    True and False      one column: 1 where True
    texts, categories   a 0/1 column for each category; missing cells are the category '?'. Numbers of dtype category are categories, with a warning
    dates               days since 1970-01-01; also where they are written as texts
    compared by kernel@column: objects, kept as they are
"""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Collection

import numpy as np

from . import _mercer
from .columns import categories_of, kind_of, learn_column, numbers_of
from .data import check_finite, points_of, rows_of_numbers, with_dlpack
from .objects import Compared, as_list, compared_by, domain_of, domains_compared, holds_sets, is_numbers, named_columns, objects_in_list, objects_of, points_with

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class Rows:
    """Rows of numbers and objects, as a schema describes them."""

    numbers: np.ndarray  # rows × columns, float64
    names: list[str]     # of these columns
    objects: list[_mercer.Objects]
    schema: _mercer.Schema

    @property
    def shape(self) -> tuple[int, int]:
        return self.numbers.shape

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, rows: Any) -> np.ndarray:
        """Numbers of some rows: what a kernel given as a function sees."""
        return self.numbers[rows]

    def points(self) -> _mercer.Points:
        numbers = points_of(self.numbers, self.names)
        return points_with(self.objects, numbers) if self.objects else numbers


def is_frame(X: Any) -> bool:
    """Whether X is a frame of pandas'. It is not imported for the question."""
    return hasattr(X, "iloc") and hasattr(X, "columns") and hasattr(X, "dtypes")


def is_encoded(schema: _mercer.Schema) -> bool:
    """Whether rows have to be encoded: some column is not just numbers."""
    return any(column.categories or column.objects or column.dates != "none" for column in schema.columns)


def one_of_objects(schema: _mercer.Schema) -> _mercer.Column | None:
    """The column of objects of rows that are nothing else, so that a list of them will do. The other columns of a table whose rows are members of bags are in the bags."""
    found = [column for column in schema.columns if column.objects]
    return found[0] if len(found) == 1 and (len(schema.columns) == 1 or found[0].objects == "vectors") else None


def has_only_numbers(X: pd.DataFrame) -> bool:
    """Whether scikit-learn's checks make of the frame what the engine needs."""
    return all(dtype.kind in "iuf" or kind_of(X.iloc[:, j]) == "number" for j, dtype in enumerate(X.dtypes))


def points_for(kernel: _mercer.Kernel, X: Any, Y: Any = None) -> tuple[_mercer.Points, _mercer.Points | None]:
    """X and Y as a kernel compares them. Y is encoded as X was."""
    compared, X, Y = compared_by(kernel), with_dlpack(X), with_dlpack(Y)
    if is_frame(X) and (compared or not has_only_numbers(X)):
        rows = learn(X, compared, named=named_columns(kernel))
        return rows.points(), None if Y is None else encode(Y, rows.schema).points()
    if (compared and not is_numbers(X)) or holds_sets(X):
        rows = of_list(X, compared)
        return rows.points(), None if Y is None else encode(Y, rows.schema).points()
    names = [str(name) for name in X.columns] if is_frame(X) else []
    if names and is_frame(Y) and list(Y.columns) != list(X.columns):
        raise ValueError(f"X and Y must have the same columns in the same order, not {', '.join(names[:20])} and {', '.join(str(name) for name in Y.columns[:20])}")
    first, second = points_of(X, names), None if Y is None else points_of(Y, names)
    for points in filter(None, (first, second)):
        check_finite(points)
    return first, second


def rows_beyond_numbers(X: Any, kernel: Any, target: str = "") -> Rows | list[Any] | None:
    """X as a kernel learns from it, where it is more than numbers: a frame of other columns, objects that the engine compares, or a list that only a function knows. Otherwise None."""
    compared = compared_by(kernel)
    if is_frame(X):
        return None if kernel == "precomputed" or (not compared and has_only_numbers(X)) else learn(X, compared, target, named_columns(kernel))
    if compared:
        return None if is_numbers(X) else of_list(X, compared, target)
    if holds_sets(X) and (isinstance(kernel, str) or not callable(kernel) or hasattr(kernel, "engine")) and kernel != "precomputed":
        return of_list(X, compared, target)
    return objects_of_function(X, kernel)


def objects_of_function(X: Any, kernel: Any) -> list[Any] | None:
    """A list of what only a kernel given as a function knows to compare."""
    return as_list(X) if callable(kernel) and not hasattr(kernel, "engine") and not rows_of_numbers(X) else None


# --- What there is to learn of rows. -------------------------------------------------------------------------------------------


def of_list(X: Any, compared: Compared, target: str = "") -> Rows:
    """Rows of a list of objects."""
    objects = objects_in_list(X, compared)
    return Rows(np.empty((objects.rows, 0)), [], [objects], _mercer.Schema([_mercer.Column(objects.name, objects=objects.domain)], target))


def learn(X: pd.DataFrame, compared: Compared, target: str = "", named: Collection[str] = ()) -> Rows:
    """Rows of a frame, with the schema that encodes others like them. ``named``: the columns that the kernel names."""
    wanted = _object_columns(X, compared)
    wanted.update(_columns_of_sets(X, {*named, *wanted}))
    columns = []
    for j in range(X.shape[1]):
        name, cells = _name(X, j), X.iloc[:, j]
        if name in wanted:
            columns.append(_mercer.Column(name, objects=_of_column(name, domain_of, cells, wanted[name])))
        else:
            columns.append(learn_column(name, cells))
    rows = encode(X, _mercer.Schema(columns, target))
    means = iter(rows.numbers.mean(axis=0)) if len(rows) else iter(np.zeros(rows.shape[1]))
    for k, column in enumerate(columns):
        own = [next(means) for _ in range(_width(column))]
        if len(own) == 1 and not column.categories:
            columns[k] = _mercer.Column(column.name, mean=float(own[0]), dates=column.dates)
    rows.schema = _mercer.Schema(columns, target)
    return rows


def schema_of_numbers(X: Any, names: list[str], target: str = "") -> _mercer.Schema:
    """Of rows that are numbers alone; where columns have no names there is nothing to remember."""
    if not names:
        return _mercer.Schema()
    means = np.asarray(X.mean(axis=0, dtype=np.float64)).ravel()
    return _mercer.Schema([_mercer.Column(str(name), mean=float(mean) if np.isfinite(mean) else 0.0) for name, mean in zip(names, means)], target)


def _name(X: pd.DataFrame, j: int) -> str:
    """Of a column; those without a text for a name are called as in tables without a header."""
    name = X.columns[j]
    return name if isinstance(name, str) and name else f"column {j + 1}"


def _object_columns(X: pd.DataFrame, compared: Compared) -> dict[str, list[str]]:
    """The columns that the kernel compares as objects, with what their cells may be."""
    names = [_name(X, j) for j in range(X.shape[1])]
    wanted: dict[str, Compared] = {}
    for name, domains in compared:
        if name and name not in names:
            raise ValueError(f"the kernel compares column {name!r}, but the columns are {', '.join(map(repr, names))}")
        wanted.setdefault(name or _one_of_objects(X, names, domains), []).append((name, domains))
    return {name: domains_compared(parts) for name, parts in wanted.items()}


def _columns_of_sets(X: pd.DataFrame, named: Collection[str]) -> dict[str, list[str]]:
    """Columns whose cells are sets: kernels of numbers see how often each member is in each of them."""
    found = {_name(X, j): ["symbols"] for j in range(X.shape[1]) if X.dtypes.iloc[j] == object and holds_sets(X.iloc[:, j])}
    ignored = [name for name in found if name not in named]
    if ignored and X.shape[1] > 1:
        raise ValueError(f"column {ignored[0]!r} holds sets, which kernels for numbers ignore; give it a kernel of its own, as in "
                         f"kernel='rbf(gamma=scale)@[...] + jaccard@{ignored[0]}', or drop it")
    return found


def _one_of_objects(X: pd.DataFrame, names: list[str], domains: list[str]) -> str:
    fits = [name for j, name in enumerate(names) if kind_of(X.iloc[:, j]) in ("category", "other")]
    if len(fits) == 1:
        return fits[0]
    kinds = " or ".join(_mercer.plural_of_domain(domain) for domain in domains)
    raise ValueError(f"the kernel compares {kinds}, " + (f"which may be in {', '.join(map(repr, fits))}; name the column after the kernel: kernel@{fits[0]}" if fits
                                                         else f"but no column holds objects; the columns are {', '.join(map(repr, names))}"))


# --- Rows by a schema. ---------------------------------------------------------------------------------------------------------


def encode(X: Any, schema: _mercer.Schema, fill: bool = False) -> Rows:
    """Rows as the schema says.

    Parameters
    ----------
    X : frame or array with the columns of the schema, or a list of objects where it has one column of objects
    schema : of a model
    fill : bool
        Missing numbers take the mean of their column, as on the command line; otherwise they are refused.
    """
    one = one_of_objects(schema)
    if one and not is_frame(X):
        objects = objects_of(X, [one.objects], one.name)
        return Rows(np.empty((objects.rows, 0)), [], [objects], schema)
    columns = schema.columns
    cells = _cells(X, columns)
    blocks, names, objects = [np.empty((len(cells[0]) if cells else 0, 0))], [], []
    for column, own in zip(columns, cells):
        if column.objects:
            objects.append(_of_column(column.name, objects_of, own, [column.objects], column.name))
            continue
        blocks.append(categories_of(column, own) if column.categories else numbers_of(column, own, fill)[:, None])
        names += [f"{column.name}={category}" for category in column.categories] or [column.name]
    return Rows(np.ascontiguousarray(np.hstack(blocks)), names, objects, schema)


def _of_column(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """The value of a function whose messages speak of X alone."""
    try:
        return function(*arguments)
    except ValueError as error:
        raise ValueError(f"column {name!r}: {error}") from None


def _width(column: _mercer.Column) -> int:
    return 0 if column.objects else len(column.categories) or 1


def _cells(X: Any, columns: list[_mercer.Column]) -> list[pd.Series]:
    """The cells of each column: by name, or by place where columns have no names."""
    import pandas as pd

    if not is_frame(X):
        try:
            X = pd.DataFrame(X if hasattr(X, "dtype") else as_list(X))
        except TypeError as error:
            raise ValueError(f"expected rows with the columns {', '.join(repr(column.name) for column in columns)}: {error}") from None
    names = [_name(X, j) for j in range(X.shape[1])]
    times, place = Counter(names), {name: j for j, name in enumerate(names)}
    missing = [column.name for column in columns if times[column.name] != 1]
    if not missing:
        return [X.iloc[:, place[column.name]] for column in columns]
    if len(names) == len(columns) and (not any(isinstance(name, str) for name in X.columns) or names == [column.name for column in columns]):
        return [X.iloc[:, j] for j in range(len(columns))]
    raise ValueError(f"there {'is no column' if len(missing) == 1 else 'are no columns'} {', '.join(map(repr, missing[:10]))}; the columns are {', '.join(map(repr, names[:50]))}")
