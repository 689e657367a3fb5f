
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/copy_of.hpp"
#include "base/disk_arrays.hpp"
#include "base/parallel.hpp"
#include "data/density.hpp"
#include "data/row_memo.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

// --- Storage that contradicts itself never becomes Points, so that loops over points need no checks.
[[noreturn]] void refuse_points(const std::string& what) {
  throw Error(ErrorCode::invalid_data, "points: " + what);
}

/// The first row in [first, last) whose indices do not ascend within [0, cols), or last.
template <class T>
std::size_t first_bad_row(const Sparse<T>& sparse, std::size_t first, std::size_t last) noexcept {
  for (std::size_t i = first; i < last; ++i) {
    std::int64_t previous = -1;
    bool good = true;
    for (std::size_t k = sparse.starts[i]; k < sparse.starts[i + 1]; ++k) {
      good &= sparse.indices[k] > previous;
      previous = sparse.indices[k];
    }
    if (!good || previous >= std::int64_t(sparse.cols)) return i;
  }
  return last;
}

template <class T>
void validate(const Dense<T>& dense) {
  const std::size_t needed = checked_product(dense.rows, dense.cols);
  if (dense.values.size() != needed)
    refuse_points(fmt::format("{} rows of {} columns need {} values; there are {}", dense.rows, dense.cols,
                              needed, dense.values.size()));
}

template <class T>
void validate(const Sparse<T>& sparse) {
  const auto& starts = sparse.starts;
  if (sparse.cols > std::size_t(std::numeric_limits<std::int32_t>::max()))
    refuse_points(
        fmt::format("{} columns are too many for sparse points; at most 2147483647 can be", sparse.cols));
  if (starts.size() != sparse.rows + 1)
    refuse_points(
        fmt::format("{} rows need {} starts; there are {}", sparse.rows, sparse.rows + 1, starts.size()));
  if (sparse.indices.size() != sparse.values.size())
    refuse_points(fmt::format("{} indices for {} values; one for each is needed", sparse.indices.size(),
                              sparse.values.size()));
  if (starts[0] != 0 || starts[sparse.rows] != sparse.indices.size() ||
      !std::is_sorted(starts.begin(), starts.end()))
    refuse_points(fmt::format("starts must ascend from 0 to the {} entries", sparse.indices.size()));
  const std::size_t block = std::max<std::size_t>(4096, sparse.rows / 64 + 1);
  parallel_blocks(sparse.rows, block, 0, [&](std::size_t first, std::size_t last) {
    const std::size_t bad = first_bad_row(sparse, first, last);
    if (bad < last)
      refuse_points(
          fmt::format("the indices of row {} must ascend strictly and be below {}", bad, sparse.cols));
  });
}

template <class T>
Dense<T> rows_of(const Dense<T>& from, std::span<const std::size_t> rows) {
  Dense<T> to{rows.size(), from.cols, Buffer<T>(rows.size() * from.cols)};
  if (from.cols == 0) return to;
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::memcpy(to.values.data() + i * from.cols, from.row(rows[i]), from.cols * sizeof(T));
  return to;
}

template <class T>
Sparse<T> empty_sparse(std::size_t rows, std::size_t cols, Buffer<std::size_t> starts) {
  const std::size_t entries = starts[rows];
  return {rows, cols, std::move(starts), Buffer<std::int32_t>(entries), Buffer<T>(entries)};
}

template <class T>
Sparse<T> rows_of(const Sparse<T>& from, std::span<const std::size_t> rows) {
  Buffer<std::size_t> starts(rows.size() + 1);
  starts[0] = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    starts[i + 1] = starts[i] + from.starts[rows[i] + 1] - from.starts[rows[i]];
  Sparse<T> to = empty_sparse<T>(rows.size(), from.cols, std::move(starts));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t first = from.starts[rows[i]], last = from.starts[rows[i] + 1];
    std::copy(from.indices.data() + first, from.indices.data() + last, to.indices.data() + to.starts[i]);
    std::copy(from.values.data() + first, from.values.data() + last, to.values.data() + to.starts[i]);
  }
  return to;
}

template <class T>
Dense<T> columns_of(const Dense<T>& from, std::span<const std::size_t> columns) {
  Dense<T> to{from.rows, columns.size(), Buffer<T>(from.rows * columns.size())};
  T* out = to.values.data();
  for (std::size_t i = 0; i < from.rows; ++i)
    for (const std::size_t column : columns) *out++ = from.row(i)[column];
  return to;
}

template <class T>
Sparse<T> columns_of(const Sparse<T>& from, std::span<const std::size_t> columns) {
  // places[j]: where column j goes; nowhere, or to several places.
  std::vector<std::vector<std::int32_t>> places(from.cols);
  for (std::size_t k = 0; k < columns.size(); ++k) places[columns[k]].push_back(std::int32_t(k));
  Buffer<std::size_t> starts(from.rows + 1);
  starts[0] = 0;
  for (std::size_t i = 0; i < from.rows; ++i) {
    starts[i + 1] = starts[i];
    for (std::size_t k = from.starts[i]; k < from.starts[i + 1]; ++k)
      starts[i + 1] += places[std::size_t(from.indices[k])].size();
  }
  Sparse<T> to = empty_sparse<T>(from.rows, columns.size(), std::move(starts));
  std::vector<std::pair<std::int32_t, T>> row;
  for (std::size_t i = 0; i < from.rows; ++i) {
    row.clear();
    for (std::size_t k = from.starts[i]; k < from.starts[i + 1]; ++k)
      for (const std::int32_t place : places[std::size_t(from.indices[k])])
        row.emplace_back(place, from.values[k]);
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t out = to.starts[i];
    for (const auto& [index, value] : row) {
      to.indices[out] = index;
      to.values[out++] = value;
    }
  }
  return to;
}

template <class T>
Dense<T> dense_of(const Sparse<T>& from) {
  Dense<T> to{from.rows, from.cols, Buffer<T>(checked_product(from.rows, from.cols), T(0))};
  for (std::size_t i = 0; i < from.rows; ++i)
    for (std::size_t k = from.starts[i]; k < from.starts[i + 1]; ++k)
      to.values[i * from.cols + std::size_t(from.indices[k])] = from.values[k];
  return to;
}

template <class T>
Sparse<T> sparse_of(const Dense<T>& from) {
  Buffer<std::size_t> starts(from.rows + 1);
  starts[0] = 0;
  for (std::size_t i = 0; i < from.rows; ++i)
    starts[i + 1] =
        starts[i] + from.cols - std::size_t(std::count(from.row(i), from.row(i) + from.cols, T(0)));
  Sparse<T> to = empty_sparse<T>(from.rows, from.cols, std::move(starts));
  std::size_t out = 0;
  for (std::size_t i = 0; i < from.rows; ++i)
    for (std::size_t j = 0; j < from.cols; ++j) {
      if (from.row(i)[j] == 0) continue;
      to.indices[out] = std::int32_t(j);
      to.values[out++] = from.row(i)[j];
    }
  return to;
}

template <class To, class From>
Buffer<To> cast(const Buffer<From>& from) {
  Buffer<To> to(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    to[k] = To(from[k]);
    if (std::isinf(to[k]) && !std::isinf(from[k]))
      throw Error(ErrorCode::invalid_data, fmt::format("{} is too large for a float32", from[k]),
                  {.hint = "use float64"});
  }
  return to;
}

template <class To, class From>
Dense<To> cast(const Dense<From>& from) {
  return {from.rows, from.cols, cast<To>(from.values)};
}
template <class To, class From>
Sparse<To> cast(const Sparse<From>& from) {
  return {from.rows, from.cols, copy_of(from.starts), copy_of(from.indices), cast<To>(from.values)};
}

void check_selection(std::span<const std::size_t> chosen, std::size_t size, const char* what) {
  for (const std::size_t i : chosen)
    if (i >= size)
      throw Error(ErrorCode::invalid_argument, fmt::format("points: {} {} was asked for", what, i),
                  {.hint = fmt::format("there are {}, counted from 0", size)});
}

Points::Storage from_lists(const std::vector<std::vector<double>>& rows) {
  const std::size_t cols = rows.empty() ? 0 : rows.front().size();
  Dense<double> dense{rows.size(), cols, Buffer<double>(rows.size() * cols)};
  double* out = dense.values.data();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != cols)
      throw Error(ErrorCode::invalid_data,
                  fmt::format("points: row {} has {} numbers", i + 1, rows[i].size()),
                  {.hint = fmt::format("the first row has {}", cols)});
    out = std::copy(rows[i].begin(), rows[i].end(), out);
  }
  return dense;
}

}  // namespace

Points::Points() : Points(Storage{Dense<double>{}}) {}

Points::Points(Storage storage, std::vector<std::string> names) {
  static const auto no_objects = std::make_shared<const std::vector<Objects>>();
  static const auto no_vocabulary = std::make_shared<const Vocabulary>();
  std::visit([](const auto& held) { validate(held); }, storage);
  const std::size_t cols = std::visit([](const auto& held) { return held.cols; }, storage);
  if (!names.empty() && names.size() != cols)
    throw Error(ErrorCode::invalid_data, fmt::format("points: {} names for {} columns", names.size(), cols),
                {.hint = "one for each is needed, or none"});
  storage_ = std::make_shared<const Storage>(std::move(storage));
  names_ = std::make_shared<const std::vector<std::string>>(std::move(names));
  objects_ = no_objects;
  vocabulary_ = no_vocabulary;
  memo_ = std::make_shared<const RowMemo>();
}

Points::Points(Objects objects)
    : Points(Points(Storage(Dense<double>{objects.rows(), 0, {}})).with_objects({std::move(objects)})) {}

Points::Points(const std::vector<std::vector<double>>& rows) : Points(from_lists(rows)) {}

std::size_t Points::rows() const noexcept {
  return std::visit([](const auto& held) { return held.rows; }, *storage_);
}

std::size_t Points::cols() const noexcept {
  return std::visit([](const auto& held) { return held.cols; }, *storage_);
}

bool Points::sparse() const noexcept { return storage_->index() >= 2; }

Precision Points::precision() const noexcept {
  return storage_->index() % 2 == 0 ? Precision::float32 : Precision::float64;
}

std::size_t Points::stored() const noexcept {
  return std::visit([](const auto& held) { return held.values.size(); }, *storage_);
}

std::size_t Points::bytes() const noexcept {
  std::size_t held_by_objects = 0;
  for (const Objects& column : objects()) held_by_objects += column.bytes();
  return held_by_objects + std::visit(
                               [](const auto& held) {
                                 std::size_t bytes = held.values.size() * sizeof(*held.values.data());
                                 if constexpr (is_sparse<std::decay_t<decltype(held)>>)
                                   bytes += held.starts.size() * sizeof(std::size_t) +
                                            held.indices.size() * sizeof(std::int32_t);
                                 return bytes;
                               },
                               *storage_);
}

std::string Points::name(std::size_t column) const {
  return names_->empty() ? fmt::format("column {}", column + 1) : names_->at(column);
}

void Points::copy_row(std::size_t i, std::span<double> out) const {
  check_selection({&i, 1}, rows(), "row");
  if (out.size() != cols())
    throw Error(ErrorCode::invalid_argument, fmt::format("points: room for {} numbers was given", out.size()),
                {.hint = fmt::format("a row has {}", cols())});
  std::visit(
      [&](const auto& held) {
        if constexpr (is_sparse<std::decay_t<decltype(held)>>) {
          std::fill(out.begin(), out.end(), 0.0);
          for (std::size_t k = held.starts[i]; k < held.starts[i + 1]; ++k)
            out[std::size_t(held.indices[k])] = double(held.values[k]);
        } else {
          std::copy(held.row(i), held.row(i) + held.cols, out.begin());
        }
      },
      *storage_);
}

std::vector<double> Points::row(std::size_t i) const {
  std::vector<double> result(cols());
  copy_row(i, result);
  return result;
}

Points Points::with_objects(std::vector<Objects> objects) const {
  for (std::size_t c = 0; c < objects.size(); ++c) {
    if (objects[c].rows() != rows())
      throw Error(ErrorCode::invalid_data,
                  fmt::format("points: column '{}' has {} objects", objects[c].name(), objects[c].rows()),
                  {.hint = fmt::format("there are {} rows", rows())});
    for (std::size_t other = 0; other < c; ++other)
      if (objects[c].name() == objects[other].name())
        throw Error(ErrorCode::invalid_data,
                    fmt::format("points: two columns of objects are named '{}'", objects[c].name()));
  }
  Points result = *this;
  result.objects_ = std::make_shared<const std::vector<Objects>>(std::move(objects));
  return result;
}

Points Points::with_vocabulary(Vocabulary vocabulary) const {
  Points result = *this;
  result.vocabulary_ = std::make_shared<const Vocabulary>(std::move(vocabulary));
  return result;
}

Points Points::with_ids(std::vector<std::size_t> ids) const {
  if (ids.size() != rows())
    throw Error(ErrorCode::invalid_data, fmt::format("points: {} ids for {} rows", ids.size(), rows()),
                {.hint = "one for each is needed"});
  for (const std::size_t id : ids)
    if (id >= cols())
      throw Error(ErrorCode::invalid_data, fmt::format("points: the id {} names no column", id),
                  {.hint = fmt::format("there are {}, counted from 0", cols())});
  Points result = *this;
  result.ids_ = std::make_shared<const std::vector<std::size_t>>(std::move(ids));
  return result;
}

Points Points::with_same_numbers(Storage storage) const {
  Points result = with_numbers(std::move(storage));
  result.memo_ = memo_;
  return result;
}

Points Points::with_numbers(Storage storage) const {
  Points result(std::move(storage), *names_);
  result.objects_ = objects_;
  result.vocabulary_ = vocabulary_;
  result.ids_ = ids_;
  return result;
}

Points Points::select_rows(std::span<const std::size_t> chosen) const {
  check_selection(chosen, rows(), "row");
  Points result = with_numbers(std::visit(
      [&](const auto& held) {
        // Most of the rows that are on disk stay there; some come into memory.
        const bool many = chosen.size() > rows() / 4;
        const OnDiskAs as_before(many ? held.values.data() : nullptr);
        return Storage(rows_of(held, chosen));
      },
      *storage_));
  result.memo_ = memo_->select_rows(chosen);
  if (ids_) {
    std::vector<std::size_t> picked;
    for (const std::size_t i : chosen) picked.push_back((*ids_)[i]);
    result.ids_ = std::make_shared<const std::vector<std::size_t>>(std::move(picked));
  }
  if (objects().empty()) return result;
  std::vector<Objects> columns;
  for (const Objects& column : objects()) columns.push_back(column.select_rows(chosen));
  return result.with_objects(std::move(columns));
}

Points Points::select_columns(std::span<const std::size_t> chosen) const {
  check_selection(chosen, cols(), "column");
  std::vector<std::string> names;
  if (!names_->empty())
    for (const std::size_t column : chosen) names.push_back((*names_)[column]);
  return Points(std::visit([&](const auto& held) { return Storage(columns_of(held, chosen)); }, *storage_),
                std::move(names));
}

Points Points::to_dense() const {
  if (!sparse()) return *this;
  return std::visit(
      [&](const auto& held) {
        if constexpr (is_sparse<std::decay_t<decltype(held)>>) return with_same_numbers(dense_of(held));
        return *this;
      },
      *storage_);
}

Points Points::to_sparse() const {
  if (sparse()) return *this;
  return std::visit(
      [&](const auto& held) {
        if constexpr (!is_sparse<std::decay_t<decltype(held)>>) return with_same_numbers(sparse_of(held));
        return *this;
      },
      *storage_);
}

Points Points::with_precision(Precision precision) const {
  if (precision == this->precision()) return *this;
  return std::visit(
      [&](const auto& held) {
        return precision == Precision::float32 ? with_same_numbers(cast<float>(held))
                                               : with_same_numbers(cast<double>(held));
      },
      *storage_);
}

namespace {
std::optional<std::size_t> limit_of(const Points& points) noexcept {
  return std::visit([](const auto& held) { return resident_limit(held.values.data()); }, points.storage());
}
}  // namespace

bool on_disk(const Points& points) noexcept { return limit_of(points).has_value(); }

std::size_t memory_of(const Points& points) noexcept { return limit_of(points).value_or(points.bytes()); }

}  // namespace mercer
