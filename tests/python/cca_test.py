"""KernelCCA beside scipy's generalised eigenproblem."""
import pickle

import numpy as np
import pytest
from scipy.linalg import eigh
from sklearn.base import clone

from mercer import KernelCCA

RANDOM = np.random.default_rng(1)
SHARED = RANDOM.uniform(-2, 2, 60)
X = np.column_stack([SHARED + 0.1 * RANDOM.standard_normal(60), RANDOM.standard_normal(60)])
Y = np.column_stack([RANDOM.standard_normal(60), np.sin(2 * SHARED) + 0.1 * RANDOM.standard_normal(60)])


def test_correlations_and_projections():
    model = KernelCCA(n_components=3, kernel="rbf(gamma=0.7)", other_kernel="rbf(gamma=1.1)", regularization=0.05).fit(X, Y)
    n, H = 60, np.eye(60) - 1 / 60
    K, L = (H @ np.exp(-gamma * ((A[:, None] - A[None]) ** 2).sum(-1)) @ H for A, gamma in ((X, 0.7), (Y, 1.1)))
    zero, c = np.zeros((n, n)), 0.5 * n * 0.05 * np.eye(n)
    values, vectors = eigh(np.block([[zero, K @ L], [L @ K, zero]]), np.block([[(K + c) @ (K + c), zero], [zero, (L + c) @ (L + c)]]))
    np.testing.assert_allclose(model.canonical_correlations_, values[::-1][:3], atol=1e-8)
    f, g = model.transform(X, Y)
    for j in range(3):
        theirs = K @ vectors[:n, -1 - j]
        assert abs(np.corrcoef(theirs, f[:, j])[0, 1]) == pytest.approx(1, abs=1e-6)
        assert np.mean(f[:, j]) == pytest.approx(0, abs=1e-8) and np.var(g[:, j]) == pytest.approx(1, abs=1e-6)
    assert np.corrcoef(f[:, 0], g[:, 0])[0, 1] > 0.8


def test_new_rows_copies_and_pickles():
    model = KernelCCA(1).fit(X[:50], Y[:50])
    f, g = model.transform(X[50:], Y[50:])
    assert np.corrcoef(f[:, 0], g[:, 0])[0, 1] > 0.5
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).transform(X[50:]), f)
    np.testing.assert_array_equal(clone(model).fit(X[:50], Y[:50]).transform(X[50:]), f)


def test_refusals():
    with pytest.raises(ValueError, match="the views have 60 and 59 rows"):
        KernelCCA().fit(X, Y[:59])
    with pytest.raises(ValueError, match="regularization"):
        KernelCCA(regularization=0).fit(X, Y)
    with pytest.raises(ValueError, match="there are 1 to 59"):
        KernelCCA(60).fit(X, Y)
