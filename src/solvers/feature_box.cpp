#include "solvers/feature_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "solvers/box_interior.hpp"
#include "solvers/dense_cholesky.hpp"
#include "solvers/linear_coordinate.hpp"
#include "solvers/streamed_box.hpp"

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
// Of few features descent is tried first, so many passes at a time: it is done by then where the classes are
// nearly apart, C is small or the tolerance loose, and else tells which variables are near the margin.
constexpr std::size_t passes_at_a_time = 20;

double numbers_in_a_row(const RowFeatures& features) {
  const double n = double(std::max<std::size_t>(1, features.rows()));
  return std::max(1.0, features.held() ? double(features.table().stored()) / n : double(features.features()));
}

// How many passes of coordinate descent take as long as some dozens of steps, each with products of p × p
// numbers for every row and a few passes over vectors.
double passes_worth_interior(const RowFeatures& features) {
  const double p = double(features.features());
  return 40 + 4 * p * p / numbers_in_a_row(features);
}

class FeatureBox {
 public:
  FeatureBox(const BoxQp& problem, const RowFeatures& features, const FeatureBoxOptions& options)
      : problem_(problem), features_(features), options_(options) {
    std::vector<double> f(features.rows(), 0);
    if (!problem.start.empty()) f = products_of(problem, features, problem.start);
    best_ = assessed(problem, problem.start.empty() ? std::vector<double>(problem.size(), 0) : problem.start,
                     std::move(f), options.tolerance);
    reached_ = best_;
  }

  SmoResult solve() {
    const bool few = suits_interior_point(features_) || !features_.held();  // descent needs Φ held
    const auto open = [&] { return !best_.converged && !best_.stopped; };
    if (few && open()) {
      if (features_.held()) descend_to_gap();
      if (!closed() && !best_.stopped) sift();
      if (open() && features_.held()) reached_ = best_, descend(options_.tolerance, unlimited);
    } else if (open()) {
      descend(options_.tolerance, unlimited);
      if (open() && features_.features() <= most_interior) solve_whole();
    }
    return std::move(best_);
  }

 private:
  static constexpr std::size_t most_interior = 3000, unlimited = std::numeric_limits<std::size_t>::max();

  void take(SmoResult now) {
    const bool better = now.converged == best_.converged
                            ? now.certificate.violation < best_.certificate.violation
                            : now.converged;
    if (better) now.steps = best_.steps, now.stopped = best_.stopped, best_ = std::move(now);
  }

  // The interior-point method. Every point on the way is tried with its variables put to their bounds; it is
  // good enough where the objective has as many digits as the violation. None where no point has a feasible
  // β.
  std::optional<SmoResult> follow_interior(const BoxQp& problem, const RowFeatures& features,
                                           double tolerance) {
    FeatureBoxSystem system(problem, features, options_);
    std::optional<SmoResult> best;
    double first = 0;
    try {
      interior_point(problem, system, 1e-12 * system.mean_square(), [&](const InteriorPoint& point) {
        ++best_.steps;
        if (auto beta = settled(problem, point, system.mean_square())) {
          auto f = system.products(*beta);
          SmoResult now = assessed(problem, *std::move(beta), std::move(f), tolerance);
          const Certificate& c = now.certificate;
          now.converged = now.converged && c.gap <= std::max(1e-3 * tolerance, 1e-9) * std::abs(c.objective);
          first = std::max(first, c.violation);
          system.done = decades_done(first, std::max(c.violation, tolerance), tolerance);
          if (!best || now.converged || c.violation < best->certificate.violation) best = std::move(now);
        }
        if (!options_.progress(step_name, system.done)) throw Stopped{};
        return !best || !best->converged;
      });
    } catch (const Stopped&) {
      best_.stopped = true;
    }
    if (best) best->converged = best->certificate.violation <= tolerance;
    return best;
  }

  void solve_whole() {
    if (auto found = follow_interior(problem_, features_, options_.tolerance)) take(*std::move(found));
  }

  // Variables far from the margin are at a bound whatever w is exactly. Where descent, or a part of the
  // points, tells where the margin is about, the variables closest to it are solved for, with all others at
  // the bounds that their gradients ask for, and those that turn out to be wrong join them.
  void sift() {
    const std::size_t n = features_.rows(), least = std::max<std::size_t>(1000, 20 * features_.features());
    if (features_.held()) {
      const double near = 2 * reached_.certificate.violation, rho = reached_.certificate.rho[0];
      std::size_t count = 0;
      for (std::size_t v = 0; v < problem_.size(); ++v) count += std::abs(height(v, reached_.f, rho)) <= near;
      count = std::max(count, 4 * features_.features());
      if (count < problem_.size() / 4) return solve_nearest(count, reached_.f, rho);
    }
    if (n < 4 * least || !problem_.start.empty()) return solve_whole();
    std::vector<std::size_t> sample;
    for (std::size_t v = 0; v < problem_.size(); ++v)
      if (std::size_t(problem_.points[v]) % (n / least) == 0) sample.push_back(v);
    const Part some = part_of(sample, double(n) / double(least));
    const auto rough = follow_interior(some.problem, features_.select(some.points), 10 * options_.tolerance);
    if (!rough || best_.stopped) return best_.stopped ? void() : solve_whole();
    std::vector<double> w(features_.features()), f(n), sums(n, 0);
    for (std::size_t a = 0; a < sample.size(); ++a)
      sums[std::size_t(problem_.points[sample[a]])] += rough->beta[a];
    features_.multiply_transposed(sums, 1, w);
    features_.multiply(w, 1, f);
    solve_nearest(2 * sample.size(), std::move(f), rough->certificate.rho[0]);
  }

  // `count` variables at first; all of them where half would not do.
  void solve_nearest(std::size_t count, std::vector<double> f, double rho) {
    std::vector<bool> open(problem_.size(), false);
    const double kept = std::accumulate(problem_.start.begin(), problem_.start.end(), 0.0);
    for (; count < problem_.size() / 2; count *= 2) {
      const std::vector<std::size_t> chosen = open_closest(count, f, rho, open);
      std::vector<double> beta(problem_.size());
      for (std::size_t v = 0; v < beta.size(); ++v)
        beta[v] = open[v] ? 0 : height(v, f, rho) > 0 ? problem_.lower[v] : problem_.upper[v];
      Part part = part_of(chosen, 1);
      const std::vector<double> fixed = products_of(problem_, features_, beta);
      for (std::size_t a = 0; a < chosen.size(); ++a)
        part.problem.linear[a] += fixed[std::size_t(problem_.points[chosen[a]])];
      part.problem.start.assign(chosen.size(), 0);
      part.problem.start[0] = kept - std::accumulate(beta.begin(), beta.end(), 0.0);
      const auto found = follow_interior(part.problem, features_.select(part.points), options_.tolerance);
      if (best_.stopped) return;
      if (!found) continue;
      for (std::size_t a = 0; a < chosen.size(); ++a) beta[chosen[a]] = found->beta[a];
      f = products_of(problem_, features_, beta);
      take(assessed(problem_, beta, f, options_.tolerance));
      if (best_.converged) return;
      rho = found->certificate.rho[0];
      for (std::size_t v = 0; v < beta.size(); ++v)
        if (height(v, f, rho) > 0 ? beta[v] != problem_.lower[v] : beta[v] != problem_.upper[v])
          open[v] = true;
    }
    solve_whole();
  }

  /// Some of the variables, with the points they stand for.
  struct Part {
    BoxQp problem;
    std::vector<std::size_t> points;
  };
  Part part_of(std::span<const std::size_t> variables, double more_room) const {
    Part part;
    for (const std::size_t v : variables) part.points.push_back(std::size_t(problem_.points[v]));
    std::ranges::sort(part.points);
    part.points.erase(std::ranges::unique(part.points).begin(), part.points.end());
    for (const std::size_t v : variables) {
      const auto place = std::ranges::lower_bound(part.points, std::size_t(problem_.points[v]));
      part.problem.add(std::size_t(place - part.points.begin()), problem_.linear[v],
                       problem_.lower[v] * more_room, problem_.upper[v] * more_room);
    }
    return part;
  }

  double height(std::size_t v, std::span<const double> f, double rho) const {
    return f[std::size_t(problem_.points[v])] + problem_.linear[v] - rho;
  }

  // Those that are open already and the `count` with gradients closest to ρ.
  std::vector<std::size_t> open_closest(std::size_t count, std::span<const double> f, double rho,
                                        std::vector<bool>& open) const {
    std::vector<std::size_t> order(problem_.size()), chosen;
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::nth_element(order, order.begin() + std::ptrdiff_t(count), {},
                             [&](std::size_t v) { return std::abs(height(v, f, rho)); });
    for (std::size_t k = 0; k < count; ++k) open[order[k]] = true;
    for (std::size_t v = 0; v < open.size(); ++v)
      if (open[v]) chosen.push_back(v);
    return chosen;
  }

  // Goes on from where descent was; the largest violation may grow on the way to the minimum. Whether it
  // converged, and the visits that it took.
  std::pair<bool, std::size_t> descend(double tolerance, std::size_t most_visits) {
    BoxQp problem = problem_;
    problem.start = std::move(reached_.beta);
    LinearSolution solution = solve_linear(problem, features_.table(),
                                           {.tolerance = tolerance,
                                            .seed = options_.seed,
                                            .max_visits = most_visits,
                                            .progress = options_.progress});
    best_.steps += solution.visits;
    reached_ = assessed(problem_, std::move(solution.beta), std::move(solution.f), options_.tolerance);
    take(reached_);
    best_.stopped = solution.stopped;
    return {solution.converged, solution.visits};
  }

  // A small violation may leave a large gap, which the interior-point method would not: descent goes on as
  // long. It is given up where, at the pace of its last passes, it would end later than that method.
  void descend_to_gap() {
    const double most = passes_worth_interior(features_) * double(features_.rows());
    double tolerance = options_.tolerance, visited = 0;
    for (int round = 1; !closed() && !best_.stopped; ++round) {
      const double gap = reached_.certificate.gap;
      const auto [converged, visits] = descend(tolerance, passes_at_a_time * features_.rows());
      visited += double(visits);
      const Certificate& now = reached_.certificate;
      const double pace = std::log(gap / now.gap) / double(visits);
      // The first passes tell little.
      const double left = round < 3 || converged ? 0 : std::log(now.violation / tolerance) / pace;
      if (left < 0 || !(visited + left <= most)) return;
      if (converged) tolerance *= 0.25;
    }
  }

  bool closed() const {
    const Certificate& c = best_.certificate;
    return best_.converged && c.gap <= 0.1 * options_.tolerance * std::abs(c.objective);
  }

  const BoxQp& problem_;
  const RowFeatures& features_;
  const FeatureBoxOptions& options_;
  SmoResult best_;
  SmoResult reached_;  // by descent
};

}  // namespace

bool suits_interior_point(const RowFeatures& features) {
  const double p = double(features.features());
  return p * p <= passes_of_interior * numbers_in_a_row(features);
}

SmoResult solve_over_features(const BoxQp& problem, const RowFeatures& features,
                              const FeatureBoxOptions& options) {
  if (features.landmarks()) return stream_box(problem, features, options);
  return FeatureBox(problem, features, options).solve();
}

}  // namespace mercer
