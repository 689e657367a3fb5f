#include "mercer/kernels/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/dna_words.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr int most_packed = 31;  // letters of two bits in a key

/// The key of a word of DNA is the smaller of its own number in base 4 and that of its reverse complement;
/// both roll on with each letter.
void both_strands(std::string_view text, int k, FeatureRow& out) {
  const std::uint64_t mask = (std::uint64_t(1) << (2 * k)) - 1;
  std::uint64_t forward = 0, backward = 0;
  int letters = 0;  // in a row that are nucleotides
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::uint8_t letter = nucleotide(text[at]);
    letters = letter == no_nucleotide ? 0 : std::min(letters + 1, k);
    forward = ((forward << 2) | (letter & 3u)) & mask;
    backward = (backward >> 2) | (std::uint64_t(3 - (letter & 3)) << (2 * (k - 1)));
    if (letters == k)
      out.add(std::min(forward, backward), 1,
              {std::uint32_t(at + 1 - std::size_t(k)), std::uint32_t(at + 1)});
  }
}

}  // namespace

void Spectrum::prepare() const {
  if (reverse_complement == "yes" && k > most_packed)
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("k must be at most {} with reverse_complement=yes, not {}", most_packed, k));
}

void Spectrum::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const std::string_view text = x.texts()[i];
  if (reverse_complement == "yes") return both_strands(text, k, out);
  const auto length = std::size_t(k);
  for (std::size_t at = 0; at + length <= text.size(); ++at)
    out.add(key_of(text.substr(at, length)), 1, {std::uint32_t(at), std::uint32_t(at + length)});
}

}  // namespace mercer
