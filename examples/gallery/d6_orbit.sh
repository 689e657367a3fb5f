#!/usr/bin/env bash
# D6. What does not matter can be told to a kernel: digits that are moved and turned a little, compared pixel by pixel and over all
# small shifts and turns of both, for few training images.
#   d6_orbit.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate digit_images -n 600 -o test --quiet
rm test/*/0[01]??.png test/*/0200.png  # what is learned from is not tested on
echo images,pixels,orbit > curve.csv
for n in 50 100 200; do
  "$mercer" generate digit_images -n $n -o train_$n --quiet  # the first n of them
  for kernel in "pixels rbf(gamma=1e-6)" "orbit normalize(orbit(rbf(gamma=1e-6), shifts=1, rotations=5))"; do
    name=${kernel%% *}_$n
    "$mercer" fit train_$n --method svm --C 10 --kernel "${kernel#* }" -o m.mercer --json > fit_$name.json
    "$mercer" evaluate m.mercer test --json > $name.json
  done
  echo $n,$(awk -F: '/"accuracy":/ { print 1 - $2; exit }' pixels_$n.json),$(awk -F: '/"accuracy":/ { print 1 - $2; exit }' orbit_$n.json) >> curve.csv
done
"$mercer" plot lines curve.csv --log x --label "test error" --title "Digits, shifted and rotated" -o curve.svg --quiet
