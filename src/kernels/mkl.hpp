// Where in an expression weights are to be learned: the one mkl(…) of a kernel that is linear in what stands
// there.
#pragma once

#include <optional>
#include <vector>

#include "mercer/kernel.hpp"

namespace mercer {

class OpenWeights {
 public:
  /// None where the expression has no mkl(…). Throws Error{usage} where it has two, or is not linear in the
  /// weights.
  static std::optional<OpenWeights> find(const Kernel& kernel);

  const std::vector<Kernel>& terms() const noexcept { return terms_; }
  double norm() const noexcept { return norm_; }
  /// The points as the terms see them.
  Points points_inside(const Points& points) const;
  /// The expression with k in the place of mkl(…).
  Kernel with(Kernel k) const;
  /// What k adds to the expression in that place.
  Kernel added_by(Kernel k) const;

 private:
  struct Step {
    Kernel node;
    std::size_t part;
  };
  OpenWeights(const Kernel& mkl, std::vector<Step> path);

  std::vector<Step> path_;  // from the whole expression down
  std::vector<Kernel> terms_;
  double norm_;
};

}  // namespace mercer
