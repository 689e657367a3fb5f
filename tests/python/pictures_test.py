"""Pictures and reports of fitted estimators."""
from __future__ import annotations

import pickle
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError

import mercer
from mercer.pictures import KINDS, Page, Picture

X, y = load_iris(return_X_y=True)
D, z = (part[:150] for part in load_diabetes(return_X_y=True))


def is_svg(picture: Picture) -> bool:
    return ElementTree.fromstring(picture.svg).tag.endswith("svg") and picture._repr_svg_() == picture.svg


def test_every_kind_of_classes() -> None:
    model = mercer.SVC(probability=True).fit(X, y)
    for kind in KINDS:
        if kind not in ("curve", "residuals"):
            assert is_svg(model.plot(X, y, kind)), kind
    with pytest.raises(ValueError, match="unknown kind of plot 'cake'; choose from regions, curve"):
        model.plot(X, y, "cake")
    assert "class = 2" in model.plot(X, y).svg and "column 1" in model.plot(X, y, columns=[1, 2]).svg


def test_every_kind_of_numbers() -> None:
    model = mercer.GaussianProcessRegressor("rbf(gamma=1)", alpha=0.1, normalize_y=False).fit(D[:, :1], z - z.mean())
    for kind in ("curve", "residuals", "gram", "components"):
        assert is_svg(model.plot(D[:, :1], z - z.mean(), kind)), kind
    assert is_svg(mercer.SVR().fit(D, z).plot(D, z))


def test_without_rows_the_model_shows_its_own() -> None:
    assert "support vector" in mercer.SVC().fit(X, y).plot().svg
    for model in (mercer.KernelRidge(kernel="rbf").fit(D, z), mercer.OneClassSVM().fit(X), mercer.KernelPCA(n_components=2, kernel="rbf").fit(X), mercer.KernelKMeans(3).fit(X)):
        assert is_svg(model.plot())
    with pytest.raises(ValueError, match="does not keep its training samples as they were; pass X and y"):
        mercer.LinearSVC().fit(X, y).plot()


def test_an_automatic_fit_shows_the_rows_of_the_fit_as_they_were_given() -> None:
    model = mercer.AutoKernelClassifier(method="svm", kernel="rbf(gamma=scale)", scaling="standard").fit(100 * X, y)
    assert model.plot().svg == model.plot(100 * X, y).svg
    copied = pickle.loads(pickle.dumps(model))
    with pytest.raises(ValueError, match="does not keep its training samples"):
        copied.plot()
    assert copied.plot(100 * X, y).svg == model.plot().svg


def test_a_report_weighs_classes_as_the_fit_does() -> None:
    two, half = mercer.SVC(C=0.01).fit(X[50:], y[50:]), np.where(y == 1, 1, 2)[50:]
    plain, weighed = (mercer.SVC(C=0.01, class_weight=weight).fit(X[50:], half).report_html(X[50:], half).html for weight in (None, {1: 1, 2: 50}))
    assert two.report_html(X[50:], y[50:]).html and plain != weighed


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(NotFittedError):
        mercer.SVC().plot()
    model = mercer.SVC().fit(X, y)
    with pytest.raises(ValueError, match="classes that were not in the training data"):
        model.plot(X, y + 1)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.plot(X, y[:-1])
    with pytest.raises(ValueError, match="plots need a kernel given as a name"):
        mercer.SVC(kernel=lambda A, B: A @ B.T).fit(X, y).plot(X, y)


def test_matrices(tmp_path: Path) -> None:
    K = mercer.RBF(gamma=1)(X)
    picture = mercer.plot_gram(K, y, "iris")
    assert is_svg(picture) and is_svg(mercer.plot_gram(K[:5, :3])) and "iris" in picture.svg
    picture.save(tmp_path / "K.svg")
    assert (tmp_path / "K.svg").read_text() == picture.svg and "K.svg" not in repr(picture)
    for wrong in (np.ones(3), np.ones((2, 2, 2)), np.empty((0, 0))):
        with pytest.raises(ValueError):
            mercer.plot_gram(wrong)


def test_reports(tmp_path: Path) -> None:
    for page in (mercer.SVC(C=3).fit(X, y).report_html(X, y, name="iris"), mercer.KernelRidge(kernel="rbf").fit(D, z).report_html(D, z), mercer.AutoKernelClassifier().fit(X, y).report_html()):
        assert isinstance(page, Page) and page.html.startswith("<!DOCTYPE html") and "cross-validation" in page.html and "iframe" in page._repr_html_()
    page.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text() == page.html


def test_functions_of_the_prior() -> None:
    picture = mercer.plot_prior(mercer.Matern(nu=1.5, length=1), -2, 2, n_samples=3, random_state=7)
    assert is_svg(picture) and "3 functions drawn" in picture.svg and "Spectral density" in picture.svg
    assert picture.svg == mercer.plot_prior("matern(nu=1.5, length=1)", -2, 2, n_samples=3, random_state=7).svg != mercer.plot_prior("matern(nu=1.5, length=1)", -2, 2, n_samples=3, random_state=8).svg
    with pytest.raises(ValueError, match="center"):
        mercer.plot_prior("distance")
