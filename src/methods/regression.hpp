// What support vector regression shares: two variables a point, β⁺ ≥ 0 that lifts f and β⁻ ≤ 0 that lowers
// it.
#pragma once

#include "methods/svm_trainer.hpp"

namespace mercer {

/// Variables β⁺ of all points, then β⁻; linear terms epsilon − z and −epsilon − z, bounds ±C·weight.
BoxQp regression_problem(const SvmTrainer& trainer, const Training& training, double C, double epsilon);
/// The model with coefficients β⁺ + β⁻.
Fitted finish_regression(SvmTrainer& trainer, const SmoResult& result, double rho);

}  // namespace mercer
