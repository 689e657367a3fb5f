// mercer features: explicit and low-rank feature maps, or the dimension of the explicit one alone.
#include "mercer/features.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "mercer/feature_map.hpp"

namespace mercer::cli {

namespace {

struct FeaturesCommand {
  DataOptions data;
  std::string kernel, approx, out;
  bool count = false;
  std::size_t dim = 0;
  FeatureOptions features;
};

std::string terms_text(const FeaturesCommand& options) {
  return options.features.terms == 1
             ? "the first term of its series"
             : fmt::format("the first {} terms of its series", options.features.terms);
}

void print_count(const Session& session, const FeaturesCommand& options, std::size_t d,
                 const std::vector<std::string>& names = {}) {
  const Kernel kernel = Kernel::parse(options.kernel);
  const FeatureCount count = count_features(kernel, d, options.features, names);
  const std::string found = count.exact.value_or(fmt::format("about 10^{:.2f}", count.log10));
  session.say(count.truncated
                  ? fmt::format("infinite: {} has no finite feature map; {} (--terms) have {} features",
                                kernel.text(), terms_text(options), found)
                  : found);
  Json answer{{"kernel", kernel.text()}, {"dim", d}, {"infinite", count.truncated}};
  if (count.truncated) answer["terms"] = options.features.terms;
  answer["features"] = count.exact ? Json(*count.exact) : Json();  // of an infinite map: of these terms
  answer["log10"] = number(count.log10);
  answer["truncated"] = count.truncated;
  session.answer(answer);
}

void write_features(const Session& session, const FeaturesCommand& options, Dataset data) {
  const Kernel kernel = Kernel::parse(options.kernel);
  const bool truncated =
      count_features(kernel.resolve(data.points), data.points.cols(), options.features, data.points.names())
          .truncated;
  data.points = explicit_features(kernel, data.points, options.features);
  data.schema = {};
  write(options.out, data);
  if (truncated)
    session.say(fmt::format("the feature map of {} is infinite: these are {} (--terms)", kernel.text(),
                            terms_text(options)));
  session.say(fmt::format("{}: {}", options.out, describe(data)));
  session.answer({{"kernel", kernel.text()},
                  {"file", options.out},
                  {"rows", data.rows()},
                  {"features", data.points.cols()},
                  {"truncated", truncated}});
}

// ‖K − ΦΦᵀ‖ / ‖K‖ over the pairs of at most 200 rows, evenly spaced.
double relative_error(const FeatureMap& map, const Points& points, int threads) {
  std::vector<std::size_t> rows(std::min<std::size_t>(points.rows(), 200));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i * points.rows() / rows.size();
  const std::size_t n = rows.size();
  const Points sample = points.select_rows(rows), phi = map.apply(sample, threads);
  std::vector<double> K(n * n), approximate(n * n);
  KernelOperator<double>(map.kernel(), sample, {.threads = threads}).matrix(K);
  KernelOperator<double>(Kernel::parse("linear"), phi, {.threads = threads}).matrix(approximate);
  double difference = 0, size = 0;
  for (std::size_t e = 0; e < K.size(); ++e) {
    difference += (K[e] - approximate[e]) * (K[e] - approximate[e]);
    size += K[e] * K[e];
  }
  return size > 0 ? std::sqrt(difference / size) : 0;
}

void write_approximation(const Session& session, const FeaturesCommand& options, Dataset data) {
  const FeatureMap map = FeatureMap::make(options.approx, Kernel::parse(options.kernel), data.points,
                                          {.seed = session.seed,
                                           .threads = session.threads,
                                           .memory = session.memory_bytes(),
                                           .progress = session.progress()});
  const double bytes = double(data.rows()) * double(map.features()) * 8;
  if (bytes > double(session.memory_bytes()))
    throw Error(ErrorCode::out_of_memory,
                fmt::format("{} features for {} rows take {:.3g} GB, but the limit is {:.3g} GB",
                            map.features(), data.rows(), bytes / 1e9, double(session.memory_bytes()) / 1e9),
                {.hint = "use fewer features or raise --memory"});
  const double error = relative_error(map, data.points, session.threads);
  data.points = map.apply(data.points, session.threads);
  data.schema = {};
  write(options.out, data);
  session.say(fmt::format("{} of {}: {} features", map.text(), map.kernel().text(), map.features()));
  session.say(fmt::format("trace not covered: {:.3g} %, relative error of K: {:.3g} %",
                          100 * map.trace_left(), 100 * error));
  session.say(fmt::format("{}: {}", options.out, describe(data)));
  session.answer({{"kernel", map.kernel().text()},
                  {"approx", map.text()},
                  {"file", options.out},
                  {"rows", data.rows()},
                  {"features", map.features()},
                  {"trace_left", number(map.trace_left())},
                  {"error", number(error)}});
}

}  // namespace

void add_features(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "features", "compute the explicit or approximate feature map of a kernel, or count its features");
  auto options = std::make_shared<FeaturesCommand>();
  options->data.add(*command);
  command->get_option("DATA")->required(false);
  add_kernel(*command, options->kernel, "kernel expression, e.g. \"poly(degree=2)\"");
  auto* approx = add_value(
      *command, "--approx", options->approx, "APPROX",
      "kernel approximation: nystrom:COUNT (any kernel; landmarks by randomly pivoted Cholesky, or "
      "nystrom:COUNT:uniform, nystrom:COUNT:kmeans++), fourier:COUNT (rbf, laplace, matern, "
      "rational_quadratic, manhattan, their sums and products), sketch:COUNT (linear, poly), explicit");
  command->add_flag("--count", options->count, "count the features without computing them")->excludes(approx);
  add_value(*command, "--dim", options->dim, "N", "number of columns, for --count without DATA");
  add_value(*command, "--terms", options->features.terms, "N",
            "number of terms of an infinite series (rbf, exponential, exp)")
      ->capture_default_str()
      ->excludes(approx);
  command
      ->add_flag("--ordered", options->features.ordered,
                 "keep x1*x2 and x2*x1 as two features instead of one with weight √2")
      ->excludes(approx);
  add_value(*command, "-o,--output", options->out, "FILE",
            "file to write: .npz, .csv, .npy (without the target) …");
  command->callback([&session, options] {
    options->features.memory = session.memory_bytes();
    if (options->count && options->dim > 0 && options->data.path.empty())
      return print_count(session, *options, options->dim);
    if (options->data.path.empty())
      throw Error(ErrorCode::unsupported, "features needs DATA, or --count with --dim");
    Dataset data = options->data.for_kernel(Kernel::parse(options->kernel)).load(session);
    if (options->count) return print_count(session, *options, data.points.cols(), data.points.names());
    if (options->out.empty())
      throw Error(ErrorCode::unsupported, "features needs -o FILE for the features, or --count");
    if (options->approx.empty())
      write_features(session, *options, std::move(data));
    else
      write_approximation(session, *options, std::move(data));
  });
}

}  // namespace mercer::cli
