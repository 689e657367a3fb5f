// mercer fit DATA -o MODEL: learns from rows. What is not given is chosen on rows left out, and the answer says how good the
// choice is.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <set>

#include "cli/commands.hpp"
#include "cli/fit_options.hpp"
#include "cli/gram_rows.hpp"
#include "cli/model_options.hpp"
#include "mercer/error.hpp"
#include "mercer/file.hpp"
#include "mercer/report.hpp"
#include "mercer/target_reading.hpp"

namespace mercer::cli {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_memory_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

// "svm, C = 8, kernel rbf(gamma=0.5)": the parameters that are not the standard ones, or else the first, which matters most.
std::string in_words(const Method& method, const Kernel& kernel) {
  std::string changed, first;
  const AnyMethod& standard = method_named(method.name());
  for (const MethodParameter& parameter : method.parameters()) {
    const std::string value = text_of(method.get(parameter.name)), text = fmt::format(", {} = {}", parameter.name, value);
    if (first.empty()) first = text;
    if (value != text_of(standard->get(parameter.name))) changed += text;
  }
  return fmt::format("{}{}, kernel {}", method.name(), changed.empty() ? first : changed, kernel.text());
}

std::string in_words(const Metric& metric, const Estimate& estimate) {
  return fmt::format("{} {:.4g} (95 %: {:.4g} to {:.4g})", metric.name, estimate.value, estimate.low, estimate.high);
}

Json to_json(const Model& model, double read, double total) {
  Json json{{"method", model.method->name()}, {"parameters", parameters_json(*model.method)}, {"kernel", model.kernel().text()}, {"rows", model.rows},
            {"columns", model.columns}, {"classes", model.labels}};
  json.update(report_json(model.fitted.report));
  json.update(Json{{"seconds", {{"read", read}, {"fit", model.fitted.report.seconds}, {"total", total}}}, {"peak_memory_mb", peak_memory_mb()}, {"noise_scale", noise_json(model)}});
  return json;
}

Json to_json(const Estimate& estimate) { return {{"value", number(estimate.value)}, {"low", number(estimate.low)}, {"high", number(estimate.high)}}; }

Json to_json(const Search& search, const Trial& trial) {
  Json values = Json::object();
  const auto& axes = search.spaces[trial.space].axes;
  for (std::size_t a = 0; a < axes.size(); ++a) values[axes[a].parameter] = number(trial.values[a]);
  return {{"method", trial.method->name()}, {"kernel", trial.kernel.text()}, {"values", values}, {"rows", trial.rows}, {"score", number(trial.score)}, {"error", number(trial.error)}};
}

Json to_json(const Search& search) {
  Json trials = Json::array();
  for (const Trial& trial : search.trials) trials.push_back(to_json(search, trial));
  return {{"metric", search.metric}, {"seconds", search.seconds}, {"cut_short", search.cut_short}, {"best", to_json(search, search.trials[search.best])}, {"trials", trials}};
}

void say_line(const Session& session, const char* name, const std::string& text) { session.say(fmt::format("  {:<12}{}", name, text)); }

void say_fit(const Session& session, const Model& model) {
  const FitReport& r = model.fitted.report;
  for (const auto& [name, text] : report_lines(r)) say_line(session, name.c_str(), text);
  if (r.certificate == "violation")
    say_line(session, "vectors", fmt::format("{} support vectors of {} rows, {} of them at the bound", r.support_vectors, model.rows, r.bounded_support_vectors));
  if (model.fitted.noise_scale) say_line(session, "noise", noise_text(*model.fitted.noise_scale));
}

void say_choice(const Session& session, const AutomaticFit& made) {
  const Search& search = made.search;
  const Metric metric = metric_named(made.metric);
  const Trial& best = search.trials[search.best];
  if (search.trials.size() > 1)
    say_line(session, "chosen", fmt::format("of {} settings of {}, by {} {:.4g} on {} rows left out in turn; {:.2g} s{}", search.trials.size(),
                                            search.spaces.size() == 1 ? "one kernel" : fmt::format("{} kernels", search.spaces.size()), search.metric, best.score, best.rows,
                                            search.seconds, search.cut_short ? ", cut short" : ""));
  if (made.model.scaling.kind() != Scaling::Kind::none) say_line(session, "scaling", made.model.scaling.kind() == Scaling::Kind::standard ? "standard" : "minmax");
  say_line(session, "score", fmt::format("{}, {}", in_words(metric, made.score), made.judged_on));
  say_line(session, "baseline", fmt::format("{}, {}", in_words(metric, made.baseline), metric.task == Target::Kind::classes ? "always the most frequent class" : "always the mean"));
}

void set_exit_code(Session& session, const FitReport& report) {
  if (!report.converged) session.exit_code = report.cut_short ? out_of_budget : bar_not_met;
}

struct Reading {
  Dataset data;
  double seconds;
};

// What is asked for makes sense of classes alone.
Target with_whole_numbers_as_classes(const Target& target) {
  if (target.kind != Target::Kind::real) return target;
  std::set<double> values;
  for (const double value : target.values) values.insert(value + 0.0);  // −0 is 0
  Target made{.kind = Target::Kind::classes, .name = target.name};
  for (const double value : values) made.labels.push_back(fmt::format("{}", value));
  for (const double value : target.values) made.codes.push_back(std::int32_t(std::distance(values.begin(), values.find(value + 0.0))));
  return made;
}

Reading read_rows(const FitCommand& options, const Model* earlier, const Session& session) {
  const auto start = std::chrono::steady_clock::now();
  const std::optional<Kernel> kernel = options.given_kernel(earlier);
  DataOptions source = kernel ? options.data.for_kernel(*kernel) : options.data;
  source.read.find_objects = !kernel;  // what is chosen in its place compares them
  const std::string method = earlier && options.method.empty() ? std::string(earlier->method->name()) : options.method;
  if (!method.empty() && source.read.task == Target::Kind::none) {
    const Task task = method_named(method)->task();
    if (task == Task::classes) source.read.task = Target::Kind::classes;
    if (task == Task::real && (options.searches() || options.judges())) source.read.task = Target::Kind::real;  // whole numbers are judged as numbers
  }
  Reading reading{source.read_rows(session), 0};
  Dataset& data = reading.data;
  if (options.names_kernel()) number_gram_rows(data, Kernel::parse(options.kernel));
  if (source.read.task == Target::Kind::none && (method.empty() || method_named(method)->task() == Task::any)) {
    std::string note = target_reading_note(data.target);
    const bool of_classes = !options.class_weights.empty() || (!options.metric.empty() && metric_named(options.metric).task == Target::Kind::classes);
    if (!note.empty() && of_classes) data.target = with_whole_numbers_as_classes(data.target);
    else if (!note.empty()) data.notes.push_back(std::move(note));
  }
  if (method.empty() && source.read.target != "none") require_target(data, source.path);
  if (method.empty() || method_named(method)->task() != Task::none)
    for (std::string& note : check_target(data)) data.notes.push_back(std::move(note));
  reading.seconds = seconds_since(start);
  return reading;
}

void fit_as_told(const FitCommand& options, Session& session, const Model* earlier, const Reading& reading) {
  const auto start = std::chrono::steady_clock::now();
  FitOptions how = options.fit_options(session);
  how.resume = earlier;
  const Model model = fit(options.chosen_method(reading.data, earlier), options.chosen_kernel(reading.data, earlier), reading.data, how, options.chosen_scaling(earlier));
  if (!options.out.empty()) model.save(options.out);
  session.say(in_words(*model.method, model.kernel()));
  say_line(session, "data", describe(reading.data));
  say_fit(session, model);
  if (!options.out.empty()) say_line(session, "model", options.out);
  std::vector<std::string> notes = reading.data.notes;
  if (const std::string note = model.scaling.note(); !note.empty()) notes.push_back(note);
  for (const std::string& note : notes) say_line(session, "note", note);
  Json json = to_json(model, reading.seconds, reading.seconds + seconds_since(start));
  json["notes"] = notes;
  session.answer(json);
  set_exit_code(session, model.fitted.report);
}

void say_plan(Session& session, const Plan& plan) {
  session.say(fmt::format("{} settings, about {:.2g} s", plan.settings, plan.seconds));
  for (const std::string& line : plan.lines) say_line(session, "", line);
  session.answer({{"settings", plan.settings}, {"seconds", plan.seconds}, {"lines", plan.lines}});
}

void fit_by_choice(const FitCommand& options, Session& session, const Reading& reading, const std::string& command_line) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<Dataset> test;
  if (!options.test.empty()) {
    ReadOptions how = options.data.read;
    how.schema = reading.data.schema.columns.empty() ? nullptr : &reading.data.schema;
    how.columns = reading.data.points.cols();
    how.from_zero = reading.data.schema.first_index == 0;
    how.task = reading.data.target.kind;
    how.threads = session.threads;
    test = read(options.test, how);
    if (options.names_kernel()) number_gram_rows(*test, Kernel::parse(options.kernel), reading.data.points.cols());
    complain_of(session, test->notes);
    if (test->points.cols() != reading.data.points.cols())  // better now than after the search
      throw Error(ErrorKind::data, fmt::format("{}: there are {} columns, but {} has {}; both must have the same", options.test, test->points.cols(), options.data.path, reading.data.points.cols()));
  }
  const AutomaticOptions how = options.automatic_options(reading.data, test ? &*test : nullptr, session);
  if (options.dry_run) return say_plan(session, plan_fit(reading.data, how));
  if (!session.quiet && !session.json)
    if (const Plan plan = plan_fit(reading.data, how); plan.seconds > 2) Session::complain(fmt::format("{} settings to be tried, about {:.0f} s; Ctrl-C keeps the best so far", plan.settings, plan.seconds));
  const AutomaticFit made = fit_automatically(reading.data, how);
  if (!options.out.empty()) made.model.save(options.out);
  if (!options.report.empty())
    write_file(options.report, report_page({.data = reading.data, .fit = made, .name = std::filesystem::path(options.data.path).filename().string(), .command = command_line, .seed = session.seed,
                                            .threads = session.threads, .progress = session.progress()}));
  session.say(in_words(*made.model.method, made.model.kernel()));
  say_line(session, "data", describe(reading.data));
  say_choice(session, made);
  say_fit(session, made.model);
  if (!options.out.empty()) say_line(session, "model", options.out);
  if (!options.report.empty()) say_line(session, "report", options.report);
  std::vector<std::string> notes = reading.data.notes;
  notes.insert(notes.end(), made.notes.begin(), made.notes.end());
  for (const std::string& note : notes) say_line(session, "note", note);
  for (const std::string& next : made.next) say_line(session, "next", next);
  Json json = to_json(made.model, reading.seconds, reading.seconds + seconds_since(start));
  json.update(Json{{"metric", made.metric}, {"score", to_json(made.score)}, {"baseline", to_json(made.baseline)}, {"judged_on", made.judged_on},
                   {"search", to_json(made.search)}, {"notes", notes}, {"next", made.next}});
  session.answer(json);
  set_exit_code(session, made.model.fitted.report);
}

void run(const FitCommand& options, Session& session, const std::string& command_line) {
  std::optional<Model> earlier;
  if (!options.resume.empty()) earlier = Model::load(options.resume);
  const Reading reading = read_rows(options, earlier ? &*earlier : nullptr, session);
  const bool unsupervised = options.names_method() && method_named(options.method)->task() == Task::none;
  if (unsupervised && (options.judges() || options.tune || !options.grids.empty()))
    throw Error(ErrorKind::usage, fmt::format("{} is unsupervised, so there is no score to select or evaluate by; drop --tune, --grid, --cv, --holdout, --test, --metric, --folds and --report", options.method));
  if (!unsupervised && (options.searches() || options.judges())) fit_by_choice(options, session, reading, command_line);
  else fit_as_told(options, session, earlier ? &*earlier : nullptr, reading);
}

}  // namespace

void add_fit(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("fit", "fit a model to data; with only DATA and --target, everything is selected automatically");
  auto options = std::make_shared<FitCommand>();
  options->add(*command);
  command->footer("Without --method, --kernel and hyperparameters, cross-validation selects method, kernel, hyperparameters and scaling.\n"
                  "Exit code 1 if the fit did not converge, 4 if the time ran out.");
  command->callback([&session, options] { run(*options, session, session.command_line); });
}

}  // namespace mercer::cli
