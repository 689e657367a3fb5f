"""LinearSVC and LinearSVR against scikit-learn's, which are LIBLINEAR: the same minimum, attributes and errors."""
from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn import svm
from sklearn.datasets import load_digits, load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_class_weight

import mercer

PROBLEMS = [("l2", "squared_hinge", True, "ovr"), ("l2", "squared_hinge", False, "ovr"), ("l2", "hinge", True, "ovr"), ("l1", "squared_hinge", False, "ovr"),
            ("l2", "squared_hinge", True, "crammer_singer")]
LOSSES = [("epsilon_insensitive", True), ("squared_epsilon_insensitive", True), ("squared_epsilon_insensitive", False)]
TIGHT = {"tol": 1e-9, "max_iter": 200_000, "random_state": 0}


def problem(seed: int) -> dict[str, Any]:
    """Rows of two classes or more, dense or sparse, with weights or without, and what belongs to the machine."""
    r = np.random.RandomState(seed)
    n, d, classes = r.randint(40, 120), r.randint(2, 8), int(r.choice([2, 2, 3, 4]))
    X = r.normal(size=(n, d))
    X[r.rand(n, d) < 0.4] = 0
    W = r.normal(size=(d, classes))
    y = np.argmax(X @ W + r.normal(size=(n, classes)), axis=1)
    y[:classes] = range(classes)
    weights = r.choice([0.0, 0.5, 2.0], n) if seed % 3 == 0 else None
    if weights is not None:
        weights[:classes] = 1
    class_weight = [None, "balanced", {c: float(r.choice([0.5, 1, 3])) for c in range(classes)}][seed % 4 % 3]
    return {"X": X, "rows": sparse.csr_matrix(X) if seed % 2 else X, "y": y, "z": X @ W[:, 0] + 0.3 * r.normal(size=n) + 1, "weights": weights, "class_weight": class_weight,
            "machine": {"C": float(10 ** r.uniform(-2, 0.3)), "fit_intercept": bool(r.rand() < 0.8), "intercept_scaling": float(r.choice([1, 3]))}}


def objective(p: dict[str, Any], model: Any, penalty: str, loss: str) -> float:
    """The sum over the problems of classes against the rest, written out."""
    X, y, machine = p["X"], p["y"], p["machine"]
    classes = np.unique(y)
    factors = compute_class_weight(p["class_weight"], classes=classes, y=y)
    total = 0.0
    for c, w in enumerate(model.coef_):
        own = y == (1 if len(classes) == 2 else c)
        b = np.ravel(model.intercept_)[c] if machine["fit_intercept"] else 0.0
        margin = np.maximum(0, 1 - np.where(own, 1, -1) * (X @ w + b))
        factor = np.where(own, factors[1], factors[0]) if len(classes) == 2 else np.where(own, factors[c], 1)
        C = machine["C"] * factor * (1 if p["weights"] is None else p["weights"])
        v = np.append(w, b / machine["intercept_scaling"])
        total += (np.abs(v).sum() if penalty == "l1" else v @ v / 2) + (C * (margin if loss == "hinge" else margin**2)).sum()
    return total


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("penalty", "loss", "dual", "multi_class"), PROBLEMS)
def test_linear_svc_has_liblinears_minimum(seed: int, penalty: str, loss: str, dual: bool, multi_class: str) -> None:
    p = problem(seed)
    how = {"penalty": penalty, "loss": loss, "dual": dual, "multi_class": multi_class, "class_weight": p["class_weight"], **p["machine"], **TIGHT}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ours, theirs = mercer.LinearSVC(**how).fit(p["rows"], p["y"], p["weights"]), svm.LinearSVC(**how).fit(p["rows"], p["y"], p["weights"])
    largest = np.abs(theirs.coef_).max()
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4 * max(largest, 1e-3))
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4 * max(1, largest))
    assert np.shape(ours.intercept_) == np.shape(theirs.intercept_) and isinstance(ours.n_iter_, int) and ours.n_iter_ > 0
    np.testing.assert_allclose(ours.decision_function(p["rows"]), theirs.decision_function(p["rows"]), atol=1e-3 * max(1, largest))
    if multi_class == "ovr":
        assert objective(p, ours, penalty, loss) <= objective(p, theirs, penalty, loss) * (1 + 1e-6)
        assert ours.report_["objective"] == pytest.approx(objective(p, ours, penalty, loss), rel=1e-7)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("loss", "dual"), LOSSES)
def test_linear_svr_has_liblinears_minimum(seed: int, loss: str, dual: bool) -> None:
    p = problem(seed)
    how = {"loss": loss, "dual": dual, "epsilon": [0.0, 0.1, 0.5][seed % 3], **p["machine"], **TIGHT}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ours, theirs = mercer.LinearSVR(**how).fit(p["rows"], p["z"], p["weights"]), svm.LinearSVR(**how).fit(p["rows"], p["z"], p["weights"])
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4 * np.abs(theirs.coef_).max())
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4 * max(1, np.abs(theirs.coef_).max()))
    np.testing.assert_allclose(ours.predict(p["rows"]), p["X"] @ ours.coef_ + ours.intercept_, atol=1e-9)
    assert ours.coef_.shape == theirs.coef_.shape


def test_both_ways_of_dual_are_one_machine() -> None:
    X, y = load_iris(return_X_y=True)
    how = {"tol": 1e-8, "max_iter": 100_000, "C": 0.1}
    coefficients = [mercer.LinearSVC(dual=dual, **how).fit(X, y).coef_ for dual in (True, False, "auto")]
    np.testing.assert_allclose(coefficients[0], coefficients[1], atol=1e-5)
    np.testing.assert_array_equal(coefficients[1], coefficients[2])


def test_parameters_and_defaults_are_scikit_learns() -> None:
    beyond = {"n_jobs"}
    for ours, theirs in ((mercer.LinearSVC(), svm.LinearSVC()), (mercer.LinearSVR(), svm.LinearSVR())):
        own, peer = ours.get_params(), theirs.get_params()
        assert set(own) - beyond == set(peer)
        for name, value in peer.items():
            assert name == "dual" or own[name] == value, name  # 'auto' since scikit-learn 1.5
    assert mercer.LinearSVC("l1").penalty == "l1" and mercer.LinearSVR(epsilon=0.5).epsilon == 0.5


@pytest.mark.parametrize(("given", "message"), [
    ({"penalty": "l1", "loss": "hinge"}, "Unsupported set of arguments.*penalty='l1' and loss='hinge'"),
    ({"penalty": "l1", "dual": True}, "Unsupported set of arguments.*dual=True"),
    ({"loss": "hinge", "dual": False}, "Unsupported set of arguments.*dual=False"),
    ({"penalty": "l3"}, "penalty cannot be 'l3'"),
    ({"loss": "log"}, "loss cannot be 'log'"),
    ({"multi_class": "ovo"}, "multi_class cannot be 'ovo'"),
    ({"dual": "yes"}, "dual must be 'auto', True or False, not 'yes'"),
    ({"intercept_scaling": 0}, "Intercept scaling is 0 but needs to be greater than 0"),
    ({"C": 0}, "C must be > 0"),
    ({"C": -1}, "C must be > 0"),
    ({"max_iter": 0}, "max_iter must be a whole number ≥ 1"),
    ({"tol": 0}, "tol must be"),
    ({"fit_intercept": "no"}, "fit_intercept must be"),
])
def test_wrong_parameters_are_refused(given: dict[str, Any], message: str) -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        mercer.LinearSVC(**given).fit(X, y)


def test_svr_refuses_newton_for_its_kinked_loss() -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="Unsupported set of arguments.*loss='epsilon_insensitive' is not supported when dual=False"):
        mercer.LinearSVR(dual=False).fit(X, y)
    assert mercer.LinearSVR(loss="squared_epsilon_insensitive", dual=False).fit(X, y).score(X, y) > 0.8
    with pytest.raises(ValueError, match="loss cannot be 'hinge'"):
        mercer.LinearSVR(loss="hinge").fit(X, y)


def test_sparse_weights_and_one_problem_for_all_classes() -> None:
    X, y = load_digits(return_X_y=True)
    few = mercer.LinearSVC("l1", C=0.02, dual=False).fit(X / 16, y)
    assert (few.coef_ == 0).mean() > 0.5 and few.score(X / 16, y) > 0.7
    assert mercer.LinearSVC(multi_class="crammer_singer", C=0.1).fit(X / 16, y).score(X / 16, y) > 0.97


def test_samples_of_negative_weight_are_ignored() -> None:
    X, y = make_classification(60, 4, random_state=0)
    weights = np.where(np.arange(60) % 5 == 0, -1.0, 1.0)
    ours, rest = mercer.LinearSVC(tol=1e-10).fit(X, y, weights), mercer.LinearSVC(tol=1e-10).fit(X[weights > 0], y[weights > 0])
    np.testing.assert_allclose(ours.coef_, rest.coef_, atol=1e-8)


def test_pickles_are_small() -> None:
    r = np.random.RandomState(0)
    X = r.normal(size=(2000, 20))
    sizes = [len(pickle.dumps(model.fit(X, X[:, 0] > 0))) for model in (mercer.LinearSVC(), svm.LinearSVC())]
    assert sizes[0] < sizes[1] + 2500  # the model's description, whatever the samples are
    wide = r.normal(size=(50, 4000))
    sizes = [len(pickle.dumps(model.fit(wide, wide[:, 0] > 0))) for model in (mercer.LinearSVC(), svm.LinearSVC())]
    assert sizes[0] < 1.1 * sizes[1]


def test_a_frame_and_too_few_passes() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    assert mercer.LinearSVC().fit(X, y).coef_.shape == (3, 4)
    with pytest.warns(ConvergenceWarning, match="LinearSVC did not reach the tolerance .*increase max_iter=2"):
        assert mercer.LinearSVC(max_iter=2, dual=True, tol=1e-10).fit(X, y).n_iter_ == 2
