#!/usr/bin/env bash
# E10. A polynomial fit of degree 3, 9 and 20 to 21 points of a sine: too stiff, right, too free. The price λ‖f‖² makes the one of
# degree 20 smooth again.
#   e10_degree.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate sine -n 1000 -o many.csv --quiet
{ head -n 1 many.csv; tail -n +2 many.csv | LC_ALL=C sort -g | awk 'NR % 50 == 1 || NR == 1000'; } > train.csv  # spread over the range
"$mercer" generate sine -n 1000 --seed 2 -o test.csv --quiet
fit() {  # NAME DEGREE LAMBDA
  "$mercer" fit train.csv --method ridge --kernel "poly(degree=$2, scale=0.1, offset=1)" --lambda "$3" -o m.mercer --json > "$1_fit.json" ||
    [ $? = 1 ]  # the smallest λ leaves a larger residual than was asked for
  for part in train test; do "$mercer" evaluate m.mercer $part.csv --json > "$1_$part.json"; done
  "$mercer" plot curve m.mercer train.csv --title "degree $2, λ = $3" -o "$1.svg" --quiet
}
fit stiff 3 1e-9
fit right 9 1e-9
fit free 20 1e-12
fit smooth 20 1e-3
