"""Rows of numbers: arrays that are taken as they are, without scikit-learn's checks, and those that are not, give the same answers and the same refusals."""
from __future__ import annotations

import pickle
import warnings
from typing import Any, Callable

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from mercer import SVC, KernelPCA, KernelRidge, Nystroem, OneClassSVM, _mercer

X, y = load_iris(return_X_y=True)

# What is checked beside an array of the same numbers that is taken as it is.
SHAPES: dict[str, Callable[[np.ndarray], Any]] = {
    "list": lambda a: a.tolist(), "by columns": np.asfortranarray, "with gaps": lambda a: np.repeat(a, 2, axis=1)[:, ::2], "big-endian": lambda a: a.astype(">f8"),
    "read-only": lambda a: np.frombuffer(a.tobytes()).reshape(a.shape), "unaligned": lambda a: np.frombuffer(b"0" + a.tobytes(), offset=1).reshape(a.shape),
    "frame without names": lambda a: pd.DataFrame(a), "object": lambda a: a.astype(object),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_numbers_in_any_shape(shape: str) -> None:
    other = SHAPES[shape](X)
    for mine, again in ((SVC(), SVC()), (KernelRidge(kernel="rbf"), KernelRidge(kernel="rbf"))):
        mine.fit(X, y), again.fit(other, y.tolist())
        for model in (mine, again):
            np.testing.assert_array_equal(model.predict(other), mine.predict(X))
            np.testing.assert_array_equal(model.predict(X), mine.predict(X))
        assert again.n_features_in_ == mine.n_features_in_ == 4


def test_the_engine_finds_what_is_not_finite() -> None:
    for kind in (np.float32, np.float64):
        numbers = np.random.default_rng(0).normal(size=10_000).astype(kind)
        numbers[::7] = 0
        assert _mercer.all_finite(numbers) and _mercer.all_finite(np.array([np.finfo(kind).max, -np.finfo(kind).max, np.finfo(kind).tiny / 2], kind))
        for wrong in (np.nan, -np.nan, np.inf, -np.inf):
            for place in (0, 1, 4095, 4096, 9_999):
                numbers[place], kept = wrong, numbers[place]
                assert not _mercer.all_finite(numbers)
                numbers[place] = kept
    assert _mercer.all_finite(np.empty((0, 3)))


@pytest.mark.parametrize("wrong, told", [(np.nan, "Input X contains NaN"), (np.inf, "Input X contains infinity")])
def test_numbers_that_are_not_finite(wrong: float, told: str) -> None:
    bad = X.copy()
    bad[70, 2] = wrong
    model = SVC().fit(X, y)
    for refused in (lambda: SVC().fit(bad, y), lambda: model.predict(bad), lambda: OneClassSVM().fit(bad), lambda: Nystroem(n_components=5).fit(X).transform(bad)):
        with pytest.raises(ValueError, match=told):
            refused()
    target = y.astype(float)
    target[3] = wrong
    with pytest.raises(ValueError, match="Input y contains|Input contains"):
        KernelRidge().fit(X, target)


def test_other_shapes_than_those_learned() -> None:
    model = SVC().fit(X, y)
    for refused, told in ((X[:, :3], "X has 3 features, but SVC is expecting 4 features"), (X[0], "Expected 2D array"), (X[:0], "0 sample"), (X[:, :0], "0 feature")):
        with pytest.raises(ValueError, match=told):
            model.predict(refused)
    for rows, target, told in ((X, y[:-1], "inconsistent numbers"), (X, None, "requires y"), (X[:0], y[:0], "0 sample"), (X[:1], y[:1], "class")):
        with pytest.raises(ValueError, match=told):
            SVC().fit(rows, target)
    with pytest.raises(ValueError, match="minimum of 2"):
        KernelPCA().fit(X[:1])


def test_names_of_columns() -> None:
    frame = pd.DataFrame(X, columns=list("abcd"))
    named, unnamed = SVC().fit(frame, y), SVC().fit(X, y)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        np.testing.assert_array_equal(named.predict(X), unnamed.predict(X))
    with pytest.warns(UserWarning, match="X has feature names"):
        np.testing.assert_array_equal(unnamed.predict(frame), unnamed.predict(X))
    named.fit(X, y)  # forgets them
    assert not hasattr(named, "feature_names_in_")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        named.predict(X)
        for model in (pickle.loads(pickle.dumps(unnamed)), clone(unnamed).fit(X, y)):
            np.testing.assert_array_equal(model.predict(X), unnamed.predict(X))
