// What an automatic fit tries: methods and kernels with the values of their numbers, where the user left them
// open.
#pragma once

#include "mercer/automatic.hpp"

namespace mercer {

/// `scaled`: the points as the kernel will see them. Kernel axes come first, the method's penalty last.
/// Where the user named none, classes are learned by svm and numbers by ridge with a free constant, with the
/// kernels of model_selection/kernel_families.hpp.
/// tau2, the noise beside k(x, x), is searched and not lambda: what is best on a part of the rows is about
/// best on all of them.
std::vector<SearchSpace> candidates(const Dataset& scaled, const AutomaticOptions& options);

}  // namespace mercer
