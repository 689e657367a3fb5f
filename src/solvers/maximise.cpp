#include "solvers/maximise.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <type_traits>

#include "mercer/error.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

namespace {

constexpr double flattest = 1e-4;  // the least curvature taken for true, as a part of the largest

// Evaluates, counts, and remembers the best.
struct Ascent {
  const SmoothFunction& f;
  const MaximiseOptions& options;
  Maximum best = {};
  double worst = std::numeric_limits<double>::infinity();
  bool stopped = false;

  bool may_go_on() {
    stopped = stopped || best.evaluations >= options.most_evaluations || (options.go_on && !options.go_on());
    return !stopped;
  }
  /// Where the function has no value: less than all seen, and flat.
  double evaluate(std::span<const double> t, std::span<double> gradient) {
    double value = -std::numeric_limits<double>::infinity();
    try {
      value = f(t, gradient);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data || best.at.empty()) throw;
    }
    ++best.evaluations;
    if (!std::isfinite(value)) {
      std::ranges::fill(gradient, 0.0);
      return worst - 10 * std::abs(worst) - 1000;
    }
    worst = std::min(worst, value);
    if (best.at.empty() || value > best.value) {
      best.at.assign(t.begin(), t.end());
      best.gradient.assign(gradient.begin(), gradient.end());
      best.value = value;
    }
    return value;
  }
};

// NLopt is C: exceptions wait outside.
struct Callback {
  Ascent& ascent;
  nlopt_opt optimizer;
  std::exception_ptr thrown = {};

  static double call(unsigned k, const double* t, double* gradient, void* self_pointer) {
    auto& self = *static_cast<Callback*>(self_pointer);
    std::vector<double> unused(gradient ? 0 : k);
    const std::span<double> g = gradient ? std::span<double>(gradient, k) : std::span<double>(unused);
    try {
      if (self.ascent.may_go_on()) return self.ascent.evaluate({t, k}, g);
    } catch (...) {
      self.thrown = std::current_exception();
    }
    nlopt_force_stop(self.optimizer);
    std::ranges::fill(g, 0.0);
    return self.ascent.best.at.empty() ? 0 : self.ascent.best.value;
  }
};

// −g of variables that stand at a bound and want beyond it does not count.
std::vector<bool> held(const Box& box, std::span<const double> t, std::span<const double> g) {
  std::vector<bool> is(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) is[i] = (t[i] <= box.low[i] && g[i] < 0) || (t[i] >= box.high[i] && g[i] > 0);
  return is;
}

// B⁻¹g over the variables that are free.
std::vector<double> newton_step(const std::vector<double>& B, std::span<const double> g, const std::vector<bool>& is_held) {
  const std::size_t k = g.size();
  std::vector<double> free_part = B, step(k, 0);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j)
      if (is_held[i] || is_held[j]) free_part[i * k + j] = i == j;
  const Eigen eigen = symmetric_eigen(free_part, k, true);
  const double least = flattest * flattest * eigen.values.back();
  for (std::size_t e = 0; e < k; ++e) {
    double along = 0;
    for (std::size_t i = 0; i < k; ++i) along += is_held[i] ? 0 : eigen.vectors[i * k + e] * g[i];
    for (std::size_t i = 0; i < k; ++i) step[i] += is_held[i] ? 0 : along / std::max(eigen.values[e], least) * eigen.vectors[i * k + e];
  }
  return step;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// B ← B − B s sᵀB/(sᵀB s) + y yᵀ/(sᵀy): B s = y, the change of −gradient along the step s.
void update(std::vector<double>& B, std::span<const double> s, std::span<const double> y) {
  const std::size_t k = s.size();
  std::vector<double> Bs(k, 0);
  for (std::size_t i = 0; i < k; ++i) Bs[i] = dot(std::span(B).subspan(i * k, k), s);
  const double sy = dot(s, y), sBs = dot(s, Bs);
  if (!(sy > 1e-3 * sBs) || !(sBs > 0)) return;  // not concave here
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) B[i * k + j] += y[i] * y[j] / sy - Bs[i] * Bs[j] / sBs;
}

}  // namespace

Maximum search(const SmoothFunction& f, const Box& box, std::span<const double> start, const MaximiseOptions& options) {
  Ascent ascent{f, options};
  std::vector<double> t(start.begin(), start.end());
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = std::clamp(t[i], box.low[i], box.high[i]);
  struct Destroy {
    void operator()(nlopt_opt o) const { nlopt_destroy(o); }
  };
  const std::unique_ptr<std::remove_pointer_t<nlopt_opt>, Destroy> optimizer(nlopt_create(NLOPT_LD_LBFGS, unsigned(t.size())));
  Callback callback{ascent, optimizer.get()};
  nlopt_set_max_objective(optimizer.get(), Callback::call, &callback);
  nlopt_set_lower_bounds(optimizer.get(), box.low.data());
  nlopt_set_upper_bounds(optimizer.get(), box.high.data());
  nlopt_set_ftol_abs(optimizer.get(), options.gain);
  double value = 0;
  // What it answers beside having been stopped (no more progress, rounding) is as good as a maximum: the best is kept.
  nlopt_optimize(optimizer.get(), t.data(), &value);
  if (callback.thrown) std::rethrow_exception(callback.thrown);
  ascent.best.found = !ascent.stopped;
  return ascent.best;
}

Maximum climb(const SmoothFunction& f, const Box& box, std::span<const double> start, std::vector<double> B, const MaximiseOptions& options) {
  Ascent ascent{f, options};
  const std::size_t k = start.size();
  std::vector<double> t(k), gradient(k);
  for (std::size_t i = 0; i < k; ++i) t[i] = std::clamp(start[i], box.low[i], box.high[i]);
  if (!ascent.may_go_on()) return ascent.best;
  ascent.evaluate(t, gradient);
  while (true) {
    const Maximum from = ascent.best;
    const std::vector<double> step = newton_step(B, from.gradient, held(box, from.at, from.gradient));
    const double slope = dot(from.gradient, step);
    if (0.5 * slope <= options.gain) {
      ascent.best.found = true;
      return ascent.best;
    }
    for (double length = 1;; length /= 4) {
      if (length < 1e-6) {  // rounding hides what is left to gain
        ascent.best.found = true;
        return ascent.best;
      }
      if (!ascent.may_go_on()) return ascent.best;
      std::vector<double> moved(k), change(k);
      for (std::size_t i = 0; i < k; ++i) {
        t[i] = std::clamp(from.at[i] + length * std::clamp(step[i], -2.0, 2.0), box.low[i], box.high[i]);
        moved[i] = t[i] - from.at[i];
      }
      const double value = ascent.evaluate(t, gradient);
      for (std::size_t i = 0; i < k; ++i) change[i] = from.gradient[i] - gradient[i];
      if (value > from.value - 1000) update(B, moved, change);
      if (value > from.value) break;
    }
  }
}

std::vector<double> curvature_at(const SmoothFunction& f, const Box& box, const Maximum& maximum) {
  constexpr double step = 1e-3;
  const std::size_t k = maximum.at.size();
  std::vector<double> H(k * k), t = maximum.at, gradient(k);
  for (std::size_t i = 0; i < k; ++i) {
    const double h = t[i] + step <= box.high[i] ? step : -step;
    t[i] += h;
    f(t, gradient);
    t[i] = maximum.at[i];
    for (std::size_t j = 0; j < k; ++j) H[i * k + j] = (maximum.gradient[j] - gradient[j]) / h;
  }
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < i; ++j) H[i * k + j] = H[j * k + i] = 0.5 * (H[i * k + j] + H[j * k + i]);
  const Eigen eigen = symmetric_eigen(H, k, true);
  const double largest = std::max(std::abs(eigen.values.front()), std::abs(eigen.values.back()));
  std::ranges::fill(H, 0.0);
  for (std::size_t e = 0; e < k; ++e) {
    const double value = std::max({std::abs(eigen.values[e]), flattest * largest, std::numeric_limits<double>::min()});
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t j = 0; j < k; ++j) H[i * k + j] += value * eigen.vectors[i * k + e] * eigen.vectors[j * k + e];
  }
  return H;
}

}  // namespace mercer
