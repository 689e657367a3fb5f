// The last step of every reader: missing values are filled in or their rows dropped, sparse rows that are
// mostly non-zero become dense, the target gets its kind, and the parts become a Dataset.
#pragma once

#include <functional>

#include "data/formats.hpp"
#include "data/label_column.hpp"

namespace mercer {

/// What a reader has read. A missing value is NaN in the storage and in the weights.
struct Parts {
  Points::Storage storage;
  std::vector<std::string> names;
  struct Cells {
    std::string name;
    Domain domain;
    std::vector<std::string> texts;  ///< one per row
  };
  std::vector<Cells> objects = {};  ///< columns that stay as they are written
  bool has_target = false;
  std::string target_name;
  LabelColumn labels;
  std::vector<double> weights;
  std::vector<std::int64_t> queries;
  Schema schema;
  std::vector<Note> notes;
};

/// `file` is for messages, as is its text where it has one.
Reading assemble(Parts parts, const ReadOptions& options, const std::string& file,
                 const TextSource* source = nullptr);

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
