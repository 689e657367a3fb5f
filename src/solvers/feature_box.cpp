#include "solvers/feature_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/box_interior.hpp"
#include "solvers/dense_cholesky.hpp"
#include "solvers/linear_coordinate.hpp"

namespace mercer {

namespace {

constexpr std::string_view step_name = "interior point";

struct Stopped {};  // by progress, in the middle of a step

std::vector<double> products_of(const BoxQp& problem, const RowFeatures& features,
                                std::span<const double> beta) {
  std::vector<double> sums(features.rows(), 0), w(features.features());
  for (std::size_t v = 0; v < beta.size(); ++v) sums[std::size_t(problem.points[v])] += beta[v];
  features.multiply_transposed(sums, 1, w);
  features.multiply(w, 1, sums);
  return sums;
}

class FeatureBoxSystem final : public BoxSystem {
 public:
  // One more feature, a constant, is ρ's affair: Σβ is fixed, and the matrix tells the ones from 0 by it.
  FeatureBoxSystem(const BoxQp& problem, const RowFeatures& features, const FeatureBoxOptions& options)
      : BoxSystem(problem),
        features_(features),
        options_(options),
        mean_square_(std::max(features.mean_square(), std::numeric_limits<double>::min())),
        extended_(features.with_constant(std::sqrt(mean_square_))) {}

  double mean_square() const noexcept { return mean_square_; }
  double done = 0;  ///< of the whole, for the listener

  std::vector<double> products(std::span<const double> beta) const override {
    return products_of(problem_, features_, beta);
  }

 private:
  bool prepare() override {
    std::vector<double> s(features_.rows(), 0);
    for (std::size_t a = 0; a < variables_.size(); ++a) s[point(a)] += 1 / D_[a];
    for (double& value : s) value = std::sqrt(value);
    const Buffer<double> small = extended_.normal_matrix_with({}, 0, s, [&](double) {
      if (!options_.progress(step_name, done)) throw Stopped{};
    });
    const std::size_t p = extended_.features();
    stride_ = row_stride<double>(p);
    L_ = Buffer<double>(p * stride_);
    for (std::size_t r = 0; r < p; ++r) {
      std::copy_n(small.data() + r * p, r + 1, L_.data() + r * stride_);
      L_[r * stride_ + r] += 1;
    }
    return cholesky_factor(L_.data(), p, stride_, options_.threads, {});
  }

  std::vector<double> divide(std::span<const double> r) const override {
    std::vector<double> sums(features_.rows(), 0), small(extended_.features()), x(r.size());
    for (std::size_t a = 0; a < r.size(); ++a) sums[point(a)] += r[a] / D_[a];
    extended_.multiply_transposed(sums, 1, small);
    cholesky_solve(L_.data(), small.size(), stride_, small.data(), 1);
    extended_.multiply(small, 1, sums);
    for (std::size_t a = 0; a < r.size(); ++a) x[a] = (r[a] - sums[point(a)]) / D_[a];
    return x;
  }

  std::size_t point(std::size_t a) const { return std::size_t(problem_.points[variables_[a]]); }

  const RowFeatures& features_;
  const FeatureBoxOptions& options_;
  double mean_square_;
  RowFeatures extended_;
  std::size_t stride_ = 0;
  Buffer<double> L_;  // of I + ΦᵀSΦ
};

// A variable is at a bound where its multiplier would survive the move there. The free ones make the sum
// good; none where they cannot.
std::optional<std::vector<double>> settled(const BoxQp& problem, const InteriorPoint& inner,
                                           double curvature) {
  std::vector<double> beta = inner.beta;
  std::vector<std::size_t> free;
  double off = 0, magnitude = 0;
  for (std::size_t v = 0; v < beta.size(); ++v) {
    off += problem.start.empty() ? 0 : problem.start[v];
    const double up = beta[v] - problem.lower[v], down = problem.upper[v] - beta[v];
    if (up <= down && curvature * up < inner.above[v])
      beta[v] = problem.lower[v];
    else if (down < up && curvature * down < inner.below[v])
      beta[v] = problem.upper[v];
    else if (up > 0 && down > 0)
      free.push_back(v);
    off -= beta[v];
    magnitude += std::abs(beta[v]);
  }
  for (std::size_t left = free.size(); const std::size_t v : free) {
    const double before = beta[v];
    beta[v] = std::clamp(before + off / double(left--), problem.lower[v], problem.upper[v]);
    off -= beta[v] - before;
  }
  if (std::abs(off) > 1e-13 * magnitude) return std::nullopt;
  return beta;
}

SmoResult assessed(const BoxQp& problem, std::vector<double> beta, std::vector<double> f, double tolerance) {
  SmoResult result;
  result.certificate = certify(problem, beta, f);
  result.converged = result.certificate.violation <= tolerance;
  result.beta = std::move(beta);
  result.f = std::move(f);
  return result;
}

// Descent hardly notices one more feature, but the steps of the interior-point method cost p² of them each.
// So many passes of descent cost about as much as that method.
constexpr double passes_of_interior = 600;

class FeatureBox {
 public:
  FeatureBox(const BoxQp& problem, const RowFeatures& features, const FeatureBoxOptions& options)
      : problem_(problem), features_(features), options_(options) {
    std::vector<double> f(features.rows(), 0);
    if (!problem.start.empty()) f = products_of(problem, features, problem.start);
    best_ = assessed(problem, problem.start.empty() ? std::vector<double>(problem.size(), 0) : problem.start,
                     std::move(f), options.tolerance);
  }

  SmoResult solve() {
    const bool interior_first = suits_interior_point(features_);
    if (!best_.converged) interior_first ? follow_interior() : descend();
    if (!best_.converged && !best_.stopped && features_.held())
      interior_first || features_.features() > most_interior ? descend() : follow_interior();
    return std::move(best_);
  }

 private:
  static constexpr std::size_t most_interior = 3000;

  void take(SmoResult now) {
    if (!best_.converged && (now.converged || now.certificate.violation < best_.certificate.violation))
      now.steps = best_.steps, now.stopped = best_.stopped, best_ = std::move(now);
  }

  // Every point on the way is tried with its variables put to their bounds; it is good enough where the
  // objective has as many digits as the violation.
  void follow_interior() {
    FeatureBoxSystem system(problem_, features_, options_);
    double first = 0;
    try {
      interior_point(problem_, system, 1e-12 * system.mean_square(), [&](const InteriorPoint& point) {
        ++best_.steps;
        if (auto beta = settled(problem_, point, system.mean_square())) {
          auto f = system.products(*beta);
          SmoResult now = assessed(problem_, *std::move(beta), std::move(f), options_.tolerance);
          const Certificate& c = now.certificate;
          now.converged =
              now.converged && c.gap <= std::max(1e-3 * options_.tolerance, 1e-9) * std::abs(c.objective);
          first = std::max(first, c.violation);
          system.done = decades_done(first, std::max(c.violation, options_.tolerance), options_.tolerance);
          take(std::move(now));
        }
        if (!options_.progress(step_name, system.done)) throw Stopped{};
        return !best_.converged;
      });
    } catch (const Stopped&) {
      best_.stopped = true;
    }
    best_.converged = best_.certificate.violation <= options_.tolerance;
  }

  void descend() {
    BoxQp problem = problem_;
    problem.start = best_.beta;
    LinearSolution solution =
        solve_linear(problem, features_.table(),
                     {.tolerance = options_.tolerance, .seed = options_.seed, .progress = options_.progress});
    best_.steps += solution.passes * problem.size();
    take(assessed(problem_, std::move(solution.beta), std::move(solution.f), options_.tolerance));
    best_.stopped = solution.stopped;
  }

  const BoxQp& problem_;
  const RowFeatures& features_;
  const FeatureBoxOptions& options_;
  SmoResult best_;
};

}  // namespace

bool suits_interior_point(const RowFeatures& features) {
  const double p = double(features.features()), n = double(features.rows());
  const double in_a_row = features.held() ? double(features.table().stored()) / n : p;
  return p * p <= passes_of_interior * in_a_row;
}

SmoResult solve_over_features(const BoxQp& problem, const RowFeatures& features,
                              const FeatureBoxOptions& options) {
  return FeatureBox(problem, features, options).solve();
}

}  // namespace mercer
