// Laplace's approximation of Gaussian process classification (Rasmussen & Williams 2006, chapters 3 and 5;
// Williams & Barber 1998). With signs y = ±1, p(y | f) = σ(yf) and a prior f ~ N(0, K), the posterior is
// replaced by a Gaussian around its mode,
//
//   f̂ = argmax Σ w log σ(yf) − ½ fᵀK⁻¹f,     a = K⁻¹f̂ = ∇ log p(y | f̂),     W = −∇∇ log p(y | f̂)
//   log q(y) = −½ aᵀf̂ + Σ w log σ(yf̂) − ½ log det B,      B = I + W^½ K W^½ = L Lᵀ (eq. 3.32)
//
// with w the weights of the rows. Newton's step from a with the residual r = ∇ log p − a is
// δa = (I + WK)⁻¹r = r − W^½B⁻¹W^½Kr (alg. 3.1 without its cancellation). B is factored in float32 for it,
// and not again once W hardly changes: residuals are computed in float64, so that this only costs a few more
// steps of n² each. The last factor, for log det B and the variances, is of float64.
//
// The gradient (alg. 5.1) with R = W^½B⁻¹W^½, s = ½ diag((K⁻¹ + W)⁻¹)∇∇∇ log p and u = (I − RK)s is
//
//   ∂ log q/∂t = ½ Σ ((a + u)(a + u)ᵀ − uuᵀ − R) ∘ ∂K/∂t
//
// where diag((K⁻¹ + W)⁻¹)W = 1 − diag B⁻¹, so that nothing is divided by a small W.
#pragma once

#include "solvers/evidence.hpp"

namespace mercer {

/// The sum of log q(y) over several sets of signs of the same rows: one for two classes, one for each class
/// against the rest for more.
class LaplaceEvidence : public LogEvidence {
 public:
  struct Data {
    Points points;
    std::size_t functions = 1;
    std::vector<double> signs;    // n × functions, row-major: 1 or −1
    std::vector<double> weights;  // n, above 0
  };
  LaplaceEvidence(Data data, KernelCoordinates coordinates, int threads, const Progress& progress);

  /// None where B has no Cholesky factor: K is far from positive semidefinite.
  std::optional<double> value(std::span<const double> t, std::span<double> gradient = {}) override;
  std::size_t rows() const noexcept override { return data_.points.rows(); }
  std::unique_ptr<LogEvidence> of_rows(std::span<const std::size_t> rows) const override;

  /// The same value, and what predictions need: of each function T = W^(−½)L (n × n, lower, row-major, one
  /// after the other), with which the variance of f at x is k(x, x) − ‖T⁻¹k(x)‖². Throws as operator() does.
  double posterior(std::span<const double> t, std::span<double> factors);

  /// Of the last evaluation.
  struct Mode {
    std::vector<double> a, f;  // n
    double residual = 0;       ///< max |∇ log p − a|
    double log_likelihood = 0, value = 0;
    std::size_t steps = 0, factors = 0;
  };
  const std::vector<Mode>& modes() const noexcept { return modes_; }

  static double bytes(std::size_t n) { return 28 * double(n) * double(n); }

 private:
  struct Slopes;
  Error no_value(std::span<const double> t) const override;
  void fill(const Kernel& kernel);
  bool find_mode(std::size_t function, double* L);
  bool factor_narrow(std::span<const double> roots);
  bool factor(std::span<const double> roots, double* L) const;
  double* own_factor();
  bool factor_for_steps(std::span<const double> roots);
  void solve(std::span<const double> right, std::span<double> out) const;
  void multiply(std::span<const double> v, std::span<double> out) const;  // out = Kv
  Slopes slopes(const Mode& mode) const;

  Data data_;
  Buffer<double> K_, L_, scratch_;
  Buffer<float> narrow_;
  std::size_t stride_;            // of narrow_
  std::vector<double> roots_;     // W^½ at the mode of the last function
  std::vector<double> factored_;  // W^½ that Newton's steps have a factor of
  bool narrow_factor_ = false;    // that factor is narrow_; else L_
  std::vector<Mode> modes_;
};

/// ∫ σ(f) N(f | mean, variance) df, the probability of y = 1: σ as the sum of five error functions, whose
/// integrals are known (Williams & Barber 1998, appendix), as scikit-learn has it; right to 2·10⁻⁴.
double averaged_sigmoid(double mean, double variance) noexcept;

}  // namespace mercer
