"""Online learning: partial_fit in any parts, beside batch ridge and beside loops of numpy."""
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import mercer
from mercer import KernelRidge, NormaClassifier, NormaRegressor, OnlinePerceptron, RecursiveKernelRidge

RANDOM = np.random.default_rng(1)
X = RANDOM.uniform(-2, 2, (150, 3))
numbers = np.sin(X[:, 0]) + X[:, 1]
classes = np.digitize(X[:, 0], [-0.7, 0.7])
K = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(-1))
CLASSIFIERS = [OnlinePerceptron(kernel="rbf(gamma=0.5)", budget=20), NormaClassifier(kernel="rbf(gamma=0.5)", budget=20)]
REGRESSORS = [NormaRegressor(kernel="rbf(gamma=0.5)", budget=20), RecursiveKernelRidge(kernel="rbf(gamma=0.5)", budget=20)]


def in_parts(estimator, X, y, part, **first):
    estimator = clone(estimator)
    for begin in range(0, len(y), part):
        estimator.partial_fit(X[begin:begin + part], y[begin:begin + part], **(first if begin == 0 else {}))
    return estimator


@pytest.mark.parametrize("estimator", CLASSIFIERS + REGRESSORS, ids=repr)
def test_the_same_bits_in_any_parts(estimator):
    of_classes = estimator in CLASSIFIERS
    y, first = (classes, {"classes": [0, 1, 2]}) if of_classes else (numbers, {})
    ask = "decision_function" if of_classes else "predict"
    for rows in (X, X.astype(np.float32), sparse.csr_matrix(X)):
        whole = clone(estimator).fit(rows, y)
        for part in (1, 40, len(y)):
            parts = in_parts(estimator, rows, y, part, **first)
            np.testing.assert_array_equal(getattr(parts, ask)(rows), getattr(whole, ask)(rows))
            assert parts.n_seen_ == whole.n_seen_ == len(y) and parts.model_.rows == len(y)
            assert len(parts.dual_coef_) == parts.support_vectors_.shape[0] <= 20


def test_the_perceptron_within_its_budget_by_numpy():
    y = np.where(X[:, 0] + 0.3 * X[:, 1] > 0, 1, -1)
    alpha = np.zeros(len(y))
    for i in range(len(y)):
        if y[i] * (alpha @ K[:, i]) <= 0:
            alpha[i] = y[i]
    model = OnlinePerceptron(kernel="rbf(gamma=0.5)").fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), alpha @ K, atol=1e-10)
    assert model.report_["diagnostics"]["mistakes"] == np.count_nonzero(alpha)


def test_recursive_ridge_is_ridge():
    y = np.c_[numbers, -2 * numbers + 1]
    online = in_parts(RecursiveKernelRidge(alpha=0.1, kernel="rbf(gamma=0.5)", novelty=0), X, y, 7)
    np.testing.assert_allclose(online.predict(X), KernelRidge(alpha=0.1, kernel="rbf(gamma=0.5)").fit(X, y).predict(X), atol=1e-6)
    np.testing.assert_allclose(online.predict(X), K @ np.linalg.solve(K + 0.1 * np.eye(150), y), atol=1e-6)
    linear = in_parts(RecursiveKernelRidge(alpha=0.5, kernel="linear"), X, numbers, 7)
    assert len(linear.dual_coef_) == 3
    np.testing.assert_allclose(linear.predict(X), X @ np.linalg.solve(X.T @ X + 0.5 * np.eye(3), X.T @ numbers), atol=1e-8)


def test_predictions_at_any_moment_files_and_pickles(tmp_path):
    model = OnlinePerceptron(kernel="rbf(gamma=0.5)", budget=10)
    labels = np.array(["a", "b", "c"])[classes]
    for begin in range(0, 150, 50):
        model.partial_fit(X[begin:begin + 50], labels[begin:begin + 50], classes=["a", "b", "c"])
        assert set(model.predict(X)) <= {"a", "b", "c"}
        model.save(tmp_path / "m.mercer")
        loaded, pickled = mercer.load(tmp_path / "m.mercer"), pickle.loads(pickle.dumps(model))
        for other in (loaded, pickled):
            assert isinstance(other, OnlinePerceptron)
            other.partial_fit(X[:20], labels[:20])
            np.testing.assert_array_equal(other.decision_function(X), clone_of(model).partial_fit(X[:20], labels[:20]).decision_function(X))
    norma = NormaRegressor().fit(X, numbers)
    norma.save(tmp_path / "n.mercer")
    assert isinstance(mercer.load(tmp_path / "n.mercer"), NormaRegressor)
    NormaClassifier().fit(X, classes).save(tmp_path / "n.mercer")
    assert isinstance(mercer.load(tmp_path / "n.mercer"), NormaClassifier)


def clone_of(model):
    return pickle.loads(pickle.dumps(model))


def test_fit_begins_anew_and_partial_fit_makes_one_pass():
    model = OnlinePerceptron(kernel="rbf(gamma=0.5)", epochs=3).fit(X, classes)
    assert model.n_seen_ == 450
    model.partial_fit(X[:10], classes[:10])
    assert model.n_seen_ == 460 and model.model_.rows == 160
    assert model.fit(X, classes).n_seen_ == 450


def test_weights_are_factors_and_zero_is_absent():
    weights = RANDOM.uniform(0, 2, 150) * (RANDOM.uniform(size=150) > 0.3)
    for estimator, y in [(CLASSIFIERS[0], classes), (CLASSIFIERS[1], classes), (REGRESSORS[0], numbers), (REGRESSORS[1], numbers)]:
        first = {"classes": [0, 1, 2]} if estimator in CLASSIFIERS else {}
        all_rows = clone(estimator).partial_fit(X, y, sample_weight=weights, **first)
        some = clone(estimator).partial_fit(X[weights > 0], y[weights > 0], sample_weight=weights[weights > 0], **first)
        np.testing.assert_array_equal(all_rows.predict(X), some.predict(X))


def test_objects():
    texts = ["the cat sat", "a dog ran", "the dog sat", "a cat ran"] * 10
    labels = [text.split()[0] for text in texts]
    model = OnlinePerceptron(kernel="normalize(bow)", budget=8)
    for begin in range(0, 40, 5):
        model.partial_fit(texts[begin:begin + 5], labels[begin:begin + 5], classes=["the", "a"])
    assert (model.predict(texts) == labels).all()
    np.testing.assert_array_equal(model.decision_function(texts), OnlinePerceptron(kernel="normalize(bow)", budget=8).fit(texts, labels).decision_function(texts))


def test_refusals():
    model = OnlinePerceptron(kernel="rbf(gamma=1)")
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        model.partial_fit(X, classes)
    with pytest.raises(ValueError, match="greater than one"):
        model.partial_fit(X, classes, classes=[1])
    model.partial_fit(X[:50], classes[:50], classes=[0, 1, 2])
    with pytest.raises(ValueError, match="has the class 7, which is not among"):
        model.partial_fit(X[:2], [7, 1])
    with pytest.raises(ValueError, match="not the same as on the first call"):
        model.partial_fit(X[:2], [0, 1], classes=[0, 1])
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:2, :2], [0, 1])
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(np.full((1, 3), np.nan), [0])
    with pytest.raises(ValueError, match="budget must be"):
        OnlinePerceptron(budget=0).fit(X, classes)
    with pytest.raises(ValueError, match="only budget and epochs may change"):
        NormaRegressor(kernel="linear").fit(X, numbers).set_params(rate=0.01).partial_fit(X, numbers)
    with pytest.raises(ValueError, match="outputs"):
        RecursiveKernelRidge(kernel="linear").fit(X, numbers).partial_fit(X, np.c_[numbers, numbers])
    with pytest.raises(ValueError, match="the kernel must be an expression"):
        RecursiveKernelRidge(kernel="precomputed").fit(K, numbers).partial_fit(K, numbers)
    with pytest.raises(ValueError, match="diverge"):
        NormaRegressor(kernel="linear", rate=50).fit(100 * X, numbers)
    with pytest.raises(ValueError, match="looks at all rows at once"):
        OnlinePerceptron(kernel="center(linear)").fit(X, classes)
