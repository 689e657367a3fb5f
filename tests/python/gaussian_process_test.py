"""Gaussian processes: what of their contract is not a comparison with scikit-learn's numbers (parity_test.py)."""
from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor as Theirs
from sklearn.gaussian_process import kernels as sk
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from mercer import GaussianProcessRegressor, Kernel
from mercer.gp_search import Range, expression, without_noise

rng = np.random.RandomState(0)
X = rng.uniform(0, 5, (60, 2))
Y = np.c_[np.sin(2 * X[:, 0]) + 0.1 * rng.randn(60), X[:, 1] * 10 + 3]
y = Y[:, 0]
T = rng.uniform(0, 5, (7, 2))


@parametrize_with_checks([GaussianProcessRegressor(), GaussianProcessRegressor("rbf", normalize_y=True)])
def test_contract(estimator: Any, check: Any) -> None:
    check(estimator)


def test_kernel_none_is_rbf_of_length_one_as_given() -> None:
    model = GaussianProcessRegressor(alpha=0.1).fit(X, y)
    assert str(model.kernel_) == "rbf(gamma=0.5)" and model.noise_ == 0.1
    np.testing.assert_allclose(model.predict(T), Theirs(alpha=0.1).fit(X, y).predict(T), rtol=1e-9)


@pytest.mark.parametrize("word", ["evidence", "fmin_l_bfgs_b"])
def test_a_given_kernel_is_found_by_the_evidence(word: str) -> None:
    given = GaussianProcessRegressor("rbf(gamma=0.1)", alpha=0.1, optimizer=None).fit(X, y)
    found = GaussianProcessRegressor("rbf(gamma=0.1)", alpha=0.1, optimizer=word).fit(X, y)
    assert str(given.kernel_) == "rbf(gamma=0.1)"
    assert found.log_marginal_likelihood() > given.log_marginal_likelihood() + 10
    assert isinstance(found.kernel_, Kernel) and found.noise_ == pytest.approx(0.1, rel=1e-12)  # alpha is no beginning
    assert GaussianProcessRegressor("rbf(gamma=0.1)", alpha="auto", optimizer=word).fit(X, y).noise_ < 0.05
    weights = [value for name, value, *_ in GaussianProcessRegressor("rbf(gamma=0.1)", alpha=0.1, ard=True).fit(X, y).kernel_.engine.numbers() if name.startswith("by")]
    assert weights[0] > 10 * weights[1]  # y is a function of the first column


def test_evidence_at_other_numbers() -> None:
    model = GaussianProcessRegressor("2*rbf(sigma=1.5)", alpha=0.1, optimizer=None).fit(X, y)
    K = 3 * np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(-1) / 0.7**2) + 0.1 * np.eye(60)
    expected = -0.5 * y @ np.linalg.solve(K, y) - 0.5 * np.linalg.slogdet(K)[1] - 30 * np.log(2 * np.pi)
    assert model.log_marginal_likelihood(np.log([3, 0.7])) == pytest.approx(expected, rel=1e-9)
    assert model.log_marginal_likelihood(np.log([2, 1.5])) == pytest.approx(model.log_marginal_likelihood(), rel=1e-12)
    with pytest.raises(ValueError):
        model.log_marginal_likelihood([0.0])


@pytest.mark.parametrize("targets", [y, Y, Y[:, :1]], ids=["one", "two", "column"])
@pytest.mark.parametrize("kernel", [None, "linear", sk.Matern(nu=0.8) + sk.WhiteKernel(0.1)], ids=str)
def test_shapes_and_samples(kernel: Any, targets: np.ndarray) -> None:
    theirs = Theirs(sk.DotProduct(0.0) if kernel == "linear" else kernel, optimizer=None, alpha=0.01, normalize_y=True).fit(X, targets)
    ours = GaussianProcessRegressor(kernel, optimizer=None, alpha=0.01, normalize_y=True).fit(X, targets)
    for one, other in zip([*theirs.predict(T, return_std=True), *theirs.predict(T, return_cov=True)], [*ours.predict(T, return_std=True), *ours.predict(T, return_cov=True)]):
        np.testing.assert_allclose(other, one, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ours.alpha_, theirs.alpha_, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(ours.y_train_, theirs.y_train_, rtol=1e-12)
    assert ours.sample_y(T, 4).shape == theirs.sample_y(T, 4).shape
    np.testing.assert_array_equal(ours.sample_y(T, 2, random_state=3), ours.sample_y(T, 2, random_state=3))
    draws = ours.sample_y(T[:2], 20000, random_state=0).reshape(2, -1, 20000)[:, 0]
    mean, cov = ours.predict(T[:2], return_cov=True)
    np.testing.assert_allclose(np.cov(draws), cov.reshape(2, 2, -1)[..., 0], atol=0.05 * np.abs(cov).max())
    np.testing.assert_allclose(draws.mean(axis=1), mean.reshape(2, -1)[:, 0], atol=0.05 * np.sqrt(np.abs(cov).max()))


def test_small_variances_keep_their_digits() -> None:
    x = np.linspace(0, 5, 60)[:, np.newaxis]
    theirs, ours = Theirs().fit(x, np.sin(x[:, 0])), GaussianProcessRegressor().fit(x, np.sin(x[:, 0]))
    at = np.linspace(0.2, 4.8, 31)[:, np.newaxis]
    np.testing.assert_allclose(ours.predict(at, return_std=True)[1], theirs.predict(at, return_std=True)[1], atol=1e-7)  # about 5e-6 each
    np.testing.assert_allclose(ours.L_, theirs.L_, atol=1e-5)


def test_the_prior_answers_before_a_fit() -> None:
    for kernel in (None, 2.0 * sk.RBF(2.0) + sk.WhiteKernel(0.5), sk.Matern(nu=0.8)):
        theirs, ours = Theirs(kernel), GaussianProcessRegressor(kernel)
        for how in ({}, {"return_std": True}, {"return_cov": True}):
            answers = theirs.predict(T, **how), ours.predict(T, **how)
            for one, other in zip(*answers) if how else [answers]:
                np.testing.assert_allclose(other, one, atol=1e-12)
    assert GaussianProcessRegressor("rbf(gamma=median)").sample_y(T, 3).shape == (7, 3)


def test_features_in_place_of_the_kernel() -> None:
    exact, near = GaussianProcessRegressor(alpha=0.1).fit(X, y), GaussianProcessRegressor(alpha=0.1, approx="nystrom:50").fit(X, y)
    np.testing.assert_allclose(near.predict(T), exact.predict(T), atol=0.1)
    std, cov = near.predict(T, return_std=True)[1], near.predict(T, return_cov=True)[1]
    np.testing.assert_allclose(np.diag(cov), std**2)
    np.testing.assert_allclose(cov, exact.predict(T, return_cov=True)[1], atol=0.05)
    assert near.alpha_.shape == (60,) and not hasattr(near, "L_")


def test_values_given_by_others() -> None:
    kernel = sk.RBF(1.0)
    exact = GaussianProcessRegressor(alpha=0.1).fit(X, y)
    given = GaussianProcessRegressor("precomputed", alpha=0.1).fit(kernel(X), y)
    np.testing.assert_allclose(given.predict(kernel(T, X)), exact.predict(T), rtol=1e-9)
    with pytest.raises(ValueError, match="precomputed kernel matrix has no"):
        given.predict(kernel(T, X), return_std=True)
    sparse = GaussianProcessRegressor(alpha=0.1).fit(csr_matrix(X), y)
    np.testing.assert_allclose(sparse.predict(csr_matrix(T), return_std=True)[1], exact.predict(T, return_std=True)[1], rtol=1e-9)


@pytest.mark.parametrize("kernel", [None, "rbf", sk.RBF(2.0), sk.Matern(nu=0.8)], ids=str)
def test_pickles_and_searches(kernel: Any) -> None:
    model = GaussianProcessRegressor(kernel, alpha=0.1, normalize_y=True).fit(X, y)
    expected = model.predict(T, return_std=True)
    again = pickle.loads(pickle.dumps(model))
    for one, other in zip(again.predict(T, return_std=True), expected):
        np.testing.assert_array_equal(one, other)
    assert clone(model).get_params()["alpha"] == 0.1
    search = GridSearchCV(GaussianProcessRegressor(kernel, optimizer=None), {"alpha": [1e-3, 0.1, 10]}, cv=3).fit(X, y)
    assert search.best_params_["alpha"] != 10


def test_scikit_learns_kernels_as_expressions() -> None:
    for kernel, columns in ((sk.RBF(0.7), 2), (sk.RBF([0.7, 3.0]), 2), (sk.Matern([1.0, 2.0], nu=2.5), 2), (sk.Matern(2.0, nu=np.inf), 2),
                            (2.0 * sk.RationalQuadratic(1.5, 0.3), 2),
                            (sk.DotProduct(0.6) * sk.RBF(2.0) + sk.ConstantKernel(0.2), 2), (sk.RBF(2.0) * sk.ConstantKernel(3.0), 2), (sk.ExpSineSquared(0.8, 1.7), 1)):
        np.testing.assert_allclose(Kernel(expression(kernel, columns).text)(X[:, :columns], T[:, :columns]), kernel(X[:, :columns], T[:, :columns]), atol=1e-12)
    for kernel in (sk.Matern(nu=0.8), sk.RBF() ** 2, sk.ExpSineSquared(), sk.RBF() + sk.Matern(nu=0.8)):
        assert expression(kernel, 2) is None
    rest, noise = without_noise(sk.WhiteKernel(0.25) + (sk.RBF(2.0) + sk.ConstantKernel(2.0) * sk.WhiteKernel(0.5)))
    assert rest == sk.RBF(2.0) and noise.value == pytest.approx(1.25) and noise.low == pytest.approx(1e-5 + 1e-10) and noise.high == pytest.approx(1e5 + 1e10)
    assert without_noise(sk.WhiteKernel(0.25, "fixed")) == (None, Range(0.25, 0.25, 0.25))
    written = expression(sk.ConstantKernel(2.0, "fixed") * sk.RBF([1.0, 4.0], [(0.1, 10), (2, 20)]) + sk.DotProduct(3.0, (1, 5)), 2)
    np.testing.assert_allclose([(own.value, own.low, own.high) for own in written.ranges],
                               [(2, 2, 2), (1, 1, 1), (1, 0.1, 10), (0.25, 0.05, 0.5), (9, 1, 25)])  # lengths are inverses of weights, and the constant is a square
    assert [value for _, value, *_ in Kernel(written.text).engine.numbers()] == [own.value for own in written.ranges]


@pytest.mark.parametrize("wrong, message", [
    ({"optimizer": "adam"}, "optimizer must be 'evidence'"), ({"alpha": [0.1, 0.2]}, "alpha must be a scalar or an array with same number of entries as y"), ({"alpha": None}, "alpha must be a number"),
    ({"alpha": -1.0}, "alpha must be ≥ 0"), ({"kernel": 3}, "kernel must be a name"), ({"kernel": "rbff"}, "did you mean"),
    ({"kernel": "rbf(gamma=1)", "n_restarts_optimizer": -1}, "n_restarts_optimizer must be"),
    ({"kernel": sk.Matern(nu=0.8), "n_restarts_optimizer": -1}, "n_restarts_optimizer must be"), ({"alpha": "noise"}, "alpha must be a number"), ({"alpha": np.inf}, "alpha must be")])
def test_wrong_parameters(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GaussianProcessRegressor(**wrong).fit(X, y)


def test_only_one_of_std_and_cov() -> None:
    with pytest.raises(RuntimeError, match="At most one"):
        GaussianProcessRegressor().fit(X, y).predict(T, return_std=True, return_cov=True)


# --- The evidence as a function of theta, and optimizers that are functions. --------------------------------------------------

SMALL = np.atleast_2d([1.0, 3.0, 5.0, 6.0, 7.0, 8.0]).T
WAVE = (SMALL * np.sin(SMALL)).ravel()
THETA_KERNELS = {"rbf": sk.RBF(1.5), "scaled": 2.0 * sk.RBF(0.7), "sum": sk.ConstantKernel(0.5) * sk.RBF(2.0) + sk.ConstantKernel(0.3), "fixed": 2.0 * sk.RBF(0.7, "fixed"),
                 "no expression": sk.Matern(2.0, nu=0.7)}


@pytest.mark.parametrize("name", THETA_KERNELS)
@pytest.mark.parametrize("outputs", [1, 2])
def test_the_evidence_and_its_gradient_are_scikit_learns(name: str, outputs: int) -> None:
    kernel, y = THETA_KERNELS[name], WAVE if outputs == 1 else np.column_stack([WAVE, np.cos(WAVE)])
    ours, theirs = (kind(kernel=kernel, alpha=1e-2, optimizer=None).fit(SMALL, y) for kind in (GaussianProcessRegressor, Theirs))
    for theta in (kernel.theta, kernel.theta + 0.3):
        value, slope = ours.log_marginal_likelihood(theta, eval_gradient=True)
        expected, their_slope = theirs.log_marginal_likelihood(theta, eval_gradient=True)
        assert value == pytest.approx(expected, rel=1e-9) and ours.log_marginal_likelihood(theta) == pytest.approx(expected, rel=1e-9)
        np.testing.assert_allclose(slope, their_slope, rtol=1e-6)
    np.testing.assert_allclose(ours.kernel_.theta, kernel.theta)
    ours.log_marginal_likelihood(kernel.theta + 0.1)
    np.testing.assert_allclose(ours.kernel_.theta, kernel.theta)
    ours.log_marginal_likelihood(kernel.theta + 0.1, clone_kernel=False)
    np.testing.assert_allclose(ours.kernel_.theta, kernel.theta + 0.1)
    with pytest.raises(ValueError, match="Gradient can only be evaluated for theta!=None"):
        ours.log_marginal_likelihood(eval_gradient=True)


def on_a_grid(obj_func, initial_theta, bounds):  # noqa: ANN001, ANN201
    """The best of some steps along each axis, with values alone; and one call for the gradient."""
    assert np.shape(obj_func(initial_theta, eval_gradient=True)[1]) == np.shape(initial_theta) and np.shape(bounds) == (len(initial_theta), 2)
    candidates = [initial_theta, *(np.clip(initial_theta + step, bounds[:, 0], bounds[:, 1]) for step in np.linspace(-2, 2, 17))]
    return min(((theta, obj_func(theta, eval_gradient=False)) for theta in candidates), key=lambda found: found[1])


@pytest.mark.parametrize("kernel", [2.0 * sk.RBF(0.7), 2.0 * sk.RBF(0.7) + sk.WhiteKernel(0.1), sk.Matern(2.0, nu=0.7), sk.RBF(1.0, (0.9, 1.1))], ids=str)
@pytest.mark.parametrize("restarts", [0, 2])
def test_an_optimizer_that_is_a_function(kernel: Any, restarts: int) -> None:
    ours, theirs = (kind(kernel=kernel, optimizer=on_a_grid, n_restarts_optimizer=restarts, random_state=1).fit(SMALL, WAVE) for kind in (GaussianProcessRegressor, Theirs))
    assert ours.log_marginal_likelihood_value_ == pytest.approx(theirs.log_marginal_likelihood_value_, rel=1e-6)
    np.testing.assert_allclose(ours.predict(SMALL + 0.1), theirs.predict(SMALL + 0.1), rtol=1e-5, atol=1e-8)


def test_an_optimizer_of_an_expression() -> None:
    theirs = Theirs(kernel=2.0 * sk.RBF(0.7), optimizer=on_a_grid).fit(SMALL, WAVE)
    for kernel in ("2*rbf(sigma=0.7)", Kernel("2*rbf(sigma=0.7)")):
        ours = GaussianProcessRegressor(kernel=kernel, optimizer=on_a_grid).fit(SMALL, WAVE)
        assert ours.log_marginal_likelihood_value_ == pytest.approx(theirs.log_marginal_likelihood_value_, rel=1e-6)
    with pytest.raises(ValueError, match="optimizer must be"):
        GaussianProcessRegressor(kernel=sk.RBF(), optimizer="newton").fit(SMALL, WAVE)


def test_the_kernel_found_keeps_bounds_and_what_was_fixed() -> None:
    model = GaussianProcessRegressor(kernel=sk.ConstantKernel(3.0, "fixed") * sk.RBF(0.5, (0.1, 2.0)), alpha=1e-3).fit(SMALL, WAVE)
    np.testing.assert_allclose(model.kernel_.bounds, np.log([[0.1, 2.0]]))
    assert model.kernel_.theta.shape == (1,) and str(model.kernel_).startswith("3*rbf(sigma=")
    assert GaussianProcessRegressor().fit(SMALL, WAVE).kernel_.theta.shape == (0,)  # scikit-learn's default, which is fixed
    with pytest.warns(ConvergenceWarning, match="close to its upper bound 0.001"):
        GaussianProcessRegressor(kernel=sk.RBF(length_scale_bounds=(1e-5, 1e-3))).fit(SMALL, WAVE)


def test_noise_alone_and_bounds_without_end() -> None:
    ours, theirs = (kind(kernel=sk.WhiteKernel()).fit(SMALL, WAVE) for kind in (GaussianProcessRegressor, Theirs))
    assert ours.log_marginal_likelihood_value_ == pytest.approx(theirs.log_marginal_likelihood_value_, rel=1e-6)
    np.testing.assert_array_equal(ours.predict(SMALL), 0)
    with pytest.raises(ValueError, match="requires that all bounds are finite"):
        GaussianProcessRegressor(kernel=sk.RBF(length_scale_bounds=(0, np.inf)), n_restarts_optimizer=1).fit(SMALL, WAVE)


def test_lists_under_a_kernel_of_scikit_learns_kind() -> None:
    from sklearn.gaussian_process.tests._mini_sequence_kernel import MiniSeqKernel

    words, y = ["A", "AB", "B", "BBA", "AAB"], np.arange(5.0)
    ours, theirs = (kind(kernel=MiniSeqKernel(baseline_similarity_bounds="fixed"), alpha=0.1).fit(words, y) for kind in (GaussianProcessRegressor, Theirs))
    np.testing.assert_allclose(ours.predict(["AA", "BA"]), theirs.predict(["AA", "BA"]), rtol=1e-9)


# --- A noise variance for each sample. -------------------------------------------------------------------------------------------


def _of_uneven_noise() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r = np.random.RandomState(2)
    points = r.uniform(0, 5, (40, 2))
    noise = r.uniform(0.01, 0.5, 40)
    return points, np.sin(points[:, 0]) + points[:, 1] + np.sqrt(noise) * r.normal(size=40), noise


@pytest.mark.parametrize("white", [False, True])
@pytest.mark.parametrize("optimizer", [None, "fmin_l_bfgs_b"])
def test_alpha_may_be_an_array(white: bool, optimizer: str | None) -> None:
    points, target, noise = _of_uneven_noise()
    kernel = 1.0 * sk.RBF(1.0) + (sk.WhiteKernel(0.1) if white else sk.ConstantKernel(0.5))
    ours, theirs = (made(kernel, alpha=noise, optimizer=optimizer, random_state=0).fit(points, target) for made in (GaussianProcessRegressor, Theirs))
    assert ours.log_marginal_likelihood_value_ >= theirs.log_marginal_likelihood_value_ - 1e-4
    if optimizer is None or white:
        digits = 1e-8 if optimizer is None else 1e-3
        assert ours.log_marginal_likelihood_value_ == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-6 if optimizer is None else 1e-4)
        for a, b in zip(ours.predict(points[:5] + 0.1, return_std=True), theirs.predict(points[:5] + 0.1, return_std=True)):
            np.testing.assert_allclose(a, b, atol=digits)
        np.testing.assert_allclose(ours.alpha_, theirs.alpha_, atol=100 * digits)
        np.testing.assert_allclose(ours.L_ @ ours.L_.T, theirs.L_ @ theirs.L_.T, atol=digits * 10)
    assert ours.noise_.shape == (40,) and (ours.noise_ >= noise).all()
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_allclose(again.predict(points[:3], return_cov=True)[1], ours.predict(points[:3], return_cov=True)[1], atol=1e-12)


def test_the_evidence_with_an_array_of_noise() -> None:
    points, target, noise = _of_uneven_noise()
    ours, theirs = (made(1.0 * sk.RBF(1.0), alpha=noise, optimizer=None).fit(points, target) for made in (GaussianProcessRegressor, Theirs))
    theta = np.log([2.0, 0.7])
    assert ours.log_marginal_likelihood(theta) == pytest.approx(theirs.log_marginal_likelihood(theta), abs=1e-6)
    (value, slope), (peer, peers) = (model.log_marginal_likelihood(theta, eval_gradient=True) for model in (ours, theirs))
    assert value == pytest.approx(peer, abs=1e-6)
    np.testing.assert_allclose(slope, peers, rtol=1e-5)


@pytest.mark.parametrize(("alpha", "message"), [(np.ones(3), r"same number of entries as y. \(3 != 40\)"), (np.full(40, -1.0), "alpha must be ≥ 0 and finite, but it has -1"),
                                                (np.full(40, np.nan), "alpha must be ≥ 0"), (np.ones((40, 1)), "same number of entries as y")])
def test_arrays_that_are_no_noise(alpha: np.ndarray, message: str) -> None:
    points, target, _ = _of_uneven_noise()
    with pytest.raises(ValueError, match=message):
        GaussianProcessRegressor(alpha=alpha).fit(points, target)


def test_training_samples_may_be_kept_without_a_copy() -> None:
    points, target, _ = _of_uneven_noise()
    assert GaussianProcessRegressor(alpha=0.1, copy_X_train=False).fit(points, target).X_train_ is points
    assert GaussianProcessRegressor(alpha=0.1).fit(points, target).X_train_ is not points


def test_more_restarts_never_end_lower() -> None:
    points, target, _ = _of_uneven_noise()
    values = [GaussianProcessRegressor(1.0 * sk.RBF([1.0, 1.0]) + sk.WhiteKernel(1e-3), n_restarts_optimizer=count, random_state=3).fit(points, target).log_marginal_likelihood_value_
              for count in range(5)]
    assert all(after >= before - 1e-6 for before, after in zip(values, values[1:]))


@pytest.mark.parametrize("kernel", [1.0 * sk.RBF() + sk.WhiteKernel(), sk.RBF([1.0, 1.0]) * sk.ConstantKernel(2.0), sk.RBF([2.0]) + sk.ConstantKernel(0.5, "fixed"),
                                    1.0 * sk.RationalQuadratic() + sk.DotProduct() + sk.WhiteKernel(0.1), 1.0 * sk.Matern(nu=1.5)], ids=str)
def test_parts_of_a_given_kernel_have_the_values_found(kernel: Any) -> None:
    points, target, _ = _of_uneven_noise()
    model = GaussianProcessRegressor(kernel, alpha=0.1).fit(points, target)
    made = type(kernel)(model.kernel_.k1, model.kernel_.k2)  # a sum or product of the parts
    white = without_noise(made)[1].value
    np.testing.assert_allclose(made(points) - white * np.eye(40), model.kernel_(points), atol=1e-10)
    assert pickle.loads(pickle.dumps(model)).kernel_.k2 == model.kernel_.k2
    assert model.noise_ == pytest.approx(0.1 + white)


def test_parts_have_scikit_learns_names() -> None:
    points, target, _ = _of_uneven_noise()
    ours, theirs = (made(1.0 * sk.RBF(), alpha=0.1).fit(points, target).kernel_ for made in (GaussianProcessRegressor, Theirs))
    assert ours.k2.length_scale == pytest.approx(theirs.k2.length_scale, rel=1e-2) and ours.k1.constant_value == pytest.approx(theirs.k1.constant_value, rel=1e-2)
    with pytest.raises(AttributeError, match="k1 is a part of kernels that were given as scikit-learn's"):
        GaussianProcessRegressor("rbf(gamma=1)", alpha=0.1).fit(points, target).kernel_.k1
