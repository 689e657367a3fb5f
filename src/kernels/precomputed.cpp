#include "mercer/kernels/precomputed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "mercer/error.hpp"

namespace mercer {

namespace {

template <class T>
double entry(const Dense<T>& points, std::size_t row, std::size_t column) {
  return double(points.row(row)[column]);
}

template <class T>
double entry(const Sparse<T>& points, std::size_t row, std::size_t column) {
  const std::int32_t *first = points.indices.data() + points.starts[row],
                     *last = points.indices.data() + points.starts[row + 1];
  // A row without zeros has column c in place c; where some are left out, it stands before.
  const std::int32_t* found = first + std::min(column, std::size_t(last - first));
  if (found == last || *found != std::int32_t(column))
    found = std::lower_bound(first, found, std::int32_t(column));
  return found != last && *found == std::int32_t(column)
             ? double(points.values[std::size_t(found - points.indices.data())])
             : 0;
}

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

double entry(const Points& points, std::size_t row, std::size_t column) {
  return std::visit([&](const auto& storage) { return entry(storage, row, column); }, points.storage());
}

}  // namespace

void Precomputed::tile(const Points& x, Range rows, const Points& z, Range columns, double* out) {
  std::vector<std::size_t> serials;
  for (std::size_t j = columns.begin; j < columns.end; ++j) serials.push_back(std::size_t(entry(z, j, 0)));
  std::visit(
      [&](const auto& values) {
        for (std::size_t i = rows.begin; i < rows.end; ++i)
          for (const std::size_t serial : serials) *out++ = entry(values, i, serial);
      },
      x.storage());
}

void Precomputed::check_reference(const Points& points) {
  if (points.cols() < 2)
    throw Error(
        ErrorCode::invalid_data, "precomputed needs rows of a serial number and the values with rows 1, 2, …",
        {.hint = fmt::format("the data have {} column{}", points.cols(), points.cols() == 1 ? "" : "s")});
  std::unordered_map<double, std::size_t> first_rows;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const double serial = entry(points, i, 0);
    if (!(serial >= 1 && serial < double(points.cols()) && serial == std::floor(serial)))
      throw Error(
          ErrorCode::invalid_data,
          fmt::format("row {} has the serial number {} in its first column", i + 1, serial),
          {.hint = fmt::format("precomputed needs a whole number from 1 to {}, the number of values in a row",
                               points.cols() - 1)});
    const auto [known, fresh] = first_rows.emplace(serial, i);
    if (!fresh && !std::visit([&](const auto& storage) { return same_row(storage, known->second, i); },
                              points.storage()))
      throw Error(ErrorCode::invalid_data,
                  fmt::format("rows {} and {} both have the serial number {}, but different values",
                              known->second + 1, i + 1, serial),
                  {.hint = "give each row a number of its own"});
  }
}

}  // namespace mercer
