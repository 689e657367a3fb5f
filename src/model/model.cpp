#include "mercer/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/copy_of.hpp"
#include "base/file.hpp"
#include "kernels/linear_form.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/geometry.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels/precomputed.hpp"
#include "mercer/one_thread.hpp"
#include "mercer/plan.hpp"
#include "mercer/user_kernel.hpp"
#include "methods/kernel_weights.hpp"
#include "model/consistency.hpp"
#include "model/continuation.hpp"
#include "model/fit_steps.hpp"
#include "model/model_file.hpp"
#include "model/repair.hpp"
#include "model/solver_plan.hpp"

namespace mercer {

namespace {

void check_data(const Method& method, const Dataset& data) {
  if (data.rows() == 0) throw Error(ErrorCode::invalid_data, "there are no rows to learn from");
  if (!data.weights.empty() && data.weights.size() != data.rows())
    throw Error(ErrorCode::invalid_data,
                fmt::format("there are {} weights for {} rows", data.weights.size(), data.rows()));
  if (data.target.task != Task::none && data.target.size() != data.rows())
    throw Error(ErrorCode::invalid_data,
                fmt::format("the target has {} entries for {} rows", data.target.size(), data.rows()));
  if (!supervised(method.traits().task)) return;
  if (data.target.task == Task::none)
    throw Error(ErrorCode::missing_target,
                fmt::format("{} needs a target, and the data have none", method.name()),
                {.hints = {{Remedy::name_target}}});
  if (method.traits().task == Task::classification && data.target.task != Task::classification)
    throw Error(ErrorCode::wrong_target,
                fmt::format("{} needs classes, but the target is numeric", method.name()),
                {.hint = "take a method for numeric targets", .hints = {{Remedy::read_as_classes}}});
  if (data.target.outputs > 1 && !method.traits().multi_output)
    throw Error(ErrorCode::wrong_target,
                fmt::format("{} predicts one number, but the target has {} columns", method.name(),
                            data.target.outputs),
                {.hint = "take a method that predicts several", .hints = {{Remedy::name_other_target}}});
  const auto& values = data.target.values;
  const auto wrong = std::ranges::find_if(
      values, [&](double v) { return method.traits().missing_outputs ? std::isinf(v) : !std::isfinite(v); });
  if (wrong == values.end()) return;
  const std::size_t row = std::size_t(wrong - values.begin()) / data.target.outputs + 1;
  throw Error(ErrorCode::invalid_data, fmt::format("the target of row {} is {}", row, *wrong),
              {.row = row, .hint = "targets must be finite numbers"});
}

Target target_for(const Method& method, const Dataset& data) {
  if (method.traits().task != Task::regression || data.target.task == Task::regression) return data.target;
  return {Task::regression, data.target.name, {}, {}, data.target.numbers()};
}

/// Whether the kernel is positive semidefinite, by proof or, of a matrix that was given, by looking.
bool psd_on(const Method& method, const Kernel& kernel, const Points& points, const FitOptions& options) {
  if (kernel.properties().psd) return true;
  return method.traits().needs_psd && !options.allow_indefinite &&
         given_matrix_is_psd(kernel, points, options.threads);
}

/// Whether the kernel is positive semidefinite only conditionally, and that is enough.
bool conditional_will_do(const Method& method, const Kernel& kernel) {
  const Properties p = kernel.properties();
  const Conditional when = method.traits().conditional;
  if (p.psd || p.conditional_order == 0 || p.conditional_order > (when == Conditional::with_trend ? 2 : 1))
    return false;
  switch (when) {
    case Conditional::never:
      return false;
    case Conditional::always:
      return true;
    case Conditional::with_bias:
    case Conditional::with_trend:
      return std::get<Word>(method.get("bias")).text == words_of(Bias::free)[std::size_t(Bias::free)];
    case Conditional::with_constant_diagonal:
      return p.diagonal.has_value();
  }
  return false;
}

[[noreturn]] void refuse_conditional(const Method& method, const Kernel& kernel, int order) {
  if (order > 1)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} is positive semidefinite only conditionally, of order {}: for coefficients that are "
                    "orthogonal to 1 and to every column, which those of {} are not{}",
                    kernel.text(), order, method.name(),
                    method.traits().conditional == Conditional::with_trend ? " without a free bias" : ""),
        {.hint = "ridge and ols with bias=free take it; distance and multiquadric are of order 1, which is "
                 "enough for svm and svr, too"});
  const bool biased = method.traits().conditional == Conditional::with_bias ||
                      method.traits().conditional == Conditional::with_trend;
  throw Error(
      ErrorCode::unsupported,
      fmt::format("{} is positive semidefinite only conditionally, of order 1: for coefficients that sum "
                  "to 0, which those of {} need not{}",
                  kernel.text(), method.name(),
                  biased ? " without a free bias"
                  : method.traits().conditional == Conditional::with_constant_diagonal
                      ? " where k(x, x) is not constant"
                      : ""),
      {.hint = fmt::format("{}center({}) is positive semidefinite and will do",
                           biased ? "take bias=free; or " : "", kernel.text())});
}

/// Features stand for a kernel only where it is one: conditional kernels are centred first.
void check_approximation_allowed(const Kernel& kernel, const FitOptions& options) {
  if (options.approx.empty() || options.approx == "none") return;
  throw Error(
      ErrorCode::unsupported,
      fmt::format("{} is positive semidefinite only conditionally and has no features to approximate",
                  kernel.text()),
      {.hint = kernel.properties().conditional_order == 1 ? fmt::format("center({}) has", kernel.text())
                                                          : "leave the approximation out"});
}

void check_kernel_allowed(const Method& method, const Kernel& kernel, const FitOptions& options) {
  const Proof proof = kernel.prove();
  if (proof.psd || !method.traits().needs_psd || options.allow_indefinite) return;
  if (const int order = kernel.properties().conditional_order) refuse_conditional(method, kernel, order);
  if (kernel.precomputed())
    throw Error(ErrorCode::unsupported,
                fmt::format("the kernel matrix is not positive semidefinite, or not symmetric, and the "
                            "problem of {} may then have no minimum, or several",
                            method.name()),
                {.hints = {{Remedy::take_indefinite}}});
  throw Error(ErrorCode::unsupported,
              fmt::format("{} is not proved positive semidefinite: {}\nThe problem of {} may then have no "
                          "minimum, or several",
                          kernel.text(), proof.because, method.name()),
              {.hints = {{Remedy::take_indefinite}}});
}

double tolerance_for(const Method& method, const FitOptions& options) {
  const double tolerance = options.tolerance.value_or(method.traits().tolerance);
  if (!(tolerance > 0))
    throw Error(ErrorCode::invalid_parameter, fmt::format("the tolerance must be > 0, not {:g}", tolerance));
  return tolerance;
}

void check_solver(const Method& method, const FitOptions& options) {
  const auto known = method.traits().solvers;
  if (options.solver == "auto" || std::ranges::find(known, options.solver) != known.end()) return;
  if (known.empty())
    throw Error(
        ErrorCode::unsupported, "there is one solver",
        {.owner = std::string(method.name()), .value = options.solver, .hints = {{Remedy::choose_solver}}});
  throw Error(ErrorCode::unsupported, fmt::format("there is no solver '{}'", options.solver),
              {.owner = std::string(method.name()),
               .value = options.solver,
               .hint = fmt::format("choose from auto, {}", fmt::join(known, ", "))});
}

void check_bounds_allowed(const Method& method, const FitOptions& options) {
  if (options.bounds.empty() || method.traits().finds_kernel_parameters) return;
  throw Error(
      ErrorCode::unsupported,
      fmt::format("{} does not search the numbers of the kernel, so that bounds say nothing", method.name()),
      {.hint = "gp does"});
}

void check_resumed(const Model& earlier, const Method& method, const std::vector<std::string>& labels,
                   std::size_t columns) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorCode::invalid_argument, "the model for the warm start " + what);
  };
  if (!method.traits().resumable)
    throw Error(ErrorCode::unsupported, fmt::format("{} cannot be warm-started from a model", method.name()),
                {.hints = {{Remedy::start_anew}}});
  if (earlier.method->name() != method.name())
    refuse(fmt::format("was fitted by {}, not by {}", earlier.method->name(), method.name()));
  if (earlier.columns != columns)
    refuse(fmt::format("has {} columns, but the data have {}", earlier.columns, columns));
  if (earlier.labels != labels)
    refuse(fmt::format("has the classes {}, but the data have {}", fmt::join(earlier.labels, ", "),
                       fmt::join(labels, ", ")));
}

Points with_more_columns(const Points& points, std::size_t cols, std::size_t before) {
  const Points sparse = points.to_sparse();
  return std::visit(
      [&]<class S>(const S& s) -> Points {
        if constexpr (requires { s.starts; }) {
          S wide{s.rows, cols, copy_of(s.starts), copy_of(s.indices), copy_of(s.values)};
          for (std::int32_t& index : wide.indices) index += std::int32_t(before);
          Points widened(std::move(wide));
          if (!points.ids().empty()) widened = widened.with_ids({points.ids().begin(), points.ids().end()});
          return points.sparse() ? widened : widened.to_dense();
        } else {
          return points;
        }
      },
      sparse.storage());
}

}  // namespace

Model Model::widened(std::size_t wider, std::size_t before) const {
  if (wider <= columns) return *this;
  if (map)
    throw Error(
        ErrorCode::invalid_data,
        fmt::format("the model has {} columns and a kernel approximation, but the data have {} columns",
                    columns, wider));
  Model wide = *this;
  wide.columns = wider;
  wide.fitted.expansion.points = with_more_columns(fitted.expansion.points, wider, before);
  std::vector<double> shift = scaling.shift(), scale = scaling.scale();
  const auto widen = [&](std::vector<double>& numbers, double fill) {
    if (numbers.empty()) return;
    numbers.insert(numbers.begin(), before, fill);
    numbers.resize(wider, fill);
  };
  widen(shift, 0);
  widen(scale, 1);
  if (fitted.rule == Rule::projection && is_dot_product(kernel())) widen(wide.fitted.centre, 0);
  std::vector<double>& trend = wide.fitted.expansion.trend;  // rows of it are columns of the data
  if (!trend.empty()) {
    const std::size_t outputs = fitted.expansion.outputs();
    trend.insert(trend.begin(), before * outputs, 0);
    trend.resize(wider * outputs, 0);
  }
  wide.scaling = Scaling(scaling.kind(), std::move(shift), std::move(scale));
  return wide;
}

void Model::save(const std::string& path, ModelFormat format) const {
  if (format == ModelFormat::automatic)
    format = path.ends_with(".model") ? ModelFormat::libsvm : ModelFormat::mercer;
  if (format == ModelFormat::libsvm)
    write_libsvm_model(path, to_libsvm(*this));
  else
    save_mercer(path, *this);
}

Model Model::load(const std::string& path) { return load(path, {}); }

Model Model::load(const std::string& path, std::span<const UserFunction> functions) {
  const bool is_libsvm = MappedFile(path).text().starts_with("svm_type ");
  return is_libsvm ? from_libsvm(path, read_libsvm_model(path)) : load_mercer(path, functions);
}

namespace {

/// An object without features, such as an empty text, is like nothing, itself included, and normalize(k) of
/// it is 0 with everything.
void warn_of_empty_objects(const Kernel& kernel, const Points& points, FitReport& report) {
  if (points.objects().empty()) return;
  const std::vector<double> own = self_similarities(kernel, points, points);
  const auto first = std::ranges::find(own, 0.0);
  if (first == own.end()) return;
  const auto count = std::ranges::count(own, 0.0);
  report.warnings.push_back(
      fmt::format("{} row{} no features for this kernel (k(x, x) = 0): row {}{}; {} 0 with every row", count,
                  count == 1 ? " has" : "s have", first - own.begin() + 1, count == 1 ? "" : " is the first",
                  count == 1 ? "its similarity is" : "their similarities are"));
}

/// A function that a program gives as a kernel may be anything. All solvers read one triangle of K.
void refuse_asymmetry(const Kernel& kernel, const Points& points) {
  if (std::ranges::none_of(user_functions(kernel), &UserFunction::is_kernel)) return;
  std::vector<std::size_t> rows(std::min<std::size_t>(points.rows(), 16));
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  const Points some = points.select_rows(rows);
  const std::size_t n = rows.size();
  std::vector<double> K(n * n);
  KernelOperator<double>(kernel, some, some, {.threads = 1}).matrix(K);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const double a = K[j * n + i], b = K[i * n + j];
          std::abs(a - b) > 1e-8 * std::max(std::abs(a), std::abs(b)))
        throw Error(ErrorCode::invalid_kernel,
                    fmt::format("{} is not symmetric: k(row {}, row {}) = {:.6g}, k(row {}, row {}) = {:.6g}",
                                kernel.text(), j + 1, i + 1, a, i + 1, j + 1, b),
                    {.row = j + 1, .hint = "a kernel has k(x, z) = k(z, x)"});
}

/// Refuses what can be told before any work. Whether the kernel is valid here: positive semidefinite, or
/// made so, or so enough for the method.
bool check_asked(const Method& method, const Kernel& kernel, const Dataset& data, const FitOptions& options) {
  const bool repaired = !options.repair.empty();
  if (repaired) check_repair(method, options);
  const bool conditional = !repaired && conditional_will_do(method, kernel);
  if (conditional) check_approximation_allowed(kernel, options);
  const bool valid = repaired || conditional || psd_on(method, kernel, data.points, options);
  if (!valid) check_kernel_allowed(method, kernel, options);
  check_bounds_allowed(method, options);
  check_solver(method, options);
  return valid;
}

}  // namespace

// A kernel's formula takes about as long as 64 products, of which 16 run at once.
bool is_brief_fit(const Points& points) {
  const std::size_t n = points.rows();
  return points.objects().empty() && n < 65536 && is_brief(n * n * (points.cols() + 64) / 16);
}

namespace {

/// Of some thousand rows at most, so that no part of the work takes long.
bool steps_are_brief(const Points& points) {
  const std::size_t n = points.rows();
  return points.objects().empty() && n < 65536 && is_brief(n * n * (points.cols() + 64) / 512);
}

}  // namespace

Model fit(const AnyMethod& method, const Kernel& kernel, const Dataset& data, const FitOptions& options,
          Scaling::Kind kind) {
  check_data(*method, data);
  // One thread is one also where rows are copied or checked. Whether a solver takes some steps or many
  // thousands of them nobody knows before.
  std::optional<OneThread> alone;
  if (options.threads == 1)
    alone.emplace();
  else if (steps_are_brief(data.points))
    alone.emplace(OneThread::a_while);
  if (options.resume && method->traits().online)
    return learn_on(*options.resume, method, kernel, data, options, kind);
  const bool valid = check_asked(*method, kernel, data, options);
  const double tolerance = tolerance_for(*method, options);
  if (kind != Scaling::Kind::none && data.points.cols() == 0 && !data.points.objects().empty())
    throw Error(ErrorCode::unsupported,
                "there are no columns of numbers to scale: objects are compared as they are",
                {.hint = "leave the scaling out"});
  const Scaling scaling = Scaling::fit(kind, data.points);
  const Points points = scaling.apply(data.points);
  const Target target = target_for(*method, data);
  const std::vector<double> weights = row_weights(data, options);
  const KernelWeights learned_weights =
      learn_weights(*method, {points, target, weights, kernel, options, tolerance});
  const Kernel& resolved = learned_weights.kernel;
  refuse_asymmetry(resolved, points);
  if (options.resume) check_resumed(*options.resume, *method, target.labels, points.cols());
  FitOptions left = options;
  left.seconds = std::max(options.seconds - learned_weights.seconds, 0.0);
  std::optional<KernelRepair> repair;
  if (!options.repair.empty()) repair.emplace(options.repair, resolved, points, left);
  const SolverPlan plan = repair ? SolverPlan{} : plan_solver(*method, resolved, points, left);
  // A method without a solver over features learns from a table of them.
  const bool table = plan.map && !plan.features;
  const Points learned = repair ? repair->rows() : table ? plan.map->apply(points, options.threads) : points;
  const Kernel used = repair ? precomputed() : table ? Kernel::parse("linear") : resolved;
  const Training training{learned,
                          target,
                          weights,
                          used,
                          left,
                          tolerance,
                          options.resume ? &options.resume->fitted : nullptr,
                          plan.features,
                          plan.over_features()};
  Model model{.method = method,
              .fitted = method->fit(training),
              .scaling = scaling,
              .map = plan.map,
              .schema = data.schema};
  if (repair) repair->bring_back(model.fitted, resolved, points);
  FitReport& report = model.fitted.report;
  add_weights(report, learned_weights, training.over_features || model.fitted.expansion.kernel == used);
  if (plan.map) report.plan = {FitPlan::Way::primal, plan.map->features()};
  if (!plan.why.empty() && report.plan.way == FitPlan::Way::primal)
    report.solver = plan.why + (report.solver.empty() ? "" : "; " + report.solver);
  if (plan.map && !plan.map->exact())
    report.add("trace_left_over", "trace left over", plan.map->trace_left());
  if (plan.streamed_trace_left) report.add("trace_left_over", "trace left over", *plan.streamed_trace_left);
  if (plan.beyond_exact)
    report.warnings.push_back(
        {plan.why, {{Remedy::approximate, "nystrom:5000"}, {Remedy::no_approximation}}});
  if (method->traits().needs_psd && !valid)
    report.warnings.push_back(
        "the kernel is not proved positive semidefinite: the optimum may be a local one");
  warn_of_empty_objects(resolved, points, report);
  if (kind == Scaling::Kind::none && !resolved.precomputed())
    if (auto advice = scaling_advice(points, !report.converged && !report.cut_short))
      report.warnings.push_back(std::move(*advice));
  if (resolved.precomputed()) {  // their values are of no use for new rows
    Points& kept = model.fitted.expansion.points;
    kept = known_by_ids({kept.ids().begin(), kept.ids().end()}, points.cols());
  }
  if (!model.fitted.clusters.empty())
    model.labels = model.fitted.clusters;
  else if (has_classes(model.fitted.rule))
    model.labels = target.labels;
  model.columns = points.cols();
  model.rows = data.rows();
  if (options.probabilities) calibrate(model, training);
  return model;
}

PlanExplanation explain_plan(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                             const FitOptions& options, Scaling::Kind kind) {
  check_data(*method, data);
  check_asked(*method, kernel, data, options);
  const Points points = Scaling::fit(kind, data.points).apply(data.points);
  const Kernel resolved = kernel.resolve(points);
  const SolverCosts costs = solver_costs(*method, resolved, points, options);
  PlanExplanation found{.features = costs.features,
                        .no_primal = costs.none_because,
                        .primal = costs.primal,
                        .dual = costs.dual};
  if (!options.repair.empty()) {
    found.why = "dual: a repaired kernel is a matrix";
    return found;
  }
  const SolverPlan plan = plan_solver(*method, resolved, points, options);
  if (plan.features || plan.map)
    found.plan = {FitPlan::Way::primal, plan.map ? plan.map->features() : plan.features->features()};
  const bool dual = found.plan.way == FitPlan::Way::dual;
  const std::size_t n = points.rows();
  if (!plan.why.empty())
    found.why = plan.why;
  else if (options.solver != "auto")
    found.why = fmt::format("{}, as asked", options.solver);
  else if (dual && !costs.features)
    found.why = "dual: " + costs.none_because;
  else if (dual && costs.primal < costs.dual)
    found.why = fmt::format("dual: over K of {} rows any way is quick", n);
  else
    found.why = dual ? fmt::format("dual: {} rows of K cost less than {} features", n, *costs.features)
                     : fmt::format("primal: {} features are fewer than {} rows", found.plan.features, n);
  return found;
}

}  // namespace mercer
