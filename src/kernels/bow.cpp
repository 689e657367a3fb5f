#include "mercer/kernels/bow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/text_source.hpp"
#include "data/words.hpp"
#include "mercer/error.hpp"

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

[[noreturn]] void refuse_word(const Objects& x, std::size_t i, const std::string& word) {
  throw Error(
      ErrorCode::invalid_data,
      fmt::format("row {} of column '{}' has the word {}, which is not in the file of similarities: {}",
                  i + 1, x.name(), in_quotes(word), in_quotes(x.texts()[i])),
      {.owner = "bow",
       .hint = "missing=own makes such words alike to themselves only, missing=ignore leaves them out"});
}

/// The same where words have vectors: a run of words goes by the name that word2vec's phrases have, with _
/// between its words. What has no vector is refused, kept or left out, as `missing` says.
std::vector<Occurrence> runs_with_vectors(const Objects& x, std::size_t i, std::size_t longest,
                                          Letters letters, const WordVectors& vectors,
                                          std::string_view missing) {
  std::vector<std::pair<std::string, std::size_t>> words;  // and where they begin
  std::vector<Occurrence> runs;
  const auto use = [&](std::string_view word, std::size_t begin, std::size_t end) {
    words.emplace_back(word, begin);
    std::string run;
    for (std::size_t length = 1; length <= std::min(longest, words.size()); ++length) {
      const auto& [first, from] = words[words.size() - length];
      run = length == 1 ? first : first + "_" + run;
      const std::uint64_t key = key_of(run);
      if (!vectors.find(key)) {
        if (missing == "ignore") continue;
        if (missing == "refuse") refuse_word(x, i, run);
      }
      runs.push_back({key, {std::uint32_t(from), std::uint32_t(end)}});
    }
  };
  each_word(x.texts()[i], x.domain(), use, letters);
  return runs;
}

}  // namespace

void Bow::prepare() {
  if (similarity.name.empty() && missing == "refuse") missing.reset();  // the default
  if (similarity.name.empty() && missing)
    throw Error(ErrorCode::invalid_kernel, "missing is about words that have no similarity",
                {.hint = "give similarity=FILE too, or leave missing out"});
}

void Bow::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  if (!similarity.name.empty() && !similarity.vectors)
    throw Error(ErrorCode::invalid_kernel, fmt::format("the word vectors '{}' are not read", similarity.name),
                {.owner = "bow", .hint = "resolve the kernel first"});
  const Letters written = letters == "lower" ? Letters::lower : Letters::as_written;
  const std::vector<Occurrence> runs =
      similarity.vectors ? runs_with_vectors(x, i, std::size_t(ngrams), written, *similarity.vectors,
                                             missing.value_or("refuse"))
                         : runs_of_words(x, i, std::size_t(ngrams), written);
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
