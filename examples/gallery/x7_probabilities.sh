#!/usr/bin/env bash
# X7. Gaussian process classification: probabilities that know where there were no rows, and whether they are right.
#   x7_probabilities.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate moons -n 120 --noise 0.3 -o train.csv --quiet
"$mercer" generate moons -n 2000 --noise 0.3 --seed 2 -o test.csv --quiet
fit() {  # NAME OPTION…
  "$mercer" fit train.csv --kernel "rbf(gamma=1)" "${@:2}" -o "$1.mercer" --json > "$1_fit.json"
  "$mercer" evaluate "$1.mercer" test.csv --json > "$1_test.json"
}
fit process --method gp_classifier
fit svm --method svm --proba
"$mercer" plot regions process.mercer train.csv -o regions.svg --quiet
"$mercer" plot calibration process.mercer test.csv -o calibration.svg --quiet
