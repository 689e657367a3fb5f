#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = (r + a·xᵀz)^Q: every monomial up to degree Q (exactly Q where r = 0).
struct Poly {
  static constexpr std::string_view name = "poly";
  static constexpr std::string_view formula = "(offset + scale·xᵀz)^degree";
  static constexpr std::string_view summary =
      "all monomials up to the degree; offset 0 gives the homogeneous one";
  static constexpr KernelSearch search[] = {
      {"poly(degree=2)", {1}, Task::either, usual_table, "scale", inverse_columns}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::dot, .series = true, .dot_power = true, .search = search};
  int degree = 3;
  double scale = 1, offset = 1;
  static void params(auto&& param) {
    param("degree", &Poly::degree, whole, "degree");
    param("scale", &Poly::scale, positive, "factor of the dot product (scikit-learn's gamma)");
    param("offset", &Poly::offset, non_negative, "constant term (scikit-learn's coef0)");
  }
  Properties properties() const { return {.psd = true}; }
  Series series(int) const {  // the binomial theorem
    Series all{.coefficients = {1}};
    for (int factor = 0; factor < degree; ++factor) {  // times (offset + scale·s)
      all.coefficients.push_back(0);
      for (std::size_t t = all.coefficients.size(); t-- > 0;)
        all.coefficients[t] = offset * all.coefficients[t] + (t > 0 ? scale * all.coefficients[t - 1] : 0);
    }
    return all;
  }
  DotPower dot_power() const { return {.degree = degree, .scale = scale, .offset = offset}; }
  Symbol operator()(Symbol dot) const { return pow(offset + scale * dot, degree); }
};
inline constexpr Maker<Poly> poly;

}  // namespace mercer
