#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "cluster/spread_risk.hpp"

namespace mercer::cluster {

namespace {

double length_of(std::span<const double> v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

}  // namespace

RiskOverFeatures::RiskOverFeatures(const SpreadTraining& training, const RowRisk& risk, double lambda,
                                   bool bias)
    : risk_(risk),
      lambda_(lambda),
      bias_(bias),
      features_(training.map->row_map(), training.own, training.options.fit.threads, 0),
      p_(training.map->features()),
      k_(risk.k),
      w_(p_ * k_, 0.0) {
  const double size = double(p_ + 1) * double(k_),
               bytes = 8 * (size * size + double(p_ + 1) * double(p_ + 1));
  if (bytes > double(training.options.fit.memory))
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the matrix of a step, of {} features of {} classes, takes {:.3g} GB on each "
                            "rank, but {:.3g} GB are allowed",
                            p_, k_, bytes / 1e9, double(training.options.fit.memory) / 1e9),
                {.hint = "take fewer features, or more --memory"});
}

// Own rows × k.
std::vector<double> RiskOverFeatures::values(std::span<const double> weights) const {
  std::vector<double> f(risk_.y.size() * k_);
  if (!f.empty()) features_.multiply(weights, k_, f);
  return f;
}

// Of w (p × k), then of b.
std::vector<double> RiskOverFeatures::gradient(std::span<const double> f, std::span<const double> b) const {
  const std::vector<double> g = risk_.slopes(f, b);
  std::vector<double> all((p_ + 1) * k_, 0.0);
  if (!g.empty()) features_.multiply_transposed(g, k_, std::span(all).first(p_ * k_));
  for (std::size_t e = 0; e < g.size(); ++e) all[p_ * k_ + e % k_] += g[e];
  risk_.ranks.sum(std::span(all));
  for (std::size_t e = 0; e < p_ * k_; ++e) all[e] += 2 * lambda_ * w_[e];
  if (!bias_) std::fill(all.begin() + std::ptrdiff_t(p_ * k_), all.end(), 0.0);
  return all;
}

double RiskOverFeatures::norm() const { return std::inner_product(w_.begin(), w_.end(), w_.begin(), 0.0); }

std::vector<double> RiskOverFeatures::weights() const {
  std::vector<double> W(k_ * p_);
  for (std::size_t e = 0; e < w_.size(); ++e) W[e % k_ * p_ + e / k_] = w_[e];
  return W;
}

FoundRisk RiskOverFeatures::run(SpreadWatch& watch, double tolerance) {
  FoundRisk found;
  std::vector<double> f(risk_.y.size() * k_, 0.0);
  found.b.assign(k_, 0.0);
  if (bias_) risk_.fit_constant(f, found.b);
  double more = 0;
  std::vector<double> g = gradient(f, found.b);
  found.first = found.gradient = length_of(g);
  const double goal = tolerance * std::max(1.0, found.first);
  // One step beyond the tolerance, as of few rows on one machine: it doubles the digits.
  for (bool polished = false; found.steps < most_newton_steps; ++found.steps) {
    if (!watch.go_on({}, 1, found.gradient)) break;
    if (found.gradient <= goal && std::exchange(polished, true)) break;
    if (found.gradient == 0) break;
    const std::vector<double> d = direction(f, found.b, g, more);
    const double before = risk_.value(f, found.b) + lambda_ * norm();
    const double promised = std::inner_product(g.begin(), g.end(), d.begin(), 0.0);
    const std::vector<double> Fd = values(std::span(d).first(p_ * k_)), start = w_;
    bool moved = false;
    for (double length = 1; length >= 0.1 && !moved; length /= 2) {
      std::vector<double> next = f, b = found.b;
      for (std::size_t e = 0; e < f.size(); ++e) next[e] += length * Fd[e];
      for (std::size_t e = 0; e < w_.size(); ++e) w_[e] = start[e] + length * d[e];
      for (std::size_t c = 0; c < k_; ++c) b[c] += length * d[p_ * k_ + c];
      const double now = risk_.value(next, b) + lambda_ * norm(), rounding = 1e-12 * std::abs(before);
      moved = std::isfinite(now) && (now <= before + 1e-4 * length * promised ||
                                     (length == 1 && -promised <= rounding && now <= before + rounding));
      if (moved) f = std::move(next), found.b = std::move(b);
    }
    if (moved) {
      more = more < 1e-3 ? 0 : more / 10;
    } else {
      w_ = start;
      if (more > 1e6 || found.gradient <= goal) break;
      more = std::max(1.0, 10 * more);
    }
    g = gradient(f, found.b);
    found.gradient = length_of(g);
  }
  f = values(w_);  // the certificate, anew
  found.gradient = length_of(gradient(f, found.b));
  found.loss = risk_.value(f, found.b);
  found.norm = norm();
  return found;
}

// −H⁻¹g, H = Σᵢ [φᵢ, 1][φᵢ, 1]ᵀ ⊗ Wᵢ + 2λ: entry (j, a), (l, b) is that of features j and l, outputs a and b.
std::vector<double> RiskOverFeatures::direction(std::span<const double> f, std::span<const double> b,
                                                std::span<const double> g, double more) const {
  const std::size_t with_one = p_ + 1, size = with_one * k_, n = risk_.y.size();
  const SingleThreadedBlas one_thread;  // so that the bits do not depend on the threads
  std::vector<double> H(size * size, 0.0), d(g.begin(), g.end());
  if (n > 0) {
    const std::vector<double> ones(n, 1.0);
    const RowRisk::Curvature W = risk_.curvature(f, b, more);
    std::vector<double> root(n);
    for (std::size_t a = 0; a < k_; ++a)
      for (std::size_t c = 0; c <= a; ++c) {
        // Wᵢ[a, c] = sₐ s_c (δ − (2 − |u|²) uₐ u_c): of one sign over the rows.
        for (std::size_t i = 0; i < n; ++i) {
          const double *s = W.s.data() + i * k_, *u = W.u.data() + i * k_;
          const double entry =
              s[a] * s[c] * ((a == c) - (2 - std::inner_product(u, u + k_, u, 0.0)) * u[a] * u[c]);
          root[i] = std::sqrt(a == c ? std::max(entry, 0.0) : std::abs(entry));
        }
        const Buffer<double> block = features_.normal_matrix_with(ones, 1, root, {});
        const double sign = a == c ? 1 : -1;
        for (std::size_t j = 0; j < with_one; ++j)
          for (std::size_t l = 0; l < with_one; ++l) {
            const std::size_t row = j * k_ + a, column = l * k_ + c;
            H[std::max(row, column) * size + std::min(row, column)] =
                sign * block[std::max(j, l) * with_one + std::min(j, l)];
          }
      }
  }
  risk_.ranks.sum(std::span(H));
  for (std::size_t e = 0; e < p_ * k_; ++e) H[e * size + e] += 2 * lambda_;
  // Of classes b is free up to a shift of all, along which there is no gradient either.
  if (k_ > 1)
    for (std::size_t a = 0; a < k_; ++a)
      for (std::size_t c = 0; c <= a; ++c) H[(p_ * k_ + a) * size + p_ * k_ + c] += 1 / double(k_);
  const std::size_t used = bias_ ? size : p_ * k_;
  for (double& value : d) value = -value;
  if (!lapack::potrf(H.data(), used, size))
    throw AgreedError(Error(ErrorCode::rank_deficient, "the curvature of the risk is singular",
                            {.hint = "take a larger lambda"}));
  trsv(CblasLower, CblasNoTrans, CblasNonUnit, used, H.data(), size, d.data(), 1);
  trsv(CblasLower, CblasTrans, CblasNonUnit, used, H.data(), size, d.data(), 1);
  if (!bias_) std::fill(d.begin() + std::ptrdiff_t(p_ * k_), d.end(), 0.0);
  return d;
}

}  // namespace mercer::cluster
