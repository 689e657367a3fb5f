// mercer fit DATA -o MODEL: learns from rows.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <set>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "mercer/error.hpp"
#include "mercer/model.hpp"

namespace mercer::cli {

namespace {

constexpr const char* default_kernel = "rbf(gamma=auto)";

struct Options {
  DataOptions data;
  std::string method, kernel, resume, out;
  std::vector<std::pair<std::string, std::string>> parameters;  // as given
  std::vector<std::string> class_weights;
  std::string solver = "auto", approx;
  std::optional<double> eps;
  double time = 0;
  bool allow_indefinite = false, probabilities = false;
  std::string on_interrupt = "discard";
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_memory_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

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
void add_parameters(CLI::App& command, Options& options) {
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

// `earlier`: the model to go on from, or null. What is not given is as it was there.
AnyMethod chosen_method(const Options& options, const Dataset& data, const Model* earlier) {
  std::string name = options.method;
  if (name.empty() && earlier) name = earlier->method->name();
  if (name.empty()) name = data.target.kind == Target::Kind::classes ? "svm" : data.target.kind == Target::Kind::real ? "svr" : "one_class";
  AnyMethod method = earlier && earlier->method->name() == name ? earlier->method : method_named(name);
  for (const auto& [parameter, text] : options.parameters) {
    const auto all = method->parameters();
    const auto found = std::ranges::find(all, parameter, &MethodParameter::name);
    if (found != all.end() && !found->choices.empty()) method->set(parameter, Word{text});
    else method->set(parameter, to_number(flag_of(parameter), text));
  }
  return method;
}

FitOptions fit_options(const Options& options, const Session& session) {
  FitOptions fit{.tolerance = options.eps, .threads = session.threads, .memory = session.memory_bytes(), .solver = options.solver, .approx = options.approx, .seed = session.seed,
                 .allow_indefinite = options.allow_indefinite, .probabilities = options.probabilities,
                 .keep_on_cancel = options.on_interrupt == "save",
                 .progress = session.progress()};
  if (options.time > 0) fit.seconds = options.time;
  for (const std::string& text : options.class_weights) {
    const auto split = text.rfind('=');
    if (text == "balanced") fit.balanced = true;
    else if (split == std::string::npos)
      throw Error(ErrorKind::usage, fmt::format("--class-weight '{}': write LABEL=WEIGHT, or balanced", text));
    else fit.class_weights.emplace_back(text.substr(0, split), to_number("--class-weight " + text.substr(0, split), text.substr(split + 1)));
  }
  return fit;
}

Json to_json(const Model& model, double read, double total) {
  Json json{{"method", model.method->name()}, {"parameters", parameters_json(*model.method)}, {"kernel", model.kernel().text()}, {"rows", model.rows},
            {"columns", model.columns}, {"classes", model.labels}};
  json.update(report_json(model.fitted.report));
  json.update(Json{{"seconds", {{"read", read}, {"fit", model.fitted.report.seconds}, {"total", total}}}, {"peak_memory_mb", peak_memory_mb()}, {"noise_scale", noise_json(model)}});
  return json;
}

void print(const Session& session, const Model& model, const Options& options, const std::string& data) {
  const FitReport& r = model.fitted.report;
  const auto line = [&](const char* name, const std::string& text) { session.say(fmt::format("  {:<12}{}", name, text)); };
  std::string parameters;
  const AnyMethod& standard = method_named(model.method->name());
  for (const MethodParameter& parameter : model.method->parameters()) {  // the first is the one that matters; others where they were set
    const std::string value = text_of(model.method->get(parameter.name));
    if (parameters.empty() || value != text_of(standard->get(parameter.name))) parameters += fmt::format(", {} = {}", parameter.name, value);
  }
  session.say(fmt::format("{}{}, kernel {}", model.method->name(), parameters, model.kernel().text()));
  line("data", data);
  for (const auto& [name, text] : report_lines(r)) line(name.c_str(), text);
  if (r.certificate == "violation")
    line("vectors", fmt::format("{} support vectors of {} rows, {} of them at the bound", r.support_vectors, model.rows, r.bounded_support_vectors));
  if (model.fitted.noise_scale) line("noise", noise_text(*model.fitted.noise_scale));
  if (!options.out.empty()) line("model", options.out);
}

void run(const Options& options, Session& session) {
  const auto start = std::chrono::steady_clock::now();
  DataOptions source = options.data;
  std::optional<Model> earlier;
  if (!options.resume.empty()) earlier = Model::load(options.resume);
  const Kernel kernel = earlier && options.kernel.empty() ? earlier->kernel() : Kernel::parse(options.kernel.empty() ? default_kernel : options.kernel);
  const std::string method = earlier && options.method.empty() ? std::string(earlier->method->name()) : options.method;
  if (!method.empty() && source.read.task == Target::Kind::none && method_named(method)->task() == Task::classes)
    source.read.task = Target::Kind::classes;
  Dataset data = source.read_rows(session);
  if (method.empty() && source.read.target != "none") require_target(data, source.path);
  if (method.empty() || method_named(method)->task() != Task::none)
    for (std::string& note : check_target(data)) data.notes.push_back(std::move(note));
  const double read = seconds_since(start);
  FitOptions how = fit_options(options, session);
  how.resume = earlier ? &*earlier : nullptr;
  const auto scaling = earlier && source.scale == "none" ? earlier->scaling.kind() : Scaling::kind_named(source.scale);
  const Model model = fit(chosen_method(options, data, how.resume), kernel, data, how, scaling);
  if (!options.out.empty()) model.save(options.out);
  print(session, model, options, describe(data));
  for (const std::string& note : data.notes) session.say(fmt::format("  {:<12}{}", "note", note));
  Json json = to_json(model, read, seconds_since(start));
  json["notes"] = data.notes;
  session.answer(json);
  if (!model.fitted.report.converged) session.exit_code = model.fitted.report.cut_short ? out_of_budget : bar_not_met;
}

}  // namespace

void add_fit(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("fit", "learn a model from rows");
  auto options = std::make_shared<Options>();
  options->data.read.missing = Missing::automatic;
  options->data.read.tolerant = true;
  options->data.add(*command);
  command->add_option("--method", options->method, "method (mercer methods lists all); default svm for classes, svr for numbers, one_class without a target")->type_name("NAME");
  command->add_option("--kernel", options->kernel, fmt::format("kernel expression; default {}", default_kernel))->type_name("EXPR");
  command->add_option("-o,--output", options->out, "model file: .mercer, or .model for LIBSVM's format")->type_name("FILE");
  command->add_option("--class-weight", options->class_weights, "factor on the rows of a class, LABEL=WEIGHT (repeatable), or balanced")->allow_extra_args(false)->type_name("LABEL=WEIGHT");
  command->add_option("--eps", options->eps, "tolerance of the certificate; default the method's own (1e-3 of support vector machines)")->type_name("NUMBER");
  command->add_option("--approx", options->approx, "features in place of the kernel: nystrom:2000, fourier:4096, sketch:1024, explicit (docs/features.md); none: the kernel itself, also where explicit features cost less")->type_name("MAP");
  command->add_option("--solver", options->solver, "how to solve: auto, or a word that mercer methods lists for the method")->capture_default_str()->type_name("NAME");
  command->add_option("--time", options->time, "stop after this many seconds with what there is (exit code 4)")->check(CLI::PositiveNumber)->type_name("SECONDS");
  command->add_option("--resume", options->resume, "begin where this model's fit ended (support vector machines); method, parameters, kernel and scaling are its own unless given")->type_name("MODEL");
  command->add_option("--on-interrupt", options->on_interrupt, "after Ctrl-C: discard, or save the model as it is")->check(CLI::IsMember({"save", "discard"}))->capture_default_str()->type_name("save|discard");
  command->add_flag("--allow-indefinite", options->allow_indefinite, "take a kernel that is not proved positive semidefinite");
  command->add_flag("--probabilities", options->probabilities, "calibrate on rows that were held out, so that classes come with probabilities and numbers with the scale of their noise");
  add_parameters(*command, *options);
  command->footer("Exit code 1 where the fit did not converge, 4 where the time ran out.");
  command->callback([&session, options] { run(*options, session); });
}

}  // namespace mercer::cli
