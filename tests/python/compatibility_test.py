"""The package with other versions of scikit-learn than the installed one: imitated (imitated_scikit_learn.py), and by what it imports."""
from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import _ovr_decision_function
from sklearn.utils.validation import _check_sample_weight, _check_y

import mercer
from mercer import compatibility
from mercer.estimators import __all__ as ESTIMATORS

SOURCES = sorted(Path(mercer.__file__).parent.glob("*.py"))
PRIVATE = ("_validate_data", "_check_feature_names", "_check_n_features", "_get_tags", "_safe_tags", "_check_sample_weight", "_num_samples", "_check_y", "_safe_indexing",
           "only_non_negative", "_ovr_decision_function")

EVERY_ESTIMATOR = """
import sys, warnings
from imitated_scikit_learn import imitate
imitate(sys.argv[1])
warnings.simplefilter("error")
import numpy as np, pytest
import sklearn.utils
from sklearn.exceptions import ConvergenceWarning, NotFittedError
import mercer
from mercer.estimators import __all__ as ESTIMATORS

pd = pytest.importorskip("pandas")
rng = np.random.RandomState(0)
X = pd.DataFrame(rng.rand(24, 2), columns=["a", "b"])
y = np.arange(24) % 2
warnings.simplefilter("default", ConvergenceWarning)
others = [mercer.Nystroem(n_components=5), mercer.RandomFourierFeatures(n_components=6), mercer.ExplicitFeatureMap()]
for estimator in [*(getattr(mercer, name)() for name in ESTIMATORS), *others]:
    name = type(estimator).__name__
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="n_components")
        fitted = estimator.fit(X, y)
    answer = fitted.predict if hasattr(fitted, "predict") else fitted.transform
    assert len(answer(X)) == 24, name
    assert list(fitted.feature_names_in_) == ["a", "b"] and fitted.n_features_in_ == 2
    with pytest.raises(ValueError, match="feature names should match.*\\n.*unseen at fit time:\\n- c\\n"):
        answer(X.rename(columns={"b": "c"}))
    with pytest.raises(ValueError, match="same order"):
        answer(X[["b", "a"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"), pytest.raises(ValueError, match=f"X has 3 features, but {name} is expecting 2 features"):
        answer(rng.rand(4, 3))
    with pytest.raises(ValueError, match="contains NaN|NaN"):
        fitted.fit(np.full((4, 2), np.nan), [0, 1, 0, 1])
if int(sys.argv[1].split(".")[1]) >= 6:
    tags = lambda estimator: sklearn.utils.get_tags(estimator)
    for name in ESTIMATORS:
        tags(getattr(mercer, name)())
    assert tags(mercer.SVC()).estimator_type == "classifier" and tags(mercer.SVC()).classifier_tags.multi_class and tags(mercer.SVC()).target_tags.required
    assert tags(mercer.SVC()).input_tags.sparse and not tags(mercer.SVC()).input_tags.pairwise
    assert tags(mercer.SVC(kernel="precomputed")).input_tags.pairwise and not tags(mercer.SVC(kernel="precomputed")).input_tags.sparse
    assert not tags(mercer.TwoSampleTest()).classifier_tags.multi_class
    assert tags(mercer.KernelRidge()).target_tags.multi_output and tags(mercer.KernelRidge()).regressor_tags is not None and tags(mercer.KernelRidge()).classifier_tags is None
    hinge, poisson = tags(mercer.RiskMinimizer(loss="hinge")), tags(mercer.RiskMinimizer(loss="poisson"))
    assert (hinge.estimator_type, hinge.classifier_tags.multi_class, hinge.regressor_tags) == ("classifier", False, None)
    assert (poisson.estimator_type, poisson.classifier_tags, poisson.target_tags.positive_only) == ("regressor", None, True)
    assert tags(mercer.KernelKMeans()).estimator_type == "clusterer" and tags(mercer.OneClassSVM()).estimator_type == "outlier_detector"
    assert not tags(mercer.GaussianProcessRegressor()).requires_fit and tags(mercer.KernelPCA()).transformer_tags.preserves_dtype == ["float64", "float32"]
    assert tags(mercer.Nystroem()).transformer_tags.preserves_dtype == ["float64", "float32"]
for unfitted in (mercer.GaussianProcessRegressor(), mercer.SVC()):
    with pytest.raises(NotFittedError):
        unfitted.save("nowhere.mercer")
outputs = np.where(rng.rand(24, 2) < 0.2, np.nan, rng.rand(24, 2))
mercer.MultiOutputGaussianProcessRegressor().fit(X, outputs)  # NaN is allowed in y
print("all of them")
"""


@pytest.mark.parametrize("version", ["1.2", "1.6", "1.7", "1.8"])
def test_every_estimator_works_with_every_version(version: str) -> None:
    places = os.pathsep.join([str(Path(__file__).parent), str(Path(mercer.__file__).parents[1])])
    done = subprocess.run([sys.executable, "-c", EVERY_ESTIMATOR, version], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": places})
    assert done.returncode == 0 and done.stdout.endswith("all of them\n"), done.stdout + done.stderr


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_nothing_private_of_scikit_learn_is_used(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sklearn"):
            used = [*node.module.split("."), *(alias.name for alias in node.names)]
            assert not [name for name in used if name.startswith("_")], f"{path.name}:{node.lineno}"
        name = node.attr if isinstance(node, ast.Attribute) else node.arg if isinstance(node, ast.keyword) else node.id if isinstance(node, ast.Name) else ""
        assert name not in PRIVATE, f"{path.name}:{getattr(node, 'lineno', 0)}: {name}"
        if isinstance(node, ast.FunctionDef) and node.name == "_more_tags":
            assert path.stem == "compatibility"


@pytest.mark.parametrize("name", [*ESTIMATORS, "Nystroem", "RandomFourierFeatures", "RBFSampler", "PolynomialCountSketch", "ExplicitFeatureMap"])
def test_mixins_stand_left_of_the_base_class(name: str) -> None:
    """From 1.7 on scikit-learn refuses others."""
    line = getattr(mercer, name).__mro__
    base = line.index(BaseEstimator)
    assert all(line.index(mixin) < base for mixin in line if mixin.__module__ == "sklearn.base" and mixin.__name__.endswith("Mixin"))


def test_the_bounds_in_the_metadata() -> None:
    setup = (Path(__file__).parents[2] / "setup.py").read_text(encoding="utf-8")
    assert re.search(r'"scikit-learn>=1\.2"', setup)


# --- The functions, beside scikit-learn's own. ------------------------------------------------------------------------------------


def test_votes_of_pairs() -> None:
    scores = np.random.RandomState(0).randn(50, 6)
    scores[0] = 0
    np.testing.assert_allclose(compatibility.votes_of_pairs(scores, 4), _ovr_decision_function(scores < 0, -scores, 4), rtol=1e-15)


@pytest.mark.parametrize("weights", [2, 0.5, [1, 2, 3], np.array([1, 2, 3], np.float32)])
def test_weights(weights: object) -> None:
    X = np.zeros((3, 2))
    np.testing.assert_array_equal(compatibility.checked_weights(weights, X), _check_sample_weight(weights, X))


@pytest.mark.parametrize("weights", [[1, 2], [[1], [2], [3]], [1, 2, np.nan], ["a", "b", "c"]])
def test_weights_that_are_refused(weights: object) -> None:
    messages = []
    for check in (compatibility.checked_weights, _check_sample_weight):
        with pytest.raises(ValueError) as error:
            check(weights, np.zeros((3, 2)))
        messages.append(str(error.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("y", [[1, 2], ["a", "b"], np.array([1.5, 2], object), [[1.0, 2], [3, 4]]])
def test_targets(y: object) -> None:
    several = np.ndim(y) == 2
    ours, theirs = (check(y, multi_output=several, y_numeric=not isinstance(y[0], str)) for check in (compatibility.checked_target, _check_y))
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("y", [[1, np.nan], [[1, 2], [3, 4]], [1j, 2]])
def test_targets_that_are_refused(y: object) -> None:
    for check in (compatibility.checked_target, _check_y):
        with pytest.raises(ValueError):
            check(y)


def test_samples() -> None:
    X = np.arange(6).reshape(3, 2)
    assert compatibility.samples_in(X) == compatibility.samples_in(X.tolist()) == 3
    np.testing.assert_array_equal(compatibility.samples_at(X, np.array([2, 0])), X[[2, 0]])
    assert compatibility.samples_at(["a", "b", "c"], np.array([2, 0])) == ["c", "a"]
