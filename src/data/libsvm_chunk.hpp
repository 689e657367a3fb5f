// One piece of a LIBSVM text, parsed into its part of the final arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "data/assemble.hpp"
#include "data/text_source.hpp"

namespace mercer {

struct LibsvmChunk {
  std::string_view text;
  std::size_t number = 0;
  std::size_t first_row = 0, first_entry = 0;  ///< where its part of the arrays begins
  std::size_t rows = 0, entries = 0;           ///< bounds before parsing, counts afterwards
  std::size_t queries = 0;                     ///< rows with a qid
  const char* without_query = nullptr;         ///< the first row that has none
  std::int64_t last_index = -1;                ///< the largest, as written
  bool zero_based = false;                     ///< an index 0 was seen
};

/// Stores each index less 1. Row i of the chunk ends at starts[first_row + i + 1].
template <class T>
void parse_libsvm_chunk(const TextSource& source, const ReadOptions& options, LibsvmChunk& chunk,
                        Sparse<T>& out, Parts& parts);

}  // namespace mercer
