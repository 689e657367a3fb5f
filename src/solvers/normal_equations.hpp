// Least squares over features, from one pass over the rows:
//
//   min over w, b of  Σ vᵢ (yᵢ − wᵀφ(xᵢ) − b)² + c‖w‖²:     (G + cI) w = r,     b = ȳ − wᵀφ̄
//
// with G = Σ vᵢ (φᵢ − φ̄)(φᵢ − φ̄)ᵀ and r = Σ vᵢ (φᵢ − φ̄)(yᵢ − ȳ), means weighted by v; without b the means are
// left out. All that is asked about the fit, its error included, follows from G, r and Σ vᵢ (yᵢ − ȳ)², for
// every c. Where c = 0 and G is singular, the w of least norm is taken.
//
// What leaving rows out would give takes a second pass, for any number of penalties: with G = UΛUᵀ and zᵢ =
// Uᵀ(φᵢ − φ̄) the residual of row i left out is (yᵢ − f(xᵢ))/(1 − hᵢ), hᵢ = vᵢ(zᵢᵀ(Λ + c)⁻¹zᵢ + 1/Σv).
//                                                                                                  Allen 1974
#pragma once

#include <span>
#include <vector>

#include "mercer/progress.hpp"
#include "operators/row_features.hpp"
#include "solvers/ridge_path.hpp"

namespace mercer {

class NormalEquations {
 public:
  /// v: n positive weights. Y: n × outputs, row-major.
  NormalEquations(const RowFeatures& features, std::span<const double> v, std::span<const double> Y,
                  std::size_t outputs, bool bias, int threads, const Progress& progress);

  struct Solution {
    std::vector<double> W;          ///< outputs × p
    std::vector<double> b;          ///< outputs
    double residual = 0;            ///< the largest ‖r − (G + cI)w‖/‖r‖ of an output
    double loss = 0;                ///< Σ vᵢ (yᵢ − f(xᵢ))² / Σ vᵢ, over all outputs
    double norm = 0;                ///< Σ ‖w‖²
    double degrees_of_freedom = 0;  ///< tr G(G + cI)⁻¹, and 1 for b
    bool unique = true;             ///< c > 0, or G is not singular
  };
  Solution solve(double c) const;
  double trace() const;  ///< of G
  /// Σ vᵢ‖φᵢ‖² / Σ vᵢ
  double mean_square() const;
  /// Leave-one-out and generalised cross-validation at each of the penalties, all > 0. `features`, v and Y:
  /// as they were given.
  std::vector<RidgePath::Point> path(std::span<const double> penalties, const RowFeatures& features,
                                     std::span<const double> v, std::span<const double> Y,
                                     const Progress& progress) const;

 private:
  std::size_t p_, outputs_;
  double weight_ = 0;
  bool bias_;
  int threads_;
  Progress progress_;
  std::vector<double> G_;              // p × p, both halves
  std::vector<double> r_;              // p × outputs
  std::vector<double> squares_;        // outputs: Σ v (y − ȳ)²
  std::vector<double> mean_, mean_y_;  // φ̄ and ȳ; 0 without b
};

}  // namespace mercer
