// The categories of the text columns of a table.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "data/table_layout.hpp"
#include "data/text_source.hpp"

namespace mercer {

/// Beyond this many, a column of text is taken for an identifier or prose, and refused.
inline constexpr std::size_t most_categories = 1000;

/// Collects the distinct texts of every categorical column without categories, in one pass over the pieces of
/// the body; numbers come first, then texts in the order of their bytes. `with_missing`: missing cells are a
/// category too.
void find_categories(const TextSource& source, const std::vector<std::string_view>& pieces, int threads,
                     bool with_missing, TableLayout& layout);

/// Gives each column its place among the points and returns how many columns the points have.
std::size_t place_columns(TableLayout& layout, bool placed_by_schema);

}  // namespace mercer
