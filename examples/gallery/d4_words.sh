#!/usr/bin/env bash
# D4. Words that are alike: short texts about animals and about vehicles, of which few share a word that tells, compared by the words they share
# and by the similarities of their words.
#   d4_words.sh MERCER FOLDER
set -euo pipefail
mercer=$(realpath "$1"); mkdir -p "$2"; cd "$2"

animals="cat kitten tabby dog puppy hound horse pony foal cow calf heifer sheep lamb ewe goat"
vehicles="car sedan taxi truck lorry van bus coach minibus train tram carriage bicycle tandem scooter moped"
common="the a one this that my your our their in on at near behind was is has had very quite"

# texts SEED COUNT: six common words and one that tells the class, in a place drawn by the "minimal standard" generator (Park & Miller 1988)
texts() {
  awk -v state="$1" -v n="$2" -v animals="$animals" -v vehicles="$vehicles" -v common="$common" '
    function draw(k) { state = (16807 * state) % 2147483647; return int(k * state / 2147483647) }
    BEGIN {
      split(animals, word0); split(vehicles, word1); size = split(common, filler); print "text,class"
      for (i = 0; i < n; ++i) {
        line = ""; place = draw(7)
        for (k = 0; k < 7; ++k) line = line (k ? " " : "") (k == place ? (i % 2 ? word1[1 + draw(16)] : word0[1 + draw(16)]) : filler[1 + draw(size)])
        print line "," (i % 2 ? "vehicle" : "animal")
      }
    }'
}

# Every two animals are 0.5 alike, and every two vehicles.
for list in "$animals" "$vehicles"; do
  for a in $list; do for b in $list; do [[ $a < $b ]] && printf '%s\t%s\t0.5\n' "$a" "$b"; done; done
done > similar.tsv || true

texts 7 1000 > test.csv
echo texts,"equal words","similar words" > curve.csv
for n in 10 20 40 80 160; do
  texts 1 $n > train.csv
  for kernel in "equal bow" "similar bow(similarity=similar.tsv, missing=own)"; do
    name=${kernel%% *}_$n
    "$mercer" fit train.csv --target class --method svm --kernel "normalize(${kernel#* })" -o m.mercer --json > fit_$name.json
    "$mercer" evaluate m.mercer test.csv --json > $name.json
  done
  echo $n,$(awk -F: '/"accuracy":/ { print 1 - $2; exit }' equal_$n.json),$(awk -F: '/"accuracy":/ { print 1 - $2; exit }' similar_$n.json) >> curve.csv
done
"$mercer" plot lines curve.csv --log x --label "test error" --title "Short texts, equal and similar words" -o curve.svg --quiet
