#!/usr/bin/env bash
# E9. The hinge loss as a function of the margin y·f(x), and a linear SVM with the two lines f = ±1: the support vectors are the
# points on or inside them.
#   e9_hinge.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate blobs --classes 2 --dim 2 -n 80 --noise 3 --seed 3 -o train.csv --quiet
"$mercer" fit train.csv --method svm --C 1 --kernel linear -o m.mercer --json > fit.json
"$mercer" predict m.mercer train.csv --score -o scores.txt --quiet
"$mercer" plot regions m.mercer train.csv -o margin.svg --quiet
"$mercer" plot losses hinge squared_hinge logistic -o losses.svg --quiet
