#!/usr/bin/env bash
# I1. Digits that are moved and turned a little, compared pixel by pixel, by the directions of their edges, and as sets of patches.
#   i1_patches.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate digit_images -n 600 -o test --quiet
rm test/*/0[01]??.png test/*/0200.png  # what is learned from is not tested on
echo images,pixels,hog,"patches of hog" > curve.csv
for n in 50 100 200; do
  "$mercer" generate digit_images -n $n -o train_$n --quiet  # the first n of them
  for kernel in "pixels rbf(gamma=1e-6)" "hog hog(cell=4, bins=9)" "patches patches(mapped(rbf(gamma=1), by=\"hog(cell=4, bins=9)\"), size=12, stride=2, normalize=cosine)"; do
    name=${kernel%% *}_$n
    "$mercer" fit train_$n --method svm --C 10 --kernel "${kernel#* }" -o m.mercer --json > fit_$name.json
    "$mercer" evaluate m.mercer test --json > $name.json
  done
  echo $n,$(awk -F: '/"accuracy":/ { print 1 - $2; exit }' pixels_$n.json),$(awk -F: '/"accuracy":/ { print 1 - $2; exit }' hog_$n.json),$(awk -F: '/"accuracy":/ { print 1 - $2; exit }' patches_$n.json) >> curve.csv
done
"$mercer" plot lines curve.csv --log x --label "test error" --title "Digits, shifted and rotated" -o curve.svg --quiet
