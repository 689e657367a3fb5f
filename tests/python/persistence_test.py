"""Pickles, copies and files: what comes back answers as what went in, and the command line reads it too."""
from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError

import mercer
from command_line import mercer as command, needs_mercer
from mercer.estimators import __all__ as ESTIMATORS

X, y = load_iris(return_X_y=True)
X, y = X[::3], y[::3]


def target(estimator: Any) -> np.ndarray:
    two = type(estimator).__name__ in ("TwoSampleTest",)
    return (y > 0).astype(int) if two else y


def fitted(name: str) -> Any:
    estimator = getattr(mercer, name)()
    if name in ("KernelKMeans", "KernelSpectralClustering"):
        estimator.set_params(n_clusters=3)
    if name in ("GaussianProcessRegressor", "GaussianProcessClassifier"):
        estimator.set_params(optimizer=None)  # as kernel=None has it
    if name == "KernelPCA":
        estimator.set_params(n_components=2)
    return estimator.fit(X, target(estimator))


def answers(estimator: Any) -> dict[str, np.ndarray]:
    return {name: getattr(estimator, name)(X) for name in ("predict", "predict_proba", "decision_function", "transform", "score_samples") if hasattr(estimator, name)}


def same_answers(first: Any, second: Any) -> None:
    expected = answers(first)
    assert expected
    for name, values in answers(second).items():
        np.testing.assert_array_equal(values, expected[name], err_msg=name)


EVERY = [*ESTIMATORS, "Nystroem", "RandomFourierFeatures", "RBFSampler", "PolynomialCountSketch", "ExplicitFeatureMap"]


@pytest.mark.parametrize("name", EVERY)
def test_pickles_and_copies_answer_the_same(name: str, tmp_path: Path) -> None:
    model = fitted(name)
    joblib.dump(model, tmp_path / "m.joblib")
    for again in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model), joblib.load(tmp_path / "m.joblib")):
        same_answers(model, again)
    if name != "GaussianProcessRegressor":  # which answers with its prior
        with pytest.raises(NotFittedError):
            getattr(clone(model), next(iter(answers(model))))(X)


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if not name.startswith("AutoKernel")])
def test_a_file_gives_an_estimator_of_the_same_class(name: str, tmp_path: Path) -> None:
    model = fitted(name)
    model.save(tmp_path / "m.mercer")
    again = mercer.load(tmp_path / "m.mercer")
    assert type(again) is type(model) and again.n_features_in_ == 4
    if name == "KernelFisherDiscriminant":
        return np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))  # a file has no coordinates (discriminant_test.py)
    same_answers(model, again)
    for parameter in model._names.values():
        if getattr(model, parameter) is not None:
            assert again.get_params()[parameter] == model.get_params()[parameter], parameter
    same_answers(again, pickle.loads(pickle.dumps(again)))


def test_weights_of_linear_machines_come_back(tmp_path: Path) -> None:
    for model in (mercer.LinearSVC(), mercer.LinearSVC(fit_intercept=False), mercer.LinearSVR()):
        for target in (y, y > 0):
            model.fit(X, target).save(tmp_path / "m.mercer")
            again = mercer.load(tmp_path / "m.mercer")
            for name in ("coef_", "intercept_"):
                np.testing.assert_array_equal(getattr(again, name), getattr(model, name), err_msg=name)
                np.testing.assert_array_equal(getattr(pickle.loads(pickle.dumps(model)), name), getattr(model, name), err_msg=name)


def test_attributes_of_support_vectors_come_back(tmp_path: Path) -> None:
    for model in (mercer.SVC().fit(X, y), mercer.SVC().fit(X, y > 0), mercer.SVR().fit(X, y), mercer.OneClassSVM().fit(X)):
        model.save(tmp_path / "m.mercer")
        again = mercer.load(tmp_path / "m.mercer")
        for name in ("dual_coef_", "intercept_", "support_vectors_", "n_support_"):
            np.testing.assert_array_equal(getattr(again, name), getattr(model, name), err_msg=name)
        assert not hasattr(again, "support_")  # which rows of X they were no file says


def test_classes_come_back_as_numbers_or_texts(tmp_path: Path) -> None:
    for classes in (np.array([10, 9]), np.array([-1, 1]), np.array(["b", "a"]), np.array(["1", "01"]), np.array([True, False])):
        labels = classes[np.arange(len(X)) % 2]
        model = mercer.SVC().fit(X, labels)
        model.save(tmp_path / "m.mercer")
        found = mercer.load(tmp_path / "m.mercer").predict(X)
        assert [str(label) for label in found] == [str(label) for label in model.predict(X)]


def test_libsvm_files_too(tmp_path: Path) -> None:
    model = mercer.SVC(C=3).fit(X, y)
    model.save(tmp_path / "m.model")
    assert (tmp_path / "m.model").read_text().startswith("svm_type c_svc")
    np.testing.assert_array_equal(mercer.load(tmp_path / "m.model").predict(X), model.predict(X))


def test_values_of_a_kernel(tmp_path: Path) -> None:
    K = mercer.RBF(gamma=0.3)(X)
    model = mercer.SVC(kernel="precomputed").fit(K, y)
    model.save(tmp_path / "m.mercer")
    again = mercer.load(tmp_path / "m.mercer")
    np.testing.assert_array_equal(again.decision_function(K), model.decision_function(K))
    with pytest.raises(ValueError, match="X has 4 features, but SVC is expecting 50 features"):
        again.predict(X)


def test_what_a_file_cannot_hold(tmp_path: Path) -> None:
    model = mercer.SVC(kernel=lambda A, B: A @ B.T).fit(X, y)
    with pytest.raises(ValueError, match="cannot hold a Python function; give the kernel as an expression, or pickle the estimator"):
        model.save(tmp_path / "m.mercer")
    scaled = mercer.GaussianProcessRegressor(normalize_y=True).fit(X, y)
    with pytest.raises(ValueError, match="normalize_y"):
        scaled.save(tmp_path / "m.mercer")
    assert not any(tmp_path.iterdir())
    with pytest.raises(NotFittedError):
        mercer.SVC().save(tmp_path / "m.mercer")


def test_files_that_are_no_models(tmp_path: Path) -> None:
    good = tmp_path / "good.mercer"
    mercer.SVC().fit(X, y).save(good)
    whole = good.read_bytes()
    bad = tmp_path / "bad.mercer"
    rng = np.random.default_rng(0)
    for text in [b"", b"x", b"\xff" * 100, pickle.dumps({"a": 1}), whole[:200], whole[:-7], *(_spoiled(whole, rng) for _ in range(60))]:
        bad.write_bytes(text)
        try:
            mercer.load(bad).predict(X)
        except (ValueError, MemoryError) as error:
            assert str(error)
    with pytest.raises(FileNotFoundError):
        mercer.load(tmp_path / "none.mercer")
    with pytest.raises(IsADirectoryError):
        mercer.load(tmp_path)


def _spoiled(whole: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(whole)
    for place in rng.integers(0, min(len(whole), 2000), 3):
        changed[place] = rng.integers(256)
    return bytes(changed)


@needs_mercer
def test_the_command_line_reads_what_python_wrote(tmp_path: Path) -> None:
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", header="a,b,c,d", comments="", fmt="%.17g")
    for model in (mercer.SVC().fit(X, y), mercer.KernelRidge(kernel="rbf", alpha=0.1).fit(X, y.astype(float)), mercer.KernelLogisticRegression().fit(X, y)):
        model.save(tmp_path / "m.mercer")
        command(tmp_path, "predict", "m.mercer", "x.csv", "-o", "out.txt")
        found = [float(line) for line in (tmp_path / "out.txt").read_text().split()]
        np.testing.assert_allclose(found, model.predict(X), rtol=1e-12)


@needs_mercer
def test_python_reads_what_the_command_line_wrote(tmp_path: Path) -> None:
    diabetes, progress = load_diabetes(return_X_y=True)
    table = np.column_stack([diabetes[:200], progress[:200]])
    np.savetxt(tmp_path / "d.csv", table, delimiter=",", header=",".join("abcdefghij") + ",y", comments="", fmt="%.17g")
    for how in (["--method", "svr", "--scale", "standard"], ["--method", "gp"], ["--method", "ridge", "--kernel", "linear"], ["--method", "knn", "--task", "real"], []):
        command(tmp_path, "fit", "d.csv", "--target", "y", *how, "-o", "m.mercer", "--quiet")
        command(tmp_path, "predict", "m.mercer", "d.csv", "-o", "out.txt")
        expected = [float(line) for line in (tmp_path / "out.txt").read_text().split()]
        model = mercer.load(tmp_path / "m.mercer")
        np.testing.assert_allclose(model.predict(diabetes[:200]), expected, rtol=1e-9)
        assert list(model.feature_names_in_) == list("abcdefghij")
