"""Kernels inside scikit-learn's own estimators, the Gaussian processes among them."""
from __future__ import annotations

import copy
import subprocess
import sys
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import SpectralClustering
from sklearn.datasets import load_diabetes, load_iris
from sklearn.decomposition import KernelPCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process import kernels as theirs
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR, OneClassSVM

import mercer
from mercer import Kernel

rng = np.random.default_rng(3)
X = rng.normal(size=(40, 3))
y = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1]
Z = rng.normal(size=(9, 3))

# The same kernels in scikit-learn's words, with the same parameters.
PAIRS = [(mercer.RBF(sigma=1.3), theirs.RBF(1.3)),
         (mercer.Matern(nu=0.5, length=0.7), theirs.Matern(0.7, nu=0.5)), (mercer.Matern(nu=1.5, length=0.7), theirs.Matern(0.7, nu=1.5)),
         (mercer.Matern(nu=2.5, length=2.0), theirs.Matern(2.0, nu=2.5)),
         (mercer.RationalQuadratic(alpha=0.8, length=1.5), theirs.RationalQuadratic(alpha=0.8, length_scale=1.5)),
         (2.5 * mercer.RBF(sigma=1.3) + 0.3 * mercer.Matern(nu=1.5, length=0.7), 2.5 * theirs.RBF(1.3) + 0.3 * theirs.Matern(0.7, nu=1.5)),
         (2.5 * mercer.RBF(sigma=1.3) * mercer.Matern(nu=2.5, length=0.7), 2.5 * theirs.RBF(1.3) * theirs.Matern(0.7, nu=2.5))]


@pytest.mark.parametrize("ours, other", PAIRS, ids=[str(pair[0]) for pair in PAIRS])
def test_values_and_derivatives_are_scikit_learns(ours: Kernel, other) -> None:
    assert ours.n_dims == other.n_dims == len(ours.bounds)
    np.testing.assert_allclose(ours.theta, other.theta, rtol=1e-14)
    np.testing.assert_allclose(ours.bounds, other.bounds)
    K, gradient = ours(X, eval_gradient=True)
    expected, slopes = other(X, eval_gradient=True)
    np.testing.assert_allclose(K, expected, rtol=1e-11, atol=1e-13)
    assert gradient.shape == slopes.shape
    assert np.abs(gradient - slopes).max() < 1e-8 * np.abs(slopes).max()
    np.testing.assert_allclose(ours.diag(Z), other.diag(Z), rtol=1e-13)
    assert ours.is_stationary() == other.is_stationary() and ours.requires_vector_input
    moved = ours.clone_with_theta(ours.theta + 0.1)
    np.testing.assert_allclose(moved(X, Z), other.clone_with_theta(other.theta + 0.1)(X, Z), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(ours.theta, other.theta, rtol=1e-14)


def test_scaled_columns_are_automatic_relevance_determination() -> None:
    lengths = np.array([0.5, 1.0, 4.0])
    ours, other = mercer.scaled(mercer.RBF(gamma=0.5), by=1 / lengths), theirs.RBF(lengths)
    names = list(ours.parameters)
    fixed = Kernel(ours, {"gamma": "fixed"})
    assert ours.n_dims == 4 and fixed.n_dims == 3 and [h.fixed for h in fixed.hyperparameters] == [name == "gamma" for name in names]
    np.testing.assert_allclose(fixed(X, eval_gradient=True)[1], -other(X, eval_gradient=True)[1], atol=1e-9)  # weights are 1 / lengths


def test_derivatives_where_a_parameter_can_go_no_higher() -> None:
    texts = ["GATTACA", "ATTAC", "TACA"]

    def at(decay: float) -> np.ndarray:
        return mercer.Subsequence(length=2, decay=decay)(texts)

    edge = mercer.Subsequence(length=2, decay=1.0)
    K, gradient = edge(texts, eval_gradient=True)
    np.testing.assert_array_equal(K, at(1.0))
    h = 1e-4
    expected = (25 * at(1.0) - 48 * at(np.exp(-h)) + 36 * at(np.exp(-2 * h)) - 16 * at(np.exp(-3 * h)) + 3 * at(np.exp(-4 * h))) / (12 * h)
    np.testing.assert_allclose(gradient[:, :, 0], expected, rtol=1e-7)
    edge.theta = np.array([1e-12])  # a rounding beyond the bound
    assert edge.parameters["decay"] == 1.0 and np.exp(edge.bounds[0, 1]) == 1.0 and not edge.requires_vector_input


def test_numbers_that_may_be_0_or_negative_are_not_in_theta() -> None:
    k = mercer.Polynomial(degree=2, scale=0.5, offset=0.0) + mercer.Sigmoid(scale=2.0, offset=1.0) - 3 * mercer.RBF(gamma=2.0)
    np.testing.assert_allclose(np.exp(k.theta), [0.5, 2.0])
    assert [h.name for h in k.hyperparameters if not h.fixed] == ["poly.scale", "gamma"]
    assert mercer.Linear().n_dims == 0 and mercer.Linear().theta.shape == (0,) and mercer.Linear().bounds.shape == (0, 2)


def test_the_protocol_refuses_what_cannot_be() -> None:
    k = mercer.RBF(gamma=1.0)
    with pytest.raises(ValueError, match="Should be 1; given are 2"):
        k.theta = [0.0, 1.0]
    with pytest.raises(ValueError, match="Y is None"):
        k(X, Z, eval_gradient=True)
    with pytest.raises(ValueError, match="k.resolve"):
        mercer.RBF().theta
    for bounds in [(0, 1), (2, 1), "wide", (1, 2, 3), {"gamma": 3}, (1, np.inf)]:
        with pytest.raises(ValueError, match="parameter_bounds must be"):
            Kernel("rbf(gamma=1)", bounds)
    with pytest.raises(ValueError, match="names 'sigma', but .* has gamma"):
        Kernel("rbf(gamma=1)", {"sigma": (1, 2)}).bounds
    with pytest.raises(ValueError, match="'sigma'"):
        k.set_params(sigma=2)


def test_clone_and_parameters() -> None:
    k = Kernel(0.5 * mercer.RBF(gamma=0.1), {"gamma": (1e-3, 10)})
    other = clone(k)
    assert other == k and other is not k and other.get_params() == k.get_params() and other.get_params()["gamma"] == 0.1
    np.testing.assert_allclose(np.exp(other.bounds), [[1e-5, 1e5], [1e-3, 10]])
    np.testing.assert_array_equal(copy.copy(k).bounds, k.bounds)
    other.set_params(gamma=2, factor=3)
    assert str(other) == "3*rbf(gamma=2)" and str(k) == "0.5*rbf(gamma=0.1)" and clone(other) == other
    assert str(other.set_params(expression="linear", parameter_bounds=None)) == "linear" and other.get_params(deep=False) == {"expression": "linear", "parameter_bounds": None}
    assert clone(Kernel("rbf(gamma=scale)")).get_params() == {"expression": "rbf(gamma=scale)", "parameter_bounds": None}


def test_words_are_numbers_to_be_set() -> None:
    k = Kernel('rbf(gamma=scale)@"gamma=scale" + 2*matern(length=median)')
    assert str(k.with_parameters(gamma=0.5)) == 'rbf(gamma=0.5)@"gamma=scale" + 2*matern(nu=1.5, length=median)'
    assert str(k.with_parameters(gamma=0.5, length=3, factor=4)) == 'rbf(gamma=0.5)@"gamma=scale" + 4*matern(nu=1.5, length=3)'
    with pytest.raises(ValueError):
        (mercer.RBF() + mercer.RBF() ** 2).with_parameters(gamma=1)  # which one?
    with pytest.raises(ValueError, match="> 0"):
        mercer.RBF().with_parameters(gamma=-1)
    with pytest.raises(ValueError):
        mercer.RBF().parameters
    points, classes = load_iris(return_X_y=True)
    assert GridSearchCV(SVC(kernel=mercer.RBF()), {"kernel__gamma": [1e-6, 0.3]}, cv=3).fit(points, classes).best_params_ == {"kernel__gamma": 0.3}


@pytest.mark.parametrize("ours, other", [PAIRS[0], PAIRS[2], PAIRS[5]], ids=["rbf", "matern", "sum"])
@pytest.mark.parametrize("optimizer", [None, "fmin_l_bfgs_b"])
def test_gaussian_process_regression_of_scikit_learn(ours: Kernel, other, optimizer) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        a, b = (GaussianProcessRegressor(k, alpha=0.05, optimizer=optimizer, random_state=0).fit(X, y) for k in (ours, other))
    assert ours == PAIRS[[str(p[0]) for p in PAIRS].index(str(ours))][0] and isinstance(a.kernel_, Kernel)
    tolerance = 1e-9 if optimizer is None else 1e-3
    assert a.log_marginal_likelihood_value_ == pytest.approx(b.log_marginal_likelihood_value_, rel=1e-9 if optimizer is None else 1e-5)
    for left, right in zip(a.predict(Z, return_std=True), b.predict(Z, return_std=True)):
        np.testing.assert_allclose(left, right, rtol=tolerance, atol=tolerance)
    value, slope = a.log_marginal_likelihood(ours.theta, eval_gradient=True)
    expected, slopes = b.log_marginal_likelihood(other.theta, eval_gradient=True)
    assert value == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(slope, slopes, rtol=1e-7, atol=1e-8)


def test_restarts_bounds_and_warnings_of_scikit_learn() -> None:
    a = GaussianProcessRegressor(Kernel("2*rbf(sigma=3)", (1e-2, 1e2)), alpha=0.05, n_restarts_optimizer=2, random_state=0).fit(X, y)
    assert a.log_marginal_likelihood_value_ > a.log_marginal_likelihood(np.log([2.0, 3.0]))
    with pytest.warns(ConvergenceWarning, match="sigma is close to its upper bound 0.1"):
        GaussianProcessRegressor(Kernel("rbf(sigma=0.05)", (1e-2, 0.1)), alpha=0.05).fit(X, y)
    assert GaussianProcessRegressor(Kernel("2*rbf(sigma=3)", "fixed"), alpha=0.05).fit(X, y).kernel_ == Kernel("2*rbf(sigma=3)")
    with pytest.raises(ValueError, match="k.resolve"):
        GaussianProcessRegressor(mercer.RBF()).fit(X, y)


def test_gaussian_processes_of_texts() -> None:
    texts = ["GATTACA", "ATTAC", "TACATACA", "CCCC", "GGCC", "GATTTT"]
    k = mercer.normalize(mercer.Subsequence(length=2, decay=0.5))
    model = GaussianProcessRegressor(k, alpha=0.1).fit(texts, [1.0, 1.1, 0.9, -1.0, -1.2, 0.5])
    assert model.predict(["GATTAC"])[0] > 0.3 > -0.3 > model.predict(["CCCG"])[0]


def test_gaussian_process_classification_of_scikit_learn() -> None:
    points, classes = load_iris(return_X_y=True)
    points, classes = points[::3], classes[::3]
    a = GaussianProcessClassifier(mercer.RBF(sigma=1.0), optimizer=None).fit(points, classes)
    b = GaussianProcessClassifier(theirs.RBF(1.0), optimizer=None).fit(points, classes)
    np.testing.assert_allclose(a.predict_proba(points), b.predict_proba(points), atol=1e-8)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_our_kernels_and_scikit_learns_make_sums_and_products() -> None:
    for mixed, expected in [(mercer.RBF(sigma=1.3) + theirs.WhiteKernel(0.1), theirs.RBF(1.3) + theirs.WhiteKernel(0.1)),
                            (theirs.ConstantKernel(2.0) * mercer.RBF(sigma=1.3), theirs.ConstantKernel(2.0) * theirs.RBF(1.3))]:
        np.testing.assert_allclose(mixed.theta, expected.theta)
        for left, right in zip(mixed(X, eval_gradient=True), expected(X, eval_gradient=True)):
            np.testing.assert_allclose(left, right, atol=1e-9)
        assert GaussianProcessRegressor(mixed, alpha=0.01).fit(X, y).log_marginal_likelihood_value_ == pytest.approx(
            GaussianProcessRegressor(expected, alpha=0.01).fit(X, y).log_marginal_likelihood_value_, rel=1e-4)


# --- Other estimators: a kernel is a function of two arrays. ------------------------------------------------------------------------


def test_estimators_of_scikit_learn_take_kernels() -> None:
    points, classes = load_iris(return_X_y=True)
    k = mercer.RBF(gamma=0.25)
    np.testing.assert_allclose(SVC(kernel=k).fit(points, classes).decision_function(points), SVC(gamma=0.25).fit(points, classes).decision_function(points), atol=1e-6)
    np.testing.assert_allclose(SVC(kernel=mercer.RBF()).fit(points, classes).decision_function(points[:9]), SVC().fit(points, classes).decision_function(points[:9]),
                               atol=1e-3)
    np.testing.assert_allclose(SVR(kernel=k).fit(X, y).predict(Z), SVR(gamma=0.25).fit(X, y).predict(Z), atol=1e-6)
    np.testing.assert_allclose(OneClassSVM(kernel=k).fit(X).decision_function(Z), OneClassSVM(gamma=0.25).fit(X).decision_function(Z), atol=1e-6)
    np.testing.assert_allclose(KernelRidge(kernel=k).fit(X, y).predict(Z), KernelRidge(kernel="rbf", gamma=0.25).fit(X, y).predict(Z), atol=1e-9)
    np.testing.assert_allclose(np.abs(KernelPCA(3, kernel=k).fit(X).transform(Z)), np.abs(KernelPCA(3, kernel="rbf", gamma=0.25).fit(X).transform(Z)), atol=1e-8)
    np.testing.assert_array_equal(SpectralClustering(3, affinity=k, random_state=0).fit_predict(points),
                                  SpectralClustering(3, affinity="rbf", gamma=0.25, random_state=0).fit_predict(points))
    search = GridSearchCV(SVC(kernel=k), {"kernel__gamma": [1e-6, 0.3], "C": [1, 10]}, cv=3).fit(points, classes)
    assert search.best_params_["kernel__gamma"] == 0.3 and k.parameters["gamma"] == 0.25


def test_pairwise_kernels_take_kernels_whole_and_row_by_row() -> None:
    k = mercer.RBF(gamma=0.25)
    np.testing.assert_allclose(pairwise_kernels(X, Z, metric=k), pairwise_kernels(X, Z, metric="rbf", gamma=0.25), rtol=1e-10)
    np.testing.assert_allclose(pairwise_kernels(X, metric=lambda a, b: k(a, b)), pairwise_kernels(X, metric="rbf", gamma=0.25), rtol=1e-10)


def test_a_kernel_made_before_scikit_learn_is_loaded_is_taken() -> None:
    code = """
import mercer, pickle, sys
k = mercer.RBF(sigma=1.0)
isinstance(k, int), pickle.dumps(k), hash(k)
assert "sklearn" not in sys.modules
from sklearn.gaussian_process import GaussianProcessRegressor
model = GaussianProcessRegressor(k).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 0.0])
print(type(model.kernel_).__name__)
"""
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True).stdout == "Kernel\n"


def test_on_diabetes_the_evidence_is_scikit_learns() -> None:
    points, target = load_diabetes(return_X_y=True)
    points, target = points[:120] * 20, (target[:120] - target.mean()) / target.std()
    a = GaussianProcessRegressor(1.0 * mercer.RBF(sigma=1.0) + 0.5 * mercer.Delta()).fit(points, target)
    b = GaussianProcessRegressor(1.0 * theirs.RBF(1.0) + theirs.WhiteKernel(0.5)).fit(points, target)
    assert a.log_marginal_likelihood_value_ == pytest.approx(b.log_marginal_likelihood_value_, rel=1e-5)
