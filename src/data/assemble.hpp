// The last step of every reader: missing values are filled in or their rows dropped, sparse rows that are
// mostly non-zero become dense, the target gets its kind, and the parts become a Dataset.
#pragma once

#include <string>
#include <vector>

#include "data/label_column.hpp"
#include "mercer/dataset.hpp"

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

/// `refuse` names the place of a label that contradicts the others.
Dataset assemble(Parts parts, const ReadOptions& options, const std::string& file,
                 const LabelColumn::Refuse& refuse);

}  // namespace mercer
