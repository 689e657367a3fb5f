#include "solvers/streamed_box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/sample.hpp"
#include "solvers/feature_system.hpp"

namespace mercer {

namespace {

constexpr double narrower = 0.2;  // μ from one level to the next
constexpr std::size_t sample_per_feature = 20;
constexpr std::size_t least_sample = 4000;
constexpr std::size_t zone_per_feature = 8;  // rows with curvature at the first level
constexpr std::size_t most_steps = 60;       // of a level

double inner_product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// The variables of each row: those from starts[i] to starts[i + 1] of `variables`.
struct VariablesOfRows {
  std::vector<std::uint32_t> starts, variables;

  VariablesOfRows(const BoxQp& problem, std::size_t rows) : starts(rows + 1, 0), variables(problem.size()) {
    for (const std::int32_t point : problem.points) ++starts[std::size_t(point) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t v = 0; v < problem.size(); ++v)
      variables[next[std::size_t(problem.points[v])]++] = std::uint32_t(v);
  }
};

class StreamedBox {
 public:
  /// `fixed`: Φᵀβ of other rows, whose coefficients stay as they are; none: there are no others.
  StreamedBox(const BoxQp& problem, double sum, const RowFeatures& features, const FeatureBoxOptions& options,
              std::span<const double> fixed = {})
      : w(features.features(), 0.0),
        problem_(problem),
        features_(features),
        options_(options),
        of_rows_(problem, features.rows()),
        sum_(sum),
        fixed_(fixed),
        back_(features.features(), 0.0),
        f_(features.rows(), 0.0) {}

  std::vector<double> w;
  double rho = 0, width = 0;  // the width that w was last made for
  std::size_t steps = 0, passes = 0;
  bool stopped = false;

  /// From w = 0 and a width that holds all kinks down to `last`; a `sketch` ends where few rows are left near
  /// a kink.
  void from_nothing(double last, bool sketch) {
    centre_rho(0);
    narrow(2 * kink_distance(problem_.size() - 1), last, sketch);
  }

  /// w, ρ and what it took to find them, of the same problem over other rows.
  void go_on_from(const StreamedBox& other) {
    w = other.w;
    rho = other.rho;
    width = other.width;
    steps = other.steps;
    stopped = other.stopped;
  }

  /// One width at which few rows are near a kink, which is returned.
  double from_guess(double last) {
    refresh();
    const std::size_t n = problem_.size(), zone = std::max(zone_per_feature * features_.features(), n / 50);
    const double mu = std::max(2 * kink_distance(std::min(zone, n - 1)), last);
    level(mu, 0.5);
    return mu;
  }
  /// From this width on.
  void from_guess(double last, double mu) {
    refresh();
    narrow(mu, last, false);
  }

  /// The rows with a kink within this distance.
  std::vector<bool> rows_within(double distance) const {
    std::vector<bool> near(f_.size(), false);
    for (std::size_t v = 0; v < problem_.size(); ++v)
      if (std::abs(height(v, f_, rho)) < distance) near[std::size_t(problem_.points[v])] = true;
    return near;
  }
  /// The coefficients of rows that are not near, all at a bound, by variables; Φᵀβ of these, and their sum.
  struct Rest {
    std::vector<bool> at_upper = {};
    std::vector<double> back = {};
    double sum = 0;
  };
  Rest rest_of(const std::vector<bool>& near) {
    Rest rest{std::vector<bool>(problem_.size(), false), std::vector<double>(w.size())};
    std::vector<double> betas(f_.size(), 0.0);
    for (std::size_t v = 0; v < problem_.size(); ++v) {
      const auto i = std::size_t(problem_.points[v]);
      if (near[i]) continue;
      rest.at_upper[v] = height(v, f_, rho) > 0;
      betas[i] += rest.at_upper[v] ? problem_.upper[v] : problem_.lower[v];
      rest.sum += rest.at_upper[v] ? problem_.upper[v] : problem_.lower[v];
    }
    features_.multiply_transposed(betas, 1, rest.back);
    ++passes;
    return rest;
  }
  /// The rows of the rest that have moved across a kink join those near. How many there are.
  std::size_t add_moved(const Rest& rest, std::vector<bool>& near) {
    refresh();
    std::size_t count = 0;
    for (std::size_t v = 0; v < problem_.size(); ++v) {
      const auto i = std::size_t(problem_.points[v]);
      if (near[i] || (height(v, f_, rho) > 0) == rest.at_upper[v]) continue;
      near[i] = true;
      ++count;
    }
    return count;
  }

  /// From where it is.
  void narrow(double mu, double last, bool sketch) {
    const double first = mu;
    for (mu = std::max(mu, last); !stopped; mu = std::max(mu * narrower, last)) {
      done_ = decades_done(first, mu, last);
      level(mu, mu > last ? 0.5 : 0.05);
      if (mu <= last || (sketch && zone_size(mu * narrower) < 2 * features_.features())) return;
    }
  }

  /// A feasible β, at the width `mu`.
  std::vector<double> coefficients(double mu) {
    centre_rho(mu);
    std::vector<double> beta(problem_.size());
    double off = sum_;
    for (std::size_t v = 0; v < beta.size(); ++v) off -= beta[v] = coefficient(v, height(v, f_, rho), mu);
    // The rounding of the sum goes where there is room.
    for (std::size_t v = 0; v < beta.size() && off != 0; ++v) {
      if (beta[v] == problem_.lower[v] || beta[v] == problem_.upper[v]) continue;
      const double before = beta[v];
      beta[v] = std::clamp(before + off, problem_.lower[v], problem_.upper[v]);
      off -= beta[v] - before;
    }
    return beta;
  }

 private:
  double height(std::size_t v, std::span<const double> f, double level) const {
    return level - problem_.linear[v] - f[std::size_t(problem_.points[v])];
  }
  /// The β that the rounded maximum is at; without a width at a bound.
  double coefficient(std::size_t v, double height, double mu) const {
    const double l = problem_.lower[v], u = problem_.upper[v];
    if (std::abs(height) >= mu / 2) return height > 0 ? u : l;
    return std::clamp((l + u) / 2 + (u - l) * (height / mu), l, u);
  }
  double row_coefficient(std::size_t i, double f, double level, double mu) const {
    double sum = 0;
    for (std::uint32_t k = of_rows_.starts[i]; k < of_rows_.starts[i + 1]; ++k) {
      const std::size_t v = of_rows_.variables[k];
      sum += coefficient(v, level - problem_.linear[v] - f, mu);
    }
    return sum;
  }
  double sum_of_coefficients(double level, double mu) const {
    double sum = 0;
    for (std::size_t v = 0; v < problem_.size(); ++v) sum += coefficient(v, height(v, f_, level), mu);
    return sum;
  }

  /// How far from its kink the variable is that has `rank` closer ones.
  double kink_distance(std::size_t rank) const {
    std::vector<double> distances(problem_.size());
    for (std::size_t v = 0; v < distances.size(); ++v) distances[v] = std::abs(height(v, f_, rho));
    const auto at = distances.begin() + std::ptrdiff_t(rank);
    std::ranges::nth_element(distances, at);
    return std::max(*at * (1 + 1e-12), std::numeric_limits<double>::min());
  }
  std::size_t zone_size(double mu) const {
    std::size_t count = 0;
    for (std::size_t v = 0; v < problem_.size(); ++v) count += std::abs(height(v, f_, rho)) < mu / 2;
    return count;
  }

  /// The ρ at which β has its sum: that grows with ρ. Halving, until only the rounding of ρ is left.
  void centre_rho(double mu) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t v = 0; v < problem_.size(); ++v) {
      const double kink = problem_.linear[v] + f_[std::size_t(problem_.points[v])];
      low = std::min(low, kink - mu);
      high = std::max(high, kink + mu);
    }
    // Close to where it was, first.
    for (double reach = std::max(mu, 1e-6 * (high - low)); reach < high - low; reach *= 8) {
      if (rho - reach > low && sum_of_coefficients(rho - reach, mu) < sum_) low = rho - reach;
      if (rho + reach < high && sum_of_coefficients(rho + reach, mu) > sum_) high = rho + reach;
      if (low == rho - reach || high == rho + reach) break;
    }
    for (int halving = 0; halving < 100; ++halving) {
      const double middle = low + (high - low) / 2;
      if (!(middle > low && middle < high)) break;
      const double found = sum_of_coefficients(middle, mu);
      if (found == sum_) {
        low = high = middle;
        break;
      }
      (found < sum_ ? low : high) = middle;
    }
    rho = low + (high - low) / 2;
  }

  void refresh() {
    features_.multiply(w, 1, f_);
    ++passes;
  }

  /// back_ = Φᵀβ.
  void pull_back(double mu) {
    features_.pass(
        {}, 1,
        [&](Range rows, double* F) {
          for (std::size_t i = rows.begin; i < rows.end; ++i)
            F[i - rows.begin] = row_coefficient(i, f_[i], rho, mu);
        },
        back_);
    ++passes;
  }

  /// The rows with curvature, which is the square of `roots`.
  struct Zone {
    std::vector<std::size_t> rows = {};
    std::vector<double> roots = {}, curvatures = {};
    double sum = 0;
  };
  Zone zone_of(double mu) const {
    Zone zone;
    for (std::size_t i = 0; i < f_.size(); ++i) {
      double curvature = 0;
      for (std::uint32_t k = of_rows_.starts[i]; k < of_rows_.starts[i + 1]; ++k) {
        const std::size_t v = of_rows_.variables[k];
        if (std::abs(height(v, f_, rho)) < mu / 2) curvature += (problem_.upper[v] - problem_.lower[v]) / mu;
      }
      if (!(curvature > 0)) continue;
      zone.rows.push_back(i);
      zone.curvatures.push_back(curvature);
      zone.roots.push_back(std::sqrt(curvature));
      zone.sum += curvature;
    }
    return zone;
  }

  struct Direction {
    std::vector<double> w;
    double rho = 0;
  };
  /// Newton's, of the gradient (w − Φᵀβ, Σβ − its sum). ρ is eliminated: what is left is centred.
  Direction newton(double mu, std::span<const double> slope, double off) {
    const Zone zone = zone_of(mu);
    constexpr double inside = 1e-6;  // of the residual
    Direction d{std::vector<double>(slope.size())};
    if (zone.rows.empty()) {
      for (std::size_t j = 0; j < d.w.size(); ++j) d.w[j] = -slope[j];
      return d;
    }
    const RowFeatures near = features_.select(zone.rows);
    FeatureSystem::Centre centre{std::vector<double>(slope.size()), zone.sum};
    near.multiply_transposed(zone.curvatures, 1, centre.mean);
    std::vector<double> R(slope.size());
    for (std::size_t j = 0; j < R.size(); ++j) {
      centre.mean[j] /= zone.sum;
      R[j] = -slope[j] - centre.mean[j] * off;
    }
    FeatureSystem system(near, {.seed = options_.seed, .threads = options_.threads});
    const std::vector<double> mean = centre.mean;
    system.prepare(
        {zone.roots}, 1, std::move(centre), [&](std::string_view, double) { return go_on(), true; }, inside);
    system.descend(R, 1, inside, d.w, [&](double) { return go_on(); });
    d.rho = inner_product(mean, d.w) - off / zone.sum;
    return d;
  }

  /// The slope of what is minimised at f + t·(f1 − f), along a direction.
  double slope_at(double t, const Direction& d, std::span<const double> f1, double mu) const {
    double slope = inner_product(w, d.w) + t * inner_product(d.w, d.w) - d.rho * sum_;
    if (!fixed_.empty()) slope -= inner_product(fixed_, d.w);
    for (std::size_t v = 0; v < problem_.size(); ++v) {
      const auto i = std::size_t(problem_.points[v]);
      const double change = d.rho - (f1[i] - f_[i]);
      slope += coefficient(v, height(v, f_, rho) + t * change, mu) * change;
    }
    return slope;
  }

  bool go_on() {
    if (!stopped && options_.progress) stopped = !options_.progress("Newton's method", done_);
    return !stopped;
  }

  /// Newton's method at one width, until ‖w − Φᵀβ‖ changes f by less than this share of it.
  void level(double mu, double share) {
    width = mu;
    centre_rho(mu);
    pull_back(mu);
    std::vector<double> slope(w.size()), next(w.size()), f1(f_.size());
    for (std::size_t step = 0; step < most_steps && go_on(); ++step) {
      for (std::size_t j = 0; j < w.size(); ++j)
        slope[j] = w[j] - back_[j] - (fixed_.empty() ? 0 : fixed_[j]);
      const double size = std::sqrt(inner_product(slope, slope)) * feature_norm();
      if (size <= share * mu) break;
      const Direction d = newton(mu, slope, sum_of_coefficients(rho, mu) - sum_);
      if (stopped) return;
      // The whole step, with what it needs to go on.
      for (std::size_t j = 0; j < w.size(); ++j) next[j] = w[j] + d.w[j];
      step_to(next, rho + d.rho, mu, f1);
      const double start = slope_at(0, d, f1, mu), end = slope_at(1, d, f1, mu);
      if (!(start < 0)) return pull_back(mu);  // lost in rounding
      ++steps;
      if (end > 0.1 * std::abs(start)) {  // beyond the minimum on the line, which is found first
        const double length = lowest(d, f1, mu);
        for (std::size_t i = 0; i < f_.size(); ++i) f_[i] += length * (f1[i] - f_[i]);
        for (std::size_t j = 0; j < w.size(); ++j) w[j] += length * d.w[j];
        rho += length * d.rho;
        centre_rho(mu);
        pull_back(mu);
      } else {
        f_.swap(f1);
        w.swap(next);
        rho += d.rho;
      }
    }
  }

  /// One pass: f there, and Φᵀβ.
  void step_to(std::span<const double> weights, double level, double mu, std::span<double> f) {
    features_.pass(
        weights, 1,
        [&](Range rows, double* F) {
          for (std::size_t i = rows.begin; i < rows.end; ++i) {
            double& value = F[i - rows.begin];
            f[i] = value;
            value = row_coefficient(i, value, level, mu);
          }
        },
        back_);
    ++passes;
  }

  /// Where the slope, which grows with t, is 0 in [0, 1].
  double lowest(const Direction& d, std::span<const double> f1, double mu) const {
    double low = 0, high = 1;
    for (int halving = 0; halving < 30; ++halving) {
      const double middle = (low + high) / 2;
      (slope_at(middle, d, f1, mu) < 0 ? low : high) = middle;
    }
    return (low + high) / 2;
  }

  /// About the largest ‖φ(x)‖.
  double feature_norm() {
    if (norm_ > 0) return norm_;
    const RowFeatures some = features_.select(sampled_rows(features_.rows(), 256, options_.seed));
    for (const double square : some.squared_norms()) norm_ = std::max(norm_, std::sqrt(square));
    return norm_ = std::max(norm_, std::numeric_limits<double>::min());
  }

  const BoxQp& problem_;
  const RowFeatures& features_;
  const FeatureBoxOptions& options_;
  VariablesOfRows of_rows_;
  double sum_;                     // Σβ
  std::span<const double> fixed_;  // Φᵀβ of other rows
  std::vector<double> back_;       // Φᵀβ
  std::vector<double> f_;          // Φw
  double norm_ = 0, done_ = 0;
};

// Some of the rows, with bounds that are `more` times as wide.
struct PartOfBox {
  BoxQp problem = {};
  std::vector<std::size_t> rows;

  PartOfBox(const BoxQp& whole, std::size_t n, std::vector<std::size_t> some, double more)
      : rows(std::move(some)) {
    std::vector<std::int32_t> place(n, -1);
    for (std::size_t r = 0; r < rows.size(); ++r) place[rows[r]] = std::int32_t(r);
    for (std::size_t v = 0; v < whole.size(); ++v)
      if (const std::int32_t at = place[std::size_t(whole.points[v])]; at >= 0)
        problem.add(std::size_t(at), whole.linear[v], more * whole.lower[v], more * whole.upper[v]);
  }
};

class ManyRows {
 public:
  ManyRows(const BoxQp& problem, const RowFeatures& features, const FeatureBoxOptions& options)
      : problem_(problem),
        features_(features),
        options_(options),
        sum_(std::accumulate(problem.start.begin(), problem.start.end(), 0.0)),
        last_(options.tolerance / 2),
        whole_(problem, sum_, features, options) {}

  SmoResult solve() {
    const std::size_t n = features_.rows(),
                      sample = std::max(least_sample, sample_per_feature * features_.features());
    if (n <= 2 * sample) {
      whole_.from_nothing(last_, false);
    } else {
      sketch(sample);
      settle_near(whole_.from_guess(last_));
    }
    SmoResult result = certified();
    for (int round = 0; round < 3 && !result.converged && !whole_.stopped; ++round) {
      last_ *= narrower;
      whole_.narrow(last_, last_, false);
      result = certified();
    }
    result.stopped = whole_.stopped;
    result.steps = whole_.steps;
    result.evaluations = whole_.passes * n * features_.features();
    return result;
  }

 private:
  /// w and ρ of a sample of the rows.
  void sketch(std::size_t rows) {
    const std::size_t n = features_.rows();
    const PartOfBox some(problem_, n, sampled_rows(n, rows, options_.seed), double(n) / double(rows));
    const RowFeatures theirs = features_.select(some.rows);
    StreamedBox first(some.problem, sum_, theirs, options_);
    first.from_nothing(options_.tolerance, true);
    whole_.go_on_from(first);
  }

  /// From a width at which the minimum is known: coefficients of rows far from all kinks stay where they are
  /// while the others are solved for. Rows that turn out to be near join these.
  void settle_near(double width) {
    std::vector<bool> near = whole_.rows_within(2 * width);
    for (bool complete = false; !complete && !whole_.stopped; width = std::min(width, last_ / narrower)) {
      const StreamedBox::Rest rest = whole_.rest_of(near);
      std::vector<std::size_t> rows;
      for (std::size_t i = 0; i < near.size(); ++i)
        if (near[i]) rows.push_back(i);
      const PartOfBox part(problem_, near.size(), std::move(rows), 1);
      const RowFeatures theirs = features_.select(part.rows);
      StreamedBox inner(part.problem, sum_ - rest.sum, theirs, options_, rest.back);
      inner.go_on_from(whole_);
      inner.from_guess(last_, width * narrower);
      whole_.go_on_from(inner);
      complete = whole_.add_moved(rest, near) == 0;
    }
  }

  SmoResult certified() {
    SmoResult result;
    // Of work that was stopped at the width for which w is about Φᵀβ.
    result.beta = whole_.coefficients(whole_.stopped ? std::max(last_, whole_.width) : last_);
    std::vector<double> sums(features_.rows(), 0.0), w(features_.features());
    for (std::size_t v = 0; v < result.beta.size(); ++v)
      sums[std::size_t(problem_.points[v])] += result.beta[v];
    features_.multiply_transposed(sums, 1, w);
    features_.multiply(w, 1, sums);
    whole_.passes += 2;
    result.f = std::move(sums);
    result.certificate = certify(problem_, result.beta, result.f);
    result.converged = result.certificate.violation <= options_.tolerance;
    return result;
  }

  const BoxQp& problem_;
  const RowFeatures& features_;
  const FeatureBoxOptions& options_;
  double sum_, last_;  // Σβ; the width at the end
  StreamedBox whole_;
};

}  // namespace

SmoResult stream_box(const BoxQp& problem, const RowFeatures& features, const FeatureBoxOptions& options) {
  return ManyRows(problem, features, options).solve();
}

}  // namespace mercer
