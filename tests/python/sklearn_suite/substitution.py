"""scikit-learn's own test files, read from the installed package and run with Mercer's classes in the place of its own. Nothing of them is copied: the file is compiled in memory."""
from __future__ import annotations

import importlib
import importlib.util
import types
from contextlib import contextmanager
from typing import Any, Iterator

import pytest

import mercer


class Substituted(types.ModuleType):
    """A module of scikit-learn's in which some names are Mercer's."""

    def __init__(self, module: types.ModuleType, names: list[str]) -> None:
        super().__init__(module.__name__)
        self._module, self._names = module, names

    def __getattr__(self, name: str) -> Any:
        return getattr(mercer, name) if name in self._names else getattr(self._module, name)


@contextmanager
def substituted(places: dict[str, list[str]]) -> Iterator[None]:
    """Mercer's classes stand in scikit-learn's modules while a test file is read: so they get into its imports and its lists of parameters."""
    kept = [(importlib.import_module(place), name, getattr(importlib.import_module(place), name)) for place, names in places.items() for name in names]
    try:
        for module, name, _ in kept:
            setattr(module, name, getattr(mercer, name))
        yield
    finally:
        for module, name, own in kept:
            setattr(module, name, own)


def suite(name: str, places: dict[str, list[str]]) -> dict[str, Any]:
    """The tests and fixtures of the module ``name`` of the installed scikit-learn; the module is skipped where the package comes without it."""
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        found = None
    if found is None or found.origin is None:
        pytest.skip(f"the installed scikit-learn has no {name}", allow_module_level=True)
    module = types.ModuleType(name)
    module.__file__, module.__package__ = found.origin, name.rpartition(".")[0]
    with open(found.origin, encoding="utf-8") as file:
        code = compile(file.read(), found.origin, "exec")
    with substituted(places):
        exec(code, module.__dict__)  # noqa: S102
    for own, value in list(vars(module).items()):  # `svm` in `svm.SVC()` is looked up when a test runs
        if isinstance(value, types.ModuleType) and value.__name__ in places:
            setattr(module, own, Substituted(value, places[value.__name__]))
    return {own: value for own, value in vars(module).items() if own.startswith("test_") or hasattr(value, "_pytestfixturefunction")}
