"""Automatic selection: the choice, what it is worth, and what may be given."""
from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix, hstack
from sklearn.base import is_classifier, is_regressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score

import mercer
from mercer import estimators
from mercer.estimators import AutoKernel
from mercer.names import REPLACED

X, y = load_iris(return_X_y=True)
D, z = (part[:200] for part in load_diabetes(return_X_y=True))


def test_classes_are_chosen_and_judged() -> None:
    model = mercer.AutoKernelClassifier().fit(X, y)
    assert 0.9 < model.score_["low"] <= model.score_["value"] <= model.score_["high"] <= 1 and model.baseline_["value"] < 0.4
    assert model.metric_ == "accuracy" and model.scored_on_ == "5-fold cross-validation" and len(model.trials_) > 20
    assert max(trial["score"] for trial in model.trials_) >= model.score_["value"] - 0.05
    assert isinstance(model.kernel_, mercer.Kernel) and model.kernel_.resolved and model.method_ in {trial["method"] for trial in model.trials_}
    assert model.score(X, y) > 0.95 and model.decision_function(X).shape == (150, 3)
    assert (model.decision_function(X).argmax(axis=1) == y).mean() > 0.95
    two = mercer.AutoKernelClassifier().fit(X[:100], y[:100])
    assert ((two.decision_function(X[:100]) > 0) == (y[:100] == 1)).all()


def test_numbers_too() -> None:
    model = mercer.AutoKernelRegressor().fit(D, z)
    assert model.metric_ == "rmse" and model.score_["value"] < model.baseline_["value"] and model.method_ == "ridge"
    assert model.predict(D).shape == (200,) and not hasattr(model, "predict_proba") and not hasattr(model, "decision_function")


def test_the_same_call_gives_the_same_bits() -> None:
    first, again = mercer.AutoKernelRegressor().fit(D, z + 0.5), mercer.AutoKernelRegressor(n_jobs=1).fit(D, z + 0.5)
    np.testing.assert_array_equal(first.predict(D), again.predict(D))
    assert first.trials_ == again.trials_


def test_what_is_given_is_not_chosen() -> None:
    model = mercer.AutoKernelClassifier(method="logistic", kernel="rbf(gamma=scale)", scaling="minmax", metric="log_loss", cv=3).fit(X, y)
    assert model.method_ == "logistic" and str(model.kernel_).startswith("rbf(gamma=") and model.metric_ == "log_loss" and model.scored_on_ == "3-fold cross-validation"
    assert {trial["method"] for trial in model.trials_} == {"logistic"} and model.predict_proba(X).shape == (150, 3)
    shift, scale = model.model_.scaling
    np.testing.assert_allclose(shift, X.min(axis=0))
    np.testing.assert_allclose(scale, 1 / (X.max(axis=0) - X.min(axis=0)))
    held = mercer.AutoKernelClassifier(kernel=mercer.RBF(), holdout=0.4).fit(X, y)
    assert held.scored_on_ == "60 rows held out"


def test_inside_scikit_learn() -> None:
    assert cross_val_score(mercer.AutoKernelClassifier(cv=3), X, y, cv=3).mean() > 0.9
    model = pickle.loads(pickle.dumps(mercer.AutoKernelClassifier().fit(X, y)))
    with pytest.raises(ValueError, match="the report needs the training data"):
        model.report_html()


def test_frames_and_texts() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"size": X[:, 0], "kind": np.where(y == 0, "small", "large"), "width": X[:, 3]})
    model = mercer.AutoKernelClassifier().fit(frame, y)
    assert model.score_["value"] > 0.9 and model.predict(frame[:3]).tolist() == [0, 0, 0]
    words = ["good film", "bad film", "good plot", "bad plot", "good", "bad"] * 5
    texts = mercer.AutoKernelClassifier(kernel="bow").fit(words, [1, 0] * 15)
    assert texts.predict(["a good one", "bad bad"]).tolist() == [1, 0]


@pytest.mark.parametrize("parameters, message", [({"method": "svmm"}, "svmm"), ({"metric": "beauty"}, "beauty"), ({"scaling": "wide"}, "wide"), ({"kernel": "rbff"}, "did you mean 'rbf'"),
                                                 ({"task": "both"}, "task must be one of"), ({"cv": 1}, ""), ({"cv": 0}, "cv must be"), ({"holdout": 2}, ""), ({"holdout": -1}, ""),
                                                 ({"max_seconds": -1}, "max_seconds must be"), ({"kernel": 3}, "kernel must be"), ({"method": "ridge", "task": "classification"}, "")])
def test_wrong_parameters(parameters: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        (AutoKernel if "task" in parameters else mercer.AutoKernelClassifier)(**parameters).fit(X, y)


def test_too_little_time_is_said() -> None:
    with pytest.raises(TimeoutError, match="did not suffice to evaluate one candidate"):
        mercer.AutoKernelClassifier(max_seconds=1e-9).fit(X, y)


def test_plain_cross_validation_stratifies_classes() -> None:
    # iris is sorted by class: folds that are not stratified leave each class out of the rows that are to teach it.
    for estimator in (AutoKernel(method="svm", kernel="rbf(gamma=0.5)"), estimators.KernelNeighbors(), estimators.NadarayaWatson(gamma=1.0)):
        assert cross_val_score(estimator, X, y, cv=3).min() > 0.9, estimator
        assert GridSearchCV(estimator, {"task": ["auto"]}, cv=3).fit(X, y).best_score_ > 0.9
        assert cross_val_predict(estimator, X, y, cv=3).shape == y.shape
        words = np.array(["one", "two", "three"])[y]
        assert cross_val_score(estimator, X, words, cv=3).min() > 0.9
    for estimator in (AutoKernel(method="ridge", kernel="linear"), estimators.KernelNeighbors(), estimators.NadarayaWatson(gamma=1.0)):
        scores = cross_val_score(estimator, D, z + 0.5, cv=3)  # numbers: plain folds, R²
        np.testing.assert_allclose(scores, cross_val_score(estimator.set_params(task="regression"), D, z + 0.5, cv=3))


def test_classifiers_and_regressors_of_their_own() -> None:
    for classifier in (mercer.AutoKernelClassifier(method="svm", kernel="rbf(gamma=0.5)"), mercer.KernelNeighborsClassifier(), mercer.NadarayaWatsonClassifier(gamma=1.0)):
        assert is_classifier(classifier) and not is_regressor(classifier) and cross_val_score(classifier, X, y, cv=3).min() > 0.9
        assert is_classifier(classifier.fit(X, np.where(y == 0, "a", "b"))) and set(classifier.classes_) == {"a", "b"}
        with pytest.raises(ValueError, match="Unknown label type"):
            classifier.fit(D, z + 0.5)
    for regressor in (mercer.AutoKernelRegressor(method="ridge", kernel="linear"), mercer.KernelNeighborsRegressor(), mercer.NadarayaWatsonRegressor(gamma=1.0)):
        assert is_regressor(regressor) and not is_classifier(regressor) and "class_weight" not in regressor.get_params()
        assert not hasattr(regressor.fit(X, y), "classes_") and not hasattr(regressor, "predict_proba") and not hasattr(regressor, "decision_function")  # whole numbers are numbers
        assert (regressor.predict(X) % 1 != 0).any()
    assert not hasattr(mercer.KernelNeighborsClassifier(), "decision_function") and hasattr(mercer.KernelNeighborsClassifier(), "predict_proba")
    np.testing.assert_array_equal(mercer.KernelNeighborsClassifier(3).fit(X, y).predict_proba(X), estimators.KernelNeighbors(3, task="classification").fit(X, y).predict_proba(X))
    np.testing.assert_array_equal(mercer.NadarayaWatsonRegressor().fit(D, z).predict(D), estimators.NadarayaWatson(task="regression").fit(D, z).predict(D))


@pytest.mark.parametrize("name", REPLACED)
def test_names_of_the_version_before_warn(name: str) -> None:
    with pytest.warns(FutureWarning, match=f"mercer.{name} is now {' or '.join(REPLACED[name])}; the old name goes with the next version") as caught:
        old = getattr(mercer, name)
    assert caught[0].filename == __file__ and name not in mercer.__all__
    assert old is getattr(mercer, REPLACED[name][0]) if len(REPLACED[name]) == 1 else old.__name__ == name
    with pytest.warns(FutureWarning):
        exec(f"from mercer import {name}")
    fitted = old(**({"method": "svm", "kernel": "linear", "cv": 2} if name == "AutoKernel" else {})).fit(X, y)
    assert fitted.predict(X).shape == (150,)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.predict(X))


@pytest.mark.parametrize("scaling, shift, scale", [("standard", lambda A: A.mean(0), lambda A: A.std(0)), ("minmax", lambda A: A.min(0), lambda A: np.ptp(A, axis=0))])
def test_sparse_rows_are_scaled_as_dense_ones_are(scaling: str, shift: Any, scale: Any) -> None:
    rows = 1013 + 6 * D
    rows[:, 3] = np.where(rows[:, 3] > 1013, rows[:, 3], 0)
    models = [mercer.AutoKernelRegressor(method="ridge", kernel="linear", scaling=scaling, cv=3).fit(given, z) for given in (rows, csr_matrix(rows))]
    for model in models:
        np.testing.assert_allclose(model.model_.scaling[0], shift(rows), rtol=1e-12)
        np.testing.assert_allclose(model.model_.scaling[1], 1 / scale(rows), rtol=1e-9)
        assert model.notes_ == []
    np.testing.assert_array_equal(models[0].predict(rows), models[1].predict(csr_matrix(rows)))


def test_large_sparse_rows_are_divided_but_not_shifted() -> None:
    wide = hstack([csr_matrix(1013 + 6 * D[:40, :3]), csr_matrix((40, 1_000_000))]).tocsr()
    model = mercer.AutoKernelRegressor(method="ridge", kernel="rbf(gamma=0.1)", scaling="standard", cv=2).fit(wide, z[:40])
    assert len(model.model_.scaling[0]) == 0 and any("is not subtracted" in note for note in model.notes_)
    np.testing.assert_allclose(model.model_.scaling[1][:3], 1 / (6 * D[:40, :3]).std(0), rtol=1e-9)
