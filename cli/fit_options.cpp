#include "cli/fit_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "mercer/default_kernel.hpp"

namespace mercer::cli {

namespace {

// What a parameter means, and to which methods: "penalty on ‖f‖² (logistic, huber); …".
std::string meanings_of(std::string_view parameter) {
  std::vector<std::pair<std::string, std::string>> users;  // of each meaning
  for (const AnyMethod& method : methods())
    for (const MethodParameter& its : method->parameters()) {
      if (its.name != parameter) continue;
      const auto found = std::ranges::find(users, its.meaning, &std::pair<std::string, std::string>::first);
      if (found == users.end())
        users.emplace_back(its.meaning, method->name());
      else
        found->second += ", " + std::string(method->name());
    }
  std::string text;
  for (const auto& [meaning, names] : users)
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", meaning, names);
  return text;
}

// One flag for each parameter of any method.
void add_parameters(CLI::App& command, FitCommand& options) {
  std::set<std::string_view> seen;
  for (const AnyMethod& method : methods())
    for (const MethodParameter& parameter : method->parameters()) {
      if (!seen.insert(parameter.name).second) continue;
      command
          .add_option_function<std::string>(
              flag_of(parameter.name),
              [&options, name = std::string(parameter.name)](const std::string& text) {
                options.parameters.emplace_back(name, text);
              },
              meanings_of(parameter.name))
          ->type_name(parameter.choices.empty() ? "NUMBER"
                                                : fmt::format("{}", fmt::join(parameter.choices, "|")))
          ->group("Hyperparameters of the methods");
    }
}

double to_number(const std::string& what, const std::string& text) {
  if (const std::optional<double> value = parse_number(text)) return *value;
  throw Error(ErrorCode::invalid_argument, fmt::format("{}: '{}' is not a number", what, text));
}

// A flag that has another name now: it still works, and a warning says what to write.
void add_deprecated(CLI::App& command, FitCommand& options, const std::string& old, const std::string& now,
                    const std::function<void(const std::string&)>& take) {
  command
      .add_option_function<std::string>(
          old,
          [&options, take, old, now, given = command.get_option(now)](const std::string& text) {
            if (given->count() > 0)
              throw Error(ErrorCode::invalid_argument,
                          fmt::format("{} and {} cannot be given together", old, now));
            options.deprecated.push_back(fmt::format("{} is deprecated; use {}", old, now));
            take(text);
          },
          "as " + now)
      ->type_name("NUMBER")
      ->group("");
}

// A table of one column: the fold of each row.
std::vector<std::size_t> read_folds(const std::string& path, int threads) {
  const Dataset table = read(path, {.format = Format::csv, .target = "none", .threads = threads});
  if (table.points.cols() != 1)
    throw Error(ErrorCode::invalid_data,
                fmt::format("expected one column with the fold number of each row, found {} columns",
                            table.points.cols()),
                {.file = path});
  std::vector<std::size_t> folds;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double fold = table.points.row(i)[0];
    if (!(fold >= 0) || fold != std::floor(fold) || fold > 1e9)
      throw Error(ErrorCode::invalid_data, fmt::format("row {} has {:g}", i + 1, fold),
                  {.file = path, .hint = "fold numbers are whole numbers, 0 or above"});
    folds.push_back(std::size_t(fold));
  }
  return folds;
}

void add_selection(CLI::App& command, FitCommand& options) {
  const char* group = "Model selection and evaluation";
  const auto add = [&](const char* flag, auto& value, const char* type, const char* meaning) {
    return add_value(command, flag, value, type, meaning)->group(group);
  };
  command
      .add_flag("--tune", options.tune,
                "search the hyperparameters that are not given, and scale, auto and median in the kernel")
      ->group(group);
  add("--grid", options.grids, "NAME=VALUES",
      "values to search, such as \"C=2^-5:2^15:2\" or \"gamma=0.1,1,10\" (repeatable)")
      ->allow_extra_args(false);
  add("--cv", options.cv, "K", "number of cross-validation folds; default 5")
      ->check(CLI::Range(std::size_t(2), std::size_t(1000)));
  add("--repeats", options.repeats, "R",
      "number of repeated cross-validations in a search, with new folds each time")
      ->check(CLI::Range(std::size_t(1), std::size_t(100)))
      ->capture_default_str();
  add("--folds", options.folds, "FILE",
      "file with the fold number of each row, one per line, instead of random folds");
  add("--metric", options.metric, "METRIC",
      "metric to optimize: accuracy, auc, log_loss, rmse, mae …; default: accuracy for classes, rmse for "
      "numbers");
  add("--holdout", options.holdout, "FRACTION",
      "fraction of the rows to hold out for evaluation, instead of cross-validation")
      ->check(CLI::Range(0.001, 0.999));
  add("--test", options.test, "FILE", "test data to evaluate on");
  command.add_flag("--dry-run", options.dry_run, "print the candidates and the estimated time, and stop")
      ->group(group);
  add("--report", options.report, "FILE.html",
      "write an HTML report: data, model selection, plots and certificate");
}

}  // namespace

void FitCommand::add(CLI::App& command) {
  data.read.missing = Missing::automatic;
  data.read.tolerant = true;
  data.scale = "auto";
  data.add(command);
  command.get_option("--scale")
      ->description(
          "scale the columns: to mean 0 and variance 1 (standard), to [0, 1] (minmax), or not; auto: "
          "standard if a search runs and the columns have different scales, else none")
      ->type_name("auto|standard|minmax|none");
  add_value(command, "--method", method, "METHOD",
            "method ('mercer methods' lists all); default: selected automatically, or with --kernel or a "
            "hyperparameter svm for classes, svr for numbers, one_class without a target");
  add_value(command, "--kernel", kernel, "EXPR",
            "kernel expression ('mercer kernels' lists the names), or auto to search; default: selected "
            "automatically, or with --method or a hyperparameter rbf(gamma=scale) for numbers and the usual "
            "kernel for objects");
  add_value(command, "-o,--output", out, "FILE",
            "model file to write: .mercer, or .model for LIBSVM's format");
  add_value(command, "--class-weight", class_weights, "LABEL=WEIGHT",
            "weight of a class, LABEL=WEIGHT (repeatable), or balanced")
      ->allow_extra_args(false);
  add_value(command, "--tolerance", tolerance, "NUMBER",
            "stopping tolerance of the solver; default: the method's own (1e-3 for support vector machines)");
  add_value(command, "--approx", approx, "APPROX",
            "kernel approximation: nystrom:2000, fourier:4096, sketch:1024 or explicit (see "
            "docs/features.md); nystrom: as many landmarks as --memory and --time allow; none: the exact "
            "kernel, even where explicit features are cheaper");
  add_value(command, "--solver", solver, "SOLVER",
            "solver: auto, or one that 'mercer methods' lists for the method")
      ->capture_default_str();
  command.add_flag("--explain-plan", explain_plan,
                   "print whether the fit would be solved over features (primal) or over K (dual), what "
                   "either costs and why, and stop");
  command.add_flag("--stream", stream,
                   "keep the rows in a temporary file beside the model, and pass over it (ridge, logistic, "
                   "svm, svr, poisson, huber and rerm, over --approx nystrom:M); chosen by itself if "
                   "the rows are more than half of --memory");
  add_value(
      command, "--time", time, "SECONDS",
      "time limit: stop after so many seconds and keep the result so far (exit code 4); of methods that "
      "pass over the rows, also what the number of landmarks is chosen by if it is not given")
      ->check(CLI::PositiveNumber);
  add_value(
      command, "--resume", resume, "MODEL",
      "go on from this model; its method, hyperparameters, kernel and scaling are kept unless given. Support "
      "vector machines: a warm start; methods that learn online: DATA are further rows");
  add_value(
      command, "--classes", classes, "LABELS",
      "all classes, separated by commas, if DATA lacks some that --resume will bring (methods that learn "
      "online)")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_value(command, "--on-interrupt", on_interrupt, "save|discard",
            "on Ctrl-C: save the best model so far, or discard it; default: save if something is selected or "
            "evaluated, else discard")
      ->check(CLI::IsMember({"save", "discard"}));
  add_value(
      command, "--repair", repair, "clip|flip|shift|square",
      "make an indefinite kernel valid: clip negative eigenvalues of its matrix to 0, flip their sign (for "
      "svm: the machine in a Kreĭn space), shift or square all; new rows are changed alike")
      ->check(CLI::IsMember({"clip", "flip", "shift", "square"}));
  command.add_flag("--allow-nonconvex", allow_nonconvex,
                   "accept a --loss of your own that is not convex: the result is a local minimum at best");
  command.add_flag("--allow-indefinite", allow_indefinite,
                   "accept a kernel that is not known to be positive semidefinite");
  command.add_flag("--probabilities,--probability", probabilities, "as --proba")->group("");
  command.add_flag(
      "--proba", probabilities,
      "calibrate on held-out rows: class probabilities for classification, the noise scale for regression");
  add_selection(command, *this);
  add_parameters(command, *this);
  add_deprecated(command, *this, "--eps", "--tolerance",
                 [this](const std::string& text) { tolerance = to_number("--eps", text); });
  add_deprecated(command, *this, "--epsilon", "--tube",
                 [this](const std::string& text) { parameters.emplace_back("epsilon", text); });
}

bool FitCommand::searches() const {
  if (tune || dry_run || !grids.empty() || kernel == "auto") return true;
  return !names_method() && !names_kernel() && parameters.empty() && resume.empty() && approx.empty() &&
         solver == "auto" && data.read.target != "none";
}

AnyMethod FitCommand::chosen_method(const Dataset& rows, const Model* earlier) const {
  std::string name = method;
  if (name.empty() && earlier) name = earlier->method->name();
  if (name.empty())
    name = rows.target.task == Task::classification ? "svm"
           : rows.target.task == Task::regression   ? "svr"
                                                    : "one_class";
  AnyMethod chosen = earlier && earlier->method->name() == name ? earlier->method : method_named(name);
  for (const auto& [parameter, text] : parameters) {
    const auto all = chosen->parameters();
    const auto found = std::ranges::find(all, parameter, &MethodParameter::name);
    if (found != all.end() && !found->choices.empty())
      chosen->set(parameter, Word{text});
    else
      chosen->set(parameter, to_number(flag_of(parameter), text));
  }
  return chosen;
}

std::optional<Kernel> FitCommand::given_kernel(const Model* earlier) const {
  if (earlier && kernel.empty()) return earlier->kernel();
  if (names_kernel()) return Kernel::parse(kernel);
  return {};
}

Kernel FitCommand::chosen_kernel(const Dataset& rows, const Model* earlier) const {
  const std::optional<Kernel> given = given_kernel(earlier);
  if (given) return *given;
  return chosen_method(rows, earlier)->traits().needs_columns ? Kernel::parse("linear")
                                                              : default_kernel(rows.points);
}

Scaling::Kind FitCommand::chosen_scaling(const Model* earlier) const {
  if (data.scale != "auto") return Scaling::kind_named(data.scale);
  return earlier ? earlier->scaling.kind() : Scaling::Kind::none;
}

FitOptions FitCommand::fit_options(const Session& session) const {
  FitOptions fit{.tolerance = tolerance,
                 .threads = session.threads,
                 .memory = session.memory_bytes(),
                 .solver = solver,
                 .approx = approx,
                 .seed = session.seed,
                 .allow_nonconvex = allow_nonconvex,
                 .allow_indefinite = allow_indefinite,
                 .repair = repair,
                 .probabilities = probabilities,
                 .keep_on_cancel = on_interrupt == "save",
                 .progress = session.progress("fit")};
  if (time > 0) fit.seconds = time;
  for (const std::string& text : class_weights) {
    const auto split = text.rfind('=');
    if (text == "balanced")
      fit.balanced = true;
    else if (split == std::string::npos)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("--class-weight '{}': write LABEL=WEIGHT, or balanced", text));
    else
      fit.class_weights.emplace_back(
          text.substr(0, split),
          to_number("--class-weight " + text.substr(0, split), text.substr(split + 1)));
  }
  return fit;
}

AutomaticOptions FitCommand::automatic_options(const Dataset& rows, const Dataset* test_rows,
                                               const Session& session) const {
  if (!resume.empty())
    throw Error(ErrorCode::unsupported, "--resume cannot be combined with a search or an evaluation");
  if (!repair.empty())
    throw Error(
        ErrorCode::unsupported, "--repair cannot be combined with a search or an evaluation",
        {.hint = "name the method, the kernel and their hyperparameters, and evaluate the model with 'mercer "
                 "evaluate'"});
  AutomaticOptions options{.search = searches(), .holdout = holdout, .test = test_rows};
  if (holdout > 0 && test_rows)
    throw Error(ErrorCode::invalid_argument, "--holdout and --test both name the rows to evaluate on",
                {.hint = "give only one"});
  if (names_method() || !parameters.empty() || !options.search) options.method = chosen_method(rows, nullptr);
  for (const auto& [parameter, text] : parameters) options.fixed.push_back(parameter);
  if (names_kernel() || !options.search) options.kernel = chosen_kernel(rows, nullptr);
  if (data.scale != "auto" || !options.search) options.scaling = chosen_scaling(nullptr);
  for (const std::string& grid : grids) {
    options.axes.push_back(parse_axis(grid));
    options.axes.back().parameter = parameter_of(options.axes.back().parameter);
  }
  options.tune.metric = metric;
  options.tune.folds = cv.value_or(5);
  options.tune.repeats = repeats;
  if (!folds.empty()) options.tune.fold = read_folds(folds, session.threads);
  options.fit_progress = session.progress("final fit");
  options.assessment_progress = session.progress("assessment");
  options.tune.fit = fit_options(session);
  options.tune.fit.progress = session.progress("search");
  options.tune.fit.keep_on_cancel = on_interrupt != "discard";
  return options;
}

}  // namespace mercer::cli
