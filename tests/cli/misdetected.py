"""A machine whose CPU OpenBLAS does not know, for tests and benchmarks."""
import pathlib
import shutil
import subprocess

# Tells OpenBLAS, and nobody else, that it is to run its oldest kernels: what it decides by itself on a CPU newer than itself.
MISDETECTED = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
char* getenv(const char* name) {
  static char* (*real)(const char*);
  if (!real) real = (char* (*)(const char*))dlsym(RTLD_NEXT, "getenv");
  char* value = real(name);
  Dl_info caller;
  if (!value && strcmp(name, "OPENBLAS_CORETYPE") == 0 && dladdr(__builtin_return_address(0), &caller) && strstr(caller.dli_fname, "libopenblas"))
    return (char*)"Prescott";
  return value;
}
"""


def build_shim(folder):
    """A library for LD_PRELOAD that plays such a machine; None where there is no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        return None
    source, library = pathlib.Path(folder) / "misdetected.c", pathlib.Path(folder) / "misdetected.so"
    source.write_text(MISDETECTED)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library
