"""The same numbers as scikit-learn's estimators at the same parameters, on its own data.

The solvers stop at a tolerance, so both are given one at which it does not stand in the way. Left out are problems without one solution, where scikit-learn's answer is
only one of several:
- the sigmoid kernel at larger gamma is far from positive semidefinite, the problem is not convex, and each solver ends at a stationary point of its own;
- novelty under the linear kernel where the origin lies among the rows: the function is 0 everywhere (so the rows are moved off it here), and rows on the
  boundary, where a rounding decides the label;
- classes of equal total weight and a small C, and ν-classification where ν·n/2 is a whole number: all support vectors may be at their bound, and the level is anything in an
  interval (here its middle, there where a rounding leaves it).
"""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn import datasets, decomposition, gaussian_process, kernel_ridge, svm
from sklearn.gaussian_process import kernels as sk
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import mercer

TOLERANCE = 1e-3  # of decision values, relative to the largest


def table(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, targets, and weights of rows that differ."""
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    X = X / 16 if name == "digits" else StandardScaler().fit_transform(X)
    if name == "digits":
        X, y = X[:500], y[:500]
    if name == "diabetes":
        y = (y - y.mean()) / y.std()
    return X, y, np.random.RandomState(0).uniform(0.2, 2, len(y))


def laplacian(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    return np.exp(-0.1 * cdist(X, Z, "cityblock"))


KERNELS: dict[str, dict[str, Any]] = {
    "linear": {"kernel": "linear"},
    "poly": {"kernel": "poly", "degree": 2, "coef0": 1.0, "gamma": 0.1},
    "cubic": {"kernel": "poly", "degree": 3},
    "rbf": {"kernel": "rbf"},
    "narrow": {"kernel": "rbf", "gamma": 0.2},
    "sigmoid": {"kernel": "sigmoid", "gamma": 0.003, "coef0": 0.1},
    "function": {"kernel": laplacian},
    "precomputed": {"kernel": "precomputed"},
}
CLASSES = ("iris", "wine", "breast_cancer", "digits")


def fit_both(name: str, peer: Any, X: np.ndarray, y: Any, weights: Any, parameters: dict[str, Any]) -> tuple[Any, Any, np.ndarray]:
    """Theirs and ours, fitted on two rows of three; and all rows, to ask them about."""
    chosen = np.arange(len(X)) % 3 != 0
    train, rows = X[chosen], X
    if parameters["kernel"] == "precomputed":
        train, rows = laplacian(train, train), laplacian(X, train)
    y = None if y is None else y[chosen]
    fitting = {} if weights is None else {"sample_weight": weights[chosen]}
    return peer(**parameters).fit(train, y, **fitting), getattr(mercer, name)(**parameters).fit(train, y, **fitting), rows


def compare(name: str, peer: Any, X: np.ndarray, y: Any, weights: Any, parameters: dict[str, Any], answer: str) -> None:
    theirs, ours, rows = fit_both(name, peer, X, y, weights, parameters)
    expected, got = getattr(theirs, answer)(rows), getattr(ours, answer)(rows)
    assert got.shape == expected.shape
    assert np.abs(got - expected).max() <= TOLERANCE * np.abs(expected).max(), parameters
    if answer == "decision_function":
        assert np.mean(theirs.predict(rows) == ours.predict(rows)) >= 0.999, parameters


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("data", CLASSES)
def test_support_vector_classification(data: str, kernel: str) -> None:
    X, y, weights = table(data)
    shape = {"decision_function_shape": "ovo", "tol": 1e-5, **KERNELS[kernel]}
    for C in (0.1, 10):
        compare("SVC", svm.SVC, X, y, None, {"C": C, **shape}, "decision_function")
    compare("SVC", svm.SVC, X, y, None, {"C": 10, "class_weight": "balanced", **shape}, "decision_function")
    compare("SVC", svm.SVC, X, y, weights, {"C": 10, "class_weight": {0: 3, 1: 0.5}, **shape}, "decision_function")


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("data", CLASSES)
def test_nu_classification(data: str, kernel: str) -> None:
    X, y, weights = table(data)
    for nu, row_weights in ((0.11, None), (0.37, None), (0.23, weights)):
        compare("NuSVC", svm.NuSVC, X, y, row_weights, {"nu": nu, "decision_function_shape": "ovo", "tol": 1e-7, **KERNELS[kernel]}, "decision_function")


@pytest.mark.parametrize("shape", ["ovr", "ovo"])
@pytest.mark.parametrize("data", CLASSES)
def test_defaults_of_classification(data: str, shape: str) -> None:
    X, y, _ = table(data)
    theirs, ours = (machine(decision_function_shape=shape).fit(X, y) for machine in (svm.SVC, mercer.SVC))
    assert np.mean(theirs.predict(X) == ours.predict(X)) >= 0.999
    expected = theirs.decision_function(X).reshape(len(X), -1)
    errors = np.abs(ours.decision_function(X).reshape(len(X), -1) - expected).max(axis=1) / np.abs(expected).max()
    assert np.mean(errors <= 2e-3) >= 0.99  # both stop at 1e-3; a pair's score near 0 may give its vote, which ovr counts, to the other class


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("data", ["diabetes", "wine"])
def test_support_vector_regression(data: str, kernel: str) -> None:
    X, y, weights = table(data)
    for C, epsilon, row_weights in ((0.1, 0.1, None), (3, 0.5, None), (1, 0.2, weights)):
        compare("SVR", svm.SVR, X, y, row_weights, {"C": C, "epsilon": epsilon, "tol": 1e-5, **KERNELS[kernel]}, "predict")
        compare("NuSVR", svm.NuSVR, X, y, row_weights, {"C": C, "nu": epsilon, "tol": 1e-5, **KERNELS[kernel]}, "predict")


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("data", CLASSES)
def test_novelty(data: str, kernel: str) -> None:
    X, _, weights = table(data)
    X = MinMaxScaler().fit_transform(X)
    for nu, row_weights in ((0.1, None), (0.5, None), (0.3, weights)):
        theirs, ours, rows = fit_both("OneClassSVM", svm.OneClassSVM, X, None, row_weights, {"nu": nu, "tol": 1e-6, **KERNELS[kernel]})
        for answer in ("decision_function", "score_samples"):
            expected, got = getattr(theirs, answer)(rows), getattr(ours, answer)(rows)
            assert np.abs(got - expected).max() <= TOLERANCE * np.abs(theirs.score_samples(rows)).max()
        clear = np.abs(theirs.decision_function(rows)) > 1e-5 * np.abs(theirs.score_samples(rows)).max()
        assert np.mean(theirs.predict(rows)[clear] == ours.predict(rows)[clear]) >= 0.999


@pytest.mark.parametrize("kernel", ["linear", "poly", "narrow", "sigmoid", "precomputed", "laplacian", "cosine"])
@pytest.mark.parametrize("data", ["diabetes", "digits"])
def test_kernel_ridge(data: str, kernel: str) -> None:
    X, y, weights = table(data)
    parameters = KERNELS.get(kernel, {"kernel": kernel})
    compare("KernelRidge", kernel_ridge.KernelRidge, X, y, None, {"alpha": 0.1, **parameters}, "predict")
    compare("KernelRidge", kernel_ridge.KernelRidge, X, np.c_[y, y**2], weights, {"alpha": 10, **parameters}, "predict")


def test_kernel_ridge_without_a_penalty() -> None:
    X, y, _ = table("diabetes")
    X, y = X[:40], y[:40]
    theirs, ours = (ridge(alpha=0, kernel="rbf", gamma=1.0).fit(X, y) for ridge in (kernel_ridge.KernelRidge, mercer.KernelRidge))
    np.testing.assert_allclose(ours.predict(X), y, atol=1e-9)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-6, atol=1e-9)
    for parameters in ({"kernel": "linear"}, {"kernel": "poly", "degree": 1}):  # 40 rows of 10 columns: K is singular, scikit-learn's own answer is that of least squares
        with pytest.warns(UserWarning, match="Singular matrix"):
            theirs = kernel_ridge.KernelRidge(alpha=0, **parameters).fit(X, y)
        with pytest.warns(UserWarning, match="K is singular"):
            ours = mercer.KernelRidge(alpha=0, **parameters).fit(X, y)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-6)
        with pytest.warns(UserWarning, match="K is singular"):
            both = mercer.KernelRidge(alpha=0.0, **parameters).fit(np.r_[X, X], np.c_[np.r_[y, y], np.r_[y, y] + 1])
        np.testing.assert_allclose(both.predict(X)[:, 0], theirs.predict(X), atol=1e-6)


@pytest.mark.parametrize("kernel", ["linear", "poly", "narrow", "sigmoid", "precomputed", "cosine"])
@pytest.mark.parametrize("data", [*CLASSES, "diabetes"])
def test_kernel_components(data: str, kernel: str) -> None:
    X, _, _ = table(data)
    X = laplacian(X, X) if kernel == "precomputed" else X
    parameters = {"n_components": 3, **KERNELS.get(kernel, {"kernel": kernel})}
    theirs, ours = decomposition.KernelPCA(**parameters).fit(X), mercer.KernelPCA(**parameters).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-6)
    np.testing.assert_allclose(np.abs(ours.eigenvectors_), np.abs(theirs.eigenvectors_), atol=1e-5)
    expected = theirs.transform(X[:40])
    np.testing.assert_allclose(np.abs(ours.transform(X[:40])), np.abs(expected), atol=1e-5 * np.abs(expected).max())


PROCESSES: dict[str, Any] = {
    "none": None,
    "rbf": 2.0 * sk.RBF(3.0),
    "lengths": sk.RBF(np.linspace(1, 5, 10)),
    "matern": sk.Matern(2.0, nu=1.5) + sk.WhiteKernel(0.3),
    "rough": 0.5 * sk.Matern(2.0, nu=0.5) + sk.DotProduct(0.5),
    "quadratic": sk.RationalQuadratic(2.0, 0.7) * sk.RBF(4.0) + sk.ConstantKernel(0.3),
    "function": sk.Matern(2.0, nu=0.8) + sk.WhiteKernel(0.1),  # no expression: a smoothness without a closed form
}


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("kernel", PROCESSES)
def test_gaussian_process(kernel: str, normalize: bool) -> None:
    X, y, _ = table("diabetes")
    y = y * 3 + 1
    for alpha in (1e-10, 0.1):
        parameters = {"kernel": PROCESSES[kernel], "alpha": alpha, "optimizer": None, "normalize_y": normalize}
        theirs = gaussian_process.GaussianProcessRegressor(**parameters).fit(X[:200], y[:200])
        ours = mercer.GaussianProcessRegressor(**parameters).fit(X[:200], y[:200])
        assert ours.log_marginal_likelihood() == pytest.approx(theirs.log_marginal_likelihood(), rel=1e-6)
        for how in ("return_std", "return_cov"):
            mean, spread = theirs.predict(X[150:250], **{how: True})
            our_mean, our_spread = ours.predict(X[150:250], **{how: True})
            assert np.abs(our_mean - mean).max() <= 1e-6 * np.abs(mean).max()
            assert np.abs(our_spread - spread).max() <= 1e-6 * np.abs(spread).max()


@pytest.mark.parametrize("data", ["iris", "wine", "breast_cancer", "digits"])
def test_gaussian_process_on_other_data(data: str) -> None:
    X, y, _ = table(data)
    chosen = np.arange(len(X)) % 3 != 0
    for kernel in (None, 2.0 * sk.RBF(3.0) + sk.WhiteKernel(0.1)):
        parameters = {"kernel": kernel, "alpha": 0.01, "optimizer": None, "normalize_y": True}
        theirs, ours = (process(**parameters).fit(X[chosen], y[chosen]) for process in (gaussian_process.GaussianProcessRegressor, mercer.GaussianProcessRegressor))
        assert ours.log_marginal_likelihood() == pytest.approx(theirs.log_marginal_likelihood(), rel=1e-9)
        for expected, got in zip(theirs.predict(X, return_std=True), ours.predict(X, return_std=True)):
            assert np.abs(got - expected).max() <= 1e-9 * np.abs(expected).max()


def test_numbers_found_by_the_evidence() -> None:
    """Of a kernel with a factor and noise of its own both search the same numbers."""
    X = np.random.RandomState(0).uniform(0, 5, (60, 1))
    y = np.sin(2 * X[:, 0]) + 0.1 * np.random.RandomState(1).randn(60)
    kernel = 1.0 * sk.RBF(1.0) + sk.WhiteKernel(0.1)
    theirs, ours = (process(kernel, normalize_y=True).fit(X, y) for process in (gaussian_process.GaussianProcessRegressor, mercer.GaussianProcessRegressor))
    assert ours.log_marginal_likelihood_value_ == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-5)
    assert ours.noise_ == pytest.approx(theirs.kernel_.k2.noise_level, rel=1e-3)
    for ours_, theirs_ in zip(ours.predict(X, return_std=True), theirs.predict(X, return_std=True)):
        np.testing.assert_allclose(ours_, theirs_, rtol=1e-3, atol=1e-4)
