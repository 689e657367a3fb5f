"""Estimators inside scikit-learn's: pipelines, searches, ensembles, worker processes."""
from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import BaggingRegressor, VotingClassifier
from sklearn.feature_selection import RFE
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC as TheirSVC

import mercer
from mercer.estimators import __all__ as ESTIMATORS

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def test_pipeline():
    X, y = IRIS
    pipe = Pipeline([("scale", StandardScaler()), ("svc", mercer.SVC())]).fit(X, y)
    theirs = make_pipeline(StandardScaler(), TheirSVC()).fit(X, y)
    np.testing.assert_array_equal(pipe.predict(X), theirs.predict(X))
    np.testing.assert_allclose(pipe.decision_function(X), theirs.decision_function(X), atol=1e-2)
    weights = np.where(y == 0, 5.0, 1.0)
    pipe.set_params(svc__C=3.0).fit(X, y, svc__sample_weight=weights)
    np.testing.assert_array_equal(pipe.predict(X), theirs.set_params(svc__C=3.0).fit(X, y, svc__sample_weight=weights).predict(X))


def test_grid_search_finds_what_it_finds_with_scikit_learn():
    X, y = IRIS
    grid = {"C": [0.1, 1, 10], "gamma": [0.01, 0.1, "scale"], "kernel": ["rbf", "linear"]}
    ours, theirs = (GridSearchCV(kind(), grid, cv=3).fit(X, y) for kind in (mercer.SVC, TheirSVC))
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=0.0068)  # one row of 150
    assert ours.best_params_ == theirs.best_params_


def test_search_over_expressions_and_kernels():
    X, y = IRIS
    search = GridSearchCV(mercer.SVC(), {"kernel": ["linear", "0.5*rbf(gamma=0.1) + linear", mercer.Kernel("rbf(gamma=0.5)")]}, cv=3).fit(X, y)
    assert len(search.cv_results_["mean_test_score"]) == 3 and search.score(X, y) > 0.95
    alpha = RandomizedSearchCV(mercer.KernelRidge(kernel="rbf"), {"alpha": np.logspace(-3, 1, 20)}, n_iter=4, random_state=0).fit(*DIABETES)
    assert isinstance(alpha.best_params_["alpha"], float)


def test_worker_processes():
    """joblib's default, loky: estimators, kernels and models go to processes and come back."""
    X, y = IRIS
    one = cross_val_score(mercer.SVC(), X, y, cv=4)
    np.testing.assert_array_equal(cross_val_score(mercer.SVC(), X, y, cv=4, n_jobs=2), one)
    search = GridSearchCV(mercer.SVC(kernel=mercer.Kernel("rbf(gamma=0.2)")), {"C": [1, 10]}, cv=2, n_jobs=2).fit(X, y)
    assert search.best_score_ > 0.9
    bag = BaggingRegressor(mercer.KernelRidge(kernel="rbf"), n_estimators=4, n_jobs=2, random_state=0).fit(*DIABETES)
    assert bag.predict(DIABETES[0]).shape == DIABETES[1].shape


def test_precomputed_kernels_are_cut_into_folds():
    X, y = IRIS
    K = X @ X.T
    np.testing.assert_array_equal(cross_val_score(mercer.SVC(kernel="precomputed"), K, y, cv=3), cross_val_score(mercer.SVC(kernel="linear"), X, y, cv=3))


def test_calibration_and_votes():
    X, y = IRIS
    calibrated = CalibratedClassifierCV(mercer.SVC(), cv=3).fit(X, y)
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1)
    assert calibrated.score(X, y) > 0.9
    isotonic = CalibratedClassifierCV(mercer.LinearSVC(), method="isotonic", cv=3).fit(X, y)
    assert isotonic.score(X, y) > 0.9
    machines = [("a", mercer.SVC(probability=True)), ("b", mercer.KernelLogisticRegression()),
                ("c", mercer.KernelNeighborsClassifier()), ("d", mercer.NadarayaWatsonClassifier())]
    assert VotingClassifier(machines, voting="soft").fit(X, y).score(X, y) > 0.9
    assert VotingClassifier(machines, voting="hard").fit(X, y).score(X, y) > 0.9
    assert OneVsRestClassifier(mercer.RiskMinimizer(loss="hinge")).fit(X, y).score(X, y) > 0.9


def test_regressors_inside_others():
    X, y = DIABETES
    assert TransformedTargetRegressor(mercer.SVR(), func=np.log, inverse_func=np.exp).fit(X, y).score(X, y) > 0.1
    assert MultiOutputRegressor(mercer.SVR(C=100)).fit(X, np.column_stack([y, -y])).predict(X).shape == (442, 2)
    assert cross_val_predict(mercer.KernelNeighborsRegressor(), X, y, cv=3).shape == y.shape
    assert RFE(mercer.SVR(kernel="linear"), n_features_to_select=3).fit(X, y).support_.sum() == 3


def test_answers_that_frames_get():
    pandas = pytest.importorskip("pandas")
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = make_pipeline(StandardScaler().set_output(transform="pandas"), mercer.SVC()).fit(X, y)
    assert list(model[-1].feature_names_in_) == list(X.columns)
    np.testing.assert_array_equal(model.predict(X), make_pipeline(StandardScaler(), mercer.SVC()).fit(X.to_numpy(), y).predict(X.to_numpy()))
    with pytest.raises(ValueError, match="feature names should match"):
        model[-1].predict(pandas.DataFrame(X.to_numpy(), columns=["a", "b", "c", "d"]))


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name not in ("GaussianProcessRegressor", "KernelPCA", "AutoKernelClassifier", "AutoKernelRegressor")])
def test_clone_copy_pickle_and_parameters(name):
    X, y = IRIS[0][:100], IRIS[1][:100]
    estimator = getattr(mercer, name)()
    parameters = estimator.get_params()
    assert clone(estimator).get_params() == parameters and list(parameters) == sorted(parameters)
    changed = estimator.set_params(tol=1e-5)
    assert changed is estimator and estimator.get_params()["tol"] == 1e-5 and repr(estimator) == f"{name}(tol=1e-05)"
    with pytest.raises(ValueError, match=f"Invalid parameter 'nonsense' for estimator {name}"):
        estimator.set_params(nonsense=1)
    with pytest.raises(TypeError, match="nonsense"):
        type(estimator)(nonsense=1)
    fitted = clone(estimator).fit(X, y)
    for twin in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        np.testing.assert_array_equal(twin.predict(X), fitted.predict(X))
        for attribute in [name for name in vars(fitted) if name.endswith("_")] + [name for name in ("support_vectors_", "X_fit_", "n_support_") if hasattr(fitted, name)]:
            if attribute not in ("model_", "report_"):
                np.testing.assert_array_equal(getattr(twin, attribute), getattr(fitted, attribute))
    assert not hasattr(clone(fitted), "model_")


def test_a_fit_again_forgets_the_first():
    X, y = IRIS
    machine = mercer.SVC(kernel="linear").fit(X, y)
    machine.set_params(kernel="rbf").fit(X[:100, :2], y[:100])
    twin = mercer.SVC().fit(X[:100, :2], y[:100])
    assert machine.n_features_in_ == 2 and not hasattr(machine, "coef_")
    np.testing.assert_array_equal(machine.dual_coef_, twin.dual_coef_)
    np.testing.assert_array_equal(machine.support_vectors_, twin.support_vectors_)
