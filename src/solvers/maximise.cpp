#include "solvers/maximise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
    stopped = stopped || best.evaluations >= options.most_evaluations ||
              !options.progress("evaluations", double(best.evaluations) / double(options.most_evaluations));
    return !stopped;
  }
  /// Where the function has no value: less than all seen, and flat.
  double evaluate(std::span<const double> t, std::span<double> gradient) {
    const std::optional<double> value = f(t, gradient);
    ++best.evaluations;
    if (!value || !std::isfinite(*value)) {
      std::ranges::fill(gradient, 0.0);
      return worst - 10 * std::abs(worst) - 1000;
    }
    worst = std::min(worst, *value);
    if (best.at.empty() || *value > best.value) {
      best.at.assign(t.begin(), t.end());
      best.gradient.assign(gradient.begin(), gradient.end());
      best.value = *value;
    }
    return *value;
  }
};

// −g of variables that stand at a bound and want beyond it does not count.
std::vector<bool> held(const Box& box, std::span<const double> t, std::span<const double> g) {
  std::vector<bool> is(t.size());
  for (std::size_t i = 0; i < t.size(); ++i)
    is[i] =
        box.low[i] >= box.high[i] || (t[i] <= box.low[i] && g[i] < 0) || (t[i] >= box.high[i] && g[i] > 0);
  return is;
}

// B⁻¹g over the variables that are free.
std::vector<double> newton_step(const std::vector<double>& B, std::span<const double> g,
                                const std::vector<bool>& is_held) {
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
    for (std::size_t i = 0; i < k; ++i)
      step[i] += is_held[i] ? 0 : along / std::max(eigen.values[e], least) * eigen.vectors[i * k + e];
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

// H ≈ (−∂²f)⁻¹, learned from steps and changes of the gradient (BFGS: Nocedal & Wright, eqs. 6.17, 6.20).
class InverseCurvature {
 public:
  explicit InverseCurvature(std::size_t k) : k_(k), H_(k * k, 0.0) {}

  void forget() noexcept { learned_ = false; }

  // H g over the variables that are free. Before the first step nothing is known of the scale of f: the step
  // is of length 1 at most, since a long one may leave the hill that the start stands on.
  std::vector<double> ascent(std::span<const double> g, const std::vector<bool>& is_held) const {
    std::vector<double> d(k_, 0.0), free_part(g.begin(), g.end());
    for (std::size_t i = 0; i < k_; ++i)
      if (is_held[i]) free_part[i] = 0;
    const double length = std::sqrt(dot(free_part, free_part));
    for (std::size_t i = 0; i < k_; ++i) {
      if (is_held[i]) continue;
      d[i] =
          learned_ ? dot(std::span(H_).subspan(i * k_, k_), free_part) : free_part[i] / std::max(1.0, length);
    }
    return d;
  }

  void learn(std::span<const double> from, std::span<const double> to, std::span<const double> g_from,
             std::span<const double> g_to) {
    std::vector<double> s(k_), y(k_);
    for (std::size_t i = 0; i < k_; ++i) s[i] = to[i] - from[i], y[i] = g_from[i] - g_to[i];
    const double sy = dot(s, y), yy = dot(y, y);
    if (!(sy > 1e-10 * std::sqrt(dot(s, s) * yy))) return;  // not concave here
    if (!learned_)
      for (std::size_t i = 0; i < k_; ++i)
        for (std::size_t j = 0; j < k_; ++j) H_[i * k_ + j] = i == j ? sy / yy : 0;
    std::vector<double> Hy(k_);
    for (std::size_t i = 0; i < k_; ++i) Hy[i] = dot(std::span(H_).subspan(i * k_, k_), y);
    const double yHy = dot(y, Hy);
    for (std::size_t i = 0; i < k_; ++i)
      for (std::size_t j = 0; j < k_; ++j)
        H_[i * k_ + j] += (1 + yHy / sy) * s[i] * s[j] / sy - (Hy[i] * s[j] + s[i] * Hy[j]) / sy;
    learned_ = true;
  }

 private:
  std::size_t k_;
  std::vector<double> H_;  // k × k
  bool learned_ = false;
};

struct Step {
  std::vector<double> at = {}, gradient = {};
  double value = 0;
};

// A point along t + λd, kept within the box, that satisfies Wolfe's conditions (Nocedal & Wright 2006,
// eq. 3.6): it rises by a part of what the slope promises, and the slope is less. None where nothing rises.
Step walk(Ascent& ascent, const Box& box, std::span<const double> t, double value, std::span<const double> g,
          std::vector<double> d) {
  // `longest`: of a step in any coordinate; the others: of the conditions.
  constexpr double longest = 3, least_rise = 1e-4, slope_left = 0.9;
  constexpr int most_trials = 25;
  const std::size_t k = t.size();
  double largest = 0;
  for (const double change : d) largest = std::max(largest, std::abs(change));
  if (largest > longest)
    for (double& change : d) change *= longest / largest;
  largest = std::min(largest, longest);
  const double slope = dot(g, d);
  Step best;
  double low = 0, high = std::numeric_limits<double>::infinity(), length = 1;
  for (int trial = 0; trial < most_trials && ascent.may_go_on(); ++trial) {
    Step next{std::vector<double>(k), std::vector<double>(k)};
    std::vector<double> moved(k);
    for (std::size_t i = 0; i < k; ++i) {
      next.at[i] = std::clamp(t[i] + length * d[i], box.low[i], box.high[i]);
      moved[i] = next.at[i] - t[i];
    }
    next.value = ascent.evaluate(next.at, next.gradient);
    const double promised = dot(g, moved);
    if (!(next.value > value + least_rise * promised)) {
      if (!best.at.empty() && trial > 6) return best;
      high = length;
      // The top of the parabola through the value, the slope and the new value, where that makes sense.
      const double bend = slope * length - (next.value - value);
      const double top = bend > 0 ? 0.5 * slope * length * length / bend : 0;
      length = low + std::clamp(low == 0 ? top : 0.5 * (high - low), 0.1 * (high - low), 0.5 * (high - low));
      if (largest * (high - low) < 1e-10) return best;
      continue;
    }
    const bool better = best.at.empty() || next.value > best.value;
    if (better) best = next;
    if (!better || std::abs(dot(next.gradient, moved)) <= slope_left * promised ||
        dot(next.gradient, moved) < 0)
      return best;
    if (high < std::numeric_limits<double>::infinity()) {
      low = length;
      length = 0.5 * (low + high);
      if (trial > 6) return best;
      continue;
    }
    if (length * largest >= longest) return best;
    low = length;
    length = std::min(2 * length, longest / largest);
  }
  return best;
}

// Whether t, of that value, is close to the top of a hill that was climbed before.
bool on_known_hill(std::span<const Maximum> known, std::span<const double> t, double value) {
  constexpr double close = 0.3, below = 1;  // in coordinates and in value
  return std::ranges::any_of(known, [&](const Maximum& other) {
    if (value > other.value || value < other.value - below) return false;
    for (std::size_t i = 0; i < t.size(); ++i)
      if (std::abs(t[i] - other.at[i]) > close) return false;
    return true;
  });
}

}  // namespace

Maximum search(const SmoothFunction& f, const Box& box, std::span<const double> start,
               const MaximiseOptions& options) {
  Ascent ascent{f, options};
  const std::size_t k = start.size();
  std::vector<double> t(k), g(k);
  for (std::size_t i = 0; i < k; ++i) t[i] = std::clamp(start[i], box.low[i], box.high[i]);
  if (!ascent.may_go_on()) return ascent.best;
  double value = ascent.evaluate(t, g);
  if (ascent.best.at.empty()) return ascent.best;
  InverseCurvature H(k);
  // Where the function bends upwards, as e^t does, nothing is learned of its curvature, and what was learned
  // elsewhere promises too little. So before it ends, steps along the gradient are tried from there.
  bool sure = false;
  while (true) {
    if (on_known_hill(options.known, t, value)) return ascent.best;
    const std::vector<double> d = H.ascent(g, held(box, t, g));
    Step step;
    if (0.5 * dot(g, d) > options.gain) step = walk(ascent, box, t, value, g, d);
    if (ascent.stopped) return ascent.best;
    const bool gained = !step.at.empty() && step.value - value > options.gain;
    if (!step.at.empty()) {
      H.learn(t, step.at, g, step.gradient);
      t = step.at, g = step.gradient, value = step.value;
    }
    if (gained) {
      sure = false;
      continue;
    }
    if (sure) break;
    sure = true;
    H.forget();
  }
  ascent.best.found = true;
  return ascent.best;
}

Maximum climb(const SmoothFunction& f, const Box& box, std::span<const double> start, std::vector<double> B,
              const MaximiseOptions& options) {
  Ascent ascent{f, options};
  const std::size_t k = start.size();
  std::vector<double> t(k), gradient(k);
  for (std::size_t i = 0; i < k; ++i) t[i] = std::clamp(start[i], box.low[i], box.high[i]);
  if (!ascent.may_go_on()) return ascent.best;
  ascent.evaluate(t, gradient);
  if (ascent.best.at.empty()) return ascent.best;
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
  const auto fixed = [&](std::size_t i) { return box.high[i] - box.low[i] < step; };
  for (std::size_t i = 0; i < k; ++i) {
    if (fixed(i)) continue;
    const double h = t[i] + step <= box.high[i] ? step : -step;
    t[i] += h;
    if (!f(t, gradient)) gradient = maximum.gradient;
    t[i] = maximum.at[i];
    for (std::size_t j = 0; j < k; ++j) H[i * k + j] = (maximum.gradient[j] - gradient[j]) / h;
  }
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < i; ++j)
      H[i * k + j] = H[j * k + i] = fixed(i) || fixed(j) ? 0 : 0.5 * (H[i * k + j] + H[j * k + i]);
  const Eigen eigen = symmetric_eigen(H, k, true);
  const double largest = std::max(std::abs(eigen.values.front()), std::abs(eigen.values.back()));
  std::ranges::fill(H, 0.0);
  for (std::size_t e = 0; e < k; ++e) {
    const double value =
        std::max({std::abs(eigen.values[e]), flattest * largest, std::numeric_limits<double>::min()});
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t j = 0; j < k; ++j)
        H[i * k + j] += value * eigen.vectors[i * k + e] * eigen.vectors[j * k + e];
  }
  return H;
}

}  // namespace mercer
