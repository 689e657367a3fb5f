#include "base/onednn.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace mercer {
namespace {

TEST(OneDnn, MultipliesBytes) {
  constexpr int m = 5, n = 4, k = 7;
  std::vector<std::uint8_t> a(m * k);
  std::vector<std::int8_t> b(n * k);
  for (int i = 0; i < m * k; ++i) a[i] = std::uint8_t(i % 11);
  for (int i = 0; i < n * k; ++i) b[i] = std::int8_t(i % 7 - 3);
  std::vector<std::int32_t> c(m * n);
  const std::int32_t zero = 0;
  ASSERT_EQ(
      onednn().gemm_u8s8s32('N', 'T', 'F', m, n, k, 1, a.data(), k, 0, b.data(), k, 0, 0, c.data(), n, &zero),
      dnnl_success);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int expected = 0;
      for (int l = 0; l < k; ++l) expected += a[i * k + l] * b[j * k + l];
      EXPECT_EQ(c[i * n + j], expected);
    }
}

// Both layouts, all transposes, rows further apart than they are long.
TEST(OneDnn, MultipliesFloatsAsBlasDoes) {
  constexpr int m = 6, n = 5, k = 9, apart = 12;
  std::vector<float> a(apart * apart), b(apart * apart);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = float(i % 13) - 6, b[i] = float(i % 7) - 3;
  for (const auto layout : {CblasRowMajor, CblasColMajor})
    for (const auto transpose_a : {CblasNoTrans, CblasTrans})
      for (const auto transpose_b : {CblasNoTrans, CblasTrans}) {
        std::vector<float> c(apart * apart, 2);
        sgemm_by_onednn(layout, transpose_a, transpose_b, m, n, k, 0.5f, a.data(), apart, b.data(), apart, 3,
                        c.data(), apart);
        const auto at = [&](int i, int j) { return layout == CblasRowMajor ? i * apart + j : j * apart + i; };
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int l = 0; l < k; ++l)
              sum += a[transpose_a == CblasNoTrans ? at(i, l) : at(l, i)] *
                     b[transpose_b == CblasNoTrans ? at(l, j) : at(j, l)];
            EXPECT_EQ(c[at(i, j)], 0.5f * sum + 6) << layout << transpose_a << transpose_b;
          }
      }
}

}  // namespace
}  // namespace mercer
