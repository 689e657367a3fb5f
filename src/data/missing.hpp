// Missing values: NaN in the storage until they are filled in or their rows are dropped.
#pragma once

#include <functional>

#include "mercer/dataset.hpp"

namespace mercer {

/// The mean of the values present, per column; NaN for a column without any.
std::vector<double> column_means(const Points::Storage& storage, int threads);

/// Throws Error{data} at the first number that is not finite, unless `missing` says what to do with it: then
/// it becomes NaN. For binary files; texts are checked while they are parsed, where line and column are
/// known.
void check_finite(Points::Storage& storage, const std::string& file, Missing missing);

/// 1 for each row with a missing value, else 0.
std::vector<char> rows_with_missing(const Points::Storage& storage);

/// Puts the mean of its column in place of every missing value; `refuse` (which throws) is told of a column
/// that has none.
void fill_missing(Points::Storage& storage, const std::vector<double>& means,
                  const std::function<void(std::size_t column)>& refuse);

}  // namespace mercer
