// Kernel ridge regression along a path of penalties λ, each with its leave-one-out error; one factorisation
// serves all.
#pragma once

#include <cstdint>
#include <vector>

#include "mercer/dataset.hpp"
#include "mercer/kernel.hpp"
#include "mercer/progress.hpp"

namespace MERCER_EXPORT mercer {

struct LambdaPathOptions {
  std::size_t points = 60;  ///< values of λ, evenly in the logarithm
  double factor = 1e-8;     ///< λ goes from this to 10³ times the mean of the diagonal of K, divided by n
  bool bias = true;         ///< a free constant beside f
  std::size_t memory = std::size_t(1) << 30;
  int threads = 0;
  std::uint64_t seed = 1;
  Progress progress = {};
};

struct LambdaPath {
  Kernel kernel;                           ///< resolved
  std::vector<double> lambda = {};         ///< ascending
  std::vector<double> leave_one_out = {};  ///< leave-one-out RMSE
  std::vector<double> generalised = {};    ///< its rotation-invariant form, the root of GCV
  std::vector<double> degrees_of_freedom = {};
  std::size_t best = 0;  ///< by leave-one-out
};

/// Throws Error{data} for fewer than two rows or a target without numbers, and Error{usage} for fewer than
/// two points and for kernels that are not proved positive semidefinite.
LambdaPath lambda_path(const Kernel& kernel, const Dataset& data, const LambdaPathOptions& options = {});

}  // namespace mercer
