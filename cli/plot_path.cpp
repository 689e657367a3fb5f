// mercer plot path DATA [--kernel K]: kernel ridge regression, the error of rows left out against λ.
#include <memory>

#include "cli/plot.hpp"
#include "mercer/default_kernel.hpp"
#include "mercer/pictures.hpp"

namespace mercer::cli {

void add_plot_path(CLI::App& plot, Session& session) {
  struct Options {
    DataOptions data;
    std::string kernel;
    bool no_bias = false;
    PictureFile file;
  };
  auto* command =
      plot.add_subcommand("path", "leave-one-out error of kernel ridge regression against the penalty λ");
  auto options = std::make_shared<Options>();
  options->data.add(*command);
  command
      ->add_option("--kernel", options->kernel,
                   "kernel expression; default rbf(gamma=scale) for numbers and the usual kernel for objects")
      ->type_name("EXPR");
  command->add_flag("--no-bias", options->no_bias, "fit without an intercept");
  options->file.add(*command);
  command->callback([&session, options] {
    options->file.check();
    const bool given = !options->kernel.empty();
    const DataOptions source =
        given ? options->data.for_kernel(Kernel::parse(options->kernel)) : options->data;
    const Dataset data = source.load(session);
    const Kernel kernel = given ? Kernel::parse(options->kernel) : default_kernel(data.points);
    const LambdaPath path = lambda_path(kernel, data,
                                        {.bias = !options->no_bias,
                                         .memory = session.memory_bytes(),
                                         .threads = session.threads,
                                         .seed = session.seed,
                                         .progress = session.progress()});
    options->file.write(session, lambda_path_picture(path, "Ridge with " + path.kernel.text()),
                        {{"kernel", path.kernel.text()},
                         {"rows", data.rows()},
                         {"lambda", number(path.lambda[path.best])},
                         {"leave_one_out", number(path.leave_one_out[path.best])},
                         {"degrees_of_freedom", number(path.degrees_of_freedom[path.best])}});
  });
}

}  // namespace mercer::cli
