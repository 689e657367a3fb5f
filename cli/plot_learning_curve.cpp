// mercer plot learning-curve DATA: the score against the number of rows learned from.
#include <fmt/format.h>

#include <memory>

#include "cli/plot.hpp"
#include "mercer/pictures.hpp"

namespace mercer::cli {

void add_plot_learning_curve(CLI::App& plot, Session& session) {
  struct Options {
    DataOptions data;
    MethodOptions method;
    std::vector<std::size_t> sizes;
    PictureFile file;
  };
  auto* command =
      plot.add_subcommand("learning-curve", "validation score against the number of training rows");
  auto options = std::make_shared<Options>();
  options->data.add(*command);
  options->method.add(*command);
  command
      ->add_option("--sizes", options->sizes,
                   "numbers of training rows, separated by commas; default: eight sizes")
      ->delimiter(',')
      ->type_name("N,N,...");
  options->file.add(*command);
  command->callback([&session, options] {
    options->file.check();
    const Dataset data = options->method.read(options->data, session);
    const Kernel kernel = options->method.chosen_kernel(data);
    const AnyMethod method = options->method.chosen(data);
    const LearningCurve curve = learning_curve(method, kernel, data,
                                               {.metric = options->method.metric,
                                                .folds = options->method.folds,
                                                .sizes = options->sizes,
                                                .scaling = Scaling::kind_named(options->data.scale),
                                                .fit = {.threads = session.threads,
                                                        .memory = session.memory_bytes(),
                                                        .seed = session.seed,
                                                        .progress = session.progress()}});
    Json points = Json::array();
    for (std::size_t i = 0; i < curve.sizes.size(); ++i)
      points.push_back({{"rows", curve.sizes[i]},
                        {"training", number(curve.training[i])},
                        {"training_error", number(curve.training_error[i])},
                        {"validation", number(curve.validation[i])},
                        {"validation_error", number(curve.validation_error[i])}});
    options->file.write(
        session,
        learning_curve_picture(curve, fmt::format("{} on {}, {} folds", method->name(),
                                                  name_of_file(options->data.path), options->method.folds)),
        {{"metric", curve.metric}, {"points", points}});
  });
}

}  // namespace mercer::cli
