// Systems over features that are computed again in each pass, so many that ΦᵀΦ would take too long:
//
//   (H + cI) X = R,    H = Σᵢ φᵢ Wᵢ φᵢᵀ − ω φ̄ φ̄ᵀ
//
// by conjugate gradients, each step one pass over the rows. They are preconditioned by the Cholesky factor of
// the same matrix over a sample of r·p rows, n/rp times as heavy: what is left then falls by about √r in each
// step, however small c is (Rudi, Carratino & Rosasco 2017; Avron, Clarkson & Woodruff 2017). r is chosen so
// that the factor costs about as much as the passes. The factor is float32 (float64 where c would be lost in
// the rounding), the passes are float64: the certificate is the residual of one more of them. A descent whose
// result is checked otherwise may take kernel values in float32. (Where c is small, their rounding is as
// large as c: a refinement in float64 would gain little by each such descent.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mercer/progress.hpp"
#include "operators/row_features.hpp"

namespace mercer {

/// Wᵢ = diag(sᵢ)(I − uᵢuᵢᵀ)diag(sᵢ), one for each row; of one output sᵢ².
struct RowCurvatures {
  std::span<const double> s;       // n × outputs
  std::span<const double> u = {};  // n × outputs, or none for 0
  std::size_t outputs = 1;
  /// F ← W F for F of rows × outputs, or, where there is one output, × k.
  void apply(Range rows, double* F, std::size_t k) const;
};

struct FeatureSystemOptions {
  std::uint64_t seed = 1;  ///< of the sample
  int threads = 0;
};

class FeatureSystem {
 public:
  /// `features` must outlive this.
  FeatureSystem(const RowFeatures& features, const FeatureSystemOptions& options)
      : features_(features), options_(options) {}

  /// The sum φ̄ and ω of a free constant; none: ω = 0.
  struct Centre {
    std::vector<double> mean = {};
    double weight = 0;
  };
  /// Makes the system ready, to be solved to about this share of the residual. What the curvatures are over
  /// must outlive it.
  void prepare(const RowCurvatures& W, double c, Centre centre, const Progress& progress,
               double reduction = usual_reduction);

  struct Solution {
    double residual = 0;  ///< the largest ‖R − (H + cI)X‖/‖R‖ of a column, in float64
    std::size_t iterations = 0;
    bool converged = false;
    std::vector<double> HX;  ///< H X, p × k, in float64
  };
  /// R and X: p × k; of several outputs k is their number, and all columns are one system. `progress` is told
  /// the residual; false ends the work with what there is. X holds a guess where `start`.
  Solution solve(std::span<const double> R, std::size_t k, double tolerance, std::span<double> X,
                 const Progress& progress, bool start = false) const;
  /// The same from X = 0 to a residual that conjugate gradients believe in, for steps that are checked
  /// otherwise. go_on(share of the residual left) after each step: false ends the work.
  std::size_t descend(std::span<const double> R, std::size_t k, double reduction, std::span<double> X,
                      const std::function<bool(double left)>& go_on, bool rough = false) const;
  /// out = H X; `rough`: from kernel values in float32.
  void multiply(std::span<const double> X, std::size_t k, std::span<double> out, bool rough = false) const;

  std::size_t passes() const noexcept { return passes_; }    ///< over the rows, so far
  std::size_t sampled() const noexcept { return sampled_; }  ///< rows that the preconditioner is of

  static constexpr double usual_reduction = 1e-8;
  /// Rows of the sample for n rows and p features.
  static std::size_t sample_size(std::size_t n, std::size_t p, double reduction = usual_reduction);
  /// Bytes that the preconditioner takes while it is made.
  static std::size_t bytes(std::size_t rows, std::size_t features) {
    const std::size_t of_number = features <= most_in_float64 ? sizeof(double) : sizeof(float);
    return 2 * of_number * features * features +
           std::min(std::size_t(64) << 20, sizeof(float) * rows * features);
  }

 private:
  static constexpr std::size_t most_in_float64 = 4096;  // features

  template <class T>
  bool factor(const Buffer<T>& G, double trace, Buffer<T>& L, const Progress& progress) const;
  void precondition(std::vector<double>& V, std::size_t k) const;

  const RowFeatures& features_;
  FeatureSystemOptions options_;
  RowCurvatures W_;
  double c_ = 0;
  Centre centre_;
  std::size_t sampled_ = 0;
  Buffer<float> single_;   // the factor, p × p,
  Buffer<double> double_;  // in the one or the other
  mutable std::size_t passes_ = 0;
};

}  // namespace mercer
