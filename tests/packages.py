#!/usr/bin/env python3
"""The Debian packages that CPack makes of a folder of a build: their dependencies, also on libraries that are loaded late, and their files; run by ctest.

    packages.py BUILD      exit 77 where there is no dpkg-shlibdeps
"""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LOADED_LATE = {"libopenblas0-openmp", "libdnnl2", "libzip4", "libpng16-16"}
FILES = {
    "mercer": ["/usr/bin/mercer", "/share/man/man1/mercer.1", "/bash-completion/completions/mercer", "/zsh/site-functions/_mercer", "/doc/mercer/copyright"],
    "libmercer0.7": ["/libmercer.so.0.7", "/doc/libmercer0.7/copyright"],
    "libmercer-dev": ["/include/mercer/mercer.h", "/include/mercer/kernels.hpp", "/pkgconfig/mercer.pc", "/cmake/mercer/mercerConfig.cmake", "/libmercer.so"],
}


def output(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def check(package, faults):
    name = output("dpkg-deb", "-f", package, "Package").strip()
    needed = {one.split()[0] for one in output("dpkg-deb", "-f", package, "Depends").split(",")}
    listed = [line.split()[5] for line in output("dpkg-deb", "-c", package).splitlines()]
    if name == "libmercer-dev":
        if needed != {"libmercer0.7"}:
            faults.append(f"{name} depends on {sorted(needed)}")
    elif not LOADED_LATE | {"libc6", "libgomp1"} <= needed:
        faults.append(f"{name} depends on {sorted(needed)} alone")
    faults += [f"{name} lacks {file}" for file in FILES[name] if not any(one.endswith(file) for one in listed)]
    faults += [f"{name} has {file}" for file in listed if "/local/" in file]
    return name


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not shutil.which("dpkg-shlibdeps") or not shutil.which("cpack"):
        print("skipped: there is no dpkg-shlibdeps here (Debian: dpkg-dev)")
        return 77
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        output("cpack", "--config", Path(sys.argv[1]) / "CPackConfig.cmake", "-B", folder, "-D", "CPACK_COMPONENTS_ALL=program;library;development",
               "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")
        packages = sorted(Path(folder).glob("*.deb"))
        names = {check(package, faults) for package in packages}
        if names != set(FILES):
            faults.append(f"made {sorted(names)}")
        for package in packages:
            output("dpkg-deb", "-x", package, Path(folder) / "root")
        said = output(Path(folder) / "root/usr/bin/mercer", "--version")
        if not said.startswith("mercer "):
            faults.append(f"the packed program says {said!r}")
    print("\n".join(faults) or f"{len(names)} packages as expected")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
