// Φ as the rows of points themselves, with one more column that is the same for all rows: products row by
// row, so that sparse rows stay sparse.
#pragma once

#include <vector>

#include "mercer/points.hpp"
#include "operators/feature_operator.hpp"

namespace mercer {

class RowProducts final : public FeatureOperator {
 public:
  /// `constant`: the value of the further column; 0: there is none.
  RowProducts(Points points, double constant) : points_(std::move(points)), constant_(constant) {}

  std::size_t rows() const noexcept override { return points_.rows(); }
  std::size_t features() const noexcept override { return points_.cols() + (constant_ != 0); }
  void multiply(std::span<const double> W, std::size_t k, std::span<double> out) const override;
  void multiply_transposed(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  Buffer<double> normal_matrix(std::span<const double> s, bool rough = false) const override;
  std::vector<double> squared_norms() const;  ///< of each row

 private:
  template <class Use>  // use(row, column, value)
  void each(Use use) const;

  Points points_;
  double constant_;
};

}  // namespace mercer
