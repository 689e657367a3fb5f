#include "model/solver_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/linear_form.hpp"
#include "mercer/disk_arrays.hpp"
#include "mercer/error.hpp"
#include "mercer/features.hpp"
#include "mercer/methods/gp.hpp"
#include "mercer/plan.hpp"
#include "solvers/evidence.hpp"
#include "solvers/feature_box.hpp"
#include "solvers/feature_system.hpp"
#include "solvers/landmark_map.hpp"

namespace mercer {

namespace {

constexpr std::size_t exact_range = 300'000;
constexpr std::size_t landmarks_beyond = 4000;
// Of fewer rows support vector machines over K take a blink; of rows sparse and wide, half as many; where the
// columns themselves are the features, descent takes less.
constexpr std::size_t many_rows = 2000, many_sparse_rows = 1000, many_rows_of_columns = 200;

// How many explicit features the kernel has; none where there is no finite map, or far too many.
std::optional<std::size_t> explicit_count(const Kernel& kernel, const Points& points) {
  try {
    const FeatureCount count = count_features(kernel, points.cols(), {}, points.names());
    std::size_t number = 0;
    if (count.truncated || !count.exact || count.log10 > 6) return {};
    std::from_chars(count.exact->data(), count.exact->data() + count.exact->size(), number);
    return number;
  } catch (const Error&) {
    return {};  // no explicit map
  }
}

FeatureMap make(std::string_view text, const Kernel& kernel, const Points& points,
                const FitOptions& options) {
  return FeatureMap::make(text, kernel, points,
                          {.seed = options.seed,
                           .threads = options.threads,
                           .memory = options.memory,
                           .progress = options.progress});
}

// Methods without a solver over features learn from a table of them, n × p.
void check_table(const FeatureMap& map, std::size_t n, const FitOptions& options) {
  const std::size_t most = options.memory / (sizeof(double) * std::max<std::size_t>(n, 1));
  if (map.features() <= most) return;
  throw Error(ErrorCode::out_of_memory,
              fmt::format("{} features of {} rows are more than the memory of {:.1f} GB holds",
                          map.features(), n, double(options.memory) / 1e9),
              {.hint = fmt::format("at most {} fit", most)});
}

// Those with one need p² numbers, and hold Φ where there is room; visits of rows in any order need all of it.
std::shared_ptr<const RowFeatures> features_of(const Method& method, const FeatureMap& map,
                                               const Points& points, const FitOptions& options) {
  if (method.traits().work == SolverWork::visits) {
    check_table(map, points.rows(), options);
    return std::make_shared<RowFeatures>(map.row_map(), points, options.threads, options.memory);
  }
  const std::size_t needed = RowFeatures::bytes(points.rows(), map.features());
  if (needed > options.memory)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("solving for {} features takes {:.1f} MB, but {:.1f} MB are allowed",
                            map.features(), double(needed) / 1e6, double(options.memory) / 1e6),
                {.hint = "take fewer"});
  return std::make_shared<RowFeatures>(map.row_map(), points, options.threads, options.memory - needed);
}

constexpr std::size_t stream_from = 50'000;     // rows
constexpr std::size_t normal_panel = 64 << 20;  // of landmark_features.cpp

std::size_t tile_bytes(std::size_t m) { return sizeof(double) * 4 * std::min(std::size_t(1) << 17, 256 * m); }

// What a fit holds for each row beside the points. Of box problems that is a problem over the rows, another
// without equal rows, and f; regression has two variables for a row.
std::size_t row_bytes(const Method& method) {
  const MethodTraits traits = method.traits();
  if (traits.work != SolverWork::working_sets) return 48;
  return traits.task == Task::regression ? 230 : 150;
}

// What passes over features of landmarks take beside the factor of K_ZZ and the preconditioner: the points as
// they were read and as they are scaled, some numbers for each row, tiles and sums.
std::size_t pass_bytes(const Method& method, const Points& points, std::size_t m) {
  return (on_disk(points) ? memory_of(points) : 2 * points.bytes()) + tile_bytes(m) +
         row_bytes(method) * points.rows() + sizeof(double) * 64 * (m + 1);
}

}  // namespace

std::size_t streamed_bytes(const Method& method, const MapName& name, const Points& points) {
  const std::size_t n = points.rows(), m = std::min(name.count, n);
  // Normal equations take a panel of features in the place of tiles.
  const std::size_t panel = std::min(normal_panel, sizeof(double) * n * (m + 1)), tiles = tile_bytes(m);
  const std::size_t system = needs_normal_matrix(method)
                                 ? std::size_t(FeatureEvidence::bytes(m)) + sizeof(double) * m * m + panel
                                 : FeatureSystem::bytes(n, m);
  const std::size_t solving = sizeof(double) * m * m + std::max(system, panel > tiles ? panel - tiles : 0);
  return pass_bytes(method, points, m) + std::max(solving, landmark_bytes(name, n));
}

std::size_t streamed_bytes(const Method& method, const MapName& name, const Points& points,
                           std::size_t memory) {
  const std::size_t n = points.rows(), passing = pass_bytes(method, points, std::min(name.count, n));
  return std::max(streamed_bytes(method, name, points),
                  passing + landmark_bytes(name, n, memory > passing ? memory - passing : 0));
}

std::string megabytes_text(std::size_t bytes) {
  const double megabytes = double(bytes) / 1e6;
  return megabytes < 100 ? fmt::format("{:.1f}", std::ceil(10 * megabytes) / 10)
                         : fmt::format("{:.0f}", std::ceil(megabytes));
}

bool streams_features(const Method& method, const MapName& name, const Points& points,
                      const FitOptions& options) {
  if (name.kind != MapName::Kind::nystrom || !fits_by_passes(method)) return false;
  // Support vector machines over a held table where that was asked for.
  if (method.traits().work == SolverWork::working_sets && options.solver == "dual") return false;
  const std::size_t n = points.rows(), p = std::min(name.count, n);
  return n >= stream_from || on_disk(points) ||
         RowFeatures::bytes(n, p) + RowFeatures::table_bytes(n, p) > options.memory;
}

std::size_t most_streamed_landmarks(const Method& method, LandmarkRule rule, const Points& points,
                                    std::size_t memory) {
  std::size_t low = 0, high = points.rows() + 1;
  while (high - low > 1) {
    const std::size_t m = low + (high - low) / 2;
    (streamed_bytes(method, {MapName::Kind::nystrom, m, rule}, points) <= memory ? low : high) = m;
  }
  return low;
}

SolverPlan plan_passes(const Method& method, const MapName& name, const Kernel& kernel, const Points& points,
                       const FitOptions& options) {
  const std::size_t needed = streamed_bytes(method, name, points);
  if (needed > options.memory)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("{} takes {} MB with the data, but {:.3g} MB are allowed", name.text(),
                            megabytes_text(needed), double(options.memory) / 1e6),
                {.hint = fmt::format("at most {} landmarks fit, or raise the memory",
                                     most_streamed_landmarks(method, name.rule, points, options.memory))});
  LandmarkMap made = make_landmark_map(
      name, kernel, points,
      {.seed = options.seed,
       .threads = options.threads,
       .memory = options.memory - pass_bytes(method, points, std::min(name.count, points.rows())),
       .progress = options.progress});
  SolverPlan plan{.features = std::make_shared<RowFeatures>(made.map, points, options.threads, 0),
                  .streamed_trace_left = made.trace_left};
  plan.why = fmt::format(
      "kernel approximation {} ({} landmarks, computed again for each pass), {:.2g} of the trace left over",
      name.text(), made.map->features(), made.trace_left);
  return plan;
}

namespace {

bool knows(const Method& method, std::string_view solver) {
  const auto all = method.traits().solvers;
  return std::ranges::find(all, solver) != all.end();
}

bool has_working_sets(const Method& method) { return method.traits().work == SolverWork::working_sets; }

double primal_cost(const Method& method, double p, const Points& points) {
  const double n = double(points.rows());
  switch (method.traits().work) {
    case SolverWork::systems:
      return n * p * p;
    case SolverWork::working_sets:
      return 30 * n * p * p;
    case SolverWork::visits:
      return n * p;
  }
  return 0;
}

double dual_cost(const Method& method, const Points& points) {
  const double n = double(points.rows()), d = double(points.cols());
  switch (method.traits().work) {
    case SolverWork::systems:
      return n * n * (d + 64);
    case SolverWork::working_sets:
      return 30 * n * (150 + n / 100) * (d + 16);
    case SolverWork::visits:
      return n * n * (d + 64) / 10;
  }
  return 0;
}

bool cheaper(const Method& method, std::size_t features, const Points& points,
             std::size_t least_rows = many_rows) {
  if (has_working_sets(method) && points.rows() < least_rows) return false;
  return primal_cost(method, double(features), points) < dual_cost(method, points);
}

// Of support vector machines: as few features as that, or so many and sparse ones that descent is quick.
bool beats_working_sets(const Method& method, const RowFeatures& features, const Points& points) {
  constexpr std::size_t many_objects = 20'000, many_columns = 500;
  const std::size_t n = features.rows(), p = features.features();
  const Points rows = features.table();
  const std::size_t least = points.objects().empty() ? many_rows_of_columns : many_rows;
  if (cheaper(method, p, points, least) && suits_interior_point(features)) return true;
  if (!points.objects().empty() && n >= many_objects) return true;
  return n >= many_sparse_rows && p >= many_columns && rows.sparse() && rows.stored() < n * p / 10;
}

// Columns, or sparse features of objects, where they are fewer than the rows.
std::shared_ptr<const RowFeatures> own_features(const Method& method, const Kernel& kernel,
                                                const Points& points, const FitOptions& options,
                                                bool wanted) {
  const bool working_sets = has_working_sets(method);
  const auto suits = [&](std::size_t p) {
    switch (method.traits().work) {
      case SolverWork::systems:
        return (p < points.rows() || wanted) && RowFeatures::bytes(points.rows(), p) <= options.memory;
      case SolverWork::working_sets:
        return wanted ||
               points.rows() >= (points.objects().empty() ? many_rows_of_columns : many_sparse_rows);
      case SolverWork::visits:
        return true;  // rows as they are, most of them sparse
    }
    return false;
  };
  const auto columns = LinearForm::of(kernel);
  if (!suits(columns ? columns->columns(points) : 0)) return nullptr;  // known before anything is computed
  auto features = RowFeatures::of(kernel, points, options.threads);
  if (!features || !suits(features->features()) ||
      (working_sets && !wanted && !beats_working_sets(method, *features, points)))
    return nullptr;
  return std::make_shared<RowFeatures>(*std::move(features));
}

}  // namespace

SolverCosts solver_costs(const Method& method, const Kernel& kernel, const Points& points,
                         const FitOptions& options) {
  SolverCosts costs{.dual = dual_cost(method, points)};
  if (!knows(method, "primal"))
    costs.none_because = fmt::format("{} has no choice of primal and dual", method.name());
  else if (const auto columns = LinearForm::of(kernel))
    costs.features = columns->columns(points);
  else if (!points.objects().empty()) {
    if (const auto features = RowFeatures::of(kernel, points, options.threads))
      costs.features = features->features();
  } else {
    costs.features = explicit_count(kernel, points);
  }
  if (!costs.features && costs.none_because.empty())
    costs.none_because =
        fmt::format("{} has no finite explicit features, or more than a million", kernel.text());
  if (costs.features) costs.primal = primal_cost(method, double(*costs.features), points);
  return costs;
}

namespace {

SolverPlan planned(const Method& method, const Kernel& kernel, const Points& points,
                   const FitOptions& options) {
  const std::size_t n = points.rows();
  const bool has_primal = knows(method, "primal"), passes = fits_by_passes(method),
             wanted = options.solver == "primal", exact_only = options.approx == "none",
             working_sets = has_working_sets(method);
  if (!options.approx.empty() && !exact_only) {
    if (options.resume)
      throw Error(ErrorCode::unsupported,
                  "a fit with a kernel approximation cannot be warm-started from a model",
                  {.hints = {{Remedy::start_anew}, {Remedy::no_approximation}}});
    const MapName name = MapName::parse(options.approx);
    if (passes && streams_features(method, name, points, options))
      return plan_passes(method, name, kernel, points, options);
    SolverPlan plan{.map = make(options.approx, kernel, points, options)};
    const FeatureMap& map = *plan.map;
    if (has_primal &&
        (wanted || !working_sets || (options.solver == "auto" && cheaper(method, map.features(), points))))
      plan.features = features_of(method, map, points, options);
    else
      check_table(map, n, options);
    plan.why = fmt::format(
        "kernel approximation {} ({} features{}), {:.2g} of the trace left over", map.text(), map.features(),
        plan.features && !plan.features->held() ? ", computed again for each pass" : "", map.trace_left());
    return plan;
  }
  if (wanted && options.resume)
    throw Error(ErrorCode::unsupported, "a fit over features cannot be warm-started from a model",
                {.hints = {{Remedy::start_anew}, {Remedy::choose_solver}}});
  if ((!has_primal && !(passes && beyond_exact(method, points))) || options.resume ||
      (working_sets && options.most_steps > 0 && !wanted) ||
      !(wanted || options.solver == "auto" || options.solver == "newton" || options.solver == "gradient"))
    return {};
  const auto reason = [&](std::size_t p, std::string_view kind) {
    return wanted ? fmt::format("primal, as asked: {} {} of {}", p, kind, kernel.text())
                  : fmt::format("primal: {} {} of {} cost less than {} rows of K", p, kind, kernel.text(), n);
  };
  if (auto features = has_primal ? own_features(method, kernel, points, options, wanted) : nullptr) {
    std::string why = working_sets ? reason(features->features(), "features") : "";
    return {.features = std::move(features), .why = std::move(why)};
  }
  const bool exact = !beyond_exact(method, points);
  if (exact_only || (!wanted && LinearForm::of(kernel) && exact)) return {};
  const auto count = has_primal ? explicit_count(kernel, points) : std::nullopt;
  if (count && RowFeatures::bytes(n, *count) <= options.memory &&
      (wanted || cheaper(method, *count, points))) {
    FeatureMap map = make("explicit", kernel, points, options);
    auto features = features_of(method, map, points, options);
    SolverPlan plan{.features = std::move(features), .why = reason(*count, "explicit features")};
    // Components have pre-images among the rows.
    if (!working_sets && method.traits().task != Task::projection) plan.map = std::move(map);
    return plan;
  }
  if (wanted)
    throw count
        ? Error(ErrorCode::out_of_memory,
                fmt::format("{} has {} explicit features, more than the memory holds", kernel.text(), *count),
                {.hints = {{Remedy::choose_solver}}})
        : Error(ErrorCode::unsupported, fmt::format("{} has no finite explicit features", kernel.text()),
                {.hints = {{Remedy::choose_solver}, {Remedy::approximate, "nystrom:2000"}}});
  if (exact) return {};
  const std::size_t landmarks = landmarks_within(method, points, options.memory);
  const MapName name{MapName::Kind::nystrom, landmarks};
  SolverPlan plan;
  if (streams_features(method, name, points, options)) {
    plan = plan_passes(method, name, kernel, points, options);
  } else {
    plan.map = make(name.text(), kernel, points, options);
    plan.features = features_of(method, *plan.map, points, options);
  }
  plan.beyond_exact = true;
  plan.why =
      fmt::format("{}: a restricted (Nyström) solution over {} landmarks, {:.2g} of the trace left over",
                  n > exact_range ? fmt::format("{} rows are beyond the exact range ({})", n, exact_range)
                                  : fmt::format("{} rows are on disk", n),
                  landmarks, plan.map ? plan.map->trace_left() : *plan.streamed_trace_left);
  return plan;
}

}  // namespace

bool beyond_exact(const Method& method, const Points& points) {
  return on_disk(points) || (method.traits().work == SolverWork::systems && points.rows() > exact_range);
}

std::size_t landmarks_within(const Method& method, const Points& points, std::size_t memory) {
  std::size_t landmarks = std::min(landmarks_beyond, points.rows());
  while (landmarks > 1 && streamed_bytes(method, {MapName::Kind::nystrom, landmarks}, points) > memory)
    landmarks /= 2;
  return landmarks;
}

bool needs_normal_matrix(const Method& method) { return method.name() == Gp::name; }

bool fits_by_passes(const Method& method) {
  if (needs_normal_matrix(method)) return true;
  return knows(method, "primal") && method.traits().work != SolverWork::visits &&
         supervised(method.traits().task);
}

SolverPlan plan_solver(const Method& method, const Kernel& kernel, const Points& points,
                       const FitOptions& options) {
  if (on_disk(points) && !fits_by_passes(method))
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} needs all rows at hand, and those on disk are visited in order", method.name()),
        {.hint = "ridge, logistic, svm, svr, poisson, huber and rerm learn from them; or learn from fewer "
                 "rows, or from rows in memory"});
  SolverPlan plan = planned(method, kernel, points, options);
  if (on_disk(points) &&
      (!plan.features || plan.map || (has_working_sets(method) && !plan.features->landmarks())))
    throw Error(ErrorCode::unsupported,
                fmt::format("{} needs all rows at hand with {}, and those on disk are visited in order",
                            method.name(), plan.map ? plan.map->text() : "the exact kernel"),
                {.hints = {{Remedy::approximate, "nystrom:2000"}}});
  return plan;
}

}  // namespace mercer
