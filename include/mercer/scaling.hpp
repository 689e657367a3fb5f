// Scaling of columns, fitted on training rows and applied to any.
//   standard  (x − mean) / standard deviation         minmax  (x − min) / (max − min) onto [0, 1]
// Both make a constant column 0. Sparse points mean the same and become dense, unless that would fill in too
// many zeros (more than 2²⁵ numbers in all, most of them 0): then 0 stays 0, and columns are divided by the
// same numbers but not shifted, which leaves distances as they would be. Constant columns stay as they are
// then.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mercer/points.hpp"

namespace MERCER_EXPORT mercer {

class Scaling {
 public:
  enum class Kind { none, standard, minmax };

  Scaling() = default;
  /// As fitted before. `shift` and `scale`: one per column, or none.
  Scaling(Kind kind, std::vector<double> shift, std::vector<double> scale)
      : kind_(kind), shift_(std::move(shift)), scale_(std::move(scale)) {}
  static Scaling fit(Kind kind, const Points& points);
  static Kind kind_named(const std::string& name);  ///< throws Error{usage} for an unknown name

  /// Sparse points become dense where the scaling shifts.
  Points apply(const Points& points) const;
  /// What is not as one may expect, in a sentence: the columns are not shifted. Empty where they are.
  std::string note() const;
  Kind kind() const noexcept { return kind_; }
  const std::vector<double>& shift() const noexcept { return shift_; }  ///< empty where nothing is shifted
  const std::vector<double>& scale() const noexcept { return scale_; }  ///< x ↦ (x − shift) · scale

 private:
  Kind kind_ = Kind::none;
  std::vector<double> shift_, scale_;
};

}  // namespace mercer
