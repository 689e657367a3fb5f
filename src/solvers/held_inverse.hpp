// (S K S + cI)⁻¹ of some hundred rows, whose K is held: MᵀM with M = L⁻¹, L the Cholesky factor. M takes as
// many operations again as L, but all of them are products of matrices, which run at two to three times the
// speed of LAPACK's factorisation at this size. It has the trace of the inverse, ‖M‖², too, and applies it
// without substitutions.
#pragma once

#include <optional>
#include <vector>

#include "mercer/buffer.hpp"
#include "mercer/progress.hpp"
#include "solvers/inverse.hpp"

namespace mercer {

/// The lower half of the positive definite A (n × n, rows `stride` apart) becomes L⁻¹ with A = LLᵀ; what is
/// above stays. False where A is not positive definite to rounding. By halves:
///   L₁₁⁻¹, then L₂₁ = A₂₁L₁₁⁻ᵀ, then L₂₂⁻¹ of A₂₂ − L₂₁L₂₁ᵀ, and −L₂₂⁻¹L₂₁L₁₁⁻¹ below.
bool invert_factor(double* A, std::size_t n, std::size_t stride);

class HeldInverse final : public Inverse {
 public:
  /// `K`: n × n, symmetric, which must outlive it.
  HeldInverse(const double* K, std::size_t n, const Progress& progress) : K_(K), n_(n), progress_(progress) {}

  /// Also false where c = 0 and the pivots say that K is singular to rounding.
  bool prepare(std::span<const double> s, double c) override;
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  std::string words() const override { return "a float64 Cholesky factor"; }
  /// tr (S K S + cI)⁻¹ of what was prepared last; none where that could not be made.
  std::optional<double> trace() const;

  static std::size_t bytes(std::size_t n) { return n * n * sizeof(double); }

 private:
  bool singular() const;

  const double* K_;
  std::size_t n_;
  Progress progress_;
  std::vector<double> s_;
  double c_ = -1;     // what M_ was made for; negative: nothing
  Buffer<double> M_;  // n × n, row-major, lower
};

}  // namespace mercer
