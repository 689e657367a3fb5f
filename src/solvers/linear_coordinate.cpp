// Dual coordinate descent: one variable at a time goes to its minimum within its bounds, in a new random
// order each pass, at the cost of one row of X; variables that stay at a bound are left out ("shrunk") until
// everything is measured again.                                Hsieh, Chang, Lin, Keerthi & Sundararajan 2008
//
// Regression. The two variables of a point, β⁺ ≥ 0 with s = ε − z and β⁻ ≤ 0 with s = −ε − z, are one, β =
// β⁺ + β⁻, with the term ε|β|: at the minimum one of the two is 0. A step goes to the minimum of a parabola
// with a kink at 0, and half of the visits are saved.                                          Ho & Lin 2012
//
// The bias. One coordinate cannot move while Σβ is fixed, so the constraint becomes a force by the method of
// multipliers (Bertsekas 1982, ch. 2): with e = Σβ − (the sum to keep) and c the mean of the points, the
// descent is on
//   ½‖w − e·c‖² + sᵀβ + μe + ½r e²,
//   G_v = wᵀx + s_v + (μ − cᵀw) + e·(r + cᵀc − cᵀx),     μ ← μ + r·e after a pass,
// which is the problem itself where e = 0. The terms in c and r are numbers kept beside w, so a pass costs
// what it costs without the bias; c takes away the offset that the points share, which would couple all
// variables. A small r couples them least, but μ follows slowly where there are few free variables or C is
// small: r doubles while e lags.
#include "solvers/linear_coordinate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "base/random.hpp"
#include "mercer/error.hpp"
#include "solvers/linear_rows.hpp"
#include "solvers/simd/dense_rows.hpp"

namespace mercer {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr std::uint32_t no_variable = std::numeric_limits<std::uint32_t>::max();

/// What a step needs, side by side in memory: variables are visited at random.
struct alignas(64) Variable {
  double beta, linear, lower, upper;
  double kink = 0;       ///< ε of the term ε|β|
  double curvature = 0;  ///< of the objective along β
  double own = 0;        ///< with a bias xᵀc; without one D, of the term ½Dβ²
  std::uint32_t point = 0;

  bool can_rise() const noexcept { return beta < upper; }
  bool can_fall() const noexcept { return beta > lower; }
  /// The derivatives on either side, where g is that without the kink.
  double rising(double g) const noexcept { return beta < 0 ? g - kink : g + kink; }
  double falling(double g) const noexcept { return beta > 0 ? g + kink : g - kink; }
  /// Whether it will stay where it is although derivatives change by as much as that.
  bool settled(double g, double least, double largest) const noexcept {
    return (!can_rise() || rising(g) > largest) && (!can_fall() || falling(g) < least);
  }
  bool free() const noexcept { return can_rise() && can_fall() && (beta != 0 || kink == 0); }
  /// The minimum of ½h(β′ − β)² + g(β′ − β) + ε|β′| within the bounds; `inverse` is 1/h.
  double best(double g, double inverse) const noexcept {
    const double side = std::copysign(kink, beta != 0 ? beta : -g);
    double found = beta - (g + side) * inverse;
    if (found * side < 0) {  // beyond the kink
      found = beta - (g - side) * inverse;
      if (found * side > 0) found = 0;
    }
    return std::min(std::max(found, lower), upper);
  }
};

// --- Rows of X, as linear_rows.hpp has them; of dense ones by vector loops.

template <class T>
struct VectorRows {
  const Dense<T>& x;
  simd::DenseRows<T> loops = simd::dense_rows<T>();
  double dot(std::size_t i, const double* w) const noexcept { return loops.dot(x.row(i), w, x.cols); }
  void add(std::size_t i, double scale, double* w) const noexcept { loops.add(x.row(i), scale, w, x.cols); }
};

template <class T>
struct SparseRows {
  const Sparse<T>& x;
  double dot(std::size_t i, const double* w) const noexcept { return mercer::dot(x, i, w); }
  void add(std::size_t i, double scale, double* w) const noexcept { mercer::add(x, i, scale, w); }
};

template <class T>
VectorRows<T> rows_of(const Dense<T>& x) {
  return {x};
}
template <class T>
SparseRows<T> rows_of(const Sparse<T>& x) {
  return {x};
}

/// Of the projected gradients met in a pass, with 0.
struct Span {
  double least = 0, largest = 0;

  void include(double gradient) noexcept {
    least = std::min(least, gradient);
    largest = std::max(largest, gradient);
  }
};

template <class Storage>
class Descent {
 public:
  Descent(const BoxQp& problem, const Storage& x, const LinearOptions& options)
      : problem_(problem),
        x_(x),
        rows_(rows_of(x)),
        options_(options),
        random_(options.seed),
        w_(x.cols + (options.constant != 0)),
        f_(x.rows),
        goal_(options.tolerance) {
    gather();
    for (Variable& v : variables_) {
      v.curvature = squared_norm(x, v.point) + options.constant * options.constant;
      // The curvature around the centre is up to 4 times as large.
      if (!(v.curvature < std::numeric_limits<double>::max() / 8))
        throw Error(ErrorCode::not_finite,
                    fmt::format("row {}: the squared norm of its features overflows", v.point + 1),
                    {.hint = "scale them"});
      kept_ += v.beta;
    }
    if (options.bias)
      prepare_bias();
    else
      for (Variable& v : variables_) v.curvature += v.own;
    sum_weights();
    activate_all();
    if (!problem.start.empty()) measure();
  }

  LinearSolution run() {
    while (!solution_.converged && !solution_.stopped && solution_.passes < options_.max_passes &&
           solution_.visits < options_.max_visits) {
      solution_.stopped = !pass();
      const double violation = absorb();
      largest_ = std::max(largest_, violation);
      done_ = std::max(done_, decades_done(largest_, std::max(violation, goal_), goal_));
      if (violation > goal_) continue;
      measure();
      goal_ *= std::clamp(0.7 * options_.tolerance / solution_.violation, 0.1, 0.5);
    }
    if (!solution_.converged) measure();
    return finish();
  }

 private:
  /// The variables, those of a point that lie on either side of 0 as one.
  void gather() {
    // Of each point a variable that may get its other half.
    std::vector<std::uint32_t> waiting(x_.rows, no_variable);
    variables_.reserve(problem_.size());
    places_.reserve(problem_.size());
    for (std::size_t v = 0; v < problem_.size(); ++v) {
      const auto point = std::uint32_t(problem_.points[v]);
      const double s = problem_.linear[v], lower = problem_.lower[v], upper = problem_.upper[v];
      const double beta = problem_.start.empty() ? 0.0 : problem_.start[v];
      std::uint32_t& other = waiting[point];
      if (other != no_variable) {
        Variable& half = variables_[other];
        const bool above = lower == 0 && half.upper == 0 && s >= half.linear,
                   below = upper == 0 && half.lower == 0 && s <= half.linear;
        if (above || below) {
          half.kink = std::abs(s - half.linear) / 2;
          half.linear += (s - half.linear) / 2;
          half.beta += beta;
          half.lower = std::min(half.lower, lower);
          half.upper = std::max(half.upper, upper);
          places_.push_back(std::exchange(other, no_variable));
          continue;
        }
      }
      other = std::uint32_t(variables_.size());
      places_.push_back(other);
      variables_.push_back({.beta = beta,
                            .linear = s,
                            .lower = lower,
                            .upper = upper,
                            .own = options_.diagonal.empty() ? 0.0 : options_.diagonal[v],
                            .point = point});
    }
  }

  /// The centre c, what it does to the curvatures, and r, such that Σβ can move μ by as much as s varies.
  void prepare_bias() {
    const auto n = double(variables_.size());
    for (const Variable& v : variables_) rows_.add(v.point, 1 / n, w_.data());  // w is c for the moment
    centre_norm_ = sum_of(w_.size(), [&](std::size_t k) { return w_[k] * w_[k]; });
    double norm = 0, linear = 0, room = 0;
    for (Variable& v : variables_) {
      v.own = rows_.dot(v.point, w_.data());
      v.curvature = std::max(0.0, v.curvature - 2 * v.own + centre_norm_);
      norm += v.curvature / n;
      linear += std::abs(v.linear) / n;
      room += std::min(v.upper - v.lower, 1e300 / n);
    }
    least_penalty_ = norm > 0 ? 0.01 * norm : 1;
    penalty_ = std::max(least_penalty_, room > 0 ? std::min(linear / room, 1e300) : 0.0);
    largest_penalty_ = 1e3 * penalty_;
  }

  /// One step for each active variable; false where the listener ended the pass.
  bool pass() {
    const Span shrink{seen_.least < 0 ? seen_.least : -unbounded,
                      seen_.largest > 0 ? seen_.largest : unbounded};
    seen_ = {};
    ++solution_.passes;
    solution_.visits += active_.size();
    for (std::size_t k = 0; k + 1 < active_.size(); ++k)
      std::swap(active_[k], active_[k + random_.below(active_.size() - k)]);
    for (std::size_t k = 0; k < active_.size(); ++k) {
      if (k % 65536 == 0 && !options_.progress("linear coordinate descent", done_)) return false;
      // Rows come in no order that the memory could foresee.
      if (k + 4 < active_.size()) __builtin_prefetch(&variables_[active_[k + 4]]);
      if (k + 2 < active_.size()) prefetch(x_, variables_[active_[k + 2]].point);
      Variable& v = variables_[active_[k]];
      // 1/h, which is known before g is; a row of zeros has no h.
      const double inverse = 1 / std::max(v.curvature + penalty_, std::numeric_limits<double>::min());
      const double force = options_.bias
                               ? multiplier_ - centre_dot_ + excess_ * (penalty_ + centre_norm_ - v.own)
                               : v.own * v.beta;
      const double g = value_at(v.point) + v.linear + force;
      if (v.settled(g, shrink.least, shrink.largest)) {
        active_[k--] = active_.back();
        active_.pop_back();
      } else if (const double rising = v.rising(g); rising < 0 && v.can_rise()) {
        seen_.include(rising);
        move(v, v.best(g, inverse));
      } else if (const double falling = v.falling(g); falling > 0 && v.can_fall()) {
        seen_.include(falling);
        move(v, v.best(g, inverse));
      }
    }
    return true;
  }

  double value_at(std::size_t point) const noexcept {
    const double sum = rows_.dot(point, w_.data());
    return options_.constant != 0 ? sum + options_.constant * w_.back() : sum;
  }
  void add_row(std::size_t point, double scale) noexcept {
    rows_.add(point, scale, w_.data());
    if (options_.constant != 0) w_.back() += scale * options_.constant;
  }
  /// The derivative of the objective, of which f is known.
  double gradient_of(const Variable& v, double f) const noexcept {
    return f + v.linear + (options_.bias ? 0.0 : v.own * v.beta);
  }

  void move(Variable& v, double beta) noexcept {
    const double step = beta - v.beta;
    if (step == 0) return;
    v.beta = beta;
    excess_ += step;
    centre_dot_ += step * v.own;
    add_row(v.point, step);
  }

  /// Moves the multiplier; how far from a solution the pass was.
  double absorb() {
    if (!options_.bias) return std::max(seen_.largest, -seen_.least);
    const double range = seen_.largest - seen_.least, pull = penalty_ * std::abs(excess_);
    const bool lags = excess_ * last_excess_ > 0 && std::abs(excess_) > 0.8 * std::abs(last_excess_);
    multiplier_ += penalty_ * excess_;
    penalty_ = lags ? std::min(2 * penalty_, largest_penalty_) : std::max(penalty_ / 2, least_penalty_);
    last_excess_ = excess_;
    if (lags && range <= goal_) activate_all();  // no active variable can change Σβ any more
    return std::max(range, pull);
  }

  /// Everything afresh, over all variables: Σβ, w, f, the violation and ρ. Active are then those that are not
  /// at a bound for good by this measure.
  void measure() {
    if (options_.bias) repair_sum();
    sum_weights();
    for (std::size_t i = 0; i < x_.rows; ++i) f_[i] = value_at(i);
    // The largest G where β can fall, the least where it can rise.
    double falling = -unbounded, rising = unbounded;
    double free_sum = 0, free_count = 0;
    for (const Variable& v : variables_) {
      const double g = gradient_of(v, f_[v.point]);
      if (v.can_fall()) falling = std::max(falling, v.falling(g));
      if (v.can_rise()) rising = std::min(rising, v.rising(g));
      if (v.free()) free_sum += v.rising(g), ++free_count;
    }
    solution_.violation = std::max(0.0, options_.bias ? falling - rising : std::max(falling, -rising));
    solution_.converged = solution_.violation <= options_.tolerance;
    if (options_.bias) {
      solution_.rho = free_count > 0 ? free_sum / free_count : middle(falling, rising);
      multiplier_ = centre_dot_ - solution_.rho;
    }
    activate([&](const Variable& v) {
      const double g = gradient_of(v, f_[v.point]) - solution_.rho;
      return (v.can_rise() && v.rising(g) <= solution_.violation) ||
             (v.can_fall() && v.falling(g) >= -solution_.violation);
    });
  }

  /// Of [low, high]; where one end is infinite, the other.
  static double middle(double low, double high) noexcept {
    if (std::isinf(low)) return std::isinf(high) ? 0 : high;
    return std::isinf(high) ? low : low + (high - low) / 2;
  }

  void sum_weights() noexcept {
    std::ranges::fill(w_, 0.0);
    centre_dot_ = 0;
    for (const Variable& v : variables_) {
      if (v.beta == 0) continue;
      centre_dot_ += v.beta * v.own;
      add_row(v.point, v.beta);
    }
  }

  /// Brings Σβ back to what is to be kept, up to rounding: in equal shares from the free variables, whose
  /// gradients are about equal, so that this is felt least; where they have no room, from those whose
  /// gradients ask for it most.
  void repair_sum() {
    if (sum_kept()) return;
    for (int round = 0; round < 2; ++round) {  // the second for the rounding of the first
      auto sharing = std::ranges::count_if(variables_, &Variable::free);
      for (Variable& v : variables_)
        if (v.free()) take(v, excess_ / double(sharing--));
      if (sum_kept()) return;
    }
    sum_weights();
    const bool fall = excess_ > 0;
    std::vector<std::pair<double, std::size_t>> order;  // the gradient, its sign turned where β is to fall
    for (std::size_t k = 0; k < variables_.size(); ++k) {
      const Variable& v = variables_[k];
      if (fall ? v.can_fall() : v.can_rise())
        order.emplace_back(
            fall ? -v.falling(value_at(v.point) + v.linear) : v.rising(value_at(v.point) + v.linear), k);
    }
    std::ranges::sort(order);
    for (std::size_t k = 0; k < order.size() && std::abs(excess_) > excess_rounding_; ++k)
      take(variables_[order[k].second], excess_);
  }

  bool sum_kept() noexcept {
    double sum = 0, magnitude = 0;
    for (const Variable& v : variables_) sum += v.beta, magnitude += std::abs(v.beta);
    excess_ = sum - kept_;
    excess_rounding_ = 4 * std::numeric_limits<double>::epsilon() * magnitude;
    return std::abs(excess_) <= excess_rounding_;
  }

  /// Lowers β by `amount`, or as far as the bounds let it, without telling w.
  void take(Variable& v, double amount) noexcept {
    const double beta = std::clamp(v.beta - amount, v.lower, v.upper);
    excess_ += beta - v.beta;
    v.beta = beta;
  }

  void activate_all() {
    activate([](const Variable&) { return true; });
  }

  template <class Keep>
  void activate(Keep keep) {
    active_.clear();
    for (std::size_t v = 0; v < variables_.size(); ++v)
      if (variables_[v].lower < variables_[v].upper && keep(variables_[v]))
        active_.push_back(std::uint32_t(v));
    seen_ = {};
  }

  LinearSolution finish() {
    solution_.beta.reserve(places_.size());
    for (std::size_t v = 0; v < places_.size(); ++v)  // of two halves one is 0
      solution_.beta.push_back(std::clamp(variables_[places_[v]].beta, problem_.lower[v], problem_.upper[v]));
    solution_.weights = std::move(w_);
    solution_.f = std::move(f_);
    return std::move(solution_);
  }

  const BoxQp& problem_;
  const Storage& x_;
  const decltype(rows_of(std::declval<const Storage&>())) rows_;
  const LinearOptions& options_;
  Random random_;
  std::vector<Variable> variables_;
  std::vector<std::uint32_t> places_;  // of each variable of the problem
  std::vector<std::uint32_t> active_;
  std::vector<double> w_, f_;
  Span seen_;
  double largest_ = 0, done_ = 0;        // the largest violation of a pass; how far the descent is
  double goal_;                          // of a pass; lowered where the measurement does not confirm it
  double kept_ = 0;                      // the sum of β to keep
  double excess_ = 0, last_excess_ = 0;  // e, and as it was a pass ago
  double excess_rounding_ = 0;           // what of e is rounding
  double multiplier_ = 0;                // μ
  double penalty_ = 0;                   // r; 0 without a bias
  double least_penalty_ = 0, largest_penalty_ = 0;
  double centre_norm_ = 0, centre_dot_ = 0;  // cᵀc and cᵀw
  LinearSolution solution_ = {};
};

}  // namespace

LinearSolution solve_linear(const BoxQp& problem, const Points& points, const LinearOptions& options) {
  assert(std::ranges::all_of(problem.groups, [](auto group) { return group == 0; }));
  return std::visit([&](const auto& x) { return Descent(problem, x, options).run(); }, points.storage());
}

}  // namespace mercer
