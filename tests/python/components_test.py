"""Kernel PCA: how many components, and the way back."""
from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.decomposition import KernelPCA as Theirs
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from mercer import Kernel, KernelPCA

X = load_iris().data
T = X[::7] + 0.1


def of_rows(x: np.ndarray, z: np.ndarray, gamma: float = 0.1) -> float:
    return float(np.exp(-gamma * ((x - z) ** 2).sum()))


@parametrize_with_checks([KernelPCA(), KernelPCA(2, kernel="rbf", fit_inverse_transform=True)])
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
    with pytest.raises(ValueError, match="coincide in feature space"):
        KernelPCA().fit(np.ones((5, 3)))
    for count in (0, -1, 1.5, "three"):
        with pytest.raises(ValueError, match="n_components"):
            KernelPCA(count).fit(X)
    with pytest.raises(ValueError, match="sparse"):
        KernelPCA(2, fit_inverse_transform=True).fit(csr_matrix(X))
    with pytest.raises(ValueError, match="precomputed"):
        KernelPCA(2, kernel="precomputed", fit_inverse_transform=True).fit(rbf_kernel(X))


def test_sparse_rows() -> None:
    np.testing.assert_allclose(np.abs(KernelPCA(3, kernel="rbf").fit(csr_matrix(X)).transform(csr_matrix(T))), np.abs(KernelPCA(3, kernel="rbf").fit(X).transform(T)), atol=1e-9)
