#pragma once
#include <cmath>
#include <numbers>

#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = exp(−2/ℓ² Σₖ sin²(π(xₖ − zₖ)/p)).                                              MacKay 1998
/// Each coordinate is wound around a circle, u = (cos 2πx/p, sin 2πx/p); since ‖u(x) − u(z)‖² = 4
/// sin²(π(x−z)/p) this is a Gaussian on the circles, and costs one matrix product.
struct Periodic {
  static constexpr std::string_view name = "periodic";
  static constexpr std::string_view formula = "exp(−2/length²·Σ sin²(π(xₖ−zₖ)/period))";
  static constexpr std::string_view summary = "functions with a known period";
  static constexpr LeafTraits traits{.statistic = Statistic::squared_distance, .map = true, .series = true};
  double period = 1, length = 1;
  static void params(auto&& param) {
    param("period", &Periodic::period, positive, "period, the same for all columns");
    param("length", &Periodic::length, positive, "length scale within a period", Role::length);
  }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .bound = 1, .diagonal = 1};
  }
  std::vector<double> map(std::span<const double> x) const {
    std::vector<double> circles;
    circles.reserve(2 * x.size());
    for (const double coordinate : x) {
      const double turns = coordinate / period;
      const double angle = 2 * std::numbers::pi * (turns - std::round(turns));
      circles.push_back(std::cos(angle));
      circles.push_back(std::sin(angle));
    }
    return circles;
  }
  RowAlgebra::Id map(RowAlgebra& algebra, RowAlgebra::Id x) const {
    using Function = RowAlgebra::Function;
    const auto turns = algebra.apply(RowAlgebra::Operation::divide, x, algebra.number(period));
    const auto part =
        algebra.apply(RowAlgebra::Operation::subtract, turns, algebra.apply(Function::round, turns));
    const auto angle =
        algebra.apply(RowAlgebra::Operation::multiply, part, algebra.number(2 * std::numbers::pi));
    const RowAlgebra::Id both[] = {algebra.apply(Function::cos, angle), algebra.apply(Function::sin, angle)};
    std::vector<std::size_t> order;  // (cos, sin) of each coordinate
    for (std::size_t j = 0; j < algebra.width(x); ++j) order.insert(order.end(), {j, algebra.width(x) + j});
    return algebra.columns(algebra.join(both), order);
  }
  Series series(int terms) const {
    const double gamma = 0.5 / (length * length);
    return {.coefficients = exponential_series(2 * gamma, terms), .gaussian = gamma, .exact = false};
  }
  Symbol operator()(Symbol d2) const { return exp(-d2 / (2 * length * length)); }
};
inline constexpr Maker<Periodic> periodic;

}  // namespace mercer
