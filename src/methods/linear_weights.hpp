// The sums of an expansion whose kernel is linear, k(x, z) = Σⱼ cⱼ xⱼ zⱼ + c₀ (kernels/linear_form.hpp):
//   Σᵢ αᵢ k(xᵢ, x) = wᵀx + b,    wⱼ = cⱼ Σᵢ αᵢ xᵢⱼ,    b = c₀ Σᵢ αᵢ,
// so that a row costs one product with the columns however many points there are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mercer/fit.hpp"

namespace mercer {

struct LinearWeights {
  std::size_t columns = 0, outputs = 0;
  std::vector<double> W = {};          // columns × outputs
  std::vector<double> constants = {};  // one for each output

  /// None where the kernel is not linear, or the weights would take far more room than the expansion.
  static std::optional<LinearWeights> of(const Expansion& expansion);
  /// out (rows × outputs) = the sums at each of `at`. The same bits for any number of threads. Throws
  /// Error{data} where a number of `at` is not finite.
  void sums(const Points& at, std::span<double> out, int threads, const Progress& progress) const;
};

/// Puts weights in place of the points where the kernel is linear and they take no more room: for each
/// function a point p with k(p, x) = wᵀx + c₀ and, where c₀ > 0, the point 0 for what is then left of b. One
/// function for each pair of classes, of a machine for pairs. The coefficients, and with `keep_rows` the
/// points, go to Fitted::support.
void keep_weights(Fitted& fitted, bool keep_rows);

}  // namespace mercer
