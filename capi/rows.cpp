#include "capi/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "capi/calls.hpp"

namespace mercer::capi {

namespace {

// Keeps nothing alive: the caller does, for the time of the call.
const std::shared_ptr<const void>& callers_own() {
  static const std::shared_ptr<const void> owner = std::make_shared<int>(0);
  return owner;
}

// x − x is 0 unless x is NaN or infinite, so that one sum tells of all.
template <class T>
bool all_finite(std::span<const T> values) {
  T sum = 0;
  for (const T value : values) sum += value - value;
  return sum == 0;
}

[[noreturn]] void refuse_number(double value, std::size_t row, std::size_t column) {
  throw Error(ErrorCode::invalid_data,
              fmt::format("the number in row {}, column {} (from 0) is {}", row, column, value),
              {.row = row + 1, .hint = "numbers must be finite; fill in or leave out what is missing"});
}

template <class T>
std::span<const T> checked_dense(const T* values, std::size_t rows, std::size_t columns) {
  const std::span<const T> all = required_array(values, product(rows, columns, "values"), "values");
  if (!all_finite(all)) {
    const auto bad = std::ranges::find_if(all, [](T value) { return !std::isfinite(value); });
    const auto place = std::size_t(bad - all.begin());
    refuse_number(double(*bad), place / columns, place % columns);
  }
  return all;
}

struct Csr {
  std::span<const std::size_t> starts;
  std::span<const std::int32_t> indices;
  std::span<const double> values;
};

// Whether the indices ascend below the number of columns is for the points to check.
Csr checked_csr(const std::int64_t* starts, const std::int32_t* indices, const double* values,
                std::size_t stored, std::size_t rows) {
  static_assert(sizeof(std::int64_t) == sizeof(std::size_t));
  if (rows >= PTRDIFF_MAX / sizeof(std::int64_t))
    throw Error(ErrorCode::too_large, fmt::format("{} rows are more than memory can hold", rows));
  const std::span begins = required_array(starts, rows + 1, "starts");
  const Csr csr{{reinterpret_cast<const std::size_t*>(begins.data()), begins.size()},
                required_array(indices, stored, "indices"),
                required_array(values, stored, "values")};
  if (begins.back() < 0 || std::size_t(begins.back()) != stored)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("starts end at {}, but {} numbers are stored", begins.back(), stored));
  if (!all_finite(csr.values)) {
    const auto bad = std::ranges::find_if(csr.values, [](double value) { return !std::isfinite(value); });
    const auto place = std::int64_t(bad - csr.values.begin());
    const auto row = std::ranges::upper_bound(begins, place) - begins.begin() - 1;
    refuse_number(*bad, std::size_t(row), std::size_t(csr.indices[std::size_t(place)]));
  }
  return csr;
}

template <class T>
Buffer<T> copy_of(std::span<const T> values) {
  Buffer<T> copy(values.size());
  std::ranges::copy(values, copy.begin());
  return copy;
}

}  // namespace

Points borrowed_dense(const double* values, std::size_t rows, std::size_t columns) {
  return Points::borrow(rows, columns, checked_dense(values, rows, columns), callers_own());
}

Points borrowed_csr(const std::int64_t* starts, const std::int32_t* indices, const double* values,
                    std::size_t stored, std::size_t rows, std::size_t columns) {
  const Csr csr = checked_csr(starts, indices, values, stored, rows);
  return Points::borrow(rows, columns, csr.starts, csr.indices, csr.values, callers_own());
}

template <class T>
Points copied_dense(const T* values, std::size_t rows, std::size_t columns) {
  return Points(Dense<T>{rows, columns, copy_of(checked_dense(values, rows, columns))});
}
template Points copied_dense(const float* values, std::size_t rows, std::size_t columns);
template Points copied_dense(const double* values, std::size_t rows, std::size_t columns);

Points copied_csr(const std::int64_t* starts, const std::int32_t* indices, const double* values,
                  std::size_t stored, std::size_t rows, std::size_t columns) {
  const Csr csr = checked_csr(starts, indices, values, stored, rows);
  return Points(
      Sparse<double>{rows, columns, copy_of(csr.starts), copy_of(csr.indices), copy_of(csr.values)});
}

void check_room(std::size_t rows, std::size_t columns, const double* out, std::size_t count) {
  const std::size_t needed = product(rows, columns, "out");
  if (count != needed)
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("out has room for {} numbers, but {} × {} = {} are given", count, rows, columns, needed));
  required_array(out, count, "out");
}

}  // namespace mercer::capi
