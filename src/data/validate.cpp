#include "data/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/parallel.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

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

}  // namespace

std::size_t checked_product(std::size_t rows, std::size_t cols) {
  if (cols != 0 && rows > SIZE_MAX / 16 / cols)
    refuse_points(fmt::format("{} rows of {} columns are more than memory can hold", rows, cols));
  return rows * cols;
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
  parallel_for((sparse.rows + block - 1) / block, 0, [&](std::size_t b) {
    const std::size_t last = std::min(sparse.rows, (b + 1) * block);
    const std::size_t bad = first_bad_row(sparse, b * block, last);
    if (bad < last)
      refuse_points(
          fmt::format("the indices of row {} must ascend strictly and be below {}", bad, sparse.cols));
  });
}

template void validate(const Dense<float>&);
template void validate(const Dense<double>&);
template void validate(const Sparse<float>&);
template void validate(const Sparse<double>&);

}  // namespace mercer
