// Predictions of one who has seen the target alone: the most frequent class, with the classes' shares as probabilities, or
// the mean.
#pragma once

#include "mercer/model.hpp"

namespace mercer {

/// The same for each of `rows` rows.
Predictions baseline(const Target& seen, std::size_t rows);

}  // namespace mercer
