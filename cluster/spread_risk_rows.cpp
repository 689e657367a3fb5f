#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cluster/spread_risk.hpp"

namespace mercer::cluster {

RiskOverRows::RiskOverRows(const SpreadTraining& training, const RowRisk& risk, double lambda, bool bias)
    : training_(training),
      ranks_(training.ranks),
      risk_(risk),
      lambda_(lambda),
      n_(training.own.rows()),
      k_(risk.k) {
  std::vector<double> diagonal(n_);
  if (n_ > 0)
    KernelOperator<double>(training.kernel, training.own, {.threads = training.options.fit.threads})
        .diagonal(diagonal);
  const double mean =
      ranks_.sum(std::accumulate(diagonal.begin(), diagonal.end(), 0.0)) / double(training.rows);
  constant_ = !bias ? 0 : mean > 0 ? mean : 1;
  const Kernel kernel =
      bias ? training.kernel + Kernel::parse(fmt::format("constant(c={})", constant_)) : training.kernel;
  const FitOptions& o = training.options.fit;
  system_.emplace(ranks_, kernel, training.own,
                  SpreadSystemOptions{.threads = o.threads, .memory = o.memory, .seed = o.seed});
  A.assign(n_ * k_, 0.0);
  Ka_.assign(n_ * k_, 0.0);
  r_.resize(n_ * k_);
  Kr_.resize(n_ * k_);
  found_.b.assign(k_, 0.0);
}

FoundRisk RiskOverRows::run(SpreadWatch& watch, double tolerance) {
  if (constant_ > 0) risk_.fit_constant(Ka_, found_.b);
  double gradient = this->gradient(), more = 0;
  found_.first = gradient;
  if (const auto earlier = training_.checkpoint->read(n_, k_)) {
    found_.earlier = watch.iterations = earlier->iterations;
    A = earlier->X;
    multiply(A, Ka_);
    if (constant_ > 0) risk_.fit_constant(Ka_, found_.b);
    gradient = this->gradient();
  }
  const double scale = std::max(1.0, gradient);
  bool certified = true, polished = training_.rows * k_ > 1000, stopped = false;
  int certificates = 0;
  const auto certify = [&] {
    multiply(A, Ka_);
    certified = true;
    return this->gradient();
  };
  const auto go_on = [&] {
    stopped |=
        !watch.go_on([&](std::span<double> X) { std::ranges::copy(A, X.begin()); }, k_, gradient / scale);
    return !stopped;
  };
  while (found_.steps < most_newton_steps && go_on()) {
    if (gradient <= tolerance * scale) {
      if (!certified && ++certificates <= 3) {
        gradient = certify();
        continue;
      }
      if (polished || gradient == 0) break;
      polished = true;
    }
    certified = false;
    ++found_.steps;
    const double accuracy = std::clamp(0.1 * gradient / found_.first, 1e-4, 0.1);
    if (step(accuracy, more)) {
      more = more < 1e-3 ? 0 : more / 10;
      if (constant_ > 0) risk_.fit_constant(Ka_, found_.b);
    } else if (more > 1e6 || gradient <= tolerance * scale) {
      break;
    } else {
      more = std::max(1.0, 10 * more);
    }
    gradient = this->gradient();
  }
  if (!certified) gradient = certify();
  found_.gradient = gradient;
  found_.norm = risk_.inner(A, Ka_);
  found_.loss = risk_.value(Ka_, found_.b);
  return found_;
}

// K V, from the product with K + κ11ᵀ.
void RiskOverRows::multiply(std::span<const double> V, std::span<double> out) const {
  system_->multiply(V, k_, out);
  if (constant_ == 0) return;
  const std::vector<double> sums = risk_.column_sums(V);
  for (std::size_t e = 0; e < out.size(); ++e) out[e] -= constant_ * sums[e % k_];
}

double RiskOverRows::gradient() {
  r_ = risk_.slopes(Ka_, found_.b);
  slope_ = risk_.column_sums(r_);
  for (std::size_t e = 0; e < r_.size(); ++e) r_[e] += 2 * lambda_ * A[e];
  multiply(r_, Kr_);
  const double of_b = std::inner_product(slope_.begin(), slope_.end(), slope_.begin(), 0.0);
  return std::sqrt(std::max(0.0, risk_.inner(r_, Kr_)) + (constant_ > 0 ? of_b : 0));
}

// The residual of the system must be small against cX: solvers/newton.cpp.
void RiskOverRows::solve(const RowRisk::Curvature& W, std::span<const double> R, double tolerance,
                         std::span<double> X) {
  const double c = 2 * lambda_;
  double aim = tolerance, before = std::numeric_limits<double>::infinity();
  for (bool start = false;; start = true) {
    const auto solved = k_ > 1 ? system_->solve(RowFactors(W.s, W.u, k_), c, R, aim, X, {}, start)
                               : system_->solve(W.s, c, R, 1, aim, X, {}, start);
    const double R2 = risk_.inner(R, R),
                 needed = R2 > 0 ? std::max(1e-11, tolerance * c * std::sqrt(risk_.inner(X, X) / R2)) : 1;
    if (!(solved.residual > needed) || !(solved.residual < 0.5 * before)) return;
    before = solved.residual;
    aim = 0.5 * needed;
  }
}

bool RiskOverRows::step(double accuracy, double more) {
  const RowRisk::Curvature W = risk_.curvature(Ka_, found_.b, more);
  const RowFactors B(W.s, W.u, k_);
  const std::vector<double> sums = risk_.column_sums(A);
  std::vector<double> right(n_ * k_), R(n_ * k_), X(n_ * k_);
  for (std::size_t e = 0; e < right.size(); ++e) right[e] = constant_ * sums[e % k_];
  B.apply_transposed(right, 1);
  B.apply(right, 1);
  for (std::size_t e = 0; e < right.size(); ++e) right[e] = -r_[e] - right[e];
  system_->multiply(right, k_, R);
  B.apply_transposed(R, 1);
  solve(W, R, accuracy, X);
  B.apply(X, 1);
  for (std::size_t e = 0; e < X.size(); ++e) X[e] = (right[e] - X[e]) / (2 * lambda_);
  std::vector<double> d = risk_.column_sums(X);
  for (std::size_t c = 0; c < k_; ++c) d[c] = constant_ * (sums[c] + d[c]);
  return go_along(X, d);
}

// While the risk falls as its slope promises (Armijo 1966); false: not even a part of the step.
bool RiskOverRows::go_along(std::span<const double> D, std::span<const double> d) {
  std::vector<double> KD(D.size()), Ka(D.size()), b(k_);
  multiply(D, KD);
  const double AKA = risk_.inner(A, Ka_), AKD = risk_.inner(A, KD), DKD = risk_.inner(D, KD),
               before = risk_.value(Ka_, found_.b) + lambda_ * AKA,
               of_b = std::inner_product(slope_.begin(), slope_.end(), d.begin(), 0.0),
               promised = risk_.inner(Kr_, D) + (constant_ > 0 ? of_b : 0),
               rounding = 1e-12 * std::abs(before);
  if (!(promised < 0)) return false;
  for (double length = 1; length >= 0.1; length /= 2) {
    for (std::size_t e = 0; e < D.size(); ++e) Ka[e] = Ka_[e] + length * KD[e];
    for (std::size_t c = 0; c < k_; ++c) b[c] = found_.b[c] + length * d[c];
    const double risk = risk_.value(Ka, b) + lambda_ * (AKA + 2 * length * AKD + length * length * DKD);
    const bool drowns = length == 1 && -promised <= rounding && risk <= before + rounding;
    if (!std::isfinite(risk) || !(drowns || risk <= before + 1e-4 * length * promised)) continue;
    for (std::size_t e = 0; e < D.size(); ++e) A[e] += length * D[e];
    Ka_ = std::move(Ka);
    found_.b = std::move(b);
    return true;
  }
  return false;
}

}  // namespace mercer::cluster
