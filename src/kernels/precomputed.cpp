#include "mercer/kernels/precomputed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "mercer/error.hpp"

namespace mercer {

namespace {

template <class T>
bool same_row(const Dense<T>& points, std::size_t a, std::size_t b) {
  return std::equal(points.row(a), points.row(a) + points.cols, points.row(b));
}

template <class T>
bool same_row(const Sparse<T>& points, std::size_t a, std::size_t b) {
  const auto equal = [&](const auto* all) {
    return std::equal(all + points.starts[a], all + points.starts[a + 1], all + points.starts[b],
                      all + points.starts[b + 1]);
  };
  return equal(points.indices.data()) && equal(points.values.data());
}

bool symmetric(const Points& table) {
  const std::size_t n = table.rows();
  std::vector<double> all(n * n);
  for (std::size_t i = 0; i < n; ++i) table.copy_row(i, {all.data() + i * n, n});
  double largest = 0;
  for (const double value : all) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!(std::abs(all[i * n + j] - all[j * n + i]) <= 1e-6 * largest)) return false;  // float32: 6e-8
  return true;
}

}  // namespace

void Precomputed::tile(const Points& x, Range rows, const Points& z, Range columns, double* out) {
  const auto ids = z.ids().subspan(columns.begin, columns.size());
  std::visit(
      [&](const auto& values) {
        for (std::size_t i = rows.begin; i < rows.end; ++i)
          for (const std::size_t id : ids) *out++ = double(values.at(i, id));
      },
      x.storage());
}

void Precomputed::check_reference(const Points& points) {
  if (points.ids().empty() && points.rows() > 0)
    throw Error(ErrorCode::invalid_data, "precomputed needs rows of a kernel matrix, and these have no ids",
                {.hint = "make them by kernel_rows() or Points::with_ids()"});
  std::unordered_map<std::size_t, std::size_t> first_rows;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const auto [known, fresh] = first_rows.emplace(points.ids()[i], i);
    if (!fresh && !std::visit([&](const auto& storage) { return same_row(storage, known->second, i); },
                              points.storage()))
      throw Error(ErrorCode::invalid_data,
                  fmt::format("rows {} and {} both have the serial number {}, but different values",
                              known->second + 1, i + 1, points.ids()[i] + 1),
                  {.hint = "give each row a number of its own"});
  }
}

Points known_by_ids(std::vector<std::size_t> ids, std::size_t columns) {
  const std::size_t n = ids.size();
  return Points(Sparse<double>{n, columns, Buffer<std::size_t>(n + 1, 0), {}, {}}).with_ids(std::move(ids));
}

Points without_serial_numbers(const Points& table) {
  std::vector<std::size_t> values(table.cols() - 1);
  std::iota(values.begin(), values.end(), std::size_t(1));
  return table.select_columns(values);
}

Points kernel_rows(const Points& table) {
  const std::size_t n = table.rows();
  std::vector<std::size_t> ids(n);
  if (n == table.cols() && n > 1 && symmetric(table)) {
    std::iota(ids.begin(), ids.end(), std::size_t(0));
    return table.with_ids(std::move(ids));
  }
  if (table.cols() < 2)
    throw Error(
        ErrorCode::invalid_data, "precomputed needs a symmetric kernel matrix",
        {.hint = fmt::format("the data have {} column{}", table.cols(), table.cols() == 1 ? "" : "s")});
  for (std::size_t i = 0; i < n; ++i) {
    const double serial =
        std::visit([&](const auto& numbers) { return double(numbers.at(i, 0)); }, table.storage());
    if (!(serial >= 1 && serial < double(table.cols()) && serial == std::floor(serial)))
      throw Error(
          ErrorCode::invalid_data,
          fmt::format("row {} has the serial number {} in its first column", i + 1, serial),
          {.hint = fmt::format("precomputed needs a symmetric kernel matrix, or rows of a whole number "
                               "from 1 to {} and that many values",
                               table.cols() - 1)});
    ids[i] = std::size_t(serial) - 1;
  }
  return without_serial_numbers(table).with_ids(std::move(ids));
}

}  // namespace mercer
