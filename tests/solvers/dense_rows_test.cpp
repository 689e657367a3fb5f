// xᵀw and w + s·x against plain sums, on every instruction set, for counts around those of its lanes.
#include "solvers/simd/dense_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "base/simd/targets.hpp"

namespace mercer::simd {
namespace {

template <class T>
void expect_plain_sums(const std::string& set, std::size_t count) {
  Random random(count + 1);
  std::vector<T> x(count + 1);  // the last must not be read
  std::vector<double> w(count + 1), moved;
  for (T& value : x) value = T(random.normal());
  for (double& value : w) value = random.normal();
  x.back() = T(NAN), w.back() = 7;
  moved = w;
  double sum = 0, magnitude = 0;
  for (std::size_t k = 0; k < count; ++k) {
    sum += double(x[k]) * w[k];
    magnitude += std::abs(double(x[k]) * w[k]);
  }
  EXPECT_NEAR(dense_rows<T>(set).dot(x.data(), w.data(), count), sum, 1e-14 * magnitude)
      << set << ", " << count;
  dense_rows<T>(set).add(x.data(), -0.3, moved.data(), count);
  for (std::size_t k = 0; k < count; ++k)
    EXPECT_NEAR(moved[k], w[k] - 0.3 * double(x[k]), 1e-15 * (std::abs(w[k]) + std::abs(double(x[k]))))
        << set << ", " << count << ", place " << k;
  EXPECT_EQ(moved.back(), 7) << set << ", " << count;
}

TEST(DenseRows, HaveThePlainSums) {
  for (const std::string& set : instruction_sets())
    for (std::size_t count = 0; count < 80; ++count) {
      expect_plain_sums<float>(set, count);
      expect_plain_sums<double>(set, count);
    }
}

TEST(DenseRows, GiveTheSameBitsForFloatsThatAreTheSameNumbers) {
  for (const std::string& set : instruction_sets())
    for (std::size_t count = 0; count < 80; ++count) {
      Random random(3);
      std::vector<float> narrow(count);
      for (float& value : narrow) value = float(random.normal());
      const std::vector<double> wide(narrow.begin(), narrow.end());
      std::vector<double> w(count), v;
      for (double& value : w) value = random.normal();
      v = w;
      EXPECT_EQ(dense_rows<float>(set).dot(narrow.data(), w.data(), count),
                dense_rows<double>(set).dot(wide.data(), w.data(), count));
      dense_rows<float>(set).add(narrow.data(), 0.7, w.data(), count);
      dense_rows<double>(set).add(wide.data(), 0.7, v.data(), count);
      EXPECT_EQ(w, v);
    }
}

}  // namespace
}  // namespace mercer::simd
