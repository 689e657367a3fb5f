"""The numbers that the evidence finds: those of scikit-learn's or better, within their bounds; those that are fixed stay."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor as Theirs
from sklearn.gaussian_process import kernels as sk

from mercer import RBF, GaussianProcessRegressor, Kernel
from mercer.gp_search import evidence, maximise

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def problem(rows: int, columns: int, seed: int, noise: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    r = np.random.RandomState(seed)
    X = r.uniform(0, 5, (rows, columns))
    return X, X[:, 0] + np.sin(2 * X[:, -1]) + r.normal(0, noise, rows)


KERNELS: dict[str, Any] = {
    "rbf": 1.0 * sk.RBF() + sk.WhiteKernel(),
    "bounds": sk.ConstantKernel(2.0, (0.1, 30)) * sk.RBF(0.3, (0.01, 5)) + sk.WhiteKernel(0.1, (1e-4, 1)),
    "partly": sk.ConstantKernel(4.0, "fixed") * sk.RBF(2.0) + sk.WhiteKernel(0.1),
    "noise": 1.0 * sk.Matern(1.0, nu=1.5) + sk.WhiteKernel(0.01, "fixed"),
    "lengths": 1.0 * sk.RBF([1.0, 1.0]) + sk.WhiteKernel(),
    "sum": 1.0 * sk.RBF(0.5) + 1.0 * sk.DotProduct() + sk.WhiteKernel(),
    "quadratic": sk.RationalQuadratic() + sk.WhiteKernel(),
    "function": 1.0 * sk.Matern(1.0, nu=0.8) + sk.WhiteKernel(),
}


@pytest.mark.parametrize("rows, columns, seed", [(20, 2, 0), (40, 2, 1), (60, 2, 2)])
@pytest.mark.parametrize("kernel", KERNELS)
def test_no_worse_than_scikit_learn(kernel: str, rows: int, columns: int, seed: int) -> None:
    X, y = problem(rows, columns, seed)
    theirs, ours = Theirs(KERNELS[kernel]).fit(X, y), GaussianProcessRegressor(KERNELS[kernel]).fit(X, y)
    assert ours.log_marginal_likelihood_value_ > theirs.log_marginal_likelihood_value_ - 0.1
    assert ours.report_["converged"]


def test_the_better_of_two_maxima() -> None:
    X, y = problem(100, 4, 0)
    assert GaussianProcessRegressor(1.0 * sk.RBF() + sk.WhiteKernel()).fit(X, y).log_marginal_likelihood_value_ > -111  # the other one is at -188.8, where all is noise


def test_alpha_is_added_as_it_is() -> None:
    X, y = problem(40, 1, 3)
    for kernel in (sk.RBF(1.0), 1.0 * sk.RBF(1.0), "1*rbf(sigma=1)", RBF(sigma=1.0)):
        model = GaussianProcessRegressor(kernel, alpha=0.3).fit(X, y)
        assert model.noise_ == pytest.approx(0.3, rel=1e-12)
    theirs = Theirs(1.0 * sk.RBF(1.0), alpha=0.3).fit(X, y)
    assert GaussianProcessRegressor("1*rbf(sigma=1)", alpha=0.3).fit(X, y).log_marginal_likelihood_value_ > theirs.log_marginal_likelihood_value_ - 1e-4
    with_noise = GaussianProcessRegressor(1.0 * sk.RBF(1.0) + sk.WhiteKernel(1.0, (0.2, 2.0)), alpha=0.3).fit(X, y)
    assert 0.5 * (1 - 1e-9) <= with_noise.noise_ <= 2.3
    found = GaussianProcessRegressor("1*rbf(sigma=1)", alpha="auto").fit(X, y)
    assert found.noise_ < 0.05 and found.log_marginal_likelihood_value_ > model.log_marginal_likelihood_value_


def test_bounds_are_kept() -> None:
    X, y = problem(40, 1, 3)
    tight = GaussianProcessRegressor(sk.RBF(0.3, (1e-2, 0.5)), alpha=0.01).fit(X, y)
    assert tight.kernel_.parameters["sigma"] == pytest.approx(0.5, rel=1e-9) and str(tight.kernel_).startswith("rbf(")  # and no factor is put in front
    assert GaussianProcessRegressor(Kernel("rbf(sigma=0.3)", (1e-2, 0.5)), alpha=0.01).fit(X, y).kernel_.parameters["sigma"] == pytest.approx(0.5, rel=1e-9)
    fixed = GaussianProcessRegressor(Kernel("2*rbf(sigma=0.3)", {"factor": "fixed"}), alpha=0.01).fit(X, y)
    assert fixed.kernel_.parameters["factor"] == 2 and fixed.kernel_.parameters["sigma"] > 0.5
    for kernel in (Kernel("2*rbf(sigma=0.3)", "fixed"), sk.ConstantKernel(2.0, "fixed") * sk.RBF(0.3, "fixed")):
        assert str(GaussianProcessRegressor(kernel, alpha=0.01).fit(X, y).kernel_) == "2*rbf(sigma=0.3)"
    mixed = GaussianProcessRegressor(Kernel("rbf(sigma=0.3)", (1e-2, 0.5)) + sk.WhiteKernel(0.1), alpha=0).fit(X, y)
    assert mixed.kernel_.parameters["sigma"] <= 0.5 * (1 + 1e-9)
    given = GaussianProcessRegressor(None, alpha="auto").fit(X, y)
    assert str(given.kernel_) == "rbf(gamma=0.5)" and given.noise_ != 0.1


def test_kernels_that_only_python_computes_are_searched() -> None:
    X, y = problem(30, 2, 4)
    kernel = sk.ConstantKernel(1.0) * sk.Matern(0.3, (0.1, 3.0), nu=0.8) + sk.WhiteKernel(0.5)
    theirs, ours = Theirs(kernel, normalize_y=True).fit(X, y), GaussianProcessRegressor(kernel, normalize_y=True).fit(X, y)
    assert ours.log_marginal_likelihood_value_ == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-4)
    for one, other in zip(theirs.predict(X, return_std=True), ours.predict(X, return_std=True)):
        np.testing.assert_allclose(other, one, rtol=1e-2, atol=1e-3)
    value, slope = evidence(kernel, X, y[:, None], 0.1, kernel.theta)
    assert Theirs(kernel, alpha=0.1, optimizer=None).fit(X, y).log_marginal_likelihood_value_ == pytest.approx(value, rel=1e-12)
    numeric = [(evidence(kernel, X, y[:, None], 0.1, kernel.theta + h)[0] - evidence(kernel, X, y[:, None], 0.1, kernel.theta - h)[0]) / 2e-5 for h in 1e-5 * np.eye(3)]
    np.testing.assert_allclose(slope, numeric, rtol=1e-6)
    again = [maximise(kernel, X, y, 1e-10, 2, 7).theta for _ in range(2)]
    np.testing.assert_array_equal(*again)
