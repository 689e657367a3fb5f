#!/usr/bin/env bash
# E8. Bags of colours: 14 categories of images, each image a histogram of 16³ = 4,096 colours, the kernel Σ min(xᵢ, zᵢ), a
# many-class SVM. The images are drawn from palettes.
#   e8_colours.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

"$mercer" generate colour_images -n 560 -o train --quiet
for class in train/*; do mkdir -p "test/${class#train/}" "few/${class#train/}"; done
for image in train/*/*.png; do  # class/number: the first 280 are learned from, 98 of them are enough to see the blocks
  name=${image#train/}; number=${name#*/}; number=$((10#${number%.png}))
  if [ $number -gt 280 ]; then mv "$image" "test/$name"; elif [ $number -le 98 ]; then cp "$image" "few/$name"; fi
done
"$mercer" fit train --method svm --C 10 --kernel histogram -o m.mercer --json > fit.json
"$mercer" evaluate m.mercer test --json > test.json
"$mercer" check train --kernel histogram --json > check.json
"$mercer" plot gram few --kernel histogram -o gram.svg --quiet
"$mercer" plot confusion m.mercer test -o confusion.svg --quiet
