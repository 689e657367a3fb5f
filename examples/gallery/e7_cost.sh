#!/usr/bin/env bash
# E7. Logistic regression on the D monomials of degree ≤ p costs about n·D² a step, kernelised about n²·(d + 64): which is cheaper
# changes at n = D²/(d + 64), and the program's own choice with it. Times of both are measured around the change for p = 4.
#   e7_cost.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

d=5
rows() {  # N: a table of two classes
  "$mercer" generate friedman1 -n "$1" --dim $d | awk -F, -v OFS=, '{ $NF = NR == 1 ? "y" : ($NF > 14 ? "high" : "low"); print }' > rows.csv
}
for p in 2 3 4 5; do
  D=$("$mercer" features --kernel "poly(degree=$p, offset=1)" --count --dim $d --json | awk -F'"' '/"features"/ { print $4 }')
  for n in $((D * D / (d + 64))) $((D * D / (d + 64) + 1)); do
    rows $n
    "$mercer" fit rows.csv --method logistic --kernel "poly(degree=$p, scale=0.1, offset=1)" --json > choice_${p}_${D}_$n.json
  done
done
for n in 50 100 200 400 800 1600; do
  rows $n
  for way in none explicit; do  # the kernel, or its features
    "$mercer" fit rows.csv --method logistic --kernel "poly(degree=4, scale=0.1, offset=1)" --approx $way --threads 1 --json > ${way}_$n.json
  done
done
