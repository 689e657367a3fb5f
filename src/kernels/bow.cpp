#include "mercer/kernels/bow.hpp"

#include <algorithm>
#include <cmath>

#include "data/words.hpp"

namespace mercer {

namespace {

struct Occurrence {
  std::uint64_t key;
  Part part;
};

/// Words and runs of words, in the order in which they end.
std::vector<Occurrence> runs_of_words(const Objects& x, std::size_t i, std::size_t longest, Letters letters) {
  std::vector<Occurrence> words, runs;
  const auto use = [&](std::string_view word, std::size_t begin, std::size_t end) {
    words.push_back({key_of(word), {std::uint32_t(begin), std::uint32_t(end)}});
    std::uint64_t key = words.back().key;
    runs.push_back(words.back());
    for (std::size_t length = 2; length <= std::min(longest, words.size()); ++length) {
      const Occurrence& first = words[words.size() - length];
      key = key_of(first.key, key);
      runs.push_back({key, {first.part.begin, std::uint32_t(end)}});
    }
  };
  each_word(x.texts()[i], x.domain(), use, letters);
  return runs;
}

}  // namespace

void Bow::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const std::vector<Occurrence> runs =
      runs_of_words(x, i, std::size_t(ngrams), letters == "lower" ? Letters::lower : Letters::as_written);
  if (weight == "count" || weight == "tfidf") {
    for (const Occurrence& run : runs) out.add(run.key, 1, run.part);
    return;
  }
  std::vector<std::uint64_t> keys;
  for (const Occurrence& run : runs) keys.push_back(run.key);
  std::ranges::sort(keys);
  const auto value_of = [&](double count) { return weight == "log" ? 1 + std::log(count) : 1; };
  if (out.keeps_parts()) {  // the occurrences share the weight
    for (const Occurrence& run : runs) {
      const auto count = double(std::ranges::equal_range(keys, run.key).size());
      out.add(run.key, value_of(count) / count, run.part);
    }
    return;
  }
  for (auto first = keys.begin(); first != keys.end();) {
    const auto last = std::upper_bound(first, keys.end(), *first);
    out.add(*first, value_of(double(last - first)));
    first = last;
  }
}

}  // namespace mercer
