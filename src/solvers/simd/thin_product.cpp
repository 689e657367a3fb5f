#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/simd/thin_product.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include "solvers/simd/thin_product.hpp"
#include "base/simd/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t rows_together = 6;  // with two vectors each: what the smallest register file holds
constexpr std::size_t depth = 128;        // of B: stays in the first-level cache

// `rows` rows of out and two vectors of columns. The number of A for row r and step l is A[r · down + l ·
// along].
template <std::size_t rows, class T>
HWY_INLINE void add_rows(const T* A, std::size_t down, std::size_t along, std::size_t k, const T* B, T* out) {
  const hn::ScalableTag<T> tag;
  using V = hn::Vec<decltype(tag)>;
  const std::size_t lanes = hn::Lanes(tag);
  V first[rows], second[rows];
  HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
    first[r] = hn::LoadU(tag, out + r * thin_columns);
    second[r] = hn::LoadU(tag, out + r * thin_columns + lanes);
  }
  for (std::size_t l = 0; l < k; ++l, A += along, B += thin_columns) {
    const V b0 = hn::LoadU(tag, B), b1 = hn::LoadU(tag, B + lanes);
    HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
      const V a = hn::Set(tag, A[r * down]);
      first[r] = hn::MulAdd(a, b0, first[r]);
      second[r] = hn::MulAdd(a, b1, second[r]);
    }
  }
  HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
    hn::StoreU(first[r], tag, out + r * thin_columns);
    hn::StoreU(second[r], tag, out + r * thin_columns + lanes);
  }
}

template <class T>
HWY_INLINE void add_all(const T* A, std::size_t down, std::size_t along, std::size_t m, std::size_t k,
                        const T* B, T* out) {
  const std::size_t step = 2 * hn::Lanes(hn::ScalableTag<T>());
  for (std::size_t begin = 0; begin < k; begin += depth) {
    const std::size_t some = k - begin < depth ? k - begin : depth;
    const T *a = A + begin * along, *b = B + begin * thin_columns;
    std::size_t i = 0;
    for (; i + rows_together <= m; i += rows_together)
      for (std::size_t c = 0; c < thin_columns; c += step)
        add_rows<rows_together>(a + i * down, down, along, some, b + c, out + i * thin_columns + c);
    for (; i < m; ++i)
      for (std::size_t c = 0; c < thin_columns; c += step)
        add_rows<1>(a + i * down, down, along, some, b + c, out + i * thin_columns + c);
  }
}

template <class T>
void add(const T* A, std::size_t stride, std::size_t m, std::size_t k, const T* B, T* out) {
  add_all(A, stride, 1, m, k, B, out);
}

template <class T>
void add_transposed(const T* A, std::size_t stride, std::size_t m, std::size_t k, const T* B, T* out) {
  add_all(A, 1, stride, m, k, B, out);
}

const ThinProducts<float>& thin_f32() {
  static const ThinProducts<float> all{.add = &add<float>, .add_transposed = &add_transposed<float>};
  return all;
}
const ThinProducts<double>& thin_f64() {
  static const ThinProducts<double> all{.add = &add<double>, .add_transposed = &add_transposed<double>};
  return all;
}

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

MERCER_SIMD_ACCESS(thin_products, thin_f32, thin_f64);

}  // namespace mercer::simd
#endif
