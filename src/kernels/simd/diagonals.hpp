// Words at places i of x and j of z are neighbours of those at i + 1 and j + 1: of their letters all but one
// pair are the same. So the number of letters that agree is carried along a diagonal j − i with one addition
// and one subtraction, and as many diagonals are carried at once as a vector has bytes. What a pair of
// letters adds is read from z's track of x's letter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mercer::simd {

inline constexpr int longest_word = 12;
inline constexpr std::size_t track_margin = 64;  // letters beyond both ends of z at which its tracks are read

/// What a letter that is none, or that is outside z, adds: a word with one of them never reaches the 0 … 12
/// letters that are counted (−16·a + b, 1 ≤ a ≤ 12, 0 ≤ b ≤ 12 − a, is none of these numbers modulo 256
/// either).
inline constexpr std::int8_t outside_track = -16;

struct Diagonals {
  const std::uint8_t* x;            // letters, 0 … 4
  std::ptrdiff_t x_words, z_words;  // places where a word of l letters begins, 1 at least
  const std::int8_t* tracks[5];     // of each letter: at j, 1 where z has it, 0 where not, or outside_track
  int l;
  std::uint64_t* counts;  // += pairs of words that differ in m letters, for m < levels; more may be changed,
                          // up to longest_word
};

using CountDiagonals = void (*)(const Diagonals& job, int levels);
CountDiagonals count_diagonals(const std::string& instruction_set);
CountDiagonals count_diagonals();

}  // namespace mercer::simd
