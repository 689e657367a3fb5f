"""Kernels as objects: their algebra, their values against formulas written out, and how data reach them."""
from __future__ import annotations

import copy
import json
import math
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from command_line import mercer as run_mercer, needs_mercer
from scipy import sparse, special

import mercer
from mercer import Kernel

rng = np.random.default_rng(7)
X, Y = rng.normal(size=(23, 4)), rng.normal(size=(11, 4))


def squared_distances(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)


# --- The algebra. ----------------------------------------------------------------------------------------------------------------


def test_the_algebra_is_that_of_the_values() -> None:
    a, b = mercer.RBF(gamma=0.3), mercer.Polynomial(degree=2, offset=0.5)
    A, B = np.exp(-0.3 * squared_distances(X, Y)), (0.5 + X @ Y.T) ** 2
    for kernel, expected in [(0.5 * a + b * mercer.Linear(), 0.5 * A + B * (X @ Y.T)), (a - b, A - B), (a * b, A * B), (a**3, A**3), (a / 4, A / 4), (-a, -A), (+a, A),
                             (a + 2, A + 2), (2 + a, 2 + A), (a - 2, A - 2), (2 - a, 2 - A), (a * 3, 3 * A), (-0.5 * (a + b), -0.5 * (A + B)), (sum([a, b, a]), A + B + A),
                             ((a + b) * (a - b), (A + B) * (A - B)), (a - (b - a), A - (B - A)), ((a + b) ** 2, (A + B) ** 2), (mercer.exp(a), np.exp(A)),
                             (mercer.polynomial(a, coefficients=[1, 0, 2.5]), 1 + 2.5 * A**2), (np.float64(0.5) * a, 0.5 * A), (np.float32(2) * a, 2 * A),
                             (a * np.int64(3), 3 * A)]:
        np.testing.assert_allclose(kernel(X, Y), expected, rtol=1e-10, atol=1e-10, err_msg=str(kernel))
        assert Kernel(str(kernel)) == kernel and str(Kernel(str(kernel))) == str(kernel)


@pytest.mark.parametrize("number", [0.1, 1 / 3, 1e-300, 5e-324, 1e300, 2**53 + 1, np.float32(0.1), 1e22, 123456789.123456789])
def test_numbers_are_read_to_the_bit(number: float) -> None:
    assert mercer.RBF(gamma=number).parameters["gamma"] == float(number)
    assert (number * mercer.RBF(gamma=1.0)).parameters["factor"] == float(number)
    assert pickle.loads(pickle.dumps(mercer.RBF(gamma=number))).parameters["gamma"] == float(number)


def test_a_kernel_is_a_value() -> None:
    k = 0.1 * mercer.RBF(gamma=1 / 3) + mercer.Linear()
    for other in (pickle.loads(pickle.dumps(k)), copy.copy(k), copy.deepcopy(k), Kernel(k), Kernel(str(k)), eval(repr(k))):
        assert other == k and hash(other) == hash(k) and other is not k and str(other) == str(k)
        np.testing.assert_array_equal(other(X), k(X))
    assert k != mercer.Linear() and k != str(k) and not k == 3
    assert len({k, Kernel(str(k)), mercer.Linear()}) == 2
    with pytest.raises(AttributeError):
        k.gamma = 2
    with pytest.raises(AttributeError):
        k.engine = None


@pytest.mark.parametrize("wrong", [lambda k: k + "linear", lambda k: [1] * k, lambda k: k * np.ones(3), lambda k: np.ones(3) * k, lambda k: k / k, lambda k: 1 / k,
                                   lambda k: k**k, lambda k: k + None, lambda k: k * True, lambda k: k @ None, lambda k: Kernel(None), lambda k: Kernel([1])])
def test_what_is_no_kernel_is_a_type_error(wrong) -> None:
    with pytest.raises(TypeError):
        wrong(mercer.Linear())


@pytest.mark.parametrize("wrong", [lambda k: math.inf * k, lambda k: k * math.nan, lambda k: k / 0, lambda k: k**0, lambda k: k**0.5, lambda k: k**-1, lambda k: k.on(),
                                   lambda k: k.on(0), lambda k: Kernel(""), lambda k: Kernel("rbff"), lambda k: mercer.RBF(gamma=-1), lambda k: mercer.RBF(gamma="wide"),
                                   lambda k: mercer.RBF(gamma=1, sigma=2), lambda k: mercer.RBF(gamma=math.nan), lambda k: mercer.Polynomial(degree=1.5),
                                   lambda k: mercer.mapped(k, by="nothing")])
def test_values_that_cannot_be_are_value_errors(wrong) -> None:
    with pytest.raises(ValueError):
        wrong(mercer.Linear())


def test_deep_nesting_is_refused_and_does_not_crash() -> None:
    k = mercer.Linear()
    with pytest.raises(ValueError, match="nested too deeply"):
        for _ in range(100_000):
            k = mercer.exp(k)


def test_the_package_is_imported_without_scikit_learn() -> None:
    code = """
import sys, mercer
k = 2 * mercer.RBF(gamma=1) + mercer.Linear()
k([[1.0]]), isinstance(k, int), repr(k)
print(*(name in sys.modules for name in ("sklearn", "scipy", "pandas")))
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False False False\n"


# --- Values. -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lay", [np.ascontiguousarray, np.asfortranarray, lambda A: np.repeat(A, 2, axis=1)[:, ::2], lambda A: A.tolist(), sparse.csr_matrix,
                                 lambda A: sparse.csr_matrix(A).tocsr().astype(np.float64)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_all_layouts_give_the_same_values(lay, kind) -> None:
    k = mercer.RBF(gamma=0.3)
    A, B = X.astype(kind), Y.astype(kind)
    expected = np.exp(-0.3 * squared_distances(A.astype(float), B.astype(float)))
    K = k(lay(A), lay(B))
    assert K.dtype == np.float64 and K.shape == (23, 11) and K.flags.writeable
    np.testing.assert_allclose(K, expected, rtol=1e-12)
    np.testing.assert_allclose(k(lay(A)), np.exp(-0.3 * squared_distances(A.astype(float), A.astype(float))), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(mercer.Linear().diag(lay(A)), (A.astype(float) ** 2).sum(axis=1), rtol=1e-12)


def test_whole_numbers_and_truth_values_are_numbers() -> None:
    A = rng.integers(0, 5, size=(6, 3))
    np.testing.assert_array_equal(mercer.Linear()(A), A @ A.T)
    np.testing.assert_array_equal(mercer.Linear()(A > 2), (A > 2).astype(float) @ (A > 2).T.astype(float))


def test_two_rows_give_a_number() -> None:
    k = mercer.RBF(gamma=0.3)
    value = k(X[0], Y[0])
    assert isinstance(value, float) and value == pytest.approx(k(X, Y)[0, 0], rel=1e-12)
    assert k(0.0, 1.0) == pytest.approx(math.exp(-0.3))
    with pytest.raises(ValueError, match="k.resolve"):
        mercer.RBF()(X[0], Y[0])
    with pytest.raises(ValueError, match="Incompatible dimension|columns"):
        k(X[0], Y[0, :2])


def test_texts_are_compared_as_texts() -> None:
    def words(text: str, k: int) -> dict[str, int]:
        return {w: sum(text.startswith(w, i) for i in range(len(text))) for w in {text[i:i + k] for i in range(len(text) - k + 1)}}

    texts, others = ["GATTACA", "ATTAC", "CCCC"], ["TTACG", "CC"]
    expected = [[sum(c * words(b, 2).get(w, 0) for w, c in words(a, 2).items()) for b in others] for a in texts]
    np.testing.assert_array_equal(mercer.Spectrum(k=2)(texts, others), expected)
    assert mercer.Spectrum(k=2)(texts[0], others[0]) == expected[0][0]
    np.testing.assert_array_equal(mercer.Spectrum(k=2).diag(texts), np.diag(mercer.Spectrum(k=2)(texts)))


def test_the_words_auto_and_median_are_resolved_on_the_second_argument() -> None:
    k = mercer.RBF()
    gamma = 1 / (4 * Y.var())
    np.testing.assert_allclose(k(X, Y), np.exp(-gamma * squared_distances(X, Y)), rtol=1e-10)
    assert k.resolve(Y).parameters["gamma"] == pytest.approx(gamma)
    assert not k.resolved and k.resolve(Y).resolved
    np.testing.assert_array_equal(k.resolve(Y)(X, Y), k(X, Y))
    np.testing.assert_array_equal(k(X, X), k(X))
    distances = np.sqrt(squared_distances(Y, Y)[np.triu_indices(len(Y), 1)])
    assert mercer.RBF(sigma="median").resolve(Y).parameters["sigma"] == pytest.approx(np.median(distances))
    np.testing.assert_allclose((k * mercer.Linear()).diag(X), np.diag((k.resolve(X) * mercer.Linear())(X)), rtol=1e-14)


def test_columns_by_number_and_of_a_frame_by_name() -> None:
    k = mercer.RBF(gamma=0.3)
    np.testing.assert_allclose(k.on(2, 4)(X, Y), k(X[:, [1, 3]], Y[:, [1, 3]]), rtol=1e-12)
    assert k @ "age" == k.on("age") and k @ ["a", 'b "c" \\'] == k.on("a", 'b "c" \\') and k @ 3 == k.on(3)
    pandas = pytest.importorskip("pandas")
    frame, other = pandas.DataFrame(X, columns=["age", "net income", "size", "w"]), pandas.DataFrame(Y, columns=["age", "net income", "size", "w"])
    both = k @ "age" + mercer.Linear() @ ["net income", "w"]
    np.testing.assert_allclose(both(frame, other), k(X[:, :1], Y[:, :1]) + X[:, [1, 3]] @ Y[:, [1, 3]].T, rtol=1e-12)
    np.testing.assert_allclose(both.diag(frame), 1 + (X[:, [1, 3]] ** 2).sum(axis=1), rtol=1e-12)
    with pytest.raises(ValueError, match="same columns in the same order"):
        both(frame, other[["net income", "age", "size", "w"]])
    with pytest.raises(ValueError, match="no column 'age'"):
        both(X)


@pytest.mark.parametrize("rows, message", [(X[:, :3], "Incompatible dimension.*4 while.*3"), (X[0], "Expected 2D"), (X[None], "Expected 2D"),
                                           (np.where(X > 1, np.nan, X), "(?i)nan"), (np.where(X > 1, np.inf, X), "(?i)inf"),
                                           ([["a"] * 4], "."), ([[1, 2, 3, 4], [1, 2]], "."), (sparse.csr_matrix(X[:, :2]), "Incompatible"), ([[1.0, 2.0]], "columns")])
def test_rows_that_cannot_be_compared_are_value_errors(rows, message) -> None:
    with pytest.raises(ValueError, match=message):
        mercer.RBF(gamma=1.0)(X, rows)


def test_small_and_empty_sets_of_rows() -> None:
    k = mercer.RBF(gamma=1.0)
    assert k(np.zeros((0, 3)), np.zeros((2, 3))).shape == (0, 2) and k(np.zeros((2, 3)), np.zeros((0, 3))).shape == (2, 0)
    assert k(np.zeros((0, 3))).shape == (0, 0) and k.diag(np.zeros((0, 3))).shape == (0,)
    np.testing.assert_array_equal(k(np.zeros((1, 3))), [[1.0]])


def test_parts_properties_and_parameters() -> None:
    k = 0.5 * mercer.RBF(gamma=0.1) + mercer.Polynomial(degree=2) * mercer.RBF(gamma=2.0)
    assert [str(part) for part in k.parts] == ["0.5*rbf(gamma=0.1)", "poly(degree=2, scale=1, offset=1)*rbf(gamma=2)"]
    assert k.parameters == {"factor": 0.5, "rbf[1].gamma": 0.1, "scale": 1.0, "offset": 1.0, "rbf[2].gamma": 2.0}
    changed = k.with_parameters({"rbf[2].gamma": 3}, factor=0.25)
    assert changed.parameters == {"factor": 0.25, "rbf[1].gamma": 0.1, "scale": 1.0, "offset": 1.0, "rbf[2].gamma": 3.0} and k.parameters["factor"] == 0.5
    with pytest.raises(ValueError, match="'sigma'.*it has factor, "):
        k.with_parameters(sigma=1)
    with pytest.raises(ValueError, match="> 0"):
        k.with_parameters(factor=-1)
    known = mercer.RBF(gamma=1.0).properties
    assert known.psd and known.radial and known.translation_invariant and known.bound == 1 == known.diagonal
    assert not mercer.Sigmoid().properties.psd and mercer.Linear().properties.bound == math.inf and mercer.Linear().properties.diagonal is None
    assert "-1*linear" in (mercer.RBF() - mercer.Linear()).properties.because


@needs_mercer
def test_properties_are_those_of_the_command_line(tmp_path: Path) -> None:
    for expression in ("0.5*rbf(gamma=1) + linear", "exp(distance(beta=1))", "distance(beta=1) + rbf(gamma=2)", "normalize(poly(degree=2))@[1, 2]", "center(multiquadric(c=2))",
                       "linear - rbf(gamma=1)", "periodic(period=2)*rbf(gamma=1)", "2*thin_plate", "spectral_mixture(weights=[1, 2], means=[1, 3], variances=[1, 1])"):
        known = mercer.Kernel(expression).properties
        told = json.loads(run_mercer(tmp_path, "kernels", expression, "--json"))["properties"]
        assert {**told, "bound": float(told["bound"])} == {name: getattr(known, name) for name in told}, expression


def test_new_kernels_against_scipy() -> None:
    rng = np.random.default_rng(5)
    X, Z = rng.normal(size=(12, 3)), rng.normal(size=(9, 3))
    Z[0] = X[0]
    gap = np.sqrt(((X[:, None] - Z[None]) ** 2).sum(axis=2))
    for nu in (0.1, 0.5, 0.7, 1.0, 2.0, 2.5, 3.3, 4.5, 7.0, 20.4, 60.0):
        t = np.sqrt(2 * nu) * gap / 1.7
        with np.errstate(invalid="ignore"):
            expected = np.where(t > 0, np.exp((1 - nu) * np.log(2) - special.gammaln(nu) + nu * np.log(np.maximum(t, 1e-300))) * special.kv(nu, t), 1.0)
        np.testing.assert_allclose(mercer.Matern(nu=nu, length=1.7)(X, Z), expected, rtol=1e-10)
    big = mercer.Matern(nu=100, length=1.7)(X, Z)
    np.testing.assert_allclose(big, np.exp(-gap**2 / (2 * 1.7**2)), atol=5e-3)  # rbf is the limit
    theta = np.arccos(np.clip(X @ Z.T / np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Z, axis=1)), -1, 1))
    np.testing.assert_allclose(mercer.ArcCosine(order=0)(X, Z), 1 - theta / np.pi, atol=1e-7)
    # One hidden layer, w = 2, b = 0: Θ = 2xᵀz·(π − θ)/π + Σ₁ with Σ₁ = 2‖x‖‖z‖(sin θ + (π − θ)cos θ)/π.
    norms = np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Z, axis=1))
    expected = 2 * (X @ Z.T) * (np.pi - theta) / np.pi + 2 * norms * (np.sin(theta) + (np.pi - theta) * np.cos(theta)) / np.pi
    np.testing.assert_allclose(mercer.Ntk(depth=1)(X, Z), expected, atol=1e-6)


def test_spectral_density() -> None:
    found = mercer.RBF(sigma=0.5).spectral_density()
    np.testing.assert_allclose(found.density, 0.5 / np.sqrt(2 * np.pi) * np.exp(-(found.frequencies**2) / 8), rtol=1e-10, atol=1e-300)
    assert found.decay is None and found.variance == 1 and found.terms and "every derivative" in found.penalty
    assert mercer.Matern(nu=1.5, length=1).spectral_density().decay == 4
    with pytest.raises(ValueError, match="linear is not translation invariant"):
        mercer.Linear().spectral_density()


def test_html_shows_the_expression_and_its_formulas() -> None:
    html = (mercer.RBF(gamma=1.0) @ "a<b" + mercer.normalize("linear"))._repr_html_()
    assert "rbf(gamma=1)@&quot;a&lt;b&quot;" in html and "a<b" not in html and "xᵀz" in html and "positive semidefinite: " in html


def test_rows_of_float32_are_not_copied() -> None:
    code = """
import numpy as np, mercer
X = np.ones((600_000, 100), np.float32)             # 240 MB
z = np.zeros((1, 100), np.float32)
mercer.Linear()(X[:10], z)
peak = lambda: int(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])
before = peak()
K = mercer.Linear()(X, z)
assert (K == 0).all() and K.shape == (600_000, 1)
print((peak() - before) / 1024)
"""
    grown = float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    assert grown < 80, grown  # MB; a copy would be 240, one in float64 480


def test_ctrl_c_stops_a_matrix() -> None:
    code = """
import numpy as np, mercer, threading, os, signal, time
X = np.random.default_rng(1).normal(size=(4_000, 200))
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    for _ in range(100):
        mercer.Kernel("matern(nu=2.5, length=1)*anova(gamma=0.1, degree=2)")(X)
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120).stdout == "interrupted\n"


def test_two_threads_get_their_own_values() -> None:
    results: dict[int, np.ndarray] = {}
    work = [threading.Thread(target=lambda i=i: results.__setitem__(i, mercer.RBF(gamma=0.1 * (i + 1))(X, Y))) for i in range(4)]
    [t.start() for t in work], [t.join() for t in work]
    for i in range(4):
        np.testing.assert_allclose(results[i], np.exp(-0.1 * (i + 1) * squared_distances(X, Y)), rtol=1e-10)
