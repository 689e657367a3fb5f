#include "mercer/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/sample.hpp"
#include "kernels/linear_form.hpp"
#include "kernels/mkl.hpp"
#include "mercer/disk_arrays.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/model.hpp"
#include "mercer/plan.hpp"
#include "model/fit_steps.hpp"
#include "model/solver_plan.hpp"
#include "solvers/feature_system.hpp"

namespace mercer {

namespace {

std::string time_text(double seconds) {
  if (seconds > 7200) return fmt::format("{:.0f} hours", seconds / 3600);
  if (seconds > 120) return fmt::format("{:.0f} minutes", seconds / 60);
  return seconds >= 10 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.2g} s", seconds);
}

using Clock = std::chrono::steady_clock;

double seconds_of(const auto& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double usual_passes = 15;  // of least squares by conjugate gradients
// Of a support vector machine of many rows, for two classes: a sample as small as is measured has no sketch.
constexpr double usual_machine_passes = 25, usual_machine_systems = 40;

// What this machine takes, all its threads at work.
struct MeasuredCosts {
  double entry = 0;      // a kernel value and its two products, seconds
  double operation = 0;  // one of a product of float32 matrices
  double passes = 1;     // of a fit
  double systems = 1;    // of a fit, each with a preconditioner
  double near_rows = 0;  // for each feature: those that these systems are over; 0: all rows
  bool normal = false;   // ΦᵀΦ is computed, however many features there are
  bool squares = false;  // least squares: over few features they are one pass (methods/least_squares.cpp)
};

double operation_seconds(int threads) {
  constexpr std::size_t size = 512;
  const Buffer<float> A(size * size, 0.5F), B(size * size, 0.25F);
  Buffer<float> C(size * size);
  const SingleThreadedBlas one_thread;
  const auto product = [&] {
    gemm<float>(CblasNoTrans, CblasNoTrans, size, size, size, 1, A.data(), size, B.data(), size, 0, C.data(),
                size);
  };
  product();  // loads the library
  const double all = double(threads > 0 ? threads : hardware_threads());
  return std::min(seconds_of(product), seconds_of(product)) / (2.0 * size * size * size) / all;
}

// A fit of a sample of the rows by passes over a part of the landmarks, and a pass alone.
MeasuredCosts measure_costs(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                            const FitOptions& options, Scaling::Kind kind, std::size_t landmarks) {
  constexpr std::size_t most_landmarks = 600, rows_for_each = 24;
  const std::size_t m = std::min(landmarks, most_landmarks);
  const Dataset sample = data.select_rows(
      sampled_rows(data.rows(), std::max<std::size_t>(rows_for_each * m, 4096), options.seed));
  const Points points = Scaling::fit(kind, sample.points).apply(sample.points);
  FitOptions how = options;
  how.memory = std::size_t(1) << 40;
  how.progress = {};
  how.seconds = std::numeric_limits<double>::infinity();
  const Target target = method->traits().task == Task::regression && sample.target.task != Task::regression
                            ? Target{Task::regression, sample.target.name, {}, {}, sample.target.numbers()}
                            : sample.target;
  const Kernel resolved = kernel.resolve(points);
  const SolverPlan plan =
      plan_passes(*method, {MapName::Kind::nystrom, m, LandmarkRule::uniform}, resolved, points, how);
  MeasuredCosts costs{.operation = operation_seconds(options.threads),
                      .normal = needs_normal_matrix(*method)};
  const std::size_t p = plan.features->features();
  std::vector<double> weights(p, 0.0), sums(p);
  const auto pass = [&] {
    plan.features->pass(
        weights, 1, [](Range, double*) {}, sums);
  };
  pass();
  costs.entry = std::min(seconds_of(pass), seconds_of(pass)) / double(points.rows() * p);
  if (method->traits().work == SolverWork::working_sets) {
    const double pairs = std::max(1.0, double(target.labels.size()) - 1);  // each has its own rows
    costs.passes = usual_machine_passes * pairs;
    costs.systems = usual_machine_systems * pairs;
    costs.near_rows = 8;
    return costs;
  }
  const double tolerance = options.tolerance.value_or(method->traits().tolerance);
  try {
    const Fitted fitted = method->fit({points, target, row_weights(sample, options), resolved, how, tolerance,
                                       nullptr, plan.features, true});
    costs.passes =
        std::max(1.0, std::round(double(fitted.report.kernel_evaluations) / double(points.rows() * p)));
    costs.squares = fitted.report.certificate == CertificateKind::normal_equations_residual;
    if (!costs.squares) costs.systems = double(std::max<std::size_t>(1, fitted.report.iterations));
  } catch (const Error&) {
    costs.passes = usual_passes;  // the sample cannot be learned from: it lacks a class, say
  }
  return costs;
}

// Landmarks among some rows, the factor of K_ZZ, the preconditioner or ΦᵀΦ, and the passes.
void estimate_time(BudgetPlan& plan, const MeasuredCosts& costs, const MapName& name, std::size_t rows) {
  const auto n = double(rows), m = double(std::min(name.count, rows));
  const bool normal = costs.normal || (costs.squares && m <= 512);
  const double reduction = costs.systems > 1 ? 1e-3 : FeatureSystem::usual_reduction;
  const double among = std::min(n, std::max(4 * m, 40'000.0)),
               sample = normal ? n
                        : costs.near_rows > 0
                            ? costs.near_rows * m
                            : double(FeatureSystem::sample_size(rows, std::size_t(m), reduction));
  const double choosing = name.rule == LandmarkRule::pivoted ? 2 * among * m * m : among * m;
  const double products = choosing + m * m * m + (normal ? 10 : 2 * costs.systems) * sample * m * m;
  plan.passes = std::size_t(normal ? 1 : costs.passes < 2 ? usual_passes : costs.passes);
  plan.pass_seconds = costs.entry * n * m;
  plan.seconds =
      double(plan.passes) * plan.pass_seconds + costs.operation * products + costs.entry * among * m;
}

// Of a support vector machine: that of two samples, and how it grew from the one to the other.
double exact_time_of_samples(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                             const FitOptions& options, Scaling::Kind kind) {
  constexpr std::size_t few = 5000, more = 4 * few;
  constexpr double steepest = 2.5;  // power of the number of rows
  FitOptions how = options;
  how.approx = "none";
  how.progress = {};
  const auto seconds = [&](std::size_t rows) {
    const Dataset sample = data.select_rows(sampled_rows(data.rows(), rows, options.seed));
    return std::max(1e-4, fit(method, kernel, sample, how, kind).fitted.report.seconds);
  };
  if (data.rows() <= more) return 0;
  try {
    const double first = seconds(few), second = seconds(more);
    const double power = std::clamp(std::log(second / first) / std::log(double(more) / few), 1.0, steepest);
    return second * std::pow(double(data.rows()) / more, power);
  } catch (const Error&) {
    return 0;  // the sample cannot be learned from: all rows may be
  }
}

// By conjugate gradients: some thirty products with K, held where there is room.
double exact_time(const MeasuredCosts& costs, std::size_t rows, std::size_t memory) {
  constexpr double steps = 30, held_entry = 0.25;  // a product with what is held takes a quarter of the time
  const auto entries = double(rows) * double(rows);
  const bool held = entries * sizeof(float) < double(memory) / 2;
  const double systems = costs.squares ? 1 : 8;  // of Newton's method
  return costs.entry * entries * (held ? 1 + systems * steps * held_entry : systems * steps);
}

[[noreturn]] void refuse_budget(const Method& method, const MapName& name, std::size_t needed,
                                std::size_t memory, std::size_t program, const Points& points) {
  const std::size_t fit =
      memory > program ? most_streamed_landmarks(method, name.rule, points, memory - program) : 0;
  const MapName single{name.kind, 1, name.rule};
  throw Error(
      ErrorCode::out_of_memory,
      fmt::format("{} takes {} MB with the data and the program, but {:.3g} MB are allowed", name.text(),
                  megabytes_text(needed), double(memory) / 1e6),
      {.hint = fit > 0 ? fmt::format("at most {} landmarks fit", fit)
                       : fmt::format("a single landmark would take {} MB",
                                     megabytes_text(program + streamed_bytes(method, single, points))),
       .hints = {{Remedy::more_memory}}});
}

std::size_t largest_within(const Method& method, const BudgetPlan& like, const MeasuredCosts& costs,
                           const Points& points, std::size_t memory, double seconds) {
  constexpr double share = 0.8;  // of the time: it is an estimate
  constexpr std::size_t least = 64;
  const bool timed = std::isfinite(seconds);
  std::size_t best = std::min(least, points.rows());
  for (double count = double(least); count <= 64'000 && count <= double(points.rows());
       count *= std::sqrt(2.0)) {
    const MapName name{MapName::Kind::nystrom, std::size_t(count)};
    BudgetPlan plan = like;
    estimate_time(plan, costs, name, points.rows());
    // More landmarks may take less time: a few hundred are solved for in another way.
    if (streamed_bytes(method, name, points) > memory) break;
    if (timed && plan.seconds > share * seconds) continue;
    best = name.count;
  }
  // Without a limit of time, no more than is usual.
  if (!timed) return landmarks_within(method, points, memory);
  return std::min(
      best, std::max<std::size_t>(1, most_streamed_landmarks(method, LandmarkRule::pivoted, points, memory)));
}

}  // namespace

std::string BudgetPlan::text() const {
  return fmt::format("{}, about {} pass{} of {} ({} in all), {:.2g} GB", approx, passes,
                     passes == 1 ? "" : "es", time_text(pass_seconds), time_text(seconds),
                     double(bytes) / 1e9);
}

BudgetPlan plan_budget(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                       const FitOptions& options, Scaling::Kind kind, std::size_t program) {
  // Targets, weights and numbers of rows, as they are read and as they are used.
  program += 4 * sizeof(double) * data.rows();
  constexpr std::size_t many = 50'000;  // rows below which a fit is soon done
  const bool open = options.approx == "nystrom", none = options.approx.empty(),
             timed = std::isfinite(options.seconds), beyond = beyond_exact(*method, data.points);
  if (!fits_by_passes(*method) || options.resume || !options.repair.empty() ||
      !data.points.objects().empty() || data.rows() == 0 || kernel.precomputed() || OpenWeights::find(kernel))
    return {};
  if (none && (LinearForm::of(kernel) || (!beyond && !(timed && data.rows() >= many)))) return {};
  if (!open && !none && !options.approx.starts_with("nystrom:")) return {};
  MapName name{MapName::Kind::nystrom, 1000};
  if (!open && !none) name = MapName::parse(options.approx);
  if (!open && !none && !streams_features(*method, name, data.points, options)) return {};
  const std::size_t memory = options.memory > program ? options.memory - program : 0;
  const MapName smallest{MapName::Kind::nystrom, 1, name.rule};
  std::size_t least = streamed_bytes(*method, open || none ? smallest : name, data.points);
  if (least > memory) {
    // With as much memory as that the rows may be taken into it: what is named as enough must be.
    if (on_disk(data.points) && 4 * data.points.bytes() <= least + least / 4)
      least += 2 * data.points.bytes();
    refuse_budget(*method, open || none ? smallest : name, least + program, options.memory, program,
                  data.points);
  }
  BudgetPlan plan;
  const bool working_sets = method->traits().work == SolverWork::working_sets;
  if (working_sets && none && !beyond) {
    plan.exact_seconds = exact_time_of_samples(method, kernel, data, options, kind);
    if (plan.exact_seconds <= options.seconds) return {};
  }
  const MeasuredCosts costs = measure_costs(method, kernel, data, options, kind, name.count);
  if (!working_sets) plan.exact_seconds = exact_time(costs, data.rows(), memory);
  if (none && !beyond && plan.exact_seconds <= options.seconds) return {};
  plan.chosen = open || none;
  if (plan.chosen) {
    name.count = largest_within(*method, plan, costs, data.points, memory, options.seconds);
    plan.why =
        !none ? fmt::format("the most landmarks within the {}", timed ? "time and the memory" : "memory")
        : plan.exact_seconds > 0 ? fmt::format("an exact solution of {} rows would take about {}",
                                               data.rows(), time_text(plan.exact_seconds))
                                 : fmt::format("an exact solution needs all {} rows in memory", data.rows());
  }
  estimate_time(plan, costs, name, data.rows());
  plan.approx = name.text();
  plan.bytes = program + streamed_bytes(*method, name, data.points, memory);
  return plan;
}

}  // namespace mercer
