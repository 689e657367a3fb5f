#include "cli/gram_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mercer::cli {

namespace {

bool symmetric(const Points& points) {
  const std::size_t n = points.rows();
  std::vector<double> all(n * n);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) points.copy_row(i, {all.data() + i * n, n});
  for (const double value : all) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!(std::abs(all[i * n + j] - all[j * n + i]) <= 1e-6 * largest))
        return false;  // float32 rounds at 6e-8
  return true;
}

Points with_numbers_in_front(const Points& points) {
  const std::size_t n = points.rows(), d = points.cols();
  Dense<double> rows{n, d + 1, Buffer<double>(n * (d + 1))};
  for (std::size_t i = 0; i < n; ++i) {
    double* row = rows.values.data() + i * (d + 1);
    row[0] = double(i + 1);
    points.copy_row(i, {row + 1, d});
  }
  return Points(std::move(rows)).with_precision(points.precision());
}

bool reads_matrix(const Dataset& data, const Kernel& kernel) {
  return kernel.precomputed() && data.points.objects().empty();
}

}  // namespace

void number_gram_rows(Dataset& data, const Kernel& kernel) {
  const std::size_t n = data.rows();
  if (!reads_matrix(data, kernel) || n < 2 || data.points.cols() != n || !symmetric(data.points)) return;
  data.points = with_numbers_in_front(data.points);
  data.schema.columns.clear();  // they are rows, not features with names
  data.notes.push_back(
      fmt::format("a symmetric {} × {} matrix: taken for the kernel matrix of rows 1 to {}", n, n, n));
}

void number_gram_rows(Dataset& data, const Kernel& kernel, std::size_t columns) {
  if (reads_matrix(data, kernel) && data.points.cols() + 1 == columns)
    data.points = with_numbers_in_front(data.points);
}

}  // namespace mercer::cli
