"""Objects in: kernel values by their definitions in plain Python, the same as the command line's readers give, and refusals that name the row."""
from __future__ import annotations

import math
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import gram, mercer, needs_mercer
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from mercer import SVC, Hog, Intersection, Jaccard, Kernel, KernelKMeans, KernelPCA, Linear, OneClassSVM, _mercer, general_set, mmd, patches, set_of
from mercer.objects import as_list, compared_by, domains_compared, objects_of

RNG = np.random.default_rng(5)
DNA = ["".join(RNG.choice(list("ACGT"), n)) for n in RNG.integers(0, 30, 24)]
SIDE = np.array([int("AC" in x) for x in DNA])


# --- Texts. --------------------------------------------------------------------------------------------------------------------


def spectrum(x: str, z: str, k: int) -> int:
    a, b = (Counter(s[i:i + k] for i in range(len(s) - k + 1)) for s in (x, z))
    return sum(a[w] * b[w] for w in a)


@pytest.mark.parametrize("make", [list, tuple, np.array, lambda x: np.array(x, object), lambda x: np.array(x, object)[:, None], lambda x: [s.encode() for s in x]])
def test_sequences_of_every_container(make: Any) -> None:
    expected = [[spectrum(x, z, 3) for z in DNA] for x in DNA]
    np.testing.assert_array_equal(Kernel("spectrum(k=3)")(make(DNA)), expected)
    np.testing.assert_array_equal(Kernel("spectrum(k=3)")(make(DNA), make(DNA[:5])), np.array(expected)[:, :5])


def test_words_of_texts() -> None:
    texts = ["The cat sat.", "the cat; THE dog", "", "ÄRGER über ärger"]
    expected = [Counter("the cat sat".split()), Counter("the cat the dog".split()), Counter(), Counter(["ärger", "über", "ärger"])]
    np.testing.assert_array_equal(Kernel("bow")(texts), [[sum(a[w] * b[w] for w in a) for b in expected] for a in expected])


def test_two_parts_of_a_kernel_see_the_same_list() -> None:
    K = Kernel("spectrum(k=1) + 2*spectrum(k=2)")(DNA)
    np.testing.assert_array_equal(K, [[spectrum(x, z, 1) + 2 * spectrum(x, z, 2) for z in DNA] for x in DNA])
    np.testing.assert_array_equal(Kernel("spectrum(k=2)@dna")(DNA), Kernel("spectrum(k=2)")(DNA))


def test_molecules() -> None:
    smiles = ["CCO", "CCO", "c1ccccc1", "CC(=O)O"]
    try:
        K = Kernel("tanimoto")(smiles)
    except ValueError as error:
        if "RDKit" not in str(error):
            raise
        pytest.skip(str(error))
    assert K[0, 1] == 1 and K[0, 2] == 0 and 0 < K[0, 3] < 1
    with pytest.raises(ValueError, match="C1CC"):
        Kernel("tanimoto")(["CCO", "C1CC"])
    assert Kernel("wl(iterations=0)")(["CCO"])[0, 0] == 5  # two carbons, one oxygen


# --- Sets. ---------------------------------------------------------------------------------------------------------------------


SETS: list[Any] = [{"a", "b"}, ["b", "b", "new york"], Counter({"a": 3, "c": 0}), ("new york", ""), {"new": 1, "york": 2}, set(), np.array(["a", "new\tyork"]),
                   frozenset({1, 2.5, True})]


def test_sets_of_every_kind() -> None:
    counts = [Counter(s) if not isinstance(s, np.ndarray) else Counter(s.tolist()) for s in SETS]
    expected = [[sum(a[w] * b[w] for w in a) for b in counts] for a in counts]
    np.testing.assert_array_equal(Kernel("bow")(SETS), expected)
    assert expected[1][3] == 1 and expected[1][4] == 0  # 'new york' is one word


def test_members_that_are_numbers_or_tuples() -> None:
    K = Kernel("bow")([{1, 2}, [1.0, 7], [np.int64(2)], [("a", "b")], [("a,b",)], [("a", "b"), 1]])
    np.testing.assert_array_equal(K[0], [2, 1, 1, 0, 0, 1])
    np.testing.assert_array_equal(K[3], [0, 0, 0, 1, 0, 1])


def test_sets_of_symbols_by_kernels_of_their_members() -> None:
    sets: list[Any] = [{"a", "b"}, ["b", "b", "c"], Counter({"a": 3}), set(), ("c", "d")]
    counts = [Counter(s) for s in sets]
    shared = np.array([[sum(a[w] * b[w] for w in a) for b in counts] for a in counts])
    np.testing.assert_array_equal(set_of("delta")(sets), shared)
    sizes = np.array([max(1, sum(c.values())) for c in counts])
    np.testing.assert_allclose(set_of("delta", normalize="size")(sets), shared / np.outer(sizes, sizes), rtol=1e-14)
    shares = [{w: count / sum(c.values()) for w, count in c.items()} for c in counts]
    smaller = [[sum(min(share, b.get(w, 0)) for w, share in a.items()) for b in shares] for a in shares]
    np.testing.assert_allclose(general_set("delta", "intersection", counts="share")(sets), smaller, rtol=1e-14)
    assert mmd("delta")([{"a"}, {"b"}])[0, 1] == pytest.approx(math.exp(-2))
    labels = [0, 1, 0, 1, 1]
    assert list(SVC(kernel=set_of("delta")).fit(sets, labels).predict(sets[:3])) == labels[:3]


BASKETS = [{"apple", "pear"}, {"pear", "fig"}, {"saw", "nail"}, {"nail", "hammer"}, {"fig", "apple"}, {"hammer", "saw"}]
KINDS = ["fruit", "fruit", "tools", "tools", "fruit", "tools"]


def object_array(rows: list[Any]) -> np.ndarray:
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return array


def test_kernels_of_numbers_see_the_members_of_sets() -> None:
    import pandas as pd

    expected = np.array([[len(a & b) for b in BASKETS] for a in BASKETS])
    shared = np.array([[len(a & b) / len(a | b) for b in BASKETS] for a in BASKETS])
    for sets in (BASKETS, tuple(BASKETS), [frozenset(s) for s in BASKETS], [Counter(s) for s in BASKETS], object_array(BASKETS), object_array(BASKETS)[:, None], pd.Series(BASKETS)):
        np.testing.assert_allclose(Intersection()(sets), expected)
        np.testing.assert_allclose(Jaccard()(sets), shared)
        np.testing.assert_allclose(Jaccard()(sets, BASKETS[:2]), shared[:, :2])
        np.testing.assert_allclose(Linear().diag(sets), 2)
        for kernel in (Jaccard(), "jaccard", "exp(intersection)", "linear", "rbf", "normalize(bow)"):
            model = SVC(kernel=kernel, C=10).fit(sets, KINDS)
            assert model.predict([{"pear"}, {"saw", "unknown"}]).tolist() == ["fruit", "tools"]
            assert model.n_features_in_ == 1 and pickle.loads(pickle.dumps(model)).predict(sets).tolist() == KINDS
    assert Jaccard()({"a", "b"}, {"b"}) == 0.5 and Intersection()(Counter("aab"), Counter("aa")) == 2 and Kernel("bow")({"a"}, {"a"}) == 1
    np.testing.assert_array_equal(Intersection()([Counter("aab"), Counter("abb"), set()]), [[3, 2, 0], [2, 3, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match="give a number"):
        SVC(kernel="poly").fit(BASKETS, KINDS)


def test_sets_in_a_column_of_a_frame() -> None:
    import pandas as pd

    frame = pd.DataFrame({"weight": [1.0, 2.0, 5.0, 6.0, 1.5, 7.0], "tags": BASKETS})
    model = SVC(kernel="jaccard@tags + 0.01*linear@weight").fit(frame, KINDS)
    assert model.predict(frame).tolist() == KINDS
    np.testing.assert_allclose(Kernel("jaccard@tags")(frame), Jaccard()(BASKETS))
    np.testing.assert_allclose(Kernel("jaccard")(frame[["tags"]]), Jaccard()(BASKETS))
    with pytest.raises(ValueError, match="column 'tags' holds sets, which kernels for numbers ignore"):
        SVC().fit(frame, KINDS)


def test_bags_of_vectors_in_any_list() -> None:
    import pandas as pd

    r = np.random.RandomState(0)
    bags = [r.normal(size=(2 + i % 3, 2)) + 3 * (i % 2) for i in range(8)]
    expected = Kernel("set(rbf(gamma=1))")(bags)
    for rows in (tuple(bags), object_array(bags), pd.Series(bags), [bag.tolist() for bag in bags]):
        np.testing.assert_array_equal(Kernel("set(rbf(gamma=1))")(rows), expected)
        assert SVC(kernel="mmd(rbf(gamma=1))", C=100).fit(rows, np.arange(8) % 2).score(rows, np.arange(8) % 2) == 1
    frame = pd.DataFrame({"bag": bags})
    np.testing.assert_array_equal(Kernel("set(rbf(gamma=1))@bag")(frame), expected)


@needs_mercer
def test_sets_as_the_command_line_reads_them(tmp_path: Path) -> None:
    (tmp_path / "x.sets").write_text("a b\nb b c\nc\n")
    sets = [{"a", "b"}, ["b", "b", "c"], {"c": 1}]
    for kernel in ("bow", "bow(weight=tfidf)", "general_set(spectrum(k=1), linear)"):
        np.testing.assert_array_equal(Kernel(kernel)(sets), gram(tmp_path / "x.sets", kernel))


def bag_sum(a: Any, b: Any) -> float:
    return sum(math.exp(-0.5 * sum((float(p) - float(q)) ** 2 for p, q in zip(u, v))) for u in a for v in b)


def test_bags_by_a_double_loop() -> None:
    bags: list[Any] = [RNG.normal(size=(n, 3)) for n in (1, 4, 0, 2)] + [[], [[1, 2, 3], [4, 5, 6]], RNG.normal(size=(2, 3)).astype(np.float32), ((1, 2, 3),)]
    np.testing.assert_allclose(Kernel("set(rbf(gamma=0.5))")(bags), [[bag_sum(a, b) for b in bags] for a in bags], rtol=1e-12)
    stack = RNG.normal(size=(5, 2, 3))
    np.testing.assert_allclose(Kernel("set(rbf(gamma=0.5))")(stack), [[rbf_kernel(a, b, gamma=0.5).sum() for b in stack] for a in stack], rtol=1e-12)


# --- Images. -------------------------------------------------------------------------------------------------------------------


def overlap(a: np.ndarray, b: np.ndarray, levels: int) -> float:
    shares = []
    for image in (a, b):
        bins = [tuple(int(v) * levels // 256 for v in np.atleast_1d(pixel)) for row in image for pixel in row]
        shares.append({colour: count / len(bins) for colour, count in Counter(bins).items()})
    return sum(min(share, shares[1].get(colour, 0)) for colour, share in shares[0].items())


def test_images_by_counting_pixels() -> None:
    grey = [RNG.integers(0, 256, (h, w), np.uint8) for h, w in ((3, 4), (5, 2), (1, 1))]
    colour = RNG.integers(0, 256, (4, 3, 5, 3), np.uint8)
    for images in (grey, list(colour), colour):
        np.testing.assert_allclose(Kernel("histogram(levels=4)")(images), [[overlap(a, b, 4) for b in images] for a in images], rtol=1e-12)
    expected = Kernel("histogram")(grey)
    for same in ([g[:, :, None] for g in grey], [g.astype(float) for g in grey], [g.astype(np.int64) for g in grey], [g.tolist() for g in grey],
                 [np.asfortranarray(g) for g in grey]):
        np.testing.assert_array_equal(Kernel("histogram")(same), expected)


def patches_of(image: np.ndarray, size: int, stride: int) -> list[np.ndarray]:
    return [image[top:top + size, left:left + size].ravel().astype(float)
            for top in range(0, image.shape[0] - size + 1, stride) for left in range(0, image.shape[1] - size + 1, stride)]


def test_images_as_sets_of_patches() -> None:
    images = [RNG.integers(0, 256, (h, w), np.uint8) for h, w in ((6, 7), (4, 4), (9, 5))]
    expected = [[rbf_kernel(patches_of(a, 4, 2), patches_of(b, 4, 2), gamma=1e-5).mean() for b in images] for a in images]
    np.testing.assert_allclose(patches("rbf(gamma=1e-5)", size=4, stride=2)(images), expected, rtol=1e-10)
    with pytest.raises(ValueError, match="image 2 is 4 × 4 pixels, smaller than a patch of 5 × 5"):
        patches("linear", size=5)(images)


def hog_by_numpy(image: np.ndarray, cell: int, bins: int) -> np.ndarray:
    """Of a grey image with blocks of one cell, without clipping: every cell looks at every pixel."""
    padded = np.pad(image.astype(float), 1, mode="edge")
    gy, gx = padded[2:, 1:-1] - padded[:-2, 1:-1], padded[1:-1, 2:] - padded[1:-1, :-2]
    turn = np.mod(np.degrees(np.arctan2(gy, gx)), 180) * bins / 180 - 0.5
    found = []
    for y, x in np.ndindex(image.shape[0] // cell, image.shape[1] // cell):
        places = [np.clip(1 - np.abs(np.arange(n) - ((at + 0.5) * cell - 0.5)) / cell, 0, None) for n, at in zip(image.shape, (y, x))]
        votes = np.hypot(gy, gx) * np.outer(*places)
        h = np.array([(votes * sum(np.clip(1 - np.abs(turn - b + k), 0, None) for k in (-bins, 0, bins))).sum() for b in range(bins)])
        found.append(h / np.sqrt(h @ h + 1))
    return np.concatenate(found)


def test_histograms_of_oriented_gradients() -> None:
    images = RNG.integers(0, 256, (5, 8, 12), np.uint8)
    phi = np.array([hog_by_numpy(image, 4, 6) for image in images])
    np.testing.assert_allclose(Hog(cell=4, bins=6, block=1, clip=1)(images), phi @ phi.T, rtol=1e-10)
    model = SVC(kernel=Hog(cell=4)).fit(images, [0, 1, 0, 1, 0])
    with pytest.raises(ValueError, match="holds images of 3 × 3 cells, but those they are compared with are images of 2 × 3 cells"):
        model.predict([np.zeros((12, 12), np.uint8)])


@needs_mercer
def test_images_as_the_command_line_reads_them(tmp_path: Path) -> None:
    images = [RNG.integers(0, 256, (4, 6, 3), np.uint8) for _ in range(3)]
    for i, image in enumerate(images):
        folder = tmp_path / "images" / f"class{i}"
        folder.mkdir(parents=True)
        (folder / "x.ppm").write_bytes(b"P6\n6 4\n255\n" + image.tobytes())
    for kernel in ("histogram", "orbit(rbf(gamma=1e-6), shifts=1)", "patches(rbf(gamma=1e-6), size=2, stride=1)", "hog(cell=2)"):
        np.testing.assert_array_equal(Kernel(kernel)(images), gram(tmp_path / "images", kernel))


def test_rows_of_pixels_stay_numbers() -> None:
    X = RNG.random((6, 16))
    assert Kernel("orbit(rbf(gamma=1), shifts=0, rotations=0, width=4)")(X).shape == (6, 6)
    with pytest.raises(ValueError, match="rows of numbers alone"):
        Kernel("spectrum(k=2)")(X)


# --- Estimators. ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel, X", [
    ("spectrum(k=2)", DNA), ("bow", [set(x) for x in DNA]), ("wl(iterations=1)", [([(i, i + 1) for i in range(len(x) - 1)], list(x)) for x in DNA]),
    ("set(rbf(gamma=0.5))", [np.array([[ord(c) % 5, i] for i, c in enumerate(x)], float).reshape(-1, 2) for x in DNA]),
    ("histogram", [np.array([[ord(c) for c in x + "A"]], np.uint8) for x in DNA])], ids=["sequences", "sets", "graphs", "bags", "images"])
def test_fit_and_predict_as_with_the_matrix(kernel: str, X: list[Any]) -> None:
    K = Kernel(kernel)(X)
    model = SVC(kernel=kernel, C=3, tol=1e-8).fit(X[:16], SIDE[:16])
    of_matrix = SVC(kernel="precomputed", C=3, tol=1e-8).fit(K[:16, :16], SIDE[:16])
    np.testing.assert_allclose(model.decision_function(X), of_matrix.decision_function(K[:, :16]), atol=1e-5)
    assert model.n_features_in_ == 1 and not hasattr(model, "feature_names_in_")
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    search = GridSearchCV(SVC(kernel=kernel), {"C": [0.1, 10]}, cv=2).fit(X, SIDE)
    assert len(search.predict(X)) == 24
    assert len(cross_val_score(make_pipeline(SVC(kernel=Kernel(kernel))), X, SIDE, cv=3)) == 3
    assert KernelKMeans(2, kernel=kernel).fit(X[3:]).labels_.shape == (21,)
    assert KernelPCA(2, kernel=kernel).fit(X).transform(X[:3]).shape == (3, 2)
    assert OneClassSVM(kernel=kernel, nu=0.5).fit(X).predict(X).shape == (24,)


def test_a_function_of_objects() -> None:
    def shared(X: list[str], Y: list[str]) -> np.ndarray:
        return np.array([[spectrum(x, z, 2) for z in Y] for x in X], float)

    model = SVC(kernel=shared, tol=1e-8).fit(DNA[:16], SIDE[:16])
    np.testing.assert_allclose(model.decision_function(DNA), SVC(kernel="spectrum(k=2)", tol=1e-8).fit(DNA[:16], SIDE[:16]).decision_function(DNA), atol=1e-6)


def test_a_second_fit_forgets_the_first() -> None:
    model = SVC(kernel="rbf").fit(np.eye(4), [0, 1, 0, 1])
    model.set_params(kernel="spectrum(k=1)").fit(["A", "C", "A", "C"], [0, 1, 0, 1])
    assert model.n_features_in_ == 1 and list(model.predict(["A", "C"])) == [0, 1]
    model.set_params(kernel="rbf").fit(np.eye(4), [0, 1, 0, 1])
    assert model.n_features_in_ == 4 and clone(model).fit(np.eye(3), [0, 1, 1]).n_features_in_ == 3


@needs_mercer
def test_lists_and_fasta_on_the_command_line(tmp_path: Path) -> None:
    model = SVC(kernel="spectrum(k=2)").fit(DNA, np.where(SIDE, "with", "without"))
    model.model_.save(str(tmp_path / "m.mercer"))
    some = [x for x in DNA if x]
    (tmp_path / "x.fasta").write_text("".join(f">s{i}\n{x}\n" for i, x in enumerate(some)))
    assert mercer(tmp_path, "predict", "m.mercer", "x.fasta").split() == list(model.predict(some))


# --- Refusals. -----------------------------------------------------------------------------------------------------------------


HOSTILE: list[Any] = [None, 3, np.nan, 10**400, "x", b"x", {}, [], [[]], object(), np.array(None), np.array([np.nan]), np.full((2, 2), np.nan), [None], [[None]], {"edges": None},
                      {"edges": [(0,)]},
                      {"edges": [1]}, {"edges": [(0, [1])]}, {"edges": [], "node_labels": 5}, {"edges": [(0, 10**30)], "node_labels": ["a"]}, {"nodes": [1, 1], "edges": []},
                      {"edge": []}, (1, 2), ((), ()),
                      ([], None), ("ab", "cd"), lambda: 0, np.array(["a"]), np.array([[1j]]), [(1, 2, 3)], {"a": -1}, {"a": 1.5}, {"a": 10**30}, {1: {}}, [{}],
                      sparse.eye(3).tocsr()[:2], [[1, 2], [3]],
                      "\ud800", np.zeros((2, 2, 2, 2)), np.zeros((2, 2, 4), np.uint8), np.full((2, 2), 256), np.datetime64("2024"), {"edges": [], "node_attributes": [[np.inf]]},
                      {"edges": [], "node_attributes": [[1], [1, 2]]}, {"edges": [(0, 1)], "edge_labels": []}, {"edges": [(0, 1), (1, 0)], "edge_labels": [1, 2]}, type,
                      [[10**400]], {"edges": [], "node_attributes": [[10**400]]},
                      {"edges": [], "node_labels": [10**400]}, [10**400], {"edges": [], "nodes": np.array(3)}, ((), np.array(1)), ((), sparse.eye(2)),
                      {"edges": [], "nodes": [set()]}]


@pytest.mark.parametrize("kernel, good", [("spectrum(k=2)", "AB"), ("bow", {"a"}), ("bow", "a b"), ("wl", ([(0, 1)], ["a", "b"])), ("set(rbf)", np.zeros((1, 2))),
                                          ("set(rbf)", {"edges": [], "node_attributes": [[1.0]]}), ("histogram", np.zeros((2, 2), np.uint8)), ("general_set(bow, linear)", ["a"])])
def test_hostile_rows_are_refused_or_taken_but_never_crash(kernel: str, good: Any) -> None:
    refused = 0
    for bad in HOSTILE:
        for X in ([good, bad], [bad, good], [bad], bad):
            try:
                K = Kernel(kernel)(X)
                assert K.shape == (len(X), len(X))
            except ValueError as error:
                refused += 1
                assert str(error)
        try:  # as a row to predict
            assert Kernel(kernel)([good], [bad]).shape == (1, 1)
        except ValueError:
            refused += 1
    assert refused > 2 * len(HOSTILE)


@pytest.mark.parametrize("kernel, X, message", [
    ("spectrum(k=2)", ["AC", None], r"X\[1\] is None, but the kernel compares sequences; each must be a str"), ("spectrum(k=2)", ["AC", np.nan], r"X\[1\] is nan"),
    ("spectrum(k=2)", "ACGT", "expected a list of objects, not a single str"), ("bow", [["a"], [None]], r"X\[1\] has the member None"), ("bow", [{"a": -1}], "the count -1 for 'a'"),
    ("bow", [["␠"]], "stand for white space"), ("set(rbf)", [np.zeros((1, 2)), np.zeros((1, 3))], r"X\[1\] has vectors of 3 numbers, but the first ones have 2"),
    ("set(rbf)", [np.zeros((1, 2)), np.full((1, 2), np.nan)], r"X\[1\] contains NaN"), ("set(rbf)", [np.zeros((1, 2)), np.zeros(2)], r"X\[1\] is"),
    ("wl", [([(0, 1)], ["a", "b"]), ([(0, 2)], ["a", "b"])], r"X\[1\] has the edge \(0, 2\), but no node 2; it has 2 nodes"),
    ("wl", [{"edges": [(0, 1)], "node_labels": {0: "a"}}], r"X\[0\] has the edge \(0, 1\), but no node 1"), ("wl", [{"edges": [], "colour": 3}], "'colour'"),
    ("wl", [([(0, 1), (1, 0)], "ab"), ], r"X\[0\] is"), ("wl", [([(0, 1), (1, 0)], ["a", "b"], [1, 2])], r"X\[0\] has two labels for the edge"),
    ("wl", [np.zeros((2, 3))], r"X\[0\] is an array of shape \(2, 3\)"), ("wl", [[[0, 1], [1, 0]]], r"X\[0\] is \[\[0, 1\], \[1, 0\]\]"),
    ("set(rbf)", [{"edges": [], "node_attributes": [[1]]}, {"edges": [], "node_attributes": [[1, 2]]}], r"X\[1\] has 2 attributes for each node, but the first graph has 1"),
    ("histogram", [np.zeros((2, 2), np.uint8), np.zeros((2, 2, 3), np.uint8)], r"X\[1\] has 3 channels, but X\[0\] has 1"),
    ("histogram", [np.zeros((2, 2, 4), np.uint8)], r"X\[0\] has the shape \(2, 2, 4\)"),
    ("histogram", [np.full((2, 2), 0.5)], r"X\[0\] is an image of float64"), ("spectrum@a + spectrum@b", ["A"], "compares the columns 'a', 'b'; X must be a frame")])
def test_refusals_name_the_row(kernel: str, X: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Kernel(kernel)(X)


@pytest.mark.parametrize("kernel, train, other", [
    ("set(rbf)", [np.zeros((1, 2)), np.ones((2, 2))], [np.zeros((1, 3))]), ("set(rbf)", [np.zeros((1, 2)), np.ones((2, 2))], [[]]),
    ("set(rbf)", [{"edges": [], "node_attributes": [[float(i)]]} for i in range(2)], [{"edges": [], "node_attributes": [[1, 2]]}]),
    ("histogram", [np.zeros((2, 2), np.uint8), np.ones((2, 2), np.uint8)], [np.zeros((2, 2, 3), np.uint8)]),
    ("orbit(rbf)", [np.zeros((2, 2), np.uint8), np.ones((2, 2), np.uint8)], [np.zeros((3, 3), np.uint8)]),
    ("wl", [([(0, 1)], ["a", "b"]), ([], ["a"])], ["CCO"]), ("bow", [["a"], ["b"]], [3]), ("spectrum", ["AC", "GT"], [["AC"]]), ("spectrum", ["AC", "GT"], np.eye(2))])
def test_other_objects_at_prediction(kernel: str, train: Any, other: Any) -> None:
    model = SVC(kernel=kernel).fit(train, [0, 1])
    try:
        assert len(model.predict(other)) == len(other)
    except ValueError as error:
        assert str(error)


def test_lengths_and_targets() -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        SVC(kernel="spectrum").fit(["A", "C"], [0, 1, 1])
    with pytest.raises(ValueError, match="0 sample"):
        SVC(kernel="spectrum").fit([], [])
    with pytest.raises(ValueError, match="requires y to be passed"):
        SVC(kernel="spectrum").fit(["A", "C"], None)
    with pytest.raises(ValueError, match="0 sample"):
        SVC(kernel="spectrum").fit(["A", "C"], [0, 1]).predict([])


def test_what_kernels_compare() -> None:
    assert compared_by("spectrum(k=3)@x") == [("x", ["sequence"])] == compared_by(Kernel("spectrum(k=3)@x"))
    assert compared_by("rbf") == compared_by("no kernel at all") == compared_by(len) == compared_by(None) == []
    assert domains_compared([("", ["graph", "molecule"]), ("", ["molecule"])]) == ["molecule", "graph"]
    assert as_list(np.array([["a"], ["b"]])) == ["a", "b"]
    column = objects_of(["a"], ["text"])
    assert (column.name, column.domain, column.rows) == ("text", "text", 1)
    assert isinstance(pickle.loads(pickle.dumps(_mercer.Schema([_mercer.Column("a", ["x"], 0.5, "day_first")], "t"))), _mercer.Schema)
