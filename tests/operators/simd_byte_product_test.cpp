// Products of bytes against sums of 64 bits, for every instruction set that has them and around every edge of
// the blocks.
#include "operators/simd/byte_product.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"
#include "base/simd/targets.hpp"

namespace mercer::simd {
namespace {

TEST(ByteProduct, IsExact) {
  bool any = false;
  for (const std::string& set : instruction_sets()) {
    const ByteProduct product = byte_product(set);
    if (!product) continue;
    any = true;
    for (const std::size_t rows : {0, 1, 5, 6, 7, 12, 23})
      for (const std::size_t panels : {0, 1, 3})
        for (const std::size_t depth : {0, 4, 8, 60, 256}) {
          Random random(rows * 1000 + panels * 100 + depth);
          const std::size_t columns = panels * byte_panel, stride = columns + 5;
          std::vector<std::uint8_t> x(rows * depth);
          std::vector<std::int8_t> z(columns * depth);
          // Extremes are frequent: sums of them do not fit 16 bits.
          for (auto& v : x) v = std::uint8_t(random.below(3) ? random.below(256) : 255);
          for (auto& v : z) v = std::int8_t(random.below(3) ? int(random.below(256)) - 128 : -128);
          std::vector<std::int32_t> out(rows * stride, -7);
          product(rows, depth, x.data(), panels, z.data(), out.data(), stride);
          for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < stride; ++j) {
              std::int64_t sum = j < columns ? 0 : -7;  // nothing is written past the row
              for (std::size_t k = 0; k < depth && j < columns; ++k)
                sum += x[i * depth + k] * z[j / byte_panel * byte_panel * depth +
                                            (k / 4 * byte_panel + j % byte_panel) * 4 + k % 4];
              ASSERT_EQ(out[i * stride + j], sum) << set << ' ' << rows << ' ' << panels << ' ' << depth;
            }
        }
  }
  if (!any) GTEST_SKIP() << "this processor has no dot products of bytes";
}

}  // namespace
}  // namespace mercer::simd
