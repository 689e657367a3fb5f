// mercer features: explicit feature maps, or their dimension alone.
#include "mercer/features.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "mercer/error.hpp"

namespace mercer::cli {

namespace {

struct Options {
  DataOptions data;
  std::string kernel, out;
  bool count = false;
  std::size_t dim = 0;
  FeatureOptions features;
};

void print_count(const Session& session, const Options& options, std::size_t d) {
  const Kernel kernel = Kernel::parse(options.kernel);
  const FeatureCount count = count_features(kernel, d, options.features);
  session.say(count.exact.value_or(fmt::format("about 10^{:.2f}", count.log10)));
  session.answer({{"kernel", kernel.text()}, {"dim", d}, {"features", count.exact ? Json(*count.exact) : Json()},
                  {"log10", number(count.log10)}, {"truncated", count.truncated}});
}

void write_features(const Session& session, const Options& options, Dataset data) {
  const Kernel kernel = Kernel::parse(options.kernel);
  data.points = explicit_features(kernel, data.points, options.features);
  data.schema = {};
  write(options.out, data);
  session.say(fmt::format("{}: {}", options.out, describe(data)));
  session.answer({{"kernel", kernel.text()}, {"file", options.out}, {"rows", data.rows()}, {"features", data.points.cols()}});
}

}  // namespace

void add_features(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("features", "the explicit feature map of a kernel, or how many features it has");
  auto options = std::make_shared<Options>();
  options->data.add(*command);
  command->get_option("DATA")->required(false);
  command->add_option("--kernel", options->kernel, "kernel expression, e.g. \"poly(degree=2)\"")->required();
  command->add_flag("--count", options->count, "only count the features; nothing is built");
  command->add_option("--dim", options->dim, "columns of the points, for --count without DATA");
  command->add_option("--terms", options->features.terms, "terms kept of an infinite series (rbf, exponential, exp)")->capture_default_str();
  command->add_flag("--ordered", options->features.ordered, "x1*x2 and x2*x1 as two features instead of one with weight √2");
  command->add_option("-o,--output", options->out, "file to write, .npz, .csv, .npy (without a target) …");
  command->callback([&session, options] {
    options->features.memory = session.memory_bytes();
    if (options->count && options->dim > 0 && options->data.path.empty()) return print_count(session, *options, options->dim);
    if (options->data.path.empty()) throw Error(ErrorKind::usage, "features needs DATA, or --count with --dim");
    Dataset data = options->data.load(session);
    if (options->count) return print_count(session, *options, data.points.cols());
    if (options->out.empty()) throw Error(ErrorKind::usage, "features needs -o FILE for the features, or --count");
    write_features(session, *options, std::move(data));
  });
}

}  // namespace mercer::cli
