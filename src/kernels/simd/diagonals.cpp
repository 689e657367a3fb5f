#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/diagonals.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/simd/diagonals.hpp"
#include "base/simd/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most 32 bytes: with 64 the ends of the diagonals cost more than the wider registers save, by half on
// sequences of some hundred letters.
using Tag = hn::CappedTag<std::int8_t, 32>;
static_assert(track_margin >= 32);
using Bytes = hn::Vec<Tag>;
using Counts = hn::Repartition<std::uint64_t, Tag>;
using Sums = hn::Vec<Counts>;

HWY_INLINE Bytes letters(const Diagonals& job, std::ptrdiff_t i, std::ptrdiff_t diagonal) {
  return hn::LoadU(Tag(), job.tracks[job.x[i]] + i + diagonal);
}
/// One more where the letters that agree are as many as the level asks for.
HWY_INLINE Bytes counted(Bytes found, Bytes agree, Bytes level) {
  return hn::Sub(found, hn::VecFromMask(Tag(), hn::Eq(agree, level)));
}
HWY_INLINE Sums summed(Sums sums, Bytes found) {
  return hn::Add(sums, hn::SumsOf8(hn::BitCast(hn::Repartition<std::uint8_t, Tag>(), found)));
}
HWY_INLINE Bytes level_of(const Diagonals& job, int m) { return hn::Set(Tag(), std::int8_t(job.l - m)); }
HWY_INLINE void add_total(const Diagonals& job, int m, Sums sums) {
  if (m <= longest_word) job.counts[m] += hn::GetLane(hn::SumOfLanes(Counts(), sums));
}

/// Levels first … first + levels − 1; as many as registers hold.
template <int levels>
void count_levels(const Diagonals& job, int first) {
  static_assert(levels >= 1 && levels <= 6);
  constexpr std::ptrdiff_t steps_at_once = 255;  // so that no byte overflows
  const Tag d;
  const auto lanes = std::ptrdiff_t(hn::Lanes(d));
  const Bytes l0 = level_of(job, first), l1 = level_of(job, first + 1), l2 = level_of(job, first + 2),
              l3 = level_of(job, first + 3), l4 = level_of(job, first + 4), l5 = level_of(job, first + 5);
  Sums s0 = hn::Zero(Counts()), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0;
  for (std::ptrdiff_t diagonal = 1 - job.x_words; diagonal < job.z_words; diagonal += lanes) {
    std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -diagonal - (lanes - 1));
    const std::ptrdiff_t last = std::min(job.x_words, job.z_words - diagonal);
    if (i >= last) continue;
    Bytes agree = hn::Zero(d);
    for (int t = 0; t + 1 < job.l; ++t) agree = hn::Add(agree, letters(job, i + t, diagonal));
    while (i < last) {
      Bytes f0 = hn::Zero(d), f1 = f0, f2 = f0, f3 = f0, f4 = f0, f5 = f0;
      for (const std::ptrdiff_t stop = std::min(last, i + steps_at_once); i < stop; ++i) {
        agree = hn::Add(agree, letters(job, i + job.l - 1, diagonal));
        f0 = counted(f0, agree, l0);
        if constexpr (levels > 1) f1 = counted(f1, agree, l1);
        if constexpr (levels > 2) f2 = counted(f2, agree, l2);
        if constexpr (levels > 3) f3 = counted(f3, agree, l3);
        if constexpr (levels > 4) f4 = counted(f4, agree, l4);
        if constexpr (levels > 5) f5 = counted(f5, agree, l5);
        agree = hn::Sub(agree, letters(job, i, diagonal));
      }
      s0 = summed(s0, f0), s1 = summed(s1, f1), s2 = summed(s2, f2), s3 = summed(s3, f3), s4 = summed(s4, f4),
      s5 = summed(s5, f5);
    }
  }
  add_total(job, first, s0), add_total(job, first + 1, s1), add_total(job, first + 2, s2),
      add_total(job, first + 3, s3), add_total(job, first + 4, s4), add_total(job, first + 5, s5);
}

void count_all(const Diagonals& job, int levels) {
  int first = 0;
  for (; first + 6 <= levels; first += 6) count_levels<6>(job, first);
  switch (levels - first) {
    case 1:
      return count_levels<1>(job, first);
    case 2:
      return count_levels<2>(job, first);
    case 3:
      return count_levels<3>(job, first);
    case 4:
      return count_levels<4>(job, first);
    case 5:
      return count_levels<5>(job, first);
    default:
      return;
  }
}

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

MERCER_SIMD_TABLE(count_all);

CountDiagonals count_diagonals(const std::string& set) {
  return HWY_DISPATCH_TABLE(count_all)[table_index(set)];
}
CountDiagonals count_diagonals() { return HWY_DISPATCH_TABLE(count_all)[table_index()]; }

}  // namespace mercer::simd
#endif
