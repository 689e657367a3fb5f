// A spectral mixture as an expression: each component is a Gaussian of scaled columns times a wave, and a
// wave cos ωᵀ(x − z) is the dot product of (cos ωᵀx, sin ωᵀx) and (cos ωᵀz, sin ωᵀz).
#include "mercer/kernels/spectral_mixture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/kernels/rbf.hpp"

namespace mercer {

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

/// k(x, z) = cos ωᵀ(x − z); not in the catalogue.
struct Wave {
  static constexpr std::string_view name = "wave";
  static constexpr std::string_view formula = "cos frequencyᵀ(x−z)";
  static constexpr std::string_view summary = "one wave";
  static constexpr LeafTraits traits{
      .statistic = Statistic::dot, .map = true, .series = true, .spectral = true};
  std::vector<double> frequency = {};
  static void params(auto&& param) { param("frequency", &Wave::frequency, any_number, "ω"); }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .bound = 1, .diagonal = 1};
  }
  std::vector<double> map(std::span<const double> x) const {
    if (x.size() != frequency.size())
      throw Error(
          ErrorCode::invalid_kernel,
          fmt::format("each component has {} number{} in means and variances but the points have {} "
                      "column{}",
                      frequency.size(), frequency.size() == 1 ? "" : "s", x.size(), x.size() == 1 ? "" : "s"),
          {.owner = "spectral_mixture", .hint = "one for each column is needed"});
    const double angle = std::inner_product(x.begin(), x.end(), frequency.begin(), 0.0);
    return {std::cos(angle), std::sin(angle)};
  }
  RowAlgebra::Id map(RowAlgebra& algebra, RowAlgebra::Id x) const {
    const auto angle = algebra.multiply(x, {frequency});
    const RowAlgebra::Id both[] = {algebra.apply(RowAlgebra::Function::cos, angle),
                                   algebra.apply(RowAlgebra::Function::sin, angle)};
    return algebra.join(both);
  }
  Series series(int) const { return {.coefficients = {0, 1}}; }
  Spectral spectral() const { return {.at = frequency}; }
  Symbol operator()(Symbol dot) const { return dot; }
};

}  // namespace

Properties SpectralMixture::properties() const {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  return {.psd = true, .translation_invariant = true, .bound = sum, .diagonal = sum};
}

void SpectralMixture::prepare() const {
  const std::size_t components = weights.size();
  if (components == 0 || components > 1000)
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("weights must list the weight of each component, from 1 to 1000 of them, not {}",
                            components));
  const auto check = [&](std::string_view list, const Table& table) {
    if (table.rows.size() != components)
      throw Error(ErrorCode::invalid_parameter,
                  fmt::format("{} has {} and weights has {}", list, table.rows.size(), components),
                  {.hint = "each component needs one entry in each list"});
    for (std::size_t q = 0; q < components; ++q)
      if (table.rows[q].empty() || table.rows[q].size() != means.rows[0].size())
        throw Error(ErrorCode::invalid_parameter,
                    fmt::format("component {} has {} in {} where the first has {} in means", q + 1,
                                table.rows[q].size(), list, means.rows[0].size()),
                    {.hint = "every component needs one number for each column"});
  };
  check("means", means);
  check("variances", variances);
}

Kernel SpectralMixture::composed() const {
  std::vector<Kernel> terms;
  for (std::size_t q = 0; q < weights.size(); ++q) {
    Wave wave;
    std::vector<double> by;
    for (const double mean : means.rows[q]) wave.frequency.push_back(two_pi * mean);
    for (const double variance : variances.rows[q]) by.push_back(two_pi * std::sqrt(variance));
    terms.push_back(weights[q] *
                    (Maker<Wave>{}(std::move(wave)) * scaled(rbf({.gamma = 0.5}), std::move(by))));
  }
  const Kernel first = terms.front();
  terms.erase(terms.begin());
  return terms.empty() ? first : add(first, std::move(terms));
}

}  // namespace mercer
