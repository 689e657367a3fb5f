// Words at places i of x and j of z are neighbours of those at i + 1 and j + 1: of their letters all but one pair are the same. So the
// number of letters that agree is carried along a diagonal j − i with one addition and one subtraction, and 64 (or 32) diagonals are
// carried at once, a byte each. What a pair of letters adds is read from z's track of x's letter. Places outside z, and letters that
// are no nucleotides, add −16: a word with one of them can never reach the 0 … 12 letters that are counted (−16·a + b, 1 ≤ a ≤ 12,
// 0 ≤ b ≤ 12 − a, is none of these numbers modulo 256 either).
#include "kernels/word_pairs.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/nucleotides.hpp"

namespace mercer {

namespace {

constexpr std::int8_t outside = -16;

struct Job {
  const std::uint8_t* x;
  std::ptrdiff_t x_words, z_words;  // places where a word of l letters begins
  const std::int8_t* tracks[5];
  int l;
  std::uint64_t* counts;
};

template <int lanes>
struct Vectors {
  typedef std::int8_t Bytes __attribute__((vector_size(lanes)));
  typedef std::uint16_t Words __attribute__((vector_size(lanes)));
};

#define MERCER_INLINE __attribute__((always_inline)) inline

template <int lanes, int levels>
MERCER_INLINE void count_diagonals(const Job& job) {
  using Bytes = typename Vectors<lanes>::Bytes;
  using Words = typename Vectors<lanes>::Words;
  constexpr int steps_at_once = 255, sums_at_once = 128;  // so that no byte, and no sum of two bytes at a time, overflows
  Words sums[levels] = {};
  int summed = 0;
  const auto total = [&] {
    for (int m = 0; m < levels; ++m) {
      for (int w = 0; w < lanes / 2; ++w) job.counts[m] += sums[m][w];
      sums[m] = Words{};
    }
    summed = 0;
  };
  Bytes agree, letters;
  const auto read_letters = [&](std::ptrdiff_t i, std::ptrdiff_t diagonal) { std::memcpy(&letters, job.tracks[job.x[i]] + i + diagonal, lanes); };
  for (std::ptrdiff_t diagonal = 1 - job.x_words; diagonal < job.z_words; diagonal += lanes) {
    std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -diagonal - (lanes - 1));
    const std::ptrdiff_t last = std::min(job.x_words, job.z_words - diagonal);
    if (i >= last) continue;
    agree = Bytes{};
    for (int t = 0; t + 1 < job.l; ++t) {
      read_letters(i + t, diagonal);
      agree += letters;
    }
    while (i < last) {
      Bytes found[levels] = {};
      for (const std::ptrdiff_t stop = std::min(last, i + steps_at_once); i < stop; ++i) {
        read_letters(i + job.l - 1, diagonal);
        agree += letters;
        for (int m = 0; m < levels; ++m) found[m] -= (agree == std::int8_t(job.l - m));
        read_letters(i, diagonal);
        agree -= letters;
      }
      for (int m = 0; m < levels; ++m) {
        Words pairs;
        std::memcpy(&pairs, &found[m], lanes);
        sums[m] += (pairs & 0xff) + (pairs >> 8);
      }
      if (++summed == sums_at_once) total();
    }
  }
  total();
}

template <int lanes>
MERCER_INLINE void count_levels(const Job& job, int levels) {
  switch (levels) {
    case 1: return count_diagonals<lanes, 1>(job);
    case 2: return count_diagonals<lanes, 2>(job);
    case 3: return count_diagonals<lanes, 3>(job);
    case 4: return count_diagonals<lanes, 4>(job);
    case 5: return count_diagonals<lanes, 5>(job);
    case 6: return count_diagonals<lanes, 6>(job);
    case 7: return count_diagonals<lanes, 7>(job);
    case 8: return count_diagonals<lanes, 8>(job);
    default: return count_diagonals<lanes, longest_word + 1>(job);
  }
}

// The same loop for the instruction sets there may be; GCC makes the vectors of the widest registers a function is allowed.
void count_plainly(const Job& job, int levels) { count_levels<32>(job, levels); }
#if defined(__x86_64__)
__attribute__((target("avx2"))) void count_by_avx2(const Job& job, int levels) { count_levels<32>(job, levels); }
__attribute__((target("avx512bw"))) void count_by_avx512(const Job& job, int levels) { count_levels<64>(job, levels); }
#endif

using Count = void (*)(const Job&, int);

Count best_count() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512bw")) return count_by_avx512;
  if (__builtin_cpu_supports("avx2")) return count_by_avx2;
#endif
  return count_plainly;
}

}  // namespace

Tracks::Tracks(const std::vector<std::uint8_t>& strand) : size_(strand.size()), stride_(strand.size() + 2 * margin), bytes_(5 * stride_, outside) {
  for (std::uint8_t letter = 0; letter < no_nucleotide; ++letter)
    for (std::size_t j = 0; j < size_; ++j)
      if (strand[j] != no_nucleotide) bytes_[letter * stride_ + margin + j] = strand[j] == letter;
}

PairCounts count_pairs(const std::vector<std::uint8_t>& x, const Tracks& z, int l, int d) {
  static const Count count = best_count();
  PairCounts counts{};
  const auto words = [&](std::size_t size) { return std::ptrdiff_t(size) - l + 1; };
  if (words(x.size()) <= 0 || words(z.size()) <= 0) return counts;
  Job job{x.data(), words(x.size()), words(z.size()), {}, l, counts.data()};
  for (std::uint8_t letter = 0; letter < 5; ++letter) job.tracks[letter] = z.of(letter);
  count(job, d + 1);
  std::fill(counts.begin() + d + 1, counts.end(), 0);  // a count of more levels than were asked for
  return counts;
}

}  // namespace mercer
