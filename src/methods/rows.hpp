// The rows that a method learns from, and the expansion that coefficients of these rows make: what methods
// without a SvmTrainer share.
#pragma once

#include "mercer/fit.hpp"
#include "solvers/kernel_system.hpp"

namespace mercer {

/// The rows of weight above 0. Throws Error{data} where there are none.
struct Rows {
  explicit Rows(const Training& training);

  std::vector<std::size_t> numbers;  ///< in the data
  Points points;
  std::shared_ptr<const RowFeatures> features;  ///< theirs, where the primal was planned
  std::vector<double> weights;                  ///< one each; all 1 where the data have none

  std::size_t size() const noexcept { return numbers.size(); }
  bool weighted() const noexcept;  ///< some weight is not 1
  /// The target of each row: n × outputs numbers, or the codes of its classes.
  std::vector<double> values(const Target& target) const;
  std::vector<std::int32_t> codes(const Target& target) const;
};

/// The systems of these rows: over their features, where there are any, else over K. `solver`: as the
/// method's users know it.
KernelSystem system_of(const Kernel& kernel, const Points& points,
                       const std::shared_ptr<const RowFeatures>& features, const std::string& solver,
                       const FitOptions& options, Progress progress);

/// A model that is linear in the features: W is outputs × features; ρ is left to the caller. Where they are
/// those of landmarks, an expansion over these.
Fitted over_weights(const RowFeatures& features, std::span<const double> W, std::size_t outputs, Rule rule);

/// Σᵢ coefficients[i, c]·k(xᵢ, x) − rho[c], coefficients being rows.size() × rho.size(). Points whose
/// coefficients are all 0 are left out unless a part of the kernel takes a mean over them; of the linear
/// kernel the weights Σ αᵢxᵢ alone are kept.
Fitted expand(const Training& training, const Rows& rows, std::vector<double> coefficients,
              std::vector<double> rho, Rule rule);

}  // namespace mercer
