#!/usr/bin/env bash
# D6 on handwritten digits: N training images of MNIST, chosen by chance, learned from pixel by pixel and over small shifts and turns, and
# 1,000 of its test images. Prints a row for each N and width of the Gaussian: the part of the test images that is wrong.
#   mnist_orbit.sh MERCER MNIST FOLDER [N…]       MNIST: a folder with X_train.npy, y_train.npy, X_test.npy, y_test.npy
set -euo pipefail
mercer=$(realpath "$1"); mnist=$(realpath "$2"); mkdir -p "$3"; cd "$3"; shift 3

sample() {  # NAME N FILE: N images, pixels from 0 to 1
  /usr/bin/python3 -c 'import sys, numpy as np
folder, name, n, file = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
X, y = (np.load(f"{folder}/{array}_{name}.npy", mmap_mode="r") for array in "Xy")
rows = np.random.default_rng(1).permutation(len(y))[:n]
np.savez(file, X=X[rows].reshape(n, -1) / 255, y=y[rows])' "$mnist" "$@"
}
wrong() {  # KERNEL
  "$mercer" fit train.npz --method svm --C 10 --kernel "$1" -o m.mercer --quiet
  "$mercer" evaluate m.mercer test.npz --json | awk -F: '/"accuracy":/ { printf "%.1f %%\n", 100 * (1 - $2); exit }'
}
sample test 1000 test.npz
echo "images,gamma,pixels,orbit"
for n in "${@:-200}"; do
  sample train "$n" train.npz
  for gamma in 0.01 0.02 0.04; do
    echo "$n,$gamma,$(wrong "rbf(gamma=$gamma)"),$(wrong "normalize(orbit(rbf(gamma=$gamma), shifts=1, rotations=5))")"
  done
done
