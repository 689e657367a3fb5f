// The names that KernelOperator and its options had before version 0.8; they will go in 0.9.
#pragma once

#include "mercer/kernel_operator.hpp"

namespace MERCER_EXPORT mercer {

template <class T>
using Gram [[deprecated("use mercer::KernelOperator")]] = KernelOperator<T>;
using GramOptions [[deprecated("use mercer::OperatorOptions")]] = OperatorOptions;

}  // namespace mercer
