#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/simd/dense_rows.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include "solvers/simd/dense_rows.hpp"
#include "base/simd/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> load_wide(D d, const double* x) {
  return hn::LoadU(d, x);
}
template <class D>
HWY_INLINE hn::Vec<D> load_wide(D d, const float* x) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), x));
}

// What full vectors leave over, by four and one by one: by the same instructions in both precisions, so that
// they round alike.
using Four = hn::CappedTag<double, 4>;
using One = hn::CappedTag<double, 1>;

// Four sums, so that additions need not wait for one another.
template <class T>
double dot(const T* x, const double* w, std::size_t count) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::Zero(d), b = a, c = a, e = a;
  std::size_t k = 0;
  for (; k + 4 * lanes <= count; k += 4 * lanes) {
    a = hn::MulAdd(load_wide(d, x + k), hn::LoadU(d, w + k), a);
    b = hn::MulAdd(load_wide(d, x + k + lanes), hn::LoadU(d, w + k + lanes), b);
    c = hn::MulAdd(load_wide(d, x + k + 2 * lanes), hn::LoadU(d, w + k + 2 * lanes), c);
    e = hn::MulAdd(load_wide(d, x + k + 3 * lanes), hn::LoadU(d, w + k + 3 * lanes), e);
  }
  for (; k + lanes <= count; k += lanes) a = hn::MulAdd(load_wide(d, x + k), hn::LoadU(d, w + k), a);
  double sum = k > 0 ? hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e)))) : 0;
  const Four four;
  for (; k + hn::Lanes(four) <= count; k += hn::Lanes(four))
    sum += hn::GetLane(hn::SumOfLanes(four, hn::Mul(load_wide(four, x + k), hn::LoadU(four, w + k))));
  const One one;
  auto rest = hn::Zero(one);
  for (; k < count; ++k) rest = hn::MulAdd(load_wide(one, x + k), hn::LoadU(one, w + k), rest);
  return sum + hn::GetLane(rest);
}

template <class T>
void add(const T* x, double scale, double* w, std::size_t count) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto s = hn::Set(d, scale);
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes)
    hn::StoreU(hn::MulAdd(s, load_wide(d, x + k), hn::LoadU(d, w + k)), d, w + k);
  const Four four;
  const auto s4 = hn::Set(four, scale);
  for (; k + hn::Lanes(four) <= count; k += hn::Lanes(four))
    hn::StoreU(hn::MulAdd(s4, load_wide(four, x + k), hn::LoadU(four, w + k)), four, w + k);
  const One one;
  const auto s1 = hn::Set(one, scale);
  for (; k < count; ++k) hn::StoreU(hn::MulAdd(s1, load_wide(one, x + k), hn::LoadU(one, w + k)), one, w + k);
}

const DenseRows<float>& rows_f32() {
  static const DenseRows<float> all{.dot = &dot<float>, .add = &add<float>};
  return all;
}
const DenseRows<double>& rows_f64() {
  static const DenseRows<double> all{.dot = &dot<double>, .add = &add<double>};
  return all;
}

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

MERCER_SIMD_ACCESS(dense_rows, rows_f32, rows_f64);

}  // namespace mercer::simd
#endif
