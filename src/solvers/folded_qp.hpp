// ε-SVR has two variables a point, β⁺ ≥ 0 with s⁺ and β⁻ ≤ 0 with s⁻ ≤ s⁺. At a solution one of them is 0, so
// that one variable β = β⁺ + β⁻ will do whose linear term is s⁺ above 0 and s⁻ below: the same minimum with
// half the variables, and steps over them take half the time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solvers/box_qp.hpp"

namespace mercer {

class FoldedQp {
 public:
  /// None where some variable has no such partner, or there are several groups.
  static std::optional<FoldedQp> of(const BoxQp& original);

  const BoxQp& problem() const noexcept { return folded_; }
  /// β of the original's variables.
  std::vector<double> unfold(std::span<const double> beta) const;

 private:
  BoxQp folded_;
  std::vector<std::size_t> above_, below_;  // of each variable: those of the original's that it stands for
};

}  // namespace mercer
