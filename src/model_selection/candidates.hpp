// What an automatic fit tries: methods and kernels with the values of their numbers, where the user left them
// open.
#pragma once

#include "mercer/automatic.hpp"

namespace mercer {

/// `scaled`: the points as the kernel will see them. Kernel axes come first, the method's penalty last.
/// Without wishes of the user:
///   numbers   ridge with a free constant, over tau2, with rbf, matern (nu = 1.5, 2.5), manhattan, linear and
///             poly(degree=2)
///   classes   svm over C with rbf, manhattan, linear and poly(degree=2)
/// and of objects, beside numbers or alone, the kernels of model_selection/object_kernels.hpp.
/// tau2, the noise beside k(x, x), is searched and not lambda: what is best on a part of the rows is about
/// best on all of them.
std::vector<SearchSpace> candidates(const Dataset& scaled, const AutomaticOptions& options);

}  // namespace mercer
