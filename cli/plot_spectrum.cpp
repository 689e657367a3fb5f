// mercer plot spectrum DATA --kernel K: the eigenvalues of the Gram matrix.
#include <fmt/format.h>

#include <memory>

#include "cli/plot.hpp"
#include "mercer/error.hpp"
#include "mercer/pictures.hpp"
#include "mercer/validity.hpp"

namespace mercer::cli {

void add_plot_spectrum(CLI::App& plot, Session& session) {
  struct Options {
    DataOptions data;
    std::string kernel;
    std::size_t sample = 1000;
    PictureFile file;
  };
  auto* command = plot.add_subcommand("spectrum", "eigenvalues of the Gram matrix, and its effective rank");
  auto options = std::make_shared<Options>();
  options->data.add(*command);
  command->add_option("--kernel", options->kernel, "kernel expression")->required()->type_name("EXPR");
  command->add_option("--sample", options->sample, "number of rows to use; larger data are sampled")
      ->capture_default_str()
      ->check(CLI::Range(1, 20000))
      ->type_name("N");
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

}  // namespace mercer::cli
