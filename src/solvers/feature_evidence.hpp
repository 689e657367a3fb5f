// The evidence of a Gaussian process whose kernel is c·φ(x)ᵀφ(z), with fewer features than rows: what
// solvers/evidence.hpp computes from n × n matrices follows from the eigenvalues s of G = ΦᵀWΦ (D × D, W the
// weights of the rows), made once. With z = VᵀΦᵀWy,
//
//   yᵀA⁻¹y = (yᵀWy − Σ c z²/(cs + σ²))/σ²,     log det A = Σ log(cs + σ²) + (n − D) log σ² − Σ log w
//
// (Woodbury; Rasmussen & Williams 2006, eq. 2.11), so that a step of its maximisation costs D. The function
// is that of the coefficients a = (cG + σ²)⁻¹ΦᵀWy at the unit vectors, k(eⱼ, x) = c·φⱼ(x), and its variance
// has P = G(cG + σ²)⁻¹.
#pragma once

#include <span>
#include <vector>

#include "operators/feature_operator.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

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
