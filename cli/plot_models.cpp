// mercer plot regions|curve|components|gram: pictures of models and of kernels.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "cli/model_options.hpp"
#include "cli/plot.hpp"
#include "mercer/error.hpp"
#include "mercer/model_pictures.hpp"

namespace mercer::cli {

namespace {

// Options that every kind here has.
struct Common {
  DataOptions data;
  PictureFile file;
  std::string title;

  void add(CLI::App& command) {
    command.add_option("--title", title, "title of the plot")->type_name("TEXT");
    file.add(command);
  }
};

// DATA and --kernel: what the kinds without a model take.
struct KernelPlot : Common {
  std::string kernel;

  void add(CLI::App& command) {
    data.add(command);
    command.add_option("--kernel", kernel, "kernel expression")->required()->type_name("EXPR");
    Common::add(command);
  }
  void draw(const Session& session,
            std::string (*picture)(const Kernel&, const Dataset&, const KernelPictureOptions&)) const {
    file.check();
    const Kernel parsed = Kernel::parse(kernel);
    const Dataset rows = data.for_kernel(parsed).load(session);
    const Kernel resolved = parsed.resolve(rows.points);
    file.write(
        session,
        picture(resolved, rows, {.title = title, .threads = session.threads, .progress = session.progress()}),
        {{"kernel", resolved.text()}, {"rows", rows.rows()}, {"columns", rows.points.cols()}});
  }
};

}  // namespace

void add_plot_regions(CLI::App& plot, Session& session) {
  struct Options : Common {
    std::string model, projection = "columns";
    std::vector<std::string> columns;
  };
  auto* command =
      plot.add_subcommand("regions", "predictions over a plane: decision regions, margins, support vectors");
  auto options = std::make_shared<Options>();
  add_model_and_data(*command, options->model, options->data);
  command
      ->add_option("--projection", options->projection,
                   "the plane: two columns, with the others at their medians, or the two leading components "
                   "of kernel PCA")
      ->capture_default_str()
      ->type_name("columns|components");
  command
      ->add_option("--columns", options->columns,
                   "the two columns, by name or number (from 1), separated by a comma; default: the two that "
                   "influence the prediction most")
      ->delimiter(',')
      ->type_name("A,B");
  options->add(*command);
  command->callback([&session, options] {
    options->file.check();
    RegionsOptions regions{.title = options->title,
                           .projection = projection_named(options->projection),
                           .columns = options->columns,
                           .threads = session.threads,
                           .progress = session.progress()};
    Model model = Model::load(options->model);
    const Dataset data = load_for(model, options->data, session, false);
    options->file.write(session, regions_picture(model, data, regions),
                        {{"rows", data.rows()}, {"columns", data.points.cols()}});
  });
}

void add_plot_curve(CLI::App& plot, Session& session) {
  struct Options : Common {
    std::string model, column;
    std::vector<std::string> with;
  };
  auto* command =
      plot.add_subcommand("curve", "predictions of a regression model over a column, with its bands");
  auto options = std::make_shared<Options>();
  add_model_and_data(*command, options->model, options->data);
  command->add_option("--with", options->with, "more models of the same data, such as other quantiles")
      ->type_name("MODEL");
  command
      ->add_option(
          "--column", options->column,
          "the column, by name or number (from 1); default: the one that influences the prediction most")
      ->type_name("COL");
  options->add(*command);
  command->callback([&session, options] {
    options->file.check();
    std::vector<Model> models{Model::load(options->model)};
    for (const std::string& path : options->with) models.push_back(Model::load(path));
    const Dataset data = load_for(models[0], options->data, session, false);
    for (Model& model : models)
      if (model.columns != data.points.cols() && open_ended(data) && model.schema.columns.empty())
        model = widened_for(model, data);
    options->file.write(session,
                        curve_picture(models, data,
                                      {.title = options->title,
                                       .column = options->column,
                                       .threads = session.threads,
                                       .progress = session.progress()}),
                        {{"models", models.size()}, {"rows", data.rows()}, {"columns", data.points.cols()}});
  });
}

void add_plot_components(CLI::App& plot, Session& session) {
  auto* command = plot.add_subcommand("components", "rows on the two leading kernel principal components");
  auto options = std::make_shared<KernelPlot>();
  options->add(*command);
  command->callback([&session, options] { options->draw(session, components_picture); });
}

void add_plot_gram(CLI::App& plot, Session& session) {
  auto* command = plot.add_subcommand("gram", "the Gram matrix of a kernel, with rows ordered by class");
  auto options = std::make_shared<KernelPlot>();
  options->add(*command);
  command->callback([&session, options] { options->draw(session, gram_picture); });
}

}  // namespace mercer::cli
