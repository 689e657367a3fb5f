"""Graphs in every form that people write them in: kernel values by refining labels by hand, and as the command line reads them."""
from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import DATA, gram, mercer, needs_data, needs_mercer, scores
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import cross_val_score

from mercer import SVC, SVR, Kernel
from mercer.graphs import Fault, Labels
from mercer.objects import objects_of

RNG = np.random.default_rng(5)

def wl(graphs: list[tuple[list[Any], list[tuple[int, int]]]], iterations: int) -> np.ndarray:
    """Labels of nodes, refined with those of the neighbours, counted: written out as nested tuples."""
    histograms = []
    for labels, edges in graphs:
        around: list[list[int]] = [[] for _ in labels]
        for u, v in edges:
            around[u].append(v)
            if u != v:
                around[v].append(u)
        now, counts = [str(label) for label in labels], Counter()
        for t in range(iterations + 1):
            counts.update((t, label) for label in now)
            now = [repr((now[v], sorted(now[u] for u in around[v]))) for v in range(len(labels))]
        histograms.append(counts)
    return np.array([[sum(a[f] * b[f] for f in a) for b in histograms] for a in histograms], float)


GRAPHS = [(["C", "C", "O"], [(0, 1), (1, 2)]), (["C", "O"], [(0, 1)]), (["C", "C", "C", "O"], [(0, 1), (1, 2), (2, 0), (2, 3)]), (["N"], []), ([], [])]


def every_form(labels: list[Any], edges: list[tuple[int, int]]) -> dict[str, Any]:
    names = [f"v{i}" for i in range(len(labels))]
    return {"pair": (edges, labels), "pair of dict": (edges, dict(enumerate(labels))), "array": (np.array(edges).reshape(-1, 2), np.array(labels, object)),
            "dict": {"edges": edges + [(v, u) for u, v in edges], "node_labels": labels}, "set": {"edges": set(edges), "node_labels": labels},
            "named": {"edges": [(names[u], names[v]) for u, v in edges], "nodes": names, "node_labels": dict(zip(names, labels))}}


def test_labelled_graphs_in_every_form() -> None:
    expected = wl(GRAPHS, 2)
    forms = [every_form(*graph) for graph in GRAPHS]
    for form in forms[0]:
        np.testing.assert_array_equal(Kernel("wl(iterations=2)")([graph[form] for graph in forms]), expected, err_msg=form)
    assert len({objects_of([graph[form] for graph in forms], ["graph"]).memory for form in forms[0]}) == 1  # an edge and its reverse are stored once
    mixed = [graph[form] for graph, form in zip(forms, forms[0])]
    np.testing.assert_array_equal(Kernel("wl(iterations=2)")(mixed), expected)


def test_networkx() -> None:
    nx = pytest.importorskip("networkx")
    graphs = []
    for labels, edges in GRAPHS:
        graph = nx.Graph()
        graph.add_nodes_from((f"v{i}", {"label": label}) for i, label in enumerate(labels))
        graph.add_edges_from((f"v{u}", f"v{v}") for u, v in edges)
        graphs.append(graph)
    np.testing.assert_array_equal(Kernel("wl(iterations=2)")(graphs), wl(GRAPHS, 2))
    np.testing.assert_array_equal(Kernel("wl(iterations=2)")([nx.MultiDiGraph(graph) for graph in graphs]), wl(GRAPHS, 2))
    plain = [nx.path_graph(4), nx.cycle_graph(5), nx.empty_graph(3), nx.star_graph(3)]
    np.testing.assert_array_equal(Kernel("wl(iterations=3)")(plain), wl([([0] * len(g), list(g.edges)) for g in plain], 3))
    graphs[0].nodes["v1"].pop("label")
    with pytest.raises(ValueError, match=r"X\[0\] has node 'v1' without 'label'"):
        Kernel("wl")(graphs)


def test_adjacency_matrices_and_edge_lists() -> None:
    plain = [([0] * 4, [(0, 1), (1, 2), (2, 3)]), ([0] * 3, [(0, 1), (1, 2), (0, 2)]), ([0] * 2, [(0, 1)])]
    matrices = []
    for labels, edges in plain:
        A = np.zeros((len(labels), len(labels)))
        for u, v in edges:
            A[u, v] = 0.5 + u
        matrices.append(A)
    expected = wl(plain, 2)
    stored_zero = [sparse.csr_matrix((np.append(s.data, 0.0), np.append(s.indices, 0), np.append(s.indptr[:-1], s.nnz + 1)), s.shape) for s in map(sparse.csr_matrix, matrices)]
    for graphs in (matrices, [A + A.T for A in matrices], [sparse.coo_matrix(A) for A in matrices], stored_zero, [A.astype(bool) for A in matrices],
                   [edges for _, edges in plain], [set(edges) for _, edges in plain], [[("n%d" % u, "n%d" % v) for u, v in edges] for _, edges in plain]):
        np.testing.assert_array_equal(Kernel("wl(iterations=2)")(graphs), expected)
    np.testing.assert_array_equal(Kernel("wl(iterations=1)")(np.stack([matrices[1]] * 2)), np.full((2, 2), expected[1, 1] - 9))


def test_edge_labels_and_attributes() -> None:
    one, two = ({"edges": [(0, 1), (1, 2)], "node_labels": ["a"] * 3, "edge_labels": labels} for labels in (["d", "s"], {(1, 0): "s", (1, 2): "s"}))
    K = Kernel("wl(iterations=1)")([one, two])
    # Refined labels of one: (a; d), (a; d, s), (a; s); of two: (a; s), (a; s, s), (a; s).
    np.testing.assert_array_equal(K, [[9 + 3, 9 + 2], [9 + 2, 9 + 5]])
    two["edge_labels"] = {(1, 0): "d", (1, 2): "s"}
    np.testing.assert_array_equal(Kernel("wl(iterations=1)")([one, two]), np.full((2, 2), 9 + 3))
    points = [RNG.normal(size=(n, 2)) for n in (3, 1, 2)]
    graphs = [{"edges": [], "node_attributes": p} for p in points]
    np.testing.assert_allclose(Kernel("set(rbf(gamma=0.5))")(graphs), [[rbf_kernel(a, b, gamma=0.5).sum() for b in points] for a in points], rtol=1e-12)


@needs_mercer
def test_graphs_as_the_command_line_reads_them(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    folder.mkdir()
    (folder / "g_A.txt").write_text("1, 2\n2, 1\n2, 3\n4, 5\n")
    (folder / "g_graph_indicator.txt").write_text("1\n1\n1\n2\n2\n")
    (folder / "g_node_labels.txt").write_text("6\n-3\n6\n6\n-3\n")
    (folder / "g_edge_labels.txt").write_text("1\n1\n2\n2\n")
    graphs = [([(0, 1), (1, 2)], [6, -3, 6], [1, 2]), ([(0, 1)], ["6", "-3"], [2])]
    for kernel in ("wl(iterations=2)", "shortest_path", "random_walk", "graphlet"):
        np.testing.assert_array_equal(Kernel(kernel)(graphs), gram(folder, kernel))
    model = SVR(kernel="wl").fit(graphs, [0.0, 1.0])
    model.model_.save(str(tmp_path / "m.mercer"))
    np.testing.assert_allclose(scores(mercer(tmp_path, "predict", "m.mercer", "g")).ravel(), model.predict(graphs), rtol=1e-12)


@needs_data
@needs_mercer
def test_mutag_as_the_command_line_reads_it(tmp_path: Path) -> None:
    """Mutagenic molecules (Debnath et al. 1991): 188 graphs with labelled nodes and edges."""
    folder = DATA / "graph_MUTAG"
    if not folder.is_dir():
        pytest.skip("MUTAG is not among the data sets")
    nx = pytest.importorskip("networkx")
    edges, graph_of, node_labels, edge_labels = (np.loadtxt(folder / f"MUTAG_{part}.txt", int, delimiter=",") for part in ("A", "graph_indicator", "node_labels", "edge_labels"))
    graphs = [nx.Graph() for _ in range(graph_of.max())]
    for node, (number, label) in enumerate(zip(graph_of, node_labels), 1):
        graphs[number - 1].add_node(node, label=label)
    for (u, v), label in zip(edges, edge_labels):
        graphs[graph_of[u - 1] - 1].add_edge(u, v, label=label)
    for kernel in ("wl(iterations=3)", "shortest_path"):
        np.testing.assert_array_equal(Kernel(kernel)(graphs), gram(folder, kernel, tmp_path))
    answer = np.loadtxt(folder / "MUTAG_graph_labels.txt", int)
    assert cross_val_score(SVC(kernel="normalize(wl(iterations=3))", C=10), graphs, answer, cv=5).mean() > 0.8


def test_labels_have_the_same_number_in_every_process() -> None:
    labels = Labels()
    assert [labels(label) for label in (6, "6", 6.0, np.int32(6), -3, True, 2**31 - 1, -2**31)] == [6, 6, 6, 6, -3, 1, 2**31 - 1, -2**31]
    hashed = [Labels()(label) for label in ("C", "", "06", "+6", 2**31, 10**40, 0.5, ("a", 1), "٣")]
    assert all(-2**31 <= code < 0 for code in hashed) and len(set(hashed)) == len(hashed)
    code = "from mercer.graphs import Labels; print(Labels()('C'))"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": "99"}, timeout=60)
    assert int(other.stdout) == hashed[0]
    for bad in (None, np.nan, [1], {}, object()):
        with pytest.raises(Fault):
            Labels()(bad)
    full = Labels(texts={hashed[0]: "somebody else"})
    with pytest.raises(Fault, match="cannot be told from 'somebody else'"):
        full("C")
