#!/usr/bin/env bash
# E1. Y = sin(‖X‖²) + N(0, 0.04), X uniform on [−7/2, 7/2]²: f(x) = Σ αᵢ e^(−‖x−xᵢ‖²) with the price λ‖α‖² (ridge regression on
# basis functions) and with λαᵀKα (kernel ridge regression). λ is chosen on the test rows, as in the lecture.
#   e1_ridge.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate sinc2d -n 900 -o train.csv --quiet
"$mercer" generate sinc2d -n 2000 --seed 1001 -o test.csv --quiet
for part in train test; do
  "$mercer" gram $part.csv --reference train.csv --kernel "rbf(gamma=1)" -o $part.npy --quiet  # a basis function a column
  cut -d, -f3 $part.csv | "$mercer" convert - ${part}_y.npy --format csv --target none --quiet
done
for lambda in 1e-14 1e-12 1e-10; do
  "$mercer" fit train.npy --target train_y.npy --method ridge --kernel linear --lambda $lambda -o m.mercer --quiet || [ $? = 1 ]
  "$mercer" evaluate m.mercer test.npy --target test_y.npy --json > basis_$lambda.json
done
for lambda in 1e-10 1e-8 1e-6; do
  "$mercer" fit train.csv --method ridge --kernel "rbf(gamma=1)" --lambda $lambda -o m.mercer --quiet
  "$mercer" evaluate m.mercer test.csv --json > kernel_$lambda.json
done
"$mercer" plot path train.csv --kernel "rbf(gamma=1)" -o path.svg --json > path.json
