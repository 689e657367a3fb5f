// Parts of the rows to be left out in turn.
#pragma once

#include <cstdint>

#include "mercer/dataset.hpp"

namespace MERCER_EXPORT mercer {

/// The fold of each row, below `folds`: the rows of each class (all rows where there are none) are shuffled
/// and dealt out in turn, so that each fold has its share of each class.
std::vector<std::size_t> random_folds(const Target& target, std::size_t folds, std::uint64_t seed);

}  // namespace mercer
