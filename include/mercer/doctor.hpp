// What Mercer runs on: what a bug report should say.
#pragma once

#include <string>
#include <vector>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

struct Finding {
  std::string id;     ///< for programs: "blas_core"
  std::string label;  ///< for people: "BLAS core"
  std::string value;
};

/// Versions, processor, instruction set, BLAS and its core, threads, memory, optional parts. Loads OpenBLAS,
/// oneDNN and RDKit.
std::vector<Finding> doctor();

/// Where OpenBLAS runs slower kernels than the processor could, and that could not be mended from inside:
/// what to do. Else "", and before the first product of matrices, too.
std::string performance_warning();

}  // namespace mercer
