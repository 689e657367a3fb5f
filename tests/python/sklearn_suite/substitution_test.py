"""The substitution itself: Mercer's classes get everywhere in a test file, and nowhere else."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import sklearn.svm
from differences import DIFFERENCES, MISSING
from substitution import suite

import mercer

FILE = """
import pytest
from sklearn import svm
from sklearn.svm import SVC, SVR

@pytest.mark.parametrize("kind", [svm.SVC, SVC])
def test_seen(kind):
    return kind, svm.SVC, svm.SVR, SVC, SVR

def helper():
    pass
"""


def test_classes_are_substituted_and_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "some_tests.py").write_text(FILE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    own = sklearn.svm.SVC
    found = suite("some_tests", {"sklearn.svm": ["SVC"]})
    assert list(found) == ["test_seen"] and "some_tests" not in sys.modules
    assert found["test_seen"].pytestmark[0].args[1] == [mercer.SVC, mercer.SVC]
    assert found["test_seen"](0) == (0, mercer.SVC, sklearn.svm.SVR, mercer.SVC, sklearn.svm.SVR)
    assert sklearn.svm.SVC is own and own is not mercer.SVC


def test_a_package_without_tests_is_skipped() -> None:
    for missing in ("sklearn.svm.tests.test_nothing", "sklearn.nothing.tests.test_nothing"):
        with pytest.raises(pytest.skip.Exception, match=f"the installed scikit-learn has no {missing}"):
            suite(missing, {})


def test_every_file_of_the_list_is_here() -> None:
    here = {path.stem for path in Path(__file__).parent.glob("*_test.py")}
    assert {*DIFFERENCES, *MISSING} <= here
    reasons: list[Any] = [reason for of_file in (*DIFFERENCES.values(), *MISSING.values()) for reason in of_file.values()]
    assert all(len(reason) > 20 for reason in reasons)
