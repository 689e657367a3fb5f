"""Wrong input and wrong parameters: the exceptions that scikit-learn's users know, with the parameter's name; never a crash."""
from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError

import mercer
from mercer.estimators import __all__ as ESTIMATORS

COMPLEX = getattr(np, "exceptions", np).ComplexWarning  # numpy 2 has it there
NAMES = [name for name in ESTIMATORS if name not in ("GaussianProcessRegressor", "KernelPCA", "AutoKernelClassifier", "AutoKernelRegressor")]
X = np.random.RandomState(0).rand(30, 3)
Y = np.arange(30) % 2


def made(name: str):
    parameters = {"task": "classification"} if "task" in getattr(mercer, name)().get_params() else {}
    return getattr(mercer, name)(**parameters)


def spoiled(value) -> np.ndarray:
    wrong = X.astype(complex if isinstance(value, complex) else object if isinstance(value, (str, dict)) else float)
    wrong[3, 1] = value
    return wrong


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("wrong, kind, message", [
    (spoiled(np.nan), ValueError, "contains NaN"), (spoiled(np.inf), ValueError, "contains infinity"), (spoiled(1j), ValueError, "Complex data not supported"),
    (spoiled("word"), ValueError, "could not convert string to float"), (spoiled({}), TypeError, "argument must be a string"),
    (X[:, 0], ValueError, "Expected 2D array, got 1D array"), (X[None], ValueError, "Found array with dim 3"), (np.float64(3), ValueError, "Expected 2D array, got scalar"),
    (np.empty((0, 3)), ValueError, r"0 sample\(s\)"), (np.empty((30, 0)), ValueError, r"0 feature\(s\)"), (None, ValueError, "2D array|None"),
    ([[1, 2], [3]], ValueError, "inhomogeneous|sequence"), (sparse.csr_matrix(spoiled(np.nan)), ValueError, "contains NaN"),
], ids=["nan", "inf", "complex", "word", "dict", "flat", "cube", "scalar", "no rows", "no columns", "None", "ragged", "sparse nan"])
def test_rows(name, wrong, kind, message):
    y = np.arange(len(wrong) if isinstance(wrong, list) else 30) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(kind, match=message):
            made(name).fit(wrong, y)
        fitted = made(name).fit(X, Y)
        with pytest.raises((kind, TypeError) if wrong is None else kind, match=message):
            fitted.predict(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_prediction(name):
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        made(name).predict(X)
    fitted = made(name).fit(X, Y)
    with pytest.raises(ValueError, match="X has 2 features, but .* is expecting 3 features as input"):
        fitted.predict(X[:, :2])
    for method in ("decision_function", "predict_proba", "score_samples"):
        if hasattr(made(name), method):
            with pytest.raises(NotFittedError):
                getattr(made(name), method)(X)


def test_attributes_before_fit():
    for attribute in ("support_vectors_", "n_support_", "probA_", "probB_"):
        with pytest.raises(NotFittedError):
            getattr(mercer.SVC(), attribute)
    with pytest.raises(NotFittedError):
        mercer.KernelRidge().X_fit_
    with pytest.raises(NotFittedError):
        mercer.SVC(kernel="linear").coef_


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(getattr(mercer, name), "score")])
def test_targets(name):
    estimator = made(name)
    for y, message in [(None, "requires y to be passed|y cannot be None"), (Y[:5], "inconsistent numbers of samples"), (np.where(Y, np.nan, 1.0), "NaN"),
                       (np.where(Y, np.inf, 1.0), "infinity|too large"), (Y * 1j, "[Cc]omplex|Unknown label"), (np.zeros((30, 2, 2)), "dim 3|should be a 1d array")]:
        with pytest.raises((ValueError, TypeError), match=message), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimator.fit(X, y)
    if is_classifier(estimator):
        with pytest.raises(ValueError, match="number of classes has to be greater than one; got 1 class"):
            estimator.fit(X, np.ones(30))
        with pytest.raises(ValueError, match="Unknown label type: 'continuous'|Unknown label type"):
            estimator.fit(X, X[:, 0])
    else:
        with pytest.raises(ValueError, match="could not convert string to float"):
            estimator.fit(X, ["a", "b"] * 15)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weights, message", [
    (-np.ones(30), "Negative values in data passed to `sample_weight`"), (np.ones(7), "sample_weight.shape"), (np.full(30, np.nan), "sample_weight contains NaN"),
    (np.full(30, np.inf), "sample_weight contains infinity"), (np.ones((30, 2)), "must be 1D"), (["a"] * 30, "could not convert string"),
    (np.zeros(30), "all samples have zero or negative weights"),
], ids=["negative", "short", "nan", "inf", "2d", "words", "zeros"])
def test_weights(name, weights, message):
    if name in ("SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM", "LinearSVC", "LinearSVR") and "Negative" in message:
        return  # they ignore such samples (attributes_test.py)
    with pytest.raises(ValueError, match="nu is infeasible" if name == "NuSVC" and "zero" in message else message):
        made(name).fit(X, Y, sample_weight=weights)


PARAMETERS = [
    ("SVC", {"C": -1}, "SVC: C must be > 0, not -1"),
    ("SVC", {"C": 0}, "C must be > 0"),
    ("SVC", {"C": np.nan}, "C must be > 0"),
    ("SVC", {"C": "much"}, "C must be"),
    ("SVC", {"C": None}, "C must be a number or a word, not None"),
    ("SVC", {"C": [1]}, "C must be"),
    ("SVC", {"gamma": -1}, "gamma must be 'scale', 'auto', None or a number ≥ 0, not -1"),
    ("SVC", {"gamma": "wide"}, "gamma must be 'scale', 'auto', None or a number ≥ 0, not 'wide'"),
    ("SVC", {"gamma": [1.0]}, "gamma must be"),
    ("SVC", {"gamma": np.nan}, "gamma must be"),
    ("SVC", {"gamma": np.inf}, "gamma must be"),
    ("SVC", {"kernel": "poly", "degree": -1}, "degree must be"),
    ("SVC", {"kernel": "poly", "degree": "a"}, "degree must be"),
    ("SVC", {"kernel": "poly", "degree": 1.5}, "degree must be"),
    ("SVC", {"kernel": "poly", "coef0": "a"}, "coef0 must be"),
    ("SVC", {"kernel": "sigmoid", "coef0": None}, "coef0 must be"),
    ("NuSVC", {"nu": 2}, "NuSVC: nu must be > 0 and at most 1, not 2"),
    ("OneClassSVM", {"nu": 0}, "nu must be"),
    ("NuSVR", {"nu": -0.1}, "nu must be"),
    ("SVR", {"epsilon": -1}, "epsilon must be"),
    ("SVC", {"kernel": "rbff"}, "unknown kernel 'rbff'; did you mean 'rbf'"),
    ("SVC", {"kernel": "rbf(gamma=-1)"}, "gamma must be > 0"),
    ("SVC", {"kernel": "rbf +"}, ""),
    ("SVC", {"kernel": ""}, ""),
    ("SVC", {"kernel": None}, "kernel must be"),
    ("SVC", {"kernel": 3}, "kernel must be a name, an expression, a mercer.Kernel or a function, not 3"),
    ("SVC", {"kernel": "1 - linear"}, "is not proved positive semidefinite.*allow_indefinite"),
    ("SVC", {"tol": -1}, "tol must be a number > 0, not -1"),
    ("SVC", {"tol": "a"}, "tol must be"),
    ("SVC", {"cache_size": -1}, "cache_size must be"),
    ("SVC", {"cache_size": "a"}, "cache_size must be"),
    ("SVC", {"n_jobs": 0}, "n_jobs == 0 has no meaning"),
    ("SVC", {"n_jobs": "a"}, "n_jobs must be"),
    ("SVC", {"n_jobs": 1.5}, "n_jobs must be"),
    ("SVC", {"max_iter": 0}, "max_iter must be"),
    ("SVC", {"max_iter": 1.5}, "max_iter must be"),
    ("SVC", {"max_iter": -7}, "max_iter must be"),
    ("SVC", {"random_state": "a"}, "random_state must be"),
    ("SVC", {"random_state": -1}, "random_state must be"),
    ("SVC", {"shrinking": "x"}, "shrinking must be True or False"),
    ("SVC", {"probability": "x"}, "probability must be True or False"),
    ("SVC", {"allow_indefinite": "x"}, "allow_indefinite must be"),
    ("SVC", {"approx": "foo"}, "unknown feature map 'foo'"),
    ("SVC", {"approx": 3}, "approx must be"),
    ("SVC", {"approx": "nystrom:-5"}, ""),
    ("SVC", {"decision_function_shape": "ovx"}, "decision_function_shape must be one of 'ovr', 'ovo', not 'ovx'"),
    ("SVC", {"class_weight": "even"}, "class_weight must be"),
    ("SVC", {"class_weight": {0: -1}}, "class_weight must be > 0 for each class"),
    ("SVC", {"class_weight": {7: 1}}, "not in class_weight"),
    ("KernelRidge", {"alpha": -1}, "KernelRidge: alpha must be"),
    ("KernelRidge", {"solver": "foo"}, "KernelRidge: there is no solver 'foo'"),
    ("KernelRidge", {"select": "foo"}, "select cannot be 'foo'"),
    ("KernelLogisticRegression", {"alpha": 0}, "KernelLogisticRegression: alpha must be > 0"),
    ("KernelPerceptron", {"max_iter": 0.5}, "KernelPerceptron: max_iter must be"),
    ("KernelPerceptron", {"averaged": "perhaps"}, "averaged"),
    ("KernelQuantileRegressor", {"quantile": 2}, "KernelQuantileRegressor: quantile must be"),
    ("KernelHuberRegressor", {"delta": -1}, "delta must be"),
    ("KernelKMeans", {"n_clusters": 0}, "n_clusters must be a whole number"),
    ("KernelKMeans", {"n_clusters": "a"}, "n_clusters must be a whole number"),
    ("KernelKMeans", {"n_clusters": 1.5}, "n_clusters must be"),
    ("KernelKMeans", {"n_clusters": 31}, "31 clusters of 30 rows"),
    ("KernelSpectralClustering", {"n_init": 0}, "n_init must be"),
    ("KernelNeighborsClassifier", {"n_neighbors": 0}, "n_neighbors must be"),
    ("KernelNeighborsClassifier", {"weights": "even"}, "weights cannot be 'even'"),
    ("RiskMinimizer", {"class_weight": {0: 1}}, "class_weight is for classification"),
    ("RiskMinimizer", {"loss": "cubic"}, "loss must be one of 'squared'"),
    ("RiskMinimizer", {"loss": 3}, "loss must be one of"),
    ("RiskMinimizer", {"omega": "cube"}, "omega cannot be 'cube'"),
    ("MeanDistance", {"contamination": 1.5}, "contamination must be"),
    ("TwoSampleTest", {"permutations": -1}, "permutations must be"),
]


@pytest.mark.parametrize("name, parameters, message", PARAMETERS, ids=[f"{name}({parameters})" for name, parameters, _ in PARAMETERS])
def test_parameters(name, parameters, message):
    estimator = getattr(mercer, name)(**parameters)  # the constructor only remembers
    with pytest.raises(ValueError, match=f"(?s){message}") as raised:
        estimator.fit(X, Y)
    assert "--" not in str(raised.value) and "mercer kernels" not in str(raised.value)
    assert not hasattr(estimator, "model_")


def raises(A, B):
    raise ZeroDivisionError("of my own")


@pytest.mark.parametrize("kernel, kind, message", [
    (lambda A, B: np.ones((2, 2)), ValueError, r"returned an array of shape \(2, 2\) for 30 and 30 rows; it must return \(30, 30\)"),
    (lambda A, B: np.ones(30), ValueError, "it must return"), (lambda A, B: np.ones((1, 1, 1)), ValueError, "it must return"), (lambda A, B: None, (ValueError, TypeError), ""),
    (lambda A, B: np.full((len(A), len(B)), np.nan), ValueError, "NaN or infinity"), (lambda A, B: np.full((len(A), len(B)), np.inf), ValueError, "NaN or infinity"),
    (lambda A, B: np.full((len(A), len(B)), "a"), ValueError, "its values must be real numbers"), (lambda A, B: A @ B.T * 1j, (ValueError, TypeError), ""),
    (lambda A: A, TypeError, "positional argument"),
    (raises, ZeroDivisionError, "of my own"),
], ids=["shape", "flat", "number", "None", "nan", "inf", "words", "complex", "one argument", "raises"])
@pytest.mark.parametrize("name", ["SVC", "KernelRidge", "KernelKMeans", "OneClassSVM"])
def test_functions_as_kernels(name, kernel, kind, message):
    with warnings.catch_warnings():
        warnings.simplefilter("error", COMPLEX)
        with pytest.raises((*kind, COMPLEX) if isinstance(kind, tuple) else kind, match=message):
            getattr(mercer, name)(kernel=kernel).fit(X, Y)


def test_functions_that_fail_at_prediction():
    calls = []

    def tired(A, B):
        calls.append(len(A))
        return A @ B.T if len(calls) < 2 else np.full((len(A), len(B)), np.nan)

    fitted = mercer.SVC(kernel=tired).fit(X, Y)
    with pytest.raises(ValueError, match="NaN or infinity"):
        fitted.predict(X)


def test_ties_are_not_broken_between_pairs():
    model = mercer.SVC(break_ties=True, decision_function_shape="ovo").fit(X, np.arange(30) % 3)
    with pytest.raises(ValueError, match="break_ties must be False"):
        model.predict(X)


def test_precomputed_values():
    with pytest.raises(ValueError, match="Precomputed matrix must be a square matrix. Input is a 30x3 matrix."):
        mercer.SVC(kernel="precomputed").fit(X, Y)
    fitted = mercer.SVC(kernel="precomputed").fit(X @ X.T, Y)
    with pytest.raises(ValueError, match="X has 3 features, but SVC is expecting 30 features"):
        fitted.predict(X)
    with pytest.raises(TypeError, match="sparse"):
        mercer.SVC(kernel="precomputed").fit(sparse.csr_matrix(X @ X.T), Y)


@pytest.mark.parametrize("form", ["csr_matrix", "csc_matrix", "coo_matrix", "lil_matrix", "bsr_matrix", "dok_matrix"])
def test_sparse_forms(form):
    rows = getattr(sparse, form)(np.where(X > 0.4, X, 0))
    dense = mercer.SVC().fit(rows.toarray(), Y)
    np.testing.assert_allclose(mercer.SVC().fit(rows, Y).decision_function(rows), dense.decision_function(rows.toarray()), atol=1e-6)


def test_models_of_sparse_rows_take_dense_ones_and_the_other_way_round():
    rows = np.where(X > 0.4, X, 0)
    for first, second in [(rows, sparse.csr_matrix(rows)), (sparse.csr_matrix(rows), rows)]:
        fitted = mercer.SVC().fit(first, Y)
        np.testing.assert_allclose(fitted.decision_function(second), fitted.decision_function(first), atol=1e-9)


def test_sparse_indices_of_64_bits_unsorted_and_twice():
    rows = sparse.csr_matrix(np.where(X > 0.4, X, 0))
    expected = mercer.SVC().fit(rows, Y).decision_function(rows)
    wide = rows.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    np.testing.assert_array_equal(mercer.SVC().fit(wide, Y).decision_function(wide), expected)
    backwards = sparse.csr_matrix((np.concatenate([rows.data[a:b][::-1] for a, b in zip(rows.indptr, rows.indptr[1:])]),
                                   np.concatenate([rows.indices[a:b][::-1] for a, b in zip(rows.indptr, rows.indptr[1:])]), rows.indptr), rows.shape)
    np.testing.assert_array_equal(mercer.SVC().fit(backwards, Y).decision_function(backwards), expected)
    halves = sparse.csr_matrix((np.repeat(rows.data / 2, 2), np.repeat(rows.indices, 2), rows.indptr * 2), rows.shape)
    np.testing.assert_allclose(mercer.SVC().fit(halves, Y).decision_function(halves), expected, atol=1e-9)
    assert halves.nnz == 2 * rows.nnz  # the caller's matrix is as it was


def test_sparse_matrices_that_lie():
    for indices, indptr in [([0, 9], [0, 1, 2]), ([0, -1], [0, 1, 2]), ([0, 1], [0, 5, 2]), ([0, 1], [0, 2, 1])]:
        rows = sparse.csr_matrix((2, 3))
        rows.data, rows.indices, rows.indptr = np.ones(2), np.array(indices, np.int32), np.array(indptr, np.int32)
        with pytest.raises(ValueError):
            mercer.SVC().fit(rows, [0, 1])


@pytest.mark.parametrize("change", [lambda A: A.astype(object), lambda A: A.tolist(), lambda A: np.asfortranarray(A), lambda A: A.astype(np.float32), lambda A: A.astype(">f8"),
                                    lambda A: np.repeat(A, 2, axis=0)[::2], lambda A: A.astype(np.float16), np.ma.asarray],
                         ids=["objects", "lists", "fortran", "float32", "other end first", "strided", "float16", "masked"])
def test_rows_of_other_kinds(change):
    ours = mercer.SVC().fit(change(X), Y).decision_function(change(X))
    np.testing.assert_allclose(ours, mercer.SVC().fit(X, Y).decision_function(X), atol=5e-3)


def test_integers_booleans_and_large_numbers():
    whole = (10 * X).astype(int)
    np.testing.assert_allclose(mercer.SVR().fit(whole, Y).predict(whole), mercer.SVR().fit(whole * 1.0, Y).predict(whole * 1.0))
    mercer.SVC().fit(X > 0.5, Y)
    for scale in (1e-300, 1e150, 1e300):
        try:
            answers = mercer.SVC().fit(X * scale, Y).predict(X * scale)
        except ValueError:
            continue
        assert set(answers) <= {0, 1}


def test_callers_arrays_stay_as_they_were():
    rows, target, weights = X.copy(), Y.copy(), np.ones(30)
    fitted = mercer.SVC().fit(rows, target, sample_weight=weights)
    np.testing.assert_array_equal(rows, X)
    before = fitted.decision_function(X)
    rows[:] = -1  # the model keeps rows of its own
    np.testing.assert_array_equal(fitted.decision_function(X), before)
    np.testing.assert_array_equal(fitted.support_vectors_, X[fitted.support_])
    with pytest.raises(ValueError, match="read-only"):
        fitted.support_vectors_[0, 0] = 7.0


def test_unknown_parameters_are_refused_by_the_name_of_the_class() -> None:
    with pytest.raises(TypeError, match=r"^SVC.__init__\(\) got an unexpected keyword argument 'c'"):
        mercer.SVC(c=1)
    with pytest.raises(TypeError, match=r"^RBF\(\) got an unexpected keyword argument 'width'"):
        mercer.RBF(width=1)


def test_messages_call_a_kernel_function_what_it_is():
    X = np.random.RandomState(0).rand(20, 2)
    with pytest.raises(ValueError, match="is not positive definite .* for the kernel function"):
        mercer.GaussianProcessRegressor(kernel=lambda A, B: -A @ B.T).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="is not positive definite .* for precomputed"):
        mercer.GaussianProcessRegressor(kernel="precomputed").fit(-X @ X.T, X[:, 0])
