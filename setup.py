"""Makes the Python package installable: `pip install .` compiles the library and its module with CMake and packs them beside the Python files.

Without a network: `pip install --no-build-isolation .` takes setuptools and wheel from the machine (pip 23.0 and setuptools 66, Debian 12's, were tried); otherwise
pip fetches them (pyproject.toml). What to have before: scripts/install_packages python. A wheel with all libraries inside is made by scripts/package.

MERCER_BUILD=folder takes module and library from a folder where CMake has built the target mercer_package already, and compiles nothing.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
BYTES_OF_A_COMPILER = 1 << 30  # the largest source takes about that


def version() -> str:
    """CMakeLists.txt is where the version is written."""
    return re.search(r"project\(mercer VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def jobs() -> int:
    """As many compilers as there are cores and memory for."""
    memory = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return int(os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", 0)) or max(1, min(len(os.sched_getaffinity(0)), memory // BYTES_OF_A_COMPILER))


class CMakeBuild(build_ext):
    """The module and the library it needs, into the package's folder."""

    def run(self) -> None:
        folder = os.environ.get("MERCER_BUILD") or self.compile(Path(self.build_temp).resolve())
        place = Path(self.get_ext_fullpath("mercer._mercer")).resolve().parent
        subprocess.run(["cmake", "--install", str(folder), "--component", "python", "--prefix", str(place.parent)], check=True)
        # A wheel holds no symbolic links: the library stands there once, under the name that the module asks for.
        for link in place.glob("libmercer.so.*"):
            if link.is_symlink():
                os.replace(link.resolve(), link)

    def compile(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(folder), *generator, "-DCMAKE_BUILD_TYPE=Release", "-DMERCER_PYTHON=ON", "-DMERCER_TESTS=OFF",
                        f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", str(folder), "--target", "mercer_python", "--parallel", str(jobs())], check=True)
        return folder


(ROOT / "build").mkdir(exist_ok=True)
setup(
    name="mercer",
    version=version(),
    description="Every kernel machine, one engine: scikit-learn's contract, any kernel expression",
    license="BSD-3-Clause",
    license_files=["LICENSE"],
    author="The Mercer authors",
    keywords=["kernel methods", "support vector machines", "Gaussian processes", "kernel ridge regression", "kernel approximation"],
    classifiers=[
        "Development Status :: 4 - Beta",
        "Intended Audience :: Developers",
        "Intended Audience :: Science/Research",
        "License :: OSI Approved :: BSD License",
        "Operating System :: POSIX :: Linux",
        "Programming Language :: C++",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3 :: Only",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Typing :: Typed",
    ],
    long_description=(ROOT / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    packages=["mercer"],
    package_dir={"": "python"},
    package_data={"mercer": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("mercer._mercer", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    # Beside what else is built, not among the sources, unless these are what is installed (pip install -e .).
    options={} if "develop" in sys.argv else {"egg_info": {"egg_base": "build"}},
    zip_safe=False,
    python_requires=">=3.9",
    # Tried: Python 3.11, numpy 1.24, scikit-learn 1.2.1 (Debian 12), where all tests run; Python 3.13, numpy 2.2, scikit-learn 1.4.2 (Debian 13), with most of
    # them; Python 3.14, scikit-learn 1.9.0 (Debian testing), with scikit-learn's checks of a part of the estimators. Of 1.6 to 1.8, the changes that concern estimators are imitated in tests (tests/python/compatibility_test.py). Nothing private is used.
    install_requires=["numpy", "scipy", "scikit-learn>=1.2"],
)
