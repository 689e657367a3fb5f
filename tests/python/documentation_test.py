"""What editors and readers are told of the package: docstrings in numpydoc's sections that name exactly the parameters of the signature, types of parameters and defaults that have them,
examples that run, and a stub with all names. The estimators and kernels are written by scripts/python_pages.py; project/python_pages tests that they are up to date."""
from __future__ import annotations

import ast
import doctest
import inspect
import re
import types
import typing
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone, is_regressor

import mercer
from mercer import estimators

PUBLIC = [(name, getattr(mercer, name)) for name in mercer.__all__] + [(name, getattr(estimators, name)) for name in ("AutoKernel", "KernelNeighbors", "NadarayaWatson")]
CLASSES = [(name, cls) for name, cls in PUBLIC if inspect.isclass(cls)]
FUNCTIONS = [(name, function) for name, function in PUBLIC if not inspect.isclass(function)]
ESTIMATORS = [getattr(mercer, name)() for name in estimators.__all__]


def methods_of(cls: type) -> list[tuple[str, object]]:
    """Public methods of this package's, wherever in the line of inheritance."""
    found = {}
    for part in cls.__mro__:
        for name, method in vars(part).items():
            if part.__module__.startswith("mercer") and not name.startswith("_") and name not in found and (inspect.isfunction(method) or hasattr(method, "check")):
                found[name] = getattr(method, "fn", method)  # of available_if
    return list(found.items())


METHODS = sorted({(method.__qualname__, method) for _, cls in CLASSES for _, method in methods_of(cls)}, key=lambda pair: pair[0])


def sections(documentation: str) -> dict[str, str]:
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", documentation, flags=re.M)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2]))}


def entries(section: str) -> dict[str, str]:
    """Names of a section with what stands after the colon; ``x, y : float`` names two."""
    found = {}
    for line in section.splitlines():
        if line and not line.startswith(" "):
            names, _, kind = line.partition(" : ")
            found.update(dict.fromkeys(re.split(r",\s*", names), kind))
    return found


def parameters_of(function: object) -> dict[str, inspect.Parameter]:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return {stars.get(parameter.kind, "") + name: parameter for name, parameter in inspect.signature(function).parameters.items() if name != "self"}


def has_type(value: object, annotation: object) -> bool:
    """Whether a type checker would take the default."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return any(has_type(value, one) for one in arguments)
    if origin is typing.Literal:
        return value in arguments
    if annotation is typing.Any:
        return True
    if annotation in (None, type(None)):
        return value is None
    if annotation is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if annotation is int:
        return isinstance(value, int) and not isinstance(value, bool)
    kind = origin or annotation
    return isinstance(value, kind) if inspect.isclass(kind) and not getattr(kind, "_is_protocol", False) else isinstance(value, tuple)


def names_match(name: str, function: object, documentation: str) -> dict[str, str]:
    assert documentation and documentation[0].isupper() and re.split(r"\n\n", documentation)[0].endswith("."), name
    told = entries(sections(documentation).get("Parameters", ""))
    assert list(told) == list(parameters_of(function)), name
    assert all(told.values()), f"{name}: each parameter has a type"
    for parameter, kind in told.items():
        default = parameters_of(function)[parameter].default
        said = re.search(r"default=(.*)$", kind)
        if default is inspect.Parameter.empty:
            assert said is None, f"{name}({parameter})"
        else:
            assert said and said[1] == repr(default) or kind.endswith(("optional", "ignored")), f"{name}({parameter}): {kind!r}, but the default is {default!r}"
    return told


@pytest.mark.parametrize("name, function", CLASSES + FUNCTIONS, ids=[name for name, _ in CLASSES + FUNCTIONS])
def test_parameters_are_documented_and_have_types(name: str, function: object) -> None:
    names_match(name, function, inspect.getdoc(function))
    hints = typing.get_type_hints(function.__init__ if inspect.isclass(function) else inspect.unwrap(function))
    for parameter, about in parameters_of(function).items():
        kind = hints[parameter.lstrip("*")]
        assert kind is not typing.Any or parameter in ("X", "y", "Y"), f"{name}({parameter}) has no type"
        assert about.default is about.empty or has_type(about.default, kind), f"{name}({parameter}={about.default!r}) is no {kind}"


@pytest.mark.parametrize("name, method", METHODS, ids=[name for name, _ in METHODS])
def test_methods_are_documented(name: str, method: object) -> None:
    documentation = inspect.getdoc(method)
    names_match(name, method, documentation)
    returned = inspect.signature(method).return_annotation
    assert ("Returns" in sections(documentation)) == (returned not in (None, "None")), name


@pytest.mark.parametrize("name, function", [(name, f) for name, f in FUNCTIONS if name != "show_versions"], ids=lambda value: value if isinstance(value, str) else "")
def test_functions_say_what_they_return(name: str, function: object) -> None:
    assert "Returns" in sections(inspect.getdoc(function))


@pytest.mark.parametrize("name, function", CLASSES + FUNCTIONS, ids=[name for name, _ in CLASSES + FUNCTIONS])
def test_examples_run(name: str, function: object) -> None:
    example = sections(inspect.getdoc(function)).get("Examples", "")
    tried = doctest.DocTestParser().get_doctest(example, {**vars(mercer), name: function}, name, None, 0)
    assert tried.examples or name == "show_versions", f"{name} has no example"
    printed: list[str] = []
    assert doctest.DocTestRunner(verbose=False).run(tried, out=printed.append).failed == 0, "".join(printed)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_attributes_that_fit_gives_are_documented(estimator: object) -> None:
    X = np.random.RandomState(0).rand(30, 3)
    with np.errstate(all="ignore"):
        fitted = clone(estimator).fit(X, np.arange(30) % 2)
    given = {name for name in vars(fitted) if name.endswith("_") and not name.startswith("_")}
    told = set(entries(sections(inspect.getdoc(type(estimator)))["Attributes"]))
    assert given <= told
    elsewhere = {"coef_", "feature_names_in_"} | ({"classes_"} if is_regressor(fitted) else set())
    assert {name for name in told - elsewhere if not hasattr(fitted, name)} == set()


def test_the_stub_has_every_name() -> None:
    """And nothing else: type checkers see what there is."""
    tree = ast.parse((Path(mercer.__file__).parent / "__init__.pyi").read_text(encoding="utf-8"))
    stub = {alias.asname: f"mercer.{node.module}" for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    for name, module in stub.items():
        assert getattr(__import__(module, fromlist=[name]), name) is not None
    assert set(mercer.__all__) | {"AutoKernel", "KernelNeighbors", "NadarayaWatson"} == set(stub)
    for name in mercer.__all__:
        assert getattr(mercer, name) is getattr(__import__(stub[name], fromlist=[name]), name)
    assert {node.targets[0].id for node in tree.body if isinstance(node, ast.Assign)} <= set(mercer.names.REPLACED)


def test_docstrings_are_static() -> None:
    """Editors read them from the source, without running it."""
    for module in (estimators, mercer.kernel_functions):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        written = {node.name: ast.get_docstring(node) for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        for name, documentation in written.items():
            assert documentation == inspect.getdoc(getattr(module, name))
        assert set(module.__all__) <= set(written) | {"from_features", "from_function"}


def test_parameters_have_the_names_of_scikit_learn() -> None:
    """Symbols that are no parameters here stand in no documentation of its twins."""
    for name in ("KernelRidge", "GaussianProcessRegressor"):
        documentation = inspect.getdoc(getattr(mercer, name))
        assert not re.search(r"[λτσ]|\blambda\b|\btau2\b", documentation), name
        assert "alpha" in documentation
