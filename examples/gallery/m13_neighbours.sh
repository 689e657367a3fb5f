#!/usr/bin/env bash
# M13. Nearest neighbours and the SVM over the same kernel: a vote of all rows near by, and of those that matter.
#   m13_neighbours.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate moons -n 200 --noise 0.3 -o train.csv --quiet
"$mercer" generate moons -n 2000 --noise 0.3 --seed 2 -o test.csv --quiet
fit() {  # NAME METHOD OPTION…
  "$mercer" fit train.csv --method "$2" --kernel "rbf(gamma=1)" "${@:3}" -o "$1.mercer" --json > "$1_fit.json"
  "$mercer" inspect "$1.mercer" --json > "$1_model.json"
  "$mercer" evaluate "$1.mercer" test.csv --json > "$1_test.json"
  "$mercer" plot regions "$1.mercer" train.csv -o "$1.svg" --quiet
}
fit nearest knn --neighbours 1
fit neighbours knn --neighbours 9
fit svm svm --C 1
