#!/usr/bin/env bash
# E2. Data that no line separates: the linear SVM, and the SVM with a Gaussian kernel, σ² = ½ and C = 1.
#   e2_gaussian.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate xor -n 200 -o train.csv --quiet
"$mercer" generate xor -n 1000 --seed 2 -o test.csv --quiet
fit() {  # NAME KERNEL
  "$mercer" fit train.csv --method svm --C 1 --kernel "$2" -o "$1.mercer" --json > "$1_fit.json"
  "$mercer" evaluate "$1.mercer" test.csv --json > "$1_test.json"
  "$mercer" plot regions "$1.mercer" train.csv -o "$1.svg" --quiet
}
fit linear linear
fit gaussian "rbf(sigma=0.70710678)"
