"""Leading eigenvectors by each solver, beside numpy's."""
from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.linalg import ArpackNoConvergence
from sklearn.preprocessing import KernelCenterer

from mercer.eigen_solvers import centred, leading, without_rounding

A = np.random.RandomState(0).randn(40, 40)
VALUES = np.r_[np.linspace(20, 10, 5), np.linspace(1, 0.1, 35)]
Q = np.linalg.qr(A)[0]
K = Q * VALUES @ Q.T


@pytest.mark.parametrize("solver", ["dense", "arpack", "randomized"])
@pytest.mark.parametrize("count", [1, 4, 40])
def test_each_solver(solver: str, count: int) -> None:
    values, U = leading(K, count, solver)
    np.testing.assert_allclose(values, VALUES[:count], rtol=1e-6)
    np.testing.assert_allclose(K @ U, U * values, atol=1e-4)
    assert (U.max(axis=0) == np.abs(U).max(axis=0)).all()
    np.testing.assert_array_equal(leading(K, count, solver)[1], U)


def test_the_parameters_are_used() -> None:
    with pytest.raises(ArpackNoConvergence):
        leading(A + A.T, 5, "arpack", max_iter=1)
    assert np.abs(leading(K, 3, "arpack", tol=1e-1)[0] - VALUES[:3]).max() >= np.abs(leading(K, 3, "arpack")[0] - VALUES[:3]).max()
    errors = [np.abs(leading(A @ A.T, 10, "randomized", iterated_power=power)[0] - np.linalg.eigvalsh(A @ A.T)[::-1][:10]).max() for power in (0, 7)]
    assert errors[1] < errors[0]


def test_negative_eigenvalues() -> None:
    with pytest.raises(ValueError, match="significant negative eigenvalues"):
        without_rounding(np.array([3.0, 1.0, -1e-3]))
    np.testing.assert_array_equal(without_rounding(np.array([3.0, 1.0, 1e-13, -1e-13])), [3, 1, 0, 0])
    np.testing.assert_array_equal(without_rounding(np.zeros(2)), [0, 0])
    assert leading(np.diag([1.0, -5.0, 2.0]), 1, "randomized")[0] == pytest.approx(-5) and leading(np.diag([1.0, -5.0, 2.0]), 1, "dense")[0] == pytest.approx(2)


def test_centring() -> None:
    centre = KernelCenterer().fit(K)
    np.testing.assert_allclose(centred(A, K.mean(axis=0), K.mean()), centre.transform(A.copy()), atol=1e-12)
