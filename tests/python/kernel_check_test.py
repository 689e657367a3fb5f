"""check_kernel: verdicts that eigenvalues computed by numpy confirm."""
from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import mercer

rng = np.random.default_rng(11)
X = rng.normal(size=(30, 3))
classes = np.where(X[:, 0] > 0, "yes", "no")


def test_a_valid_kernel() -> None:
    found = mercer.check_kernel(mercer.RBF(gamma=0.5), X, classes)
    assert found and found.verdict == "valid" and found.psd and found.symmetric and found.witness is None and found.culprit is None
    np.testing.assert_allclose(found.eigenvalues, np.linalg.eigvalsh(mercer.RBF(gamma=0.5)(X)), atol=1e-10)
    K, signs = mercer.RBF(gamma=0.5)(X), np.where(classes == "yes", 1.0, -1.0)
    H = np.eye(30) - 1 / 30
    Kc, Tc = H @ K @ H, H @ np.outer(signs, signs) @ H
    assert found.alignment == pytest.approx((Kc * Tc).sum() / np.sqrt((Kc**2).sum() * (Tc**2).sum()), rel=1e-9)
    assert found.effective_rank == pytest.approx(found.eigenvalues.sum() ** 2 / (found.eigenvalues**2).sum())
    assert found.rows.tolist() == list(range(30)) and mercer.check_kernel("rbf(gamma=0.5)", X).alignment is None


def test_a_conditional_kernel() -> None:
    found = mercer.check_kernel("distance(beta=1)", X)
    assert found and found.verdict == "conditional" and not found.psd and found.witness is None and "conditional: " in repr(found)
    H = np.eye(30) - 1 / 30
    expected = np.linalg.eigvalsh(H @ mercer.Distance(beta=1)(X) @ H)
    assert found.conditional_minimum == pytest.approx(expected[expected > 1e-9].min(), rel=1e-6) and expected.min() > -1e-9
    assert mercer.check_kernel("center(distance)", X).verdict == "valid"


def test_an_invalid_kernel_has_a_witness_and_a_culprit() -> None:
    kernel = mercer.RBF(gamma=0.5) - mercer.Linear()
    found = mercer.check_kernel(kernel, X)
    assert not found and found.verdict == "invalid" and not found.psd and found.culprit == "-1*linear" and found.eigenvalues[0] < -found.tolerance
    v = np.zeros(30)
    v[found.witness.rows] = found.witness.coefficients
    assert v @ kernel(X) @ v == pytest.approx(found.witness.value) and found.witness.value < 0
    shown = repr(found)
    assert shown.startswith("rbf(gamma=0.5) - linear\n") and "invalid: " in shown and "vᵀKv = -" in shown and "culprit     -1*linear" in shown
    html = found._repr_html_()
    assert "<th" in html and "invalid: " in html and "vᵀKv" in html


@pytest.mark.parametrize("kernel, verdict", [("2*linear - linear", "not proved"), ("sigmoid(scale=0.01, offset=0)", "invalid"), ("constant(c=1)", "useless"),
                                             ("linear", "valid"), ("laplacian", "valid"), (mercer.RBF(), "valid")])
def test_verdicts(kernel, verdict) -> None:
    found = mercer.check_kernel(kernel, X)
    assert found.verdict == verdict and bool(found) == (verdict in ("valid", "not proved")) and found.reason


def test_functions_matrices_and_objects() -> None:
    assert mercer.check_kernel(lambda A, B: A @ B.T, X).verdict == "not proved"
    assert mercer.check_kernel(lambda A, B: -A @ B.T, sparse.csr_matrix(X)).verdict == "invalid"
    lopsided = mercer.check_kernel(lambda A, B: A[:, :1] @ B[:, 1:2].T, X)
    assert lopsided.verdict == "invalid" and not lopsided.symmetric and "symmetric   no" in repr(lopsided)
    assert mercer.check_kernel("precomputed", X @ X.T).verdict == "not proved"
    assert mercer.check_kernel(mercer.Spectrum(k=2), ["GATTACA", "ATTAC", "CCGG"]).verdict == "valid"
    assert mercer.check_kernel(lambda A, B: [[float(len(a & b)) for b in B] for a in A], [{1, 2}, {2, 3}, {4}]).verdict == "not proved"


def test_of_many_rows_some_are_looked_at() -> None:
    asked = []

    def similarity(A: np.ndarray, B: np.ndarray) -> np.ndarray:
        asked.append(len(A) * len(B))
        return -A @ B.T

    found = mercer.check_kernel(similarity, X, X[:, 0], sample=10, random_state=3)
    assert asked == [100] and len(found.rows) == 10 == len(found.eigenvalues) and set(found.witness.rows) <= set(found.rows)
    v = np.zeros(30)
    v[found.witness.rows] = found.witness.coefficients
    assert v @ (-X @ X.T) @ v == pytest.approx(found.witness.value)
    assert len(mercer.check_kernel("linear", X, sample=10).rows) == 10


def test_frames_have_columns_by_name() -> None:
    pandas = pytest.importorskip("pandas")
    assert mercer.check_kernel("rbf(gamma=1)@b + linear@a", pandas.DataFrame(X, columns=list("abc"))).verdict == "valid"


@pytest.mark.parametrize("rows, target, message", [(X[0], None, "Expected 2D"), (X, classes[:3], "one entry for each of the 30 rows"),
                                                   (np.where(X > 1, np.nan, X), None, "(?i)nan"), (X[:0], None, ".")])
def test_bad_input(rows, target, message) -> None:
    with pytest.raises(ValueError, match=message):
        mercer.check_kernel("linear", rows, target)
