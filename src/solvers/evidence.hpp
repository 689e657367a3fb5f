// The evidence of a Gaussian process: how probable the targets are, all functions being averaged over
// (Rasmussen & Williams 2006, eqs. 2.30 and 5.9). With A = K + diag(noise·factors) and α = A⁻¹Y, Y of n × m,
//
//   log p(Y) = Σ over the outputs of  −½ yᵀα − Σᵢ log Lᵢᵢ − n/2 log 2π,      A = L Lᵀ
//   ∂/∂t     = ½ tr (ααᵀ − m·A⁻¹) ∂A/∂t
//
// ∂K/∂t comes from differences (solvers/kernel_coordinates.hpp). The factor in front of the whole kernel
// needs none, since ∂K/∂log c = K = A − noise: both traces follow from α and the diagonal of A⁻¹.
//
// A⁻¹ takes twice the operations of L. A gradient needs few of its digits, so of many rows it is made from L
// in float32, where that is found to be enough. Value, α and L are always float64's.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mercer/buffer.hpp"
#include "mercer/error.hpp"
#include "operators/feature_operator.hpp"
#include "solvers/eigen.hpp"
#include "solvers/kernel_coordinates.hpp"

namespace mercer {

/// What a search for kernel parameters climbs: a log marginal likelihood as a function of the kernel's
/// coordinates and, behind them, of whatever else it has.
class LogEvidence {
 public:
  LogEvidence(KernelCoordinates coordinates, int threads, Progress progress)
      : coordinates_(std::move(coordinates)), threads_(threads), progress_(std::move(progress)) {}
  virtual ~LogEvidence() = default;

  /// None where there is no value. The gradient by all of t, where it has room for it.
  virtual std::optional<double> value(std::span<const double> t, std::span<double> gradient = {}) = 0;
  virtual std::size_t rows() const noexcept = 0;
  /// The same of some of the rows.
  virtual std::unique_ptr<LogEvidence> of_rows(std::span<const std::size_t> rows) const = 0;
  /// What the last evaluation added to the noise, the last of its coordinates.
  virtual double jitter() const noexcept { return 0; }
  /// As value(); Error{data} where there is none.
  double operator()(std::span<const double> t, std::span<double> gradient = {});

  const KernelCoordinates& coordinates() const noexcept { return coordinates_; }

 protected:
  virtual Error no_value(std::span<const double> t) const = 0;

  KernelCoordinates coordinates_;
  int threads_;
  Progress progress_;
};

/// The evidence as a function of the kernel's coordinates and the logarithm of the noise variance.
class Evidence : public LogEvidence {
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
  std::optional<double> value(std::span<const double> t, std::span<double> gradient = {}) override;
  std::size_t rows() const noexcept override { return data_.points.rows(); }
  std::unique_ptr<LogEvidence> of_rows(std::span<const std::size_t> rows) const override;

  const Data& data() const noexcept { return data_; }
  /// Of the last evaluation.
  const std::vector<double>& alpha() const noexcept { return alpha_; }  ///< n × outputs
  double jitter() const noexcept override { return jitter_; }
  /// Whether it made A⁻¹ in the place of the Cholesky factor, as gradients may need.
  bool inverted() const noexcept { return inverted_; }
  const std::vector<double>& inverse() const noexcept { return A_; }  ///< n × n
  /// Whether the diagonal of A⁻¹ is there, from float32 or not.
  bool has_diagonal() const noexcept { return !diagonal_.empty(); }
  /// tr A⁻¹·diag(noise)
  double inverse_noise_trace() const;
  /// A⁻¹, or L with zeros above the diagonal.
  std::vector<double> take_matrix() &&;

  static double bytes(std::size_t n) { return 16 * double(n) * double(n); }

 private:
  Error no_value(std::span<const double> t) const override;
  bool factor(const Kernel& kernel, double noise);
  double noise(std::size_t i) const { return noise_ * data_.noise_factors[i] + jitter_; }
  double kernel_trace() const;
  void invert();
  bool invert_in_float32();
  /// Of row i in the lower half of ααᵀ − m·A⁻¹.
  void weights(std::size_t i, Range columns, std::span<double> out) const;

  Data data_;
  std::vector<double> A_;   // n × n: K + noise, then its factor, then its inverse
  Buffer<double> scratch_;  // as large, once there is an inverse
  Buffer<float> narrow_;    // in its place A⁻¹ in float32 and as much scratch
  std::vector<double> alpha_;
  std::vector<double> diagonal_;  // of A⁻¹, once there is one
  bool inverted_ = false;
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
