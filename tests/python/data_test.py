"""Numbers in: which arrays are read where they are, which are copied, which are refused. Expected values by scikit-learn and numpy."""
from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel

from mercer import SVC, Kernel, KernelRidge
from mercer.data import check_finite, is_sparse, points_of, with_dlpack

RNG = np.random.default_rng(7)
DENSE = RNG.normal(size=(9, 4))


class Tensor:
    """Of another library: it has nothing but __dlpack__."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, stream: Any = None) -> Any:
        return self.array.__dlpack__()


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_c_order_is_read_where_it_is(dtype: Any) -> None:
    X = DENSE.astype(dtype)
    numbers = points_of(X).numbers()
    assert address(numbers) == address(X) and numbers.dtype == dtype
    assert not numbers.flags.writeable


def test_read_only_and_mapped_arrays_are_read_where_they_are(tmp_path: Path) -> None:
    X = DENSE.copy()
    X.setflags(write=False)
    assert address(points_of(X).numbers()) == address(X)
    np.save(tmp_path / "x.npy", DENSE)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert address(points_of(mapped).numbers()) == address(mapped)
    y = np.arange(9) % 2
    np.testing.assert_array_equal(SVC().fit(mapped, y).decision_function(mapped), SVC().fit(DENSE, y).decision_function(DENSE))


def test_points_keep_the_array_alive() -> None:
    points = points_of(np.ones((1000, 50)))
    filler = [np.zeros((1000, 50)) for _ in range(20)]
    assert points.numbers().sum() == 50000 and len(filler) == 20


@pytest.mark.parametrize("other", [
    np.asfortranarray(DENSE), DENSE.astype(">f8"), DENSE.astype(">f4"), DENSE.astype(np.float16), DENSE.astype(np.longdouble), (10 * DENSE).astype(np.int8), DENSE > 0,
    (10 * DENSE).astype(np.int64), DENSE[:, ::2], DENSE[::-1], np.repeat(DENSE, 2, axis=0)[::2], DENSE.astype(object), DENSE.tolist(), np.broadcast_to(DENSE[:1], (5, 4)),
], ids=lambda x: f"{getattr(x, 'dtype', 'list')}")
def test_other_layouts_and_types_are_copied_once(other: Any) -> None:
    numbers = points_of(other).numbers()
    np.testing.assert_array_equal(numbers, np.asarray(other).astype(numbers.dtype))
    assert numbers.flags.c_contiguous and numbers.dtype.isnative


def test_layouts_give_the_same_bits() -> None:
    y = np.arange(9) % 3
    expected = SVC().fit(DENSE, y).decision_function(DENSE)
    for X in (np.asfortranarray(DENSE), DENSE.astype(">f8"), np.repeat(DENSE, 2, axis=1)[:, ::2]):
        np.testing.assert_array_equal(SVC().fit(X, y).decision_function(X), expected)


def test_the_model_owns_what_it_keeps() -> None:
    for make in (np.array, sparse.csr_matrix):
        X, fresh = make(DENSE), make(DENSE)
        models = [SVC(C=1e3).fit(X, np.arange(9) % 2), KernelRidge(kernel="rbf", gamma=0.1).fit(X, np.arange(9.0))]  # some rows, and all of them
        before = [model.predict(fresh) for model in models]
        (X.data if sparse.issparse(X) else X)[:] = 1e6
        for model, values in zip(models, before):
            np.testing.assert_array_equal(model.predict(fresh), values)


# --- Sparse. -------------------------------------------------------------------------------------------------------------------


THIN = sparse.random(12, 30, 0.2, format="csr", random_state=3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_csr_is_read_where_it_is(dtype: Any) -> None:
    X = THIN.astype(dtype)
    values, indices, starts, shape = points_of(X).numbers()
    assert address(values) == address(X.data) and address(indices) == address(X.indices)
    np.testing.assert_array_equal(starts, X.indptr)
    assert shape == X.shape


@pytest.mark.parametrize("make", [sparse.csc_matrix, sparse.coo_matrix, sparse.lil_matrix, sparse.dok_matrix, sparse.bsr_matrix, sparse.csr_array, sparse.csr_matrix])
def test_every_sparse_format(make: Any) -> None:
    np.testing.assert_allclose(Kernel("rbf(gamma=0.5)")(make(THIN)), rbf_kernel(THIN, gamma=0.5), rtol=1e-12)


def test_sparse_64_bit_unsorted_repeated_and_zero_entries() -> None:
    expected = rbf_kernel(THIN, gamma=0.5)
    wide = THIN.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    shuffled = THIN.copy()
    for i in range(12):
        part = slice(shuffled.indptr[i], shuffled.indptr[i + 1])
        shuffled.indices[part], shuffled.data[part] = shuffled.indices[part][::-1].copy(), shuffled.data[part][::-1].copy()
    shuffled.has_sorted_indices = False
    parts = THIN.tocoo()
    halves = sparse.coo_matrix((np.tile(parts.data / 2, 2), (np.tile(parts.row, 2), np.tile(parts.col, 2))), THIN.shape)
    zeros = sparse.csr_matrix((np.append(THIN.data, 0.0), np.append(THIN.indices, 29 if 29 not in THIN[11].indices else 0), np.append(THIN.indptr[:-1], THIN.nnz + 1)), THIN.shape)
    ints = (10 * THIN).astype(np.int64)
    pieces = sparse.csr_matrix((np.repeat(THIN.data / 2, 2), np.repeat(THIN.indices, 2), 2 * THIN.indptr), THIN.shape)
    for X in (wide, shuffled, halves, zeros, pieces):
        before = X.data.copy(), (X.indices if X.format == "csr" else X.col).copy()
        np.testing.assert_allclose(Kernel("rbf(gamma=0.5)")(X), expected, rtol=1e-12)
        np.testing.assert_array_equal(X.data, before[0])  # the caller's stays as it was
        np.testing.assert_array_equal(X.indices if X.format == "csr" else X.col, before[1])
    np.testing.assert_allclose(Kernel("linear")(ints), (ints @ ints.T).toarray())
    np.testing.assert_array_equal(SVC().fit(wide, np.arange(12) % 2).predict(THIN), SVC().fit(THIN, np.arange(12) % 2).predict(wide))


def test_sparse_beyond_32_bits_is_refused() -> None:
    far = sparse.csr_matrix((np.ones(1), np.array([2**31], np.int64), np.array([0, 1], np.int64)), (1, 2**31 + 1))
    with pytest.raises(ValueError, match="2147483647 columns .32-bit indices., not 2147483649"):
        points_of(far)
    edge = sparse.csr_matrix((np.ones(1), np.array([2**31 - 2], np.int64), np.array([0, 1], np.int64)), (1, 2**31 - 1))
    assert points_of(edge).columns == 2**31 - 1


def test_sparse_that_contradicts_itself_is_refused() -> None:
    def broken(**parts: Any) -> Any:
        X = THIN.copy()
        for name, value in parts.items():
            setattr(X, name, value)
        X.has_canonical_format = True
        return X

    high, low, back = THIN.indices.copy(), THIN.indices.copy(), THIN.indptr.copy()
    high[0], low[-1], back[3] = 30, -1, 1000
    for X in (broken(indices=high), broken(indices=low), broken(indptr=back), broken(indptr=THIN.indptr[:-1]), broken(data=THIN.data[:-1])):
        with pytest.raises(ValueError):
            points_of(X)


# --- Tensors, sizes, refusals. -------------------------------------------------------------------------------------------------


def test_dlpack() -> None:
    X = DENSE.copy()
    assert address(points_of(Tensor(X)).numbers()) == address(X)
    np.testing.assert_array_equal(SVC().fit(Tensor(X), np.arange(9) % 2).predict(Tensor(X)), SVC().fit(X, np.arange(9) % 2).predict(X))
    np.testing.assert_array_equal(Kernel("rbf")(Tensor(X)), Kernel("rbf")(X))
    assert with_dlpack(X) is X
    bags = [X[:2], X[2:3]]
    np.testing.assert_array_equal(Kernel("set(rbf)")([Tensor(bag) for bag in bags]), Kernel("set(rbf)")(bags))
    with pytest.raises(ValueError, match="rows of numbers alone"):
        SVC(kernel="spectrum").fit(Tensor(X), np.arange(9) % 2)

    class Elsewhere:
        def __dlpack__(self, stream: Any = None) -> Any:
            raise BufferError("on another device")

    with pytest.raises(ValueError, match="on another device"):
        points_of(Elsewhere())


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (1, 1)])
def test_empty_shapes(shape: tuple[int, int]) -> None:
    assert points_of(np.zeros(shape)).numbers().shape == shape
    assert points_of(sparse.csr_matrix(shape)).numbers()[3] == shape
    K = Kernel("linear")(np.zeros(shape))
    assert K.shape == (shape[0], shape[0]) and not K.any()


@pytest.mark.parametrize("bad, message", [
    (np.zeros(3), "two dimensions, not of 1"), (np.array(3.0), "two dimensions"), (np.zeros((2, 2, 2)), "two dimensions, not of 3"), (np.array([["a"]]), "expected numbers"),
    (np.array([["a"]], object), "could not convert"), (np.array([[1j]]), "Complex data not supported"), (sparse.csr_matrix([[1j]]), "Complex data not supported"),
    (np.array([["2024-01-01"]], "M8[D]"), "expected numbers"), (np.array([[{}]], object), "expected numbers"), ("abc", "expected numbers"), (None, "two dimensions"),
    ({}, "expected numbers"),
    (np.array([[10**400]], object), "expected numbers"), ([[1, 2], [3]], "")])
def test_what_is_no_matrix_of_numbers(bad: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        points_of(bad)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_kernels_refuse_what_is_not_finite(bad: float) -> None:
    X = DENSE.copy()
    X[3, 2] = bad
    for Z in (X, X.astype(np.float32), sparse.csr_matrix(X)):
        with pytest.raises(ValueError, match="Input X contains"):
            Kernel("rbf")(Z)
        with pytest.raises(ValueError, match="Input X contains"):
            Kernel("rbf")(DENSE, Z)
    check_finite(points_of(np.full((2, 2), 1.7e308)))  # the sum alone would overflow


def test_kernels_need_numpy_alone() -> None:
    code = "import sys, mercer; mercer.Kernel('rbf')([[1.0]]); mercer.Kernel('wl')([[(0, 1)]]); " \
           "print([name for name in ('pandas', 'scipy', 'sklearn', 'networkx') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout == "[]\n"


def test_is_sparse_needs_a_matrix() -> None:
    assert is_sparse(THIN) and not is_sparse(DENSE) and not is_sparse([])


def test_pickled_models_answer_the_same() -> None:
    model = SVC().fit(DENSE, np.arange(9) % 2)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).decision_function(DENSE), model.decision_function(DENSE))
