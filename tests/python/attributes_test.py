"""Fitted attributes and answers beside scikit-learn's: names, shapes, signs and values."""
from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn import kernel_ridge, svm
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import StandardScaler

import mercer

TIGHT = {"tol": 1e-8}


def digits(classes: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = load_digits(return_X_y=True)
    some = y < classes
    return X[some][:400] / 16, y[some][:400]


SETS = {"iris": lambda: load_iris(return_X_y=True), "two digits": lambda: digits(2), "four digits": lambda: digits(4)}


def dense(values):
    return values.toarray() if sparse.issparse(values) else np.asarray(values)


def same(ours, theirs, tolerance=1e-4):
    """Equal up to the tolerance of both solvers, relative to the largest value; and of one shape and kind."""
    assert type(ours) is type(theirs) and ours.shape == theirs.shape
    ours, theirs = dense(ours), dense(theirs)
    np.testing.assert_allclose(ours, theirs, atol=tolerance * max(1e-12, np.abs(theirs).max()), rtol=0)


def scatter(estimator, rows):
    """Coefficients where their rows are: both may call rows with coefficients around 0 support vectors, or not."""
    dual = dense(estimator.dual_coef_)
    all_rows = np.zeros((dual.shape[0], rows))
    all_rows[:, estimator.support_] = dual
    return all_rows


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly", "sigmoid"])
@pytest.mark.parametrize("data", SETS)
def test_svc(data, kernel, form):
    X, y = SETS[data]()
    parameters = dict(kernel=kernel, C=0.7, gamma=0.05, coef0=0.5, class_weight={0: 2.0}, **TIGHT)
    ours, theirs = mercer.SVC(**parameters).fit(form(X), y), svm.SVC(**parameters).fit(form(X), y)
    for name in ("classes_", "class_weight_", "shape_fit_", "fit_status_", "n_features_in_"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    if kernel != "sigmoid":  # is not positive semidefinite: there may be several ends
        same(ours.intercept_, theirs.intercept_)
        np.testing.assert_allclose(scatter(ours, len(y)), scatter(theirs, len(y)), atol=2e-3)
        for shape in ("ovo", "ovr"):
            same(ours.set_params(decision_function_shape=shape).decision_function(form(X)), theirs.set_params(decision_function_shape=shape).decision_function(form(X)))
    assert type(ours.dual_coef_) is type(theirs.dual_coef_) and type(ours.support_vectors_) is type(theirs.support_vectors_)
    assert ours.dual_coef_.shape == (len(ours.classes_) - 1, len(ours.support_)) and ours.n_support_.sum() == len(ours.support_)
    np.testing.assert_array_equal(ours.n_support_, [np.sum(y[ours.support_] == label) for label in ours.classes_])
    np.testing.assert_array_equal(y[ours.support_], np.sort(y[ours.support_]))  # class by class
    np.testing.assert_array_equal(dense(ours.support_vectors_), X[ours.support_])
    assert ours.n_iter_.shape == theirs.n_iter_.shape and ours.n_iter_.min() > 0 and ours.probA_.shape == ours.probB_.shape == (0,)
    np.testing.assert_array_equal(ours.predict(form(X)), theirs.predict(form(X)))
    if kernel == "linear":
        same(ours.coef_, theirs.coef_, 1e-3)
    else:
        with pytest.raises(AttributeError, match="coef_ is only available when using a linear kernel"):
            ours.coef_


@pytest.mark.parametrize("data", SETS)
def test_nu_svc(data):
    X, y = SETS[data]()
    parameters = dict(nu=0.23, gamma=0.05, **TIGHT)
    ours, theirs = mercer.NuSVC(**parameters).fit(X, y), svm.NuSVC(**parameters).fit(X, y)
    same(ours.intercept_, theirs.intercept_)
    same(ours.decision_function(X), theirs.decision_function(X))
    same(scatter(ours, len(y)), scatter(theirs, len(y)), 1e-2)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("kind, more", [("SVR", {"C": 10.0, "epsilon": 5.0}), ("NuSVR", {"C": 10.0, "nu": 0.3}), ("OneClassSVM", {"nu": 0.2})])
def test_single_machines(kind, more, kernel, form):
    X, y = load_diabetes(return_X_y=True)
    X = X + 0.2  # away from the origin, which the linear kernel of novelty divides the rows from
    parameters = dict(kernel=kernel, **more, **TIGHT)
    ours, theirs = getattr(mercer, kind)(**parameters).fit(form(X), y), getattr(svm, kind)(**parameters).fit(form(X), y)
    same(ours.intercept_, theirs.intercept_)
    np.testing.assert_allclose(scatter(ours, len(y)).sum(), scatter(theirs, len(y)).sum(), atol=1e-6)
    assert type(ours.dual_coef_) is type(theirs.dual_coef_) and ours.dual_coef_.shape == (1, len(ours.support_))
    np.testing.assert_array_equal(dense(ours.support_vectors_), X[ours.support_])
    np.testing.assert_array_equal(ours.n_support_, [len(ours.support_)])
    assert ours.shape_fit_ == theirs.shape_fit_ and ours.fit_status_ == 0 and isinstance(ours.n_iter_, int)
    if kernel == "linear":
        same(ours.coef_, theirs.coef_, 1e-3)
    if kind == "OneClassSVM":
        same(ours.offset_, theirs.offset_)
        same(ours.decision_function(form(X)), theirs.decision_function(form(X)))
        same(ours.score_samples(form(X)), theirs.score_samples(form(X)))
    else:
        same(ours.predict(form(X)), theirs.predict(form(X)))


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits, load_diabetes], ids=lambda load: load.__name__)
@pytest.mark.parametrize("kind", ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM", "KernelRidge"])
def test_answers_at_the_same_parameters(kind, load):
    """Within 1e-3 of the largest; labels equal but for rows that lie on the border up to the tolerance."""
    X, y = load(return_X_y=True)
    X = StandardScaler().fit_transform(X)[:600]
    y = y[:600] if load is not load_diabetes or not kind.endswith("SVC") else y[:600] > 150
    parameters = {} if kind == "KernelRidge" else {"tol": 1e-6, **({"nu": 0.11} if kind == "NuSVC" else {})}
    ours = getattr(mercer, kind)(**parameters).fit(X, y)
    theirs = getattr(kernel_ridge if kind == "KernelRidge" else svm, kind)(**parameters).fit(X, y)
    if not hasattr(theirs, "decision_function"):
        return same(ours.predict(X), theirs.predict(X), 1e-3)
    values = theirs.decision_function(X)
    same(ours.decision_function(X), values, 1e-3)
    off_border = np.abs(values.reshape(len(X), -1)).min(axis=1) > 1e-4 * np.abs(values).max()
    np.testing.assert_array_equal(ours.predict(X)[off_border], theirs.predict(X)[off_border])
    assert kind == "OneClassSVM" or np.mean(ours.predict(X) == theirs.predict(X)) >= 0.999


def test_attributes_are_those_of_all_rows_where_the_model_is_smaller():
    """Of the linear kernel the model may hold weights, of an approximation features; of a function and of given values numbers."""
    X, y = digits(4)
    for more in ({"kernel": "linear", "approx": "explicit"}, {"approx": "nystrom:50", "gamma": 0.05}, {"kernel": lambda A, B: A @ B.T}):
        ours = mercer.SVC(**more).fit(X, y)
        np.testing.assert_array_equal(ours.support_vectors_, X[ours.support_])
        assert ours.dual_coef_.shape == (3, len(ours.support_)) and ours.n_support_.sum() == len(ours.support_) > 0
    theirs = svm.SVC(kernel="linear", **TIGHT).fit(X, y)
    same(mercer.SVC(kernel="linear", approx="explicit", **TIGHT).fit(X, y).coef_, theirs.coef_, 1e-3)
    ours, theirs = mercer.SVC(kernel="precomputed", **TIGHT).fit(X @ X.T, y), svm.SVC(kernel="precomputed", **TIGHT).fit(X @ X.T, y)
    assert ours.support_vectors_.shape == theirs.support_vectors_.shape == (0, 0)
    same(ours.intercept_, theirs.intercept_)
    same(scatter(ours, len(y)), scatter(theirs, len(y)), 1e-2)


def test_support_rows_count_rows_of_weight_zero_too():
    X, y = digits(2)
    weights = (np.arange(len(y)) % 2).astype(float)
    ours = mercer.SVC(gamma=0.05, **TIGHT).fit(X, y, sample_weight=weights)
    theirs = svm.SVC(gamma=0.05, **TIGHT).fit(X[1::2], y[1::2])  # given the weights, it counts the rows that have one
    assert np.all(ours.support_ % 2 == 1) and ours.shape_fit_ == X.shape
    np.testing.assert_allclose(scatter(ours, len(y))[:, 1::2], scatter(theirs, len(y) // 2), atol=1e-4)
    np.testing.assert_array_equal(ours.support_vectors_, X[ours.support_])


def test_ties_and_probabilities():
    X, y = load_iris(return_X_y=True)
    ours, theirs = mercer.SVC(break_ties=True).fit(X, y), svm.SVC(break_ties=True).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    ours = mercer.SVC(probability=True, **TIGHT).fit(X, y)
    theirs = svm.SVC(probability=True, random_state=0, **TIGHT).fit(X, y)
    assert ours.probA_.shape == ours.probB_.shape == theirs.probA_.shape == (3,) and np.all(np.sign(ours.probA_) == np.sign(theirs.probA_))
    assert np.abs(ours.predict_proba(X) - theirs.predict_proba(X)).mean() < 0.02  # folds differ
    np.testing.assert_allclose(ours.predict_log_proba(X), np.log(ours.predict_proba(X)))


def test_too_few_steps_show():
    X, y = load_breast_cancer(return_X_y=True)
    for estimator in (mercer.SVC(max_iter=3), mercer.SVR(max_iter=3), mercer.OneClassSVM(max_iter=3), mercer.LinearSVC(max_iter=3, dual=True), mercer.LinearSVR(max_iter=3)):
        with pytest.warns(ConvergenceWarning, match="increase max_iter=3") as caught:
            estimator.fit(X, y)
        assert getattr(estimator, "fit_status_", 1) == 1 and caught[0].filename == __file__  # the warning is of the line that called


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("parameters", [{}, {"kernel": "rbf", "gamma": 0.7, "alpha": 0.1}, {"kernel": "poly", "degree": 2}, {"kernel": "linear", "solver": "primal"}], ids=str)
def test_kernel_ridge(parameters, form):
    X, y = load_diabetes(return_X_y=True)
    weights = 0.5 + np.arange(len(y)) % 3
    theirs_parameters = {name: value for name, value in parameters.items() if name != "solver"}
    for target in (y, np.column_stack([y, -2 * y])):
        ours = mercer.KernelRidge(**parameters).fit(form(X), target, sample_weight=weights)
        theirs = kernel_ridge.KernelRidge(**theirs_parameters).fit(form(X), target, sample_weight=weights)
        same(ours.dual_coef_, theirs.dual_coef_)
        same(ours.X_fit_, theirs.X_fit_, 0)
        same(ours.predict(form(X)), theirs.predict(form(X)))
    one = mercer.KernelRidge().fit(X[:1], y[:1])
    np.testing.assert_array_equal(one.X_fit_, X[:1])
    left_out = mercer.KernelRidge(kernel="rbf").fit(X, y, sample_weight=np.arange(len(y)) % 2)
    assert left_out.dual_coef_.shape == y.shape and np.all(left_out.dual_coef_[::2] == 0) and left_out.X_fit_.shape == X.shape


def test_clusters():
    X, y = load_iris(return_X_y=True)
    ours = mercer.KernelKMeans(n_clusters=3, gamma=0.3).fit(X)
    K = mercer.Kernel("rbf(gamma=0.3)")(X)
    inertia = 0.0
    for label in range(3):
        inside = np.flatnonzero(ours.labels_ == label)
        block = K[np.ix_(inside, inside)]
        inertia += np.trace(block) - block.sum() / len(inside)
    assert ours.inertia_ == pytest.approx(inertia, rel=1e-9) and ours.n_iter_ >= 1
    np.testing.assert_array_equal(ours.labels_, ours.predict(X))
    assert set(mercer.KernelSpectralClustering(n_clusters=3).fit(X).labels_) == {0, 1, 2}
    with pytest.warns(ConvergenceWarning, match=r"Number of distinct clusters \(2\) found smaller than n_clusters \(8\)"):
        few = mercer.KernelKMeans().fit(np.repeat([[0.0], [1.0]], 10, axis=0))
    assert few.n_clusters == 8 and set(few.labels_) == {0, 1}


def test_mean_distance():
    """Against the distance from the mean computed from K."""
    X, _ = load_iris(return_X_y=True)
    ours = mercer.MeanDistance(gamma=0.3, contamination=0.1).fit(X)
    K = mercer.Kernel("rbf(gamma=0.3)")(X)
    distances = 1 - 2 * K.mean(axis=1) + K.mean()
    np.testing.assert_allclose(ours.score_samples(X), -distances, atol=1e-9)
    np.testing.assert_allclose(ours.decision_function(X), -distances - ours.offset_, atol=1e-9)
    assert np.sum(ours.predict(X) == -1) == 15 and ours.offset_.shape == (1,)


def test_two_samples():
    rng = np.random.RandomState(3)
    X, y = rng.randn(80, 2), np.arange(80) % 2
    alike = mercer.TwoSampleTest(kernel="rbf", gamma=0.5).fit(X, y)
    apart = mercer.TwoSampleTest(kernel="rbf", gamma=0.5).fit(X + 1.5 * y[:, None], y)
    assert alike.pvalue_ > 0.05 and apart.pvalue_ < 0.01 and alike.statistic_ < apart.statistic_
    K = mercer.Kernel("rbf(gamma=0.5)")(X)
    np.testing.assert_allclose(alike.decision_function(X), K[:, y == 1].mean(axis=1) - K[:, y == 0].mean(axis=1), atol=1e-9)
    def off_diagonal(block):
        return (block.sum() - np.trace(block)) / (len(block) * (len(block) - 1))
    unbiased = off_diagonal(K[::2, ::2]) + off_diagonal(K[1::2, 1::2]) - 2 * K[::2, 1::2].mean()
    assert alike.statistic_ == pytest.approx(unbiased, rel=1e-9)
    assert np.isnan(mercer.TwoSampleTest(permutations=0).fit(X, y).pvalue_)


SVMS = [mercer.SVC, mercer.NuSVC, mercer.SVR, mercer.NuSVR, mercer.OneClassSVM]


@pytest.mark.parametrize("kind", SVMS, ids=lambda kind: kind.__name__)
def test_samples_of_negative_weight_are_ignored(kind):
    """As LIBSVM does it; other methods refuse them."""
    X, y = load_iris().data[50:], load_iris().target[50:]
    weights = np.where(np.arange(100) % 4 == 0, -2.0, 1.0)
    ours, without = kind(gamma=0.5, **TIGHT).fit(X, y, sample_weight=weights), kind(gamma=0.5, **TIGHT).fit(X[weights > 0], y[weights > 0])
    theirs = getattr(svm, kind.__name__)(gamma=0.5, tol=1e-9).fit(X, y, sample_weight=weights)
    answer = "predict" if kind in (mercer.SVR, mercer.NuSVR) else "decision_function"
    np.testing.assert_allclose(getattr(ours, answer)(X), getattr(without, answer)(X), atol=1e-9)
    np.testing.assert_allclose(getattr(ours, answer)(X), getattr(theirs, answer)(X), atol=1e-5)
    with pytest.raises(ValueError, match="nu is infeasible" if kind is mercer.NuSVC else "all samples have zero or negative weights"):
        kind().fit(X, y, sample_weight=-np.ones(100))


def test_weights_must_leave_two_classes():
    X, y = load_iris().data[50:], load_iris().target[50:]
    for kind, message in ((mercer.SVC, "positive weights belong to the same class"), (mercer.NuSVC, "nu is infeasible")):
        with pytest.raises(ValueError, match=message):
            kind().fit(X, y, sample_weight=np.where(y == 1, 1.0, -1.0))


def test_other_methods_refuse_negative_weights():
    X, y = load_iris().data, load_iris().target
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`: the smallest is -1, but weights must be ≥ 0"):
        mercer.KernelRidge().fit(X, y, sample_weight=np.where(y == 1, 1.0, -1.0))


def test_probabilities_are_those_of_the_fit():
    X, y = load_iris(return_X_y=True)
    model = mercer.SVC().fit(X, y)
    assert not hasattr(model, "predict_proba")
    model.probability = True  # too late
    assert hasattr(model, "predict_proba")
    for answer in (model.predict_proba, model.predict_log_proba):
        with pytest.raises(NotFittedError, match="not available when fitted with probability=False"):
            answer(X)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        mercer.SVC(probability=True).predict_proba(X)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_weights_of_a_linear_kernel_cannot_be_changed(form):
    X, y = load_iris(return_X_y=True)
    model = mercer.SVC(kernel="linear").fit(form(X), y)
    with pytest.raises(ValueError):
        model.coef_[0, 0] = 1.0


def test_sparse_kernel_matrices_are_refused():
    with pytest.raises(TypeError, match="Sparse precomputed kernels are not supported"):
        mercer.SVC(kernel="precomputed").fit(sparse.csr_matrix(np.eye(2)), [0, 1])


@pytest.mark.parametrize("kernel", ["linear", "rbf", "precomputed"])
@pytest.mark.parametrize("weighed", [False, True])
def test_kernel_ridge_with_a_penalty_for_each_target(kernel, weighed, tmp_path):
    X, y = load_diabetes(return_X_y=True)
    X, Y = StandardScaler().fit_transform(X)[:120], np.column_stack([y, np.sqrt(y), X[:, 0]])[:120]
    weights = 0.5 + np.arange(120) % 3 if weighed else None
    X = X @ X.T if kernel == "precomputed" else X
    alpha = np.array([0.1, 2.0, 30.0])
    ours, theirs = (kind(alpha, kernel=kernel).fit(X, Y, sample_weight=weights) for kind in (mercer.KernelRidge, lambda a, **p: kernel_ridge.KernelRidge(alpha=a, **p)))
    same(ours.dual_coef_, theirs.dual_coef_, 1e-6)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-6, atol=1e-8)
    one = mercer.KernelRidge([2.0], kernel=kernel).fit(X, Y[:, 1])
    np.testing.assert_array_equal(one.predict(X), mercer.KernelRidge(2.0, kernel=kernel).fit(X, Y[:, 1]).predict(X))
    assert one.dual_coef_.shape == (120,)
    one.save(tmp_path / "one.mercer")
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(ours)).predict(X), ours.predict(X))
    with pytest.raises(ValueError, match="one penalty for all targets"):
        ours.save(tmp_path / "several.mercer")
    for wrong in ([1.0, 2.0], [[1.0, 2.0, 3.0]]):
        with pytest.raises(ValueError, match="one number for each of the 3 targets"):
            mercer.KernelRidge(wrong, kernel=kernel).fit(X, Y)
    with pytest.raises(ValueError, match="alpha must be"):
        mercer.KernelRidge([1.0, -2.0, 3.0], kernel=kernel).fit(X, Y)
    assert ours.explain_plan(X, Y)["solver"] == mercer.KernelRidge(kernel=kernel).explain_plan(X, Y)["solver"]
    again = ours.set_params(alpha=1.0).fit(X, Y)
    np.testing.assert_allclose(again.predict(X), kernel_ridge.KernelRidge(alpha=1.0, kernel=kernel).fit(X, Y).predict(X), rtol=1e-6, atol=1e-8)


def test_a_penalty_for_each_target_of_a_frame():
    pandas = pytest.importorskip("pandas")
    X, y = load_diabetes(return_X_y=True)
    frame = pandas.DataFrame({"age": X[:60, 0], "sex": np.where(X[:60, 1] > 0, "m", "f")})
    Y = np.column_stack([y[:60], X[:60, 2]])
    model = mercer.KernelRidge([1.0, 2.0]).fit(frame, Y)
    for j, penalty in enumerate([1.0, 2.0]):
        np.testing.assert_allclose(model.predict(frame)[:, j], mercer.KernelRidge(penalty).fit(frame, Y[:, j]).predict(frame), rtol=1e-9)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame.rename(columns={"age": "years"}))


def test_weights_can_be_sparse():
    X, y = load_iris(return_X_y=True)
    ours, theirs = mercer.LinearSVC().fit(X, y), svm.LinearSVC(max_iter=10_000).fit(X, y)
    values, weights = ours.decision_function(X), ours.coef_
    for model in (ours, theirs):
        assert model.sparsify() is model and sparse.issparse(model.coef_) and model.sparsify().coef_.shape == (3, 4)
    np.testing.assert_array_equal(ours.decision_function(X), values)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(ours)).coef_.toarray(), weights)
    np.testing.assert_array_equal(ours.densify().densify().coef_, weights)
    for change in (mercer.LinearSVC().sparsify, mercer.LinearSVC().densify):
        with pytest.raises(NotFittedError):
            change()


@pytest.mark.parametrize("kernel", ["rbf(gamma=0.5)", "linear"])
@pytest.mark.parametrize("name", ["KernelPerceptron", "KernelLogisticRegression", "KernelHuberRegressor", "KernelQuantileRegressor", "KernelPoissonRegressor"])
@pytest.mark.parametrize("classes", [2, 3])
def test_coefficients_are_those_of_the_function(name, kernel, classes):
    X, y = load_iris(return_X_y=True)
    y = np.minimum(y, classes - 1)
    model = getattr(mercer, name)(kernel=kernel).fit(X, y)
    f = (model.dual_coef_ @ mercer.Kernel(kernel)(X[model.support_], X)).T + model.intercept_
    f = np.exp(f) if name == "KernelPoissonRegressor" else f
    answers = model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)
    np.testing.assert_allclose(f.reshape(answers.shape), answers, atol=1e-8)
    assert model.dual_coef_.shape == (f.shape[1], len(model.support_))


def test_kernel_ridge_gives_float32_where_scikit_learn_does():
    X = np.random.RandomState(0).rand(20, 3)
    for types in itertools.product((np.float32, np.float64), repeat=3):
        rows, y, new = (values.astype(kind) for values, kind in zip((X, X[:, 0], X[:5]), types))
        for alpha in (1.0, np.array([1.0])):
            ours, theirs = (cls(alpha=alpha).fit(rows, y).predict(new) for cls in (mercer.KernelRidge, kernel_ridge.KernelRidge))
            assert ours.dtype == theirs.dtype, types
            np.testing.assert_allclose(ours, theirs, rtol=1e-4)
