#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/simd/band_norms.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include <algorithm>

#include "solvers/simd/band_norms.hpp"
#include "base/simd/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Four rows of z for two vectors of columns: z = D⁻¹(q − L z_before), with eight sums in registers. `before`:
// the first of the `width` rows of z above; `own`: where the four go; `squares`: += z².
template <class T>
HWY_INLINE void solve_rows(const T* packed, std::size_t width, const T* q, const T* before, T* own,
                           T* squares) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  V a0 = hn::LoadU(d, q), b0 = hn::LoadU(d, q + lanes);
  V a1 = hn::LoadU(d, q + norm_columns), b1 = hn::LoadU(d, q + norm_columns + lanes);
  V a2 = hn::LoadU(d, q + 2 * norm_columns), b2 = hn::LoadU(d, q + 2 * norm_columns + lanes);
  V a3 = hn::LoadU(d, q + 3 * norm_columns), b3 = hn::LoadU(d, q + 3 * norm_columns + lanes);
  for (std::size_t l = 0; l < width; ++l, packed += norm_rows, before += norm_columns) {
    const V za = hn::LoadU(d, before), zb = hn::LoadU(d, before + lanes);
    const V l0 = hn::Set(d, packed[0]), l1 = hn::Set(d, packed[1]), l2 = hn::Set(d, packed[2]),
            l3 = hn::Set(d, packed[3]);
    a0 = hn::NegMulAdd(l0, za, a0), b0 = hn::NegMulAdd(l0, zb, b0);
    a1 = hn::NegMulAdd(l1, za, a1), b1 = hn::NegMulAdd(l1, zb, b1);
    a2 = hn::NegMulAdd(l2, za, a2), b2 = hn::NegMulAdd(l2, zb, b2);
    a3 = hn::NegMulAdd(l3, za, a3), b3 = hn::NegMulAdd(l3, zb, b3);
  }
  const auto entry = [&](std::size_t row, std::size_t column)
                         HWY_ATTR { return hn::Set(d, packed[row * norm_rows + column]); };
  const V d0 = entry(0, 0), d1 = entry(1, 1), d2 = entry(2, 2), d3 = entry(3, 3);
  a0 = hn::Mul(d0, a0), b0 = hn::Mul(d0, b0);
  const V l10 = entry(1, 0), l20 = entry(2, 0), l30 = entry(3, 0);
  a1 = hn::Mul(d1, hn::NegMulAdd(l10, a0, a1)), b1 = hn::Mul(d1, hn::NegMulAdd(l10, b0, b1));
  a2 = hn::NegMulAdd(l20, a0, a2), b2 = hn::NegMulAdd(l20, b0, b2);
  a3 = hn::NegMulAdd(l30, a0, a3), b3 = hn::NegMulAdd(l30, b0, b3);
  const V l21 = entry(2, 1), l31 = entry(3, 1), l32 = entry(3, 2);
  a2 = hn::Mul(d2, hn::NegMulAdd(l21, a1, a2)), b2 = hn::Mul(d2, hn::NegMulAdd(l21, b1, b2));
  a3 = hn::NegMulAdd(l31, a1, a3), b3 = hn::NegMulAdd(l31, b1, b3);
  a3 = hn::Mul(d3, hn::NegMulAdd(l32, a2, a3)), b3 = hn::Mul(d3, hn::NegMulAdd(l32, b2, b3));
  hn::StoreU(a0, d, own), hn::StoreU(b0, d, own + lanes);
  hn::StoreU(a1, d, own + norm_columns), hn::StoreU(b1, d, own + norm_columns + lanes);
  hn::StoreU(a2, d, own + 2 * norm_columns), hn::StoreU(b2, d, own + 2 * norm_columns + lanes);
  hn::StoreU(a3, d, own + 3 * norm_columns), hn::StoreU(b3, d, own + 3 * norm_columns + lanes);
  const V first = hn::MulAdd(a0, a0, hn::MulAdd(a1, a1, hn::MulAdd(a2, a2, hn::Mul(a3, a3)))),
          second = hn::MulAdd(b0, b0, hn::MulAdd(b1, b1, hn::MulAdd(b2, b2, hn::Mul(b3, b3))));
  hn::StoreU(hn::Add(hn::LoadU(d, squares), first), d, squares);
  hn::StoreU(hn::Add(hn::LoadU(d, squares + lanes), second), d, squares + lanes);
}

template <class T>
void squared_norms(const T* packed, std::size_t n, std::size_t width, const T* q, T* scratch, double* sums) {
  const std::size_t step = 2 * hn::Lanes(hn::ScalableTag<T>());
  T* squares = scratch + (width + norm_stretch) * norm_columns;  // of one stretch
  std::fill_n(scratch, width * norm_columns, T(0));
  std::fill_n(sums, norm_columns, 0.0);
  for (std::size_t begin = 0; begin < n; begin += norm_stretch) {
    const std::size_t rows = std::min(norm_stretch, n - begin);
    std::fill_n(squares, norm_columns, T(0));
    for (std::size_t row = 0; row < rows; row += norm_rows, packed += packed_norm_rows(width)) {
      T* before = scratch + row * norm_columns;
      for (std::size_t c = 0; c < norm_columns; c += step)
        solve_rows(packed, width, q + (begin + row) * norm_columns + c, before + c,
                   before + width * norm_columns + c, squares + c);
    }
    std::copy_n(scratch + rows * norm_columns, width * norm_columns, scratch);
    for (std::size_t c = 0; c < norm_columns; ++c) sums[c] += double(squares[c]);
  }
}

const BandNorms<float>& norms_f32() {
  static const BandNorms<float> all{.squared_norms = &squared_norms<float>};
  return all;
}
const BandNorms<double>& norms_f64() {
  static const BandNorms<double> all{.squared_norms = &squared_norms<double>};
  return all;
}

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

MERCER_SIMD_ACCESS(band_norms, norms_f32, norms_f64);

}  // namespace mercer::simd
#endif
