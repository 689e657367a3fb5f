// How often a word of l letters in one DNA sequence and one in another differ in exactly m letters: all that a kernel of gapped k-mers
// needs to know of two sequences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mercer {

inline constexpr int longest_word = 12;
using PairCounts = std::array<std::uint64_t, longest_word + 1>;  // by the number of letters that differ

/// A sequence laid out to be compared with many others.
class Tracks {
 public:
  /// `strand`: as nucleotides() gives it; words with a letter that is none are left out.
  explicit Tracks(const std::vector<std::uint8_t>& strand);
  std::size_t size() const noexcept { return size_; }
  /// At letter j of the sequence: 1 where it is `letter`, 0 where it is another, far below 0 where it is none or outside the sequence.
  /// It may be read 64 letters beyond both ends.
  const std::int8_t* of(std::uint8_t letter) const noexcept { return bytes_.data() + letter * stride_ + margin; }

 private:
  static constexpr std::size_t margin = 64;
  std::size_t size_, stride_;
  std::vector<std::int8_t> bytes_;  // 5 tracks of stride_ bytes: of A, C, G, T, and of no nucleotide
};

/// Counts of the pairs of words of l ≤ 12 letters that differ in 0 … d letters, d ≤ l.
PairCounts count_pairs(const std::vector<std::uint8_t>& x, const Tracks& z, int l, int d);

}  // namespace mercer
