#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/simd/smo_steps.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include <limits>

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

// Which of many values is the largest is found in two steps, since keeping the place of each takes longer
// than the values themselves: of each lane the largest is kept and the pair of vectors that it is in; the
// place in that pair is looked for afterwards.
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
class LargestPair {
 public:
  LargestPair(D d, T below) : d_(d), best_(hn::Set(d, below)), begins_(hn::Zero(d)), begin_(hn::Zero(d)) {}

  /// The next two vectors.
  HWY_INLINE void add(V first, V second) {
    const V larger = hn::Max(first, second);
    const auto better = hn::Gt(larger, best_);
    best_ = hn::IfThenElse(better, larger, best_);
    begins_ = hn::IfThenElse(better, begin_, begins_);
    begin_ = hn::Add(begin_, hn::Set(d_, T(2 * hn::Lanes(d_))));
  }
  HWY_INLINE T largest() const { return hn::GetLane(hn::MaxOfLanes(d_, best_)); }
  /// The first place of the largest, where some value is; value(j) are those from j on.
  template <class Value>
  HWY_INLINE std::size_t place(T largest, const Value& value) const {
    const V all = hn::Set(d_, largest), none = hn::Set(d_, std::numeric_limits<T>::max());
    const auto begin =
        std::size_t(hn::GetLane(hn::MinOfLanes(d_, hn::IfThenElse(hn::Eq(best_, all), begins_, none))));
    const auto first = hn::FindFirstTrue(d_, hn::Eq(value(begin), all)),
               second = hn::FindFirstTrue(d_, hn::Eq(value(begin + hn::Lanes(d_)), all));
    return begin + (first >= 0 ? std::size_t(first) : hn::Lanes(d_) + std::size_t(second));
  }

 private:
  D d_;
  V best_, begins_, begin_;
};

template <class T>
Extremes move(T* rise, T* fall, const T* a, const T* b, double t, std::size_t n) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V step = hn::Set(d, T(t));
  V bottom0 = hn::Set(d, T(cannot_fall)), bottom1 = bottom0;
  LargestPair<decltype(d)> top(d, T(cannot_rise));
  const auto pass = [&](std::size_t j, V& bottom) HWY_ATTR {
    const V difference = hn::Sub(hn::LoadU(d, a + j), hn::LoadU(d, b + j));
    const V rising = hn::NegMulAdd(step, difference, hn::LoadU(d, rise + j)),
            falling = hn::NegMulAdd(step, difference, hn::LoadU(d, fall + j));
    hn::StoreU(rising, d, rise + j);
    hn::StoreU(falling, d, fall + j);
    bottom = hn::Min(bottom, falling);
    return rising;
  };
  for (std::size_t j = 0; j < n; j += 2 * lanes) {
    const V first = pass(j, bottom0);
    top.add(first, pass(j + lanes, bottom1));
  }
  const T largest = top.largest(), bottom = hn::GetLane(hn::MinOfLanes(d, hn::Min(bottom0, bottom1)));
  if (!(largest > T(cannot_rise))) return {cannot_rise, 0, bottom};
  return {largest, top.place(largest, [&](std::size_t j) HWY_ATTR { return hn::LoadU(d, rise + j); }),
          bottom};
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
std::size_t partner(const T* fall, const T* a, double diagonal_i, const T* diagonal, double top,
                    std::size_t n) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V highest = hn::Set(d, T(top)), own = hn::Set(d, T(diagonal_i));
  const V least = hn::Set(d, T(least_curvature)), minus_two = hn::Set(d, T(-2)), zero = hn::Zero(d);
  const auto gain = [&](std::size_t j) HWY_ATTR {
    // −∞ where j cannot fall, so never positive.
    const V drop = hn::Max(hn::Sub(highest, hn::LoadU(d, fall + j)), zero);
    const V curvature =
        hn::Max(hn::MulAdd(minus_two, hn::LoadU(d, a + j), hn::Add(own, hn::LoadU(d, diagonal + j))), least);
    return hn::Mul(hn::Mul(drop, reciprocal(curvature)), drop);
  };
  LargestPair<decltype(d)> best(d, T(0));
  for (std::size_t j = 0; j < n; j += 2 * hn::Lanes(d)) best.add(gain(j), gain(j + hn::Lanes(d)));
  const T largest = best.largest();
  return largest > 0 ? best.place(largest, gain) : n;
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
