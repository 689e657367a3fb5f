// (S K S + cI)⁻¹ of a dense matrix: by a Cholesky factor in float32 or float64, or from all eigenvalues.
#pragma once

#include <vector>

#include "mercer/kernel_operator.hpp"
#include "mercer/progress.hpp"
#include "solvers/eigen.hpp"
#include "solvers/inverse.hpp"

namespace mercer {

template <class T>
class DenseInverse : public Inverse {
 public:
  /// `K` must outlive it.
  DenseInverse(const KernelOperator<T>& K, int threads, const Progress& progress)
      : K_(K), threads_(threads), progress_(progress) {}

  /// Also false where c = 0 and the pivots say that K is singular to rounding.
  bool prepare(std::span<const double> s, double c) override;
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  std::string words() const override;

  static std::size_t bytes(std::size_t n);

 private:
  void fill(std::span<const double> s, double c);
  bool singular() const;

  const KernelOperator<T>& K_;
  int threads_;
  Progress progress_;
  std::vector<double> s_;
  double c_ = -1;  // what L_ was made for; negative: nothing
  Buffer<T> L_;    // n × n, row-major, lower
};

/// The pseudo-inverse of S K S + cI from all its eigenvalues: where the matrix is singular, as K of equal
/// points is with c = 0, it gives the solution of least norm.
class PseudoInverse : public Inverse {
 public:
  /// `K` must outlive it.
  PseudoInverse(const KernelOperator<double>& K, int threads) : K_(K), threads_(threads) {}

  bool prepare(std::span<const double> s, double c) override;
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  std::string words() const override;
  std::size_t dropped() const noexcept { return dropped_; }  ///< eigenvalues below n·ε·largest, taken as 0

  static std::size_t bytes(std::size_t n) { return 4 * n * n * sizeof(double); }

 private:
  const KernelOperator<double>& K_;
  int threads_;
  std::vector<double> s_;
  double c_ = -1;
  Eigen eigen_;
  std::size_t dropped_ = 0;
};

}  // namespace mercer
