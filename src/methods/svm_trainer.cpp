#include "methods/svm_trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "data/equal_rows.hpp"
#include "methods/linear_weights.hpp"
#include "operators/compiled_kernel.hpp"
#include "solvers/box_qp.hpp"

namespace mercer {

SvmTrainer::SvmTrainer(const Training& training, const std::vector<std::vector<std::size_t>>& parts,
                       Rule rule, std::size_t width, std::size_t problems)
    : training_(training),
      rule_(rule),
      width_(width),
      keep_all_(looks_at_all_points(training.kernel)),
      begins_{0},
      watch_(training.options),
      problems_(problems) {
  for (const auto& part : parts) {
    for (const std::size_t row : part)
      if (training.weights.empty() || training.weights[row] > 0) rows_.push_back(row);
    begins_.push_back(rows_.size());
  }
  if (rows_.empty()) throw Error(ErrorCode::invalid_data, "there are no rows to learn from");
  find_points();
  if (training.start) {
    if (training.start->rule != rule)
      throw Error(
          ErrorCode::invalid_argument,
          "the model for the warm start is one-vs-one and this fit one-vs-rest, or the other way round",
          {.hint = "set multiclass alike"});
    find_coefficients(*training.start);
  }
  if (training.features && solutions())
    throw Error(ErrorCode::unsupported, "a support vector machine over features keeps no solutions so far",
                {.hint = "it is solved in a few passes over them"});
  bounded_.assign(size(), 0);
  report_.converged = true;
  features_ ? check_features() : make_operators();
}

template <class T>
KernelOperator<T> SvmTrainer::operator_of(const OperatorOptions& options) const {
  KernelOperator<T> all(training_.kernel, points_, options);
  return selected_.empty() ? std::move(all) : all.select(selected_);
}

void SvmTrainer::make_operators() {
  OperatorOptions options{.threads = training_.options.threads};
  const double n = double(point_count());
  // 12 bytes: K in float64 and in float32.
  if (compares_pairs(training_.kernel) && n * n * 12 < double(training_.options.memory) / 2)
    options = {.storage = OperatorOptions::Storage::held,
               .memory = training_.options.memory,
               .threads = training_.options.threads,
               .progress = training_.options.progress};
  options.row_ids = row_ids_;
  exact_.emplace(operator_of<double>(options));
  std::vector<double> diagonal(point_count());
  exact_->diagonal(diagonal);
  largest_diagonal_ = *std::ranges::max_element(diagonal);
  options.note_overflow = true;
  narrow_.emplace(operator_of<float>(options));
  if (!narrow_->finite()) narrow_.reset();
}

void SvmTrainer::find_points() {
  const Points& all = training_.points;
  if (training_.features && training_.features->landmarks()) {
    points_ = all;
    features_ = *training_.features;
    point_of_.assign(rows_.begin(), rows_.end());
    return;
  }
  std::vector<std::size_t> first_of(all.rows());
  if (keep_all_)
    std::iota(first_of.begin(), first_of.end(), std::size_t(0));
  else
    first_of = find_rows(all, all, training_.options.threads);
  std::vector<std::size_t> chosen;
  std::vector<std::size_t> last_point(all.rows(), no_row);
  for (std::size_t p = 0; p + 1 < begins_.size(); ++p) {
    const std::size_t before = chosen.size();
    for (std::size_t i = part(p).begin; i < part(p).end; ++i) {
      std::size_t& point = last_point[first_of[rows_[i]]];
      if (point == no_row || point < before) {  // not met in this part
        point = chosen.size();
        chosen.push_back(rows_[i]);
      }
      point_of_.push_back(std::int32_t(point));
    }
    part_points_.push_back(chosen.size() - before);
  }
  points_ = all;
  const bool all_in_order = std::ranges::is_sorted(chosen) && chosen.size() == all.rows();
  if (training_.features) features_ = all_in_order ? *training_.features : training_.features->select(chosen);
  if (all_in_order) return;
  row_ids_ = chosen;
  // Rows that are read where they are need not be laid out anew; of kernels with means over the rows, these
  // are the rows.
  if (!keep_all_ && !all.sparse() && all.objects().empty() && all.bytes() > OperatorOptions().largest_copy)
    selected_ = std::move(chosen), row_ids_.clear();
  else
    points_ = all.select_rows(chosen);
}

// The earlier expansion's points are looked for among the rows, those of a class in its part.
void SvmTrainer::find_coefficients(const Fitted& start) {
  const Expansion earlier = over_support(start);
  before_.assign(size() * width_, 0);
  bool any = false;
  std::size_t first = 0;
  for (std::size_t b = 0; b < earlier.blocks.size(); ++b) {
    const Range range = rule_ == Rule::one_vs_one ? part(b) : Range{0, size()};
    std::vector<std::size_t> block(earlier.blocks[b]);
    std::iota(block.begin(), block.end(), first);
    first += block.size();
    const auto found =
        find_rows(training_.points.select_rows(std::span(rows_).subspan(range.begin, range.size())),
                  earlier.points.select_rows(block), training_.options.threads);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] == no_row) continue;
      any = true;
      std::copy_n(earlier.coefficients.data() + block[found[i]] * width_, width_,
                  before_.data() + (range.begin + i) * width_);
    }
  }
  if (earlier.points.rows() < start.report.support_vectors)
    report_.warnings.push_back(
        "the earlier model keeps weights, not support vectors: the fit started from zero");
  else if (!any)
    report_.warnings.push_back(
        "none of the earlier model's support vectors is among the rows: the fit started from zero");
}

double SvmTrainer::spread() const {
  const std::size_t n = point_count();
  std::vector<double> diagonal(n), first(n);
  exact_->diagonal(diagonal);
  exact_->columns(std::vector<std::size_t>{0}, first);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, diagonal[i] - 2 * first[i] + diagonal[0]);
  return largest;
}

std::optional<std::pair<std::size_t, std::size_t>> SvmTrainer::same_point(std::size_t p,
                                                                          std::size_t q) const {
  const auto rows_of = [&](std::size_t k) { return std::span(rows_).subspan(part(k).begin, part(k).size()); };
  const auto found = find_rows(training_.points.select_rows(rows_of(p)),
                               training_.points.select_rows(rows_of(q)), training_.options.threads);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] != no_row) return std::pair(row(part(p).begin + i), row(part(q).begin + found[i]));
  std::vector<double> diagonal(point_count()), column(point_count());
  exact_->diagonal(diagonal);
  for (std::size_t i = part(p).begin; i < part(p).end; ++i) {
    const auto a = std::size_t(point_of_[i]);
    exact_->columns(std::vector<std::size_t>{a}, column);
    for (std::size_t j = part(q).begin; j < part(q).end; ++j) {
      const auto b = std::size_t(point_of_[j]);
      const double scale = std::max(diagonal[a], diagonal[b]);
      if (diagonal[a] - 2 * column[b] + diagonal[b] <= 8 * std::numeric_limits<double>::epsilon() * scale)
        return std::pair(row(i), row(j));
    }
  }
  return std::nullopt;
}

SmoResult SvmTrainer::solve(const BoxQp& problem, double tolerance) {
  for (std::size_t v = 0; v < problem.size(); ++v)
    if (!std::isfinite(problem.upper[v] - problem.lower[v]))
      throw Error(
          ErrorCode::invalid_argument,
          fmt::format("the penalty of row {}, C times its weight, overflows", rows_[problem.points[v]] + 1),
          {.hint = "lower C or the weight"});
  const DeduplicatedQp merged(problem, point_of_);
  const Progress progress = [&](std::string_view what, double fraction) {
    try {
      return go_on(what, fraction);
    } catch (const Error& error) {  // ranks stop together
      if (!ranks_of_problem() || error.kind() != ErrorKind::cancelled) throw;
      cancelled_ = true;
      return false;
    }
  };
  SmoResult result = features_     ? solve_over_weights(merged.problem(), progress, tolerance)
                     : solutions() ? solve_from_kept(merged.problem(), progress, tolerance)
                                   : solve_over_kernel(merged.problem(), progress, tolerance);
  if (features_ && ranks_of_problem()) take_first(*ranks_, result);  // all have solved it
  result.beta = merged.split(result.beta);
  std::vector<double> f(size());
  for (std::size_t i = 0; i < size(); ++i) f[i] = result.f[std::size_t(point_of_[i])];
  result.f = std::move(f);
  if (ranks_of_problem()) {
    stopped_ = stopped_ || result.stopped;
    if (result.stopped && ranks_->any(cancelled_))
      throw Error(ErrorCode::cancelled, "stopped before the end");
  }
  ++solved_;
  iterations_ += result.steps;
  return result;
}

SvmTrainer::Solved SvmTrainer::summary(const BoxQp& problem, const SmoResult& result,
                                       const Outcome& outcome) {
  Solved solved{.report = counted(problem, result.beta),
                .violation = result.certificate.violation * outcome.violation_scale,
                .gap = result.certificate.gap * outcome.gap_scale,
                .converged = result.converged};
  solved.report.iterations = result.steps;
  solved.report.objective = outcome.objective;
  solved.report.rho = outcome.rho;
  solved.report.found = outcome.found;
  for (std::size_t v = 0; v < problem.size(); ++v)
    if (problem.at_bound(v, result.beta[v])) solved.bounded.push_back(problem.points[v]);
  // The loss whose dual the box is: C·L = max over l ≤ β ≤ u of β(ρ − G). A row with two variables has it in
  // two parts.
  std::vector<std::uint8_t> variables(result.f.size(), 0);
  for (const std::int32_t point : problem.points) ++variables[std::size_t(point)];
  for (std::size_t v = 0; v < problem.size(); ++v) {
    const auto point = std::size_t(problem.points[v]);
    const double below = result.certificate.rho[problem.group(v)] - result.f[point] - problem.linear[v];
    solved.norm += result.beta[v] * result.f[point];
    solved.loss += std::max(problem.upper[v] * below, problem.lower[v] * below);
    solved.penalty += (problem.upper[v] - problem.lower[v]) / variables[point];
  }
  solved.norm *= outcome.gap_scale;
  solved.loss *= std::sqrt(outcome.gap_scale);
  return solved;
}

void SvmTrainer::add(const Solved& solved) {
  report_.norm = report_.norm.value_or(0) + solved.norm;
  loss_ += solved.loss;
  penalty_ += solved.penalty;
  report_.problems.push_back(solved.report);
  report_.objective += solved.report.objective;
  report_.violation = std::max(report_.violation, solved.violation);
  report_.gap += solved.gap;
  report_.converged = report_.converged && solved.converged;
  for (const std::int32_t row : solved.bounded) bounded_[row] = 1;
}

Fitted SvmTrainer::finish(std::vector<double> coefficients, std::vector<double> rho) {
  Fitted fitted{.expansion = {.kernel = training_.kernel}, .rule = rule_, .rho = std::move(rho)};
  Expansion& e = fitted.expansion;
  e.width = width_;
  std::vector<std::size_t> kept;
  for (std::size_t p = 0; p + 1 < begins_.size(); ++p) {
    std::size_t count = 0;
    for (std::size_t i = part(p).begin; i < part(p).end; ++i) {
      const auto row = std::span(coefficients).subspan(i * width_, width_);
      const bool supports = std::ranges::any_of(row, [](double c) { return c != 0; });
      report_.support_vectors += supports;
      report_.bounded_support_vectors += supports && bounded_[i];
      if (!supports && !keep_all_) continue;
      kept.push_back(rows_[i]);
      e.coefficients.insert(e.coefficients.end(), row.begin(), row.end());
      ++count;
    }
    e.blocks.push_back(count);
  }
  if (rule_ != Rule::one_vs_one) e.blocks = {kept.size()};
  fitted.support.rows = std::move(kept);
  if (training_.over_features) {
    keep_feature_weights(coefficients, fitted);
  } else {
    e.points = training_.points.select_rows(fitted.support.rows);
    // A fit that was cut short can go on from the support vectors alone.
    if (report_.converged) keep_weights(fitted, true);
  }
  if (streams())
    report_.solver =
        fmt::format("Newton's method over {} features, {} passes over the rows", features_->features(),
                    evaluations_ / std::max<std::size_t>(1, size() * features_->features()));
  report_.cut_short = cut_short();
  report_.iterations = iterations_;
  report_.kernel_evaluations = ranks_ ? ranks_->sum(evaluations_) : evaluations_.load();
  report_.seconds = watch_.seconds();
  report_.tolerance = training_.tolerance;
  if (penalty_ > 0) report_.loss = loss_ / penalty_;
  if (!report_.converged && !report_.cut_short)
    report_.warnings.push_back(
        fmt::format("the tolerance was not reached: the violation is {:.3g}", report_.violation));
  fitted.report = std::move(report_);
  return fitted;
}

ProblemReport counted(const BoxQp& problem, std::span<const double> beta) {
  ProblemReport report{.variables = problem.size()};
  for (std::size_t v = 0; v < problem.size(); ++v) {
    report.coefficient_sum += std::abs(beta[v]);
    report.support_vectors += beta[v] != 0;
    report.bounded_support_vectors += problem.at_bound(v, beta[v]);
  }
  return report;
}

std::vector<std::vector<std::size_t>> all_rows(const Training& training) {
  std::vector<std::size_t> rows(training.points.rows());
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  return {rows};
}

std::vector<std::vector<std::size_t>> rows_by_class(const Training& training) {
  std::vector<std::vector<std::size_t>> rows(training.target.labels.size());
  for (std::size_t i = 0; i < training.target.codes.size(); ++i) rows[training.target.codes[i]].push_back(i);
  const auto has_weight = [&](const auto& list) {
    return std::ranges::any_of(
        list, [&](std::size_t i) { return training.weights.empty() || training.weights[i] > 0; });
  };
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (!has_weight(rows[c]))
      throw Error(ErrorCode::invalid_data,
                  fmt::format("class '{}' has no row with weight above 0", training.target.labels[c]));
  if (rows.size() < 2)
    throw Error(ErrorCode::invalid_data,
                rows.empty() ? "there are no rows to learn from"
                             : fmt::format("all rows have the label '{}'; two classes or more are needed",
                                           training.target.labels[0]));
  return rows;
}

}  // namespace mercer
