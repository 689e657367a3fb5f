"""The functions for kernels and rules, which are made from the catalogue."""
from __future__ import annotations

import inspect
import pickle
import re

import numpy as np
import pytest

import mercer
from mercer import _mercer, kernel_functions
from mercer.kernel_factories import CATALOGUE

X = np.random.default_rng(7).normal(size=(23, 4))


def test_every_kernel_and_rule_of_the_catalogue_has_a_function() -> None:
    leaves, rules = set(), set()
    for name in kernel_functions.__all__:
        function = getattr(mercer, name)
        assert function.__name__ == name and name in mercer.__all__ and name in dir(mercer)
        assert pickle.loads(pickle.dumps(function)) is function
        if not name[0].isupper():
            rules.add(name.removesuffix("_of"))
            continue
        required = {"A": [[2, 1], [1, 2]]} if name == "QuadraticForm" else {}
        k = function(**required)
        leaf = str(k).split("(")[0]
        leaves.add(leaf)
        assert str(k) == _mercer.Kernel(leaf + "(A=[[2, 1], [1, 2]])" * bool(required)).text()
        defaults = {p: d.default for p, d in inspect.signature(function).parameters.items() if d.default not in (d.empty, None)}
        assert function(**required, **defaults) == k  # they are the engine's
        assert all(parameter["meaning"] in re.sub(r"\s+", " ", function.__doc__) for parameter in CATALOGUE["leaf", leaf]["parameters"])
    assert leaves == {name for kind, name in CATALOGUE if kind == "leaf"}
    assert rules == {name for kind, name in CATALOGUE if kind == "rule"} | {"from_features", "from_function"}


def test_names_that_camel_case_does_not_give() -> None:
    assert [str(k).split("(")[0] for k in (mercer.RBF(), mercer.Polynomial(), mercer.WL(), mercer.BagOfWords(), mercer.RationalQuadratic(), mercer.ShortestPath(),
                                           mercer.set_of("linear"))] == [
        "rbf", "poly", "wl", "bow", "rational_quadratic", "shortest_path", "set"]
    assert str(mercer.Laplace(lambda_=2)) == "laplace(lambda=2)"
    assert str(mercer.Tanimoto(counts=False)) == "tanimoto(radius=2, bits=0, counts=no)"
    assert str(mercer.Matern(2.5, 3)) == "matern(nu=2.5, length=3)"
    assert str(mercer.RBF(sigma=2)) == "rbf(sigma=2)"


def test_a_parameter_that_had_another_name() -> None:
    for degree in (1, 2):
        expected = np.exp(-0.3 * (X[:, None] - X[None]) ** 2).sum(axis=2) ** degree
        np.testing.assert_allclose(mercer.Anova(gamma=0.3, degree=degree)(X), expected, rtol=1e-10)
    with pytest.warns(FutureWarning, match="sigma is deprecated; use gamma"):
        assert mercer.Anova(sigma=0.3) == mercer.Anova(gamma=0.3) == mercer.Kernel("anova(sigma=0.3)")
    with pytest.warns(FutureWarning), pytest.raises(TypeError, match="both sigma and gamma"):
        mercer.Anova(sigma=0.3, gamma=0.3)


def test_rules() -> None:
    k = mercer.Polynomial(degree=2)
    K = (1 + X @ X.T) ** 2
    d = np.sqrt(np.diag(K))
    np.testing.assert_allclose(mercer.normalize(k)(X), K / np.outer(d, d), rtol=1e-10)
    H = np.eye(len(X)) - 1 / len(X)
    np.testing.assert_allclose(mercer.center(k)(X), H @ K @ H, atol=1e-9)
    n = np.linalg.norm(X, axis=1)
    np.testing.assert_allclose(mercer.weighted(k, by="norm")(X), K * np.outer(n, n), rtol=1e-10)
    np.testing.assert_allclose(mercer.mapped(mercer.Linear(), by="powers", degree=2)(X), X @ X.T + X**2 @ (X**2).T, rtol=1e-10)
    w = np.array([1, 0, 0.5, 3])
    np.testing.assert_allclose(mercer.scaled(mercer.Linear(), by=w)(X), (X * w) @ (X * w).T, rtol=1e-10)
    assert str(mercer.mkl("linear", mercer.RBF(gamma=1), norm=2)) == "mkl(linear, rbf(gamma=1), norm=2)"
    assert str(mercer.exp(2)) == "exp(constant(c=2))"
    with pytest.raises(TypeError):
        mercer.mkl()
    with pytest.raises(TypeError):
        mercer.exp()
    with pytest.raises(TypeError):
        mercer.weighted("linear", by={"norm": 1})


def test_a_misspelt_name_has_a_suggestion() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Rbf'; did you mean 'RBF'"):
        mercer.Rbf
    with pytest.raises(AttributeError, match="did you mean 'RationalQuadratic'"):
        mercer.RationalQuadrtic
    with pytest.raises(AttributeError, match="no attribute 'zzz'$"):
        mercer.zzz
