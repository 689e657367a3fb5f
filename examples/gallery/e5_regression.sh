#!/usr/bin/env bash
# E5. Kernel regression (Nadaraya–Watson) on a line with noise, a sine with a slope and noise, and noise alone. The width of the kernel
# is the one with the least leave-one-out error.
#   e5_regression.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

for data in line sine noise; do
  "$mercer" generate $data -n 100 -o train.csv --quiet
  "$mercer" generate $data -n 1000 --seed 2 -o test.csv --quiet
  "$mercer" fit train.csv --method nadaraya_watson --bandwidth loo -o m.mercer --json > ${data}_fit.json
  "$mercer" evaluate m.mercer test.csv --json > ${data}_test.json
  "$mercer" plot curve m.mercer train.csv -o $data.svg --quiet
done
