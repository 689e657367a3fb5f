// What support vector regression shares: two variables a point, β⁺ ≥ 0 that lifts f and β⁻ ≤ 0 that lowers it.
#pragma once

#include "estimators/machine.hpp"

namespace mercer {

/// Variables β⁺ of all points, then β⁻; linear terms epsilon − z and −epsilon − z, bounds ±C·weight.
BoxProblem regression_problem(const Machine& machine, const Training& training, double C, double epsilon);
/// The model with coefficients β⁺ + β⁻.
Fitted finish_regression(Machine& machine, const SmoResult& result, double level);

}  // namespace mercer
