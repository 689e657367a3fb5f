#!/usr/bin/env python3
"""Builds the documentation site: docs/site/build.py FOLDER. A warning of Sphinx's is an error, so no link of the site is broken.

MERCER names the program and PYTHONPATH the built Python package. The site is complete or not there: it is made beside its place and moved."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def build(folder):
    """What Sphinx printed, if it failed; the folder is as it was then."""
    folder = pathlib.Path(folder).resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as work:
        source, made = pathlib.Path(work, "source"), pathlib.Path(work, "html")
        subprocess.run([sys.executable, "-B", HERE / "stage.py", source], check=True)
        done = subprocess.run([sys.executable, "-B", "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "2", "-c", HERE, "-d", pathlib.Path(work, "doctrees"), source, made],
                              capture_output=True, text=True)
        if done.returncode:
            return (done.stdout + done.stderr).replace(f"{source}/", "")
        (made / ".buildinfo").unlink()
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
    return ""


if __name__ == "__main__":
    failed = build(sys.argv[1])
    if failed:
        sys.exit(f"the site was not built:\n{failed}")
