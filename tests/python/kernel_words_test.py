"""scikit-learn's words for kernels and its rules for gamma, against its own matrices and estimators."""
from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn import kernel_ridge, svm
from sklearn.datasets import load_iris
from sklearn.metrics import pairwise

import mercer
from mercer.kernel_choice import choose
from mercer.kernel_words import gamma_of, variance_of

from command_line import mercer as command_line, needs_mercer

rng = np.random.default_rng(5)
X, y = load_iris(return_X_y=True)
X = X[::2] + rng.normal(scale=0.01, size=X[::2].shape)  # no two rows alike
y = y[::2]
Z = np.abs(rng.normal(size=(7, 4)) + X.mean(axis=0))
target = X @ [1.0, -0.5, 0.25, 2.0] + np.sin(X[:, 0])


def values(kernel: Any, A: np.ndarray, **how: Any) -> np.ndarray:
    choice = choose(kernel, A, **how)
    return choice.kernel.gram(choice.training(A))


@pytest.mark.parametrize("word", ["linear", "poly", "polynomial", "rbf", "sigmoid", "laplacian", "chi2", "additive_chi2", "cosine"])
@pytest.mark.parametrize("gamma", [None, 0.07])
def test_words_of_pairwise_kernels(word: str, gamma: float | None) -> None:
    own = {"poly": {"degree": 2, "coef0": 0.5, "gamma": gamma}, "polynomial": {"degree": 2, "coef0": 0.5, "gamma": gamma}, "sigmoid": {"coef0": 0.5, "gamma": gamma},
           "rbf": {"gamma": gamma}, "laplacian": {"gamma": gamma},
           "chi2": {} if gamma is None else {"gamma": gamma}}.get(word, {})
    A = np.vstack([X, np.zeros(4)]) if word == "cosine" else X
    np.testing.assert_allclose(values(word, A, gamma=gamma, degree=2, coef0=0.5), pairwise.pairwise_kernels(A, metric=word, **own), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("coef0", [-2.0, 0.0, 1.5])
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_constant_of_poly_may_be_negative(coef0: float, degree: int) -> None:
    np.testing.assert_allclose(values("poly", X, gamma=0.1, degree=degree, coef0=coef0), (0.1 * X @ X.T + coef0) ** degree, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("word", ["linear", "poly", "rbf", "sigmoid"])
@pytest.mark.parametrize("gamma", ["scale", "auto", 0.2])
def test_support_vector_machines_agree_with_scikit_learn(word: str, gamma: Any) -> None:
    ours = mercer.SVC(kernel=word, gamma=gamma, coef0=0.1, tol=1e-6).fit(X, y)
    other = svm.SVC(kernel=word, gamma=gamma, coef0=0.1, tol=1e-6).fit(X, y)
    if word == "sigmoid":  # not positive semidefinite: solutions differ, the kernel does not
        assert str(ours.model_.kernel.text()).startswith("sigmoid(scale=" + repr(other._gamma))
    else:
        np.testing.assert_allclose(ours.decision_function(Z), other.decision_function(Z), atol=1e-3)


@pytest.mark.parametrize("kernel", ["linear", "polynomial", "rbf", "sigmoid", "laplacian", "chi2", "cosine"])
def test_ridge_regression_agrees_with_scikit_learn(kernel: str) -> None:
    other = kernel_ridge.KernelRidge(kernel=kernel, alpha=0.5, gamma=1.0 if kernel == "chi2" else None).fit(X, target)  # its chi2 fails on None, which is meant to be 1
    np.testing.assert_allclose(mercer.KernelRidge(kernel=kernel, alpha=0.5, allow_indefinite=True).fit(X, target).predict(Z), other.predict(Z), rtol=1e-4, atol=1e-4)


@needs_mercer
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_words_of_gamma_are_those_of_the_command_line(tmp_path: Path, dtype: type) -> None:
    rows = X.astype(dtype)
    np.savetxt(tmp_path / "data.csv", np.c_[rows, y], delimiter=",", fmt="%.17g", header="a,b,c,d,y", comments="")
    precision = "float32" if dtype == np.float32 else "float64"
    for word, expected in (("scale", 1 / (4 * rows.astype(np.float64).var())), ("auto", 0.25)):
        fit = json.loads(command_line(tmp_path, "fit", "data.csv", "--target", "y", "--method", "svm", "--kernel", f"rbf(gamma={word})", "--precision", precision, "--json"))
        for model in (mercer.SVC(gamma=word), mercer.SVC(kernel=f"rbf(gamma={word})"), mercer.SVC(kernel=mercer.RBF(gamma=word))):
            assert model.fit(rows, y).model_.kernel.text() == fit["kernel"]
        assert float(fit["kernel"].removeprefix("rbf(gamma=").removesuffix(")")) == pytest.approx(expected, rel=1e-14)
    default = json.loads(command_line(tmp_path, "fit", "data.csv", "--target", "y", "--method", "svm", "--precision", precision, "--json"))["kernel"]
    assert mercer.SVC().fit(rows, y).model_.kernel.text() == default == str(mercer.RBF(gamma="scale").resolve(rows))


def test_gamma() -> None:
    assert gamma_of("rbf", X, "scale") == pytest.approx(1 / (4 * X.var()), rel=1e-12) and gamma_of("rbf", X, "auto") == gamma_of("rbf", X, None) == 0.25
    assert gamma_of("chi2", X, None) == 1 and gamma_of("chi2", X, "auto") == 0.25 and gamma_of("rbf", X, np.float32(0.5)) == 0.5 and gamma_of("rbf", X, 2) == 2
    assert gamma_of("rbf", np.ones((3, 2)), "scale") == 1  # as scikit-learn's where nothing varies
    for wrong in ("wide", -1, np.nan, [1], True, 1j):
        with pytest.raises(ValueError, match="gamma must be"):
            gamma_of("rbf", X, wrong)
    for wrong in ({"degree": 2.5}, {"degree": "3"}, {"degree": 0}, {"coef0": "a"}, {"coef0": None}, {"degree": None}):
        with pytest.raises(ValueError):
            choose("poly", X, **wrong)


@pytest.mark.parametrize("lay", [np.ascontiguousarray, np.asfortranarray, lambda A: A[:, ::2], sparse.csr_matrix])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_variance_is_that_of_all_numbers(lay, kind, monkeypatch) -> None:
    A = (rng.normal(size=(101, 6)) * (rng.random((101, 6)) < 0.4) + 0.1 * (rng.random((101, 6)) < 0.2)).astype(kind)
    monkeypatch.setattr("mercer.kernel_words.CHUNK", 50)
    laid = lay(A)
    dense = laid.toarray() if sparse.issparse(laid) else laid
    assert variance_of(laid) == pytest.approx(dense.astype(np.float64).var(), rel=1e-12)


@pytest.mark.parametrize("lay", [np.asarray, np.asfortranarray, sparse.csr_matrix])
def test_the_variance_takes_no_copy(lay) -> None:
    A = lay(np.ones((200_000, 10), np.float32))  # 8 MB
    tracemalloc.start()
    variance_of(A)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6e6


def test_with_gamma_zero_all_rows_are_alike() -> None:
    X = np.random.RandomState(0).normal(size=(30, 2))
    for word, coef0 in (("rbf", 0.0), ("poly", 0.5), ("poly", 0.0), ("sigmoid", -0.5)):
        theirs, ours = (kind(kernel=word, gamma=0.0, coef0=coef0).fit(X, X[:, 1]) for kind in (svm.SVR, mercer.SVR))
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-3)
