#!/usr/bin/env bash
# X9. Online learning: rows come in parts of 100, and the perceptron keeps 10, 40 or 200 points of them.
#   x9_online.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate moons -n 2000 --noise 0.2 -o stream.csv --quiet
"$mercer" generate moons -n 2000 --noise 0.2 --seed 2 -o test.csv --quiet
head -n 1 stream.csv > names
tail -n +2 stream.csv | split -l 100 -d - part_
echo "rows,10 points,40 points,200 points" > accuracy.csv
rows=0
for part in part_*; do
  cat names "$part" > part.csv
  rows=$((rows + 100)); line=$rows
  for budget in 10 40 200; do
    if [ $rows = 100 ]; then how=(--method online_perceptron --kernel "rbf(gamma=2)" --budget $budget); else how=(--resume "online_$budget.mercer"); fi
    "$mercer" fit part.csv "${how[@]}" -o "online_$budget.mercer" --quiet > /dev/null
    "$mercer" evaluate "online_$budget.mercer" test.csv --json > "test_$budget.json"
    line="$line,$(sed -n 's/^ *"accuracy": *\([0-9.]*\).*/\1/p' "test_$budget.json" | head -n 1)"
  done
  echo "$line" >> accuracy.csv
done
"$mercer" plot lines accuracy.csv --label "test accuracy" -o accuracy.svg --quiet
for budget in 10 40 200; do
  "$mercer" inspect "online_$budget.mercer" --json > "model_$budget.json"
  "$mercer" plot regions "online_$budget.mercer" stream.csv -o "points_$budget.svg" --quiet
done
"$mercer" fit stream.csv --method svm --kernel "rbf(gamma=2)" -o svm.mercer --json > svm.json
"$mercer" evaluate svm.mercer test.csv --json > test_svm.json
