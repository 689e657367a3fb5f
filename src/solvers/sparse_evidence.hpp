// A Gaussian process through m inducing points Z (Titsias 2009): the evidence lower bound and its gradient,
// from blocks of rows, in memory of m² whatever n is.
//
// With C = k(Z, Z) = L Lᵀ, A = L⁻¹k(Z, X)W^½ (m × n), noise s/w of a row of weight w, E = AAᵀ and B = I +
// E/s,
//
//   ELBO = log N(y | 0, Q + sW⁻¹) − Σ w (k(x, x) − q(x, x))/2s,        Q = k(X, Z)C⁻¹k(Z, X)
//        = −½ log det B − n/2 log 2πs + ½ Σ log w − (yᵀWy − bᵀB⁻¹b/s)/2s − (Σ w k(x, x) − tr E)/2s,   b =
//        AW^½y
//
// at most the evidence of the process itself, and equal where every row is an inducing point. For several
// outputs it is the sum. The mean at x is k(x, Z)a with a = L⁻ᵀB⁻¹b/s and the variance k(x, x) − k(x, Z)Pk(Z,
// x) with P = L⁻ᵀ(I − B⁻¹)L⁻¹. With M = m_outputs·P − aaᵀ the derivatives of the bound are
//
//   by k(Z, X)   (M k(Z, X) + ayᵀ)W/s        by C   ½(m_outputs·L⁻ᵀ(2I − B − B⁻¹)L⁻¹ − aaᵀ)       by k(x, x)
//   −m_outputs·w/2s
//
// contracted with the differences of kernel values a block at a time. A first pass over the rows makes E and
// b, a second one the derivatives. C has 10⁻⁸ of the mean of its diagonal added to it: inducing points may
// coincide.
#pragma once

#include "solvers/evidence.hpp"

namespace mercer {

class SparseEvidence : public LogEvidence {
 public:
  struct Data {
    Points points;
    std::vector<double> targets;  // n × outputs, row-major
    std::size_t outputs = 1;
    std::vector<double> weights;  // n, above 0
    Points inducing;
  };
  static constexpr double jitter_share = 1e-8;  ///< of the mean of C's diagonal, added to it
  SparseEvidence(Data data, KernelCoordinates coordinates, int threads, const Progress& progress);

  /// t: the coordinates of the kernel, then log s. None where C is not positive definite.
  std::optional<double> value(std::span<const double> t, std::span<double> gradient = {}) override;
  std::size_t rows() const noexcept override { return data_.points.rows(); }
  /// Of some of the rows, with the same inducing points. Of no more rows than these the evidence itself,
  /// which costs less and which the bound comes near to.
  std::unique_ptr<LogEvidence> of_rows(std::span<const std::size_t> rows) const override;

  const Data& data() const noexcept { return data_; }
  std::size_t inducing() const noexcept { return data_.inducing.rows(); }
  /// Of the last evaluation.
  const std::vector<double>& a() const noexcept { return a_; }  ///< m × outputs
  std::vector<double> precision() const;                        ///< P, m × m
  double degrees_of_freedom() const;                            ///< tr (I − B⁻¹)
  double trace_left() const noexcept;                           ///< Σ w (k(x, x) − q(x, x)) / Σ w k(x, x)

  static double bytes(std::size_t m);

 private:
  struct Sums;
  Error no_value(std::span<const double> t) const override;
  bool factor(const Kernel& kernel);
  void pass_over_rows(const Kernel& kernel);
  void solve();
  void add_slopes(std::span<const double> t, std::span<double> gradient) const;
  std::vector<double> between_factors(std::span<const double> middle) const;
  std::size_t parts() const noexcept;
  Range part(std::size_t p) const noexcept;

  Data data_;
  double log_weights_ = 0, squares_ = 0;        // Σ log w, Σ w y²
  double noise_ = 0, trace_ = 0, covered_ = 0;  // s, Σ w k(x, x), tr E
  std::vector<double> C_, L_, E_, B_inverse_;   // m × m; C without jitter
  std::vector<double> b_, a_;                   // m × outputs
  double log_det_B_ = 0;
};

}  // namespace mercer
