// What is known of a kernel expression without data, as `mercer kernels EXPRESSION` prints it.
#pragma once

#include "cli/session.hpp"
#include "mercer/kernel.hpp"

namespace mercer::cli {

/// `spectrum`: its spectral density and what ‖f‖² is, too.
void explain_expression(const Session& session, const Kernel& kernel, bool spectrum);

}  // namespace mercer::cli
