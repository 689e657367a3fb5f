#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/simd/tile_product.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include "base/simd/targets.hpp"
#include "operators/simd/tile_product.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

HWY_INLINE Vector load(Doubles d, const float* p) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), p));
}
HWY_INLINE Vector load(Doubles d, const double* p) { return hn::LoadU(d, p); }
HWY_INLINE double sum(Doubles d, Vector v) { return hn::GetLane(hn::SumOfLanes(d, v)); }

// Four rows at a time: x and z are read once for four rows of A.
template <bool forward, bool backward, class T>
HWY_INLINE void four_rows(const T* A, std::size_t stride, std::size_t columns, const double* x, double* y,
                          const double* w, double* z) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const T *a = A, *b = A + stride, *c = A + 2 * stride, *e = A + 3 * stride;
  Vector s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, w0 = s0, w1 = s0, w2 = s0, w3 = s0;
  if constexpr (backward)
    w0 = hn::Set(d, w[0]), w1 = hn::Set(d, w[1]), w2 = hn::Set(d, w[2]), w3 = hn::Set(d, w[3]);
  std::size_t j = 0;
  for (; j + lanes <= columns; j += lanes) {
    const Vector a0 = load(d, a + j), a1 = load(d, b + j), a2 = load(d, c + j), a3 = load(d, e + j);
    if constexpr (forward) {
      const Vector v = hn::LoadU(d, x + j);
      s0 = hn::MulAdd(a0, v, s0), s1 = hn::MulAdd(a1, v, s1), s2 = hn::MulAdd(a2, v, s2),
      s3 = hn::MulAdd(a3, v, s3);
    }
    if constexpr (backward) {
      const Vector first = hn::MulAdd(a1, w1, hn::Mul(a0, w0)), second = hn::MulAdd(a3, w3, hn::Mul(a2, w2));
      hn::StoreU(hn::Add(hn::LoadU(d, z + j), hn::Add(first, second)), d, z + j);
    }
  }
  double t0 = sum(d, s0), t1 = sum(d, s1), t2 = sum(d, s2), t3 = sum(d, s3);
  for (; j < columns; ++j) {
    if constexpr (forward) t0 += a[j] * x[j], t1 += b[j] * x[j], t2 += c[j] * x[j], t3 += e[j] * x[j];
    if constexpr (backward) z[j] += (a[j] * w[0] + b[j] * w[1]) + (c[j] * w[2] + e[j] * w[3]);
  }
  if constexpr (forward) y[0] += t0, y[1] += t1, y[2] += t2, y[3] += t3;
}

template <bool forward, bool backward, class T>
void product(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, const double* x,
             double* y, const double* w, double* z) {
  std::size_t i = 0;
  for (; i + 4 <= rows; i += 4)
    four_rows<forward, backward>(A + i * stride, stride, columns, x, forward ? y + i : y,
                                 backward ? w + i : w, z);
  for (; i < rows; ++i) {
    const T* a = A + i * stride;
    const Doubles d;
    Vector s = hn::Zero(d);
    std::size_t j = 0;
    for (; j + hn::Lanes(d) <= columns; j += hn::Lanes(d)) {
      const Vector value = load(d, a + j);
      if constexpr (forward) s = hn::MulAdd(value, hn::LoadU(d, x + j), s);
      if constexpr (backward) hn::StoreU(hn::MulAdd(value, hn::Set(d, w[i]), hn::LoadU(d, z + j)), d, z + j);
    }
    double t = sum(d, s);
    for (; j < columns; ++j) {
      if constexpr (forward) t += a[j] * x[j];
      if constexpr (backward) z[j] += a[j] * w[i];
    }
    if constexpr (forward) y[i] += t;
  }
}

template <class T>
void plain(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, const double* x,
           double* y) {
  product<true, false>(A, stride, rows, columns, x, y, nullptr, nullptr);
}
template <class T>
void transposed(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, const double* w,
                double* z) {
  product<false, true>(A, stride, rows, columns, nullptr, nullptr, w, z);
}

const TileProducts<float>& tile_table_f32() {
  static const TileProducts<float> all{&product<true, true, float>, &plain<float>, &transposed<float>};
  return all;
}
const TileProducts<double>& tile_table_f64() {
  static const TileProducts<double> all{&product<true, true, double>, &plain<double>, &transposed<double>};
  return all;
}

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

MERCER_SIMD_ACCESS(tile_products, tile_table_f32, tile_table_f64);

}  // namespace mercer::simd
#endif
