"""How alike words are, as Python has it: a mapping of words to vectors, gensim's KeyedVectors, or a mapping of pairs of words to similarities."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _mercer
from .words import plain_errors

WANTED = "the path of a file, a mapping of words to vectors or of pairs of words to numbers, or an object with index_to_key and vectors (gensim's KeyedVectors)"


def similar_words(value: Any) -> _mercer.WordVectors:
    """Vectors of words for ``BagOfWords(similarity=...)``."""
    if hasattr(value, "index_to_key") and hasattr(value, "vectors"):
        return _vectors(list(value.index_to_key), value.vectors)
    if not isinstance(value, Mapping):
        raise TypeError(f"similarity must be {WANTED}, not {type(value).__name__}")
    words = list(value)
    if not words:
        raise ValueError("similarity has no words")
    if all(isinstance(word, tuple) for word in words):
        return _pairs(value)
    return _vectors(words, [value[word] for word in words])


def _pairs(pairs: Mapping[Any, Any]) -> _mercer.WordVectors:
    for pair in pairs:
        if len(pair) != 2 or not all(isinstance(word, str) for word in pair):
            raise TypeError(f"similarity has the key {pair!r}; pairs are two str")
    try:
        table = [(first, second, float(similarity)) for (first, second), similarity in pairs.items()]
    except (TypeError, ValueError):
        raise TypeError("similarity: the similarities of pairs must be numbers") from None
    with plain_errors():
        return _mercer.WordVectors.of_pairs(table)


def _vectors(words: list[Any], vectors: Any) -> _mercer.WordVectors:
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"similarity has the key {word!r}; words are str")
    sizes = {word: np.shape(vector) for word, vector in zip(words, vectors)}
    first = next(iter(sizes.values()))
    for word, size in sizes.items():
        if len(size) != 1 or size != first:
            raise ValueError(f"similarity: the vector of {word!r} has the shape {size}, and that of {words[0]!r} {first}; all must have one length")
    with plain_errors():
        return _mercer.WordVectors(words, np.asarray(vectors, dtype=np.float64))
