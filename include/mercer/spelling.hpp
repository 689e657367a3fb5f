// "Did you mean …?": the nearest of the known words.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

/// The candidate nearest to `word` by edit distance (insert, delete, replace, swap of neighbours), or an
/// empty string when none is near enough to be a likely misspelling.
std::string nearest_word(std::string_view word, std::span<const std::string> candidates);

/// "did you mean 'rbf'?", or where no word is near, "choose from linear, poly, rbf".
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace mercer
