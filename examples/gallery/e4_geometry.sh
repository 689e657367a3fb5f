#!/usr/bin/env bash
# E4. Kernels of degree 2 with different weights: all of them reach every conic, but distances differ, and so do the margin, its
# support vectors and the boundary. Then a polynomial of degree 10. All with the hard margin, on points kept off the two axes.
#   e4_geometry.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate xor -n 60 --noise 0 | awk -F, 'NR == 1 || $1 * $2 > 0.02 || $1 * $2 < -0.02' > xor.csv
"$mercer" generate moons -n 60 -o moons.csv --quiet
fit() {  # NAME DATA KERNEL
  "$mercer" fit "$2" --method svm --C inf --kernel "$3" -o "$1.mercer" --json > "$1_fit.json"
  "$mercer" predict "$1.mercer" "$2" --score -o "$1_scores.txt" --quiet  # |score| = 1 on the margin: the support vectors
  "$mercer" plot regions "$1.mercer" "$2" -o "$1.svg" --quiet
}
fit small xor.csv "poly(degree=2, scale=0.001, offset=1)"
fit middle xor.csv "1 + linear + linear^2"
fit large xor.csv "poly(degree=2, scale=1000, offset=1)"
fit tenth moons.csv "poly(degree=10, scale=0.1, offset=1)"
