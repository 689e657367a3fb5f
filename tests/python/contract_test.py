"""scikit-learn's own checks of an estimator, for each estimator of the table, and the few of them that are excused, made in another way."""
from __future__ import annotations

import inspect

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.metrics.pairwise import linear_kernel
from sklearn.utils.validation import has_fit_parameter
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

import mercer
from mercer import estimators
from mercer.estimators import __all__ as ESTIMATORS

LOSSES = [loss["name"] for loss in mercer._mercer.losses()]
PLAIN = [getattr(mercer, name)() for name in ESTIMATORS]
WRITTEN_OUT = [mercer.Nystroem(), mercer.RandomFourierFeatures(), mercer.RBFSampler(), mercer.PolynomialCountSketch(), mercer.ExplicitFeatureMap(), estimators.AutoKernel(), estimators.AutoKernel("classification"), estimators.AutoKernel("regression")]
EITHER = [kind(task=task) for kind in (estimators.KernelNeighbors, estimators.NadarayaWatson) for task in ("auto", "classification", "regression")]
RISKS = [mercer.RiskMinimizer(loss=loss) for loss in LOSSES if loss != "squared"]
IN_STEPS = [mercer.SVC(), mercer.NuSVC(), mercer.LinearSVC(), mercer.SVR(), mercer.LinearSVR(), mercer.NuSVR(), mercer.KernelQuantileRegressor(),
            *(mercer.RiskMinimizer(loss=loss) for loss in ("absolute", "pinball", "epsilon_insensitive", "hinge"))]
OTHERWISE = [mercer.SVC(kernel="precomputed"), mercer.KernelRidge(kernel="precomputed"), mercer.SVC(kernel="0.5*rbf(gamma=0.5) + linear"),
             mercer.SVC(probability=True), mercer.SVC(kernel=linear_kernel), mercer.SVR(kernel="linear"),
             mercer.SVC(approx="nystrom:20"), mercer.KernelRidge(kernel="rbf", approx="fourier:200")]
EVERY = PLAIN + EITHER + RISKS
WEIGHED = [estimator for estimator in EVERY if has_fit_parameter(estimator, "sample_weight")]
# The check of weights has other names from 1.6 on, and what is excused is told by a function instead of a tag.
LATER_NAMES = {"check_sample_weights_invariance": ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")}


def excused(estimator):
    """What parametrize_with_checks of 1.6 and later expects to fail: names and reasons."""
    return {name: reason for check, reason in (estimator._all_tags().get("_xfail_checks") or {}).items() for name in (check, *LATER_NAMES.get(check, ()))}


TOLD = {"expected_failed_checks": excused} if "expected_failed_checks" in inspect.signature(parametrize_with_checks).parameters else {}


def check_weights(estimator, kind):
    if hasattr(estimator_checks, "check_sample_weights_invariance"):
        estimator_checks.check_sample_weights_invariance(type(estimator).__name__, estimator, kind=kind)
    elif kind == "zeros":
        estimator_checks.check_sample_weight_equivalence_on_dense_data(type(estimator).__name__, estimator)


@parametrize_with_checks(PLAIN + WRITTEN_OUT + EITHER + RISKS + OTHERWISE, **TOLD)
def test_keeps_the_contract(estimator, check):
    check(estimator)


def test_little_is_excused():
    """Of the checks that scikit-learn makes: reasons stand beside each tag."""
    found = {(repr(estimator), check) for estimator in EVERY for check in estimator._all_tags().get("_xfail_checks") or {}}
    shuffled = [*map(repr, IN_STEPS), "OneClassSVM()", "KernelPerceptron()", "OnlinePerceptron()", "NormaClassifier()", "NormaRegressor()", "RecursiveKernelRidge()", "KernelKMeans()",
                "KernelSpectralClustering()"]
    numbers_too = [repr(estimator) for estimator in EVERY if getattr(estimator, "task", None) == "auto"]
    assert found == ({(name, "check_sample_weights_invariance") for name in shuffled} | {("NuSVC()", "check_class_weight_classifiers")}
                       | {(name, "check_classifiers_regression_target") for name in numbers_too})


@pytest.mark.parametrize("estimator", IN_STEPS, ids=repr)
def test_with_a_small_tolerance_nothing_is_excused_for_it(estimator):
    strict = clone(estimator).set_params(tol=1e-9)
    assert "check_sample_weights_invariance" not in (strict._all_tags().get("_xfail_checks") or {})
    check_weights(strict, "zeros")


@pytest.mark.parametrize("estimator", WEIGHED, ids=repr)
def test_rows_of_weight_zero_are_as_good_as_absent(estimator):
    """The check that some are excused from, without its shuffling: then the bits are the same."""
    rng = np.random.RandomState(1)
    X, counts = rng.rand(40, 3), np.arange(40) % 3 != 0
    y = (X[:, 0] > 0.5).astype(int) + (0 if not is_regressor(estimator) else X[:, 1])
    fitted = clone(estimator).fit(np.where(counts[:, None], X, 100 * X), y, sample_weight=counts * 1.0)
    alone = clone(estimator).fit(X[counts], y[counts])
    for answer in ("predict", "predict_proba", "decision_function"):
        if hasattr(alone, answer):
            np.testing.assert_allclose(getattr(fitted, answer)(X), getattr(alone, answer)(X), rtol=1e-9, atol=1e-12)
    check_weights(estimator, "ones")


def test_what_an_estimator_learns_shows_before_and_after_fit():
    X, y = np.random.RandomState(0).rand(30, 2), np.arange(30) % 2
    for kind in (estimators.KernelNeighbors, estimators.NadarayaWatson):
        assert is_classifier(kind()) and not is_regressor(kind())  # until y is seen: scikit-learn then looks at y to choose folds
        assert is_classifier(kind().fit(X, y)) and is_classifier(kind().fit(X, np.arange(30) % 3)) and is_classifier(kind().fit(X, [str(label) for label in y]))
        assert is_regressor(kind().fit(X, X[:, 0])) and is_regressor(kind().fit(X, X)) and not hasattr(kind().fit(X, X[:, 0]), "predict_proba")
        assert kind().fit(X, X).predict(X[:3]).shape == (3, 2)
        again = kind().fit(X, y).fit(X, X[:, 0])
        assert is_regressor(again) and not hasattr(again, "classes_") and again.score(X, X[:, 0]) > 0
    for loss in mercer._mercer.losses():
        estimator = mercer.RiskMinimizer(loss=loss["name"])
        assert is_classifier(estimator) == (loss["task"] == "classification") and is_regressor(estimator) == (loss["task"] == "regression")
        promised = hasattr(estimator, "predict_proba")
        assert hasattr(estimator.fit(X, y), "predict_proba") == promised == (loss["name"] in ("logistic", "multinomial"))


def test_whole_numbers_that_look_like_measurements_are_doubted():
    X = np.random.RandomState(0).rand(100, 2)
    with pytest.warns(UserWarning, match="set task='regression' to treat it as numbers"):
        estimators.KernelNeighbors().fit(X, np.arange(100) % 30)


def test_losses_of_two_classes_refuse_more():
    X = np.random.RandomState(0).rand(30, 2)
    with pytest.raises(ValueError, match="loss='hinge' is for two classes, but y has 3; use loss='multinomial'"):
        mercer.RiskMinimizer(loss="hinge").fit(X, np.arange(30) % 3)
    assert mercer.RiskMinimizer(loss="multinomial").fit(X, np.arange(30) % 3).predict_proba(X).shape == (30, 3)


def test_every_method_of_the_catalogue_is_an_estimator():
    named = {getattr(mercer, name)._method for name in ESTIMATORS}
    assert named == {method["name"] for method in mercer._mercer.methods()} | {"auto"}
