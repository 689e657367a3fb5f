// One machine for several classes (Crammer & Singer 2001; LIBLINEAR's -s 4):
//
//   min over w₁ … w_k of   ½Σ‖w_m‖² + Σᵢ Cᵢ max over m of (1 − [m = yᵢ] + (w_m − w_yᵢ)ᵀxᵢ)
//
// Its dual has k variables a row, α_i^m ≤ Cᵢ[m = yᵢ] with Σ_m α_i^m = 0, and w_m = Σᵢ α_i^m xᵢ. Those of one
// row at a time go to their minimum, which is found by sorting k numbers
// (Keerthi, Sundararajan, Chang, Hsieh & Lin 2008). Rows that cannot move are left out until everything is
// measured again. The violation is max over i of  max_m G_i^m − min over {α_i^m < bound} of G_i^m,
// G_i^m = w_mᵀxᵢ + 1 − [m = yᵢ].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mercer/points.hpp"
#include "mercer/progress.hpp"

namespace mercer {

struct CrammerSingerProblem {
  const Points& points;                 // n × d
  std::span<const std::int32_t> codes;  // n, 0 … k − 1
  std::size_t classes;                  // k
  std::span<const double> C;            // n, > 0
  double constant = 0;                  ///< one more column, the same for all rows; 0: none
};

struct CrammerSingerOptions {
  double tolerance = 1e-4;  ///< of the violation
  std::size_t max_passes = 1000;
  std::uint64_t seed = 1;  ///< of the order in which rows are visited
  Progress progress = {};  ///< false ends the descent with what there is
};

struct CrammerSingerSolution {
  std::vector<double> W;      ///< k × d, with a constant its column last
  std::vector<double> alpha;  ///< n × k
  double objective = 0;       ///< of the formula above
  double dual = 0;            ///< of the dual, ≤ objective
  double loss = 0;            ///< Σ C·loss
  double violation = 0;
  std::size_t passes = 0;
  bool converged = false, stopped = false;
};

CrammerSingerSolution solve_crammer_singer(const CrammerSingerProblem& problem,
                                           const CrammerSingerOptions& options = {});

}  // namespace mercer
