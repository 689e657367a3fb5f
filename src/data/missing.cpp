#include "data/missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
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

}  // namespace mercer
