#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/simd/byte_product.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include <cstring>

#include "operators/simd/byte_product.hpp"
#include "base/simd/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL

// All processors that Highway counts to this target have the instruction; it does not tell the compiler.
#define MERCER_VNNI __attribute__((target("avx512vnni")))

// `rows` rows with a panel. 24 sums stay in registers; Highway 1.0.3 has no name for the instruction.
template <std::size_t rows>
MERCER_VNNI HWY_INLINE void bytes_with_panel(std::size_t depth, const std::uint8_t* x, const std::int8_t* z,
                                             std::int32_t* out, std::size_t stride) {
  constexpr std::size_t vectors = byte_panel / 16;
  __m512i sums[rows * vectors];
  HWY_UNROLL(24) for (std::size_t s = 0; s < rows * vectors; ++s) sums[s] = _mm512_setzero_si512();
  for (std::size_t k = 0; k < depth; k += 4) {
    __m512i own[rows], of_panel[vectors];
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < vectors; ++v) of_panel[v] = _mm512_loadu_si512(z + k * byte_panel + v * 64);
    HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
      std::int32_t four;
      std::memcpy(&four, x + r * depth + k, 4);
      own[r] = _mm512_set1_epi32(four);
    }
    HWY_UNROLL(24)
    for (std::size_t s = 0; s < rows * vectors; ++s)
      sums[s] = _mm512_dpbusd_epi32(sums[s], own[s / vectors], of_panel[s % vectors]);
  }
  HWY_UNROLL(24)
  for (std::size_t s = 0; s < rows * vectors; ++s)
    _mm512_storeu_si512(out + s / vectors * stride + s % vectors * 16, sums[s]);
}

MERCER_VNNI void all_bytes(std::size_t rows, std::size_t depth, const std::uint8_t* x, std::size_t panels,
                           const std::int8_t* z, std::int32_t* out, std::size_t stride) {
  constexpr std::size_t step = 6;
  for (std::size_t p = 0; p < panels; ++p) {
    const std::int8_t* const panel = z + p * byte_panel * depth;
    std::int32_t* const to = out + p * byte_panel;
    std::size_t i = 0;
    for (; i + step <= rows; i += step)
      bytes_with_panel<step>(depth, x + i * depth, panel, to + i * stride, stride);
    for (; i < rows; ++i) bytes_with_panel<1>(depth, x + i * depth, panel, to + i * stride, stride);
  }
}

ByteProduct byte_product_of() { return &all_bytes; }

#else

ByteProduct byte_product_of() { return nullptr; }

#endif

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

MERCER_SIMD_TABLE(byte_product_of);

ByteProduct byte_product(const std::string& instruction_set) {
  return HWY_DISPATCH_TABLE(byte_product_of)[table_index(instruction_set)]();
}

ByteProduct byte_product() { return HWY_DISPATCH_TABLE(byte_product_of)[table_index()](); }

}  // namespace mercer::simd
#endif
