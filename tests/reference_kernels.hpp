// Every kernel written a second time, by hand, as a plain function of two points: what the engine is tested
// against. A kernel that is missing here makes the catalogue test fail.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace mercer {

using Row = std::vector<double>;
using Reference = std::function<double(const Row&, const Row&)>;

inline double dot(const Row& x, const Row& z) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * z[k];
  return sum;
}
inline double squared_gap(const Row& x, const Row& z) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - z[k]) * (x[k] - z[k]);
  return sum;
}
inline double coordinate_sum(const Row& x, const Row& z, double (*term)(double, double)) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += term(x[k], z[k]);
  return sum;
}

struct ReferenceKernel {
  std::string text;
  Reference function;
  bool non_negative = false;
  bool numbered = false;  ///< the first column of a row is its number
};

/// By the leaf's name; a few settings each.
inline const std::multimap<std::string, ReferenceKernel>& reference_kernels() {
  static const std::multimap<std::string, ReferenceKernel> all{
      {"linear", {"linear", dot}},
      {"poly",
       {"poly(degree=3, scale=0.5, offset=1)",
        [](auto& x, auto& z) { return std::pow(1 + 0.5 * dot(x, z), 3); }}},
      {"poly", {"poly(degree=2, offset=0)", [](auto& x, auto& z) { return std::pow(dot(x, z), 2); }}},
      {"rbf", {"rbf(gamma=0.3)", [](auto& x, auto& z) { return std::exp(-0.3 * squared_gap(x, z)); }}},
      {"rbf", {"rbf(sigma=2)", [](auto& x, auto& z) { return std::exp(-squared_gap(x, z) / 8); }}},
      {"laplace",
       {"laplace(lambda=0.7)",
        [](auto& x, auto& z) { return std::exp(-0.7 * std::sqrt(squared_gap(x, z))); }}},
      {"exponential", {"exponential(sigma=3)", [](auto& x, auto& z) { return std::exp(dot(x, z) / 9); }}},
      {"constant", {"constant(c=2.5)", [](auto&, auto&) { return 2.5; }}},
      {"delta", {"delta", [](auto& x, auto& z) { return x == z ? 1.0 : 0.0; }}},
      {"intersection",
       {"intersection",
        [](auto& x, auto& z) {
          return coordinate_sum(x, z, [](double a, double b) { return std::min(a, b); });
        },
        true}},
      {"jaccard",
       {"jaccard",
        [](auto& x, auto& z) {
          const double most = coordinate_sum(x, z, [](double a, double b) { return std::max(a, b); });
          return most > 0 ? coordinate_sum(x, z, [](double a, double b) { return std::min(a, b); }) / most
                          : 0;
        },
        true}},
      {"matern",
       {"matern(nu=0.5, length=2)",
        [](auto& x, auto& z) { return std::exp(-std::sqrt(squared_gap(x, z)) / 2); }}},
      {"matern",
       {"matern(nu=1.5, length=2)",
        [](auto& x, auto& z) {
          const double t = std::sqrt(3 * squared_gap(x, z)) / 2;
          return (1 + t) * std::exp(-t);
        }}},
      {"matern",
       {"matern(nu=2.5, length=2)",
        [](auto& x, auto& z) {
          const double t = std::sqrt(5 * squared_gap(x, z)) / 2;
          return (1 + t + t * t / 3) * std::exp(-t);
        }}},
      {"rational_quadratic",
       {"rational_quadratic(alpha=0.7, length=1.5)",
        [](auto& x, auto& z) { return std::pow(1 + squared_gap(x, z) / (2 * 0.7 * 1.5 * 1.5), -0.7); }}},
      {"chi2",
       {"chi2(gamma=0.4)",
        [](auto& x, auto& z) {
          return std::exp(-0.4 * coordinate_sum(x, z, [](double a, double b) {
            return a + b > 0 ? (a - b) * (a - b) / (a + b) : 0;
          }));
        },
        true}},
      {"cosine",
       {"cosine",
        [](auto& x, auto& z) {
          const double lengths = std::sqrt(dot(x, x) * dot(z, z));
          return lengths > 0 ? dot(x, z) / lengths : 0;
        }}},
      {"manhattan",
       {"manhattan(lambda=0.2)",
        [](auto& x, auto& z) {
          return std::exp(-0.2 * coordinate_sum(x, z, [](double a, double b) { return std::abs(a - b); }));
        }}},
      {"anova",
       {"anova(gamma=0.5, degree=2)",
        [](auto& x, auto& z) {
          return std::pow(
              coordinate_sum(x, z, [](double a, double b) { return std::exp(-0.5 * (a - b) * (a - b)); }), 2);
        }}},
      {"periodic",
       {"periodic(period=1.7, length=1.3)",
        [](auto& x, auto& z) {
          const double sum = coordinate_sum(x, z, [](double a, double b) {
            return std::pow(std::sin(3.14159265358979323846 * (a - b) / 1.7), 2);
          });
          return std::exp(-2 * sum / (1.3 * 1.3));
        }}},
      {"sigmoid",
       {"sigmoid(scale=0.3, offset=-0.2)",
        [](auto& x, auto& z) { return std::tanh(0.3 * dot(x, z) - 0.2); }}},
      {"precomputed", {"precomputed", [](auto& x, auto& z) { return x[std::size_t(z[0])]; }, false, true}},
      {"quadratic_form",
       {"quadratic_form(A=[[2, 1, 0], [1, 2, 0.5], [0, 0.5, 1]])",
        [](auto& x, auto& z) {
          const double A[3][3] = {{2, 1, 0}, {1, 2, 0.5}, {0, 0.5, 1}};
          double sum = 0;
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) sum += x[std::size_t(i)] * A[i][j] * z[std::size_t(j)];
          return sum;
        }}},
  };
  return all;
}

}  // namespace mercer
