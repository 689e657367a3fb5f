#include "solvers/squared_margin.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solvers/dense_cholesky.hpp"

namespace mercer {

namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

class SquaredMarginSearch {
 public:
  SquaredMarginSearch(const SquaredMargin& problem, const SquaredMarginOptions& options)
      : problem_(problem),
        options_(options),
        classes_(std::isnan(problem.epsilon)),
        n_(problem.features.rows()),
        p_(problem.features.features()),
        w_(p_, 0.0),
        f_(n_, 0.0),
        r_(n_),
        gradient_(p_) {
    if (options.start.empty()) return;
    w_.assign(options.start.begin(), options.start.end());
    problem.features.multiply(w_, 1, f_);
  }

  SquaredMarginSolution run() {
    SquaredMarginSolution solution;
    evaluate();
    const double first = size();
    while (!(solution.converged = size() <= options_.tolerance) && solution.steps < options_.most_steps) {
      if (!options_.progress("Newton steps",
                             decades_done(std::max(first, size()), size(), options_.tolerance))) {
        solution.stopped = true;
        break;
      }
      const std::vector<double> d = direction();
      const double before = objective_;
      advance(d);
      ++solution.steps;
      evaluate();
      if (!(objective_ < before) && size() > options_.tolerance) {  // rounding allows no better
        solution.converged = objective_ <= before + 1e-14 * std::abs(before) && size() <= 1e-10 * first;
        break;
      }
    }
    solution.gradient = size();
    solution.objective = objective_;
    solution.w = std::move(w_);
    solution.f = std::move(f_);
    return solution;
  }

  /// The objective, its gradient and which rows count, at w. f = Φw is known.
  void evaluate() {
    double loss = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const auto [m, slope] = margin(i, f_[i]);
      const double bent = std::min(m, problem_.straight_from);
      loss += m > 0 ? problem_.C[i] * bent * (2 * m - bent) : 0;
      r_[i] = m > 0 ? 2 * problem_.C[i] * bent * slope : 0;
    }
    objective_ = 0.5 * inner(w_, w_) + loss;
    problem_.features.multiply_transposed(r_, 1, gradient_);
    for (std::size_t j = 0; j < p_; ++j) gradient_[j] += w_[j];
  }
  double size() const { return std::sqrt(inner(gradient_, gradient_)) / options_.unit; }

 private:
  struct Margin {
    double m, slope;  ///< m and dm/df
  };
  Margin margin(std::size_t i, double f) const noexcept {
    const double y = problem_.y[i];
    if (classes_) return {1 - y * f, -y};
    return {std::abs(y - f) - problem_.epsilon, f > y ? 1.0 : -1.0};
  }
  bool bends(double m) const noexcept { return m > 0 && m < problem_.straight_from; }
  bool counts(std::size_t i) const noexcept { return bends(margin(i, f_[i]).m); }

  /// −H⁻¹g, or nearly.
  std::vector<double> direction() const {
    if (p_ <= most_factored_weights)
      if (auto d = factored(); !d.empty()) return d;
    return by_conjugate_gradients(0.1);
  }

  /// Empty where rounding makes the matrix indefinite.
  std::vector<double> factored() const {
    std::vector<double> s(n_);
    for (std::size_t i = 0; i < n_; ++i) s[i] = counts(i) ? std::sqrt(2 * problem_.C[i]) : 0;
    const Buffer<double> normal = problem_.features.normal_matrix(s);
    const std::size_t stride = row_stride<double>(p_);
    Buffer<double> L(p_ * stride);
    for (std::size_t r = 0; r < p_; ++r) {
      std::copy_n(normal.data() + r * p_, r + 1, L.data() + r * stride);
      L[r * stride + r] += 1;
    }
    if (!cholesky_factor(L.data(), p_, stride, options_.threads, {})) return {};
    std::vector<double> d(p_);
    for (std::size_t j = 0; j < p_; ++j) d[j] = -gradient_[j];
    cholesky_solve(L.data(), p_, stride, d.data(), 1);
    return d;
  }

  /// Until the residual is this part of the gradient.
  std::vector<double> by_conjugate_gradients(double part) const {
    std::vector<double> d(p_, 0.0), residual(p_), q, Hq(p_);
    for (std::size_t j = 0; j < p_; ++j) residual[j] = -gradient_[j];
    q = residual;
    double square = inner(residual, residual);
    const double enough = part * part * square;
    for (std::size_t step = 0; step < p_ + 50 && square > enough; ++step) {
      problem_.features.pass(
          q, 1,
          [&](Range rows, double* F) {
            for (std::size_t i = rows.begin; i < rows.end; ++i)
              F[i - rows.begin] *= counts(i) ? 2 * problem_.C[i] : 0;
          },
          Hq);
      for (std::size_t j = 0; j < p_; ++j) Hq[j] += q[j];
      const double t = square / inner(q, Hq), last = square;
      for (std::size_t j = 0; j < p_; ++j) d[j] += t * q[j], residual[j] -= t * Hq[j];
      square = inner(residual, residual);
      for (std::size_t j = 0; j < p_; ++j) q[j] = residual[j] + square / last * q[j];
    }
    return d;
  }

  /// The derivatives of the objective along d, of which u = Φd is known.
  std::pair<double, double> slope_along(double t, double wd, double dd, std::span<const double> u) const {
    double slope = wd + t * dd, curvature = dd;
    for (std::size_t i = 0; i < n_; ++i) {
      const auto [m, side] = margin(i, f_[i] + t * u[i]);
      if (m <= 0) continue;
      slope += 2 * problem_.C[i] * std::min(m, problem_.straight_from) * side * u[i];
      if (bends(m)) curvature += 2 * problem_.C[i] * u[i] * u[i];
    }
    return {slope, curvature};
  }

  /// w += t·d with t near the minimum: the derivative grows with t, in pieces of a line, so that Newton's
  /// steps kept in a bracket find its zero soon.
  void advance(std::span<const double> d) {
    std::vector<double> u(n_);
    problem_.features.multiply(d, 1, u);
    const double wd = inner(w_, d), dd = inner(d, d);
    const double first = slope_along(0, wd, dd, u).first;
    double low = 0, high = std::numeric_limits<double>::infinity(), t = 1;
    for (int round = 0; round < 60; ++round) {
      const auto [slope, curvature] = slope_along(t, wd, dd, u);
      if (std::abs(slope) <= 1e-3 * std::abs(first)) break;
      (slope < 0 ? low : high) = t;
      double next = t - slope / curvature;
      if (!(next > low && next < high)) next = std::isinf(high) ? 2 * t : low + (high - low) / 2;
      if (next == t) break;
      t = next;
    }
    for (std::size_t j = 0; j < p_; ++j) w_[j] += t * d[j];
    problem_.features.multiply(w_, 1, f_);
  }

  const SquaredMargin& problem_;
  const SquaredMarginOptions& options_;
  const bool classes_;
  std::size_t n_, p_;
  std::vector<double> w_, f_;
  std::vector<double> r_;  // the derivative of each row's loss by its f
  std::vector<double> gradient_;
  double objective_ = 0;
};

constexpr double narrower = 10;  // each δ than the one before

}  // namespace

double first_gradient(const SquaredMargin& problem) {
  const SquaredMarginOptions usual;  // outlives the search, which refers to it
  SquaredMarginSearch search(problem, usual);
  search.evaluate();
  return search.size();
}

SquaredMarginSolution minimise_squared_margin(const SquaredMargin& problem,
                                              const SquaredMarginOptions& options) {
  return SquaredMarginSearch(problem, options).run();
}

std::vector<double> rounded_margin_dual(const SquaredMargin& problem, double first, double width,
                                        const SquaredMarginOptions& options) {
  const std::size_t n = problem.features.rows();
  std::vector<double> C(n), w(options.start.begin(), options.start.end());
  SquaredMargin rounded = problem;
  rounded.C = C;
  SquaredMarginOptions how = options;
  double delta = width;
  while (delta * narrower <= first) delta *= narrower;
  while (true) {
    for (std::size_t i = 0; i < n; ++i) C[i] = problem.C[i] / (2 * delta);
    rounded.straight_from = delta;
    how.unit = options.unit * delta;
    how.start = w;
    const SquaredMarginSolution found = minimise_squared_margin(rounded, how);
    if (found.stopped || delta <= width) {
      std::vector<double> beta(n);
      const bool classes = std::isnan(problem.epsilon);
      for (std::size_t i = 0; i < n; ++i) {
        const double y = problem.y[i], f = found.f[i];
        const double m = classes ? 1 - y * f : std::abs(y - f) - problem.epsilon;
        beta[i] = problem.C[i] * std::clamp(m / delta, 0.0, 1.0) * (classes ? y : f > y ? -1 : 1);
      }
      return beta;
    }
    w = found.w;
    delta = delta < 1.5 * narrower * width ? width : delta / narrower;
  }
}

}  // namespace mercer
