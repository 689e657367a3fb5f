#!/usr/bin/env bash
# E3. The Gaussian SVM with γ = 1, 10, 100: sharper and sharper, until every point has an island of its own.
#   e3_sharper.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate moons -n 100 --noise 0.2 -o train.csv --quiet
"$mercer" generate moons -n 1000 --noise 0.2 --seed 2 -o test.csv --quiet
for gamma in 1 10 100; do
  "$mercer" fit train.csv --method svm --C 10 --kernel "rbf(gamma=$gamma)" -o m.mercer --json > fit_$gamma.json
  for part in train test; do "$mercer" evaluate m.mercer $part.csv --json > ${part}_$gamma.json; done
  "$mercer" plot regions m.mercer train.csv -o gamma_$gamma.svg --quiet
done
