// The Gram matrix with the rows in the order of their classes: a kernel under which a class is like itself
// and unlike the others shows as blocks along the diagonal.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/sample.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/model_pictures.hpp"
#include "mercer/picture.hpp"
#include "plot/model_title.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_gram_rows = 1024, most_cells = 168;  // a picture of fewer than 300 kB

using Group = MatrixPictureOptions::Group;

// The rows class by class, each in the order of the data; as they are where there are no classes.
std::vector<std::size_t> order_by_class(const Target& target, std::size_t n, std::vector<Group>& groups) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  if (target.task != Task::classification) return order;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return target.codes[i]; });
  for (std::size_t c = 0, begin = 0; c < target.labels.size(); ++c) {
    const auto count = std::size_t(std::ranges::count(target.codes, std::int32_t(c)));
    if (count > 0) groups.push_back({target.labels[c], begin, begin + count});
    begin += count;
  }
  return order;
}

}  // namespace

std::string matrix_picture_by_class(const Points& matrix, const Target& target, const std::string& title) {
  const std::size_t n = matrix.rows();
  if (matrix.cols() != n)
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("a {} × {} matrix has no order of classes", n, matrix.cols()),
                {.hint = "it must be square"});
  if (target.task == Task::classification && target.size() != n)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("there are classes of {} rows, but the matrix has {}", target.size(), n));
  MatrixPictureOptions picture{.title = title};
  const std::vector<std::size_t> order = order_by_class(target, n, picture.groups);
  std::vector<float> values(n * n);
  std::vector<double> row(n);
  for (std::size_t i = 0; i < n; ++i) {
    matrix.copy_row(order[i], row);
    for (std::size_t j = 0; j < n; ++j) values[i * n + j] = float(row[order[j]]);
  }
  return matrix_picture(values, n, n, picture);
}

std::string gram_picture(const Kernel& kernel, const Dataset& data, const KernelPictureOptions& options) {
  const Kernel resolved = kernel.resolve(data.points);
  const std::vector<std::size_t> sample = sampled_rows(data.rows(), most_gram_rows, 1);
  const Dataset drawn = data.select_rows(sample);
  MatrixPictureOptions picture{.title = options.title.empty() ? rounded(resolved.text()) : options.title,
                               .most_cells = most_cells};
  const std::vector<std::size_t> order = order_by_class(drawn.target, drawn.rows(), picture.groups);
  std::vector<float> values(order.size() * order.size());
  KernelOperator<float>(resolved, drawn.points.select_rows(order),
                        {.threads = options.threads, .progress = options.progress})
      .matrix(values);
  if (drawn.rows() < data.rows())
    picture.notes.push_back(fmt::format("{} of {} rows, chosen at random", drawn.rows(), data.rows()));
  return matrix_picture(values, order.size(), order.size(), picture);
}

}  // namespace mercer
