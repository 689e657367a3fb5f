"""Graphs as people write them in Python: networkx objects, edges with labels, adjacency matrices.

The engine compares undirected graphs, so an edge and its reverse are one, and labels as 32-bit whole numbers. A label that is one stands for itself, as in files;
any other becomes a hash of its text, the same in every process, so that training and prediction need not share a vocabulary.
"""
from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Callable

import numpy as np

from . import _mercer

KEYS = ("edges", "nodes", "node_labels", "edge_labels", "node_attributes")


@dataclass
class Graph:
    """A graph whose nodes are counted from 0."""

    size: int
    ends: np.ndarray  # edges × 2
    node_labels: list[Any] | None = None
    edge_labels: list[Any] | None = None
    attributes: np.ndarray | None = None  # nodes × numbers of each


class Fault(Exception):
    """What is wrong with a graph; whoever knows its row says it in front."""


@dataclass
class Labels:
    """The whole number of each label. Two labels of one hash are refused rather than taken for each other."""

    known: dict[Any, int] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)

    def __call__(self, label: Any) -> int:
        try:
            return self.known[label] if label in self.known else self._learn(label)
        except TypeError:
            raise Fault(f"has the label {label!r}; labels are str, numbers, or tuples of them") from None

    def _learn(self, label: Any) -> int:
        text = text_of_label(label)
        if text is None:
            raise Fault(f"has the label {label!r}; labels are str, numbers, or tuples of them")
        number = _whole(text)
        if number is None:
            number = -1 - int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big") % 2**31
        if self.texts.setdefault(number, text) != text:
            raise Fault(f"has the label {label!r}, which cannot be told from {self.texts[number]!r}; rename one of them")
        self.known[label] = number
        return number


def text_of_label(label: Any) -> str | None:
    """A label or member as text: numbers that are equal look alike. None for what is none."""
    if isinstance(label, str):
        return label
    if isinstance(label, (bool, np.bool_, int, np.integer)):
        return str(int(label))
    if isinstance(label, (float, np.floating)) and np.isfinite(label):
        return str(int(label)) if float(label).is_integer() else repr(float(label))
    if isinstance(label, tuple):
        parts = [text_of_label(part) for part in label]
        return None if None in parts else json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return None


def starts_of(lengths: list[int] | np.ndarray) -> np.ndarray:
    """Where each object begins when they lie one behind the other, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(np.asarray(lengths, np.int64))]).astype(np.int64)


def graphs(name: str, rows: list[Any], refusal: Callable[[int], ValueError]) -> _mercer.Objects:
    """A column of graphs. ``refusal``: of a row that is none."""
    labels_of_nodes, labels_of_edges = Labels(), Labels()
    all_, node_labels, edge_labels = [], [], []
    for i, row in enumerate(rows):
        try:
            graph = _graph(row)
            if graph is None:
                raise refusal(i)
            node_labels += [0] * graph.size if graph.node_labels is None else [labels_of_nodes(label) for label in graph.node_labels]
            edge_labels += [0] * len(graph.ends) if graph.edge_labels is None else [labels_of_edges(label) for label in graph.edge_labels]
        except Fault as fault:
            raise ValueError(f"X[{i}] {fault}") from None
        all_.append(graph)
    attributes = _attributes(all_)
    edge_starts, ends, kept_labels = _once([graph.ends for graph in all_], np.asarray(edge_labels, np.int32))
    return _mercer.graphs(name, starts_of([graph.size for graph in all_]), edge_starts, np.asarray(node_labels, np.int32), ends[:, 0].copy(), ends[:, 1].copy(), kept_labels,
                          attributes)


def is_graph(row: Any) -> bool:
    """Whether the row can be nothing but a graph."""
    return _is_networkx(row) or hasattr(row, "tocsr") or isinstance(row, Mapping)


# --- One graph. ----------------------------------------------------------------------------------------------------------------


def _graph(row: Any) -> Graph | None:
    if _is_networkx(row):
        return _of_networkx(row)
    if isinstance(row, Mapping):
        unknown = [key for key in row if key not in KEYS]
        if unknown or "edges" not in row:
            fault = f"the key {unknown[0]!r}" if unknown else "no edges"
            raise Fault(f"has {fault}; a graph is a dict with 'edges' and, where there are any, {', '.join(map(repr, KEYS[1:]))}")
        return _of_parts(**row)
    if isinstance(row, tuple) and len(row) in (2, 3) and not any(isinstance(part, str) for part in row):
        return _of_parts(row[0], node_labels=row[1], edge_labels=row[2] if len(row) == 3 else None)
    if isinstance(row, (list, set, frozenset)) and all(isinstance(edge, tuple) for edge in row):
        return _of_parts(row)
    if hasattr(row, "tocoo") or isinstance(row, np.ndarray):
        return _of_adjacency(row)
    return None


def _is_networkx(row: Any) -> bool:
    return hasattr(row, "nodes") and hasattr(row, "edges") and hasattr(row, "is_directed")


def _of_networkx(graph: Any) -> Graph:
    nodes, edges = list(graph.nodes(data=True)), list(graph.edges(data=True))
    return _of_parts([(u, v) for u, v, _ in edges], [node for node, _ in nodes], _all_or_none("label", "node", nodes),
                     _all_or_none("label", "edge", [((u, v), data) for u, v, data in edges]), _all_or_none("attributes", "node", nodes))


def _all_or_none(key: str, what: str, pairs: list[tuple[Any, dict[str, Any]]]) -> list[Any] | None:
    """That attribute of each, where they have it."""
    having = sum(key in data for _, data in pairs)
    if having == 0:
        return None
    if having < len(pairs):
        lacking = next(which for which, data in pairs if key not in data)
        raise Fault(f"has {what} {lacking!r} without '{key}', though others have one; give it to all or none")
    return [data[key] for _, data in pairs]


def _of_parts(edges: Any, nodes: Any = None, node_labels: Any = None, edge_labels: Any = None, node_attributes: Any = None) -> Graph:
    pairs = _pairs(edges)
    ids = _ids(pairs, nodes, node_labels, node_attributes)
    try:
        numbers = {node: k for k, node in enumerate(ids)}
    except TypeError as error:
        raise Fault(f"has an invalid node: {error}") from None
    if len(numbers) < len(ids):
        raise Fault("names a node twice")
    for u, v in pairs:
        for end in (u, v):
            if end not in numbers:
                raise Fault(f"has the edge ({u!r}, {v!r}), but no node {end!r}; it has {len(ids)} nodes")
    ends = np.array([(numbers[u], numbers[v]) for u, v in pairs], np.int32).reshape(-1, 2)
    attributes = _in_order(node_attributes, ids, "node_attributes")
    return Graph(len(ids), ends, _in_order(node_labels, ids, "node_labels"), _in_order(edge_labels, pairs, "edge_labels"),
                 None if attributes is None else _matrix(attributes, len(ids)))


def _pairs(edges: Any) -> list[tuple[Any, Any]]:
    try:
        pairs = [tuple(edge) for edge in (edges.tolist() if isinstance(edges, np.ndarray) else edges)]
        hash(tuple(pairs))
    except TypeError:
        raise Fault("has edges that are not pairs (u, v) of nodes") from None
    if isinstance(edges, (str, bytes)) or any(len(pair) != 2 for pair in pairs):
        raise Fault("has edges that are not pairs (u, v) of nodes")
    return pairs


def _ids(pairs: list[tuple[Any, Any]], nodes: Any, node_labels: Any, attributes: Any) -> list[Any]:
    """The nodes: those named, else those with labels or attributes (a list gives them to 0, 1, 2, …), else those with edges."""
    if nodes is not None:
        return _listed(nodes, "nodes")
    for given, what in ((node_labels, "node_labels"), (attributes, "node_attributes")):
        if given is not None:
            return list(given) if isinstance(given, Mapping) else list(range(len(_listed(given, what))))
    return list(dict.fromkeys(end for pair in pairs for end in pair))


def _listed(values: Any, what: str) -> list[Any]:
    values = values.tolist() if isinstance(values, np.ndarray) else values
    if isinstance(values, (str, bytes)) or hasattr(values, "tocsr") or not isinstance(values, Iterable):
        raise Fault(f"has {what} that are neither a list nor a dict: {values!r}")
    return list(values)


def _in_order(values: Any, keys: list[Any], what: str) -> list[Any] | None:
    """The value of each node or edge, from a list or a dict."""
    if values is None:
        return None
    if isinstance(values, Mapping):
        missing = [key for key in keys if key not in values and (what != "edge_labels" or key[::-1] not in values)]
        if missing:
            raise Fault(f"has no {what} for {missing[0]!r}")
        return [values[key] if key in values else values[key[::-1]] for key in keys]
    listed = _listed(values, what)
    if len(listed) != len(keys):
        raise Fault(f"has {len(listed)} {what} for {len(keys)} {what.split('_')[0]}s; there must be one for each")
    return listed


def _matrix(rows: list[Any], size: int) -> np.ndarray:
    try:
        matrix = np.asarray(rows, np.float64).reshape(size, -1) if size else np.empty((0, 0))
    except (TypeError, ValueError, OverflowError):
        raise Fault("has node attributes that are not numbers, or not equally many for each node") from None
    if not np.isfinite(matrix).all():
        raise Fault("has a node attribute that is NaN or infinite")
    return matrix


def _of_adjacency(matrix: Any) -> Graph:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise Fault(f"is an array of shape {matrix.shape}; an adjacency matrix is square")
    if matrix.dtype.kind not in "biuf":
        raise Fault(f"is a matrix of {matrix.dtype}; an adjacency matrix has numbers")
    if hasattr(matrix, "tocoo"):
        entries = matrix.tocoo()
        rows, columns, weights = entries.row, entries.col, entries.data
        present = weights != 0
        rows, columns = rows[present], columns[present]
    else:
        rows, columns = np.nonzero(matrix)
        weights = matrix
    if not np.isfinite(weights).all():
        raise Fault("has a weight that is NaN or infinite")
    return Graph(matrix.shape[0], np.column_stack([rows, columns]).astype(np.int32).reshape(-1, 2))


# --- All graphs. ---------------------------------------------------------------------------------------------------------------


def _whole(text: str) -> int | None:
    """The number that a text is, where it is written as files write whole numbers of 32 bits."""
    digits = text[1:] if text.startswith("-") else text
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 10 or str(int(text)) != text:
        return None
    return int(text) if -2**31 <= int(text) < 2**31 else None


def _attributes(all_: list[Graph]) -> np.ndarray:
    """Of all nodes. Graphs without nodes may lack them."""
    filled = [(i, graph) for i, graph in enumerate(all_) if graph.size]
    width = None
    for i, graph in filled:
        own = 0 if graph.attributes is None else graph.attributes.shape[1]
        if width is not None and own != width:
            raise ValueError(f"X[{i}] has {own} attributes for each node, but the first graph has {width}; all must have the same number")
        width = own
    nodes = sum(graph.size for graph in all_)
    return np.ascontiguousarray(np.concatenate([graph.attributes for _, graph in filled])) if width else np.empty((nodes, 0))


def _once(ends: list[np.ndarray], labels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts, ends and labels of the edges, each edge once: the smaller end first, sorted within a graph."""
    graph = np.repeat(np.arange(len(ends)), [len(one) for one in ends])
    both = np.sort(np.concatenate(ends), axis=1) if ends else np.empty((0, 2), np.int32)
    order = np.lexsort((both[:, 1], both[:, 0], graph))
    graph, both, labels = graph[order], both[order], labels[order]
    again = np.zeros(len(graph), bool)
    again[1:] = (graph[1:] == graph[:-1]) & (both[1:] == both[:-1]).all(axis=1)
    differs = np.flatnonzero(again[1:] & (labels[1:] != labels[:-1]))
    if len(differs):
        u, v = both[differs[0]]
        raise ValueError(f"X[{graph[differs[0]]}] has two labels for the edge between its nodes {u} and {v}, counted from 0; an edge has one label in both directions")
    kept = ~again
    return starts_of(np.bincount(graph[kept], minlength=len(ends))), np.ascontiguousarray(both[kept]), np.ascontiguousarray(labels[kept])
