// Φ, the n × p matrix of features of n rows, with K = ΦΦᵀ exactly or nearly: the second of the two operators
// that solvers see (the first is KernelOperator, K itself). With fewer features than rows everything about K
// follows from ΦᵀΦ, and an expansion collapses, Σᵢ αᵢ k(xᵢ, x) = wᵀφ(x): weights in place of coefficients.
#pragma once

#include <functional>
#include <span>

#include "mercer/buffer.hpp"
#include "mercer/kernel.hpp"
#include "mercer/progress.hpp"

namespace mercer {

/// Results are the same bits for any number of threads.
class FeatureOperator {
 public:
  virtual ~FeatureOperator() = default;
  virtual std::size_t rows() const noexcept = 0;      ///< n
  virtual std::size_t features() const noexcept = 0;  ///< p

  /// out (n × k) = Φ W, and out (p × k) = Φᵀ V; all row-major.
  virtual void multiply(std::span<const double> W, std::size_t k, std::span<double> out) const = 0;
  virtual void multiply_transposed(std::span<const double> V, std::size_t k, std::span<double> out) const = 0;

  /// What comes between the two products of a pass: F = ΦW of some rows (their number × k, row-major) is
  /// changed in place. Called for different rows by several threads at once.
  using RowTask = std::function<void(Range rows, double* F)>;
  /// out (p × k) = Φᵀ task(ΦW) in one pass over the rows. Of no W the task finds zeros.
  virtual void pass(std::span<const double> W, std::size_t k, const RowTask& task,
                    std::span<double> out) const;

  /// Φᵀ S² Φ, p × p, row-major, lower half; S: n numbers, or none for ones. `rough`: float32 may be used.
  virtual Buffer<double> normal_matrix(std::span<const double> s, bool rough = false) const = 0;
  /// Whether rough sums would do where μ is added to the diagonal.
  virtual bool rough_suffices(std::span<const double> /* s */, double /* mu */) const { return false; }
};

/// Features held by columns: the factor F of a pivoted Cholesky factorisation, K ≈ FFᵀ.
class ColumnFeatures final : public FeatureOperator {
 public:
  /// `columns`: p × n, row-major: row r is column r of Φ. They must outlive this.
  ColumnFeatures(const double* columns, std::size_t features, std::size_t rows, int threads,
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

  const double* columns_;
  std::size_t p_, n_;
  int threads_;
  Progress progress_;
};

}  // namespace mercer
