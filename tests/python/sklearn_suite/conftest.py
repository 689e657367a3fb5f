"""Marks the tests of scikit-learn's that are expected to fail, each with the reason (differences.py)."""
from __future__ import annotations

from fnmatch import fnmatchcase

import numpy as np
import pytest
from differences import DIFFERENCES, MISSING


@pytest.fixture
def global_random_seed() -> int:
    """scikit-learn's tests take it from a plugin of theirs."""
    return 42


@pytest.fixture(params=[np.float32, np.float64])
def global_dtype(request: pytest.FixtureRequest) -> type:
    """The same."""
    return request.param


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a file that is run whole, every pattern must name a test."""
    for stem in {item.path.stem for item in items} & {*DIFFERENCES, *MISSING}:
        here = [item for item in items if item.path.stem == stem]
        for pattern, reason in {**DIFFERENCES.get(stem, {}), **MISSING.get(stem, {})}.items():
            named = [item for item in here if fnmatchcase(item.name, pattern)]
            if not named:
                raise pytest.UsageError(f"differences.py names {pattern!r}, but {stem} has no such test")
            for item in named:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
