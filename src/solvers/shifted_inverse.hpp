// (A + cI)⁻¹R and the diagonal of (A + cI)⁻¹ for many c, A positive semidefinite and dense, from one band
// form of A (solvers/band_form.hpp).
//
// Of many rows the form is made in float32, at half the cost. The solutions lose nothing by that: conjugate
// gradients with the form as preconditioner make them as good as float64. The diagonal is as good as the
// form: some of its entries are computed for the smallest c, where the error is largest, from the quadratic
// form 2p_i − pᵀ(A + cI)p of the approximate columns p, whose error is that of p squared. Where they differ
// too much, the form is made again in float64.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solvers/band_form.hpp"

namespace mercer {

class ShiftedInverse {
 public:
  /// A: n × n, both halves. `smallest`: the smallest c that will be asked for.
  ShiftedInverse(Buffer<double> A, std::size_t n, double smallest, int threads, const Progress& progress);

  /// False where A + smallest·I is not positive definite to rounding.
  bool possible() const noexcept { return possible_; }

  struct Values {
    std::vector<double> X;         ///< n × k: (A + cI)⁻¹R
    std::vector<double> diagonal;  ///< n
  };
  /// For each c. R: n × k, row-major.
  std::vector<Values> at(std::span<const double> c, std::span<const double> R, std::size_t k,
                         const Progress& progress) const;

  /// (A + cI)⁻¹R, n × k, to a relative residual.
  std::vector<double> solve(double c, std::span<const double> R, std::size_t k, double tolerance) const;

  bool in_float32() const noexcept { return single_.has_value(); }
  static double bytes(std::size_t n) { return 24 * double(n) * double(n); }

 private:
  template <class T>
  std::vector<Values> at(const BandForm<T>& form, std::span<const double> c, std::span<const double> R,
                         std::size_t k, const Progress& progress) const;
  using GoodEnough = std::function<bool(std::size_t column, double residual, double size)>;
  /// A column of R and X for each c.
  template <class T>
  std::vector<double> solve(const BandForm<T>& form, std::span<const BandFactor* const> factors,
                            std::span<const double> c, std::span<const double> R,
                            const GoodEnough& good_enough, const Progress& progress) const;
  bool good_in_float32(double c) const;
  void multiply(std::span<const double> V, std::span<const double> c, std::span<double> out) const;

  Buffer<double> A_;
  std::size_t n_;
  int threads_;
  bool possible_ = true;
  std::optional<BandForm<float>> single_;
  std::optional<BandForm<double>> double_;  // where float32 is not good enough, or not worth it
};

}  // namespace mercer
