#!/usr/bin/env bash
# E7. Logistic regression on the D monomials of degree ≤ p costs about n·D² a step, kernelised about n²·(d + 64): which is cheaper
# changes at n = D²/(d + 64), and the program's own choice with it. Times of both are measured around the change for p = 4, and of 400
# rows for p = 3 as d grows.
#   e7_cost.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"
d=5
fit() {  # NAME N P OPTIONS…: logistic regression on a table of two classes
  "$mercer" generate friedman1 -n "$2" --dim $d | awk -F, -v OFS=, '{ $NF = NR == 1 ? "y" : ($NF > 14 ? "high" : "low"); print }' > rows.csv
  "$mercer" fit rows.csv --method logistic --kernel "poly(degree=$3, scale=0.1, offset=1)" --threads 1 --json "${@:4}" > "$1.json"
}
least() {  # of the seconds of three such fits
  for _ in 1 2 3; do fit "$@"; awk '/"fit":/ { print $2 + 0 }' "$1.json"; done | LC_ALL=C sort -g | sed -n 1p
}
for p in 2 3 4 5; do
  D=$("$mercer" features --kernel "poly(degree=$p, offset=1)" --count --dim $d --json | awk -F'"' '/"features"/ { print $4 }')
  change=$((D * D / (d + 64)))
  for n in $change $((change + 1)); do fit choice_${p}_${d}_${D}_$n $n $p; done
done
for d in 10 20 30; do
  D=$(((d + 1) * (d + 2) / 2))
  change=$((D * D / (d + 64)))
  for n in $change $((change + 1)); do fit choice_2_${d}_${D}_$n $n 2; done
done
echo columns,kernel,features > columns.csv
for d in 5 8 12 16 20; do echo $d,$(least kernel_columns_$d 400 3 --solver cholesky),$(least features_columns_$d 400 3 --solver primal) >> columns.csv; done
d=5
echo rows,kernel,features > times.csv
for n in 50 100 200 400 800 1600; do echo $n,$(least kernel_$n $n 4 --solver cholesky),$(least features_$n $n 4 --solver primal) >> times.csv; done
"$mercer" plot lines times.csv --log both --label seconds --title "Logistic regression, degree 4, 5 columns" -o times.svg --quiet
"$mercer" plot lines columns.csv --log both --label seconds --title "Logistic regression, degree 3, 400 rows" -o columns.svg --quiet
