// Kernel ridge regression for every c at once, from one factorisation S K S = QΛQᵀ + what is negligible:
//   x(c) = Q(Λ + c)⁻¹Qᵀ S y + (I − QQᵀ) S y / c,
//   the residual of row i left out:  x_i / ((S K S + cI)⁻¹)_ii / s_i,
// with (S K S + cI)⁻¹_ii = Σ_j Q_ij²/(λ_j + c) + (1 − Σ_j Q_ij²)/c: no model is fitted again. (Allen 1974;
// Golub, Heath & Wahba 1979 for the generalised form; Rifkin & Lippert 2007.)
//
// Rows F left out together (a fold) are as easy: their residuals are S⁻¹[((S K S + cI)⁻¹)_FF]⁻¹ x_F.
//
// Where K has low rank to the smallest c, a randomly pivoted Cholesky factor gives Q and Λ. Otherwise LAPACK
// does, or, where rows are left out singly only, a band form of K gives the same numbers in a fraction of the
// time (solvers/shifted_inverse.hpp). To compare kernels, a factor of bounded rank will do: what it leaves of
// the diagonal is noise.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mercer/kernel_operator.hpp"
#include "solvers/shifted_inverse.hpp"

namespace mercer {

class RidgePath {
 public:
  struct Options {
    double smallest;  ///< c that will be asked for
    /// Where K has more than twice so many rows and no lower rank, so many columns stand for it; 0: all.
    std::size_t rank = 0;
    bool folds = false;  ///< whether left_out() will be asked for
    std::size_t memory = std::size_t(1) << 30;
    int threads = 0;
    std::uint64_t seed = 1;
    Progress progress = {};
  };
  /// `s`: n positive numbers, the roots of the rows' weights. Y: n × outputs. `bias`: with an intercept.
  RidgePath(const KernelOperator<double>& K, std::span<const double> s, std::span<const double> Y,
            std::size_t outputs, bool bias, const Options& options);

  struct Point {
    double leave_one_out;       ///< the mean squared error of rows left out, weighted
    double generalised;         ///< GCV: mean squared error / (1 − degrees of freedom/n)²
    double degrees_of_freedom;  ///< tr K(K + c/w)⁻¹
  };
  /// All of them at once: they share the passes over K. The leave-one-out errors of single rows are within
  /// about 1 % of what refitting says, and their mean within 1e-4; without float32 both are within 1e-7.
  std::vector<Point> at(std::span<const double> penalties, const Progress& progress = {}) const;
  Point at(double c) const { return at({&c, 1})[0]; }
  /// (S K S + cI)⁻¹ of S Y and, where there is a bias, of S 1: n × columns. To a relative residual, or as
  /// good as the factor is.
  std::vector<double> solution(double c, double tolerance) const;
  /// What one c means for all rows.
  struct AtPenalty {
    double beyond;               ///< what A⁻¹ is outside the span of Q
    std::vector<double> inside;  ///< rank: what it is inside, less `beyond`
    std::vector<double> scaled;  ///< rank × columns: the same times the coordinates of the right-hand sides
    double along = 0;            ///< of the free constant: 1ᵀS A⁻¹S1
    std::vector<double> constant;  ///< outputs: its value in the fit to all rows
  };
  std::vector<AtPenalty> at_penalties(std::span<const double> values) const;
  /// Predictions for `rows`, all of them held out, at each of the penalties: penalties × rows × outputs.
  std::vector<std::vector<double>> left_out(std::span<const std::size_t> rows,
                                            std::span<const AtPenalty> penalties) const;
  std::string words() const { return words_; }

 private:
  bool factor_low_rank(const KernelOperator<double>& K, const Options& options);
  void factor_densely(const KernelOperator<double>& K, const Options& options);
  /// (S K S + cI)⁻¹ of each column of the right-hand sides, from their coordinates in Q.
  std::vector<double> solve(double c) const;
  std::vector<double> inverse_diagonal(double c) const;
  Point point(double c, std::span<const double> X, std::span<const double> diagonal) const;
  struct Part;
  AtPenalty penalty(double c) const;
  Part part(std::span<const std::size_t> rows, bool low_rank) const;
  void residuals_of_one(const AtPenalty& penalty, const Part& part, std::vector<double>& X) const;
  void residuals_by_block(const AtPenalty& penalty, const Part& part, std::vector<double>& X) const;
  void residuals_by_rank(const AtPenalty& penalty, const Part& part, std::vector<double>& X) const;

  std::size_t n_, rank_ = 0, columns_, outputs_;
  bool bias_;
  std::vector<double> s_;
  std::vector<double> right_;              // n × columns: S Y, and S 1 where there is a bias
  std::optional<ShiftedInverse> shifted_;  // or what follows
  std::vector<double> Q_;                  // n × rank
  std::vector<double> lambda_;             // rank
  std::vector<double> inside_;             // rank × columns: Qᵀ right
  std::vector<double> missing_;            // n: 1 − Σ Q_ij²
  std::vector<double> with_ones_;          // columns: rightᵀ S 1, where there is a bias
  double rest_ = 0;  // of a bounded rank: the mean of the diagonal of S K S that is left, a part of every c
  std::string words_;
};

/// How many free numbers a ridge regression has: tr K(K + cW⁻¹)⁻¹, the trace of the matrix that takes y to f
/// (Hastie & Tibshirani 1990). With S = W^½ and A = SKS + cI it is n − c·tr A⁻¹; a free constant adds what u
/// = A⁻¹S1 takes: c·uᵀu/(1ᵀSu). `s`: n positive numbers, c > 0. From the whole inverse, in float64; none
/// beyond 1,500 rows, where that would take longer than the fit.
std::optional<double> degrees_of_freedom(const Kernel& kernel, const Points& points,
                                         std::span<const double> s, double c, bool bias, int threads);

}  // namespace mercer
