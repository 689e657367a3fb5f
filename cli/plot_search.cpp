// mercer plot surface|path|learning-curve DATA: validation scores of a method over its hyperparameters, over
// λ, and over the number of training rows.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/plot.hpp"
#include "mercer/default_kernel.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/pictures.hpp"

namespace mercer::cli {

namespace {

// The data, and the method and kernel that is fitted to them.
struct SearchPlot {
  DataOptions data;
  std::string method, kernel, metric;
  std::vector<std::string> set, grids;
  std::vector<std::size_t> sizes;
  std::size_t folds = 5;
  bool no_bias = false;
  PictureFile file;

  void add_kernel_wish(CLI::App& command) {
    add_value(command, "--kernel", kernel, "EXPR",
              "kernel expression; default rbf(gamma=scale) for numbers and the usual kernel for objects");
  }

  void add_method(CLI::App& command) {
    data.add(command);
    add_value(command, "--method", method, "METHOD",
              "method ('mercer methods' lists all); default svm for classes, svr for numbers");
    add_kernel_wish(command);
    add_value(command, "--set", set, "NAME=VALUE",
              "hyperparameter of the method, as in --set C=10 (repeatable)")
        ->allow_extra_args(false);
    add_value(command, "--cv", folds, "K", "number of cross-validation folds")
        ->capture_default_str()
        ->check(CLI::Range(2, 1000));
    add_value(command, "--metric", metric, "METRIC",
              "metric; default accuracy for classes, rmse for numbers");
  }

  DataOptions source() const { return kernel.empty() ? data : data.for_kernel(Kernel::parse(kernel)); }

  // The rows with their target as the method needs it.
  Dataset read(const Session& session) const {
    DataOptions source = this->source();
    if (!method.empty() && source.read.task == Task::none &&
        method_named(method)->traits().task == Task::classification)
      source.read.task = Task::classification;
    Dataset rows = source.read_rows(session);
    if (rows.target.task == Task::none)
      throw Error(ErrorCode::invalid_data, fmt::format("{}: no target column found", data.path),
                  {.hint = "name it with --target"});
    return rows;
  }

  Kernel chosen_kernel(const Dataset& rows) const {
    if (!kernel.empty()) return Kernel::parse(kernel);
    return chosen_method(rows)->traits().needs_columns ? Kernel::parse("linear")
                                                       : default_kernel(rows.points);
  }

  AnyMethod chosen_method(const Dataset& rows) const {
    AnyMethod one = method_named(!method.empty()                            ? std::string_view(method)
                                 : rows.target.task == Task::classification ? "svm"
                                                                            : "svr");
    for (const std::string& text : set) {
      const auto split = text.find('=');
      if (split == text.npos)
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("--set '{}': write NAME=VALUE, as in C=10", text));
      const std::string value = text.substr(split + 1);
      const std::optional<double> number = parse_number(value);
      one->set(text.substr(0, split), number ? Argument(*number) : Argument(Word{value}));
    }
    return one;
  }

  FitOptions fit(const Session& session) const {
    return {.threads = session.threads,
            .memory = session.memory_bytes(),
            .seed = session.seed,
            .progress = session.progress()};
  }

  std::string title(const AnyMethod& of) const {
    return fmt::format("{} on {}, {} folds", of->name(), name_of_file(data.path), folds);
  }
};

// The method's penalty and, if the kernel has one, its gamma.
std::vector<GridAxis> standard_axes(const Method& method, const Kernel& kernel) {
  std::vector<GridAxis> axes;
  const auto has = [](const auto& all, std::string_view name, auto member) {
    return std::ranges::find(all, name, member) != all.end();
  };
  const auto parameters = method.parameters();
  if (has(parameters, "C", &MethodParameter::name))
    axes.push_back(parse_axis("C=2^-5:2^15:2"));
  else if (has(parameters, "lambda", &MethodParameter::name))
    axes.push_back(parse_axis("lambda=10^-8:10^2:1"));
  if (has(numeric_parameters(kernel), "gamma", &KernelParameter::name))
    axes.push_back(parse_axis("gamma=2^-15:2^3:2"));
  if (axes.empty())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("no default axes for {} with {}", method.name(), kernel.text()),
                {.hint = "name one or two, as in --grid gamma=2^-15:2^3:2"});
  return axes;
}

void draw_surface(const Session& session, const SearchPlot& options) {
  std::vector<GridAxis> axes = values_of(options.grids, parse_axis);
  const Dataset data = options.read(session);
  const Kernel kernel = options.chosen_kernel(data);
  const AnyMethod method = options.chosen_method(data);
  if (axes.empty()) axes = standard_axes(*method, kernel.resolve(data.points));
  const Search search = tune({{method, kernel, axes}}, data,
                             {.metric = options.metric,
                              .folds = options.folds,
                              .scaling = Scaling::kind_named(options.data.scale),
                              .fit = options.fit(session)});
  const std::string svg = search_picture(search, options.title(method));
  const Trial& best = search.trials[search.best];
  Json values = Json::object();
  for (std::size_t a = 0; a < axes.size(); ++a) values[axes[a].parameter] = best.values[a];
  session.say(fmt::format("best {} {:.6g} (± {:.2g}) with {}", search.metric, best.score, best.error,
                          best.kernel.text()));
  options.file.write(session, svg,
                     {{"metric", search.metric},
                      {"settings", search.trials.size()},
                      {"best", values},
                      {"score", number(best.score)},
                      {"error", number(best.error)}});
}

void draw_path(const Session& session, const SearchPlot& options) {
  const Dataset data = options.source().load(session);
  const LambdaPath path = lambda_path(options.chosen_kernel(data), data,
                                      {.bias = !options.no_bias,
                                       .memory = session.memory_bytes(),
                                       .threads = session.threads,
                                       .seed = session.seed,
                                       .progress = session.progress()});
  options.file.write(session, lambda_path_picture(path, "Ridge with " + path.kernel.text()),
                     {{"kernel", path.kernel.text()},
                      {"rows", data.rows()},
                      {"lambda", number(path.lambda[path.best])},
                      {"leave_one_out", number(path.leave_one_out[path.best])},
                      {"degrees_of_freedom", number(path.degrees_of_freedom[path.best])}});
}

void draw_learning_curve(const Session& session, const SearchPlot& options) {
  const Dataset data = options.read(session);
  const AnyMethod method = options.chosen_method(data);
  const LearningCurve curve = learning_curve(method, options.chosen_kernel(data), data,
                                             {.metric = options.metric,
                                              .folds = options.folds,
                                              .sizes = options.sizes,
                                              .scaling = Scaling::kind_named(options.data.scale),
                                              .fit = options.fit(session)});
  Json points = Json::array();
  for (std::size_t i = 0; i < curve.sizes.size(); ++i)
    points.push_back({{"rows", curve.sizes[i]},
                      {"training", number(curve.training[i])},
                      {"training_error", number(curve.training_error[i])},
                      {"validation", number(curve.validation[i])},
                      {"validation_error", number(curve.validation_error[i])}});
  options.file.write(session, learning_curve_picture(curve, options.title(method)),
                     {{"metric", curve.metric}, {"points", points}});
}

}  // namespace

void add_search_plots(CLI::App& plot, Session& session) {
  const auto add = [&](const char* kind, const char* meaning, auto add_own, auto draw) {
    auto* command = plot.add_subcommand(kind, meaning);
    auto options = std::make_shared<SearchPlot>();
    add_own(*command, *options);
    options->file.add(*command);
    command->callback([&session, options, draw] {
      options->file.check();
      draw(session, *options);
    });
  };
  add(
      "surface", "validation score over one or two hyperparameters",
      [](CLI::App& command, SearchPlot& options) {
        options.add_method(command);
        add_value(command, "--grid", options.grids, "NAME=VALUES",
                  "axis, such as C=2^-5:2^15:2 or C=1,10,100 (repeatable); default: C or lambda, and gamma")
            ->allow_extra_args(false);
      },
      draw_surface);
  add(
      "path", "leave-one-out error of kernel ridge regression against the penalty λ",
      [](CLI::App& command, SearchPlot& options) {
        options.data.add(command);
        options.add_kernel_wish(command);
        command.add_flag("--no-bias", options.no_bias, "fit without an intercept");
      },
      draw_path);
  add(
      "learning-curve", "validation score against the number of training rows",
      [](CLI::App& command, SearchPlot& options) {
        options.add_method(command);
        add_value(command, "--sizes", options.sizes, "N,N,...",
                  "numbers of training rows, separated by commas; default: eight sizes")
            ->delimiter(',');
      },
      draw_learning_curve);
}

}  // namespace mercer::cli
