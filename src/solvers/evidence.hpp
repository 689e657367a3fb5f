// The evidence of a Gaussian process: how probable the targets are, all functions being averaged over
// (Rasmussen & Williams 2006, eqs. 2.30 and 5.9). With A = K + diag(noise·factors) and α = A⁻¹Y, Y of n × m,
//
//   log p(Y) = Σ over the outputs of  −½ yᵀα − Σᵢ log Lᵢᵢ − n/2 log 2π,      A = L Lᵀ
//   ∂/∂t     = ½ tr (ααᵀ − m·A⁻¹) ∂A/∂t
//
// ∂K/∂t is the central difference of the kernel expression, a tile of the lower half at a time and contracted
// with the weights ααᵀ − m·A⁻¹ at once, so that no n × n matrix is kept for it. With a step of h = 10⁻⁵ in
// log θ the series leaves h²/6·∂³K/∂t³ ≈ 2·10⁻¹¹ and rounding ε|K|/h ≈ 2·10⁻¹¹ of an entry: the sums are
// right to about 10⁻⁹. The factor in front of the whole kernel needs none of it, since ∂K/∂log c = K = A −
// noise: both traces follow from α and the diagonal of A⁻¹.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mercer/buffer.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/progress.hpp"
#include "operators/feature_operator.hpp"
#include "solvers/eigen.hpp"

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

/// The evidence as a function of the kernel's coordinates and the logarithm of the noise variance.
class Evidence {
 public:
  struct Data {
    Points points;
    std::vector<double> targets;  // n × outputs, row-major
    std::size_t outputs = 1;
    std::vector<double> noise_factors;  // n: the noise variance of row i is noise·factor
  };
  Evidence(Data data, KernelCoordinates coordinates, int threads, const Progress& progress);

  /// t: the coordinates of the kernel, then log noise (−∞: none). The gradient by all of t, where it has room
  /// for it. Where A is not positive definite to rounding, the smallest multiple of the mean of its diagonal,
  /// from 10⁻¹⁰ on, that makes it so is added to the noise (jitter()); none where 10⁻⁴ does not.
  std::optional<double> value(std::span<const double> t, std::span<double> gradient = {});
  /// The same; Error{data} where there is none.
  double operator()(std::span<const double> t, std::span<double> gradient = {});

  std::size_t rows() const noexcept { return data_.points.rows(); }
  const Data& data() const noexcept { return data_; }
  const KernelCoordinates& coordinates() const noexcept { return coordinates_; }
  /// Of the last evaluation.
  const std::vector<double>& alpha() const noexcept { return alpha_; }  ///< n × outputs
  const Buffer<double>& inverse() const noexcept { return A_; }         ///< A⁻¹, n × n
  double jitter() const noexcept { return jitter_; }
  double inverse_noise_trace() const;  ///< tr A⁻¹·diag(noise)

  static double bytes(std::size_t n) { return 16 * double(n) * double(n); }

 private:
  bool factor(const Kernel& kernel, double noise);
  double noise(std::size_t i) const { return noise_ * data_.noise_factors[i] + jitter_; }
  double kernel_trace() const;
  double difference_trace(std::span<const double> t, std::size_t which) const;
  double weight(std::size_t i, std::size_t j) const;

  Data data_;
  KernelCoordinates coordinates_;
  int threads_;
  Progress progress_;
  Buffer<double> A_, scratch_;
  std::vector<double> alpha_;
  double noise_ = 0, jitter_ = 0;
};

/// The evidence of a Gaussian process whose kernel is c·φ(x)ᵀφ(z), with fewer features than rows: what
/// Evidence computes from n × n matrices follows from the eigenvalues s of G = ΦᵀWΦ (D × D, W the
/// weights of the rows), made once. With z = VᵀΦᵀWy,
///
///   yᵀA⁻¹y = (yᵀWy − Σ c z²/(cs + σ²))/σ²,     log det A = Σ log(cs + σ²) + (n − D) log σ² − Σ log w
///
/// (Woodbury; Rasmussen & Williams 2006, eq. 2.11), so that a step of its maximisation costs D. The function
/// is that of the coefficients a = (cG + σ²)⁻¹ΦᵀWy at the unit vectors, k(eⱼ, x) = c·φⱼ(x), and its variance
/// has P = G(cG + σ²)⁻¹.
class FeatureEvidence {
 public:
  /// targets: n × outputs, row-major; weights: n, above 0.
  FeatureEvidence(const FeatureOperator& features, std::span<const double> targets, std::size_t outputs,
                  std::span<const double> weights);

  /// t: log c and log σ². The gradient by both, where it has room for it.
  double operator()(std::span<const double> t, std::span<double> gradient = {}) const;

  std::vector<double> coefficients(double c, double noise) const;  ///< D × outputs
  std::vector<double> precision(double c, double noise) const;     ///< D × D
  double degrees_of_freedom(double c, double noise) const;
  /// ‖ΦᵀWy − (cG + σ²)a‖ / ‖ΦᵀWy‖
  double residual(std::span<const double> a, double c, double noise) const;

  static double bytes(std::size_t columns) { return 32 * double(columns) * double(columns); }

 private:
  std::size_t rows_, columns_, outputs_;
  double squares_ = 0, log_weights_ = 0;  // Σ w y², Σ log w
  std::vector<double> G_, right_;         // D × D; ΦᵀWy, D × outputs
  Eigen eigen_;
  std::vector<double> z_;  // Σ over the outputs of (VᵀΦᵀWy)², D
};

}  // namespace mercer
