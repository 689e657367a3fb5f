#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gram/simd/steps.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include "gram/simd/steps.hpp"
#include "gram/simd/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

HWY_INLINE Vector load(Doubles d, const float* p) { return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), p)); }
HWY_INLINE Vector load(Doubles d, const double* p) { return hn::LoadU(d, p); }

// The first place of the largest value, from the largest of each lane and its place there.
HWY_INLINE std::size_t first_place(Doubles d, Vector best, Vector places, double largest, std::size_t n) {
  const Vector none = hn::Set(d, double(n));
  return std::size_t(hn::GetLane(hn::MinOfLanes(d, hn::IfThenElse(hn::Eq(best, hn::Set(d, largest)), places, none))));
}

template <class T>
Extremes move(double* G, const T* a, const T* b, double t, const double* up, const double* down, std::size_t n) {
  const Doubles d;
  const Vector step = hn::Set(d, t), width = hn::Set(d, double(hn::Lanes(d)));
  Vector top = hn::Set(d, cannot_rise), bottom = hn::Set(d, cannot_fall), places = hn::Zero(d), place = hn::Iota(d, 0.0);
  for (std::size_t j = 0; j < n; j += hn::Lanes(d)) {
    const Vector g = hn::MulAdd(step, hn::Sub(load(d, a + j), load(d, b + j)), hn::LoadU(d, G + j));
    hn::StoreU(g, d, G + j);
    const Vector rising = hn::Sub(hn::LoadU(d, up + j), g);
    const auto better = hn::Gt(rising, top);
    top = hn::IfThenElse(better, rising, top);
    places = hn::IfThenElse(better, place, places);
    bottom = hn::Min(bottom, hn::Sub(hn::LoadU(d, down + j), g));
    place = hn::Add(place, width);
  }
  const double largest = hn::GetLane(hn::MaxOfLanes(d, top));
  return {largest, first_place(d, top, places, largest, n), hn::GetLane(hn::MinOfLanes(d, bottom))};
}

template <class T>
std::size_t partner(const double* G, const T* a, double diagonal_i, const double* diagonal, const double* down,
                    double top, std::size_t n) {
  const Doubles d;
  const Vector highest = hn::Set(d, top), own = hn::Set(d, diagonal_i), width = hn::Set(d, double(hn::Lanes(d)));
  const Vector least = hn::Set(d, least_curvature), minus_two = hn::Set(d, -2.0);
  Vector best = hn::Zero(d), places = hn::Set(d, double(n)), place = hn::Iota(d, 0.0);
  for (std::size_t j = 0; j < n; j += hn::Lanes(d)) {
    // −∞ where j cannot fall, so never positive.
    const Vector drop = hn::Sub(hn::Add(highest, hn::LoadU(d, G + j)), hn::LoadU(d, down + j));
    const Vector curvature = hn::Max(hn::MulAdd(minus_two, load(d, a + j), hn::Add(own, hn::LoadU(d, diagonal + j))), least);
    const Vector positive = hn::Max(drop, hn::Zero(d));
    const Vector gain = hn::Div(hn::Mul(positive, positive), curvature);
    const auto better = hn::Gt(gain, best);
    best = hn::IfThenElse(better, gain, best);
    places = hn::IfThenElse(better, place, places);
    place = hn::Add(place, width);
  }
  const double largest = hn::GetLane(hn::MaxOfLanes(d, best));
  return largest > 0 ? first_place(d, best, places, largest, n) : n;
}

// A choice among float32 rows needs no more than float32, in which a division takes a third of the time.
std::size_t float32_partner(const double* G, const float* a, double diagonal_i, const double* diagonal, const double* down,
                            double top, std::size_t n) {
  const Doubles d;
  const hn::Rebind<float, Doubles> s;
  using Floats = hn::Vec<decltype(s)>;
  const Vector highest = hn::Set(d, top), own = hn::Set(d, diagonal_i);
  const Floats least = hn::Set(s, float(least_curvature)), minus_two = hn::Set(s, -2.0f), width = hn::Set(s, float(hn::Lanes(s)));
  Floats best = hn::Zero(s), places = hn::Set(s, float(n)), place = hn::Iota(s, 0.0f);
  for (std::size_t j = 0; j < n; j += hn::Lanes(d)) {
    // −∞ where j cannot fall, so never positive.
    const Vector drop = hn::Sub(hn::Add(highest, hn::LoadU(d, G + j)), hn::LoadU(d, down + j));
    const Floats positive = hn::Max(hn::DemoteTo(s, drop), hn::Zero(s));
    const Floats sum = hn::DemoteTo(s, hn::Add(own, hn::LoadU(d, diagonal + j)));
    const Floats gain = hn::Mul(hn::Div(positive, hn::Max(hn::MulAdd(minus_two, hn::LoadU(s, a + j), sum), least)), positive);
    const auto better = hn::Gt(gain, best);
    best = hn::IfThenElse(better, gain, best);
    places = hn::IfThenElse(better, place, places);
    place = hn::Add(place, width);
  }
  const float largest = hn::GetLane(hn::MaxOfLanes(s, best));
  if (!(largest > 0)) return n;
  const Floats none = hn::Set(s, float(n));
  return std::size_t(hn::GetLane(hn::MinOfLanes(s, hn::IfThenElse(hn::Eq(best, hn::Set(s, largest)), places, none))));
}

template <class T>
void accumulate(double* f, const T* const* rows, const double* t, std::size_t count, std::size_t n) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d), whole = n / lanes * lanes;
  std::size_t r = 0;
  for (; r + 4 <= count; r += 4) {
    const Vector t0 = hn::Set(d, t[r]), t1 = hn::Set(d, t[r + 1]), t2 = hn::Set(d, t[r + 2]), t3 = hn::Set(d, t[r + 3]);
    const T *a = rows[r], *b = rows[r + 1], *c = rows[r + 2], *e = rows[r + 3];
    for (std::size_t j = 0; j < whole; j += lanes) {
      const Vector first = hn::MulAdd(t1, load(d, b + j), hn::Mul(t0, load(d, a + j)));
      const Vector second = hn::MulAdd(t3, load(d, e + j), hn::Mul(t2, load(d, c + j)));
      hn::StoreU(hn::Add(hn::LoadU(d, f + j), hn::Add(first, second)), d, f + j);
    }
    for (std::size_t j = whole; j < n; ++j) f[j] += (t[r] * a[j] + t[r + 1] * b[j]) + (t[r + 2] * c[j] + t[r + 3] * e[j]);
  }
  for (; r < count; ++r)
    for (std::size_t j = 0; j < n; ++j) f[j] += t[r] * rows[r][j];
}

template <class T>
void gather(T* out, const T* row, const std::int32_t* at, std::size_t n) {
  std::size_t j = 0;
  if constexpr (sizeof(T) == sizeof(std::int32_t)) {
    const hn::ScalableTag<T> d;
    const hn::Rebind<std::int32_t, decltype(d)> places;
    for (; j + hn::Lanes(d) <= n; j += hn::Lanes(d)) hn::StoreU(hn::GatherIndex(d, row, hn::LoadU(places, at + j)), d, out + j);
  }
  for (; j < n; ++j) out[j] = row[at[j]];
}

const Steps<float>& table_f32() {
  static const Steps<float> all{.move = &move<float>, .partner = &float32_partner, .accumulate = &accumulate<float>, .gather = &gather<float>};
  return all;
}
const Steps<double>& table_f64() {
  static const Steps<double> all{.move = &move<double>, .partner = &partner<double>, .accumulate = &accumulate<double>, .gather = &gather<double>};
  return all;
}

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

HWY_EXPORT(table_f32);
HWY_EXPORT(table_f64);

template <>
const Steps<float>& steps(const std::string& set) { return HWY_DISPATCH_TABLE(table_f32)[table_index(set)](); }
template <>
const Steps<double>& steps(const std::string& set) { return HWY_DISPATCH_TABLE(table_f64)[table_index(set)](); }
template <>
const Steps<float>& steps() { return HWY_DISPATCH_TABLE(table_f32)[table_index()](); }
template <>
const Steps<double>& steps() { return HWY_DISPATCH_TABLE(table_f64)[table_index()](); }

}  // namespace mercer::simd
#endif
