#!/usr/bin/env bash
# Installs the R package into a temporary library and runs its tests.
#   r_test.sh LIBMERCER SOURCE        exit 77, with a line that says so, where there is no R
set -euo pipefail
library=$1 source=$2
command -v R >/dev/null || { echo "skipped: there is no R here (Debian: r-base-core)"; exit 77; }
case $(basename "$library") in *.so*) ;; *) echo "skipped: R needs the shared library"; exit 77 ;; esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$source/r" "$folder/r"
mkdir "$folder/library"
place=$(dirname "$library")
export MERCER_CFLAGS=-I$source/include MERCER_LIBS="-L$place -lmercer -Wl,-rpath,$place"
R CMD INSTALL --no-test-load --library="$folder/library" "$folder/r" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
! grep -i 'warning' "$folder/log" || { echo "R CMD INSTALL warns"; exit 1; }
cd "$folder"
R_LIBS=$folder/library Rscript --vanilla r/tests/mercer.R
