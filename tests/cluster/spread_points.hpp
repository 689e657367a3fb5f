// Rows for the tests of many ranks: all ranks make the same table, and take their share of it.
#pragma once

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "cluster/communicator.hpp"
#include "cluster/points_message.hpp"

namespace mercer::cluster {

inline Points random_rows(std::size_t rows, std::size_t cols, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<std::vector<double>> values(rows, std::vector<double>(cols));
  for (auto& row : values)
    for (double& value : row) value = random.normal();
  Dense<double> dense{rows, cols, Buffer<double>(rows * cols)};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) dense.values[i * cols + j] = values[i][j];
  return Points(std::move(dense));
}

inline std::vector<double> random_numbers(std::size_t count, std::uint64_t seed = 7) {
  Random random(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.normal();
  return numbers;
}

inline Points share_of(const Communicator& ranks, const Points& all) {
  const Range own = Share{all.rows(), ranks.size()}.of(ranks.rank());
  return rows_of(all, own.begin, own.end);
}

inline std::vector<double> share_of(const Communicator& ranks, const std::vector<double>& all,
                                    std::size_t width) {
  const Range own = Share{all.size() / width, ranks.size()}.of(ranks.rank());
  return {all.begin() + std::ptrdiff_t(own.begin * width), all.begin() + std::ptrdiff_t(own.end * width)};
}

}  // namespace mercer::cluster
