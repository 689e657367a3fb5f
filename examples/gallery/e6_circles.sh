#!/usr/bin/env bash
# E6. A circle inside a circle: no line separates them, but a plane does after (x₁, x₂) ↦ (x₁, x₂, x₁² + x₂²), and a line after
# (x₁, x₂) ↦ (x₁², x₂²).
#   e6_circles.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate circles -n 200 -o train.csv --quiet
"$mercer" generate circles -n 1000 --seed 2 -o test.csv --quiet
for part in train test; do  # the second map by hand, to see its plane
  awk -F, -v OFS=, 'NR == 1 { print "x1_squared", "x2_squared", "y" } NR > 1 { print $1 * $1, $2 * $2, $3 }' $part.csv > ${part}_squares.csv
done
fit() {  # NAME KERNEL TRAIN TEST
  "$mercer" fit "$3" --method svm --C 10 --kernel "$2" -o "$1.mercer" --json > "$1_fit.json"
  "$mercer" evaluate "$1.mercer" "$4" --json > "$1_test.json"
  "$mercer" plot regions "$1.mercer" "$3" -o "$1.svg" --quiet
}
fit linear linear train.csv test.csv
fit append_norm "mapped(linear, by=append_norm)" train.csv test.csv
fit squares linear train_squares.csv test_squares.csv
