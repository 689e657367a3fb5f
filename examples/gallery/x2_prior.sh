#!/usr/bin/env bash
# X2. What a kernel expects: functions drawn from its Gaussian process, and what ‖f‖² penalizes.
#   x2_prior.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

prior() {  # NAME KERNEL
  "$mercer" plot prior --kernel "$2" --samples 3 -o "$1.svg" --quiet
  "$mercer" kernels "$2" --spectrum --json > "$1.json"
}
prior rbf "rbf(gamma=1)"
prior matern "matern(nu=1.5, length=1)"
prior laplace "laplace(lambda=1)"
prior mixture "spectral_mixture(weights=[0.6, 0.4], means=[[0.25], [1]], variances=[[0.002], [0.01]])"
