#include "methods/kernel_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/random.hpp"
#include "base/seconds.hpp"
#include "kernels/mkl.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/alignment.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_rows = 4000;
constexpr std::size_t most_rounds = 200;
constexpr std::size_t patience = 8;      // rounds without a better bound
constexpr double aim = 2e-4;             // of the bound
constexpr double enough = 1e-3;          // no warning below; the method's own tolerance may not allow more
constexpr double least = 1e-6;           // of a weight beside the largest, so that a term may come back
constexpr double left_out_below = 1e-3;  // of the shares, where the bound says that a term is not needed

/// The rows to learn the weights from, and how many rows each of them stands for.
struct Sample {
  std::vector<std::size_t> rows;
  std::vector<double> weights;  // with the row's own; empty where all are 1
};

Sample draw(const Training& training) {
  const Target& target = training.target;
  std::vector<std::vector<std::size_t>> groups(target.task == Task::classification ? target.labels.size()
                                                                                   : 1);
  std::size_t n = 0;
  for (std::size_t i = 0; i < training.points.rows(); ++i) {
    if (!training.weights.empty() && training.weights[i] == 0) continue;
    groups[target.task == Task::classification ? std::size_t(target.codes[i]) : 0].push_back(i);
    ++n;
  }
  Random random(training.options.seed);
  std::vector<std::pair<std::size_t, double>> chosen;
  for (auto& group : groups) {
    const std::size_t all = group.size(),
                      share =
                          n <= most_rows ? all : std::min(all, std::max<std::size_t>(2, all * most_rows / n));
    if (share < all)
      for (std::size_t i = 0; i < share; ++i) std::swap(group[i], group[i + random.below(all - i)]);
    for (std::size_t i = 0; i < share; ++i)
      chosen.emplace_back(group[i], double(all) / double(share) *
                                        (training.weights.empty() ? 1.0 : training.weights[group[i]]));
  }
  std::ranges::sort(chosen);
  Sample sample;
  const bool plain = training.weights.empty() && n <= most_rows;
  for (const auto& [row, weight] : chosen) {
    sample.rows.push_back(row);
    if (!plain) sample.weights.push_back(weight);
  }
  return sample;
}

/// The coefficients of each output over all points of the expansion: points × outputs. Those of a pair of
/// classes are in two blocks.
std::vector<double> coefficients_by_output(const Fitted& fitted, std::size_t& outputs) {
  const Expansion& e = fitted.expansion;
  const std::size_t blocks = e.blocks.size(), n = e.points.rows();
  const bool pairs = fitted.rule == Rule::one_vs_one;
  outputs = pairs ? blocks * (blocks - 1) / 2 : e.outputs();
  // Of i < j.
  const auto pair = [&](std::size_t i, std::size_t j) { return i * (2 * blocks - i - 1) / 2 + j - i - 1; };
  std::vector<double> B(n * outputs);
  std::size_t row = 0;
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t end = row + e.blocks[b]; row < end; ++row)
      for (std::size_t c = 0; c < e.width; ++c) {
        const std::size_t output = !pairs ? b * e.width + c : c < b ? pair(c, b) : pair(b, c + 1);
        B[row * outputs + output] = e.coefficients[row * e.width + c];
      }
  return B;
}

double length(std::span<const double> x, double p) {
  const double largest = *std::ranges::max_element(x);
  if (std::isinf(p) || largest == 0) return largest;
  double sum = 0;
  for (const double value : x) sum += std::pow(value / largest, p);
  return largest * std::pow(sum, 1 / p);
}

void bring_to_length_one(std::vector<double>& theta, double p) {
  const double floor = least * *std::ranges::max_element(theta);
  for (double& value : theta) value = std::max(value, floor);
  const double all = length(theta, p);
  for (double& value : theta) value /= all;
}

double bound_of(std::span<const double> theta, std::span<const double> q, double p) {
  return length(q, p == 1 ? INFINITY : p / (p - 1)) /
             std::inner_product(q.begin(), q.end(), theta.begin(), 0.0) -
         1;
}

/// One term's steps on the way: ever longer while they go one way, so that a term that is not needed soon
/// goes.
struct Pace {
  double factor = 1, last = 0;
  double next(double step) {
    factor = step * last > 0   ? std::min(factor * 1.5, 50.0)
             : step * last < 0 ? std::max(1.0, factor / 4)
                               : factor;
    last = step;
    return std::clamp(factor * step, -4.0, 1.0);
  }
};

void move(std::vector<double>& theta, std::span<const double> q, double p, std::vector<Pace>& paces) {
  std::vector<double> target(theta.size());
  for (std::size_t m = 0; m < theta.size(); ++m)
    target[m] = std::pow(theta[m] * std::sqrt(q[m]), 2 / (p + 1));
  const double all = length(target, p);
  for (std::size_t m = 0; m < theta.size(); ++m)
    theta[m] *= std::exp(paces[m].next(std::log(std::max(target[m] / all, 1e-300) / theta[m])));
  bring_to_length_one(theta, p);
}

class Learner {
 public:
  Learner(const Method& method, const Training& training, const OpenWeights& open)
      : method_(method),
        training_(training),
        open_(open),
        sample_(draw(training)),
        points_(training.points.select_rows(sample_.rows)),
        target_(training.target.select_rows(sample_.rows)),
        p_(open.norm()) {
    const Points inside = open.points_inside(training.points), sampled = inside.select_rows(sample_.rows);
    for (const Kernel& term : open.terms()) {
      terms_.push_back(term.resolve(inside));
      scales_.push_back(scale_of(terms_.back(), sampled));
      unit_.push_back(open.added_by(1 / scales_.back() * terms_.back()).resolve(training.points));
    }
  }

  KernelWeights learn() {
    align();
    if (terms_.size() > 1 && method_.traits().penalises_norm && training_.kernel.properties().psd) solve();
    KernelWeights found{.kernel = kernel(left_out()),
                        .terms = terms_,
                        .weights = {},
                        .shares = {},
                        .rounds = rounds_,
                        .bound = bound_,
                        .rows = sample_.rows.size(),
                        .cut_short = cut_short_,
                        .seconds = seconds_since(start_),
                        .warnings = warnings_};
    const double all = std::accumulate(theta_.begin(), theta_.end(), 0.0);
    for (std::size_t m = 0; m < theta_.size(); ++m) {
      found.weights.push_back(theta_[m] / scales_[m]);
      found.shares.push_back(theta_[m] / all);
    }
    return found;
  }

 private:
  double scale_of(const Kernel& term, const Points& inside) const {
    const KernelOperator<double> gram(term, inside, {.threads = training_.options.threads});
    std::vector<double> diagonal(inside.rows());
    gram.diagonal(diagonal);
    const double mean = std::accumulate(diagonal.begin(), diagonal.end(), 0.0) / double(inside.rows());
    const double variance = centred_variance(term, inside, training_.options.threads);
    // A constant has no variance, but may serve as a bias.
    const double scale = variance > 1e-12 * mean ? variance : mean;
    if (scale > 0) return scale;
    throw Error(ErrorCode::invalid_data,
                fmt::format("{} is {} on the rows to learn from", term.text(),
                            mean == 0 ? "0" : "negative on the whole"),
                {.owner = "mkl", .hint = "leave it out"});
  }

  void align() {
    theta_.assign(terms_.size(), 1);
    if (terms_.size() > 1) {
      std::vector<std::size_t> all(sample_.rows.size());
      std::iota(all.begin(), all.end(), std::size_t(0));
      const Alignments sums =
          alignments(unit_, points_, centred_target(target_, all), training_.options.threads, progress(0, 0));
      const std::vector<double> best = non_negative_minimum(sums.products, sums.agreement);
      if (std::ranges::any_of(best, [](double v) { return v > 0; }))
        theta_ = best;
      else
        warnings_.emplace_back("mkl: no kernel agrees with the target; all have the same share");
    }
    const double all = length(theta_, p_);
    for (double& value : theta_) value /= all;
  }

  void solve() {
    const std::vector<double> aligned = theta_;
    const double largest = *std::ranges::max_element(theta_);
    for (double& value : theta_)
      value = std::max(value, 0.01 * largest);  // alignment may have left out what the method can use
    bring_to_length_one(theta_, p_);
    std::vector<double> best = aligned;
    std::vector<Pace> paces(theta_.size());
    std::optional<Fitted> before;
    double best_bound = INFINITY, first_bound = INFINITY;
    for (std::size_t round = 1, better = 1;
         round <= most_rounds && round <= better + patience && best_bound > aim; ++round) {
      const double done =
          round == 1 ? 0
                     : std::clamp(std::log(first_bound / best_bound) / std::log(first_bound / aim), 0.0, 1.0);
      auto fitted = fit(before ? &*before : nullptr, done);
      if (!fitted) break;
      const std::vector<double> q = norms_under(unit_, *fitted, training_.options.threads);
      if (!(std::inner_product(q.begin(), q.end(), theta_.begin(), 0.0) > 0)) {
        warnings_.emplace_back(
            "mkl: the function fitted is constant, so that nothing tells the kernels apart; their weights "
            "are those of greatest alignment");
        break;
      }
      rounds_ = round;
      const double bound = bound_of(theta_, q, p_);
      if (round == 1) first_bound = bound;
      if (bound < best_bound) best_bound = bound, best = theta_, needed_ = q, better = round;
      move(theta_, q, p_, paces);
      before = std::move(fitted);
    }
    theta_ = best;
    bound_ = rounds_ > 0 ? best_bound : 0;
    if (rounds_ > 0 && bound_ > enough)
      warnings_.push_back(
          fmt::format("mkl: the weights were not found to the end{}: the bound is {:.2g} (aim {:g})",
                      cut_short_ ? ", as the time was over" : "", bound_, enough));
  }

  /// The method with the weights as they are; none where the time is over.
  std::optional<Fitted> fit(const Fitted* before, double done) {
    FitOptions options = training_.options;
    options.seconds = options.seconds / 2 - seconds_since(start_);
    if (options.seconds <= 0 || cut_short_) return cut_short_ = true, std::nullopt;
    options.solver = "auto";
    options.probabilities = false;
    options.resume = nullptr;
    options.progress = progress(done, done + (1 - done) / 10);
    const Kernel weighted = kernel(std::vector<bool>(terms_.size()));
    try {
      Fitted fitted =
          method_.fit({points_, target_, sample_.weights, weighted, options,
                       std::min(training_.tolerance, 1e-4), method_.traits().resumable ? before : nullptr});
      if (!fitted.report.cut_short) return fitted;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::budget || seconds_since(start_) < training_.options.seconds / 2) throw;
    }
    cut_short_ = true;
    return std::nullopt;
  }

  Progress progress(double begin, double end) {
    const Progress& outer = training_.options.progress;
    if (!outer) return {};
    return [&outer, begin, end](std::string_view what, double fraction) {
      return outer(fmt::format("kernel weights: {}", what), begin + (end - begin) * fraction);
    };
  }

  /// Terms that are not needed; their θ becomes 0, and the others are brought to length 1.
  std::vector<bool> left_out() {
    std::vector<bool> out(theta_.size());
    const double all = std::accumulate(theta_.begin(), theta_.end(), 0.0);
    for (std::size_t m = 0; m < theta_.size(); ++m) {
      out[m] = theta_[m] == 0 || (p_ == 1 && !needed_.empty() && theta_[m] < left_out_below * all &&
                                  needed_[m] < *std::ranges::max_element(needed_));
      if (out[m]) theta_[m] = 0;
    }
    const double rest = length(theta_, p_);
    for (double& value : theta_) value /= rest;
    return out;
  }

  Kernel kernel(const std::vector<bool>& out) const {
    std::vector<Kernel> weighted;
    for (std::size_t m = 0; m < terms_.size(); ++m)
      if (!out[m]) weighted.push_back(theta_[m] / scales_[m] * terms_[m]);
    const Kernel first = weighted.front();
    weighted.erase(weighted.begin());
    return open_.with(weighted.empty() ? first : add(first, std::move(weighted))).resolve(training_.points);
  }

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const Method& method_;
  const Training& training_;
  const OpenWeights& open_;
  Sample sample_;
  Points points_;
  Target target_;
  double p_;
  std::vector<Kernel> terms_, unit_;  // as written; and what each adds to the kernel, of scale 1
  std::vector<double> scales_, theta_, needed_;
  std::size_t rounds_ = 0;
  double bound_ = 0;
  bool cut_short_ = false;
  std::vector<Note> warnings_;
};

}  // namespace

std::vector<double> norms_under(std::span<const Kernel> kernels, const Fitted& fitted, int threads) {
  const Points& points = fitted.expansion.points;
  std::size_t outputs = 0;
  const std::vector<double> B = coefficients_by_output(fitted, outputs);
  std::vector<double> q, KB(B.size());
  for (const Kernel& kernel : kernels) {
    if (!B.empty()) KernelOperator<double>(kernel, points, {.threads = threads}).multiply(B, outputs, KB);
    q.push_back(std::max(0.0, std::inner_product(B.begin(), B.end(), KB.begin(), 0.0)));
  }
  return q;
}

KernelWeights learn_weights(const Method& method, const Training& training) {
  const auto open = OpenWeights::find(training.kernel);
  if (!open) return {.kernel = training.kernel.resolve(training.points)};
  if (training.target.task == Task::none || !supervised(method.traits().task))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("mkl learns its weights from a target, and {} has none", method.name()),
                {.hint = "write a sum with weights of your own"});
  if (std::ranges::all_of(training.weights, [](double w) { return w == 0; }) && !training.weights.empty())
    throw Error(ErrorCode::invalid_data, "there are no rows to learn from");
  KernelWeights learned = Learner(method, training, *open).learn();
  if (learned.rows < training.points.rows())
    learned.warnings.push_back(
        fmt::format("mkl: the weights were learned on {} of {} rows", learned.rows, training.points.rows()));
  return learned;
}

void add_weights(FitReport& report, const KernelWeights& learned, bool kept) {
  if (learned.terms.empty()) return;
  const std::string how = learned.rounds > 0 ? fmt::format("kernel weights in {} rounds", learned.rounds)
                                             : "kernel weights of the greatest alignment with the target";
  report.solver = how + (kept ? "" : ", from which the method went on") +
                  (report.solver.empty() ? "" : "; " + report.solver);
  if (kept) {
    std::vector<std::string> terms;
    for (const Kernel& term : learned.terms) terms.push_back(term.text());
    report.diagnostics.push_back({"kernel_weights", "weight of", learned.weights, "", terms});
    report.diagnostics.push_back({"kernel_shares", "share of", learned.shares, "", terms});
  }
  if (learned.rounds > 0) {
    report.add("kernel_weight_rounds", "rounds of kernel weights", double(learned.rounds));
    report.add("kernel_weight_bound", "bound of kernel weights", learned.bound);
  }
  report.warnings.insert(report.warnings.end(), learned.warnings.begin(), learned.warnings.end());
  report.seconds += learned.seconds;
}

}  // namespace mercer
