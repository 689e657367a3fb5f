"""BagOfWords(similarity=...): files, mappings, pairs and gensim's vectors; pickling, models, refusals."""
from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import mercer
from mercer import SVC, BagOfWords, general_set, load, normalize

VECTORS = {"cat": [1.0, 0.25], "kitten": [0.75, 0.5], "car": [-0.5, 1.0], "truck": [-0.25, 1.5]}
TEXTS = ["cat cat car", "kitten", "truck car", "kitten truck truck", ""]
LABELS = [0, 0, 1, 1, 1]


def by_hand(texts: list[str]) -> np.ndarray:
    sums = np.array([sum((np.array(VECTORS[word]) for word in text.split()), np.zeros(2)) for text in texts])
    return sums @ sums.T


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my words.txt"
    path.write_text("".join(f"{word} {' '.join(map(str, vector))}\n" for word, vector in VECTORS.items()))
    return path


def test_all_ways_to_give_vectors_are_the_same(file: Path) -> None:
    keyed = SimpleNamespace(index_to_key=list(VECTORS), vectors=np.array(list(VECTORS.values()), dtype=np.float32))
    for given in (VECTORS, {word: np.array(vector) for word, vector in VECTORS.items()}, keyed, file, str(file)):
        np.testing.assert_allclose(BagOfWords(similarity=given)(TEXTS), by_hand(TEXTS), rtol=1e-14)


def test_pairs_are_a_table() -> None:
    k = BagOfWords(similarity={("cat", "kitten"): 0.5, ("car", "car"): 2.0}, missing="own")
    np.testing.assert_allclose(k(["cat", "kitten", "car", "dog"]), [[1, 0.5, 0, 0], [0.5, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]], atol=1e-14)


def test_the_kernel_keeps_its_vectors_in_the_algebra_in_copies_and_in_pickles() -> None:
    k = 2 * normalize(BagOfWords(similarity=VECTORS)) + general_set(BagOfWords(similarity=VECTORS), "linear")
    wanted = k(TEXTS)
    assert k.resolved and clone(k) == k
    np.testing.assert_array_equal(clone(k)(TEXTS), wanted)
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer)(['cat car', 'kitten']).tolist())"
    there = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(k), capture_output=True, check=True)
    assert there.stdout.decode().strip() == str(k(["cat car", "kitten"]).tolist())


def test_models_hold_the_vectors(file: Path, tmp_path: Path) -> None:
    for given in (VECTORS, file):
        model = SVC(kernel=BagOfWords(similarity=given)).fit(TEXTS, LABELS)
        model.save(tmp_path / "m.mercer")
        there = subprocess.run([sys.executable, "-c", f"import mercer; print(mercer.load({str(tmp_path / 'm.mercer')!r}).decision_function(['cat truck', 'kitten']).tolist())"],
                               capture_output=True, check=True, cwd=tmp_path)
        assert there.stdout.decode().strip() == str(model.decision_function(["cat truck", "kitten"]).tolist())
    assert np.isfinite(cross_val_score(SVC(kernel=BagOfWords(similarity=VECTORS)), TEXTS * 4, LABELS * 4)).all()
    assert load(tmp_path / "m.mercer").predict(["cat"])[0] == model.predict(["cat"])[0]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(mercer.DataError if hasattr(mercer, "DataError") else ValueError, match="row 2 of column 'text' has the word 'dog'"):
        BagOfWords(similarity=VECTORS)(["cat", "dog cat"])
    with pytest.raises(ValueError, match="the vector of 'b' has the shape"):
        BagOfWords(similarity={"a": [1.0], "b": [1.0, 2.0]})
    with pytest.raises(ValueError, match="not finite"):
        BagOfWords(similarity={"a": [float("nan")]})
    with pytest.raises(ValueError, match="not positive semidefinite: the smallest eigenvalue is -1"):
        BagOfWords(similarity={("a", "b"): 2.0})
    with pytest.raises(ValueError, match="have the similarity 0.5 and also 0.25"):
        BagOfWords(similarity={("a", "b"): 0.5, ("b", "a"): 0.25})
    with pytest.raises(TypeError, match="similarity must be the path of a file, a mapping"):
        BagOfWords(similarity=3)
    with pytest.raises(TypeError, match="words are str"):
        BagOfWords(similarity={1: [1.0]})
    with pytest.raises(ValueError, match="no words"):
        BagOfWords(similarity={})
