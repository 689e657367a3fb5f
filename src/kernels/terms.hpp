// A kernel as a sum: c(k₁ + k₂) + k₃ has the terms c·k₁, c·k₂ and k₃.
#pragma once

#include <functional>
#include <vector>

#include "mercer/kernel.hpp"

namespace mercer {

/// One where the kernel is no sum.
std::vector<Kernel> terms_of(const Kernel& kernel);

/// Whether `holds` is true of a leaf anywhere in the expression.
bool any_leaf(const Kernel& kernel, const std::function<bool(const class Leaf&)>& holds);

}  // namespace mercer
