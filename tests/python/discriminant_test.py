"""Coordinates of Fisher's discriminant, beside scikit-learn's linear one."""
from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mercer

IRIS, WINE = load_iris(return_X_y=True), load_wine(return_X_y=True)
TWO = (IRIS[0][50:], IRIS[1][50:])


@pytest.mark.parametrize("X, y", [IRIS, WINE, TWO], ids=["iris", "wine", "two classes"])
def test_coordinates_are_those_of_linear_discriminant_analysis(X: np.ndarray, y: np.ndarray) -> None:
    X = StandardScaler().fit_transform(X)
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    expected = theirs.transform(X) - theirs.transform(X).mean(axis=0)
    ours = mercer.KernelFisherDiscriminant(alpha=1e-8, kernel="linear").fit(X, y)
    found = ours.transform(X)
    np.testing.assert_allclose(found * np.sign(np.sum(found * expected, axis=0)), expected, atol=1e-3)
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, atol=1e-4)
    assert list(ours.get_feature_names_out()) == [f"kernelfisherdiscriminant{j}" for j in range(len(set(y)) - 1)]


def test_weights_count_as_repeated_samples() -> None:
    X, y = IRIS
    counts = np.arange(150) % 3
    weighted = mercer.KernelFisherDiscriminant(gamma=0.5).fit(X, y, sample_weight=counts)
    repeated = mercer.KernelFisherDiscriminant(gamma=0.5).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(np.abs(weighted.transform(X)), np.abs(repeated.transform(X)), rtol=1e-6, atol=1e-8)


def test_coordinates_are_centred_and_separate_classes() -> None:
    model = mercer.KernelFisherDiscriminant(gamma=0.5).fit(*IRIS)
    Z = model.transform(IRIS[0])
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-9)
    means = np.array([Z[IRIS[1] == c].mean(axis=0) for c in range(3)])
    between = means.T @ means / 3
    assert abs(between[0, 1]) < 1e-9 * between[0, 0] and between[0, 0] >= between[1, 1] > 0  # the scatter between classes is diagonal
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).transform(IRIS[0]), Z)
    two = mercer.KernelFisherDiscriminant().fit(*TWO)
    assert np.corrcoef(two.transform(TWO[0])[:, 0], two.decision_function(TWO[0]))[0, 1] > 1 - 1e-12


def test_in_a_pipeline() -> None:
    assert make_pipeline(mercer.KernelFisherDiscriminant(), mercer.KernelNeighborsClassifier()).fit(*IRIS).score(*IRIS) > 0.9


def test_a_model_file_has_no_coordinates(tmp_path) -> None:
    mercer.KernelFisherDiscriminant().fit(*IRIS).save(tmp_path / "m.mercer")
    with pytest.raises(ValueError, match="fit the estimator again"):
        mercer.load(tmp_path / "m.mercer").transform(IRIS[0])
