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

/// ∫ f over [a, b] by Gauss and Legendre with 24 nodes: exact to rounding for what is smooth.
inline double integral(double a, double b, const std::function<double(double)>& f) {
  constexpr int n = 24;
  static const auto nodes = [] {
    std::vector<std::pair<double, double>> all;  // node, weight
    for (int i = 0; i < n; ++i) {
      double x = std::cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), slope = 0;
      for (int step = 0; step < 20; ++step) {
        double p = 1, before = 0;
        for (int k = 1; k <= n; ++k) {
          const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
          before = p;
          p = next;
        }
        slope = n * (x * p - before) / (x * x - 1);
        x -= p / slope;
      }
      all.emplace_back(x, 2 / ((1 - x * x) * slope * slope));
    }
    return all;
  }();
  double sum = 0;
  for (const auto& [x, weight] : nodes) sum += weight * f((a + b) / 2 + (b - a) / 2 * x);
  return sum * (b - a) / 2;
}
/// The angle between two points by the half-angle formula, exact where it is small; π/2 where either is 0.
inline double angle(const Row& x, const Row& z) {
  const double a = std::sqrt(dot(x, x)), b = std::sqrt(dot(z, z));
  if (a == 0 || b == 0) return 3.14159265358979323846 / 2;
  double apart = 0, together = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    apart += std::pow(x[k] / a - z[k] / b, 2);
    together += std::pow(x[k] / a + z[k] / b, 2);
  }
  return 2 * std::atan2(std::sqrt(apart), std::sqrt(together));
}
/// E[max(0, u)ⁿ max(0, v)ⁿ] of normal u and v with variance 1 and correlation cos θ, in polar coordinates: E
/// r²ⁿ is 2ⁿn!, and both are positive for angles from θ − π/2 to π/2.
inline double rectified(int n, double theta) {
  const double pi = 3.14159265358979323846;
  return std::pow(2, n) * std::tgamma(n + 1) / (2 * pi) * integral(theta - pi / 2, pi / 2, [&](double phi) {
           return std::pow(std::cos(phi) * std::cos(phi - theta), n);
         });
}
/// arc_cosine(order=1, layers=3): as three layers of rectified units.
inline double three_layers(const Row& x, const Row& z) {
  const double size = std::sqrt(dot(x, x) * dot(z, z));
  double theta = angle(x, z);
  for (int layer = 1;; ++layer) {
    const double cosine = std::min(2 * rectified(1, theta), 1.0);
    if (layer == 3) return size * cosine;
    theta = std::acos(cosine);
  }
}
/// ntk(depth=3, weight_variance=1.5, bias_variance=0.1), as a recursion over covariance matrices of two
/// points.
inline double tangent(const Row& x, const Row& z) {
  const double w = 1.5, b = 0.1, pi = 3.14159265358979323846;
  double xx = w * dot(x, x) + b, zz = w * dot(z, z) + b, xz = w * dot(x, z) + b, k = xz;
  for (int layer = 0; layer < 3; ++layer) {
    const double theta = std::acos(std::clamp(xz / std::sqrt(xx * zz), -1.0, 1.0));
    const double both = integral(theta - pi / 2, pi / 2, [](double) { return 1; }) / (2 * pi);
    xz = w * std::sqrt(xx * zz) * rectified(1, theta) + b;
    k = xz + k * w * both;
    xx = w * xx * rectified(1, 0) + b;
    zz = w * zz * rectified(1, 0) + b;
  }
  return k;
}
/// 2^(1−ν)/Γ(ν) t^ν K_ν(t) with K_ν(t) = ∫ e^(−t cosh u) cosh(νu) du over u > 0, by the trapezoidal rule,
/// which converges geometrically here.
inline double matern_by_integral(double nu, double t) {
  if (t == 0) return 1;
  const double h = std::min(1. / 16, 0.5 / std::sqrt(t));  // the integrand is about 1/√t wide
  double sum = 0.5 * std::exp(-t);
  for (int i = 1; t * std::cosh(i * h) < 745; ++i)
    sum += std::exp(-t * std::cosh(i * h)) * std::cosh(nu * i * h);
  return std::pow(2, 1 - nu) / std::tgamma(nu) * std::pow(t, nu) * sum * h;
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
      {"matern",
       {"matern(nu=3.5, length=2)",
        [](auto& x, auto& z) {
          const double t = std::sqrt(7 * squared_gap(x, z)) / 2;
          return (1 + t + 2 * t * t / 5 + t * t * t / 15) * std::exp(-t);
        }}},
      {"matern",
       {"matern(nu=0.8, length=2)",
        [](auto& x, auto& z) {
          return matern_by_integral(0.8, std::sqrt(2 * 0.8 * squared_gap(x, z)) / 2);
        }}},
      {"matern",
       {"matern(nu=3, length=2)",
        [](auto& x, auto& z) { return matern_by_integral(3, std::sqrt(6 * squared_gap(x, z)) / 2); }}},
      {"arc_cosine",
       {"arc_cosine(order=0)",
        [](auto& x, auto& z) {
          return dot(x, x) == 0 || dot(z, z) == 0 ? 0.5 : 2 * rectified(0, angle(x, z));
        }}},
      {"arc_cosine",
       {"arc_cosine(order=1)",
        [](auto& x, auto& z) { return 2 * std::sqrt(dot(x, x) * dot(z, z)) * rectified(1, angle(x, z)); }}},
      {"arc_cosine",
       {"arc_cosine(order=2)",
        [](auto& x, auto& z) { return 2 * dot(x, x) * dot(z, z) * rectified(2, angle(x, z)); }}},
      {"arc_cosine", {"arc_cosine(order=1, layers=3)", three_layers}},
      {"arc_cosine",
       {"arc_cosine(order=0, layers=2)",
        [](auto& x, auto& z) {
          const double pi = 3.14159265358979323846;
          const double xx = dot(x, x) == 0 ? 0.5 : 1, zz = dot(z, z) == 0 ? 0.5 : 1;
          return 1 - std::acos(std::min(1.0, (1 - angle(x, z) / pi) / std::sqrt(xx * zz))) / pi;
        }}},
      {"ntk", {"ntk(depth=3, weight_variance=1.5, bias_variance=0.1)", tangent}},
      {"spectral_mixture",
       {"spectral_mixture(weights=[0.7, 2], means=[[0.3, 0.1], [0, -0.5]], variances=[[0.02, 0.1], [0.04, "
        "0.01]])",
        [](auto& x, auto& z) {
          const double pi = 3.14159265358979323846, a = x[0] - z[0], b = x[1] - z[1];
          return 0.7 * std::exp(-2 * pi * pi * (0.02 * a * a + 0.1 * b * b)) *
                     std::cos(2 * pi * (0.3 * a + 0.1 * b)) +
                 2 * std::exp(-2 * pi * pi * (0.04 * a * a + 0.01 * b * b)) * std::cos(2 * pi * -0.5 * b);
        }}},
      {"distance", {"distance(beta=1)", [](auto& x, auto& z) { return -std::sqrt(squared_gap(x, z)); }}},
      {"distance", {"distance(beta=2)", [](auto& x, auto& z) { return -squared_gap(x, z); }}},
      {"distance",
       {"distance(beta=0.7)", [](auto& x, auto& z) { return -std::pow(std::sqrt(squared_gap(x, z)), 0.7); }}},
      {"multiquadric",
       {"multiquadric(c=0.8)", [](auto& x, auto& z) { return -std::sqrt(0.64 + squared_gap(x, z)); }}},
      {"thin_plate",
       {"thin_plate",
        [](auto& x, auto& z) {
          const double r = std::sqrt(squared_gap(x, z));
          return r > 0 ? r * r * std::log(r) : 0;
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
