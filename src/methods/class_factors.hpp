// What the class weights of a fit's options are: a factor for each class, which multiplies the weights of its
// rows.
#pragma once

#include <vector>

#include "mercer/fit.hpp"

namespace mercer {

/// One for each label, 1 where nothing is said of it. Throws Error where the target has no classes, a weight
/// is given for what is not one of them, or one is not above 0.
std::vector<double> class_factors(const Target& target, const FitOptions& options);

}  // namespace mercer
