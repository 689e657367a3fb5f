#include "cluster/spread_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "cluster/points_message.hpp"
#include "cluster/shared_fit.hpp"
#include "kernels/linear_form.hpp"
#include "kernels/mkl.hpp"
#include "mercer/plan.hpp"
#include "methods/least_squares.hpp"
#include "methods/trend.hpp"
#include "model/fit_steps.hpp"
#include "solvers/nystrom.hpp"

namespace mercer::cluster {

namespace {

struct Entry {
  std::string_view name;
  SpreadMethod* fit;
  bool approximates;  // takes kernel approximations
};
constexpr Entry entries[] = {{"ridge", spread_ridge, true},     {"logistic", spread_logistic, true},
                             {"poisson", spread_poisson, true}, {"huber", spread_huber, true},
                             {"pca", spread_pca, false},        {"spectral", spread_spectral, false},
                             {"gp", spread_gp, false}};

// Whether rank 0 fits as one machine does: methods that are not spread, and Gaussian processes whose factor
// fits its memory, since the evidence and the variances come from it.
bool fits_alone(const SpreadTask& task, const FitOptions& options) {
  const std::string_view name = task.method->name();
  if (std::ranges::find(entries, name, &Entry::name) == std::end(entries)) return true;
  const bool approximated = !options.approx.empty() && options.approx != "none";
  return name == "gp" &&
         (approximated || LinearForm::of(task.kernel) || !gp_needs_ranks(task.data.rows(), options.memory));
}

Model fit_alone(const SpreadTask& task, const SpreadOptions& options) {
  if (!options.checkpoint.empty())
    throw Error(ErrorCode::unsupported,
                fmt::format("{}, which rank 0 fits alone, keeps no checkpoint", task.method->name()),
                {.hint = "leave --checkpoint out"});
  Model model = fit(task.method, task.kernel, task.data, options.fit, options.scaling);
  std::string& solver = model.fitted.report.solver;
  solver += fmt::format("{}by rank 0 alone", solver.empty() ? "" : "; ");
  return model;
}

const Entry& entry_of(const Method& method) {
  return *std::ranges::find(entries, method.name(), &Entry::name);
}

// What one machine can do and several here cannot. Rank 0 alone has the rows.
void check_spread(const Entry& entry, const Method& method, const Kernel& kernel, const Dataset& data,
                  const FitOptions& options) {
  const auto refuse = [](const std::string& what, const std::string& hint = "mercer, or one rank, does") {
    throw Error(ErrorCode::unsupported, what + " on several ranks", {.hint = hint});
  };
  if (!data.points.objects().empty()) refuse("objects (texts, graphs, …) are not compared");
  if (kernel.precomputed()) refuse("a given kernel matrix is not spread");
  if (OpenWeights::find(kernel)) refuse("the weights of mkl(…) are not learned");
  if (method.traits().needs_psd && !kernel.properties().psd && !options.allow_indefinite)
    refuse(fmt::format("{}, which is not proved positive semidefinite, is not taken", kernel.text()));
  check_for_landmarks(kernel);
  if (needs_trend(kernel)) refuse(fmt::format("{}, which has a linear trend, is not taken", kernel.text()));
  if (!options.repair.empty()) refuse("kernels are not repaired");
  if (options.probabilities) refuse("probabilities are not calibrated");
  if (options.resume)
    refuse("a fit is not warm-started from a model", "--checkpoint goes on with a fit of its own");
  if (!options.bounds.empty()) refuse("the numbers of a kernel are not searched");
  if (!options.approx.empty() && options.approx != "none" && !entry.approximates)
    refuse(fmt::format("{} does not take kernel approximations", method.name()));
  if (options.solver != "auto" && options.solver != "cg")
    refuse(fmt::format("the solver '{}' is not there", options.solver), "cg is the one there is");
}

// The method of rank 0 with its parameters, on all.
AnyMethod shared_method(const Communicator& ranks, const AnyMethod* own) {
  std::string name = own ? std::string((*own)->name()) : "";
  ranks.broadcast(name);
  AnyMethod method = own ? *own : method_named(name);
  for (const MethodParameter& parameter : method->parameters()) {
    const Argument given = method->get(parameter.name);
    const double* number = std::get_if<double>(&given);
    double value = number ? *number : 0, is_number = number ? 1 : 0;
    std::string word = std::holds_alternative<Word>(given) ? std::get<Word>(given).text : "";
    ranks.broadcast(is_number);
    ranks.broadcast(value);
    ranks.broadcast(word);
    if (own) continue;
    method->set(parameter.name, is_number > 0 ? Argument(value) : Argument(Word{word}));
  }
  return method;
}

std::uint64_t fingerprint_of(const Method& method, const Kernel& kernel, const FitOptions& options,
                             const Rows& rows, std::span<const double> Y) {
  Fingerprint print;
  print.add(method.name()).add(kernel.text()).add(options.approx);
  for (const auto& parameter : method.parameters()) {
    print.add(parameter.name);
    std::visit(
        [&]<class V>(const V& value) {
          if constexpr (std::is_same_v<V, double>)
            print.add(std::span(&value, 1));
          else if constexpr (std::is_same_v<V, Word>)
            print.add(value.text);
        },
        method.get(parameter.name));
  }
  const std::uint64_t seed = options.seed;
  print.add(std::as_bytes(std::span(&seed, 1))).add(bytes_of(rows.points));
  return print.add(Y).add(std::span<const double>(rows.weights)).value();
}

template <class T>
std::vector<T> handed_out(const Communicator& ranks, const Share& share, std::span<const T> all,
                          std::size_t width) {
  return Communicator::values_of<T>(ranks.hand_out([&](int r) {
    const auto part = std::as_bytes(all.subspan(share.of(r).begin * width, share.of(r).size() * width));
    return std::vector<std::byte>(part.begin(), part.end());
  }));
}

// The features of landmarks are made as one machine makes them; the others get what they consist of.
std::optional<FeatureMap> shared_map(const Communicator& ranks, const Kernel& kernel, const Points* all,
                                     const Points& own, const FitOptions& options) {
  if (options.approx.empty() || options.approx == "none") return {};
  std::optional<FeatureMap> map;
  in_step(ranks, [&] {
    if (all)
      map = FeatureMap::make(options.approx, kernel, *all,
                             {.seed = options.seed, .threads = options.threads, .memory = options.memory});
  });
  FeatureMap::State state = map ? map->state() : FeatureMap::State{};
  ranks.broadcast(state.text);
  ranks.broadcast(state.seed);
  ranks.broadcast(state.columns);
  ranks.broadcast(state.trace_left);
  ranks.broadcast(state.matrix);
  std::vector<std::byte> landmarks = map ? bytes_of(state.landmarks) : std::vector<std::byte>();
  ranks.broadcast(landmarks);
  if (map) return map;
  state.names = own.names();
  state.landmarks = points_of(landmarks, state.landmarks.names());
  if (state.landmarks.rows() > 0) state.landmarks = points_of(landmarks, own.names());
  return FeatureMap::restore(std::move(state), kernel);
}

}  // namespace

std::string spread_methods() {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

double SpreadTraining::number(std::string_view parameter) const {
  return std::get<double>(method.get(parameter));
}
std::string SpreadTraining::word(std::string_view parameter) const {
  const Argument value = method.get(parameter);
  const Word* text = std::get_if<Word>(&value);
  return text ? text->text : "";
}

double SpreadWatch::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

bool SpreadWatch::go_on(const std::function<void(std::span<double>)>& current, std::size_t columns,
                        double residual) {
  ++iterations;
  const Communicator& ranks = training_.ranks;
  const SpreadOptions& options = training_.options;
  // Whether some rank was asked to stop; rank 0 has the clock.
  const bool told = options.stopped && options.stopped();
  double asked[3] = {told ? 1.0 : 0.0, 0, 0};
  if (ranks.first()) {
    asked[1] = training_.checkpoint && training_.checkpoint->due();
    asked[2] = seconds() > options.fit.seconds;
    if (options.fit.progress) options.fit.progress(fmt::format("residual {:.1e}", residual), 0);
  }
  ranks.sum(std::span(asked));
  const bool stop = asked[0] > 0 || asked[2] > 0;
  if (training_.checkpoint && !training_.checkpoint->path().empty() && (asked[1] > 0 || stop)) {
    std::vector<double> X(training_.own.rows() * columns);
    current(X);
    training_.checkpoint->write(X, columns, iterations);
  }
  if (asked[0] > 0) throw AgreedError(Error(ErrorCode::cancelled, "interrupted"));
  cut_short_ |= stop;
  return !stop;
}

std::optional<Model> fit_spread(const Communicator& ranks, const SpreadTask* task,
                                const SpreadOptions& options) {
  int alone = task && fits_alone(*task, options.fit);
  ranks.broadcast(alone);
  if (alone)
    return in_step(ranks, [&] { return task ? std::optional(fit_alone(*task, options)) : std::nullopt; });
  const AnyMethod method = shared_method(ranks, task ? &task->method : nullptr);
  const Entry& entry = entry_of(*method);
  std::optional<Scaling> scaling;
  Points points;
  Target target;
  std::vector<double> weights;
  std::optional<Kernel> resolved;
  std::optional<Training> training;
  std::optional<Rows> rows;
  double tolerance = options.fit.tolerance.value_or(method->traits().tolerance);
  // What `fit` of one machine would do before the method's own work.
  in_step(ranks, [&] {
    if (!ranks.first()) return;
    const Kernel& kernel = task->kernel;
    const Dataset& data = task->data;
    check_spread(entry, *method, kernel, data, options.fit);
    explain_plan(method, kernel, data, options.fit, options.scaling);  // refuses what fit() would
    scaling = Scaling::fit(options.scaling, data.points);
    points = scaling->apply(data.points);
    const bool of_numbers = method->traits().task == Task::regression && data.target.task != Task::regression;
    target =
        of_numbers ? Target{Task::regression, data.target.name, {}, {}, data.target.numbers()} : data.target;
    weights = row_weights(data, options.fit);
    resolved = kernel.resolve(points);
    training.emplace(Training{points, target, weights, *resolved, options.fit, tolerance});
    rows.emplace(*training);
  });
  std::string text = resolved ? resolved->text() : "";
  ranks.broadcast(text);
  if (!resolved) resolved = Kernel::parse(text);
  std::size_t count = rows ? rows->size() : 0, outputs = 1, classes = target.labels.size();
  std::vector<double> Y;
  if (rows) {
    if (target.task == Task::classification) {
      const std::vector<std::int32_t> codes = rows->codes(target);
      Y.assign(codes.begin(), codes.end());
    } else if (target.task == Task::regression) {
      Y = rows->values(target);
      outputs = Y.size() / count;
    } else {
      Y.assign(count, 0.0);
    }
  }
  ranks.broadcast(count);
  ranks.broadcast(outputs);
  ranks.broadcast(classes);
  const Share share{count, ranks.size()};
  std::uint64_t print = 0;
  if (rows && !options.checkpoint.empty()) print = fingerprint_of(*method, *resolved, options.fit, *rows, Y);
  Checkpoint checkpoint(ranks, options.checkpoint, options.every, print);
  SpreadTraining spread{ranks, *method, *resolved, options, tolerance};
  spread.rows = count;
  spread.outputs = outputs;
  spread.classes = classes;
  spread.own = handed_out(ranks, rows ? &rows->points : nullptr);
  spread.Y = handed_out<double>(ranks, share, Y, outputs);
  spread.weights = handed_out<double>(
      ranks, share, rows ? std::span<const double>(rows->weights) : std::span<const double>(), 1);
  spread.total_weight = ranks.sum(std::accumulate(spread.weights.begin(), spread.weights.end(), 0.0));
  spread.weighted = ranks.any(std::ranges::any_of(spread.weights, [](double w) { return w != 1; }));
  spread.checkpoint = &checkpoint;
  spread.map = shared_map(ranks, *resolved, rows ? &points : nullptr, spread.own, options.fit);
  spread.training = training ? &*training : nullptr;
  spread.all = rows ? &*rows : nullptr;
  Fitted fitted = entry.fit(spread);
  if (!ranks.first()) return {};
  Model model{.method = method,
              .fitted = std::move(fitted),
              .scaling = *scaling,
              .map = spread.map,
              .schema = task->data.schema};
  FitReport& report = model.fitted.report;
  if (spread.map) {
    report.plan = {FitPlan::Way::primal, spread.map->features()};
    if (!spread.map->exact()) report.add("trace_left_over", "trace left over", spread.map->trace_left());
  }
  if (options.scaling == Scaling::Kind::none)
    if (auto advice = scaling_advice(points, !report.converged && !report.cut_short))
      report.warnings.push_back(std::move(*advice));
  if (!model.fitted.clusters.empty())
    model.labels = model.fitted.clusters;
  else if (target.task == Task::classification && method->traits().task != Task::regression)
    model.labels = target.labels;
  model.columns = points.cols();
  model.rows = task->data.rows();
  return model;
}

}  // namespace mercer::cluster
