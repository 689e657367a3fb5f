// Entries of Gram matrices: how the tests get, expect and compare them.
#pragma once

#include <cblas.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "reference_kernels.hpp"

namespace mercer {

template <class T>
std::vector<T> full(const KernelOperator<T>& gram) {
  std::vector<T> out(gram.rows() * gram.cols());
  gram.matrix(out);
  return out;
}

inline std::vector<double> double_loop(const Reference& k, const std::vector<Row>& x,
                                       const std::vector<Row>& z) {
  std::vector<double> out;
  for (const Row& a : x)
    for (const Row& b : z) out.push_back(k(a, b));
  return out;
}

template <class T>
void expect_close(const std::vector<T>& got, const std::vector<double>& expected, double tolerance,
                  const std::string& what) {
  ASSERT_EQ(got.size(), expected.size());
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t e = 0; e < got.size(); ++e) {
    // Relative; entries that cancelled to nearly nothing are measured against the matrix.
    const double allowed = tolerance * std::max(std::abs(expected[e]), 5e-2 * largest);
    ASSERT_LE(std::abs(double(got[e]) - expected[e]), allowed)
        << what << ", entry " << e << ": " << got[e] << " against " << expected[e];
  }
}

/// Whether an entry of a dense product has the same bits in every product (see operators/product.hpp).
inline bool products_keep_bits() {
  const std::string core = openblas_get_corename();
  return core == "SkylakeX" || core == "Cooperlake" || core == "SapphireRapids" || core == "Sandybridge";
}

/// Equal to the last bit, or to rounding on machines whose products do not keep bits.
template <class T>
bool same_entry(T a, T b, bool to_the_bit) {
  const double rounding = sizeof(T) == 4 ? 1e-4 : 1e-11;
  return to_the_bit ? std::memcmp(&a, &b, sizeof(T)) == 0
                    : std::abs(double(a) - double(b)) <= rounding * (1 + std::abs(double(b)));
}

/// The Error that `action` throws.
template <class Action>
Error thrown_by(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::invalid_argument, "nothing was thrown");
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace mercer
