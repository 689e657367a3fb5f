"""What the package says of the machine it runs on."""
from __future__ import annotations

import warnings

import numpy as np
import pytest

import mercer
from mercer import _mercer, machine


def test_show_versions_has_what_a_bug_report_needs(capsys: pytest.CaptureFixture[str]) -> None:
    mercer.show_versions()
    printed = capsys.readouterr().out
    for title in ("System:", "Python dependencies:", "Engine:"):
        assert f"\n{title}\n" in printed
    for label in ("python", "numpy", "scikit-learn", "Mercer", "BLAS core", "instruction set", "molecules"):
        assert f"{label}: " in printed
    assert f"Mercer: {mercer.__version__}" in printed
    assert f"numpy: {np.__version__}" in printed


def test_slow_products_are_warned_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_warned", False)
    monkeypatch.setattr(_mercer, "performance_warning", lambda: "export OPENBLAS_CORETYPE=SkylakeX before starting")
    X, y = np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 0, 1]
    with pytest.warns(RuntimeWarning, match="OPENBLAS_CORETYPE=SkylakeX") as seen:
        mercer.SVC(C=1).fit(X, y)
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        mercer.SVC(C=1).fit(X, y)
