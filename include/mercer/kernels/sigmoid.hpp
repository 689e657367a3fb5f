#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = tanh(a·xᵀz + r): not positive semidefinite for any a, r in general.          Lin & Lin 2003
struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr std::string_view formula = "tanh(scale·xᵀz + offset)";
  static constexpr std::string_view summary =
      "tanh of the inner product; NOT positive semidefinite in general";
  static constexpr LeafTraits traits{.statistic = Statistic::dot};
  double scale = 1, offset = 0;
  static void params(auto&& param) {
    param("scale", &Sigmoid::scale, any_number, "factor of the dot product (scikit-learn's gamma)");
    param("offset", &Sigmoid::offset, any_number, "constant term (scikit-learn's coef0)");
  }
  Properties properties() const { return {.psd = false, .bound = 1}; }
  Symbol operator()(Symbol dot) const { return tanh(scale * dot + offset); }
};
inline constexpr Maker<Sigmoid> sigmoid;

}  // namespace mercer
