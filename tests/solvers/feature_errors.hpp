// How far φ(x)ᵀφ(z) is from k(x, z), for the tests of the feature maps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "operators/entries.hpp"
#include "mercer/points.hpp"
#include "operators/row_map.hpp"

namespace mercer {

inline std::vector<double> features_of(const DenseMap& map, const Points& points, int threads = 1) {
  std::vector<double> out(points.rows() * map.features());
  map.apply(points, threads, out.data());
  return out;
}

struct FeatureError {
  double largest, root_mean_square;
};

/// Of the features (n × F) of the points, against the kernel's own matrix.
inline FeatureError feature_error(const std::vector<double>& features, const Kernel& kernel,
                                  const Points& points) {
  const std::size_t n = points.rows(), F = features.size() / n;
  const auto K = full(KernelOperator<double>(kernel, points));
  FeatureError error{0, 0};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double product = 0;
      for (std::size_t f = 0; f < F; ++f) product += features[i * F + f] * features[j * F + f];
      const double difference = std::abs(product - K[i * n + j]);
      error.largest = std::max(error.largest, difference);
      error.root_mean_square += difference * difference / double(n * n);
    }
  error.root_mean_square = std::sqrt(error.root_mean_square);
  return error;
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace mercer
