"""Losses and regularizers of the user's, as Python functions and as formulas."""
import numpy as np
import pytest
from scipy.optimize import minimize

import mercer
from mercer import Loss, Regularizer, RiskMinimizer

rng = np.random.RandomState(0)
X = rng.uniform(-3, 3, (60, 1))
y = np.sin(X[:, 0]) + 0.1 * rng.randn(60)
K = np.exp(-0.5 * (X - X.T) ** 2)
log_cosh = Loss(lambda y, f: np.log(np.cosh(f - y)), lambda y, f: np.tanh(f - y), name="log_cosh")


def brute(loss, slope, lam, omega=lambda t: t, domega=lambda t: 1.0):
    """(1/n)ΣL + λΩ(αᵀKα) over α and b, by scipy."""
    n = len(y)

    def risk(v):
        a, b = v[:-1], v[-1]
        f = K @ a + b
        g = slope(y, f) / n
        t = a @ K @ a
        return loss(y, f).mean() + lam * omega(t), np.r_[K @ g + lam * domega(t) * 2 * (K @ a), g.sum()]

    return minimize(risk, np.zeros(n + 1), jac=True, method="L-BFGS-B", options={"maxiter": 50000, "maxfun": 100000, "ftol": 1e-15, "gtol": 1e-10}).fun


def objective(model):
    return model.report_["objective"]


def fitted(**parameters):
    return RiskMinimizer(kernel="rbf(gamma=0.5)", alpha=1e-2, tol=1e-8, **parameters).fit(X, y)


def test_functions_and_formulas_reach_the_minimum():
    expected = brute(lambda y, f: np.log(np.cosh(f - y)), lambda y, f: np.tanh(f - y), 1e-2)
    assert objective(fitted(loss=log_cosh)) == pytest.approx(expected, rel=1e-6)
    assert objective(fitted(loss="log(exp(f - y)/2 + exp(y - f)/2)")) == pytest.approx(expected, rel=1e-6)


def test_a_regularizer_of_ones_own():
    expected = brute(lambda y, f: (f - y) ** 2, lambda y, f: 2 * (f - y), 1e-2, lambda t: t + t**2, lambda t: 1 + 2 * t)
    model = fitted(loss="squared", omega=Regularizer(lambda t: t + t**2, lambda t: 1 + 2 * t))
    assert objective(model) == pytest.approx(expected, rel=1e-6)
    with pytest.raises(ValueError, match="Ω must increase strictly"):
        fitted(loss="squared", omega=Regularizer(lambda t: -t, lambda t: -1.0))


def test_a_conjugate_gives_a_duality_gap():
    squared = Loss(lambda y, f: (f - y) ** 2, lambda y, f: 2 * (f - y), lambda y, f: np.full(len(y), 2.0), lambda y, a: a * y + a**2 / 4, name="mine")
    model = fitted(loss=squared)
    assert 0 <= model.report_["gap"] < 1e-8
    np.testing.assert_allclose(model.predict(X), fitted(loss="squared").predict(X), atol=1e-6)


def test_two_classes():
    labels = np.where(y > 0, "up", "down")
    logistic = Loss(lambda y, f: np.logaddexp(0, -y * f), lambda y, f: -y / (1 + np.exp(y * f)), target="signs", name="mine")
    ours = RiskMinimizer(loss=logistic, kernel="rbf(gamma=0.5)", alpha=1e-2).fit(X, labels)
    theirs = RiskMinimizer(loss="logistic", kernel="rbf(gamma=0.5)", alpha=1e-2).fit(X, labels)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    assert set(ours.predict(X)) == {"up", "down"}
    formula = RiskMinimizer(loss="log(1 + exp(-y*f))", kernel="rbf(gamma=0.5)", alpha=1e-2).fit(X, labels)
    np.testing.assert_array_equal(formula.predict(X), theirs.predict(X))


def test_what_is_no_convex_loss_is_refused_or_told():
    cauchy = Loss(lambda y, f: np.log1p((f - y) ** 2), lambda y, f: 2 * (f - y) / (1 + (f - y) ** 2), name="cauchy")
    with pytest.raises(ValueError, match=r"cauchy: the loss is not convex: at y = .* its slope falls from .*; allow_nonconvex=True accepts it"):
        fitted(loss=cauchy)
    model = fitted(loss=cauchy, allow_nonconvex=True)
    assert any("a local minimum at best" in text for text, _ in model.report_["warnings"])
    with pytest.raises(ValueError, match="the derivative is .* at y = .*, but the value's differences give"):
        fitted(loss=Loss(lambda y, f: (f - y) ** 2, lambda y, f: f - y))
    with pytest.raises(ValueError, match="must return an array of .* real numbers"):
        fitted(loss=Loss(lambda y, f: 1.0, lambda y, f: f - y))
    with pytest.raises(ZeroDivisionError):
        fitted(loss=Loss(lambda y, f: 1 / 0, lambda y, f: f - y))
    with pytest.raises(ValueError, match="target must be 'real', 'counts' or 'signs', not many"):
        Loss(lambda y, f: f, lambda y, f: f, target="many")
    with pytest.raises(ValueError, match="a loss is a formula over y and f, not 'g'"):
        fitted(loss="(y - g)^2")


def test_a_saved_model_predicts_without_the_loss(tmp_path):
    model = fitted(loss=log_cosh)
    model.save(tmp_path / "m.mercer")
    np.testing.assert_array_equal(mercer.load(tmp_path / "m.mercer").predict(X), model.predict(X))


def test_repair_of_an_indefinite_kernel():
    sigmoid = "sigmoid(scale=0.7, offset=-0.3)"
    S = np.tanh(0.7 * X @ X.T - 0.3)
    values, V = np.linalg.eigh(S)
    clipped = (V * np.maximum(values, 0)) @ V.T
    alpha = np.linalg.solve(clipped + 0.1 * np.eye(60), y)
    Z = rng.uniform(-3, 3, (7, 1))
    P = (V[:, values > 1e-10] @ V[:, values > 1e-10].T)
    expected = np.tanh(0.7 * Z @ X.T - 0.3) @ P @ alpha
    model = mercer.KernelRidge(kernel=sigmoid, alpha=0.1, repair="clip").fit(X, y)
    np.testing.assert_allclose(model.predict(Z), expected, atol=1e-5)
    assert model.report_["diagnostics"]["negative_eigenvalues"] == (values < -1e-12 * np.abs(values).max()).sum()
    with pytest.raises(ValueError, match="repair must be one of"):
        mercer.KernelRidge(kernel=sigmoid, repair="mend").fit(X, y)


def test_distances_angles_and_means():
    k = mercer.Kernel("poly(degree=2)")
    Z = X[:9] + 0.5
    phi = lambda x: np.c_[np.ones(len(x)), np.sqrt(2) * x, x**2]
    A, B = phi(X), phi(Z)
    np.testing.assert_allclose(k.distances(X, Z), np.linalg.norm(A[:, None] - B[None], axis=2), atol=1e-10)
    np.testing.assert_allclose(k.distances(X, squared=True), ((A[:, None] - A[None]) ** 2).sum(2), atol=1e-10)
    cosines = (A @ B.T) / np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    np.testing.assert_allclose(np.cos(k.angles(X, Z)), cosines, atol=1e-10)
    np.testing.assert_allclose(k.mean_embedding(Z, X), B @ A.mean(0), atol=1e-10)
    np.testing.assert_allclose(k.distances_to_mean(Z, X), np.linalg.norm(B - A.mean(0), axis=1), atol=1e-10)
    with pytest.raises(ValueError, match=r"k\(x, x\) of row 1 is 0"):
        mercer.Kernel("linear").angles([[0.0], [1.0]])
