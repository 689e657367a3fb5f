// The numbers of a kernel expression as coordinates that a search moves in, and derivatives by them.
//
// ∂K/∂t is the central difference of the kernel expression, computed a tile at a time and contracted with
// weights at once, so that no n × n matrix is kept for it. With a step of h = 10⁻⁵ in log θ the series leaves
// h²/6·∂³K/∂t³ ≈ 2·10⁻¹¹ and rounding ε|K|/h ≈ 2·10⁻¹¹ of an entry: the sums are right to about 10⁻⁹.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "mercer/kernel_parameters.hpp"
#include "mercer/progress.hpp"

namespace mercer {

/// The parameters of a kernel expression as coordinates: log θ where θ must be positive, else θ itself.
class KernelCoordinates {
 public:
  explicit KernelCoordinates(const Kernel& kernel);

  std::size_t size() const noexcept { return parameters_.size(); }
  const std::vector<KernelParameter>& parameters() const noexcept { return parameters_; }
  bool logarithmic(std::size_t i) const { return logarithmic_[i]; }
  /// The first coordinate is the logarithm of a factor in front of everything.
  bool leading_factor() const noexcept { return leading_factor_; }
  std::vector<double> start() const;                             ///< those of the kernel given
  double least(std::size_t i) const, most(std::size_t i) const;  ///< that the kernel allows
  /// As far as it is looked for: within a factor of 10⁵.
  double low(std::size_t i) const, high(std::size_t i) const;
  Kernel at(std::span<const double> t) const;  ///< at start() the same to the bit

 private:
  Kernel kernel_;
  std::vector<KernelParameter> parameters_;
  std::vector<bool> logarithmic_;
  bool leading_factor_ = false;
};

/// The kernel a step above t in one coordinate and a step below; `width` is the distance of the two. A number
/// that may not go below where it is has its difference taken a step above.
struct KernelDifference {
  KernelDifference(const KernelCoordinates& coordinates, std::span<const double> t, std::size_t which);

  double width;
  Kernel above, below;
};

/// Fills out with the weights of row i in these columns.
using WeightRow = std::function<void(std::size_t i, Range columns, std::span<double> out)>;

/// Σ weights[i, j]·∂K[i, j]/∂t over all pairs of the points, for symmetric weights, of which the lower half
/// is asked for: from any thread.
double weighted_slope(const KernelDifference& difference, const Points& points, const WeightRow& weights,
                      int threads, const Progress& progress);

}  // namespace mercer
