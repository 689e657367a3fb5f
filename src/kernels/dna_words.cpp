#include "kernels/dna_words.hpp"

#include <algorithm>

namespace mercer {

std::uint8_t nucleotide(char letter) noexcept {
  constexpr std::string_view letters = "ACGTacgtUu";
  constexpr std::uint8_t numbers[] = {0, 1, 2, 3, 0, 1, 2, 3, 3, 3};
  const std::size_t place = letters.find(letter);
  return place == letters.npos ? no_nucleotide : numbers[place];
}

std::vector<std::uint8_t> nucleotides(std::string_view text) {
  std::vector<std::uint8_t> strand(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) strand[i] = nucleotide(text[i]);
  return strand;
}

std::vector<std::uint8_t> reverse_complement(const std::vector<std::uint8_t>& strand) {
  std::vector<std::uint8_t> other(strand.rbegin(), strand.rend());
  for (std::uint8_t& letter : other)
    if (letter != no_nucleotide) letter = std::uint8_t(3 - letter);
  return other;
}

Tracks::Tracks(const std::vector<std::uint8_t>& strand)
    : size_(strand.size()),
      stride_(strand.size() + 2 * simd::track_margin),
      bytes_(5 * stride_, simd::outside_track) {
  for (std::uint8_t letter = 0; letter < no_nucleotide; ++letter)
    for (std::size_t j = 0; j < size_; ++j)
      if (strand[j] != no_nucleotide) bytes_[letter * stride_ + simd::track_margin + j] = strand[j] == letter;
}

PairCounts count_pairs(const std::vector<std::uint8_t>& x, const Tracks& z, int l, int d,
                       simd::CountDiagonals count) {
  PairCounts counts{};
  const auto words = [&](std::size_t size) { return std::ptrdiff_t(size) - l + 1; };
  if (words(x.size()) <= 0 || words(z.size()) <= 0) return counts;
  simd::Diagonals job{x.data(), words(x.size()), words(z.size()), {}, l, counts.data()};
  for (std::uint8_t letter = 0; letter < 5; ++letter) job.tracks[letter] = z.of(letter);
  count(job, d + 1);
  std::fill(counts.begin() + d + 1, counts.end(), 0);
  return counts;
}

}  // namespace mercer
