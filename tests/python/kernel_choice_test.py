"""What kernel= may be: expressions, kernels, functions of arrays and of any objects, matrices."""
from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn import kernel_ridge, svm
from sklearn.datasets import load_iris
from sklearn.metrics import pairwise
from sklearn.model_selection import GridSearchCV, cross_val_score

import mercer
from mercer import kernel_choice
from mercer.frames import rows_beyond_numbers
from mercer.kernel_choice import choose

rng = np.random.default_rng(5)
X, y = load_iris(return_X_y=True)
X = X[::2] + rng.normal(scale=0.01, size=X[::2].shape)  # no two rows alike
y = y[::2]
Z = np.abs(rng.normal(size=(7, 4)) + X.mean(axis=0))
target = X @ [1.0, -0.5, 0.25, 2.0] + np.sin(X[:, 0])


# --- Expressions and kernels. ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["matern", "rbf(gamma=scale)", mercer.RBF(), "0.5*rbf(gamma=0.1) + linear", 0.5 * mercer.RBF(gamma=0.1) + mercer.Linear(), "laplace"])
def test_expressions_and_kernels(kernel: Any) -> None:
    model = mercer.SVC(kernel=kernel, tol=1e-6).fit(X, y)
    k = mercer.Kernel(kernel).resolve(X)
    np.testing.assert_allclose(model.decision_function(Z), svm.SVC(kernel=k, tol=1e-6).fit(X, y).decision_function(Z), atol=1e-3)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(other.decision_function(Z), model.decision_function(Z))


def test_columns_of_a_frame_by_name() -> None:
    pandas = pytest.importorskip("pandas")
    frame, other = pandas.DataFrame(X, columns=["a", "b c", "d", "e"]), pandas.DataFrame(Z, columns=["a", "b c", "d", "e"])
    expected = svm.SVC(kernel=lambda A, B: pairwise.rbf_kernel(A[:, [1, 3]], B[:, [1, 3]], gamma=0.3) + np.outer(A[:, 0], B[:, 0]), tol=1e-6).fit(X, y).decision_function(Z)
    for kernel in ('rbf(gamma=0.3)@["b c", e] + linear@a', mercer.RBF(gamma=0.3) @ ["b c", "e"] + mercer.Linear() @ "a"):
        np.testing.assert_allclose(mercer.SVC(kernel=kernel, tol=1e-6).fit(frame, y).decision_function(other), expected, atol=1e-3)


def test_numbers_of_a_kernel_can_be_searched() -> None:
    search = GridSearchCV(mercer.SVC(kernel=mercer.RBF(gamma=1e-6)), {"kernel__gamma": [1e-6, 0.3]}, cv=3).fit(X, y)
    assert search.best_params_ == {"kernel__gamma": 0.3}


@pytest.mark.parametrize("wrong", [None, 3, ["linear"], "rbff", "", "rbf(gamma=-1)"])
def test_what_is_no_kernel_is_a_value_error(wrong: Any) -> None:
    with pytest.raises(ValueError):
        mercer.SVC(kernel=wrong).fit(X, y)


def test_arguments_belong_to_functions() -> None:
    with pytest.raises(ValueError, match="kernel_params are for callable kernels"):
        mercer.SVC(kernel="rbf", kernel_params={"gamma": 1}).fit(X, y)
    model = mercer.SVC(kernel=pairwise.rbf_kernel, kernel_params={"gamma": 0.3}, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(model.decision_function(Z), svm.SVC(gamma=0.3, tol=1e-6).fit(X, y).decision_function(Z), atol=1e-3)


# --- Functions. --------------------------------------------------------------------------------------------------------------------


class Counted:
    """The linear kernel, with notes of the shapes it was asked for."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, int]] = []

    def __call__(self, A: Any, B: Any) -> np.ndarray:
        self.shapes.append((A.shape[0], B.shape[0]))
        return A @ B.T

    def __deepcopy__(self, memo: Any) -> "Counted":
        return self


def test_functions_are_asked_in_blocks_and_at_prediction_about_support_vectors_only(monkeypatch) -> None:
    monkeypatch.setattr(kernel_choice, "BLOCK", 20)
    asked = Counted()
    model = mercer.SVC(kernel=asked, tol=1e-6).fit(X, y)
    assert sum(a * b for a, b in asked.shapes) == len(X) ** 2 and max(max(shape) for shape in asked.shapes) == 20 and len(asked.shapes) == 16
    support = len(model.support_)
    assert 0 < support < len(X)
    asked.shapes.clear()
    many = np.vstack([Z] * 7)
    scores = model.decision_function(many)
    assert asked.shapes == [(20, support), (20, support), (9, support)]
    np.testing.assert_allclose(scores, svm.SVC(kernel="linear", tol=1e-6).fit(X, y).decision_function(many), atol=1e-3)


def test_functions_that_are_asked_for_k_of_x_with_itself() -> None:
    asked = Counted()
    choice = choose(asked, X)
    choice.training(X)
    choice.keep(X, np.array([0, 3]), "gp")
    (points,) = choice.blocks(Z)
    np.testing.assert_allclose(points.numbers()[:, -1], (Z**2).sum(axis=1))
    np.testing.assert_allclose(points.numbers()[:, [0, 3]], Z @ X[[0, 3]].T)
    choice.keep(X, np.array([0, 3]), "svm")
    asked.shapes.clear()
    next(choice.blocks(Z))
    assert asked.shapes == [(7, 2)]


def test_functions_on_sparse_matrices() -> None:
    def similarity(A: Any, B: Any) -> Any:
        assert sparse.issparse(A) and sparse.issparse(B)
        return A @ B.T  # sparse too

    model = mercer.SVC(kernel=similarity, tol=1e-6).fit(sparse.csr_matrix(X), y)
    np.testing.assert_allclose(model.decision_function(sparse.csr_matrix(Z)), svm.SVC(kernel="linear", tol=1e-6).fit(X, y).decision_function(Z), atol=1e-3)


class Thing:
    """Anything: it has no numbers, but two of them can be compared."""

    def __init__(self, at: float) -> None:
        self.at = at


def likeness(A: list[Any], B: list[Any]) -> list[list[float]]:
    return [[float(np.exp(-(a.at - b.at) ** 2)) for b in B] for a in A]


def overlap(A: list[Any], B: list[Any]) -> list[list[float]]:
    return [[float(len(set(a) & set(b))) for b in B] for a in A]


def test_anything_with_a_similarity_can_be_learned_from() -> None:
    things, others = [Thing(at) for at in np.linspace(-3, 3, 40)], [Thing(-2.0), Thing(2.0)]
    classes = ["left" if thing.at < 0 else "right" for thing in things]
    model = mercer.SVC(kernel=likeness).fit(things, classes)
    assert model.predict(others).tolist() == ["left", "right"] and model.score(things, classes) == 1
    assert pickle.loads(pickle.dumps(model)).predict(others).tolist() == ["left", "right"]
    regression = mercer.KernelRidge(kernel=likeness, alpha=0.01).fit(things, [thing.at for thing in things])
    np.testing.assert_allclose(regression.predict(others), [-2, 2], atol=0.1)
    assert cross_val_score(mercer.SVC(kernel=likeness), things, classes, cv=3).mean() > 0.8
    assert set(mercer.KernelKMeans(n_clusters=2, kernel=likeness).fit_predict(things)) == {0, 1}
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        mercer.SVC(kernel=likeness).fit(things, classes[:-1])
    with pytest.raises(ValueError):
        mercer.SVC(kernel=likeness).fit(things, None)
    with pytest.raises(ValueError):
        mercer.KernelRidge(kernel=likeness).fit(things, [np.nan] * 40)


@pytest.mark.parametrize("objects", [[{"a", "b"}, {"a"}, {"c", "d"}, {"c"}], ["ab", "a", "cd", "c"], [("a", "b"), ("a",), ("c", "d"), ("c",)], np.array(["ab", "a", "cd", "c"]),
                                     np.array([{"a", "b"}, {"a"}, {"c", "d"}, {"c"}], dtype=object), [{"a": 1, "b": 2}, {"a": 1}, {"c": 1, "d": 2}, {"c": 3}]])
def test_lists_of_many_kinds(objects: Any) -> None:
    model = mercer.SVC(kernel=overlap).fit(objects, [0, 0, 1, 1])
    assert model.predict(objects).tolist() == [0, 0, 1, 1] and model.predict(objects[:1]).tolist() == [0]


def test_what_is_taken_as_it_is() -> None:
    def f(A: Any, B: Any) -> Any:
        return A

    for numbers in (X, X.tolist(), tuple(map(tuple, X)), sparse.csr_matrix(X), X[0], [1.0, 2.0], [], [[1, 2], [3, 4]], [X[0], X[1]]):
        assert rows_beyond_numbers(numbers, f) is None
        assert rows_beyond_numbers(numbers, "rbf") is None and rows_beyond_numbers(numbers, mercer.RBF()) is None
    for objects in (["a", "b"], ["1", "2"], [X, X], [X[:3], X[:2]], [[1, 2], [1]], [{1}, {2}], [Thing(1)], np.zeros((2, 3, 4)), [["a"], ["b"]], {"a": 1}.keys()):
        assert isinstance(rows_beyond_numbers(objects, f), list)
    assert rows_beyond_numbers(["a", "b"], "spectrum(k=2)") is not None and rows_beyond_numbers(["a"], mercer.Spectrum()) is not None
    assert rows_beyond_numbers(X, "precomputed") is None and rows_beyond_numbers(X, None) is None


def test_texts_by_a_kernel_of_texts() -> None:
    texts, classes = ["GATTACA", "GATTAC", "ATTACA", "CCGGCC", "CGGCCG", "GGCCGG"], [0, 0, 0, 1, 1, 1]
    for kernel in ("spectrum(k=2)", mercer.normalize(mercer.Spectrum(k=2))):
        model = mercer.SVC(kernel=kernel).fit(texts, classes)
        assert model.predict(["GATTA", "CCGG"]).tolist() == [0, 1]


@pytest.mark.parametrize("result, message", [(lambda A, B: np.ones((2, 2)), r"shape \(2, 2\)"), (lambda A, B: 1.0, r"shape \(\)"),
                                             (lambda A, B: np.full((len(A), len(B)), np.nan), "NaN or infinity"),
                                             (lambda A, B: np.full((len(A), len(B)), np.inf), "NaN or infinity"), (lambda A, B: np.full((len(A), len(B)), 1j), "complex128"),
                                             (lambda A, B: np.full((len(A), len(B)), "a"), "real numbers"), (lambda A, B: None, r"shape \(\)")])
def test_results_of_functions_that_are_no_matrix_of_numbers(result, message) -> None:
    with pytest.raises(ValueError, match=message):
        mercer.SVC(kernel=result).fit(X, y)


def test_what_a_function_raises_is_what_the_user_sees() -> None:
    def fails(A: Any, B: Any) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        mercer.SVC(kernel=fails).fit(X, y)
    model = mercer.SVC(kernel=lambda A, B: A @ B.T).fit(X, y)
    with pytest.raises(ValueError, match="features"):
        model.predict(Z[:, :2])


# --- Matrices. ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_precomputed_matrices(kind) -> None:
    K, rows = pairwise.rbf_kernel(X, gamma=0.3).astype(kind), pairwise.rbf_kernel(Z, X, gamma=0.3).astype(kind)
    model = mercer.SVC(kernel="precomputed", tol=1e-6).fit(K, y)
    np.testing.assert_allclose(model.decision_function(rows), svm.SVC(kernel="precomputed", tol=1e-6).fit(K, y).decision_function(rows), atol=1e-3)
    np.testing.assert_allclose(model.decision_function(K), svm.SVC(kernel="precomputed", tol=1e-6).fit(K, y).decision_function(K), atol=1e-3)  # square at prediction
    other = kernel_ridge.KernelRidge(kernel="precomputed", alpha=0.5).fit(K, target)
    np.testing.assert_allclose(mercer.KernelRidge(kernel="precomputed", alpha=0.5).fit(K, target).predict(rows), other.predict(rows), rtol=1e-3, atol=1e-3)


def test_precomputed_matrices_are_split_on_both_sides() -> None:
    K = pairwise.rbf_kernel(X, gamma=0.3)
    ours = GridSearchCV(mercer.SVC(kernel="precomputed"), {"C": [0.1, 10]}, cv=3).fit(K, y)
    other = GridSearchCV(svm.SVC(kernel="precomputed"), {"C": [0.1, 10]}, cv=3).fit(K, y)
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"])
    ours, other = (cross_val_score(ridge(kernel="precomputed"), K, target, cv=3) for ridge in (mercer.KernelRidge, kernel_ridge.KernelRidge))
    np.testing.assert_allclose(ours, other, rtol=1e-3)


def test_matrices_of_the_wrong_shape_or_kind() -> None:
    K = pairwise.rbf_kernel(X, gamma=0.3)
    with pytest.raises(ValueError, match="must be a square matrix. Input is a 75x5 matrix"):
        mercer.SVC(kernel="precomputed").fit(K[:, :5], y)
    model = mercer.SVC(kernel="precomputed").fit(K, y)
    for wrong in (K[:, :5], np.hstack([K, K])):
        with pytest.raises(ValueError, match=rf"X has {wrong.shape[1]} features, but SVC is expecting 75 features"):
            model.predict(wrong)
    with pytest.raises(TypeError, match="sparse matrix was passed, but dense data is required"):
        mercer.SVC(kernel="precomputed").fit(sparse.csr_matrix(K), y)
    with pytest.raises(ValueError, match="NaN"):
        mercer.SVC(kernel="precomputed").fit(np.where(K > 0.9, np.nan, K), y)
    choice = choose("precomputed", K)
    with pytest.raises(ValueError, match="k\\(x, x\\) of new rows"):
        choice.keep(K, np.array([0]), "mean_distance")
