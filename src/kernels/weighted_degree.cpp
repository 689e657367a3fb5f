// A substring at place i is the feature (i, substring) of weight √β. With a shift S it is a feature at each
// of the places i … i + S, of weight √(β/(S + 1)): substrings at i and j then share S + 1 − |i − j| of them.
#include "mercer/kernels/weighted_degree.hpp"

#include <algorithm>
#include <cmath>

namespace mercer {

void WeightedDegree::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const std::string_view text = x.texts()[i];
  const double D = degree;
  std::vector<double> weights(std::size_t(degree) + 1);
  for (std::size_t e = 1; e < weights.size(); ++e)
    weights[e] = std::sqrt(2 * (D - double(e) + 1) / (D * (D + 1)) / (shift + 1));
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::uint64_t word = 0;  // each substring's key continues that of the one before
    for (std::size_t e = 1; e <= std::min(std::size_t(degree), text.size() - at); ++e) {
      word = key_of(word, std::uint64_t(static_cast<unsigned char>(text[at + e - 1])));
      for (std::size_t place = at; place <= at + std::size_t(shift); ++place)
        out.add(key_of(word, place), weights[e], {std::uint32_t(at), std::uint32_t(at + e)});
    }
  }
}

}  // namespace mercer
