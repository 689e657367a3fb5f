#include "solvers/box_interior.hpp"

#include <algorithm>
#include <cmath>

namespace mercer {

namespace {

constexpr std::size_t most_interior_steps = 200;
constexpr std::size_t most_stalls = 8;
constexpr double small_enough = 1e-20;     // what is left of the complementarity at the beginning
constexpr double to_the_boundary = 0.995;  // of the way that a step may go

class Interior {
 public:
  Interior(const BoxQp& problem, BoxSystem& system, double shift)
      : problem_(problem), system_(system), shift_(shift) {
    for (std::size_t v = 0; v < problem.size(); ++v)
      if (problem.lower[v] < problem.upper[v]) open_.push_back(v);
  }

  std::optional<InteriorPoint> run(const std::function<bool(const InteriorPoint&)>& go_on) {
    if (!begin()) return std::nullopt;
    const double first = complementarity();
    double best = first;
    InteriorPoint reached = state();
    for (std::size_t stalls = 0; steps_ < most_interior_steps && stalls < most_stalls; ++steps_) {
      if (go_on && !go_on(reached)) break;
      const double before = complementarity();
      if (!(before > small_enough * first)) break;
      if (!step()) {
        if (steps_ == 0) return std::nullopt;
        break;
      }
      const double now = complementarity();
      if (!std::isfinite(now)) break;
      stalls = now < 0.99 * before ? 0 : stalls + 1;
      if (now < best) best = now, reached = state();
    }
    reached.steps = steps_;
    return reached;
  }

 private:
  std::size_t size() const { return open_.size(); }
  double slack_above(std::size_t a) const { return beta_[open_[a]] - problem_.lower[open_[a]]; }
  double slack_below(std::size_t a) const { return problem_.upper[open_[a]] - beta_[open_[a]]; }

  double complementarity() const {
    double sum = 0;
    for (std::size_t a = 0; a < size(); ++a) sum += a_[a] * z_[a] + b_[a] * w_[a];
    return sum;
  }

  // All variables of a group at the same part of their range; multipliers that meet the first condition.
  bool begin() {
    beta_ = problem_.start.empty() ? std::vector<double>(problem_.size(), 0.0) : problem_.start;
    double low[2] = {}, width[2] = {}, sum[2] = {};
    for (const std::size_t v : open_) {
      const int g = problem_.group(v);
      low[g] += problem_.lower[v];
      width[g] += problem_.upper[v] - problem_.lower[v];
      sum[g] += beta_[v];
    }
    for (int g = 0; g < 2; ++g) {
      const double part = width[g] > 0 ? (sum[g] - low[g]) / width[g] : 0.5;
      if (!(part > 1e-12 && part < 1 - 1e-12)) return false;  // the sum leaves no choice
      for (const std::size_t v : open_)
        if (problem_.group(v) == g)
          beta_[v] = problem_.lower[v] + part * (problem_.upper[v] - problem_.lower[v]);
      wanted_[g] = sum[g];
    }
    for (std::size_t a = 0; a < size(); ++a) a_.push_back(slack_above(a)), b_.push_back(slack_below(a));
    const std::vector<double> G = gradients();
    double count[2] = {};
    for (std::size_t a = 0; a < size(); ++a)
      rho_[problem_.group(open_[a])] += G[a], ++count[problem_.group(open_[a])];
    for (int g = 0; g < 2; ++g) rho_[g] = count[g] > 0 ? rho_[g] / count[g] : 0;
    double typical = 0;
    for (std::size_t a = 0; a < size(); ++a) typical += std::abs(G[a] - rho(a)) / double(size());
    if (!(typical > 0)) typical = 1;
    for (std::size_t a = 0; a < size(); ++a) {
      const double h = G[a] - rho(a);
      z_.push_back(std::max(h, 0.0) + typical);
      w_.push_back(std::max(-h, 0.0) + typical);
    }
    return size() > 0 && std::isfinite(typical);
  }

  double rho(std::size_t a) const { return rho_[problem_.group(open_[a])]; }

  std::vector<double> gradients() const {
    const std::vector<double> f = system_.products(beta_);
    std::vector<double> G;
    for (const std::size_t v : open_) G.push_back(f[std::size_t(problem_.points[v])] + problem_.linear[v]);
    return G;
  }

  struct Move {
    std::vector<double> beta, z, w;
    double rho[2];
  };

  // `centre`: μ to aim at; `affine`: the step whose second-order terms are taken out, or none.
  Move move(std::span<const double> residual, double centre, const Move* affine) const {
    std::vector<double> r(size()), up(size()), down(size());
    double t[2] = {wanted_[0], wanted_[1]};
    for (std::size_t a = 0; a < size(); ++a) {
      up[a] = centre - a_[a] * z_[a] - (affine ? affine->beta[a] * affine->z[a] : 0);
      down[a] = centre - b_[a] * w_[a] + (affine ? affine->beta[a] * affine->w[a] : 0);
      r[a] = -residual[a] + up[a] / a_[a] - down[a] / b_[a];
      t[problem_.group(open_[a])] -= beta_[open_[a]];
    }
    BoxSystem::Solution solved = system_.solve(r, t);
    Move made{std::move(solved.x), {}, {}, {solved.rho[0], solved.rho[1]}};
    for (std::size_t a = 0; a < size(); ++a) {
      made.z.push_back((up[a] - z_[a] * made.beta[a]) / a_[a]);
      made.w.push_back((down[a] + w_[a] * made.beta[a]) / b_[a]);
    }
    return made;
  }

  double longest(const Move& m) const {
    double most = 1 / to_the_boundary;
    const auto limit = [&](double from, double by) {
      if (by < 0) most = std::min(most, -from / by);
    };
    for (std::size_t a = 0; a < size(); ++a) {
      limit(a_[a], m.beta[a]);
      limit(b_[a], -m.beta[a]);
      limit(z_[a], m.z[a]);
      limit(w_[a], m.w[a]);
    }
    return std::min(1.0, to_the_boundary * most);
  }

  bool step() {
    std::vector<double> residual = gradients(), D(size());
    for (std::size_t a = 0; a < size(); ++a) {
      residual[a] += -rho(a) - z_[a] + w_[a];
      D[a] = z_[a] / a_[a] + w_[a] / b_[a] + shift_;
    }
    if (!system_.factor(open_, D)) return false;
    const double mu = complementarity() / double(2 * size());
    const Move affine = move(residual, 0, nullptr);
    const double reach = longest(affine);
    double after = 0;
    for (std::size_t a = 0; a < size(); ++a)
      after += (a_[a] + reach * affine.beta[a]) * (z_[a] + reach * affine.z[a]) +
               (b_[a] - reach * affine.beta[a]) * (w_[a] + reach * affine.w[a]);
    const double ratio = std::clamp(after / double(2 * size()) / mu, 0.0, 1.0);
    const Move m = move(residual, ratio * ratio * ratio * mu, &affine);
    const double length = longest(m);
    if (!std::isfinite(length)) return false;
    for (std::size_t a = 0; a < size(); ++a) {
      // The slacks are kept beside β: close to a bound their digits would be lost in β's.
      a_[a] += length * m.beta[a];
      b_[a] -= length * m.beta[a];
      z_[a] += length * m.z[a];
      w_[a] += length * m.w[a];
      const std::size_t v = open_[a];
      beta_[v] = a_[a] < b_[a] ? problem_.lower[v] + a_[a] : problem_.upper[v] - b_[a];
    }
    for (int g = 0; g < 2; ++g) rho_[g] += length * m.rho[g];
    return true;
  }

  InteriorPoint state() const {
    InteriorPoint now{beta_, std::vector<double>(problem_.size(), 0),
                      std::vector<double>(problem_.size(), 0)};
    for (std::size_t a = 0; a < size(); ++a) now.above[open_[a]] = z_[a], now.below[open_[a]] = w_[a];
    return now;
  }

  const BoxQp& problem_;
  BoxSystem& system_;
  double shift_;                         // of the diagonal of K, which may be singular
  std::vector<std::size_t> open_;        // variables whose bounds differ
  std::vector<double> beta_;             // of all variables
  std::vector<double> a_, b_, z_, w_;    // of the open ones
  double rho_[2] = {}, wanted_[2] = {};  // of each group; wanted: the sum of its open variables
  std::size_t steps_ = 0;
};

}  // namespace

std::optional<InteriorPoint> interior_point(const BoxQp& problem, BoxSystem& system, double shift,
                                            const std::function<bool(const InteriorPoint&)>& go_on) {
  return Interior(problem, system, shift).run(go_on);
}

}  // namespace mercer
