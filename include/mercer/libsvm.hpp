// LIBSVM's kernels as expressions.
#pragma once

#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

/// In LIBSVM's order (-t): linear ⟨x, z⟩, polynomial (γ⟨x, z⟩ + coef0)^degree, rbf exp(−γ‖x − z‖²), sigmoid
/// tanh(γ⟨x, z⟩ + coef0), and values that stand in the rows.
enum class LibsvmKernel { linear, polynomial, rbf, sigmoid, precomputed };

/// Throws Error{usage} for numbers that the kernel does not take.
Kernel libsvm_kernel(LibsvmKernel kernel, int degree, double gamma, double coef0);

}  // namespace mercer
