// Features held by columns, in float32 or float64: the factor F of a pivoted Cholesky factorisation, K ≈ FFᵀ.
#pragma once

#include "mercer/progress.hpp"
#include "operators/feature_operator.hpp"

namespace mercer {

template <class T>  // float or double
class ColumnFeatures final : public FeatureOperator {
 public:
  /// `columns`: p × n, row-major: row r is column r of Φ. They must outlive this.
  ColumnFeatures(const T* columns, std::size_t features, std::size_t rows, int threads,
                 const Progress& progress)
      : columns_(columns), p_(features), n_(rows), threads_(threads), progress_(progress) {}

  std::size_t rows() const noexcept override { return n_; }
  std::size_t features() const noexcept override { return p_; }
  void multiply(std::span<const double> W, std::size_t k, std::span<double> out) const override;
  void multiply_transposed(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  Buffer<double> normal_matrix(std::span<const double> s, bool rough) const override;
  bool rough_suffices(std::span<const double> s, double mu) const override;

 private:
  template <class Sum>
  void add_tile(std::size_t row, std::size_t column, std::span<const double> s, double* to) const;

  const T* columns_;
  std::size_t p_, n_;
  int threads_;
  Progress progress_;
};

extern template class ColumnFeatures<float>;
extern template class ColumnFeatures<double>;

}  // namespace mercer
