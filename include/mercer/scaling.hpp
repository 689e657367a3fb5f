// Scaling of columns, fitted on training rows and applied to any.
//   standard  (x − mean) / standard deviation         minmax  (x − min) / (max − min) onto [0, 1]
// A constant column is left as it is by both. Sparse points are scaled without shifting (0 stays 0): standard
// divides by the root mean square, minmax by the largest magnitude.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mercer/points.hpp"

namespace mercer {

class Scaling {
 public:
  enum class Kind { none, standard, minmax };

  Scaling() = default;
  /// As fitted before. `shift` and `scale`: one per column, or none.
  Scaling(Kind kind, std::vector<double> shift, std::vector<double> scale)
      : kind_(kind), shift_(std::move(shift)), scale_(std::move(scale)) {}
  static Scaling fit(Kind kind, const Points& points);
  static Kind kind_named(const std::string& name);  ///< throws Error{usage} for an unknown name

  Points apply(const Points& points) const;
  Kind kind() const noexcept { return kind_; }
  const std::vector<double>& shift() const noexcept { return shift_; }  ///< empty where nothing is shifted
  const std::vector<double>& scale() const noexcept { return scale_; }  ///< x ↦ (x − shift) · scale

 private:
  Kind kind_ = Kind::none;
  std::vector<double> shift_, scale_;
};

}  // namespace mercer
