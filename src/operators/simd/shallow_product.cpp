#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/simd/shallow_product.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include "operators/simd/shallow_product.hpp"
#include "base/simd/targets.hpp"
#include "mercer/buffer.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// `rows` rows of A times a panel of B (d × two vectors): the sums stay in registers.
template <std::size_t rows, class T>
HWY_INLINE void rows_times_panel(const T* a, std::size_t d, const T* panel, T* out, std::size_t stride) {
  const hn::ScalableTag<T> tag;
  const std::size_t lanes = hn::Lanes(tag);
  hn::Vec<decltype(tag)> first[rows], second[rows];
  HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) first[r] = second[r] = hn::Zero(tag);
  for (std::size_t k = 0; k < d; ++k) {
    const auto b0 = hn::Load(tag, panel + 2 * lanes * k), b1 = hn::Load(tag, panel + 2 * lanes * k + lanes);
    HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
      const auto x = hn::Set(tag, a[r * d + k]);
      first[r] = hn::MulAdd(x, b0, first[r]);
      second[r] = hn::MulAdd(x, b1, second[r]);
    }
  }
  HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
    hn::StoreU(first[r], tag, out + r * stride);
    hn::StoreU(second[r], tag, out + r * stride + lanes);
  }
}

template <class T>
HWY_INLINE void all_rows(std::size_t m, const T* a, std::size_t d, const T* panel, T* out,
                         std::size_t stride) {
  constexpr std::size_t step = 6;  // with two vectors each: as many sums as the smallest register file holds
  std::size_t i = 0;
  for (; i + step <= m; i += step) rows_times_panel<step>(a + i * d, d, panel, out + i * stride, stride);
  switch (m - i) {
    case 5:
      return rows_times_panel<5>(a + i * d, d, panel, out + i * stride, stride);
    case 4:
      return rows_times_panel<4>(a + i * d, d, panel, out + i * stride, stride);
    case 3:
      return rows_times_panel<3>(a + i * d, d, panel, out + i * stride, stride);
    case 2:
      return rows_times_panel<2>(a + i * d, d, panel, out + i * stride, stride);
    case 1:
      return rows_times_panel<1>(a + i * d, d, panel, out + i * stride, stride);
  }
}

template <class T>
void product(std::size_t m, std::size_t n, std::size_t d, const T* a, const T* b, T* out,
             std::size_t stride) {
  const hn::ScalableTag<T> tag;
  const std::size_t width = 2 * hn::Lanes(tag);
  Buffer<T> panel(width * d), edge;
  for (std::size_t j = 0; j < n; j += width) {
    const std::size_t columns = n - j < width ? n - j : width;
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t k = 0; k < d; ++k) panel[k * width + c] = b[(j + c) * d + k];
    if (columns == width) {
      all_rows(m, a, d, panel.data(), out + j, stride);
      continue;
    }
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t c = columns; c < width; ++c) panel[k * width + c] = T(0);
    edge = Buffer<T>(m * width);
    all_rows(m, a, d, panel.data(), edge.data(), width);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t c = 0; c < columns; ++c) out[i * stride + j + c] = edge[i * width + c];
  }
}

ShallowProduct<float> shallow_f32() { return &product<float>; }
ShallowProduct<double> shallow_f64() { return &product<double>; }

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

MERCER_SIMD_ACCESS(shallow_product, shallow_f32, shallow_f64);

}  // namespace mercer::simd
#endif
