#include "data/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "base/parallel.hpp"
#include "data/density.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

struct Sums {
  std::vector<double> sum;           // per column
  std::vector<std::size_t> present;  // per column
  explicit Sums(std::size_t cols) : sum(cols, 0.0), present(cols, 0) {}
};

template <class T>
Sums sum_rows(const Dense<T>& dense, std::size_t first, std::size_t last) {
  Sums sums(dense.cols);
  for (std::size_t i = first; i < last; ++i) {
    const T* row = dense.row(i);
    for (std::size_t j = 0; j < dense.cols; ++j) {
      const double value = double(row[j]);
      const bool present = value == value;
      sums.sum[j] += present ? value : 0;
      sums.present[j] += present;
    }
  }
  return sums;
}

template <class T>
Sums sum_rows(const Sparse<T>& sparse, std::size_t first, std::size_t last) {
  Sums sums(sparse.cols);
  std::ranges::fill(sums.present, last - first);
  for (std::size_t k = sparse.starts[first]; k < sparse.starts[last]; ++k) {
    const auto j = std::size_t(sparse.indices[k]);
    if (std::isnan(sparse.values[k]))
      --sums.present[j];
    else
      sums.sum[j] += double(sparse.values[k]);
  }
  return sums;
}

/// Of the number held in place k.
template <class Storage>
std::size_t column_of(const Storage& points, std::size_t k) {
  if constexpr (is_sparse<Storage>) return std::size_t(points.indices[k]);
  return k % points.cols;
}
template <class Storage>
std::size_t row_of(const Storage& points, std::size_t k) {
  if constexpr (is_sparse<Storage>)
    return std::size_t(std::ranges::upper_bound(points.starts, k) - points.starts.begin()) - 1;
  return k / points.cols;
}

/// Where sums overflow, the running mean does not.
template <class T>
double running_mean(const T& storage, std::size_t column) {
  double mean = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < storage.values.size(); ++k) {
    if (column_of(storage, k) != column || std::isnan(storage.values[k])) continue;
    const double weight = 1 / double(++count);
    mean = mean * (1 - weight) + double(storage.values[k]) * weight;
  }
  return mean;
}

template <class T>
std::vector<double> means_of(const T& storage, int threads) {
  // Blocks that do not depend on the number of threads, added in order. Sparse points may be so wide that the
  // sums of a block outweigh them: one block.
  const std::size_t block = is_sparse<T> ? std::max<std::size_t>(1, storage.rows)
                                         : std::max<std::size_t>(4096, storage.rows / 64 + 1);
  std::vector<Sums> partial((storage.rows + block - 1) / block, Sums(0));
  parallel_blocks(storage.rows, block, threads, [&](std::size_t first, std::size_t last) {
    partial[first / block] = sum_rows(storage, first, last);
  });
  std::vector<double> means(storage.cols, 0.0);
  std::vector<std::size_t> present(storage.cols, 0);
  for (const Sums& sums : partial)
    for (std::size_t j = 0; j < storage.cols; ++j) present[j] += sums.present[j];
  for (const Sums& sums : partial)
    for (std::size_t j = 0; j < storage.cols; ++j) means[j] += sums.sum[j] / double(present[j]);
  for (std::size_t j = 0; j < storage.cols; ++j) {
    if (present[j] == 0) means[j] = std::numeric_limits<double>::quiet_NaN();
    if (present[j] > 0 && !std::isfinite(means[j])) means[j] = running_mean(storage, j);
  }
  return means;
}

/// What a row cannot do without, for a message.
const char* needed_by(const Parts& parts) noexcept {
  return parts.weights.empty() ? "target" : parts.has_target ? "target or weight" : "weight";
}

/// The rows where nothing is missing, or with Missing::automatic the rows that have a target and a weight.
/// Nothing where these are all.
std::vector<std::size_t> rows_kept(const Parts& parts, Missing missing, const std::string& file) {
  if (missing != Missing::drop && missing != Missing::automatic) return {};
  const std::size_t rows = std::visit([](const auto& held) { return held.rows; }, parts.storage);
  std::vector<char> incomplete =
      missing == Missing::drop ? rows_with_missing(parts.storage) : std::vector<char>(rows);
  if (parts.has_target) parts.labels.mark_missing(incomplete);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < rows; ++i)
    if (!incomplete[i] && (parts.weights.empty() || !std::isnan(parts.weights[i]))) kept.push_back(i);
  if (kept.size() == rows) return {};
  if (kept.empty() && missing == Missing::drop)
    throw Error(ErrorCode::invalid_file, "every row has a missing value",
                {.file = file, .hints = {{Remedy::treat_missing, "mean"}}});
  if (kept.empty()) refuse_file(file, fmt::format("every row lacks a {}", needed_by(parts)), "fill it in");
  return kept;
}

template <class T>
void keep(std::vector<T>& values, const std::vector<std::size_t>& rows) {
  if (values.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = values[rows[i]];
  values.resize(rows.size());
}

/// Visits each column of the schema with the first point column it became.
void for_each_column(auto& columns, auto visit) {
  std::size_t j = 0;
  for (auto& column : columns) {
    visit(column, j);
    j += column.width();
  }
}

void fill(Parts& parts, const ReadOptions& options, std::vector<double> means, const std::string& file) {
  // New rows are filled as the first ones were.
  if (options.schema)
    for_each_column(options.schema->columns, [&](const Schema::Column& column, std::size_t j) {
      if (column.categories.empty() && !column.objects && j < means.size()) means[j] = column.mean;
    });
  fill_missing(parts.storage, means, [&](std::size_t j) {
    const std::string name = parts.names.empty() ? std::to_string(j + 1) : in_quotes(parts.names[j]);
    refuse_file(file, fmt::format("column {} has no values, so no mean", name), "remove the column");
  });
}

}  // namespace

std::vector<double> column_means(const Points::Storage& storage, int threads) {
  return std::visit([&](const auto& held) { return means_of(held, threads); }, storage);
}

void check_finite(Points::Storage& storage, const std::string& file, Missing missing) {
  std::visit(
      [&](auto& held) {
        for (std::size_t k = 0; k < held.values.size(); ++k) {
          auto& value = held.values[k];
          if (std::isfinite(value)) continue;
          if (missing == Missing::refuse)
            throw Error(ErrorCode::invalid_file,
                        fmt::format("row {}, column {} is {}", row_of(held, k) + 1, column_of(held, k) + 1,
                                    double(value)),
                        {.file = file,
                         .hint = "use a finite number",
                         .hints = {{Remedy::treat_missing, "mean or drop"}}});
          value = std::numeric_limits<std::decay_t<decltype(value)>>::quiet_NaN();
        }
      },
      storage);
}

std::vector<char> rows_with_missing(const Points::Storage& storage) {
  return std::visit(
      [](const auto& held) {
        std::vector<char> found(held.rows, 0);
        for (std::size_t k = 0; k < held.values.size(); ++k)
          if (std::isnan(held.values[k])) found[row_of(held, k)] = 1;
        return found;
      },
      storage);
}

void fill_missing(Points::Storage& storage, const std::vector<double>& means,
                  const std::function<void(std::size_t column)>& refuse) {
  std::visit(
      [&](auto& held) {
        for (std::size_t k = 0; k < held.values.size(); ++k) {
          if (!std::isnan(held.values[k])) continue;
          const double mean = means[column_of(held, k)];
          if (std::isnan(mean)) refuse(column_of(held, k));
          held.values[k] = std::decay_t<decltype(held.values[k])>(mean);
        }
      },
      storage);
}

Reading assemble(Parts parts, const ReadOptions& options, const std::string& file, const TextSource* source) {
  Reading data;
  const bool drop = options.missing == Missing::drop;
  const bool fills = options.missing == Missing::mean || options.missing == Missing::automatic;
  const std::vector<std::size_t> kept = rows_kept(parts, options.missing, file);
  const bool learns_means = !parts.schema.columns.empty() && !options.schema;
  std::vector<double> means;
  if (fills || (learns_means && !drop)) means = column_means(parts.storage, options.threads);
  if (fills) fill(parts, options, means, file);
  data.points = Points(dense_where_mostly_non_zero(std::move(parts.storage)), std::move(parts.names));
  std::vector<Objects> objects;
  for (const Parts::Cells& cells : parts.objects) objects.emplace_back(cells.name, cells.domain, cells.texts);
  if (!objects.empty()) data.points = data.points.with_objects(std::move(objects));
  data.notes = std::move(parts.notes);
  if (!kept.empty()) {
    if (!drop) {
      const std::size_t rows = data.points.rows(), lost = rows - kept.size();
      data.notes.push_back(fmt::format("dropped {} of {} rows: no {}", lost, rows, needed_by(parts)));
    }
    std::ranges::set_difference(std::views::iota(std::size_t(0), data.rows()), kept,
                                std::back_inserter(data.left_out));
    data.points = data.points.select_rows(kept);
    if (parts.has_target) parts.labels.keep(kept);
    keep(parts.weights, kept);
    keep(parts.queries, kept);
  }
  if (drop && learns_means) means = column_means(data.points.storage(), options.threads);
  if (parts.has_target) data.target = parts.labels.finish(std::move(parts.target_name), file, source);
  data.weights = std::move(parts.weights);
  data.queries = std::move(parts.queries);
  data.schema = std::move(parts.schema);
  if (learns_means)
    for_each_column(data.schema.columns, [&](Schema::Column& column, std::size_t j) {
      if (column.categories.empty() && !column.objects && !std::isnan(means[j])) column.mean = means[j];
    });
  return data;
}

}  // namespace mercer
