"""SparseGaussianProcessRegressor beside the dense one and beside numpy."""
import numpy as np
import pytest

import mercer
from mercer import GaussianProcessRegressor, SparseGaussianProcessRegressor

RANDOM = np.random.default_rng(3)
X = RANDOM.uniform(-3, 3, (200, 2))
y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.2 * RANDOM.standard_normal(200)
Z = RANDOM.uniform(-3, 3, (30, 2))


def test_bound_mean_and_variance_by_numpy():
    model = SparseGaussianProcessRegressor("2*rbf(gamma=0.5)", n_inducing=20, noise=0.1, optimize="none", mean="zero").fit(X, y)
    k = lambda A, B: 2 * np.exp(-0.5 * ((A[:, None] - B[None]) ** 2).sum(-1))
    P = X[model.inducing_indices_]
    C = k(P, P) + 2e-8 * np.eye(20)
    Q = k(X, P) @ np.linalg.solve(C, k(P, X))
    S = Q + 0.1 * np.eye(200)
    bound = -0.5 * y @ np.linalg.solve(S, y) - 0.5 * np.linalg.slogdet(S)[1] - 100 * np.log(2 * np.pi) - (400 - np.trace(Q)) / 0.2
    assert model.evidence_lower_bound_ == pytest.approx(bound, rel=1e-6)
    mean, std = model.predict(Z, return_std=True)
    D = np.linalg.inv(C + k(P, X) @ k(X, P) / 0.1)
    np.testing.assert_allclose(mean, k(Z, P) @ D @ k(P, X) @ y / 0.1, atol=1e-5)
    np.testing.assert_allclose(std**2, 2 - np.einsum("ij,jk,ik->i", k(Z, P), np.linalg.inv(C) - D, k(Z, P)), atol=1e-5)


def test_is_near_the_dense_process():
    sparse = SparseGaussianProcessRegressor("rbf(gamma=1)", n_inducing=40).fit(X, y)
    dense = GaussianProcessRegressor(kernel="1.0*rbf(gamma=1)", alpha="auto").fit(X, y - y.mean())
    assert sparse.evidence_lower_bound_ <= dense.log_marginal_likelihood_value_ + 1e-3
    assert sparse.evidence_lower_bound_ > dense.log_marginal_likelihood_value_ - 3
    np.testing.assert_allclose(sparse.predict(Z) - y.mean(), dense.predict(Z), atol=0.1)


def test_files(tmp_path):
    model = SparseGaussianProcessRegressor("rbf(gamma=1)", n_inducing=10).fit(X, y)
    model.save(tmp_path / "m.mercer")
    loaded = mercer.load(tmp_path / "m.mercer")
    for ours, theirs in zip(loaded.predict(Z, return_std=True), model.predict(Z, return_std=True)):
        np.testing.assert_array_equal(ours, theirs)
    assert (loaded.noise_, loaded.evidence_lower_bound_) == (model.noise_, model.evidence_lower_bound_)


def test_refusals():
    with pytest.raises(ValueError, match="n_inducing must be a whole number"):
        SparseGaussianProcessRegressor(n_inducing=0).fit(X, y)
    with pytest.raises(ValueError, match="noise must be > 0"):
        SparseGaussianProcessRegressor(noise=0).fit(X, y)
