// The linear systems of the direct methods for the box problem:
//
//   (E K Eᵀ + D) x − Aᵀρ = r,    A x = t
//
// with a diagonal D > 0. E says which point each variable stands for, A which group it is in. Variables of
// one point share their row of K, so that the matrix to factor is over points: with δ = Eᵀx and q = Kδ, each
// variable is x_v = (r_v − q)/D_v, and
//   (K + D̃) δ = D̃ Eᵀ D⁻¹ r,    1/D̃_i = Σ 1/D_v over the variables of point i.
//
// Σβ is fixed, so that K may have c1ᵀ + 1cᵀ added for any c: the kernel of the centred points, without the
// large constant part that swallows the digits of points far from the origin.
#pragma once

#include <span>
#include <vector>

#include "mercer/buffer.hpp"
#include "solvers/box_qp.hpp"

namespace mercer {

/// K − c1ᵀ − 1cᵀ: K centred, with the mean of its diagonal as the eigenvalue of the ones, which it has no
/// other for. (points × points, row-major)
Buffer<double> centred(std::span<const double> K, std::size_t points);

/// A diagonal that makes K, or K centred, positive definite: just above its rounding in float64.
double rounding_shift(std::span<const double> K, std::size_t points);

/// With whatever makes K: held, or features.
class BoxSystem {
 public:
  explicit BoxSystem(const BoxQp& problem) : problem_(problem) {}
  virtual ~BoxSystem() = default;

  /// Of the variables given (ascending) with their D. False where the matrix is not positive definite.
  bool factor(std::span<const std::size_t> variables, std::span<const double> D);

  struct Solution {
    std::vector<double> x;   ///< of each of the variables given
    double rho[2] = {0, 0};  ///< of each group; 0 of one without variables
  };
  /// r: of each of the variables; t: of each group.
  Solution solve(std::span<const double> r, const double (&t)[2]) const;

  /// f = Kβ, per point; β of all variables.
  virtual std::vector<double> products(std::span<const double> beta) const = 0;

 protected:
  /// Factors E K Eᵀ + D for variables_ and D_.
  virtual bool prepare() = 0;
  /// (E K Eᵀ + D)⁻¹ r
  virtual std::vector<double> divide(std::span<const double> r) const = 0;

  const BoxQp& problem_;
  std::vector<std::size_t> variables_;
  std::vector<double> D_;

 private:
  std::vector<double> ones_[2];  // what the matrix takes to the group's ones
  double inner_[2][2] = {};      // A(…)⁻¹Aᵀ
};

/// K held.
class HeldBoxSystem final : public BoxSystem {
 public:
  /// `K`: over `points` points, kept by reference.
  HeldBoxSystem(const BoxQp& problem, std::span<const double> K, std::size_t points)
      : BoxSystem(problem), K_(K), points_(points) {}
  std::vector<double> products(std::span<const double> beta) const override;

 private:
  bool prepare() override;
  std::vector<double> divide(std::span<const double> r) const override;

  std::span<const double> K_;
  std::size_t points_;
  std::vector<std::size_t> places_;   // of each variable: its point's place among those that have variables
  std::vector<std::size_t> softest_;  // of each such point: its variable with the least D
  std::vector<double> joint_;         // D̃
  std::size_t stride_ = 0;
  Buffer<double> L_;
};

}  // namespace mercer
