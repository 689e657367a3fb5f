// Some of the rows, laid out by class and fold, so that the rows that a fold's machine needs are a few runs
// of K's columns.
#pragma once

#include "mercer/tune.hpp"

namespace mercer {

struct Sample {
  Dataset data;                   ///< scaled, rows by class, then by fold
  std::vector<std::size_t> fold;  ///< of each row
  std::size_t folds = 0;
  std::vector<std::size_t> rows;  ///< which of the whole data each row is
};

/// `wanted` rows (all where there are not more), each class with its share, drawn from the seed. `fold`: of
/// all rows, or empty.
Sample draw_sample(const Dataset& scaled, std::size_t wanted, std::size_t folds,
                   const std::vector<std::size_t>& fold, std::uint64_t seed);

/// Predictions of the sample's rows as those of the whole data's, which it must hold.
Predictions in_order_of_data(const Sample& sample, const Predictions& predictions);

}  // namespace mercer
