// The numbers of a kernel expression that may be changed: what the evidence of a Gaussian process is
// maximised over, and what tuning tries.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// A leaf's continuous parameter (rbf's gamma or sigma, poly's scale and offset, matern's length …), one of
/// its list (spectral_mixture's weights[2]), the factor c of c*k or a weight of scaled(k, by=[…]). A
/// difference has the factor −1. Whole numbers (poly's degree), choices (matern's nu), other lists and
/// matrices are not among them.
struct KernelParameter {
  /// Unique: "gamma" where one parameter is called so, else with its leaf, "rbf.gamma" or "rbf[2].gamma",
  /// counted from the left; "factor" and "by", or "factor[2]" and "by[2]" where there are several.
  std::string name;
  double value;
  Interval interval;  ///< what it may be; a factor or weight above 0 stays above 0
};

/// From left to right as they are printed. Throws Error{usage} where the kernel is not resolved.
std::vector<KernelParameter> numeric_parameters(const Kernel& kernel);

/// The same expression with other numbers, in the order of numeric_parameters(). Throws Error{usage} where
/// their count is wrong or one is outside its interval.
Kernel with_parameters(const Kernel& kernel, std::span<const double> values);

}  // namespace mercer
