// mercer gram DATA --kernel EXPR -o K.npy [--plot K.svg]: the Gram matrix, or squared distances in feature
// space. mercer distance DATA --kernel EXPR [-o D.npy]: distances, angles and means there.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "mercer/file.hpp"
#include "mercer/geometry.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/model_pictures.hpp"
#include "mercer/picture.hpp"

namespace mercer::cli {

namespace {

struct GramCommand {
  DataOptions data;
  std::string kernel, reference, out, plot;
  bool distances = false, to_mean = false, float64_inside = false;
};

/// The rows, those that they are compared with where these are others, and the kernel of them.
struct Compared {
  Dataset data;
  std::optional<Dataset> reference;
  Kernel kernel;
};

Compared compared(const Session& session, const DataOptions& source, const std::string& kernel,
                  const std::string& path) {
  const Kernel parsed = Kernel::parse(kernel);
  Dataset data = source.for_kernel(parsed).load(session);
  std::optional<Dataset> reference;
  if (!path.empty()) {
    DataOptions other = source;
    other.path = path;
    if (!data.schema.columns.empty()) other.read.schema = &data.schema;
    reference = other.load(session);
  }
  const Kernel resolved = parsed.resolve(reference ? reference->points : data.points);
  return {std::move(data), std::move(reference), resolved};
}

template <class T>
Points as_points(Buffer<T> values, std::size_t rows, std::size_t cols) {
  return Points(Dense<T>{rows, cols, std::move(values)});
}

void check_memory(const Session& session, std::size_t rows, std::size_t cols, std::size_t width) {
  const double bytes = double(rows) * double(cols) * double(width);
  if (bytes <= double(session.memory_bytes())) return;
  throw Error(ErrorCode::out_of_memory,
              fmt::format("the {} × {} matrix takes {:.2f} GB, but the limit is {:.2f} GB", rows, cols,
                          bytes / 1e9, double(session.memory_bytes()) / 1e9),
              {.hint = "raise --memory, use --precision float32 or fewer rows"});
}

template <class T>
Points gram_matrix(const Kernel& kernel, const Points& x, const Points* z, const OperatorOptions& options) {
  const std::size_t cols = z ? z->rows() : x.rows();
  Buffer<T> values(x.rows() * cols);
  (z ? KernelOperator<T>(kernel, x, *z, options) : KernelOperator<T>(kernel, x, options)).matrix(values);
  return as_points(std::move(values), x.rows(), cols);
}

Points compute(const Session& session, const GramCommand& options, const Kernel& kernel, const Points& x,
               const Points* z) {
  const OperatorOptions gram{.memory = session.memory_bytes(),
                             .threads = session.threads,
                             .float64_inside = options.float64_inside,
                             .progress = session.progress()};
  const Points& other = z ? *z : x;
  const bool narrow = x.precision() == Precision::float32 && !options.distances;
  check_memory(session, x.rows(), options.to_mean ? 1 : other.rows(),
               (narrow ? 4 : 8) + (options.plot.empty() ? 0 : 4));
  const auto copy = [](const std::vector<double>& values) {
    Buffer<double> buffer(values.size());
    std::ranges::copy(values, buffer.begin());
    return buffer;
  };
  if (options.to_mean) return as_points(copy(squared_distances_to_mean(kernel, x, other, gram)), x.rows(), 1);
  if (options.distances)
    return as_points(copy(squared_distances(kernel, x, other, gram)), x.rows(), other.rows());
  return narrow ? gram_matrix<float>(kernel, x, z, gram) : gram_matrix<double>(kernel, x, z, gram);
}

std::string picture_of(const Points& matrix, const std::string& title) {
  std::vector<float> values(matrix.rows() * matrix.cols());
  std::vector<double> row(matrix.cols());
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    matrix.copy_row(i, row);
    std::ranges::copy(row, values.begin() + std::ptrdiff_t(i * row.size()));
  }
  return matrix_picture(values, matrix.rows(), matrix.cols(), {.title = title});
}

void run(const Session& session, const GramCommand& options) {
  if (options.out.empty() && options.plot.empty())
    throw Error(ErrorCode::invalid_argument, "give -o FILE for the matrix, --plot FILE for a plot, or both");
  if (options.distances && options.to_mean)
    throw Error(ErrorCode::unsupported, "--distances and --to-mean cannot be given together");
  if (options.to_mean && !options.plot.empty())
    throw Error(ErrorCode::invalid_argument, "--to-mean computes one column, so there is no matrix to plot");
  const auto [data, reference, kernel] = compared(session, options.data, options.kernel, options.reference);
  const Points* z = reference ? &reference->points : nullptr;
  const auto start = std::chrono::steady_clock::now();
  const Points matrix = compute(session, options, kernel, data.points, z);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string what = options.to_mean     ? "squared distances to the mean"
                           : options.distances ? "squared distances"
                                               : "Gram matrix";
  if (!options.out.empty()) write(options.out, Dataset{.points = matrix});
  if (!options.plot.empty())
    write_file(options.plot, z ? picture_of(matrix, kernel.text())
                               : matrix_picture_by_class(matrix, data.target, kernel.text()));
  session.say(fmt::format("{} of {}: {} × {} in {:.3f} s", what, kernel.text(), matrix.rows(), matrix.cols(),
                          seconds));
  session.answer({{"kernel", kernel.text()},
                  {"what", what},
                  {"rows", matrix.rows()},
                  {"columns", matrix.cols()},
                  {"seconds", seconds},
                  {"file", options.out.empty() ? Json() : Json(options.out)},
                  {"plot", options.plot.empty() ? Json() : Json(options.plot)}});
}

// --- mercer distance

struct DistanceCommand {
  DataOptions data;
  std::string kernel, reference, out = "-";
  bool to_mean = false, angles = false, mean_embedding = false;
};

void run_distance(const Session& session, const DistanceCommand& options) {
  if (options.to_mean + options.angles + options.mean_embedding > 1)
    throw Error(ErrorCode::invalid_argument, "--to-mean, --angles and --mean-embedding exclude each other",
                {.hint = "give one"});
  const auto [data, reference, kernel] = compared(session, options.data, options.kernel, options.reference);
  const Points &x = data.points, &z = reference ? reference->points : data.points;
  const bool one_column = options.to_mean || options.mean_embedding;
  check_memory(session, x.rows(), one_column ? 1 : z.rows(), 16);
  const OperatorOptions gram{
      .memory = session.memory_bytes(), .threads = session.threads, .progress = session.progress()};
  std::vector<double> found = options.angles           ? angles(kernel, x, z, gram)
                              : options.mean_embedding ? mean_embedding(kernel, x, z, gram)
                              : options.to_mean        ? squared_distances_to_mean(kernel, x, z, gram)
                                                       : squared_distances(kernel, x, z, gram);
  if (!options.angles && !options.mean_embedding)
    std::ranges::transform(found, found.begin(), [](double squared) { return std::sqrt(squared); });
  Buffer<double> values(found.size());
  std::ranges::copy(found, values.begin());
  const Points matrix = as_points(std::move(values), x.rows(), one_column ? 1 : z.rows());
  // A matrix has no names for its columns; standard output gets lines of numbers.
  write(options.out, Dataset{.points = matrix}, options.out == "-" ? Format::csv : Format::automatic);
  const std::string what = options.angles           ? "angles"
                           : options.mean_embedding ? "mean embedding"
                           : options.to_mean        ? "distances to the mean"
                                                    : "distances";
  if (options.out != "-")
    session.say(fmt::format("{} of {}: {} × {}", what, kernel.text(), matrix.rows(), matrix.cols()));
  session.answer({{"kernel", kernel.text()},
                  {"what", what},
                  {"rows", matrix.rows()},
                  {"columns", matrix.cols()},
                  {"file", options.out}});
}

}  // namespace

void add_distance(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("distance", "compute distances, angles or means in the feature space of a kernel");
  auto options = std::make_shared<DistanceCommand>();
  options->data.add(*command);
  add_kernel(*command, options->kernel);
  add_value(*command, "--reference", options->reference, "DATA",
            "second data file: compare the rows of DATA with its rows, or with their mean");
  add_value(*command, "-o,--output", options->out, "FILE",
            "file to write: .npy, .npz, .csv …; - is standard output");
  command->add_flag("--to-mean", options->to_mean,
                    "distance of each row to the mean of all rows, or of those of --reference");
  command->add_flag("--angles", options->angles, "angles in radians");
  command->add_flag("--mean-embedding", options->mean_embedding,
                    "mean of k(x, r) over all rows r, or over those of --reference");
  command->callback([&session, options] { run_distance(session, *options); });
}

void add_gram(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("gram", "compute, save and plot a Gram matrix or distances in feature space");
  auto options = std::make_shared<GramCommand>();
  options->data.add(*command);
  add_kernel(*command, options->kernel);
  add_value(*command, "--reference", options->reference, "DATA",
            "second data file: compute the matrix between DATA (rows) and this file (columns)");
  add_value(*command, "-o,--output", options->out, "FILE", "file for the matrix: .npy, .npz, .csv …");
  add_value(*command, "--plot", options->plot, "FILE", "SVG plot of the matrix, with rows ordered by class");
  command->add_flag("--distances", options->distances,
                    "compute squared distances in feature space instead: k(x,x) - 2k(x,z) + k(z,z)");
  command->add_flag("--to-mean", options->to_mean,
                    "compute the squared distance of each row to the mean of all rows (or of --reference) in "
                    "feature space");
  command->add_flag("--float64-inside", options->float64_inside,
                    "with --precision float32: compute in float64, store float32");
  command->callback([&session, options] { run(session, *options); });
}

}  // namespace mercer::cli
