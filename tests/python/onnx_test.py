"""to_onnx(): bytes and files that onnx accepts; what the graphs compute is compared in tests/cli/onnx_test.py, and here with a matrix of numbers written out."""
import numpy as np
import pandas as pd
import pytest

import mercer


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int), np.sin(X[:, 0]) + X[:, 2]


def test_bytes_and_files(data, tmp_path):
    X, classes, numbers = data
    for model in (mercer.SVC(kernel="rbf(gamma=1)").fit(X, classes), mercer.KernelRidge(kernel="poly(degree=2)").fit(X, numbers), mercer.KernelPCA(2, kernel="rbf").fit(X)):
        path = tmp_path / "model.onnx"
        graph = model.to_onnx(path)
        assert isinstance(graph, bytes) and path.read_bytes() == graph == model.to_onnx()
        assert model.to_onnx(float32=True) != graph
        onnx = pytest.importorskip("onnx")
        onnx.checker.check_model(onnx.load_from_string(graph), full_check=True)


def test_a_linear_model_has_its_weights_in_the_graph(data):
    onnx = pytest.importorskip("onnx")
    X, _, numbers = data
    model = mercer.KernelRidge(kernel="linear", alpha=0.1).fit(X, numbers)
    graph = onnx.load_from_string(model.to_onnx()).graph
    constants = [pytest.importorskip("onnx.numpy_helper").to_array(tensor) for tensor in graph.initializer]
    weights = np.linalg.solve(X.T @ X + 0.1 * np.eye(3), X.T @ numbers)
    assert any(c.shape == (3, 1) and np.allclose(c[:, 0], weights, atol=1e-8) for c in constants)


def test_frames_name_their_columns(data):
    onnx = pytest.importorskip("onnx")
    X, classes, _ = data
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "colour": np.where(X[:, 2] > 0, "red", "blue")})
    graph = onnx.load_from_string(mercer.SVC(kernel="rbf(gamma=1)").fit(frame, classes).to_onnx())
    assert [value.name for value in graph.graph.input] == ["X", "categories"]
    assert {entry.key: entry.value for entry in graph.metadata_props}["mercer.X"] == '["a","b"]'


def test_refusals(data):
    X, classes, numbers = data
    with pytest.raises(ValueError, match="cannot hold a Python function; give the kernel as an expression"):
        mercer.SVC(kernel=lambda a, b: a @ b.T).fit(X, classes).to_onnx()
    with pytest.raises(ValueError, match="an ONNX graph has one penalty for all targets; fit a KernelRidge for each target"):
        mercer.KernelRidge(alpha=[1.0, 2.0]).fit(X, np.column_stack([numbers, numbers])).to_onnx()
    with pytest.raises(ValueError, match="an ONNX graph is written with eigen_solver='auto' alone"):
        mercer.KernelPCA(2, eigen_solver="dense").fit(X).to_onnx()
    with pytest.raises(ValueError, match="not their variances"):
        mercer.GaussianProcessRegressor(optimizer=None).fit(X, numbers).to_onnx(variance=True)
    with pytest.raises(ValueError, match="compares objects"):
        mercer.SVC(kernel="spectrum(k=2)").fit(["ACGT", "GGCC", "ACCT", "GGGC"], [0, 1, 0, 1]).to_onnx()
    with pytest.raises(Exception, match="not fitted"):
        mercer.SVC().to_onnx()
