#pragma once
#include <cmath>

#include "mercer/leaf.hpp"

namespace mercer {

/// k(x, z) = (r + a·xᵀz)^Q: every monomial up to degree Q (exactly Q where r = 0).
struct Poly {
  static constexpr std::string_view name = "poly";
  static constexpr std::string_view formula = "(offset + scale·xᵀz)^degree";
  static constexpr std::string_view summary = "all monomials up to the degree; offset 0 gives the homogeneous one";
  static constexpr auto statistic = Statistic::dot;
  int degree = 3;
  double scale = 1, offset = 1;
  static constexpr auto params =
      std::tuple{Param{"degree", &Poly::degree, whole, "degree Q"},
                 Param{"scale", &Poly::scale, positive, "a, on the dot product"},
                 Param{"offset", &Poly::offset, non_negative, "r, the weight of the lower degrees"}};
  Properties properties() const { return {.psd = true}; }
  Series series(int) const {  // the binomial theorem
    Series all;
    double binomial = 1;
    for (int t = 0; t <= degree; ++t) {
      all.coefficients.push_back(binomial * std::pow(scale, t) * std::pow(offset, degree - t));
      binomial *= double(degree - t) / (t + 1);
    }
    return all;
  }
  Symbol operator()(Symbol dot) const { return pow(offset + scale * dot, degree); }
};
inline constexpr Maker<Poly> poly;

}  // namespace mercer
