// Any smooth regularised risk over features that are computed again in each pass:
//
//   min over W (p × k), b (k) of   Σᵢ vᵢ L(yᵢ, Wᵀφᵢ + b) + λ‖W‖²,     Σ v = 1
//
// by Newton's method: (Σᵢ φᵢ Wᵢ φᵢᵀ + 2λI) D = −gradient, Wᵢ the second derivative of the loss times vᵢ, by
// conjugate gradients (solvers/feature_system.hpp). The constant is one more feature, a, whose weight is not
// penalised: its change is, by 2λ/a², which is next to nothing. A step costs as many passes as its system has
// steps, and one for the risk and the gradient after it.
#pragma once

#include "mercer/loss.hpp"
#include "solvers/feature_system.hpp"
#include "solvers/newton.hpp"

namespace mercer {

struct StreamedRisk {
  std::vector<double> W;      // outputs × p
  std::vector<double> b;      // outputs
  double risk = 0, loss = 0;  // with and without the regulariser
  double norm = 0;            // ‖W‖²
  double gradient = 0;        // its norm, with that of b, in float64
  double first = 0;           // the same where f is the best constant
  double gap = 0;             // primal minus dual objective: ‖gradient‖²/4λ
  std::size_t steps = 0, passes = 0;
  bool converged = false;
};

/// `problem.constant`: not 0 where b is free. `options.tolerance` is of the gradient in units of max(1,
/// first).
StreamedRisk stream_risk(const RowFeatures& features, const RiskProblem& problem, const RiskOptions& options,
                         const FeatureSystemOptions& how);

}  // namespace mercer
