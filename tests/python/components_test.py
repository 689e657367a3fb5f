"""Kernel PCA: how many components, and the way back."""
from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.decomposition import KernelPCA as Theirs
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from mercer import Kernel, KernelPCA

X = load_iris().data
T = X[::7] + 0.1


def of_rows(x: np.ndarray, z: np.ndarray, gamma: float = 0.1) -> float:
    return float(np.exp(-gamma * ((x - z) ** 2).sum()))


@parametrize_with_checks([KernelPCA(), KernelPCA(2, kernel="rbf", fit_inverse_transform=True), KernelPCA(2, eigen_solver="dense"), KernelPCA(2, eigen_solver="arpack")])
def test_contract(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("parameters", [{}, {"n_components": 2}, {"n_components": 30}, {"n_components": 30, "remove_zero_eig": True}, {"kernel": "poly", "degree": 2},
                                        {"kernel": "rbf"}, {"kernel": "rbf", "n_components": 1000}, {"kernel": "cosine", "n_components": 149}], ids=str)
def test_as_many_components_as_scikit_learn(parameters: dict[str, Any]) -> None:
    theirs, ours = Theirs(**parameters).fit(X), KernelPCA(**parameters).fit(X)
    assert ours.eigenvalues_.shape == theirs.eigenvalues_.shape and ours.eigenvectors_.shape == theirs.eigenvectors_.shape
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, atol=1e-9 * theirs.eigenvalues_[0])
    large = theirs.eigenvalues_ > 1e-6 * theirs.eigenvalues_[0]
    np.testing.assert_allclose(np.abs(ours.transform(T)[:, large]), np.abs(theirs.transform(T)[:, large]), atol=1e-5)
    assert ours.transform(T).shape == theirs.transform(T).shape
    assert list(ours.get_feature_names_out()[:1]) == ["kernelpca0"] and len(ours.get_feature_names_out()) == len(ours.eigenvalues_)


def test_attributes() -> None:
    ours = KernelPCA(3, kernel="rbf").fit(X)
    assert ours.gamma_ == 0.25
    np.testing.assert_array_equal(ours.X_fit_, X)
    np.testing.assert_allclose(ours.eigenvectors_.T @ ours.eigenvectors_, np.eye(3), atol=1e-9)
    np.testing.assert_allclose(ours.fit_transform(X), ours.transform(X), atol=1e-9)
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(again.transform(T), ours.transform(T))
    assert make_pipeline(KernelPCA(5, kernel="rbf"), LinearSVC()).fit(X, load_iris().target).score(X, load_iris().target) > 0.9


@pytest.mark.parametrize("kernel", [of_rows, lambda A, B, gamma=0.1: rbf_kernel(A, B, gamma=gamma), Kernel("rbf(gamma=0.1)"), "rbf(gamma=0.1)"],
                         ids=["rows", "arrays", "object", "text"])
def test_kernels(kernel: Any) -> None:
    expected = Theirs(3, kernel="rbf", gamma=0.1).fit(X)
    ours = KernelPCA(3, kernel=kernel).fit(X)
    np.testing.assert_allclose(np.abs(ours.transform(T)), np.abs(expected.transform(T)), atol=1e-9)
    if callable(kernel) and not isinstance(kernel, Kernel):
        other = KernelPCA(3, kernel=kernel, kernel_params={"gamma": 0.3}).fit(X)
        np.testing.assert_allclose(np.abs(other.transform(T)), np.abs(Theirs(3, kernel="rbf", gamma=0.3).fit(X).transform(T)), atol=1e-9)


def test_the_way_back_is_scikit_learns_where_it_is_learned() -> None:
    for parameters in ({"kernel": "rbf", "gamma": 0.1, "alpha": 0.1}, {"kernel": "linear"}, {"kernel": of_rows, "alpha": 0.01}):
        theirs, ours = Theirs(3, fit_inverse_transform=True, **parameters).fit(X), KernelPCA(3, fit_inverse_transform=True, **parameters).fit(X)
        z = theirs.transform(T) * np.sign((theirs.eigenvectors_ * ours.eigenvectors_).sum(axis=0))
        np.testing.assert_allclose(ours.inverse_transform(z), theirs.inverse_transform(theirs.transform(T)), atol=1e-5)


def test_preimages() -> None:
    linear = KernelPCA().fit(X)  # all four dimensions
    np.testing.assert_allclose(linear.inverse_transform(linear.transform(T)), T, atol=1e-9)
    padded = KernelPCA(30).fit(X)
    np.testing.assert_allclose(padded.inverse_transform(padded.transform(T)), T, atol=1e-9)
    radial = KernelPCA(8, kernel="rbf", gamma=0.05).fit(X)
    assert np.abs(radial.inverse_transform(radial.transform(X)) - X).mean() < 0.1
    for model in (KernelPCA(2, kernel="poly").fit(X), KernelPCA(2, kernel="rbf", approx="nystrom:50").fit(X)):
        with pytest.raises(ValueError, match="pre-images"):
            model.inverse_transform(model.transform(T))
    with pytest.raises(ValueError, match="3 coordinates, but there are 8"):
        radial.inverse_transform(T[:, :3])


def test_refusals() -> None:
    for count in (0, -1, 1.5, "three"):
        with pytest.raises(ValueError, match="n_components"):
            KernelPCA(count).fit(X)
    with pytest.raises(ValueError, match="sparse"):
        KernelPCA(2, fit_inverse_transform=True).fit(csr_matrix(X))
    with pytest.raises(ValueError, match="precomputed"):
        KernelPCA(2, kernel="precomputed", fit_inverse_transform=True).fit(rbf_kernel(X))
    for parameters in ({"eigen_solver": "lobpcg"}, {"max_iter": 10}, {"iterated_power": 3}, {"eigen_solver": "arpack", "max_iter": 0}, {"eigen_solver": "randomized", "iterated_power": -1},
                       {"eigen_solver": "dense", "solver": "primal"}, {"eigen_solver": "dense", "approx": "nystrom:5"}, {"eigen_solver": "arpack", "tol": -1}, {"copy_X": "yes"}):
        with pytest.raises(ValueError, match=list(parameters)[-1]):
            KernelPCA(2, **parameters).fit(X)
    dense = KernelPCA(2, eigen_solver="dense").fit(X)
    with pytest.raises(ValueError, match="eigen_solver='auto' alone"):
        dense.save("nowhere.mercer")
    with pytest.raises(ValueError, match="plots need eigen_solver='auto'"):
        dense.plot()
    with pytest.raises(NotFittedError, match="fit_inverse_transform=True"):
        dense.inverse_transform(dense.transform(T))


@pytest.mark.parametrize("solver", ["dense", "arpack", "randomized"])
@pytest.mark.parametrize("kernel", ["rbf", "linear", of_rows, "precomputed"], ids=str)
def test_solvers_by_name(solver: str, kernel: Any) -> None:
    train, test = (rbf_kernel(X), rbf_kernel(T, X)) if kernel == "precomputed" else (X, T)
    theirs, ours = (kind(3, kernel=kernel, eigen_solver=solver, random_state=0).fit(train) for kind in (Theirs, KernelPCA))
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(np.abs(ours.eigenvectors_), np.abs(theirs.eigenvectors_), atol=1e-7)
    np.testing.assert_allclose(np.abs(ours.transform(test)), np.abs(theirs.transform(test)), atol=1e-7)
    np.testing.assert_allclose(ours.transform(train), ours.fit_transform(train), atol=1e-9)
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(again.transform(test), ours.transform(test))
    if kernel in ("rbf", "linear"):
        assert ours.gamma_ == (0.25 if kernel == "rbf" else None)
        back = KernelPCA(3, kernel=kernel, eigen_solver=solver, fit_inverse_transform=True, random_state=0).fit(X)
        assert back.inverse_transform(back.transform(T)).shape == T.shape


def test_a_solver_by_name_leaves_nothing_of_an_earlier_fit() -> None:
    model = KernelPCA(2).fit(X)
    model.set_params(eigen_solver="dense").fit(X[:50])
    assert not hasattr(model, "model_") and not hasattr(model, "report_")
    assert hasattr(model.set_params(eigen_solver="auto").fit(X), "model_") and model.transform(T).shape == (len(T), 2)


@pytest.mark.parametrize("parameters", [{}, {"n_components": 2}, {"n_components": 2, "remove_zero_eig": True}], ids=str)
@pytest.mark.parametrize("solver", ["auto", "dense"])
def test_equal_rows_have_no_components(parameters: dict[str, Any], solver: str) -> None:
    same = np.ones((5, 3))
    theirs, ours = Theirs(**parameters, eigen_solver=solver).fit(same), KernelPCA(**parameters, eigen_solver=solver).fit(same)
    np.testing.assert_array_equal(ours.eigenvalues_, theirs.eigenvalues_)
    np.testing.assert_array_equal(ours.transform(np.eye(3)), theirs.transform(np.eye(3)))


@pytest.mark.parametrize("as_function", [False, True])
def test_a_matrix_that_is_not_positive_semidefinite(as_function: bool) -> None:
    values = np.array([5.0, 3.0, 1.0, -2.0, 0.0])
    Q = np.linalg.qr(np.column_stack([np.ones(5), np.random.RandomState(0).rand(5, 4)]))[0]
    K = Q[:, [1, 2, 3, 4, 0]] * values @ Q[:, [1, 2, 3, 4, 0]].T
    kernel, rows = (lambda a, b: K[np.ix_(a[:, 0].astype(int), b[:, 0].astype(int))], np.arange(5.0)[:, None]) if as_function else ("precomputed", K)
    np.testing.assert_allclose(KernelPCA(3, kernel=kernel).fit(rows).eigenvalues_, [5, 3, 1])
    for count in (None, 5):
        with pytest.raises(ValueError, match=r"significant negative eigenvalues \(-2"):
            KernelPCA(count, kernel=kernel).fit(rows)


def test_the_rows_kept_are_a_copy() -> None:
    own = X.copy()
    assert not np.shares_memory(KernelPCA(2).fit(own).X_fit_, own) and np.shares_memory(KernelPCA(2, copy_X=False).fit(own).X_fit_, own)


def test_sparse_rows() -> None:
    np.testing.assert_allclose(np.abs(KernelPCA(3, kernel="rbf").fit(csr_matrix(X)).transform(csr_matrix(T))), np.abs(KernelPCA(3, kernel="rbf").fit(X).transform(T)), atol=1e-9)


def test_float32_in_float32_out() -> None:
    for ours in (KernelPCA(2, kernel="rbf"), KernelPCA(2, kernel="rbf", eigen_solver="dense"), Theirs(2, kernel="rbf")):
        single, double = X.astype(np.float32), X
        frame = pandas.DataFrame(single, columns=list("abcd"))
        assert ours.fit(frame).transform(frame).dtype == np.float32
        assert ours.fit_transform(single).dtype == ours.transform(single).dtype == np.float32 and ours.transform(double).dtype == np.float64
        assert ours.fit_transform(double).dtype == ours.transform(single).dtype == ours.transform(double).dtype == np.float64
