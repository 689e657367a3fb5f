// Smooth losses over the rows of all ranks, as solvers/newton.hpp has them on one machine: k outputs,
//   min Σ vᵢ L(yᵢ, f(xᵢ) + b) + λ‖f‖²,   Σ v = 1,
// by Newton's method. Over the rows of K its systems (2λ + BᵀK̃B) X = R, BBᵀ = v L″, K̃ = K + κ11ᵀ, are those
// of SpreadSystem; over features Φ the matrix ΦᵀBBᵀΦ + 2λ is a sum over all ranks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cluster/communicator.hpp"
#include "cluster/spread_fit.hpp"
#include "cluster/spread_system.hpp"
#include "mercer/loss.hpp"
#include "operators/row_features.hpp"

namespace mercer::cluster {

/// What the loss says of the own rows at f + b, f being own rows × k and b k numbers.
struct RowRisk {
  const Communicator& ranks;
  const Loss& loss;
  std::vector<double> y, v;  ///< of the own rows
  std::size_t k = 1;

  /// W = v L″ = BBᵀ of each row, B = diag(s)(I − uuᵀ).
  struct Curvature {
    std::vector<double> s, u;  ///< own rows × k
  };

  double inner(std::span<const double> a, std::span<const double> b) const;  ///< over all ranks
  std::vector<double> column_sums(std::span<const double> V) const;          ///< likewise
  double value(std::span<const double> f, std::span<const double> b) const;  ///< Σ v L over all ranks
  std::vector<double> slopes(std::span<const double> f, std::span<const double> b) const;  ///< v L′
  Curvature curvature(std::span<const double> f, std::span<const double> b, double more) const;
  /// The best constant beside f, by Newton's method on b alone.
  void fit_constant(std::span<const double> f, std::vector<double>& b) const;

 private:
  std::vector<double> at(std::span<const double> f, std::span<const double> b) const;
};

struct FoundRisk {
  double gradient = 0, first = 0, loss = 0, norm = 0;
  std::vector<double> b = {};
  std::size_t steps = 0;
  std::size_t earlier = 0;  ///< steps of the run whose checkpoint this one went on from
};

constexpr std::size_t most_newton_steps = 200;

class RiskOverRows {
 public:
  RiskOverRows(const SpreadTraining& training, const RowRisk& risk, double lambda, bool bias);
  FoundRisk run(SpreadWatch& watch, double tolerance);

  const SpreadSystem& system() const { return *system_; }
  std::vector<double> A;  ///< own rows × k

 private:
  void multiply(std::span<const double> V, std::span<double> out) const;
  double gradient();
  void solve(const RowRisk::Curvature& W, std::span<const double> R, double tolerance, std::span<double> X);
  bool step(double accuracy, double more);
  bool go_along(std::span<const double> D, std::span<const double> d);

  const SpreadTraining& training_;
  const Communicator& ranks_;
  const RowRisk& risk_;
  double lambda_, constant_ = 0;
  std::size_t n_, k_;
  std::optional<SpreadSystem> system_;
  std::vector<double> Ka_, r_, Kr_, slope_;
  FoundRisk found_;
};

/// All numbers but the rows' are the same on all ranks.
class RiskOverFeatures {
 public:
  /// Throws Error{budget} where the matrix of a step does not fit the memory of a rank.
  RiskOverFeatures(const SpreadTraining& training, const RowRisk& risk, double lambda, bool bias);
  FoundRisk run(SpreadWatch& watch, double tolerance);

  const RowFeatures& features() const { return features_; }
  std::vector<double> weights() const;  ///< k × features

 private:
  std::vector<double> values(std::span<const double> weights) const;
  std::vector<double> gradient(std::span<const double> f, std::span<const double> b) const;
  std::vector<double> direction(std::span<const double> f, std::span<const double> b,
                                std::span<const double> g, double more) const;
  double norm() const;

  const RowRisk& risk_;
  double lambda_;
  bool bias_;
  RowFeatures features_;
  std::size_t p_, k_;
  std::vector<double> w_;  // p × k
};

}  // namespace mercer::cluster
