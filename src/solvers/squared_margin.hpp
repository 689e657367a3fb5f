// Linear machines with a squared loss, over the weights of features:
//
//   min over w of   ½‖w‖² + Σᵢ Cᵢ max(0, mᵢ)²
//
//   classes, y = ±1:   m = 1 − y·wᵀφ(x)        the squared hinge             (LIBLINEAR's -s 2)
//   numbers z:         m = |z − wᵀφ(x)| − ε    squared ε-insensitive loss    (LIBLINEAR's -s 11)
//
// The gradient is continuous and linear in pieces: with the rows of m > 0 as they are, a Newton step is a
// system with I + 2Φ_AᵀC_AΦ_A, and it ends at the minimum once these rows are the right ones
// (Mangasarian 2002; Keerthi & DeCoste 2005). Beyond m = δ the loss may go on along its tangent: with
// C = c/(2δ) it is then c·max(0, m) but for a rounded corner (Chapelle 2007), and the dual variable of a row
// is c·min(1, max(0, m)/δ). Of few features the matrix is factored, of many it is multiplied with, by
// conjugate gradients (Lin, Weng & Keerthi 2008).
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "mercer/progress.hpp"
#include "operators/feature_operator.hpp"

namespace mercer {

struct SquaredMargin {
  const FeatureOperator& features;  // n × p
  std::span<const double> y;        // n: ±1, or numbers where ε is given
  std::span<const double> C;        // n, > 0
  /// Of numbers; NaN: y are classes.
  double epsilon = std::numeric_limits<double>::quiet_NaN();
  /// δ: of larger m the loss is C·δ(2m − δ).
  double straight_from = std::numeric_limits<double>::infinity();
};

struct SquaredMarginOptions {
  double tolerance = 1e-4;  ///< of the norm of the gradient, in units of the next
  double unit = 1;
  std::size_t most_steps = 1000;
  int threads = 0;
  std::span<const double> start = {};  ///< w to begin with; none: 0
  Progress progress = {};              ///< false ends the work with what there is
};

struct SquaredMarginSolution {
  std::vector<double> w;  // p
  std::vector<double> f;  // n, Φw
  double objective = 0;
  double gradient = 0;  ///< its norm at w, in the unit
  std::size_t steps = 0;
  bool converged = false, stopped = false;
};

/// The norm of the gradient at w = 0.
double first_gradient(const SquaredMargin& problem);

/// Of so many features matrices are factored.
inline constexpr std::size_t most_factored_weights = 500;

/// The dual variables, n, of the losses c·max(0, m) instead, C being those c: each within [−c, c], 0 where
/// the row loses nothing. They follow from minima with rounded corners, whose δ goes down to `width` from
/// about `first`; what is left of the conditions of the minimum is about `width`. problem.straight_from is
/// not read.
std::vector<double> rounded_margin_dual(const SquaredMargin& problem, double first, double width,
                                        const SquaredMarginOptions& options);

SquaredMarginSolution minimise_squared_margin(const SquaredMargin& problem,
                                              const SquaredMarginOptions& options);

}  // namespace mercer
