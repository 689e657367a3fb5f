"""GaussianProcessClassifier beside scikit-learn's."""
import numpy as np
import pytest
from sklearn import gaussian_process as theirs
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Matern, WhiteKernel

import mercer
from mercer import GaussianProcessClassifier

X, y = make_classification(120, 5, n_informative=3, random_state=1, class_sep=0.7)
Z = make_classification(40, 5, n_informative=3, random_state=2)[0]
IRIS, KINDS = load_iris(return_X_y=True)


@pytest.mark.parametrize("kernel", [1.0 * RBF(1.0), 5.0 * RBF([0.5, 1, 2, 3, 1]), Matern(2.0, nu=1.5), 0.5 * RBF(2.0) + 0.1 * DotProduct(0.5)], ids=str)
@pytest.mark.parametrize("rows", ["two", "three"])
def test_probabilities_and_evidence_at_a_fixed_kernel(kernel, rows):
    data, labels, fresh = (X, y, Z) if rows == "two" else (IRIS, KINDS, IRIS[::3] + 0.3)
    if rows == "three" and "RBF(length_scale=[" in str(kernel):
        kernel = 5.0 * RBF([0.5, 1, 2, 3])
    ours = GaussianProcessClassifier(kernel, optimizer=None).fit(data, labels)
    peer = theirs.GaussianProcessClassifier(kernel, optimizer=None).fit(data, labels)
    np.testing.assert_allclose(ours.predict_proba(fresh), peer.predict_proba(fresh), atol=1e-6)
    assert ours.log_marginal_likelihood_value_ == pytest.approx(peer.log_marginal_likelihood(), rel=1e-6)
    np.testing.assert_array_equal(ours.predict(fresh), ours.classes_[np.argmax(ours.predict_proba(fresh), axis=1)])


def test_default_kernel_is_scikit_learns():
    ours, peer = GaussianProcessClassifier().fit(X, y), theirs.GaussianProcessClassifier().fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(Z), peer.predict_proba(Z), atol=1e-6)
    assert str(ours.kernel_) == "rbf(gamma=0.5)"


def test_finds_at_least_as_much_evidence():
    kernel = ConstantKernel(1.0, (1e-2, 1e3)) * RBF(3.0, (1e-1, 1e2))
    ours, peer = GaussianProcessClassifier(kernel).fit(X, y), theirs.GaussianProcessClassifier(kernel).fit(X, y)
    assert ours.log_marginal_likelihood_value_ >= peer.log_marginal_likelihood_value_ - 1e-3
    assert ours.log_marginal_likelihood(ours.kernel_.theta) == pytest.approx(ours.log_marginal_likelihood_value_, abs=1e-8)
    assert ours.log_marginal_likelihood(ours.kernel_.theta + 0.2) < ours.log_marginal_likelihood_value_
    again = clone(ours).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(Z), ours.predict_proba(Z))


def test_fixed_numbers_stay():
    model = GaussianProcessClassifier(ConstantKernel(2.0, "fixed") * RBF(1.0)).fit(X, y)
    numbers = dict((name, value) for name, value, *_ in model.model_.kernel.numbers())
    assert numbers["factor"] == 2.0 and numbers["sigma"] != 1.0


def test_text_labels_weights_and_files(tmp_path):
    labels = np.array(["no", "yes"])[y]
    weights = 1.0 + (np.arange(len(y)) % 2)
    model = GaussianProcessClassifier("rbf(gamma=0.3)", optimizer=None).fit(X, labels, sample_weight=weights)
    twice = np.repeat(np.arange(len(y)), weights.astype(int))
    np.testing.assert_allclose(model.predict_proba(Z), GaussianProcessClassifier("rbf(gamma=0.3)", optimizer=None).fit(X[twice], labels[twice]).predict_proba(Z), atol=1e-7)
    model.save(tmp_path / "m.mercer")
    loaded = mercer.load(tmp_path / "m.mercer")
    np.testing.assert_array_equal(loaded.predict_proba(Z), model.predict_proba(Z))
    assert loaded.log_marginal_likelihood() == model.log_marginal_likelihood() and list(loaded.predict(Z[:3])) == list(model.predict(Z[:3]))


def test_refusals():
    with pytest.raises(ValueError, match="WhiteKernel has no meaning in classification"):
        GaussianProcessClassifier(RBF() + WhiteKernel()).fit(X, y)
    with pytest.raises(ValueError, match="cannot be optimized; optimizer=None keeps them"):
        GaussianProcessClassifier(Matern(nu=0.7)).fit(X, y)
    with pytest.raises(ValueError, match="optimizer must be 'evidence'"):
        GaussianProcessClassifier(optimizer="newton").fit(X, y)
    with pytest.raises(ValueError, match="greater than one; got 1 class"):
        GaussianProcessClassifier().fit(X, np.zeros(len(X)))
