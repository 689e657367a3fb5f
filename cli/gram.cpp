// mercer gram DATA --kernel EXPR -o K.npy [--plot K.svg]: the Gram matrix, or distances in feature space.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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
  const Kernel parsed = Kernel::parse(options.kernel);
  const Dataset data = options.data.for_kernel(parsed).load(session);
  std::optional<Dataset> reference;
  if (!options.reference.empty()) {
    DataOptions other = options.data;
    other.path = options.reference;
    if (!data.schema.columns.empty()) other.read.schema = &data.schema;
    reference = other.load(session);
  }
  const Points* z = reference ? &reference->points : nullptr;
  const Kernel kernel = parsed.resolve(z ? *z : data.points);
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

}  // namespace

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
