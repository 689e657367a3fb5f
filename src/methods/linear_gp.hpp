// The Gaussian process of the linear kernel on more rows than columns, and so of features in place of a
// kernel: nothing of n × n is needed (solvers/linear_evidence.hpp).
#pragma once

#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "kernels/linear_form.hpp"

namespace mercer {

struct LinearGp {
  double noise, variance;  ///< where the search begins, or as given; of the target
  bool optimised;
};

/// `features`: φ of the rows, which are those of `form`. targets: n × outputs, without their means. The
/// levels are left to the caller.
Fitted fit_linear_gp(const Training& training, const Rows& rows, const LinearForm& form,
                     const Points& features, std::span<const double> targets, std::size_t outputs,
                     const LinearGp& how, Watch& watch);

}  // namespace mercer
