// mercer plot surface DATA [--grid A --grid B]: the validation score over one or two numbers of a method and
// its kernel.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/plot.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/pictures.hpp"

namespace mercer::cli {

namespace {

struct SurfaceOptions {
  DataOptions data;
  MethodOptions method;
  std::vector<std::string> grids;
  PictureFile file;
};

// The method's penalty and, if the kernel has one, its gamma.
std::vector<GridAxis> standard_axes(const Method& method, const Kernel& kernel) {
  std::vector<GridAxis> axes;
  const auto parameters = method.parameters();
  const auto has = [&](std::string_view name) {
    return std::ranges::find(parameters, name, &MethodParameter::name) != parameters.end();
  };
  if (has("C"))
    axes.push_back(parse_axis("C=2^-5:2^15:2"));
  else if (has("lambda"))
    axes.push_back(parse_axis("lambda=10^-8:10^2:1"));
  const auto numbers = numeric_parameters(kernel);
  if (std::ranges::find(numbers, "gamma", &KernelParameter::name) != numbers.end())
    axes.push_back(parse_axis("gamma=2^-15:2^3:2"));
  if (axes.empty())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("no default axes for {} with {}", method.name(), kernel.text()),
                {.hint = "name one or two, as in --grid gamma=2^-15:2^3:2"});
  return axes;
}

void draw(const Session& session, const SurfaceOptions& options) {
  options.file.check();
  std::vector<GridAxis> axes;
  for (const std::string& text : options.grids) axes.push_back(parse_axis(text));
  const Dataset data = options.method.read(options.data, session);
  const Kernel kernel = options.method.chosen_kernel(data);
  const AnyMethod method = options.method.chosen(data);
  if (axes.empty()) axes = standard_axes(*method, kernel.resolve(data.points));
  const TuneOptions tuning{.metric = options.method.metric,
                           .folds = options.method.folds,
                           .scaling = Scaling::kind_named(options.data.scale),
                           .fit = {.threads = session.threads,
                                   .memory = session.memory_bytes(),
                                   .seed = session.seed,
                                   .progress = session.progress()}};
  const Search search = tune({{method, kernel, axes}}, data, tuning);
  const std::string svg =
      search_picture(search, fmt::format("{} on {}, {} folds", method->name(),
                                         name_of_file(options.data.path), options.method.folds));
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

}  // namespace

void add_plot_surface(CLI::App& plot, Session& session) {
  auto* command = plot.add_subcommand("surface", "validation score over one or two hyperparameters");
  auto options = std::make_shared<SurfaceOptions>();
  options->data.add(*command);
  options->method.add(*command);
  command
      ->add_option("--grid", options->grids,
                   "axis, such as C=2^-5:2^15:2 or C=1,10,100 (repeatable); default: C or lambda, and gamma")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
  options->file.add(*command);
  command->callback([&session, options] { draw(session, *options); });
}

}  // namespace mercer::cli
