#!/usr/bin/env bash
# E8. Bags of colours: 14 categories of pictures, each picture a histogram of 16³ = 4,096 colours, the kernel Σ min(xᵢ, zᵢ), a
# many-class SVM. The pictures are drawn from palettes by colours.py.
#   e8_colours.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); colours=$(realpath "$(dirname "$0")/colours.py"); mkdir -p "$2"; cd "$2"

/usr/bin/python3 "$colours" train.svm test.svm
"$mercer" fit train.svm --method svm --C 10 --kernel intersection -o m.mercer --json > fit.json
"$mercer" evaluate m.mercer test.svm --json > test.json
"$mercer" check train.svm --kernel intersection --json > check.json
awk 'NR % 3 == 1' train.svm > third.svm  # enough to see the blocks
"$mercer" plot gram third.svm --kernel intersection -o gram.svg --quiet
"$mercer" plot confusion m.mercer test.svm -o confusion.svg --quiet
