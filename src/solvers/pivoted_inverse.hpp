// (S F Fᵀ S + cI)⁻¹ with F from a randomly pivoted Cholesky factorisation of K: what makes conjugate
// gradients on S K S + cI converge in few steps (Díaz, Epperly, Frangella, Tropp & Webber 2023). F is made
// once; its rank is chosen so that a larger one would cost more than the iterations that it saves. It is made
// in float64: in float32 what is left of K after a thousand pivots is its rounding, which the pivots that
// come then turn into large eigenvalues (436 iterations in place of 18 of 36,000 rows in ten columns).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "operators/feature_operator.hpp"
#include "operators/pivoted_cholesky.hpp"
#include "solvers/inverse.hpp"
#include "solvers/low_rank_inverse.hpp"

namespace mercer {

/// What the ways of solving (S K S + cI) X = R are expected to cost, in seconds of one usual core. Only their
/// ratios matter, and nothing is measured, so that the same problem is always solved in the same way.
struct SystemCosts {
  std::size_t n = 0;
  std::size_t features = 1;  ///< columns of the points, or non-zeros of a row
  double held = 1;           ///< the share of the float32 tiles that are held
  double right_hand_sides = 1;
  double tolerance = 1e-8;
  bool cholesky_possible = false;  ///< then conjugate gradients are given up where they would cost more

  static constexpr double single_flops = 8e10, double_flops = 4e10, bytes_read = 1.2e10;

  double half() const { return 0.5 * double(n) * double(n); }
  /// Half of K, computed in float32 or float64.
  double entries_single() const { return half() * (1 / 1e9 + 2 * double(features) / 4e10); }
  double entries_double() const { return half() * (1 / 4e8 + 2 * double(features) / 2e10); }

  double iteration(double rank) const {
    const double reading = (half() * held * 4 + 2 * double(n) * rank * 8) / bytes_read;
    const double arithmetic = right_hand_sides * 4 * (half() + double(n) * rank) / double_flops;
    return (1 - held) * entries_single() + std::max(reading, arithmetic);
  }
  /// Making a factor of that rank, and its small matrix.
  double factor(double rank) const { return (2 * double(n) + rank / 3) * rank * rank / double_flops; }
  /// Conjugate gradients on a matrix of eigenvalues from c to c + largest.
  double iterations(double largest, double c) const {
    return c > 0 ? 0.5 * std::sqrt(1 + largest / c) * std::log(2 / tolerance) : std::max(double(n), 1000.0);
  }
  double cholesky() const {
    const double size = double(n);
    return size * size * size / (3 * single_flops) + entries_single() +
           4 * (entries_double() / 2 + half() * 4 / bytes_read);
  }
};

/// Whether a larger rank pays, from how the trace of what is left falls.
class RankChoice {
 public:
  RankChoice(const SystemCosts& costs, double c, double trace) : costs_(costs), c_(c), trace_(trace) {}

  bool enough(std::size_t rank, double trace_left);
  double largest() const noexcept { return largest_; }  ///< eigenvalue that is left, estimated

 private:
  double total(double rank, double largest) const {
    return costs_.factor(rank) + costs_.iterations(largest, c_) * costs_.iteration(rank);
  }

  SystemCosts costs_;
  double c_, trace_, rank_ = 0, largest_ = 0;
};

struct PivotedInverseOptions {
  std::size_t most_rank = 0;
  std::uint64_t seed = 1;
  int threads = 0;
  SystemCosts costs = {};
};

class PivotedInverse final : public Inverse {
 public:
  /// `K` must outlive it.
  PivotedInverse(const KernelOperator<double>& K, const PivotedInverseOptions& options,
                 const Progress& progress)
      : K_(K), options_(options), progress_(progress) {}

  bool prepare(std::span<const double> s, double c) override;
  bool prepare(const RowFactors& factors, double c) override;
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  std::string words() const override;

  /// The seconds that conjugate gradients are expected to take with what was prepared, and one iteration.
  double expected_seconds() const noexcept { return expected_seconds_; }
  double iteration_seconds() const noexcept { return iteration_seconds_; }
  std::size_t evaluations() const noexcept { return evaluations_; }
  std::size_t bytes() const noexcept {
    return factor_.rank * (K_.rows() + 2 * factor_.rank) * sizeof(double);
  }
  std::size_t rank() const noexcept { return factor_.rank; }

 private:
  void make_factor(double c);

  const KernelOperator<double>& K_;
  PivotedInverseOptions options_;
  Progress progress_;
  PivotedCholesky<double> factor_;
  std::optional<ColumnFeatures> features_;  // the factor as an operator
  std::optional<LowRankInverse> inverse_;
  double made_for_ = 0;      // c in units of K
  double largest_left_ = 0;  // the largest eigenvalue of K − F Fᵀ, estimated
  bool chosen_ = false;      // the rank was chosen, not reached by a limit
  double expected_seconds_ = 0, iteration_seconds_ = 0;
  std::size_t evaluations_ = 0;
};

}  // namespace mercer
