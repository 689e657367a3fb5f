// The first rows of a table, and what they tell about its columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/fields.hpp"
#include "data/text_source.hpp"

namespace mercer {

struct SampleColumn {
  std::size_t numbers = 0, texts = 0;  ///< cells of the rows behind the header
  Field first_text, first_number;
};

struct TableSample {
  std::vector<Field> first_row;
  bool has_header = false;
  const char* body = nullptr;         ///< where the rows behind the header start
  std::vector<SampleColumn> columns;  ///< as many as the first row has
};

/// Looks at up to 1000 rows. `known_names` are cells that only a header can hold.
TableSample take_sample(const TextSource& source, char delimiter,
                        const std::vector<std::string>& known_names);

}  // namespace mercer
