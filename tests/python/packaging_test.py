"""What `pip install .` gives: a wheel with the package, its module and the library beside it, which needs nothing of the folder it was built in.

MERCER_BUILD names a folder where everything is compiled; without it, it is the folder that the package under test comes from.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import Iterator

import pytest

import mercer

ROOT = Path(__file__).resolve().parents[2]
VERSION = re.search(r"VERSION ([0-9.]+) LANGUAGES", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
BUILD = Path(os.environ.get("MERCER_BUILD") or Path(mercer.__file__).resolve().parents[2])
MODULE, LIBRARY = "_mercer" + sysconfig.get_config_var("EXT_SUFFIX"), "libmercer.so." + VERSION.rpartition(".")[0]

if not (BUILD / "CMakeCache.txt").exists():
    pytest.skip("the package under test is installed: there is no folder of a build to pack", allow_module_level=True)


def run(*command: object, **how: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Made by pip from a copy of the sources, as a clean checkout has them, and without a network."""
    source, place = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("setup.py", "pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "python", source / "python", ignore=shutil.ignore_patterns("__pycache__", "*.so*", "*.egg-info"))
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-index", "--no-deps", "--no-cache-dir", "-w", place, source, env={**os.environ, "MERCER_BUILD": str(BUILD)}, cwd=place)
    assert not list((source / "python").glob("*.egg-info"))  # the sources stay as they were
    [made] = place.glob("*.whl")
    yield made


def test_the_wheel_is_of_this_python_and_version(wheel: Path) -> None:
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name.startswith(f"mercer-{VERSION}-{tag}-{tag}-linux_"), wheel.name
    with zipfile.ZipFile(wheel) as files:
        metadata = files.read(f"mercer-{VERSION}.dist-info/METADATA").decode()
    for needed in ("numpy", "scipy", "scikit-learn"):
        assert re.search(rf"^Requires-Dist: {needed}\b", metadata, re.M), metadata


def test_the_wheel_holds_the_package_and_the_library_once(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        names = {name for name in files.namelist() if ".dist-info/" not in name}
    sources = {f"mercer/{path.name}" for path in (ROOT / "python/mercer").iterdir() if path.suffix in (".py", ".pyi") or path.name == "py.typed"}
    assert "mercer/py.typed" in names
    plugin = {"mercer/libmercer_molecules.so"} if (BUILD / "libmercer_molecules.so").exists() else set()
    assert names == sources | {f"mercer/{MODULE}", f"mercer/{LIBRARY}"} | plugin


def test_what_is_installed_works_anywhere(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", tmp_path / "site", wheel)
    package = tmp_path / "site/mercer"
    linked = run("ldd", package / MODULE)
    assert f"{LIBRARY} => {package / LIBRARY} " in linked and "not found" not in linked
    for binary in (MODULE, LIBRARY):
        paths = re.findall(r"R(?:UN)?PATH.*\[(.*)\]", run("readelf", "-d", package / binary))
        assert all(path == "$ORIGIN" for path in paths), paths
    code = """
import mercer
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
print(mercer.__file__)
print(mercer.SVC(kernel="rbf(gamma=0.5) + 0.1*linear").fit(X, y).score(X, y) > 0.95)
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    assert run(sys.executable, "-c", code, cwd="/", env=environment).splitlines() == [str(package / "__init__.py"), "True"]


def test_importing_the_package_does_not_import_scikit_learn() -> None:
    loaded = "import sys, mercer; print([name for name in ('sklearn', 'scipy', 'pandas') if name in sys.modules])"
    assert run(sys.executable, "-c", loaded) == "[]\n"
