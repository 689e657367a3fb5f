// mercer plot components|gram|spectrum DATA --kernel K: data as a kernel sees them; mercer plot prior
// --kernel K: what it believes without data.
#include <fmt/format.h>

#include <memory>

#include "cli/plot.hpp"
#include "mercer/model_pictures.hpp"
#include "mercer/pictures.hpp"
#include "mercer/prior_picture.hpp"
#include "mercer/validity.hpp"

namespace mercer::cli {

namespace {

struct KernelPlot {
  DataOptions data;
  std::string kernel, title;
  std::size_t sample = 1000;
  PictureFile file;
};

using KernelPicture = std::string(const Kernel&, const Dataset&, const KernelPictureOptions&);

void add_kernel_plot(CLI::App& plot, Session& session, const char* kind, const char* meaning,
                     KernelPicture* picture) {
  auto* command = plot.add_subcommand(kind, meaning);
  auto options = std::make_shared<KernelPlot>();
  options->data.add(*command);
  add_kernel(*command, options->kernel);
  add_value(*command, "--title", options->title, "TEXT", "title of the plot");
  options->file.add(*command);
  command->callback([&session, options, picture] {
    options->file.check();
    const Kernel parsed = Kernel::parse(options->kernel);
    const Dataset data = options->data.for_kernel(parsed).load(session);
    const Kernel kernel = parsed.resolve(data.points);
    const std::string svg = picture(
        kernel, data, {.title = options->title, .threads = session.threads, .progress = session.progress()});
    options->file.write(session, svg,
                        {{"kernel", kernel.text()}, {"rows", data.rows()}, {"columns", data.points.cols()}});
  });
}

void add_spectrum(CLI::App& plot, Session& session) {
  auto* command = plot.add_subcommand("spectrum", "eigenvalues of the Gram matrix, and its effective rank");
  auto options = std::make_shared<KernelPlot>();
  options->data.add(*command);
  add_kernel(*command, options->kernel);
  add_value(*command, "--sample", options->sample, "N", "number of rows to use; larger data are sampled")
      ->capture_default_str()
      ->check(CLI::Range(1, 20000));
  options->file.add(*command);
  command->callback([&session, options] {
    options->file.check();
    const Kernel kernel = Kernel::parse(options->kernel);
    const Dataset data = options->data.for_kernel(kernel).load(session);
    if (data.rows() == 0)
      throw Error(ErrorCode::invalid_data, fmt::format("{}: no rows", options->data.path));
    const Validity v = check_kernel(kernel, data.points, data.target,
                                    {.sample = options->sample,
                                     .seed = session.seed,
                                     .threads = session.threads,
                                     .progress = session.progress()});
    if (!v.symmetric)
      throw Error(
          ErrorCode::unsupported,
          fmt::format("{} is not symmetric, so its matrix need not have real eigenvalues", v.kernel.text()));
    options->file.write(session, spectrum_picture(v.eigenvalues, "Spectrum of " + v.kernel.text()),
                        {{"kernel", v.kernel.text()},
                         {"rows", v.rows.size()},
                         {"effective_rank", number(v.effective_rank)},
                         {"largest", number(v.eigenvalues.back())},
                         {"smallest", number(v.eigenvalues.front())}});
  });
}

void add_prior(CLI::App& plot, Session& session) {
  struct Options {
    std::string kernel;
    PriorPicture picture;
    PictureFile file;
  };
  auto* command =
      plot.add_subcommand("prior", "functions of one variable drawn from the Gaussian process of a kernel");
  auto options = std::make_shared<Options>();
  add_kernel(*command, options->kernel);
  add_value(*command, "--samples", options->picture.samples, "N", "number of functions to draw")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  add_value(*command, "--from", options->picture.low, "NUMBER", "lower end of x")->capture_default_str();
  add_value(*command, "--to", options->picture.high, "NUMBER", "upper end of x")->capture_default_str();
  add_value(*command, "--title", options->picture.title, "TEXT", "title of the plot");
  options->file.add(*command);
  command->callback([&session, options] {
    options->file.check();
    const Kernel kernel = Kernel::parse(options->kernel);
    options->picture.seed = session.seed;
    options->file.write(session, prior_picture(kernel, options->picture),
                        {{"kernel", kernel.text()},
                         {"samples", options->picture.samples},
                         {"from", options->picture.low},
                         {"to", options->picture.high}});
  });
}

}  // namespace

void add_kernel_plots(CLI::App& plot, Session& session) {
  add_kernel_plot(plot, session, "components", "rows on the two leading kernel principal components",
                  components_picture);
  add_kernel_plot(plot, session, "gram", "the Gram matrix of a kernel, with rows ordered by class",
                  gram_picture);
  add_spectrum(plot, session);
  add_prior(plot, session);
}

}  // namespace mercer::cli
