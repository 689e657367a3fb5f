#include "solvers/l1_squared_hinge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "base/random.hpp"

namespace mercer {

namespace {

/// X by columns, zeros left out, each row times its y.
struct Columns {
  std::vector<std::size_t> starts;  // columns + 1
  std::vector<std::uint32_t> rows;
  std::vector<double> values;

  explicit Columns(const L1Problem& problem) {
    const std::size_t n = problem.points.rows(), d = problem.points.cols();
    starts.assign(d + 1 + (problem.constant != 0), 0);
    each(problem.points, [&](std::size_t, std::size_t j, double) { ++starts[j + 1]; });
    if (problem.constant != 0) starts[d + 1] = n;
    for (std::size_t j = 1; j < starts.size(); ++j) starts[j] += starts[j - 1];
    rows.resize(starts.back());
    values.resize(starts.back());
    std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
    const auto put = [&](std::size_t i, std::size_t j, double x) {
      rows[next[j]] = std::uint32_t(i);
      values[next[j]++] = problem.y[i] * x;
    };
    each(problem.points, put);
    for (std::size_t i = 0; problem.constant != 0 && i < n; ++i) put(i, d, problem.constant);
  }
  std::size_t count() const noexcept { return starts.size() - 1; }
  /// use(lane, value, row) for the entries of a column, lanes 0 to 3 in turn: sums over them need not wait
  /// for one another. A column without zeros is read without the numbers of its rows.
  template <class Use>
  void for_each(std::size_t j, const Use& use) const {
    const std::size_t begin = starts[j], entries = starts[j + 1] - begin;
    const std::uint32_t* row = rows.data() + begin;
    if (entries > 0 && row[entries - 1] + 1 == entries)
      in_lanes(
          values.data() + begin, entries, [](std::size_t e) { return e; }, use);
    else
      in_lanes(
          values.data() + begin, entries, [&](std::size_t e) { return std::size_t(row[e]); }, use);
  }

 private:
  template <class Row, class Use>
  static void in_lanes(const double* x, std::size_t entries, const Row& row, const Use& use) {
    std::size_t e = 0;
    for (; e + 4 <= entries; e += 4) {
      use(0, x[e], row(e));
      use(1, x[e + 1], row(e + 1));
      use(2, x[e + 2], row(e + 2));
      use(3, x[e + 3], row(e + 3));
    }
    for (; e < entries; ++e) use(0, x[e], row(e));
  }
  static void each(const Points& points, const auto& use) {
    std::visit(
        [&](const auto& x) {
          for (std::size_t i = 0; i < x.rows; ++i)
            if constexpr (requires { x.starts; }) {
              for (std::size_t e = x.starts[i]; e < x.starts[i + 1]; ++e)
                if (x.values[e] != 0) use(i, std::size_t(x.indices[e]), double(x.values[e]));
            } else {
              for (std::size_t j = 0; j < x.cols; ++j)
                if (x.row(i)[j] != 0) use(i, j, double(x.row(i)[j]));
            }
        },
        points.storage());
  }
};

class L1Descent {
 public:
  L1Descent(const L1Problem& problem, const L1Options& options)
      : problem_(problem),
        options_(options),
        x_(problem),
        random_(options.seed),
        w_(x_.count(), 0.0),
        steepest_(x_.count(), 0.0),
        short_(problem.y.size(), 1.0),
        goal_(options.tolerance) {
    for (std::size_t j = 0; j < w_.size(); ++j)
      for (std::size_t e = x_.starts[j]; e < x_.starts[j + 1]; ++e)
        steepest_[j] += 2 * problem.C[x_.rows[e]] * x_.values[e] * x_.values[e];
    activate_all();
    unit_ = 1;
    unit_ = std::max(measure(), std::numeric_limits<double>::min());
  }

  L1Solution run() {
    L1Solution solution;
    solution.violation = measure();
    double done = 0;
    while (!(solution.converged = solution.violation <= options_.tolerance) && !solution.stopped &&
           solution.passes < options_.max_passes) {
      ++solution.passes;
      const double seen = pass() / unit_;
      done = std::max(done, decades_done(1, std::max(seen, goal_), goal_));
      solution.stopped = !options_.progress("coordinate descent", done);
      if (seen > goal_ && !solution.stopped && solution.passes < options_.max_passes) continue;
      sum_again();
      solution.violation = measure();
      goal_ *= 0.5;
      activate_all();
    }
    double norm = 0, loss = 0;
    for (const double w : w_) norm += std::abs(w);
    for (std::size_t i = 0; i < short_.size(); ++i) {
      const double m = std::max(0.0, short_[i]);
      loss += problem_.C[i] * m * m;
      solution.f.push_back(problem_.y[i] * (1 - short_[i]));
    }
    solution.objective = norm + loss;
    solution.w = std::move(w_);
    return solution;
  }

 private:
  struct Slope {
    double first, second;  ///< derivatives of the loss by a weight
  };
  Slope slope(std::size_t j) const noexcept {
    double firsts[4] = {}, seconds[4] = {};  // additions need not wait for one another
    x_.for_each(j, [&](int k, double x, std::size_t i) {
      const double cx = short_[i] > 0 ? problem_.C[i] * x : 0;
      firsts[k] -= cx * short_[i];
      seconds[k] += cx * x;
    });
    const double first = (firsts[0] + firsts[1]) + (firsts[2] + firsts[3]),
                 second = (seconds[0] + seconds[1]) + (seconds[2] + seconds[3]);
    return {2 * first, std::max(2 * second, 1e-12)};
  }

  /// By how much the least subgradient of the objective differs from 0.
  static double violation_of(double w, double first) noexcept {
    if (w != 0) return std::abs(first + (w > 0 ? 1 : -1));
    return std::max({0.0, first - 1, -first - 1});
  }

  double measure() const {
    double sum = 0;
    for (std::size_t j = 0; j < w_.size(); ++j) sum += violation_of(w_[j], slope(j).first);
    return sum / unit_;
  }

  /// Visits the active weights; the sum of their violations as they were met.
  double pass() {
    double sum = 0, largest = 0;
    for (std::size_t k = 0; k + 1 < active_.size(); ++k)
      std::swap(active_[k], active_[k + random_.below(active_.size() - k)]);
    for (std::size_t k = 0; k < active_.size(); ++k) {
      const std::size_t j = active_[k];
      const Slope now = slope(j);
      const double violation = violation_of(w_[j], now.first);
      // So far inside the kink that one pass more will not move it.
      if (w_[j] == 0 && std::abs(now.first) < 1 - last_largest_ / double(short_.size())) {
        active_[k--] = active_.back();
        active_.pop_back();
        continue;
      }
      sum += violation;
      largest = std::max(largest, violation);
      if (violation > 0) step(j, now);
    }
    last_largest_ = largest;
    return sum;
  }

  void step(std::size_t j, const Slope& at) {
    const double w = w_[j];
    // The minimum of the parabola plus |w + d|.
    double d = -w;
    if (at.first + 1 <= at.second * w)
      d = -(at.first + 1) / at.second;
    else if (at.first - 1 >= at.second * w)
      d = -(at.first - 1) / at.second;
    if (std::abs(d) < 1e-300) return;
    const double promised = at.first * d + std::abs(w + d) - std::abs(w);  // < 0
    for (int halving = 0; halving < 30; ++halving, d /= 2) {
      const double enough = 0.01 * std::ldexp(promised, -halving) - std::abs(w + d) + std::abs(w);
      // The loss stays below a parabola, which often tells without a look at the column.
      if (at.first * d + steepest_[j] * d * d / 2 <= enough || loss_change(j, d) <= enough) {
        w_[j] += d;
        x_.for_each(j, [&](int, double x, std::size_t i) { short_[i] -= d * x; });
        return;
      }
    }
  }

  double loss_change(std::size_t j, double d) const noexcept {
    double changes[4] = {};
    x_.for_each(j, [&](int k, double x, std::size_t i) {
      const double before = std::max(0.0, short_[i]), after = std::max(0.0, short_[i] - d * x);
      changes[k] += problem_.C[i] * (after - before) * (after + before);
    });
    return (changes[0] + changes[1]) + (changes[2] + changes[3]);
  }

  /// 1 − y·wᵀx afresh: rounding adds up.
  void sum_again() {
    std::ranges::fill(short_, 1.0);
    for (std::size_t j = 0; j < w_.size(); ++j)
      if (w_[j] != 0) x_.for_each(j, [&](int, double x, std::size_t i) { short_[i] -= w_[j] * x; });
  }

  void activate_all() {
    active_.resize(w_.size());
    for (std::size_t j = 0; j < active_.size(); ++j) active_[j] = std::uint32_t(j);
    last_largest_ = std::numeric_limits<double>::infinity();
  }

  const L1Problem& problem_;
  const L1Options& options_;
  Columns x_;
  Random random_;
  std::vector<double> w_;
  std::vector<double> steepest_;  // the second derivative by each weight, were all rows short of the margin
  std::vector<double> short_;     // of each row, 1 − y·wᵀx
  std::vector<std::uint32_t> active_;
  double last_largest_ = 0;  // violation of a weight in the pass before
  double goal_;              // of a pass; lowered where the measurement does not confirm it
  double unit_ = 1;
};

}  // namespace

L1Solution solve_l1_squared_hinge(const L1Problem& problem, const L1Options& options) {
  return L1Descent(problem, options).run();
}

}  // namespace mercer
