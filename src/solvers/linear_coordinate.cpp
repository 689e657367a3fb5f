// Dual coordinate descent: one variable at a time goes to its minimum within its bounds, in a new random order each
// pass, at the price of one row of X; variables that stay at a bound are left out ("shrunk") until everything is
// measured again.                                                     Hsieh, Chang, Lin, Keerthi & Sundararajan 2008
//
// The bias. One coordinate cannot move while Σβ is fixed, so the constraint becomes a force by the method of
// multipliers: with e = Σβ − (the sum to keep) the descent is on
//   ½‖Xᵀβ‖² + sᵀβ + μe + ½r e²,     G_v = wᵀx + s_v + μ + r·e,     μ ← μ + r·e after each pass.
// The term ½r e² is a constant feature √r, so a pass costs what it costs without the bias. An error in μ shrinks by
// about 1/(1 + r·1ᵀK⁻¹1) (K over the free variables), which r = the mean ‖x‖² makes small; where C is so small
// that no curvature counts, r must let Σβ move μ by as much as s varies.                          Bertsekas 1982, ch. 2
#include "solvers/linear_coordinate.hpp"

#include <fmt/format.h>

#include <cassert>
#include <chrono>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Σ over k in [0, count) of term(k) in four sums, so that additions need not wait for one another.
template <class Term>
double sum_of(std::size_t count, Term term) noexcept {
  double sums[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4)
    for (std::size_t j = 0; j < 4; ++j) sums[j] += term(k + j);
  for (; k < count; ++k) sums[0] += term(k);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class T>
double dot(const Dense<T>& x, std::size_t i, const double* w) noexcept {
  const T* row = x.row(i);
  return sum_of(x.cols, [&](std::size_t k) { return double(row[k]) * w[k]; });
}

template <class T>
double dot(const Sparse<T>& x, std::size_t i, const double* w) noexcept {
  const std::size_t begin = x.starts[i];
  const T* values = x.values.data() + begin;
  const std::int32_t* columns = x.indices.data() + begin;
  return sum_of(x.starts[i + 1] - begin, [&](std::size_t k) { return double(values[k]) * w[columns[k]]; });
}

template <class T>
double squared_norm(const Dense<T>& x, std::size_t i) noexcept {
  const T* row = x.row(i);
  return sum_of(x.cols, [&](std::size_t k) { return double(row[k]) * double(row[k]); });
}

template <class T>
double squared_norm(const Sparse<T>& x, std::size_t i) noexcept {
  const T* values = x.values.data() + x.starts[i];
  return sum_of(x.starts[i + 1] - x.starts[i], [&](std::size_t k) { return double(values[k]) * double(values[k]); });
}

/// w += scale·x_i
template <class T>
void add(const Dense<T>& x, std::size_t i, double scale, double* w) noexcept {
  const T* row = x.row(i);
  for (std::size_t k = 0; k < x.cols; ++k) w[k] += scale * double(row[k]);
}

template <class T>
void add(const Sparse<T>& x, std::size_t i, double scale, double* w) noexcept {
  for (std::size_t k = x.starts[i]; k < x.starts[i + 1]; ++k) w[x.indices[k]] += scale * double(x.values[k]);
}

/// What a step needs, side by side in memory: variables are visited at random.
struct Variable {
  double beta, linear, lower, upper;
  double curvature;  ///< ‖x‖²
  std::size_t point;

  bool can_rise() const noexcept { return beta < upper; }
  bool can_fall() const noexcept { return beta > lower; }
  bool free() const noexcept { return can_rise() && can_fall(); }
};

/// The projected gradients met in a pass.
struct Range {
  double least = 0, largest = 0;

  void include(double gradient) noexcept {
    least = std::min(least, gradient);
    largest = std::max(largest, gradient);
  }
};

/// When to stop before the solution: the caller's wish, the clock, the number of passes.
class Patience {
 public:
  explicit Patience(const LinearOptions& options) : options_(options) {}

  /// Throws Error{cancelled} if the caller wants to stop; false when the time is over.
  bool left() {
    if (options_.progress && !options_.progress("linear coordinate descent", fraction_))
      throw Error(ErrorKind::cancelled, "linear coordinate descent was stopped");
    return options_.seconds <= 0 || std::chrono::duration<double>(Clock::now() - begin_).count() < options_.seconds;
  }

  /// Descent is about linear in the logarithm of the violation.
  void note(double violation) {
    if (!(violation > options_.tolerance)) return;
    largest_ = std::max(largest_, violation);
    fraction_ = std::max(fraction_, 1 - std::log(violation / options_.tolerance) / std::log(largest_ / options_.tolerance));
  }

 private:
  using Clock = std::chrono::steady_clock;
  const LinearOptions& options_;
  Clock::time_point begin_ = Clock::now();
  double largest_ = 0, fraction_ = 0;
};

template <class Storage>
class Descent {
 public:
  Descent(const BoxProblem& problem, const Storage& x, const LinearOptions& options)
      : x_(x), options_(options), patience_(options), random_(options.seed), w_(x.cols), f_(x.rows) {
    variables_.reserve(problem.size());
    for (std::size_t v = 0; v < problem.size(); ++v) {
      const auto i = std::size_t(problem.points[v]);
      const double norm = squared_norm(x, i);
      if (!std::isfinite(norm))
        throw Error(ErrorKind::data, fmt::format("row {}: the squared norm is not a finite number; scale the features", i + 1));
      const double beta = problem.start.empty() ? 0.0 : problem.start[v];
      variables_.push_back({beta, problem.linear[v], problem.lower[v], problem.upper[v], norm, i});
      kept_ += beta;
    }
    if (options.bias) penalty_ = choose_penalty();
    sum_weights();
    fill_active([](const Variable&) { return true; });
  }

  LinearSolution run() {
    double goal = options_.tolerance;  // of a pass; lowered where the measurement does not confirm it
    bool time_left = true;
    while (!solution_.converged && time_left && solution_.passes < options_.max_passes) {
      const Range seen = pass(time_left);
      const double violation = absorb(seen);
      patience_.note(violation);
      if (violation > goal && !active_.empty()) continue;
      measure();
      solution_.converged = solution_.violation <= options_.tolerance;
      goal *= std::clamp(0.7 * options_.tolerance / solution_.violation, 0.1, 0.5);
    }
    if (!solution_.converged) measure();
    return finish();
  }

 private:
  double choose_penalty() const {
    double norm = 0, linear = 0, room = 0;
    const auto n = double(variables_.size());
    for (const Variable& v : variables_) {
      norm += v.curvature / n;
      linear += std::abs(v.linear) / n;
      room += std::min(v.upper - v.lower, 1e300 / n);
    }
    const double largest = 1e300;
    return room > 0 ? std::min(std::max(norm, linear / room), largest) : 1;
  }

  /// One step for each active variable. `time_left` turns false where the clock ended the pass.
  Range pass(bool& time_left) {
    Range seen;
    const Range shrink{before_.least < 0 ? before_.least : -infinity, before_.largest > 0 ? before_.largest : infinity};
    for (std::size_t k = 0; k < active_.size(); ++k) {
      if (k % 65536 == 0 && !(time_left = patience_.left())) break;
      std::swap(active_[k], active_[k + random_.below(active_.size() - k)]);
      Variable& v = variables_[active_[k]];
      const double gradient = gradient_of(v) + multiplier_ + penalty_ * excess_;
      if ((!v.can_fall() && gradient > shrink.largest) || (!v.can_rise() && gradient < shrink.least)) {
        active_[k--] = active_.back();
        active_.pop_back();
        continue;
      }
      const double projected = gradient > 0 ? (v.can_fall() ? gradient : 0) : (v.can_rise() ? gradient : 0);
      seen.include(projected);
      if (projected != 0) move(v, std::clamp(v.beta - gradient / (v.curvature + penalty_), v.lower, v.upper));
    }
    ++solution_.passes;
    before_ = seen;
    return seen;
  }

  double gradient_of(const Variable& v) const noexcept { return dot(x_, v.point, w_.data()) + v.linear; }

  void move(Variable& v, double beta) noexcept {
    const double step = beta - v.beta;
    if (step == 0) return;
    v.beta = beta;
    excess_ += step;
    add(x_, v.point, step, w_.data());
  }

  /// Moves the multiplier; how far from a solution the pass was.
  double absorb(const Range& seen) {
    if (!options_.bias) return std::max(seen.largest, -seen.least);
    multiplier_ += penalty_ * excess_;
    return std::max(seen.largest - seen.least, penalty_ * std::abs(excess_));
  }

  /// Everything afresh, over all variables: Σβ, w, f, the violation and the level. The active variables become those
  /// that are not at a bound for good by this measure.
  void measure() {
    if (options_.bias) repair_sum();
    sum_weights();
    for (std::size_t i = 0; i < x_.rows; ++i) f_[i] = dot(x_, i, w_.data());
    double low = -infinity, high = infinity;  // the level lies at or above G where β can rise … if β is a solution
    double free_sum = 0, free_count = 0;
    for (const Variable& v : variables_) {
      const double gradient = f_[v.point] + v.linear;
      if (v.can_fall()) low = std::max(low, gradient);
      if (v.can_rise()) high = std::min(high, gradient);
      if (v.free()) free_sum += gradient, ++free_count;
    }
    if (!options_.bias) {
      solution_.violation = std::max({0.0, low, -high});
    } else {
      solution_.violation = std::max(0.0, low - high);
      const double middle = std::isinf(low) ? (std::isinf(high) ? 0 : high) : (std::isinf(high) ? low : low + (high - low) / 2);
      solution_.level = free_count > 0 ? free_sum / free_count : middle;
    }
    fill_active([&](const Variable& v) {
      const double gradient = f_[v.point] + v.linear - solution_.level;
      return !(!v.can_fall() && gradient > solution_.violation) && !(!v.can_rise() && gradient < -solution_.violation);
    });
  }

  void sum_weights() noexcept {
    std::ranges::fill(w_, 0.0);
    for (const Variable& v : variables_)
      if (v.beta != 0) add(x_, v.point, v.beta, w_.data());
  }

  /// Brings Σβ back to what is to be kept, up to rounding: in equal shares from the free variables, whose gradients
  /// are about equal, so that this is felt least; where they have no room, from those whose gradients ask for it most.
  void repair_sum() {
    if (sum_kept()) return;
    for (int round = 0; round < 2; ++round) {  // the second for the rounding of the first
      auto sharing = std::ranges::count_if(variables_, &Variable::free);
      for (Variable& v : variables_)
        if (v.free()) take(v, excess_ / double(sharing--));
      if (sum_kept()) return;
    }
    sum_weights();
    std::vector<std::pair<double, std::size_t>> order;  // the gradient, its sign turned where β is to rise
    for (std::size_t v = 0; v < variables_.size(); ++v)
      if (const double gradient = gradient_of(variables_[v]); excess_ > 0 ? variables_[v].can_fall() : variables_[v].can_rise())
        order.emplace_back(excess_ > 0 ? -gradient : gradient, v);
    std::ranges::sort(order);
    for (std::size_t k = 0; k < order.size() && !sum_kept(); ++k) take(variables_[order[k].second], excess_);
  }

  bool sum_kept() noexcept {
    double sum = 0, magnitude = 0;
    for (const Variable& v : variables_) sum += v.beta, magnitude += std::abs(v.beta);
    excess_ = sum - kept_;
    return std::abs(excess_) <= 4 * std::numeric_limits<double>::epsilon() * magnitude;
  }

  /// Lowers β by `amount`, or as far as the bounds let it, without telling w.
  void take(Variable& v, double amount) noexcept {
    const double beta = std::clamp(v.beta - amount, v.lower, v.upper);
    excess_ += beta - v.beta;
    v.beta = beta;
  }

  template <class Keep>
  void fill_active(Keep keep) {
    active_.clear();
    for (std::size_t v = 0; v < variables_.size(); ++v)
      if (variables_[v].lower < variables_[v].upper && keep(variables_[v])) active_.push_back(std::uint32_t(v));
    before_ = {};
  }

  LinearSolution finish() {
    solution_.beta.reserve(variables_.size());
    for (const Variable& v : variables_) solution_.beta.push_back(v.beta);
    solution_.weights = std::move(w_);
    solution_.f = std::move(f_);
    return std::move(solution_);
  }

  const Storage& x_;
  const LinearOptions& options_;
  Patience patience_;
  Random random_;
  std::vector<Variable> variables_;
  std::vector<std::uint32_t> active_;
  std::vector<double> w_, f_;
  Range before_;
  double kept_ = 0, excess_ = 0;            // the sum to keep; Σβ minus it
  double multiplier_ = 0, penalty_ = 0;     // μ and r; 0 without a bias
  LinearSolution solution_ = {};
};

}  // namespace

LinearSolution solve_linear(const BoxProblem& problem, const Points& points, const LinearOptions& options) {
  assert(std::ranges::all_of(problem.groups, [](auto group) { return group == 0; }));
  return std::visit([&](const auto& x) { return Descent(problem, x, options).run(); }, points.storage());
}

}  // namespace mercer
