#!/usr/bin/env bash
# X8. A sparse Gaussian process: a few inducing points stand for all rows.
#   x8_inducing.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate sine -n 400 -o train.csv --quiet
for count in 3 6 20; do
  "$mercer" fit train.csv --method sparse_gp --kernel "rbf(gamma=10)" --inducing $count -o "sparse_$count.mercer" --json > "sparse_$count.json"
  "$mercer" plot curve "sparse_$count.mercer" train.csv -o "inducing_$count.svg" --quiet
done
"$mercer" fit train.csv --method gp --kernel "rbf(gamma=10)" -o gp.mercer --json > gp.json
