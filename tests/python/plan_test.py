"""Primal and dual, the plan of a fit, and kernels that leave a linear trend free: against scipy and against each other."""
from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import RBFInterpolator

import mercer

rng = np.random.default_rng(11)
X, new = rng.normal(size=(70, 2)), rng.normal(size=(15, 2))
t = np.sin(X[:, 0]) + X[:, 1]
y = (X[:, 0] * X[:, 1] > 0).astype(int)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 10.0])
def test_thin_plates_are_those_of_scipy(smoothing: float) -> None:
    model = mercer.KernelRidge(alpha=smoothing, kernel="thin_plate", bias="free").fit(X, t)
    reference = RBFInterpolator(X, t, kernel="thin_plate_spline", smoothing=smoothing, degree=1)
    np.testing.assert_allclose(model.predict(new), reference(new), atol=1e-8)
    several = mercer.KernelRidge(alpha=smoothing, kernel="thin_plate", bias="free").fit(X, np.c_[t, X[:, 0]])
    np.testing.assert_allclose(several.predict(new)[:, 1], new[:, 0], atol=1e-8)


def test_thin_plates_need_a_free_bias() -> None:
    with pytest.raises(ValueError, match="orthogonal to 1 and to every column"):
        mercer.KernelRidge(kernel="thin_plate").fit(X, t)


@pytest.mark.parametrize("estimator", [
    mercer.KernelPerceptron(kernel="poly(degree=2)"), mercer.KernelFisherDiscriminant(kernel="poly(degree=2)"), mercer.OneClassSVM(nu=0.3, kernel="poly(degree=2)", tol=1e-9),
    mercer.KernelPCA(n_components=2, kernel="poly(degree=2)")], ids=lambda e: type(e).__name__)
def test_both_solvers_come_to_the_same(estimator: mercer.KernelPCA) -> None:
    answers = []
    for solver in ("primal", "dual"):
        model = estimator.set_params(solver=solver).fit(X, y)
        assert model.report_["way"] == solver
        answers.append(model.transform(new) if hasattr(model, "transform") else model.decision_function(new))
    np.testing.assert_allclose(answers[0], answers[1], atol=1e-5 * np.abs(answers[1]).max())


def test_the_plan_is_explained_without_a_fit() -> None:
    machine = mercer.KernelFisherDiscriminant(kernel="poly(degree=2)")
    plan = machine.explain_plan(X, y)
    assert plan["solver"] == "primal" and plan["features"] == 6 and plan["primal"] < plan["dual"]
    assert not hasattr(machine, "model_")
    assert machine.fit(X, y).report_["way"] == "primal"
    plan = mercer.SVC(kernel="rbf").explain_plan(X, y)
    assert plan["solver"] == "dual" and plan["features"] is None and "no finite explicit features" in plan["no_primal"]
    assert mercer.OneClassSVM(kernel="linear").explain_plan(X)["features"] == 2
    with pytest.raises(ValueError):
        machine.explain_plan(X[:5], y)


def test_local_fits_of_degree_two() -> None:
    parabola = 1 + X[:, 0] - X[:, 0] * X[:, 1]
    fitted = mercer.LocallyWeightedRegression(kernel="rbf", features="poly(degree=2)").fit(X, parabola)
    np.testing.assert_allclose(fitted.predict(new), 1 + new[:, 0] - new[:, 0] * new[:, 1], atol=1e-4)
    with pytest.raises(ValueError, match="infinitely many"):
        mercer.LocallyWeightedRegression(features="rbf(gamma=1)").fit(X, t)
