#include "operators/byte_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

#include "base/cpu.hpp"
#include "base/onednn.hpp"
#include "base/seconds.hpp"
#include "mercer/error.hpp"
#include "operators/simd/byte_product.hpp"

namespace mercer {

namespace {

// Below so many bytes the sooner of two ways is over before it is found.
constexpr double worth_a_trial = 1 << 22;

// Without dot-product instructions for bytes, pairs of products are summed in 16 bits and may saturate.
bool onednn_is_exact(double highest) {
  if (2 * highest * 128 < 32768) return true;
  const dnnl_cpu_isa_t isa = onednn().get_effective_cpu_isa();
  return isa == dnnl_cpu_isa_avx512_core_vnni || isa == dnnl_cpu_isa_avx512_core_bf16 ||
         isa == dnnl_cpu_isa_avx512_core_amx || isa == dnnl_cpu_isa_avx2_vnni;
}

// The least of a few times of a product in the shape of a tile.
double trial(ByteWay way) {
  constexpr std::size_t rows = 64, columns = 1024, depth = 256;
  ByteMatrix x(rows, depth, way), z(columns, depth, way);
  for (std::size_t i = 0; i < columns; ++i) {
    if (i < rows) std::fill_n(x.row(i), depth, std::uint8_t(i));
    std::fill_n(z.row(i), depth, std::uint8_t(i));
    z.lay_out(i);
  }
  double least = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 4; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    x.times({0, rows}, z, {0, columns});
    least = std::min(least, seconds_since(start));
  }
  return least;
}

ByteWay faster_way() {
  static const ByteWay found =
      trial(ByteWay::onednn) < trial(ByteWay::panels) ? ByteWay::onednn : ByteWay::panels;
  return found;
}

}  // namespace

ByteWay way_of_bytes(double highest, double numbers) {
  if (!simd::byte_product()) return onednn_is_exact(highest) ? ByteWay::onednn : ByteWay::none;
  return has_byte_matrices() && numbers >= worth_a_trial ? faster_way() : ByteWay::panels;
}

ByteMatrix::ByteMatrix(std::size_t rows, std::size_t cols, ByteWay way)
    : way_(way), cols_(cols), depth_(way == ByteWay::panels ? (cols + 3) / 4 * 4 : cols) {
  constexpr std::size_t panel = simd::byte_panel;
  rows_ = Buffer<std::uint8_t>(rows * depth_);
  columns_ =
      Buffer<std::int8_t>((way == ByteWay::panels ? (rows + panel - 1) / panel * panel : rows) * depth_);
  if (depth_ > cols) std::ranges::fill(rows_, 0);
  if (columns_.size() > rows_.size())
    std::fill(columns_.end() - std::ptrdiff_t(panel * depth_), columns_.end(), 0);
}

// A byte less 128 is the byte with its first bit turned.
void ByteMatrix::lay_out(std::size_t i) {
  const std::uint8_t* const own = row(i);
  if (way_ == ByteWay::onednn) {
    for (std::size_t k = 0; k < depth_; ++k) columns_[i * depth_ + k] = std::int8_t(own[k] ^ 0x80);
    return;
  }
  constexpr std::size_t panel = simd::byte_panel;
  std::int8_t* to = columns_.data() + i / panel * panel * depth_ + i % panel * 4;
  for (std::size_t k = 0; k < depth_; k += 4, to += 4 * panel) {
    std::uint32_t four;
    std::memcpy(&four, own + k, 4);
    four ^= 0x80808080;
    std::memcpy(to, &four, 4);
  }
}

ByteMatrix ByteMatrix::gather(std::span<const std::size_t> chosen) const {
  ByteMatrix result(chosen.size(), cols_, way_);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    std::copy_n(row(chosen[i]), depth_, result.row(i));
    result.lay_out(i);
  }
  return result;
}

ByteSums ByteMatrix::times(Range rows, const ByteMatrix& other, Range columns) const {
  const std::size_t m = rows.size(), n = columns.size();
  if (way_ == ByteWay::panels) {
    constexpr std::size_t panel = simd::byte_panel;
    const std::size_t begin = columns.begin / panel, panels = (columns.end + panel - 1) / panel - begin;
    ByteSums sums{Buffer<std::int32_t>(m * panels * panel), panels * panel, columns.begin % panel};
    simd::byte_product()(m, depth_, row(rows.begin), panels, other.columns_.data() + begin * panel * depth_,
                         sums.numbers.data(), sums.stride);
    return sums;
  }
  ByteSums sums{Buffer<std::int32_t>(m * n), n, 0};
  if (cols_ == 0) {
    std::ranges::fill(sums.numbers, 0);
    return sums;
  }
  const std::int32_t zero = 0;
  const auto d = dnnl_dim_t(cols_);
  if (const auto status = onednn().gemm_u8s8s32(
          'N', 'T', 'F', dnnl_dim_t(m), dnnl_dim_t(n), d, 1, row(rows.begin), d, 0,
          other.columns_.data() + columns.begin * cols_, d, 0, 0, sums.numbers.data(), dnnl_dim_t(n), &zero);
      status != dnnl_success)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("a product of bytes failed in oneDNN (status {})", int(status)));
  return sums;
}

}  // namespace mercer
