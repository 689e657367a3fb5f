"""Feature maps: φ(x)ᵀφ(z) is the kernel, nearly or exactly."""
from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pandas
import pytest
from scipy.sparse import csr_matrix
from sklearn import kernel_approximation
from sklearn.datasets import load_digits, load_wine
from sklearn.kernel_approximation import Nystroem as Theirs
from sklearn.linear_model import SGDClassifier
from sklearn.metrics.pairwise import laplacian_kernel, pairwise_kernels, polynomial_kernel, rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mercer import ExplicitFeatureMap, Kernel, KernelRidge, Nystroem, PolynomialCountSketch, RandomFourierFeatures, RBFSampler

X = StandardScaler().fit_transform(load_wine().data)
T = X[::5] + 0.05
RULES = ["pivoted", "uniform", "kmeans++"]


def of_rows(x: np.ndarray, z: np.ndarray) -> float:
    return float(np.exp(-0.1 * ((x - z) ** 2).sum()))


def error(features: np.ndarray, K: np.ndarray) -> float:
    return float(np.abs(features @ features.T - K).mean())


@parametrize_with_checks([Nystroem(), Nystroem(landmarks="kmeans++", n_components=5), RandomFourierFeatures(), ExplicitFeatureMap(), RBFSampler(), PolynomialCountSketch(coef0=1)])
def test_contract(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("parameters", [{}, {"gamma": 0.02}, {"kernel": "poly", "degree": 2, "coef0": 2.0}, {"kernel": "poly"}, {"kernel": "cosine"}, {"kernel": "laplacian"},
                                        {"kernel": of_rows}], ids=str)
def test_nystroem_of_all_rows_is_the_kernel(parameters: dict[str, Any]) -> None:
    theirs, ours = (nystroem(n_components=len(X), random_state=0, **parameters).fit(X) for nystroem in (Theirs, Nystroem))
    a, b = theirs.transform(T), ours.transform(T)
    np.testing.assert_allclose(b @ b.T, a @ a.T, atol=1e-6 * np.abs(a @ a.T).max())
    assert b.shape[1] == ours.n_features_out_ == len(ours.get_feature_names_out())


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("store", [np.asarray, csr_matrix, lambda A: A.astype(np.float32)], ids=["dense", "sparse", "float32"])
def test_landmarks(rule: str, store: Any) -> None:
    model = Nystroem(n_components=40, landmarks=rule, random_state=3).fit(store(X))
    rows = store(X)[model.component_indices_]
    assert abs(rows - model.components_).max() == 0 and len(set(model.component_indices_)) == 40
    K = rbf_kernel(np.asarray(store(T).todense()) if store is csr_matrix else T, gamma=1 / 13)
    np.testing.assert_allclose(model.transform(store(T)), rbf_kernel(T, X[model.component_indices_], gamma=1 / 13) @ model.normalization_.T, atol=1e-4)
    assert error(model.transform(store(T)), K) < 0.03
    if rule != "uniform":
        assert 0 < model.trace_left_ < 0.5


def test_pivoted_landmarks_leave_out_less_than_uniform_ones() -> None:
    D = load_digits().data / 16
    left = {rule: np.mean([1 - np.sum(Nystroem(gamma=0.1, n_components=100, landmarks=rule, random_state=seed).fit_transform(D)**2) / len(D) for seed in range(3)])
            for rule in ("pivoted", "uniform")}
    assert left["pivoted"] < left["uniform"]


@pytest.mark.parametrize("kernel, parameters", [("rbf", {"gamma": 0.1}), ("rbf", {}), ("poly", {"degree": 2, "coef0": 2.0}), ("linear", {}), ("laplacian", {"gamma": 0.1}), ("cosine", {})])
@pytest.mark.parametrize("count", [1, 10, 40])
def test_features_of_drawn_landmarks_are_those_of_scikit_learn(kernel: str, parameters: dict[str, Any], count: int) -> None:
    ours, theirs = (cls(kernel, n_components=count, random_state=5, **parameters).fit(X) for cls in (Nystroem, Theirs))
    np.testing.assert_array_equal(ours.component_indices_, theirs.component_indices_)
    np.testing.assert_allclose(ours.components_, theirs.components_, rtol=1e-15)
    assert ours.normalization_.shape == theirs.normalization_.shape
    K = pairwise_kernels(theirs.components_, metric=kernel, filter_params=True, gamma=theirs.gamma, degree=theirs.degree or 3, coef0=1 if theirs.coef0 is None else theirs.coef0)
    if np.linalg.cond(K) < 1e9:  # beyond, directions of rounding are scaled up, here and there in other ways
        np.testing.assert_allclose(ours.normalization_, theirs.normalization_, rtol=1e-5, atol=1e-6 * np.abs(theirs.normalization_).max())
        np.testing.assert_allclose(ours.transform(T), theirs.transform(T), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(ours.transform(T) @ ours.transform(T).T, theirs.transform(T) @ theirs.transform(T).T, rtol=1e-6, atol=1e-6)


def test_functions_and_matrices() -> None:
    exact = Nystroem(gamma=0.1, n_components=50, landmarks="uniform").fit(X)
    given = Nystroem(kernel="precomputed", n_components=50).fit(rbf_kernel(X, gamma=0.1))
    function = Nystroem(kernel=lambda A, B: rbf_kernel(A, B, gamma=0.1), n_components=50).fit(X)
    pair = Nystroem(kernel=of_rows, n_components=50).fit(X)
    K = rbf_kernel(T, gamma=0.1)
    for features in (exact.transform(T), given.transform(rbf_kernel(T, X, gamma=0.1)), function.transform(T), pair.transform(T)):
        assert error(features, K) < 0.02
    np.testing.assert_allclose(function.transform(T), pair.transform(T), atol=1e-8)
    np.testing.assert_allclose(function.transform(T), given.transform(rbf_kernel(T, X, gamma=0.1)), atol=1e-8)
    with pytest.raises(ValueError, match="drawn uniformly"):
        Nystroem(kernel=of_rows, landmarks="pivoted").fit(X)
    with pytest.raises(ValueError, match="not positive semidefinite"):
        Nystroem(kernel=lambda A, B: -rbf_kernel(A, B)).fit(X)


@pytest.mark.parametrize("kernel, exact", [("rbf", lambda A: rbf_kernel(A, gamma=0.05)), ("laplacian", lambda A: laplacian_kernel(A, gamma=0.05)),
                                           ("0.5*rbf(gamma=0.05) + 0.5*rbf(gamma=0.2)", lambda A: 0.5 * rbf_kernel(A, gamma=0.05) + 0.5 * rbf_kernel(A, gamma=0.2)),
                                           (Kernel("rbf(gamma=0.05)"), lambda A: rbf_kernel(A, gamma=0.05))], ids=str)
def test_random_features_come_nearer_with_their_number(kernel: Any, exact: Any) -> None:
    K = exact(T)
    few, many = (error(RandomFourierFeatures(kernel, gamma=0.05, n_components=count).fit_transform(T), K) for count in (50, 5000))
    assert many < 0.02 and many < few / 3


def test_random_features_are_those_of_their_seed() -> None:
    one, same, other = (RandomFourierFeatures(random_state=seed).fit(X).transform(T) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 0.01
    assert RandomFourierFeatures(n_components=7).fit(X).n_features_out_ == 8


@pytest.mark.parametrize("ordered", [False, True])
def test_explicit_features_are_exact(ordered: bool) -> None:
    model = ExplicitFeatureMap(degree=2, gamma=0.3, coef0=2.0, ordered=ordered).fit(X)
    features = model.transform(T)
    np.testing.assert_allclose(features @ features.T, polynomial_kernel(T, degree=2, gamma=0.3, coef0=2.0), atol=1e-10)
    assert model.exact_ and features.shape[1] == model.n_features_out_
    assert model.n_features_out_ == (183 if ordered else 105)  # 1 + 13 + 13², or 13·14/2 of the last


def test_explicit_features_of_columns_by_name() -> None:
    frame = pandas.DataFrame(T[:, :3], columns=["a", "b", "c"])
    named, numbered = (ExplicitFeatureMap(kernel).fit(frame) for kernel in ("poly(degree=2)@b", "poly(degree=2)@2"))
    assert named.n_features_out_ == 3
    np.testing.assert_array_equal(named.transform(frame), numbered.transform(frame))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(named)).transform(frame), named.transform(frame))
    y = frame["b"] ** 2
    for options in ({}, {"approx": "explicit"}):
        model = KernelRidge(kernel="poly(degree=2)@b", alpha=1e-6, **options).fit(frame, y)
        np.testing.assert_allclose(model.predict(frame), y, atol=1e-3)


def test_terms_of_a_series() -> None:
    A = T[:, :2]
    K = rbf_kernel(A, gamma=0.2)
    few, many = (ExplicitFeatureMap("rbf", gamma=0.2, terms=terms).fit(A) for terms in (3, 20))
    assert not many.exact_ and error(many.transform(A), K) < 1e-8 < error(few.transform(A), K)


@pytest.mark.parametrize("model, rows", [(Nystroem(n_components=20), X), (Nystroem(n_components=20), csr_matrix(X)), (Nystroem(n_components=20), X.astype(np.float32)),
                                         (Nystroem(n_components=20, kernel="precomputed"), rbf_kernel(X)), (Nystroem(kernel=of_rows, n_components=20), X),
                                         (RandomFourierFeatures(), X), (RandomFourierFeatures(), csr_matrix(X)), (ExplicitFeatureMap(), X), (ExplicitFeatureMap(), csr_matrix(X))],
                         ids=lambda value: type(value).__name__)
def test_pickles(model: Any, rows: Any) -> None:
    expected = model.fit(rows).transform(rows)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(again.transform(rows), expected)


@pytest.mark.parametrize("model", [Nystroem(gamma=0.05), RandomFourierFeatures(gamma=0.05, n_components=300), ExplicitFeatureMap()], ids=str)
def test_in_a_pipeline(model: Any) -> None:
    y = load_wine().target
    assert make_pipeline(model, SGDClassifier(random_state=0)).fit(X, y).score(X, y) > 0.95


@pytest.mark.parametrize("model, message", [
    (Nystroem(n_components=0), "n_components must be a whole number"), (Nystroem(n_components=2.5), "n_components must be"), (Nystroem(landmarks="best"), "landmarks must be"),
    (RandomFourierFeatures("linear"), "no Fourier features"), (RandomFourierFeatures(of_rows), "needs a kernel name or expression"), (RandomFourierFeatures(n_components="x"), "n_components must be"),
    (ExplicitFeatureMap("cosine"), "cosine"), (ExplicitFeatureMap(degree=60), "features"), (ExplicitFeatureMap(terms=0), "terms must be")], ids=str)
def test_wrong_parameters(model: Any, message: str) -> None:
    with pytest.raises((ValueError, MemoryError), match=message):
        model.fit(X).transform(X)


def test_more_landmarks_than_rows() -> None:
    with pytest.warns(UserWarning, match="each row is a landmark"):
        assert Nystroem(n_components=1000).fit(X[:20]).n_features_out_ <= 20


@pytest.mark.parametrize("model", [Nystroem(n_components=10), RandomFourierFeatures(n_components=10), ExplicitFeatureMap()], ids=lambda model: type(model).__name__)
def test_float32_in_float32_out(model: Any) -> None:
    rows = np.random.RandomState(0).rand(30, 3)
    single, double = rows.astype(np.float32), rows
    model.fit(single)
    assert model.transform(single).dtype == np.float32 and model.transform(double).dtype == np.float64
    np.testing.assert_allclose(model.transform(single), model.transform(double), atol=1e-5)
    assert model.fit(double).transform(single).dtype == np.float64


@pytest.mark.parametrize("store", [np.asarray, csr_matrix, lambda A: A.astype(np.float32)], ids=["dense", "sparse", "float32"])
@pytest.mark.parametrize("parameters", [{}, {"gamma": "scale"}, {"gamma": 0.3, "n_components": 33}], ids=str)
def test_the_sampler_is_scikit_learns(parameters: dict[str, Any], store: Any) -> None:
    ours, theirs = RBFSampler(random_state=5, **parameters).fit(store(X)), kernel_approximation.RBFSampler(random_state=5, **parameters).fit(store(X))
    np.testing.assert_allclose(ours.random_weights_, theirs.random_weights_, rtol=1e-6)
    np.testing.assert_allclose(ours.random_offset_, theirs.random_offset_, rtol=1e-6)
    np.testing.assert_allclose(ours.transform(store(T)), theirs.transform(store(T)), atol=1e-5)
    assert ours.transform(store(T)).dtype == store(X).dtype and RBFSampler().get_params() == kernel_approximation.RBFSampler().get_params()


@pytest.mark.parametrize("store", [np.asarray, csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("parameters", [{}, {"degree": 3, "coef0": 2.0, "gamma": 0.5}, {"degree": 1, "n_components": 51}], ids=str)
def test_the_count_sketch_is_scikit_learns(parameters: dict[str, Any], store: Any) -> None:
    ours, theirs = (made(random_state=5, **parameters).fit(store(X)) for made in (PolynomialCountSketch, kernel_approximation.PolynomialCountSketch))
    np.testing.assert_array_equal(ours.indexHash_, theirs.indexHash_)
    np.testing.assert_array_equal(ours.bitHash_, theirs.bitHash_)
    np.testing.assert_allclose(ours.transform(store(T)), theirs.transform(store(T)), atol=1e-9)
    assert PolynomialCountSketch().get_params() == kernel_approximation.PolynomialCountSketch().get_params()


def test_sketches_and_samples_are_near_their_kernels() -> None:
    assert error(PolynomialCountSketch(degree=2, coef0=1, gamma=0.1, n_components=4096).fit_transform(X), polynomial_kernel(X, degree=2, gamma=0.1, coef0=1)) < 0.3
    assert error(RBFSampler(gamma=0.1, n_components=4096).fit_transform(X), rbf_kernel(X, gamma=0.1)) < 0.02


@pytest.mark.parametrize(("map_", "message"), [
    (RBFSampler(gamma=0), "gamma must be a number > 0, not 0"), (RBFSampler(gamma="auto"), "gamma must be a number > 0"), (RBFSampler(n_components=0), "n_components must be a whole number"),
    (PolynomialCountSketch(degree=0), "degree must be a whole number"), (PolynomialCountSketch(coef0=-1), "coef0 must be a number ≥ 0, not -1"),
    (PolynomialCountSketch(gamma=-1), "gamma must be a number ≥ 0, not -1"),
], ids=str)
def test_wrong_parameters_of_random_maps(map_: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        map_.fit(X)
