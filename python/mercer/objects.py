"""Texts, sequences, molecules, sets, bags of vectors, graphs and images: Python's lists of them as the engine's columns of objects."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Callable, Sequence

import numpy as np

from . import _mercer
from .data import with_dlpack
from .graphs import graphs, is_graph, starts_of, text_of_label

Compared = list[tuple[str, list[str]]]  # as the engine says it: a column (empty: the one there is) and what its cells may be

TEXTS = ("text", "sequence", "symbols", "molecule")
# What a column is called that came without a name: as the readers of files call it.
NAMES = {"text": "text", "sequence": "sequence", "symbols": "set", "molecule": "smiles", "vectors": "set", "graph": "graph", "image": "image"}
# What a cell may be, for messages.
WANTED = {"text": "a str", "sequence": "a str", "molecule": "a str of SMILES", "symbols": "a set, list or Counter of words, or a str with spaces between them",
          "vectors": "an array of two dimensions, a vector in each row", "image": "an array of height × width or height × width × 3 bytes",
          "graph": "a networkx graph, an adjacency matrix, a list of edges (u, v), edges with node labels (edges, node_labels), or a dict with 'edges'"}
MOST_MEMBERS = 1 << 24  # of a set: a count beyond that is a slip

# White space inside a word would separate it into two: it is written as the sign that Unicode has for it ('new␠york').
SIGNS = {code: chr(0x2400 + code) for code in (*range(0x09, 0x0E), 0x20)}
NOTHING = "␀"  # the empty word
SPECIAL = re.compile("[\\t-\\r ␀␉-␍␠]")


def compared_by(kernel: Any) -> Compared:
    """The columns that ``kernel=`` compares as objects; none for functions, scikit-learn's names and what is no kernel (others complain of that)."""
    engine = getattr(kernel, "engine", kernel)
    if isinstance(kernel, str):
        try:
            engine = _mercer.Kernel(kernel)
        except ValueError:
            return []
    return engine.compared() if isinstance(engine, _mercer.Kernel) else []


def named_columns(kernel: Any) -> set[str]:
    """The columns that the parts of ``kernel=`` are restricted to: ``rbf@age``, ``linear@[age, "net income"]``."""
    engine = getattr(kernel, "engine", kernel)
    text = engine.text() if isinstance(engine, _mercer.Kernel) else engine if isinstance(engine, str) else ""
    quoted = r'"(?:\\.|[^"\\])*"'
    found: set[str] = set()
    for columns in re.findall(rf"@\s*(\[(?:{quoted}|[^\]\"])*\]|{quoted}|\w+)", text):
        for name in re.findall(rf"{quoted}|[^\s,\[\]]+", columns):
            found.add(re.sub(r"\\(.)", r"\1", name[1:-1]) if name.startswith('"') else name)
    return found


def points_with(columns: list[_mercer.Objects], numbers: _mercer.Points | None = None) -> _mercer.Points:
    """Points of these objects, beside numbers where there are any."""
    return (numbers or _mercer.dense(np.empty((columns[0].rows, 0)))).with_objects(columns)


def objects_in_list(X: Any, compared: Compared) -> _mercer.Objects:
    """The one column of objects that a list is."""
    if not compared:  # a kernel of numbers
        return objects_of(X, ["symbols"])
    names = sorted({name for name, _ in compared if name})
    if len(names) > 1:
        raise ValueError(f"the kernel compares the columns {', '.join(map(repr, names))}; X must be a frame that has them")
    return objects_of(X, domains_compared(compared), names[0] if names else None)


def domains_compared(compared: Compared) -> list[str]:
    """What the cells of a column may be that several parts of a kernel compare: first what all of them know."""
    first = compared[0][1]
    shared = [domain for domain in first if all(domain in domains for _, domains in compared)]
    return shared + [domain for domain in dict.fromkeys(d for _, domains in compared for d in domains) if domain not in shared]


def objects_of(X: Any, domains: Sequence[str], name: str | None = None) -> _mercer.Objects:
    """A column of objects.

    Parameters
    ----------
    X : list, array or Series
        An object in each row, all of one kind.
    domains : list of str
        What they may be; how the first one looks decides among them.
    name : str
        Of the column; where it has none, the name of a Series or what files call it.
    """
    rows, domain = as_list(X), domain_of(X, domains)
    own = getattr(X, "name", None)
    return MAKERS[domain](name or (own if isinstance(own, str) and own else NAMES[domain]), domain, rows)


def as_list(X: Any) -> list[Any]:
    """The rows of X. An array with one column of texts is as good as a list."""
    if isinstance(X, np.ndarray):
        if X.ndim == 2 and X.shape[1] == 1 and X.dtype.kind in "OUS":
            X = X[:, 0]
        if X.ndim == 0:
            raise ValueError(f"expected a list of objects, not the single value {X.item()!r}")
        return X.tolist() if X.ndim == 1 else list(X)
    if isinstance(X, (str, bytes, Mapping, set, frozenset)) or not (isinstance(X, Iterable) and hasattr(X, "__len__")):
        raise ValueError(f"expected a list of objects, not a single {type(X).__name__}")
    return list(X)


def is_set(row: Any) -> bool:
    """Whether a row is a set or multiset of symbols and cannot be anything else. Lists and dictionaries may be other things; kernels of sets take them too."""
    return isinstance(row, (set, frozenset, Counter))


def holds_sets(X: Any) -> bool:
    """Whether X is a list, array or Series of sets. Kernels of numbers then see how often each member is in each of them."""
    if isinstance(X, np.ndarray) and (X.dtype != object or X.ndim > 2 or (X.ndim == 2 and X.shape[1] != 1)):
        return False
    if isinstance(X, (str, bytes, Mapping, set, frozenset)) or hasattr(X, "columns") or hasattr(X, "tocsr"):
        return False
    if isinstance(X, np.ndarray):
        X = X.ravel()
    if not (isinstance(X, Iterable) and hasattr(X, "__len__") and len(X)):
        return False
    return is_set(next(iter(X)))


def is_numbers(X: Any) -> bool:
    """Whether X is a matrix of numbers: kernels of objects do not compare its rows, or (orbit) as images in a row."""
    return hasattr(X, "tocsr") or (isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "biufc")


# --- What the rows are. --------------------------------------------------------------------------------------------------------


def domain_of(X: Any, domains: Sequence[str]) -> str:
    """What the rows of X are, of what they may be: as the first one looks."""
    rows = as_list(X)
    if not rows:
        return domains[0]
    first = rows[0]
    if isinstance(first, (str, bytes)):
        fits = [domain for domain in domains if domain in TEXTS]
    elif "symbols" in domains and _has_members(first) or "vectors" in domains and _has_words(first):
        fits = ["symbols"]  # kernels of the members of sets compare words too: each as a row with a 1 in a column of its own
    else:
        fits = [domain for domain in domains if domain not in TEXTS and (domain != "vectors" or not is_graph(first))]
    if fits:
        return fits[0]
    raise _refusal(0, first, domains)


def _refusal(i: int, row: Any, domains: Sequence[str]) -> ValueError:
    shown = repr(row)
    kinds = " or ".join(_mercer.plural_of_domain(domain) for domain in domains)
    wanted = " or ".join(dict.fromkeys(WANTED[domain] for domain in domains))
    return ValueError(f"X[{i}] is {shown if len(shown) < 60 else 'a ' + type(row).__name__}, but the kernel compares {kinds}; each must be {wanted}")


def _has_members(row: Any) -> bool:
    return isinstance(row, (list, tuple, set, frozenset, Mapping)) or (isinstance(row, np.ndarray) and row.ndim == 1)


def _has_words(row: Any) -> bool:
    """Whether a row is a set of symbols and cannot be a set of vectors."""
    return is_set(row) or (isinstance(row, (list, tuple)) and len(row) > 0 and all(isinstance(member, str) for member in row))


# --- Texts of all kinds. -------------------------------------------------------------------------------------------------------


def _texts(name: str, domain: str, rows: list[Any]) -> _mercer.Objects:
    cells = []
    for i, row in enumerate(rows):
        if domain == "symbols" and _has_members(row):
            row = _joined(i, row)
        if not isinstance(row, (str, bytes)):
            raise _refusal(i, row, [domain])
        try:
            cells.append(row if isinstance(row, bytes) else row.encode())
        except UnicodeEncodeError as error:
            raise ValueError(f"X[{i}] is not valid text: {error}") from None
    return _mercer.texts(name, domain, starts_of([len(cell) for cell in cells]), b"".join(cells))


def _joined(i: int, members: Any) -> str:
    """The members of a set as words with spaces between them; those of a multiset as often as they are in it."""
    if isinstance(members, Mapping):
        return " ".join(word for member, count in members.items() for word in [_word(i, member)] * _times(i, member, count))
    words = [_word(i, member) for member in (members.tolist() if isinstance(members, np.ndarray) else members)]
    return " ".join(sorted(words) if isinstance(members, (set, frozenset)) else words)


def _times(i: int, member: Any, count: Any) -> int:
    if not isinstance(count, (int, np.integer)) or not 0 <= count <= MOST_MEMBERS:
        raise ValueError(f"X[{i}] has the count {count!r} for {member!r}; counts must be whole numbers from 0 to {MOST_MEMBERS}")
    return int(count)


def _word(i: int, member: Any) -> str:
    text = text_of_label(member)
    if text is None:
        raise ValueError(f"X[{i}] has the member {member!r}; members of sets are str, numbers, or tuples of them")
    if text and not SPECIAL.search(text):
        return text
    if any(sign in text for sign in (*SIGNS.values(), NOTHING)):
        raise ValueError(f"X[{i}] has the member {member!r}; the signs ␉ to ␠ stand for white space inside members, so they cannot be in one")
    return text.translate(SIGNS) or NOTHING


# --- Vectors, images, graphs. --------------------------------------------------------------------------------------------------


def _bags(name: str, domain: str, rows: list[Any]) -> _mercer.Objects:
    bags = [_array(i, row, domain).astype(np.float64, copy=False) for i, row in enumerate(rows)]
    bags = [bag.reshape(0, 0) if bag.ndim == 1 and bag.size == 0 else bag for bag in bags]  # [] has no members
    width = next((bag.shape[1] for bag in bags if bag.ndim == 2 and bag.shape[1]), 0)
    for i, bag in enumerate(bags):
        if bag.ndim != 2:
            raise _refusal(i, rows[i], [domain])
        if len(bag) and bag.shape[1] != width:
            raise ValueError(f"X[{i}] has vectors of {bag.shape[1]} numbers, but the first ones have {width}; all must have the same length")
        if not np.isfinite(bag).all():
            raise ValueError(f"X[{i}] contains NaN or infinity; its numbers must be finite")
    members = np.concatenate([bag for bag in bags if len(bag)]) if any(map(len, bags)) else np.empty((0, width))
    return _mercer.bags(name, starts_of([len(bag) for bag in bags]), np.ascontiguousarray(members))


def _images(name: str, domain: str, rows: list[Any]) -> _mercer.Objects:
    images = [_pixels(i, _array(i, row, domain)) for i, row in enumerate(rows)]
    channels = images[0].shape[2] if images else 1
    for i, image in enumerate(images):
        if image.shape[2] != channels:
            raise ValueError(f"X[{i}] has {image.shape[2]} channels, but X[0] has {channels}; all must be grey or all coloured")
    sizes = np.array([image.shape for image in images], np.int32).reshape(-1, 3)
    pixels = np.concatenate([image.ravel() for image in images]) if images else np.empty(0, np.uint8)
    return _mercer.images(name, starts_of([image.size for image in images]), sizes[:, 0].copy(), sizes[:, 1].copy(), channels, pixels)


def _pixels(i: int, image: np.ndarray) -> np.ndarray:
    """Height × width × channels bytes."""
    if image.ndim == 2:
        image = image[:, :, None]
    if image.ndim != 3 or image.shape[2] not in (1, 3):
        raise ValueError(f"X[{i}] has the shape {image.shape}; an image is height × width (grey) or height × width × 3 (red, green, blue)")
    if image.dtype == np.uint8:
        return image
    bytes_ = np.clip(np.nan_to_num(image), 0, 255).astype(np.uint8) if image.dtype.kind in "biuf" else None
    if bytes_ is None or not np.array_equal(bytes_, image):
        raise ValueError(f"X[{i}] is an image of {image.dtype} beyond whole numbers from 0 to 255; convert it, as by (255 * image).astype('uint8')")
    return bytes_


def _array(i: int, row: Any, domain: str) -> np.ndarray:
    try:
        array = np.asarray(with_dlpack(row))
        array = array.astype(np.float64) if array.dtype.kind == "O" and row is not None else array
    except (TypeError, ValueError, OverflowError):
        raise _refusal(i, row, [domain]) from None
    if array.dtype.kind not in "biuf":
        raise _refusal(i, row, [domain])
    return array


def _graphs(name: str, domain: str, rows: list[Any]) -> _mercer.Objects:
    return graphs(name, rows, lambda i: _refusal(i, rows[i], [domain]))


MAKERS: dict[str, Callable[[str, str, list[Any]], _mercer.Objects]] = {**dict.fromkeys(TEXTS, _texts), "vectors": _bags, "image": _images, "graph": _graphs}
