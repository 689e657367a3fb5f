// Similarities of the words of random_symbols(), and the kernel of texts computed from them word by word.
#pragma once

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "mercer/word_vectors.hpp"

namespace mercer {

using WordWeights = std::map<std::string, double>;
using Similarity = std::map<std::pair<std::string, std::string>, double>;

inline const std::vector<std::string>& sample_words() {
  static const std::vector<std::string> words{"ab", "ba", "abb", "bab", "cab", "c", "abc"};
  return words;
}

/// Vectors of the first `count` of the words, row-major.
inline std::vector<double> random_vectors(std::size_t count, std::size_t dimensions, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count * dimensions);
  for (double& value : values) value = random.normal();
  return values;
}

inline Similarity dots_of(std::span<const double> vectors, std::size_t count, std::size_t dimensions) {
  Similarity similarity;
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t w = 0; w < count; ++w)
      for (std::size_t k = 0; k < dimensions; ++k)
        similarity[{sample_words()[v], sample_words()[w]}] +=
            vectors[v * dimensions + k] * vectors[w * dimensions + k];
  return similarity;
}

/// How often each word of a text is in it.
inline WordWeights word_counts(const std::string& text) {
  WordWeights counts;
  std::istringstream in(text);
  for (std::string word; in >> word;) counts[word] += 1;
  return counts;
}

/// Σ_v Σ_w x(v) S(v, w) z(w), S being 0 where it is not given.
inline double soft_dot(const WordWeights& x, const WordWeights& z, const Similarity& similarity) {
  double sum = 0;
  for (const auto& [v, a] : x)
    for (const auto& [w, b] : z)
      if (const auto found = similarity.find({v, w}); found != similarity.end()) sum += a * b * found->second;
  return sum;
}

}  // namespace mercer
