// DNA as numbers: A, C, G, T (or U) are 0 … 3 in either case, so that the complement of c is 3 − c; and how
// often a word of l letters in one sequence and one in another differ in exactly m letters, which is all that
// a kernel of gapped k-mers needs to know of two sequences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/simd/diagonals.hpp"

namespace mercer {

inline constexpr std::uint8_t no_nucleotide = 4;  ///< N, a gap, any other letter

std::uint8_t nucleotide(char letter) noexcept;
std::vector<std::uint8_t> nucleotides(std::string_view text);
std::vector<std::uint8_t> reverse_complement(const std::vector<std::uint8_t>& strand);

using simd::longest_word;
using PairCounts = std::array<std::uint64_t, longest_word + 1>;  // by the number of letters that differ

/// A sequence laid out to be compared with many others: a track for each letter.
class Tracks {
 public:
  /// `strand`: as nucleotides() gives it; words with a letter that is none are left out.
  explicit Tracks(const std::vector<std::uint8_t>& strand);
  std::size_t size() const noexcept { return size_; }
  /// As simd::Diagonals wants it.
  const std::int8_t* of(std::uint8_t letter) const noexcept {
    return bytes_.data() + letter * stride_ + simd::track_margin;
  }

 private:
  std::size_t size_, stride_;
  std::vector<std::int8_t> bytes_;  // 5 tracks of stride_ bytes: of A, C, G, T, and of no nucleotide
};

/// Counts of the pairs of words of l ≤ 12 letters that differ in 0 … d letters, d ≤ l.
PairCounts count_pairs(const std::vector<std::uint8_t>& x, const Tracks& z, int l, int d,
                       simd::CountDiagonals count = simd::count_diagonals());

}  // namespace mercer
