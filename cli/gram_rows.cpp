#include "cli/gram_rows.hpp"

#include <fmt/format.h>

#include "mercer/kernels/precomputed.hpp"

namespace mercer::cli {

namespace {

bool is_matrix(const Dataset& data, const Kernel& kernel) {
  return kernel.uses_precomputed() && data.points.objects().empty();
}

}  // namespace

void read_as_matrix(Dataset& data, const Kernel& kernel) {
  if (!is_matrix(data, kernel)) return;
  const std::size_t columns = data.points.cols(), n = data.rows();
  data.points = kernel_rows(data.points);
  data.schema.columns.clear();  // they are rows, not features with names
  if (data.points.cols() == columns)
    data.notes.push_back(
        fmt::format("a symmetric {} × {} matrix: taken for the kernel matrix of rows 1 to {}", n, n, n));
}

void read_as_matrix(Dataset& data, const Kernel& kernel, std::size_t columns) {
  if (!is_matrix(data, kernel)) return;
  const bool numbered =
      data.schema.first_index ? data.schema.first_index == 0 : data.points.cols() == columns + 1;
  if (numbered && data.points.cols() > 1) data.points = without_serial_numbers(data.points);
}

std::size_t libsvm_columns(const Kernel& kernel, std::size_t columns, bool from_zero) {
  return columns + (from_zero && kernel.uses_precomputed());
}

}  // namespace mercer::cli
