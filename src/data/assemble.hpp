// The last step of every reader: missing values are filled in or their rows dropped, sparse rows that are
// mostly non-zero become dense, the target gets its kind, and the parts become a Dataset.
#pragma once

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

}  // namespace mercer
