"""MultiOutputGaussianProcessRegressor beside numpy's dense covariance, and beside processes of one output each."""
import numpy as np
import pytest

import mercer
from mercer import GaussianProcessRegressor, MultiOutputGaussianProcessRegressor

RANDOM = np.random.default_rng(5)
X = RANDOM.uniform(-3, 3, (60, 1))
truth = np.c_[np.sin(2 * X[:, 0]), 10 - 4 * np.sin(2 * X[:, 0])]
Y = truth + [0.1, 0.4] * RANDOM.standard_normal((60, 2))
SELDOM = Y.copy()
SELDOM[15:, 1] = np.nan
Z = np.linspace(-3, 3, 11)[:, None]


@pytest.mark.parametrize("targets", [Y, SELDOM], ids=["complete", "missing"])
def test_evidence_mean_and_variance_by_numpy(targets):
    model = MultiOutputGaussianProcessRegressor("rbf(gamma=1)").fit(X, targets)
    B, noise, seen = model.coregionalization_, model.noise_, ~np.isnan(targets).ravel()
    k = lambda a, b: np.asarray(model.kernel_(a, b))
    S = (np.kron(k(X, X), B) + np.kron(np.eye(60), np.diag(noise)))[np.ix_(seen, seen)]
    level = np.nanmean(targets, axis=0)
    y = (targets - level).ravel()[seen]
    value = -0.5 * y @ np.linalg.solve(S, y) - 0.5 * np.linalg.slogdet(S)[1] - 0.5 * len(y) * np.log(2 * np.pi)
    assert model.log_marginal_likelihood_value_ == pytest.approx(value, rel=1e-6)
    mean, std = model.predict(Z, return_std=True)
    cross = np.kron(k(Z, X), B)[:, seen]
    np.testing.assert_allclose(mean, level + (cross @ np.linalg.solve(S, y)).reshape(11, 2), atol=1e-5)
    variance = np.tile(np.diag(B), 11) * np.repeat(np.diag(k(Z, Z)), 2) - np.einsum("ij,ij->i", cross, np.linalg.solve(S, cross.T).T)
    np.testing.assert_allclose(std**2, variance.reshape(11, 2), atol=1e-5)


def test_a_seldom_output_learns_from_the_other():
    shared = MultiOutputGaussianProcessRegressor("rbf(gamma=1)").fit(X, SELDOM).predict(X)[:, 1]
    alone = GaussianProcessRegressor(kernel="1.0*rbf(gamma=1)", alpha="auto", normalize_y=True).fit(X[:15], Y[:15, 1]).predict(X)
    error = lambda found: np.sqrt(np.mean((found[15:] - truth[15:, 1]) ** 2))
    assert error(shared) < 0.4 and error(shared) < error(alone)
    B = MultiOutputGaussianProcessRegressor("rbf(gamma=1)").fit(X, SELDOM).coregionalization_
    assert B[0, 1] / np.sqrt(B[0, 0] * B[1, 1]) < -0.95


def test_files_and_one_output(tmp_path):
    model = MultiOutputGaussianProcessRegressor("rbf(gamma=1)").fit(X, SELDOM)
    model.save(tmp_path / "m.mercer")
    loaded = mercer.load(tmp_path / "m.mercer")
    np.testing.assert_array_equal(loaded.coregionalization_, model.coregionalization_)
    for ours, theirs in zip(loaded.predict(Z, return_std=True), model.predict(Z, return_std=True)):
        np.testing.assert_array_equal(ours, theirs)
    mean, std = MultiOutputGaussianProcessRegressor().fit(X, Y[:, 0]).predict(Z, return_std=True)
    assert mean.shape == std.shape == (11,)


def test_refusals():
    with pytest.raises(ValueError, match="infinity"):
        MultiOutputGaussianProcessRegressor().fit(X, np.where(Y > 10, np.inf, Y))
    with pytest.raises(ValueError, match="has no number in any row"):
        MultiOutputGaussianProcessRegressor().fit(X, np.c_[Y[:, 0], np.full(60, np.nan)])
    with pytest.raises(ValueError, match="rank must be at most 2"):
        MultiOutputGaussianProcessRegressor(rank=3).fit(X, Y)
    with pytest.raises(ValueError, match="requires y to be passed"):
        MultiOutputGaussianProcessRegressor().fit(X, None)
