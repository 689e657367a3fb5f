"""A column of a frame: what it is taken for, and the numbers it becomes, by hand and as the command line encodes it."""
from __future__ import annotations

import datetime
import decimal
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import mercer, needs_mercer

from mercer import SVC, _mercer
from mercer.frames import encode, learn

pd = pytest.importorskip("pandas")

def test_each_kind_of_column() -> None:
    X = pd.DataFrame({"a": [1, 2, 4], "t": ["x", "?", "b"], "b": [True, False, True], "c": pd.Categorical([10, 9, 10]),
                      "d": pd.to_datetime(["1970-01-02", "1970-01-01T12:00", "1969-12-31"])})
    rows = learn(X, [])
    assert rows.names == ["a", "t=?", "t=b", "t=x", "b=True", "c=9", "c=10", "d"]
    np.testing.assert_array_equal(rows.numbers, [[1, 0, 0, 1, 1, 0, 1, 1], [2, 1, 0, 0, 0, 1, 0, 0.5], [4, 0, 1, 0, 1, 0, 1, -1]])
    assert [(c.name, c.categories, c.dates) for c in rows.schema.columns] == [("a", [], "none"), ("t", ["?", "b", "x"], "none"), ("b", ["True"], "none"),
                                                                              ("c", ["9", "10"], "none"), ("d", [], "year_first")]
    assert rows.schema.columns[0].mean == pytest.approx(7 / 3) and rows.schema.columns[4].mean == pytest.approx(1 / 6)
    assert rows.shape == (3, 8) and len(rows) == 3 and rows.points().names == rows.names
    np.testing.assert_array_equal(rows.points().numbers(), rows.numbers)


def test_categories_are_sorted_as_the_command_line_does() -> None:
    words = ["b", "10", "9", "-1", "1e1", "B", "é", "+5", "09", "x1", "1_0", "٣"]
    categories = learn(pd.DataFrame({"t": words}), []).schema.columns[0].categories
    assert categories == ["-1", "+5", "09", "9", "10", "1e1", *sorted(["b", "B", "é", "x1", "1_0", "٣"], key=str.encode)]


@pytest.mark.parametrize("cells, kind", [
    ([1, 2.5, 3], "numbers"), ([decimal.Decimal("1.5"), 2, 3], "numbers"), (pd.array([1, 2, 3], "Int64"), "numbers"), (pd.array([1.5, 2, 3], "Float32"), "numbers"),
    (pd.array([True, False, True], "boolean"), "truth"), (np.array([True, False, True], object), "truth"), ([True, None, False], "categories"),
    (pd.array(["a", None, "b"], "string"), "categories"),
    (["a", 1, 2.5], "categories"), ([1, "a", 2], "categories"), (pd.Categorical(["a", None, "b"]), "categories"), ([datetime.date(2024, 1, 31)] * 3, "dates"),
    (pd.to_datetime(["2024-01-31T01:00"] * 3).tz_localize("Europe/Berlin"), "dates"), (np.array(["1.5", "2", "x"], object), "categories"), (["1.5", " 2", "-3e2"], "numbers"), (pd.array(["1", "2", "10"], "string"), "numbers"),
    (pd.Categorical(["1", "2", "1"]), "categories"), (["2024-01-31", "2024-02-01 10:30", "1999/1/2"], "dates"), (["31/1/2024", "1/2/2024", "5/6/2024"], "dates"),
    (["1/2/2024", "3/4/2024", "5/6/2024"], "categories"), (["2024-02-31", "2024-01-01", "2024-01-02"], "categories"), (["1.5", "x", "y"], "categories")], ids=str)
@pytest.mark.filterwarnings("ignore:column 'c'")
def test_what_a_column_is(cells: Any, kind: str) -> None:
    column = learn(pd.DataFrame({"c": cells if not isinstance(cells, list) else pd.Series(cells, dtype=object)}), []).schema.columns[0]
    found = "truth" if column.categories == ["True"] else "categories" if column.categories else "dates" if column.dates != "none" else "numbers"
    assert found == kind


def test_numbers_written_as_texts_are_numbers() -> None:
    X = pd.DataFrame({"n": ["1.5", " 2", "-3e2", "4"], "d": ["31/1/2024", "1/2/2024", "2/2/2024", "3/2/2024"], "z": ["10", "9", "10", "9"]})
    rows = learn(X, [])
    assert rows.names == ["n", "d", "z"] and [c.dates for c in rows.schema.columns] == ["none", "day_first", "none"]
    np.testing.assert_array_equal(rows.numbers, [[1.5, 19753, 10], [2, 19754, 9], [-300, 19755, 10], [4, 19756, 9]])
    plain = pd.DataFrame({"n": [1.5, 2, -300, 4], "z": [10, 9, 10, 9]})
    ours, theirs = (SVC(kernel="linear").fit(rows, [0, 0, 1, 0]) for rows in (X[["n", "z"]], plain))
    for at in (X[["n", "z"]], plain, plain.astype(str)):
        np.testing.assert_array_equal(ours.decision_function(at), theirs.decision_function(plain))
    for wrong, message in ((["1", "2", "x", "3"], "column 'n' holds numbers: could not convert string to float: 'x'"), (["1", "NA", "2", "3"], "Input X contains NaN.\nColumn 'n' is missing in row 1")):
        with pytest.raises(ValueError, match=message):
            ours.predict(X[["n", "z"]].assign(n=wrong))
    with pytest.warns(UserWarning, match="column 'n': 'x' is not a number, though most cells are"):
        assert learn(X[["n"]].assign(n=["1", "2", "x", "3"]), []).names == ["n=1", "n=2", "n=3", "n=x"]
    with pytest.warns(UserWarning, match="column 'd': the dates may have the day or the month first"):
        learn(X[["d"]].assign(d=["1/2/2024"] * 4), [])


@needs_mercer
def test_texts_are_read_as_the_command_line_reads_them(tmp_path: Path) -> None:
    X = pd.DataFrame({"n": [f"{i / 7:.3f}" for i in range(21)], "d": [f"2024-01-{i + 1:02}" for i in range(21)], "t": ["a", "b", "a"] * 7})
    X.assign(y=[0, 1, 2] * 7).to_csv(tmp_path / "x.csv", index=False)
    mercer(tmp_path, "fit", "x.csv", "-o", "m.mercer", "--method", "svm", "--kernel", "linear", "--quiet")
    theirs = _mercer.Model.load(str(tmp_path / "m.mercer")).schema.columns
    assert [(c.name, c.categories, c.dates) for c in theirs] == [(c.name, c.categories, c.dates) for c in learn(X, []).schema.columns]


def test_dates_count_days_from_1970() -> None:
    stamps = pd.Series(pd.to_datetime(["2024-01-31", "2024-01-31 06:00"]))
    for cells in (stamps, stamps.dt.tz_localize("Europe/Berlin").dt.tz_convert("Asia/Tokyo") + pd.Timedelta(hours=1), stamps.dt.to_pydatetime()):
        np.testing.assert_array_equal(learn(pd.DataFrame({"d": cells}), []).numbers.ravel(), [19753, 19753.25])
    schema = _mercer.Schema([_mercer.Column("d", dates="day_first")])
    np.testing.assert_array_equal(encode(pd.DataFrame({"d": ["31.01.2024", "01/02/2024"]}), schema).numbers.ravel(), [19753, 19754])


def test_missing_categories() -> None:
    X = pd.DataFrame({"t": ["a", None, "NA", "", " b ", np.nan, pd.NA]})
    rows = learn(X, [])
    assert rows.names == ["t=?", "t=a", "t=b"]
    np.testing.assert_array_equal(rows.numbers.argmax(1), [1, 0, 0, 0, 2, 0, 0])
    without = encode(X[:4], learn(X[:1], []).schema)  # '?' was not met: none of those known
    np.testing.assert_array_equal(without.numbers.ravel(), [1, 0, 0, 0])


@pytest.mark.parametrize("column, message", [
    ([1.0, np.nan], "Input X contains NaN"), ([1.0, np.inf], "infinity"), (pd.array([1, None], "Int64"), "Input X contains NaN"),
    (pd.to_datetime(["2024-01-01", None]), "Input X contains NaN"),
    (pd.array([True, None], "boolean"), "Input X contains NaN"), (pd.to_timedelta([1, 2], "D"), "column 'c' holds timedelta64"), ([1j, 2j], "Complex data not supported"),
    ([[1], [2]], "column 'c' holds objects such as list"), ([{"a"}, {"b"}], "column 'c' holds sets"), (pd.period_range("2024", periods=2, freq="D"), "column 'c' holds period"),
    ([object(), object()], "objects such as object"), ([b"a", b"b"], "objects such as bytes"), (["\ud800", "x"], "column 'c' holds invalid text")])
def test_columns_that_are_refused(column: Any, message: str) -> None:
    X = pd.DataFrame({"c": column, "t": ["x", "y"]})
    with pytest.raises(ValueError, match=message):
        learn(X, [])
    with pytest.raises(ValueError, match=message):
        SVC().fit(X, [0, 1])


def test_too_many_categories() -> None:
    X = pd.DataFrame({"t": [f"name {i}" for i in range(1001)]})
    with pytest.raises(ValueError, match="1001 distinct values, more than 1000.*bow@t"):
        SVC().fit(X, np.arange(1001) % 2)
    assert learn(X[1:], []).shape == (1000, 1000)


@needs_mercer
def test_categories_are_those_that_the_command_line_finds(tmp_path: Path) -> None:
    X = pd.DataFrame({"t": ["b", "10", "9x", "-1", "é", "B", "x y"] * 3, "n": range(21)})
    X.assign(y=[0, 1, 2] * 7).to_csv(tmp_path / "x.csv", index=False)
    mercer(tmp_path, "fit", "x.csv", "-o", "m.mercer", "--method", "svm", "--kernel", "linear", "--quiet", "--keep", "n")
    theirs = _mercer.Model.load(str(tmp_path / "m.mercer")).schema.columns
    ours = learn(X, []).schema.columns
    assert [(c.name, c.categories) for c in theirs] == [(c.name, c.categories) for c in ours] and theirs[1].mean == ours[1].mean == 10


@pytest.mark.parametrize("cells", [[1, 2, 3] * 4, ["1", "2", "3"] * 4, [1.5, 2.5, 3.5] * 4])
def test_numbers_of_dtype_category_are_categories_with_a_warning(cells: list) -> None:
    frame = pd.DataFrame({"size": pd.Categorical(cells), "x": np.arange(12.0)})
    with pytest.warns(UserWarning, match="column 'size' has the dtype category, so its numbers are treated as categories.*use astype\\(float\\)"):
        model = SVC().fit(frame, np.arange(12) % 2)
    assert model.model_.columns == 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert SVC().fit(frame.astype({"size": float}), np.arange(12) % 2).model_.columns == 2
        SVC().fit(frame.assign(size=pd.Categorical(["a", "b", "c"] * 4)), np.arange(12) % 2)
