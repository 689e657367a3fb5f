#!/usr/bin/env bash
# X5, X6. Two columns and a class that depends on both together and on neither alone: how often the independence test (HSIC) notices, with a
# linear and with a Gaussian kernel, as noise grows. Then two coordinates of points on circles, hardly correlated and not independent:
# canonical correlations.
#   x5_dependence.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

rejected() {  # KERNEL NOISE: the part of 20 data sets whose p-value is at most 0.05
  for seed in $(seq 20); do
    "$mercer" generate xor -n 60 --noise "$2" --seed "$seed" -o rows.csv --quiet
    "$mercer" hsic rows.csv --kernel "$1" --permutations 200 --json | sed -n 's/.*"p_value": *\([0-9.e-]*\).*/\1/p'
  done | awk '$1 <= 0.05 { n += 1 } END { print n / NR }'
}
echo "noise of the columns,Gaussian kernel,linear kernel" > rejected.csv
for noise in 0.1 0.2 0.3 0.4 0.5 0.6 0.8 1; do echo "$noise,$(rejected "rbf(gamma=1)" $noise),$(rejected linear $noise)" >> rejected.csv; done
"$mercer" plot lines rejected.csv --label "part of the data sets called dependent" -o rejected.svg --quiet
"$mercer" generate xor -n 60 --noise 0.1 --seed 1 -o rows.csv --quiet
for left_out in x1 x2 none; do
  drop=(); if [ $left_out != none ]; then drop=(--drop $left_out); fi
  "$mercer" hsic rows.csv --kernel "rbf(gamma=1)" "${drop[@]}" --json > "without_$left_out.json"
done
"$mercer" generate circles -n 300 -o circles.csv --quiet
for kernel in linear "rbf(gamma=10)"; do
  "$mercer" cca circles.csv --x x1 --y x2 --kernel "$kernel" --components 1 --json > "cca_${kernel%%(*}.json"
done
