// mercer svm-train: LIBSVM's svm-train, with its flags, defaults, printed lines and model files.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/libsvm_flags.hpp"
#include "mercer/kernels/precomputed.hpp"
#include "mercer/cross_validation.hpp"
#include "mercer/libsvm.hpp"
#include "mercer/methods.hpp"

namespace mercer::cli {

namespace {

constexpr const char* train_usage =
    "Usage: svm-train [options] training_set_file [model_file]\n"
    "  -s TYPE     0 C-SVC (default), 1 nu-SVC, 2 one-class, 3 epsilon-SVR, 4 nu-SVR\n"
    "  -t KERNEL   0 linear, 1 (gamma*u'*v + coef0)^degree, 2 exp(-gamma*|u-v|^2) (default), "
    "3 tanh(gamma*u'*v + coef0), 4 precomputed: rows are label 0:serial 1:k(x,x1) 2:k(x,x2) ...\n"
    "  -d DEGREE   degree in the kernel (default 3)\n"
    "  -g GAMMA    gamma in the kernel (default 1/number of columns)\n"
    "  -r COEF0    coef0 in the kernel (default 0)\n"
    "  -c C        C of C-SVC, epsilon-SVR and nu-SVR (default 1)\n"
    "  -n NU       nu of nu-SVC, one-class and nu-SVR (default 0.5)\n"
    "  -p EPSILON  epsilon in the loss of epsilon-SVR (default 0.1)\n"
    "  -m MB       cache memory in MB (default: half of the machine's memory)\n"
    "  -e EPSILON  tolerance of the termination criterion (default 0.001)\n"
    "  -h 0|1      whether to use the shrinking heuristics (default 1)\n"
    "  -b 0|1      whether to train for probability estimates (default 0)\n"
    "  -wi WEIGHT  weight of class i, for C-SVC (default 1)\n"
    "  -v N        N-fold cross-validation\n"
    "  -q          quiet mode";

enum Type { c_svc, nu_svc, one_class, epsilon_svr, nu_svr };

struct Command {
  int type = c_svc, kernel = 2, degree = 3, folds = 0;
  double gamma = 0, coef0 = 0, C = 1, nu = 0.5, epsilon = 0.1;
  bool quiet = false;
  FitOptions fit;
  std::string data, model;

  bool classifies() const { return type == c_svc || type == nu_svc; }
};

Command read_command(const std::vector<std::string>& arguments, const Session& session) {
  LibsvmFlags flags("svm-train", arguments, train_usage);
  Command c;
  c.quiet = session.quiet;
  c.fit = {.threads = session.threads,
           .memory = session.memory_bytes(),
           .seed = session.seed,
           .allow_indefinite = true,
           .progress = session.progress()};
  flags.read({{"s", [&] { c.type = flags.whole(0, 4); }},
              {"t", [&] { c.kernel = flags.whole(0, 4); }},
              {"d", [&] { c.degree = flags.whole(0, 1000); }},
              {"g", [&] { c.gamma = flags.number(); }},
              {"r", [&] { c.coef0 = flags.number(); }},
              {"c", [&] { c.C = flags.number(); }},
              {"n", [&] { c.nu = flags.number(); }},
              {"p", [&] { c.epsilon = flags.number(); }},
              {"m", [&] { c.fit.memory = std::size_t(flags.number(0.001, 1e9) * 1e6); }},
              {"e", [&] { c.fit.tolerance = flags.number(); }},
              {"h", [&] { c.fit.shrinking = flags.on(); }},
              {"b", [&] { c.fit.probabilities = flags.on(); }},
              {"v", [&] { c.folds = flags.whole(2, 1'000'000'000); }},
              {"q", [&] { c.quiet = true; }}},
             [&](const std::string& flag) {  // -wi: the weight of class i
               const bool weight = flag.starts_with("w") && flag.size() > 1;
               if (weight) c.fit.class_weights.emplace_back(flag.substr(1), flags.number());
               return weight;
             });
  const auto files = flags.files(1, 2);
  c.data = files[0];
  c.model = files.size() > 1 ? files[1] : std::filesystem::path(files[0]).filename().string() + ".model";
  if (!c.classifies() && c.folds > 0) c.fit.probabilities = false;  // they do not change what is predicted
  if (c.type != c_svc) c.fit.class_weights.clear();
  return c;
}

AnyMethod method_of(const Command& c) {
  switch (c.type) {
    case c_svc:
      return Svm{.C = c.C};
    case nu_svc:
      return NuSvm{.nu = c.nu};
    case one_class:
      return OneClass{.nu = c.nu};
    case epsilon_svr:
      return Svr{.C = c.C, .epsilon = c.epsilon};
    default:
      return NuSvr{.C = c.C, .nu = c.nu};
  }
}

// LIBSVM numbers the classes by their first row, but puts +1 before -1.
void order_labels(Target& target) {
  std::vector<std::int32_t> order, place(target.labels.size(), -1);
  for (const std::int32_t code : target.codes)
    if (place[std::size_t(code)] < 0)
      place[std::size_t(code)] = std::int32_t(order.size()), order.push_back(code);
  const auto label = [&](std::size_t i) -> const std::string& {
    return target.labels[std::size_t(order[i])];
  };
  if (order.size() == 2 && label(0) == "-1" && label(1) == "1")
    std::swap(order[0], order[1]), std::swap(place[std::size_t(order[0])], place[std::size_t(order[1])]);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < order.size(); ++i) labels.push_back(label(i));
  for (std::int32_t& code : target.codes) code = place[std::size_t(code)];
  target.labels = std::move(labels);
}

void check_labels(const Target& target, const std::string& file) {
  for (const std::string& label : target.labels)
    if (!parse_number<int>(label))
      throw Error(ErrorCode::invalid_data,
                  fmt::format("the label '{}' is not a whole number, as LIBSVM's model files require", label),
                  {.file = file, .hint = "use 'mercer fit'"});
}

// LIBSVM's own folds: its shuffle draws from the C library's generator in its initial state.
std::vector<std::size_t> libsvm_folds(const Dataset& data, bool stratified, std::size_t folds) {
  const std::size_t n = data.rows();
  random_data state{};
  char memory[128] = {};
  ::initstate_r(1, memory, sizeof memory, &state);
  const auto below = [&](std::size_t count) {
    std::int32_t value = 0;
    ::random_r(&state, &value);
    return std::size_t(value) % count;
  };
  const auto shuffle = [&](std::vector<std::size_t>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) std::swap(rows[i], rows[i + below(rows.size() - i)]);
  };
  std::vector<std::vector<std::size_t>> parts(stratified ? data.target.labels.size() : 1);
  for (std::size_t i = 0; i < n; ++i) parts[stratified ? std::size_t(data.target.codes[i]) : 0].push_back(i);
  std::vector<std::size_t> fold(n);
  for (auto& part : parts) {
    shuffle(part);
    for (std::size_t f = 0; f < folds; ++f)
      for (std::size_t i = f * part.size() / folds; i < (f + 1) * part.size() / folds; ++i) fold[part[i]] = f;
  }
  return fold;
}

void print_fit(const Command& c, const Model& model) {
  if (c.quiet) return;
  if (model.fitted.noise_scale) print_noise(*model.fitted.noise_scale, "sigma= ");
  for (const ProblemReport& p : model.fitted.report.problems) {
    fmt::print("*\noptimization finished, #iter = {}\n", p.iterations);
    if (c.type == c_svc && c.fit.class_weights.empty())
      fmt::print("nu = {:.6f}\n", p.coefficient_sum / (c.C * double(p.variables)));
    if (c.type == epsilon_svr)
      fmt::print("nu = {:.6f}\n", p.coefficient_sum / (c.C * double(p.variables) / 2));
    if (c.type == nu_svc) fmt::print("C = {:.6f}\n", p.found);
    if (c.type == nu_svr) fmt::print("epsilon = {:.6f}\n", p.found);
    fmt::print("obj = {:.6f}, rho = {:.6f}\nnSV = {}, nBSV = {}\n", p.objective, p.rho, p.support_vectors,
               p.bounded_support_vectors);
  }
  if (c.classifies()) fmt::print("Total nSV = {}\n", model.fitted.report.support_vectors);
}

void print_cross_validation(const Command& c, const Dataset& data, const Predictions& p) {
  const std::size_t n = data.rows();
  if (c.classifies() || c.type == one_class) {
    const std::vector<double> truth = c.classifies() ? std::vector<double>() : data.target.numbers();
    std::size_t right = 0;
    for (std::size_t i = 0; i < n; ++i)
      right += c.classifies() ? p.codes[i] == data.target.codes[i] : p.values[i] == truth[i];
    fmt::print("Cross Validation Accuracy = {}%\n", g6(100.0 * double(right) / double(n)));
    return;
  }
  const LibsvmFit fit = libsvm_fit(data.target.values, p.values);
  fmt::print(
      "Cross Validation Mean squared error = {}\nCross Validation Squared correlation coefficient = {}\n",
      g6(fit.squared_error), g6(fit.squared_correlation));
}

void run(const std::vector<std::string>& arguments, Session& session) {
  Command c = read_command(arguments, session);
  Dataset data =
      read(c.data, {.format = Format::libsvm,
                    .task = c.classifies() || c.type == one_class ? Task::classification : Task::regression,
                    .from_zero = LibsvmKernel(c.kernel) == LibsvmKernel::precomputed,
                    .threads = session.threads});
  if (c.classifies()) {
    check_labels(data.target, c.data);
    order_labels(data.target);
  }
  const AnyMethod method = method_of(c);
  const std::size_t last_index = data.points.cols() - (data.schema.first_index == 0);
  const double gamma = c.gamma != 0 ? c.gamma : 1 / double(std::max<std::size_t>(last_index, 1));
  const Kernel kernel = libsvm_kernel(LibsvmKernel(c.kernel), c.degree, gamma, c.coef0);
  if (kernel.precomputed()) data.points = kernel_rows(data.points);
  if (c.folds > 0) {
    const std::size_t folds = std::min<std::size_t>(std::size_t(c.folds), data.rows());
    print_cross_validation(
        c, data,
        cross_validate(method, kernel, data, libsvm_folds(data, c.classifies() && folds < data.rows(), folds),
                       c.fit, Scaling::Kind::none, [&](const Model& model) { print_fit(c, model); }));
    return;
  }
  if (c.type == epsilon_svr || c.type == nu_svr)
    c.fit.folds = libsvm_folds(data, false, std::min<std::size_t>(5, data.rows()));
  const Model model = fit(method, kernel, data, c.fit);
  print_fit(c, model);
  model.save(c.model, ModelFormat::libsvm);
  const FitReport& report = model.fitted.report;
  if (!report.converged)
    for (const Note& warning : report.warnings) Session::complain("svm-train: " + warning.said(flag_words));
  else if (c.type == one_class && c.fit.probabilities && model.fitted.density_marks.empty())
    Session::complain("svm-train: " + report.warnings.back().said());
}

}  // namespace

void add_svm_train(CLI::App& app, Session& session) {
  add_libsvm_command(app, "svm-train", "LIBSVM's svm-train: its flags, output and model files", train_usage,
                     [&session](const std::vector<std::string>& arguments) { run(arguments, session); });
}

}  // namespace mercer::cli
