#include "solvers/crammer_singer.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <variant>

#include "base/random.hpp"
#include "solvers/linear_rows.hpp"

namespace mercer {

namespace {

template <class Storage>
class RowBlocks {
 public:
  RowBlocks(const CrammerSingerProblem& problem, const Storage& x, const CrammerSingerOptions& options)
      : problem_(problem),
        x_(x),
        options_(options),
        random_(options.seed),
        k_(problem.classes),
        W_((x.cols + (problem.constant != 0)) * k_, 0.0),
        alpha_(x.rows * k_, 0.0),
        norms_(x.rows),
        G_(k_),
        B_(k_),
        sorted_(k_),
        goal_(std::max(1.0, 10 * options.tolerance)) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      norms_[i] = squared_norm(x, i) + problem.constant * problem.constant;
      if (norms_[i] > 0) continue;
      // A row of zeros says nothing of W. Its variables are best as far from 0 as they can be.
      const auto own = std::size_t(problem.codes[i]);
      alpha_[i * k_ + own] = problem.C[i];
      alpha_[i * k_ + (own == 0 ? 1 : 0)] = -problem.C[i];
    }
    activate_all();
  }

  CrammerSingerSolution run() {
    CrammerSingerSolution solution;
    solution.violation = measure();
    const double first = solution.violation;
    double done = 0;
    while (!(solution.converged = solution.violation <= options_.tolerance) && !solution.stopped &&
           solution.passes < options_.max_passes) {
      ++solution.passes;
      const double seen = pass();
      done = std::max(done, decades_done(std::max(first, seen), std::max(seen, goal_), goal_));
      solution.stopped = !options_.progress("coordinate descent", done);
      const bool last = solution.stopped || solution.passes == options_.max_passes;
      if (seen > goal_ && !last) continue;
      if (last || goal_ <= options_.tolerance) {
        solution.violation = measure();
        goal_ /= 2;
      } else {
        goal_ = std::max(goal_ / 2, options_.tolerance);
      }
      activate_all();
    }
    assess(solution);
    return solution;
  }

 private:
  double bound(std::size_t i, std::size_t m) const noexcept {
    return m == std::size_t(problem_.codes[i]) ? problem_.C[i] : 0;
  }

  template <class Use>
  void each_entry(std::size_t i, Use use) const {
    if constexpr (is_sparse<Storage>)
      for (std::size_t e = x_.starts[i]; e < x_.starts[i + 1]; ++e)
        use(std::size_t(x_.indices[e]), double(x_.values[e]));
    else
      for (std::size_t j = 0; j < x_.cols; ++j) use(j, double(x_.row(i)[j]));
    if (problem_.constant != 0) use(x_.cols, problem_.constant);
  }

  /// G of row i.
  void gradients(std::size_t i) {
    std::ranges::fill(G_, 1.0);
    G_[std::size_t(problem_.codes[i])] = 0;
    each_entry(i, [&](std::size_t j, double x) {
      const double* w = W_.data() + j * k_;
      for (std::size_t m = 0; m < k_; ++m) G_[m] += x * w[m];
    });
  }

  double violation_of(std::size_t i) const noexcept {
    double largest = -std::numeric_limits<double>::infinity(), least = -largest;
    for (std::size_t m = 0; m < k_; ++m) {
      largest = std::max(largest, G_[m]);
      if (alpha_[i * k_ + m] < bound(i, m)) least = std::min(least, G_[m]);
    }
    return largest - least;
  }

  /// Whether all variables of row i but one are at their bounds, and their gradients hold them there: as Σα =
  /// 0, nothing of it can move.
  bool is_settled(std::size_t i) const noexcept {
    std::size_t below = 0, free = 0;
    for (std::size_t m = 0; m < k_; ++m)
      if (alpha_[i * k_ + m] < bound(i, m)) free = m, ++below;
    if (below != 1) return false;
    for (std::size_t m = 0; m < k_; ++m)
      if (m != free && G_[m] >= G_[free]) return false;
    return true;
  }

  double pass() {
    double seen = 0;
    for (std::size_t e = 0; e + 1 < active_.size(); ++e)
      std::swap(active_[e], active_[e + random_.below(active_.size() - e)]);
    for (std::size_t e = 0; e < active_.size(); ++e) {
      const std::size_t i = active_[e];
      gradients(i);
      if (!all_ && is_settled(i)) {
        active_[e--] = active_.back();
        active_.pop_back();
        continue;
      }
      const double violation = violation_of(i);
      seen = std::max(seen, violation);
      if (violation > 1e-12) solve_row(i);
    }
    all_ = false;
    return seen;
  }

  /// min over a of Σ_m ½A a_m² + B_m a_m   subject to   a_m ≤ bound_m, Σ a = 0,   A = ‖x‖²:
  /// a_m = min(bound_m, (β − B_m)/A) with the β that makes the sum 0.
  void solve_row(std::size_t i) {
    const double A = norms_[i], C = problem_.C[i];
    double* alpha = alpha_.data() + i * k_;
    const auto own = std::size_t(problem_.codes[i]);
    for (std::size_t m = 0; m < k_; ++m) {
      B_[m] = G_[m] - A * alpha[m];
      sorted_[m] = B_[m] + (m == own ? A * C : 0);
    }
    std::ranges::sort(sorted_, std::greater<>());
    double sum = sorted_[0] - A * C;
    std::size_t free = 1;  // variables below their bounds
    while (free < k_ && sum < double(free) * sorted_[free]) sum += sorted_[free++];
    const double beta = sum / double(free);
    for (std::size_t m = 0; m < k_; ++m) {
      const double next = std::min(bound(i, m), (beta - B_[m]) / A);
      B_[m] = next - alpha[m];  // the step
      alpha[m] = next;
    }
    each_entry(i, [&](std::size_t j, double x) {
      double* w = W_.data() + j * k_;
      for (std::size_t m = 0; m < k_; ++m) w[m] += x * B_[m];
    });
  }

  /// W afresh, and the largest violation of all rows.
  double measure() {
    std::ranges::fill(W_, 0.0);
    for (std::size_t i = 0; i < x_.rows; ++i) {
      const double* alpha = alpha_.data() + i * k_;
      if (std::ranges::all_of(alpha, alpha + k_, [](double a) { return a == 0; })) continue;
      each_entry(i, [&](std::size_t j, double x) {
        for (std::size_t m = 0; m < k_; ++m) W_[j * k_ + m] += x * alpha[m];
      });
    }
    double violation = 0;
    for (std::size_t i = 0; i < x_.rows; ++i) {
      if (norms_[i] == 0) continue;
      gradients(i);
      violation = std::max(violation, violation_of(i));
    }
    return violation;
  }

  void activate_all() {
    active_.clear();
    for (std::size_t i = 0; i < x_.rows; ++i)
      if (norms_[i] > 0) active_.push_back(std::uint32_t(i));
    all_ = true;
  }

  void assess(CrammerSingerSolution& solution) {
    double norm = 0, linear = 0;
    for (const double w : W_) norm += w * w;
    for (std::size_t i = 0; i < x_.rows; ++i) {
      gradients(i);
      const auto own = std::size_t(problem_.codes[i]);
      solution.loss += problem_.C[i] * (*std::ranges::max_element(G_) - G_[own]);
      for (std::size_t m = 0; m < k_; ++m)
        if (m != own) linear += alpha_[i * k_ + m];
    }
    solution.objective = 0.5 * norm + solution.loss;
    solution.dual = -0.5 * norm - linear;
    const std::size_t p = W_.size() / k_;
    solution.W.resize(W_.size());
    for (std::size_t j = 0; j < p; ++j)
      for (std::size_t m = 0; m < k_; ++m) solution.W[m * p + j] = W_[j * k_ + m];
    solution.alpha = std::move(alpha_);
  }

  const CrammerSingerProblem& problem_;
  const Storage& x_;
  const CrammerSingerOptions& options_;
  Random random_;
  std::size_t k_;
  std::vector<double> W_;               // columns × k
  std::vector<double> alpha_;           // n × k
  std::vector<double> norms_;           // ‖x‖²
  std::vector<double> G_, B_, sorted_;  // of one row, k
  std::vector<std::uint32_t> active_;
  bool all_ = true;  // the next pass leaves out no row
  // Of a pass, before all rows are looked at again: at first a rough one, as rows that are left out early may
  // be the wrong ones; below the tolerance where the measurement does not confirm it.
  double goal_;
};

}  // namespace

CrammerSingerSolution solve_crammer_singer(const CrammerSingerProblem& problem,
                                           const CrammerSingerOptions& options) {
  return std::visit([&](const auto& x) { return RowBlocks(problem, x, options).run(); },
                    problem.points.storage());
}

}  // namespace mercer
