// mercer fit DATA -o MODEL: learns from rows. What is not given is chosen on rows left out, and the answer
// says how good the choice is.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>

#include "cli/commands.hpp"
#include "cli/fit_budget.hpp"
#include "cli/fit_options.hpp"
#include "cli/fit_summary.hpp"
#include "cli/gram_rows.hpp"
#include "cli/row_storage.hpp"
#include "mercer/disk_arrays.hpp"
#include "mercer/file.hpp"
#include "mercer/plan.hpp"
#include "mercer/report.hpp"
#include "mercer/target_reading.hpp"

namespace mercer::cli {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What is asked for makes sense of classes alone.
Target with_whole_numbers_as_classes(const Target& target) {
  if (target.task != Task::regression) return target;
  std::set<double> values;
  for (const double value : target.values) values.insert(value + 0.0);  // −0 is 0
  Target made{.task = Task::classification, .name = target.name};
  for (const double value : values) made.labels.push_back(fmt::format("{}", value));
  for (const double value : target.values)
    made.codes.push_back(std::int32_t(std::distance(values.begin(), values.find(value + 0.0))));
  return made;
}

// The target with all the classes named, also those that have no row yet.
Target with_classes(const Target& target, const FitCommand& options, const std::string& method) {
  if (method.empty() || !method_named(method)->traits().online)
    throw Error(ErrorCode::invalid_argument, "--classes is for methods that learn online",
                {.hint = "others learn the classes that the rows have"});
  if (target.task != Task::classification)
    throw Error(ErrorCode::wrong_target, "--classes is given, but the target is numeric",
                {.hints = {{Remedy::read_as_classes}}});
  Target all{.task = Task::classification, .name = target.name, .labels = options.classes};
  const std::set<std::string> distinct(all.labels.begin(), all.labels.end());
  if (distinct.size() != all.labels.size())
    throw Error(ErrorCode::invalid_argument, "--classes names a class twice");
  for (const std::int32_t code : target.codes) {
    const std::string& label = target.labels[std::size_t(code)];
    const auto found = std::ranges::find(all.labels, label);
    if (found == all.labels.end())
      throw Error(ErrorCode::invalid_argument, fmt::format("--classes does not name the class '{}'", label),
                  {.hint = "name all classes"});
    all.codes.push_back(std::int32_t(found - all.labels.begin()));
  }
  return all;
}

}  // namespace

void set_exit_code(Session& session, const FitReport& report) {
  if (!report.converged)
    session.exit_code = !report.cut_short ? bar_not_met : Session::stopped() ? interrupted : out_of_budget;
}

FitRows read_rows(const FitCommand& options, const Model* earlier, const Session& session) {
  const auto start = std::chrono::steady_clock::now();
  const std::optional<Kernel> kernel = options.given_kernel(earlier);
  DataOptions source = kernel ? options.data.for_kernel(*kernel) : options.data;
  source.read.find_objects = !kernel;  // what is chosen in its place compares them
  const std::string method =
      earlier && options.method.empty() ? std::string(earlier->method->name()) : options.method;
  source.read.target_gaps = !method.empty() && method_named(method)->traits().missing_outputs;
  if (!method.empty() && source.read.task == Task::none) {
    const Task task = method_named(method)->traits().task;
    if (task == Task::classification) source.read.task = Task::classification;
    if (task == Task::regression && (options.searches() || options.judges()))
      source.read.task = Task::regression;  // whole numbers are judged as numbers
  }
  const std::optional<RowStorage> storage = rows_on_disk(options, session);
  std::optional<DiskArrays> disk;
  if (storage) disk.emplace(storage->folder, storage->resident);
  FitRows reading{source.read_rows(session), 0};
  disk.reset();
  Dataset& data = reading.data;
  if (on_disk(data.points)) data.notes.emplace_back(storage_note(*storage, data));
  if (options.names_kernel()) read_as_matrix(data, Kernel::parse(options.kernel));
  if (source.read.task == Task::none &&
      (method.empty() || method_named(method)->traits().task == Task::either)) {
    const std::optional<Note> note = target_reading_note(data.target);
    const bool of_classes =
        !options.class_weights.empty() ||
        (!options.metric.empty() && metric_named(options.metric).task == Task::classification);
    if (note && of_classes)
      data.target = with_whole_numbers_as_classes(data.target);
    else if (note)
      data.notes.push_back(*note);
  }
  if (method.empty() && source.read.target != "none") require_target(data, source.path);
  if (!options.classes.empty())
    data.target = with_classes(data.target, options, method);
  else if (method.empty() || supervised(method_named(method)->traits().task))
    for (Note& note : check_target(data)) data.notes.push_back(std::move(note));
  reading.seconds = seconds_since(start);
  return reading;
}

namespace {

// More rows for a model that learns online: read as its own were.
FitRows read_more(const FitCommand& options, Model& earlier, const Session& session) {
  const auto start = std::chrono::steady_clock::now();
  if (!options.classes.empty())
    throw Error(ErrorCode::invalid_argument, "the model knows its classes already",
                {.hint = "drop --classes"});
  DataOptions source = options.data;
  if (source.scale == "auto") source.scale = "none";  // the model's own
  FitRows reading{load_for(earlier, source, session, true), 0};
  reading.data.notes.clear();  // told
  reading.seconds = seconds_since(start);
  return reading;
}

}  // namespace

Json summarize(const FitCommand& options, const Session& session, const FitRows& reading, const Model& model,
               double fit_seconds, const std::vector<Note>& notes, const AutomaticFit* made, bool reported) {
  session.say(model_title(*model.method, model.kernel()));
  session.say_line("data", describe(reading.data));
  if (made) say_selection(session, *made);
  say_fit(session, model);
  if (!options.out.empty()) session.say_line("model", options.out);
  if (reported) session.say_line("report", options.report);
  std::vector<std::string> lines = said(reading.data.notes, flag_words);
  for (const Note& note : notes) lines.push_back(note.said(flag_words));
  for (const std::string& line : lines) session.say_line("note", line);
  Json json = fit_json(model, reading.seconds, reading.seconds + fit_seconds);
  json["streamed"] = on_disk(reading.data.points);
  if (made) json.update(selection_json(*made));
  json["notes"] = lines;
  for (const std::string& warning : options.deprecated) json["warnings"].push_back(warning);
  if (session.ranks > 1) json["ranks"] = session.ranks;
  return json;
}

namespace {

void fit_as_told(const FitCommand& options, Session& session, const Model* earlier, FitRows& reading) {
  const auto start = std::chrono::steady_clock::now();
  FitOptions how = options.fit_options(session);
  how.resume = earlier;
  const AnyMethod method = options.chosen_method(reading.data, earlier);
  const Kernel kernel = options.chosen_kernel(reading.data, earlier);
  const Scaling::Kind scaling = options.chosen_scaling(earlier);
  const BudgetPlan plan = plan_budget(method, kernel, reading.data, how, scaling, program_bytes);
  announce_plan(session, plan);
  how.memory = memory_for_fit(how.memory, plan, reading.data, scaling);
  if (!plan.approx.empty()) how.approx = plan.approx;
  Dataset held_out;
  if (plan.chosen) held_out = hold_out(reading.data, session.seed);
  const Model model = fit(method, kernel, reading.data, how, scaling);
  if (!options.out.empty()) model.save(options.out);
  std::vector<Note> notes;
  if (const std::string note = model.scaling.note(); !note.empty()) notes.push_back(note);
  Json json = summarize(options, session, reading, model, seconds_since(start), notes);
  json["budget"] = plan_json(plan);
  if (plan.chosen) json["held_out"] = say_held_out(session, plan, model, held_out);
  session.answer(json);
  set_exit_code(session, model.fitted.report);
}

void explain_solver(const FitCommand& options, Session& session, const Model* earlier, const Dataset& data) {
  FitOptions how = options.fit_options(session);
  how.resume = earlier;
  const PlanExplanation e =
      explain_plan(options.chosen_method(data, earlier), options.chosen_kernel(data, earlier), data, how,
                   options.chosen_scaling(earlier));
  const bool primal = e.plan.way == FitPlan::Way::primal;
  const BudgetPlan budget =
      plan_budget(options.chosen_method(data, earlier), options.chosen_kernel(data, earlier), data, how,
                  options.chosen_scaling(earlier), program_bytes);
  session.say_line("data", describe(data));
  session.say_line("solver", e.why);
  if (!budget.approx.empty()) session.say_line("plan", budget.text());
  session.say_line("primal", e.features
                                 ? fmt::format("{} features, about {:.2g} operations", *e.features, e.primal)
                                 : "none: " + e.no_primal);
  session.say_line("dual", fmt::format("{} rows of K, about {:.2g} operations", data.rows(), e.dual));
  Json json{{"solver", primal ? "primal" : "dual"},
            {"why", e.why},
            {"primal", e.features ? Json{{"features", *e.features}, {"operations", e.primal}} : Json()},
            {"dual", {{"rows", data.rows()}, {"operations", e.dual}}}};
  json["budget"] = plan_json(budget);
  if (primal) json["features"] = e.plan.features;
  if (!e.no_primal.empty()) json["no_primal"] = e.no_primal;
  session.answer(json);
}

void say_plan(Session& session, const Plan& plan, const Duration& time) {
  const std::string least = duration_text(time.low), most = duration_text(time.high);
  session.say(fmt::format("{}{}; {}", candidates_text(plan.candidates, plan.spaces.size()),
                          plan.refines ? ", then a few more around the best" : "",
                          least == most ? most : fmt::format("{} to {}", least, most)));
  for (const std::string& line : plan.lines) session.say_line("", line);
  session.answer({{"candidates", plan.candidates},
                  {"refines", plan.refines},
                  {"seconds", {{"low", time.low}, {"high", time.high}}},
                  {"lines", plan.lines}});
}

std::optional<Dataset> read_test(const FitCommand& options, const Session& session, const Dataset& data) {
  if (options.test.empty()) return {};
  ReadOptions how = options.data.read;
  how.schema = data.schema.columns.empty() ? nullptr : &data.schema;
  const std::optional<Kernel> kernel =
      options.names_kernel() ? std::optional(Kernel::parse(options.kernel)) : std::nullopt;
  how.from_zero = data.schema.first_index == 0;
  how.columns = kernel ? libsvm_columns(*kernel, data.points.cols(), how.from_zero) : data.points.cols();
  how.task = data.target.task;
  how.threads = session.threads;
  Dataset test = read(options.test, how);
  if (kernel) read_as_matrix(test, *kernel, data.points.cols());
  complain_of(session, test.notes);
  if (test.points.cols() != data.points.cols())  // better now than after the search
    throw Error(ErrorCode::invalid_data,
                fmt::format("{} has {} columns, but {} has {}", options.test, test.points.cols(),
                            options.data.path, data.points.cols()),
                {.hint = "training and test data must have the same columns"});
  return test;
}

// Whether it is written: a person who stops it keeps the model.
bool write_report(const FitCommand& options, const Session& session, const Dataset& data,
                  const AutomaticFit& made) {
  if (options.report.empty() || made.interrupted) return false;
  if (Session::silent()) return true;  // another process writes it
  try {
    write_file(options.report,
               report_page({.data = data,
                            .fit = made,
                            .name = std::filesystem::path(options.data.path).filename().string(),
                            .command = session.command_line,
                            .seed = session.seed,
                            .threads = session.threads,
                            .progress = session.progress("report")}));
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::cancelled || options.on_interrupt == "discard") throw;
    return false;
  }
}

void fit_by_choice(const FitCommand& options, Session& session, const FitRows& reading) {
  const auto start = std::chrono::steady_clock::now();
  const std::optional<Dataset> test = read_test(options, session, reading.data);
  if (options.on_interrupt != "discard")
    session.when_stopped =
        "mercer: interrupted; keeping the best model so far (Ctrl-C again quits at once, without a model)";
  AutomaticOptions how = options.automatic_options(reading.data, test ? &*test : nullptr, session);
  const Plan plan = plan_fit(reading.data, how);
  if (options.dry_run) return say_plan(session, plan, measure_plan(reading.data, how));
  const std::string first = fmt::format("evaluating {}; Ctrl-C keeps the best model so far",
                                        candidates_text(plan.candidates, plan.spaces.size()));
  how.tune.fit.progress = session.progress("search", options.on_interrupt == "discard" ? "" : first);
  const AutomaticFit made = fit_automatically(reading.data, how);
  if (!options.out.empty() && !Session::silent()) made.model.save(options.out);
  const bool reported = write_report(options, session, reading.data, made),
             unreported = !options.report.empty() && !reported;
  Json json =
      summarize(options, session, reading, made.model, seconds_since(start), made.notes, &made, reported);
  const std::vector<std::string> next = said(made.next, flag_words);
  for (const std::string& one : next) session.say_line("next", one);
  json["next"] = next;
  if (unreported && !made.interrupted) json["interrupted"] = "report";
  session.answer(json);
  set_exit_code(session, made.model.fitted.report);
  if (!made.interrupted && !unreported) return;
  Session::complain("mercer: " + interruption_text(made, reading.data.rows(), unreported));
  session.exit_code = interrupted;
}

}  // namespace

void run_fit(const FitCommand& options, Session& session) {
  if (!session.quiet)
    for (const std::string& warning : options.deprecated) Session::complain("mercer: warning: " + warning);
  std::optional<Model> earlier;
  if (!options.resume.empty()) earlier = Model::load(options.resume);
  const bool goes_on = earlier && earlier->method->traits().online;
  FitRows reading = goes_on ? read_more(options, *earlier, session)
                            : read_rows(options, earlier ? &*earlier : nullptr, session);
  const bool unsupervised =
      options.names_method() && !supervised(method_named(options.method)->traits().task);
  if (unsupervised && (options.judges() || options.tune || !options.grids.empty()))
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("{} is unsupervised, so there is no score to select or evaluate by", options.method),
        {.hint = "drop --tune, --grid, --cv, --holdout, --test, --metric, --folds and --report"});
  if (options.explain_plan) {
    if (options.searches() || options.judges())
      throw Error(ErrorCode::invalid_argument, "--explain-plan is about one fit, not about a search",
                  {.hint = "give --method or --kernel; --dry-run tells what a search would try"});
    return explain_solver(options, session, earlier ? &*earlier : nullptr, reading.data);
  }
  if (!unsupervised && (options.searches() || options.judges()))
    fit_by_choice(options, session, reading);
  else
    fit_as_told(options, session, earlier ? &*earlier : nullptr, reading);
}

void add_fit(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "fit", "fit a model to data; with only DATA and --target, everything is selected automatically");
  auto options = std::make_shared<FitCommand>();
  options->add(*command);
  command->footer(
      "Without --method, --kernel and hyperparameters, cross-validation selects method, kernel, "
      "hyperparameters and scaling.\n"
      "Exit code 1 if the fit did not converge, 4 if the time ran out, 130 after Ctrl-C.");
  command->callback([&session, options] { run_fit(*options, session); });
}

}  // namespace mercer::cli
