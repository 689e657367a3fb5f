// Nyström features that are never held: Φ = K_nZ L⁻ᵀ with landmarks Z and K_ZZ = LLᵀ, so that a product is
// one pass over tiles of K_nZ, each computed, used and dropped, and a triangular system:
//
//   Φ W = K_nZ (L⁻ᵀ W),     Φᵀ V = L⁻¹ (K_nZᵀ V).                           Rudi, Carratino & Rosasco 2017
//
// So a product takes n·m kernel values in place of n·m² operations, and memory for m² numbers and a few tiles
// whatever n is.
#pragma once

#include <memory>
#include <vector>

#include "operators/feature_operator.hpp"

namespace mercer {

/// φ(x) = L⁻¹ k(Z, x), m features.
struct LandmarkForm {
  Kernel kernel;     ///< resolved
  Points landmarks;  ///< Z: m rows
  Buffer<double> L;  ///< m × m, row-major, lower, with K_ZZ = LLᵀ; above the diagonal 0

  std::size_t count() const noexcept { return landmarks.rows(); }
  /// W (m × k) ← L⁻ᵀ W: with these coefficients Σ k(z, ·) is the function of the weights W.
  void to_coefficients(std::span<double> W, std::size_t k) const;
  /// V (m × k) ← L⁻¹ V.
  void to_features(std::span<double> V, std::size_t k) const;
};

class LandmarkFeatures final : public FeatureOperator {
 public:
  LandmarkFeatures(std::shared_ptr<const LandmarkForm> form, Points points, double constant, int threads)
      : form_(std::move(form)), points_(std::move(points)), constant_(constant), threads_(threads) {}

  std::size_t rows() const noexcept override { return points_.rows(); }
  /// With one more, the same for all rows, where the constant is not 0.
  std::size_t features() const noexcept override { return form_->count() + (constant_ != 0); }
  void multiply(std::span<const double> W, std::size_t k, std::span<double> out) const override;
  void multiply_transposed(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  void pass(std::span<const double> W, std::size_t k, const RowTask& task,
            std::span<double> out) const override {
    pass<double>(W, k, task, out);
  }
  /// The same from kernel values in T; sums are float64.
  template <class T>  // float or double
  void pass(std::span<const double> W, std::size_t k, const RowTask& task, std::span<double> out) const;
  Buffer<double> normal_matrix(std::span<const double> s, bool /* rough */ = false) const override {
    return normal_matrix_with<double>({}, 0, s, {});
  }
  /// [Φ, V]ᵀ S² [Φ, V] for V of n × k, lower half, computed and added up in T.
  template <class T>  // float or double
  Buffer<T> normal_matrix_with(std::span<const double> V, std::size_t k, std::span<const double> s,
                               const std::function<void(double done)>& progress) const;

 private:
  template <class T>
  void run(std::span<const double> W, std::size_t k, const RowTask& task, double* sums) const;
  template <class T>
  void add_block(Range rows, std::span<const double> coefficients, std::span<const double> level,
                 std::size_t k, const RowTask& task, double* sums) const;

  std::shared_ptr<const LandmarkForm> form_;
  Points points_;
  double constant_;
  int threads_;
};

}  // namespace mercer
