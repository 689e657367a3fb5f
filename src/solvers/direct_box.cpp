#include "solvers/direct_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solvers/box_interior.hpp"
#include "solvers/box_system.hpp"

namespace mercer {

namespace {

// A variable is at a bound where its multiplier would survive the move there.
std::vector<double> at_their_bounds(const BoxQp& problem, std::span<const double> K, std::size_t points,
                                    const InteriorPoint& inner) {
  std::vector<double> beta = inner.beta;
  for (std::size_t v = 0; v < beta.size(); ++v) {
    const auto i = std::size_t(problem.points[v]);
    const double curvature = std::abs(K[i * points + i]), up = beta[v] - problem.lower[v],
                 down = problem.upper[v] - beta[v];
    if (up <= down && curvature * up < inner.above[v])
      beta[v] = problem.lower[v];
    else if (down < up && curvature * down < inner.below[v])
      beta[v] = problem.upper[v];
  }
  return beta;
}

// Kβ of the centred K lacks c·Σβ, with c the means of K's rows: the linear terms take it.
BoxQp for_centred(const BoxQp& problem, std::span<const double> K, std::size_t points) {
  BoxQp moved = problem;
  const double sum = std::accumulate(problem.start.begin(), problem.start.end(), 0.0);
  if (sum == 0) return moved;
  std::vector<double> mean(points, 0);
  for (std::size_t i = 0; i < points; ++i)
    mean[i] = std::accumulate(K.begin() + std::ptrdiff_t(i * points),
                              K.begin() + std::ptrdiff_t((i + 1) * points), 0.0) /
              double(points);
  for (std::size_t v = 0; v < problem.size(); ++v)
    moved.linear[v] += sum * mean[std::size_t(problem.points[v])];
  return moved;
}

constexpr std::size_t most_set_changes = 10'000;
constexpr double most_set_work = 1e10;  // multiplications: a few seconds
constexpr double without_bound = std::numeric_limits<double>::infinity();

class ActiveSet {
 public:
  ActiveSet(const BoxQp& problem, std::span<const double> K, std::span<const double> system_K,
            std::size_t points, std::vector<double> beta)
      : problem_(problem),
        K_(K),
        points_(points),
        system_(problem, system_K, points),
        beta_(std::move(beta)) {
    for (std::size_t v = 0; v < problem.size(); ++v) {
      free_.push_back(problem.lower[v] < beta_[v] && beta_[v] < problem.upper[v]);
      wanted_[problem.group(v)] += problem.start.empty() ? 0 : problem.start[v];
    }
    shift_ = rounding_shift(K, points);
    look();
  }

  // The steps of one set of free variables are those of the proximal-point method: exact but for the shift,
  // and the next one takes up what it left. Where several improve nothing, rounding is all that is left.
  ActiveSetResult run(double tolerance, const Progress& progress) {
    std::vector<double> best = beta_;
    double least = feasible() ? violation_ : without_bound;
    double lowest = objective_;
    std::size_t steps = 0;
    for (std::size_t futile = 0;
         work_ < most_set_work && steps < most_set_changes && least > tolerance && futile < 20; ++steps) {
      progress("certificate", 0.95);
      const bool blocked = step();
      look();
      if (!feasible() || blocked) continue;
      futile = violation_ < 0.9 * least || objective_ < lowest - rounding_ ? 0 : futile + 1;
      lowest = std::min(lowest, objective_);
      if (violation_ < least) least = violation_, best = beta_;
      release();
    }
    return {std::move(best), steps, std::isfinite(least)};
  }

 private:
  bool rises(std::size_t v) const { return beta_[v] < problem_.upper[v]; }
  bool falls(std::size_t v) const { return beta_[v] > problem_.lower[v]; }

  double missing(int g) const {
    double sum = wanted_[g];
    for (std::size_t v = 0; v < beta_.size(); ++v)
      if (problem_.group(v) == g) sum -= beta_[v];
    return sum;
  }
  bool feasible() const {
    double magnitude = 0;
    for (const double b : beta_) magnitude += std::abs(b);
    return std::abs(missing(0)) + std::abs(missing(1)) <= 1e-13 * magnitude;
  }

  void look() {
    const std::vector<double> f = box_products(problem_, K_, points_, beta_);
    G_.assign(problem_.size(), 0);
    violation_ = objective_ = rounding_ = 0;
    for (int g = 0; g < 2; ++g) {
      double top = -without_bound, bottom = without_bound;
      for (std::size_t v = 0; v < beta_.size(); ++v) {
        if (problem_.group(v) != g) continue;
        G_[v] = f[std::size_t(problem_.points[v])] + problem_.linear[v];
        const double part = 0.5 * beta_[v] * (G_[v] + problem_.linear[v]);
        objective_ += part;
        rounding_ += 4 * std::numeric_limits<double>::epsilon() * std::abs(part);
        if (rises(v) && -G_[v] > top) top = -G_[v], riser_[g] = v;
        if (falls(v) && -G_[v] < bottom) bottom = -G_[v], faller_[g] = v;
      }
      apart_[g] = top - bottom;
      violation_ = std::max(violation_, apart_[g]);
    }
  }

  // The pair of each group that violates most becomes free.
  void release() {
    for (int g = 0; g < 2; ++g)
      if (apart_[g] > 0) free_[riser_[g]] = free_[faller_[g]] = 1;
  }

  // What a step leaves of sums that are off, by rounding or because the guess put variables at their bounds:
  // the variables with the most room make it good, those that are free first.
  void settle() {
    for (int g = 0; g < 2; ++g) {
      double off = missing(g), magnitude = std::abs(wanted_[g]);
      for (std::size_t v = 0; v < beta_.size(); ++v)
        if (problem_.group(v) == g) magnitude += std::abs(beta_[v]);
      const double rounding = 1e-15 * magnitude;
      const auto room = [&](std::size_t v) {
        return off > 0 ? problem_.upper[v] - beta_[v] : beta_[v] - problem_.lower[v];
      };
      std::vector<std::size_t> order;
      for (std::size_t v = 0; v < beta_.size(); ++v)
        if (problem_.group(v) == g && room(v) > 0) order.push_back(v);
      std::ranges::stable_sort(order, [&](std::size_t v, std::size_t w) {
        return std::pair(free_[v], room(v)) > std::pair(free_[w], room(w));
      });
      for (std::size_t k = 0; k < order.size() && std::abs(off) > rounding; ++k) {
        const std::size_t v = order[k];
        const double before = beta_[v];
        beta_[v] = std::clamp(before + off, problem_.lower[v], problem_.upper[v]);
        off -= beta_[v] - before;
        free_[v] = rises(v) && falls(v);
      }
    }
  }

  // True where a bound was met before the end of the step.
  bool step() {
    std::vector<std::size_t> chosen;
    for (std::size_t v = 0; v < beta_.size(); ++v)
      if (free_[v]) chosen.push_back(v);
    if (chosen.empty()) return settle(), false;
    work_ += std::pow(double(chosen.size()), 3) / 3;
    std::vector<double> r, D(chosen.size(), shift_);
    for (const std::size_t v : chosen) r.push_back(-G_[v]);
    for (int tries = 0; !system_.factor(chosen, D); ++tries) {
      if (tries == 8) return false;
      for (double& d : D) d *= 16;
    }
    const double off[2] = {missing(0), missing(1)};
    const std::vector<double> p = system_.solve(r, off).x;
    double length = 1;
    std::size_t first = chosen.size();
    for (std::size_t a = 0; a < chosen.size(); ++a) {
      const std::size_t v = chosen[a];
      const double room = p[a] > 0 ? problem_.upper[v] - beta_[v] : beta_[v] - problem_.lower[v];
      if (std::abs(p[a]) * length > room) length = room / std::abs(p[a]), first = a;
    }
    for (std::size_t a = 0; a < chosen.size(); ++a) {
      const std::size_t v = chosen[a];
      beta_[v] = std::clamp(beta_[v] + length * p[a], problem_.lower[v], problem_.upper[v]);
      if (a == first) beta_[v] = p[a] > 0 ? problem_.upper[v] : problem_.lower[v];
      if (p[a] > 0 ? !rises(v) : !falls(v)) free_[v] = 0;  // one that goes inwards from its bound stays free
    }
    settle();
    return first < chosen.size();
  }

  const BoxQp& problem_;
  std::span<const double> K_;
  std::size_t points_;
  HeldBoxSystem system_;
  std::vector<double> beta_, G_;
  std::vector<std::uint8_t> free_;
  // Of each group: its sum; how far apart the pair that violates most is.
  double wanted_[2] = {}, apart_[2] = {};
  std::size_t riser_[2] = {}, faller_[2] = {};
  double violation_ = 0, objective_ = 0, rounding_ = 0;  // the last: of the objective
  double shift_ = 0, work_ = 0;
};

}  // namespace

std::optional<DirectSolution> solve_directly(const BoxQp& problem, std::span<const double> K,
                                             std::size_t points, double tolerance, const Progress& progress) {
  const Buffer<double> moved = centred(K, points);
  const BoxQp for_moved = for_centred(problem, K, points);
  HeldBoxSystem system(for_moved, moved, points);
  const auto inner = interior_point(for_moved, system, rounding_shift(K, points), [&](const InteriorPoint&) {
    return progress("certificate", 0.95), true;
  });
  if (!inner) return std::nullopt;
  ActiveSetResult polished = active_set(
      problem, K, moved, points, at_their_bounds(problem, moved, points, *inner), 0.5 * tolerance, progress);
  if (!polished.feasible) return std::nullopt;
  DirectSolution solution{std::move(polished.beta), {}, {}, inner->steps + polished.steps};
  solution.f = box_products(problem, K, points, solution.beta);
  solution.certificate = certify(problem, solution.beta, solution.f);
  return solution;
}

ActiveSetResult active_set(const BoxQp& problem, std::span<const double> K, std::span<const double> system_K,
                           std::size_t points, std::vector<double> beta, double tolerance,
                           const Progress& progress) {
  return ActiveSet(problem, K, system_K, points, std::move(beta)).run(tolerance, progress);
}

}  // namespace mercer
