#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/simd/smo_steps.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include "solvers/simd/smo_steps.hpp"
#include "base/simd/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

HWY_INLINE Vector load(Doubles d, const float* p) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), p));
}
HWY_INLINE Vector load(Doubles d, const double* p) { return hn::LoadU(d, p); }

// The first place of the largest value, from the largest of each lane and its place there, in two vectors.
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE std::size_t first_place(D d, V best0, V places0, V best1, V places1, T largest, std::size_t n) {
  const V all = hn::Set(d, largest), none = hn::Set(d, T(n));
  const V first0 = hn::IfThenElse(hn::Eq(best0, all), places0, none),
          first1 = hn::IfThenElse(hn::Eq(best1, all), places1, none);
  return std::size_t(hn::GetLane(hn::MinOfLanes(d, hn::Min(first0, first1))));
}

// Here and in partner() two vectors are kept of everything: a comparison waits for its own vector only.
template <class T>
Extremes move(T* G, const T* a, const T* b, double t, const T* up, const T* down, std::size_t n) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V step = hn::Set(d, T(t)), width = hn::Set(d, T(lanes));
  V top0 = hn::Set(d, T(cannot_rise)), places0 = hn::Zero(d), top1 = top0, places1 = places0;
  V bottom = hn::Set(d, T(cannot_fall)), place = hn::Iota(d, T(0));
  const auto pass = [&](std::size_t j, V& top, V& places) HWY_ATTR {
    const V g = hn::MulAdd(step, hn::Sub(hn::LoadU(d, a + j), hn::LoadU(d, b + j)), hn::LoadU(d, G + j));
    hn::StoreU(g, d, G + j);
    const V rising = hn::Sub(hn::LoadU(d, up + j), g);
    const auto better = hn::Gt(rising, top);
    top = hn::IfThenElse(better, rising, top);
    places = hn::IfThenElse(better, place, places);
    bottom = hn::Min(bottom, hn::Sub(hn::LoadU(d, down + j), g));
    place = hn::Add(place, width);
  };
  for (std::size_t j = 0; j < n; j += 2 * lanes) {
    pass(j, top0, places0);
    pass(j + lanes, top1, places1);
  }
  const T largest = hn::GetLane(hn::MaxOfLanes(d, hn::Max(top0, top1)));
  return {largest, first_place(d, top0, places0, top1, places1, largest, n),
          hn::GetLane(hn::MinOfLanes(d, bottom))};
}

// To a dozen bits in float32, where a division would take longer than all the rest: which of two partners
// that decrease the objective alike is taken does not matter.
template <class V>
HWY_INLINE V reciprocal(V x) {
  using T = hn::TFromV<V>;
  if constexpr (sizeof(T) == 4)
    return hn::ApproximateReciprocal(x);
  else
    return hn::Div(hn::Set(hn::ScalableTag<T>(), T(1)), x);
}

template <class T>
std::size_t partner(const T* G, const T* a, double diagonal_i, const T* diagonal, const T* down, double top,
                    std::size_t n) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V highest = hn::Set(d, T(top)), own = hn::Set(d, T(diagonal_i)), width = hn::Set(d, T(lanes));
  const V least = hn::Set(d, T(least_curvature)), minus_two = hn::Set(d, T(-2));
  V best0 = hn::Zero(d), places0 = hn::Set(d, T(n)), best1 = best0, places1 = places0,
    place = hn::Iota(d, T(0));
  const auto pass = [&](std::size_t j, V& best, V& places) HWY_ATTR {
    // −∞ where j cannot fall, so never positive.
    const V drop = hn::Sub(hn::Add(highest, hn::LoadU(d, G + j)), hn::LoadU(d, down + j));
    const V curvature =
        hn::Max(hn::MulAdd(minus_two, hn::LoadU(d, a + j), hn::Add(own, hn::LoadU(d, diagonal + j))), least);
    const V positive = hn::Max(drop, hn::Zero(d));
    const V gain = hn::Mul(hn::Mul(positive, reciprocal(curvature)), positive);
    const auto better = hn::Gt(gain, best);
    best = hn::IfThenElse(better, gain, best);
    places = hn::IfThenElse(better, place, places);
    place = hn::Add(place, width);
  };
  for (std::size_t j = 0; j < n; j += 2 * lanes) {
    pass(j, best0, places0);
    pass(j + lanes, best1, places1);
  }
  const T largest = hn::GetLane(hn::MaxOfLanes(d, hn::Max(best0, best1)));
  return largest > 0 ? first_place(d, best0, places0, best1, places1, largest, n) : n;
}

// `rows` rows at once: f passes through the registers once for all of them.
template <std::size_t rows, class T>
HWY_INLINE void accumulate_rows(double* f, const T* const* from, const double* t, std::size_t n) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d), whole = n / lanes * lanes;
  for (std::size_t j = 0; j < whole; j += lanes) {
    Vector even = hn::LoadU(d, f + j), odd = hn::Zero(d);
    HWY_UNROLL(4) for (std::size_t r = 0; r < rows; r += 2) {
      even = hn::MulAdd(hn::Set(d, t[r]), load(d, from[r] + j), even);
      odd = hn::MulAdd(hn::Set(d, t[r + 1]), load(d, from[r + 1] + j), odd);
    }
    hn::StoreU(hn::Add(even, odd), d, f + j);
  }
  for (std::size_t j = whole; j < n; ++j) {
    double even = f[j], odd = 0;
    for (std::size_t r = 0; r < rows; r += 2) even += t[r] * from[r][j], odd += t[r + 1] * from[r + 1][j];
    f[j] = even + odd;
  }
}

template <class T>
void accumulate(double* f, const T* const* rows, const double* t, std::size_t count, std::size_t n) {
  std::size_t r = 0;
  for (; r + 8 <= count; r += 8) accumulate_rows<8>(f, rows + r, t + r, n);
  for (; r + 2 <= count; r += 2) accumulate_rows<2>(f, rows + r, t + r, n);
  for (; r < count; ++r)
    for (std::size_t j = 0; j < n; ++j) f[j] += t[r] * rows[r][j];
}

const Steps<float>& table_f32() {
  static const Steps<float> all{
      .move = &move<float>, .partner = &partner<float>, .accumulate = &accumulate<float>};
  return all;
}
const Steps<double>& table_f64() {
  static const Steps<double> all{
      .move = &move<double>, .partner = &partner<double>, .accumulate = &accumulate<double>};
  return all;
}

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

MERCER_SIMD_ACCESS(steps, table_f32, table_f64);

}  // namespace mercer::simd
#endif
