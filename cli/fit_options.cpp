#include "cli/fit_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "mercer/error.hpp"

namespace mercer::cli {

namespace {

constexpr const char* default_kernel = "rbf(gamma=auto)";

std::string flag_of(std::string_view parameter) {
  std::string flag = "--" + std::string(parameter);
  for (char& c : flag) c = c == '_' ? '-' : c;
  return flag;
}

// What a parameter means, and to which methods: "price of ‖f‖² (logistic, huber); …".
std::string meanings_of(std::string_view parameter) {
  std::vector<std::pair<std::string, std::string>> users;  // of each meaning
  for (const AnyMethod& method : methods())
    for (const MethodParameter& its : method->parameters()) {
      if (its.name != parameter) continue;
      const auto found = std::ranges::find(users, its.meaning, &std::pair<std::string, std::string>::first);
      if (found == users.end()) users.emplace_back(its.meaning, method->name());
      else found->second += ", " + std::string(method->name());
    }
  std::string text;
  for (const auto& [meaning, names] : users) text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", meaning, names);
  return text;
}

// One flag for each parameter of any method.
void add_parameters(CLI::App& command, FitCommand& options) {
  std::set<std::string_view> seen;
  for (const AnyMethod& method : methods())
    for (const MethodParameter& parameter : method->parameters()) {
      if (!seen.insert(parameter.name).second) continue;
      std::string choices;
      for (const std::string_view choice : parameter.choices) choices += (choices.empty() ? "" : "|") + std::string(choice);
      command.add_option_function<std::string>(flag_of(parameter.name),
          [&options, name = std::string(parameter.name)](const std::string& text) { options.parameters.emplace_back(name, text); },
          meanings_of(parameter.name))->type_name(choices.empty() ? "NUMBER" : choices)->group("Parameters of the methods");
    }
}

double to_number(const std::string& what, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not a number", what, text));
  return value;
}

// A table of one column: the fold of each row.
std::vector<std::size_t> read_folds(const std::string& path, int threads) {
  const Dataset table = read(path, {.format = Format::csv, .target = "none", .threads = threads});
  if (table.points.cols() != 1) throw Error(ErrorKind::data, fmt::format("{}: there are {} columns; a file of folds has one, with a number for each row", path, table.points.cols()));
  std::vector<std::size_t> folds;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double fold = table.points.row(i)[0];
    if (!(fold >= 0) || fold != std::floor(fold) || fold > 1e9) throw Error(ErrorKind::data, fmt::format("{}: row {} has {:g}; folds are whole numbers from 0 on", path, i + 1, fold));
    folds.push_back(std::size_t(fold));
  }
  return folds;
}

}  // namespace

void FitCommand::add(CLI::App& command) {
  data.read.missing = Missing::automatic;
  data.read.tolerant = true;
  data.scale = "auto";
  data.add(command);
  command.get_option("--scale")->description("scale the columns: standard, minmax, none, or auto: standard where something is chosen and the columns are not alike, else none")->type_name("auto|standard|minmax|none");
  command.add_option("--method", method, "method (mercer methods lists all); not given it is chosen, or, beside a kernel or numbers, svm for classes, svr for numbers and one_class without a target")->type_name("NAME");
  command.add_option("--kernel", kernel, fmt::format("kernel expression, or auto to have it chosen; beside a method or numbers {}", default_kernel))->type_name("EXPR");
  command.add_option("-o,--output", out, "model file: .mercer, or .model for LIBSVM's format")->type_name("FILE");
  command.add_option("--class-weight", class_weights, "factor on the rows of a class, LABEL=WEIGHT (repeatable), or balanced")->allow_extra_args(false)->type_name("LABEL=WEIGHT");
  command.add_option("--eps", eps, "tolerance of the certificate; default the method's own (1e-3 of support vector machines)")->type_name("NUMBER");
  command.add_option("--approx", approx, "features in place of the kernel: nystrom:2000, fourier:4096, sketch:1024, explicit (docs/features.md); none: the kernel itself, also where explicit features cost less")->type_name("MAP");
  command.add_option("--solver", solver, "how to solve: auto, or a word that mercer methods lists for the method")->capture_default_str()->type_name("NAME");
  command.add_option("--time", time, "stop after this many seconds with what there is (exit code 4)")->check(CLI::PositiveNumber)->type_name("SECONDS");
  command.add_option("--resume", resume, "begin where this model's fit ended (support vector machines); method, parameters, kernel and scaling are its own unless given")->type_name("MODEL");
  command.add_option("--on-interrupt", on_interrupt, "after Ctrl-C: discard, or save the model as it is")->check(CLI::IsMember({"save", "discard"}))->capture_default_str()->type_name("save|discard");
  command.add_flag("--allow-indefinite", allow_indefinite, "take a kernel that is not proved positive semidefinite");
  command.add_flag("--probabilities,--probability", probabilities, "as --proba")->group("");
  command.add_flag("--proba", probabilities, "calibrate on rows that were held out, so that classes come with probabilities and numbers with the scale of their noise");
  const char* group = "Choosing and judging";
  command.add_flag("--tune", tune, "search what is left open: numbers not given, auto and median in the kernel")->group(group);
  command.add_option("--grid", grids, "values to search, such as \"C=2^-5:2^15:2\", \"gamma=0.1,1,10\" (repeatable)")->allow_extra_args(false)->type_name("NAME=VALUES")->group(group);
  command.add_option("--cv", cv, "folds to judge on; default 5")->check(CLI::Range(std::size_t(2), std::size_t(1000)))->type_name("K")->group(group);
  command.add_option("--repeats", repeats, "how often the folds are drawn anew in a search")->check(CLI::Range(std::size_t(1), std::size_t(100)))->capture_default_str()->type_name("R")->group(group);
  command.add_option("--folds", folds, "file with the fold of each row, a number a line, in place of drawn ones")->type_name("FILE")->group(group);
  command.add_option("--metric", metric, "what is to be best: accuracy, auc, log_loss, rmse, mae …; default accuracy of classes, rmse of numbers")->type_name("NAME")->group(group);
  command.add_option("--holdout", holdout, "part of the rows to hold out and judge the choice on, in place of folds")->check(CLI::Range(0.001, 0.999))->type_name("PART")->group(group);
  command.add_option("--test", test, "rows to judge the choice on")->type_name("FILE")->group(group);
  command.add_flag("--dry-run", dry_run, "print what would be tried and how long it would take")->group(group);
  command.add_option("--report", report, "write a page with the data, the choice, pictures and the certificate")->type_name("FILE.html")->group(group);
  add_parameters(command, *this);
}

bool FitCommand::searches() const {
  if (tune || dry_run || !grids.empty() || kernel == "auto") return true;
  return !names_method() && !names_kernel() && parameters.empty() && resume.empty() && approx.empty() && solver == "auto" && data.read.target != "none";
}

AnyMethod FitCommand::chosen_method(const Dataset& rows, const Model* earlier) const {
  std::string name = method;
  if (name.empty() && earlier) name = earlier->method->name();
  if (name.empty()) name = rows.target.kind == Target::Kind::classes ? "svm" : rows.target.kind == Target::Kind::real ? "svr" : "one_class";
  AnyMethod chosen = earlier && earlier->method->name() == name ? earlier->method : method_named(name);
  for (const auto& [parameter, text] : parameters) {
    const auto all = chosen->parameters();
    const auto found = std::ranges::find(all, parameter, &MethodParameter::name);
    if (found != all.end() && !found->choices.empty()) chosen->set(parameter, Word{text});
    else chosen->set(parameter, to_number(flag_of(parameter), text));
  }
  return chosen;
}

Kernel FitCommand::chosen_kernel(const Model* earlier) const {
  if (earlier && kernel.empty()) return earlier->kernel();
  return Kernel::parse(names_kernel() ? kernel : default_kernel);
}

Scaling::Kind FitCommand::chosen_scaling(const Model* earlier) const {
  if (data.scale != "auto") return Scaling::kind_named(data.scale);
  return earlier ? earlier->scaling.kind() : Scaling::Kind::none;
}

FitOptions FitCommand::fit_options(const Session& session) const {
  FitOptions fit{.tolerance = eps, .threads = session.threads, .memory = session.memory_bytes(), .solver = solver, .approx = approx,
                 .seed = session.seed, .allow_indefinite = allow_indefinite, .probabilities = probabilities,
                 .keep_on_cancel = on_interrupt == "save",
                 .progress = session.progress()};
  if (time > 0) fit.seconds = time;
  for (const std::string& text : class_weights) {
    const auto split = text.rfind('=');
    if (text == "balanced") fit.balanced = true;
    else if (split == std::string::npos)
      throw Error(ErrorKind::usage, fmt::format("--class-weight '{}': write LABEL=WEIGHT, or balanced", text));
    else fit.class_weights.emplace_back(text.substr(0, split), to_number("--class-weight " + text.substr(0, split), text.substr(split + 1)));
  }
  return fit;
}

AutomaticOptions FitCommand::automatic_options(const Dataset& rows, const Dataset* test_rows, const Session& session) const {
  if (!resume.empty()) throw Error(ErrorKind::usage, "a fit that goes on from a model searches and judges nothing; leave --resume out");
  AutomaticOptions options{.search = searches(), .holdout = holdout, .test = test_rows};
  if (holdout > 0 && test_rows) throw Error(ErrorKind::usage, "--holdout and --test both name the rows to judge on; give one of them");
  if (names_method() || !parameters.empty() || !options.search) options.method = chosen_method(rows, nullptr);
  for (const auto& [parameter, text] : parameters) options.fixed.push_back(parameter);
  if (names_kernel() || !options.search) options.kernel = chosen_kernel(nullptr);
  if (data.scale != "auto" || !options.search) options.scaling = chosen_scaling(nullptr);
  for (const std::string& grid : grids) options.axes.push_back(parse_axis(grid));
  options.tune.metric = metric;
  options.tune.folds = cv.value_or(5);
  options.tune.repeats = repeats;
  if (!folds.empty()) options.tune.fold = read_folds(folds, session.threads);
  options.fit_progress = session.progress();
  options.tune.fit = fit_options(session);
  options.tune.fit.progress = session.search_progress();
  return options;
}

}  // namespace mercer::cli
