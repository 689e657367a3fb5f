#!/usr/bin/env bash
# X12. Two outputs that learn from each other: b is observed in a few rows of the right half, a in all.
#   x12_outputs.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

# a = sin 2x + x/2 and b = 1 − 0.8 a, each with noise of its own, the same with every awk.
awk 'function noise(s,  k, sum) { for (k = 0; k < 12; k++) { state = state * 16807 % 2147483647; sum += state / 2147483647 }; return s * (sum - 6) }
     BEGIN { state = 3; print "x,a,b" > "all.csv"; print "x,a,b" > "gaps.csv"; print "x,b" > "b.csv"; print "x,b" > "b_test.csv"
             for (i = 0; i < 120; i++) {
               x = -3 + 6 * i / 119; f = sin(2 * x) + x / 2; a = f + noise(0.1); b = 1 - 0.8 * f + noise(0.2); seen = x < 0 || i % 20 == 0
               print x "," a "," b > "all.csv"; print x "," a "," (seen ? b : "") > "gaps.csv"
               print x "," b > (seen ? "b.csv" : "b_test.csv")
             } }'
"$mercer" fit gaps.csv --target a,b --method multi_gp --kernel "rbf(gamma=1)" -o both.mercer --json > both.json
"$mercer" fit b.csv --target b --method gp --kernel "rbf(gamma=1)" -o alone.mercer --json > alone.json
"$mercer" plot curve both.mercer all.csv -o both.svg --quiet
"$mercer" plot curve alone.mercer b_test.csv -o alone.svg --quiet
"$mercer" evaluate alone.mercer b_test.csv --json > alone_test.json
"$mercer" predict both.mercer b_test.csv > both.txt
