"""Python functions inside kernel expressions: f(x) k(x, z) f(z), k(φ(x), φ(z)), φ(x)ᵀφ(z), and kernels themselves."""
import pickle
import threading

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import mercer
from mercer import Kernel, KernelPCA, KernelRidge, Linear, RBF, SVC, from_features, from_function, mapped, scaled, weighted

X = np.random.RandomState(0).randn(300, 3)
y = (X[:, 0] ** 2 + X[:, 1] ** 2 > 1).astype(int)


def phi(X):
    return np.c_[X, X**2]


def f(X):
    return np.exp(-X[:, 0])


def gaussian(A, B, gamma):
    return np.exp(-gamma * ((A[:, None] - B[None]) ** 2).sum(-1))


def test_values_are_those_of_the_formula():
    P, w = phi(X), f(X)
    for kernel, expected in [
        (from_features(phi), P @ P.T),
        (mapped(RBF(gamma=0.3), by=phi), gaussian(P, P, 0.3)),
        (weighted(RBF(gamma=0.3), by=f), np.outer(w, w) * gaussian(X, X, 0.3)),
        (scaled(Linear(), by=f), np.outer(w, w) * (X @ X.T)),
        (0.5 * from_features(phi) + weighted(Linear(), by=f) * RBF(gamma=1.0), 0.5 * P @ P.T + np.outer(w, w) * (X @ X.T) * gaussian(X, X, 1.0)),
        (from_function(lambda A, B: A @ B.T, psd=True) + RBF(gamma=1.0), X @ X.T + gaussian(X, X, 1.0)),
        (mapped(Linear(), by=["x1", "x2", "x1^2 + x2^2"]), None),
    ]:
        if expected is None:
            Q = np.c_[X[:, :2], (X[:, :2] ** 2).sum(1)]
            expected = Q @ Q.T
        np.testing.assert_allclose(kernel(X), expected, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(kernel(X[:5], X), expected[:5], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(kernel.diag(X), np.diag(expected), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("make", [lambda k: SVC(kernel=k), lambda k: KernelRidge(kernel=k), lambda k: mercer.KernelLogisticRegression(kernel=k),
                                  lambda k: mercer.OneClassSVM(kernel=k, solver="dual"),  # rows on the boundary are told by rounding
                                  lambda k: mercer.GaussianProcessRegressor(kernel=k, optimizer=None, alpha=0.1)])
def test_every_method_takes_them(make):
    P = phi(X)
    ours = make(from_features(phi)).fit(X, y)
    theirs = make(Kernel("linear")).fit(P, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(P), atol=1e-6)


def test_a_row_is_mapped_once_in_a_fit_and_once_in_a_prediction():
    rows = []

    def counted(X):
        rows.append(len(X))
        return phi(X)

    for kernel in (from_features(counted), mapped(RBF(gamma=0.5), by=counted)):
        model = SVC(kernel=kernel)
        rows.clear()
        model.fit(X, y)
        assert sum(rows) <= len(X) + 2  # and a row to count the features
        model.predict(X[:1])  # maps the support vectors
        rows.clear()
        model.predict(X)
        assert sum(rows) == len(X)


def test_blocks_and_sparse_rows():
    sizes = []

    def seen(X):
        sizes.append(len(X) if not sparse.issparse(X) else X.shape[0])
        return np.asarray(X.sum(axis=1)).reshape(-1, 1)

    wide = np.ones((3000, 400))
    assert from_features(seen)(wide[:2], wide)[0, 0] == 160000
    assert len(sizes) > 2 and max(sizes) < 3000
    S = sparse.random(50, 8, density=0.3, format="csr", random_state=0)
    np.testing.assert_allclose(from_features(seen)(S), np.outer(S.sum(axis=1), S.sum(axis=1)), atol=1e-14)


def test_files_hold_the_name_and_loading_gives_the_function(tmp_path):
    model = SVC(kernel=mapped(RBF(gamma=0.3), by=phi)).fit(X, y)
    path = tmp_path / "m.mercer"
    model.save(path)
    with pytest.raises(ValueError, match=r"the function 'phi' is not known here.*; pass functions=\{'phi': phi\}"):
        mercer.load(path)
    again = mercer.load(path, functions={"phi": phi})
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    kernel = from_function(lambda A, B: A @ B.T, name="dots", psd=True)
    SVC(kernel=kernel).fit(X, y).save(path)
    assert mercer.load(path, functions={"dots": lambda A, B: A @ B.T}).score(X, y) == SVC(kernel=kernel).fit(X, y).score(X, y)


def test_pickles_clones_and_equality():
    kernel = 0.5 * mapped(RBF(gamma=0.3), by=phi) + Linear()
    again = pickle.loads(pickle.dumps(kernel))
    assert again == kernel and again.functions == {"phi": phi} and hash(again) == hash(kernel)
    np.testing.assert_array_equal(again(X), kernel(X))
    assert clone(kernel) == kernel
    model = pickle.loads(pickle.dumps(SVC(kernel=kernel).fit(X, y)))
    assert model.score(X, y) > 0.9
    assert kernel != 0.5 * mapped(RBF(gamma=0.3), by=lambda X: X, name="phi") + Linear()
    assert Kernel(str(kernel), functions={"phi": phi}) == kernel
    assert str(kernel.with_parameters(gamma=2.0)) == "0.5*mapped(rbf(gamma=2), by=user:phi) + linear"


def test_bad_functions_are_refused():
    def fit(function):
        SVC(kernel=from_features(function)).fit(X, y)

    with pytest.raises(ZeroDivisionError):
        fit(lambda X: 1 / 0)
    with pytest.raises(ValueError, match="the function 'phi' returned an array of 3 × 3 for 300 rows; it must return one row of numbers for each"):
        fit(lambda X: X[:3])
    with pytest.raises(ValueError, match=r"row \d+, phi\[1\] is nan; points must be finite numbers"):
        fit(lambda X: np.full(len(X), np.nan))
    with pytest.raises(ValueError, match="the function 'phi' must return an array of real numbers"):
        fit(lambda X: "a")
    with pytest.raises(ValueError, match="gives 3 numbers for a row; a weight is one number"):
        weighted(Linear(), by=lambda X: X)(X)
    with pytest.raises(ValueError, match="two different functions are called 'phi'"):
        from_features(phi) + from_features(lambda X: X, name="phi")
    with pytest.raises(ValueError, match="cannot name a function"):
        from_features(phi, name="my phi")
    with pytest.raises(TypeError, match="is no function"):
        from_features(3)
    with pytest.raises(TypeError, match="takes no other parameters"):
        mapped(Linear(), by=phi, degree=2)
    with pytest.raises(ValueError, match="returned an array of 300 for 300 and 300 rows|one number for each pair"):
        from_function(lambda A, B: A[:, 0])(X)
    with pytest.raises(ValueError, match="read-only"):
        fit(lambda X: np.multiply(X, 2, out=X))


def test_an_asymmetric_function_is_refused():
    lopsided = from_function(lambda A, B: A[:, :1] + 0 * B[:, 0])
    with pytest.raises(ValueError, match=r"user:k is not symmetric: k\(row 1, row 2\) = .*, k\(row 2, row 1\) = "):
        SVC(kernel=lopsided, allow_indefinite=True).fit(X, y)


def test_other_threads_run_while_the_engine_works():
    """The lock is taken for the calls alone."""
    turns, done = [0], threading.Event()

    def other():
        while not done.is_set():
            turns[0] += 1

    thread = threading.Thread(target=other)
    thread.start()
    try:
        KernelPCA(n_components=2, kernel=mapped(RBF(gamma=0.1), by=phi)).fit(np.random.RandomState(1).randn(1500, 3))
    finally:
        done.set()
        thread.join()
    assert turns[0] > 100


# --- Of objects. -----------------------------------------------------------------------------------------------------------------

TEXTS = ["the cat sat", "a dog ran far", "the dog sat", "a cat ran"] * 5


def letters(texts):
    return np.array([[len(text), text.count("a")] for text in texts], float)


def shared_words(A, B):
    return np.array([[len(set(a.split()) & set(b.split())) for b in B] for a in A], float)


def test_functions_take_texts_in_the_algebra(tmp_path):
    phi = mercer.from_features(letters, of="text")
    np.testing.assert_allclose(phi(TEXTS), letters(TEXTS) @ letters(TEXTS).T)
    k = mercer.from_function(shared_words, of="text", psd=True)
    np.testing.assert_allclose((2 * k + phi)(TEXTS), 2 * shared_words(TEXTS, TEXTS) + letters(TEXTS) @ letters(TEXTS).T)
    values = np.arange(20.0)
    K = shared_words(TEXTS, TEXTS) + letters(TEXTS) @ letters(TEXTS).T
    model = mercer.KernelRidge(kernel=k + phi, alpha=0.5).fit(TEXTS, values)
    np.testing.assert_allclose(model.predict(TEXTS), K @ np.linalg.solve(K + 0.5 * np.eye(20), values), atol=1e-6)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(TEXTS), model.predict(TEXTS))
    model.save(tmp_path / "m.mercer")
    back = mercer.load(tmp_path / "m.mercer", functions={"letters": phi, "shared_words": k})
    np.testing.assert_array_equal(back.predict(TEXTS), model.predict(TEXTS))
    with pytest.raises(ValueError, match="has no function 'letters'"):
        mercer.load(tmp_path / "m.mercer", functions={"letters": k, "shared_words": k})
    plain = mercer.load(tmp_path / "m.mercer", functions={"letters": letters, "shared_words": shared_words})  # the file says what the rows are
    np.testing.assert_array_equal(plain.predict(TEXTS), model.predict(TEXTS))


def test_functions_take_sets_and_images():
    bags = [np.arange(6.0).reshape(3, 2), np.ones((1, 2)), np.zeros((4, 2))]
    means = mercer.from_features(lambda sets: [bag.mean(axis=0) for bag in sets], of="vectors")
    expected = np.array([bag.mean(axis=0) for bag in bags])
    np.testing.assert_allclose(means(bags), expected @ expected.T)
    pictures = [np.full((4, 5), shade, np.uint8) for shade in (0, 100, 200)]
    light = mercer.from_features(lambda images: [[image.mean(), image.shape[0]] for image in images], of="image")
    np.testing.assert_allclose(light(pictures)[1, 2], 100 * 200 + 16)


def test_functions_of_objects_are_refused_where_there_are_none():
    with pytest.raises(ValueError, match="txt"):
        mercer.from_features(letters, of="txt")
    with pytest.raises(ValueError):
        mercer.SVC(kernel=mercer.from_features(letters, of="text")).fit(np.ones((4, 2)), [0, 1, 0, 1])
