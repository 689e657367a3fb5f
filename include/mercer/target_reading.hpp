// Whether a target of whole numbers names classes or holds amounts, where nobody says. Up to 10 different
// values are classes. More are classes only where they come about equally often, as letters or digits do: at
// least five rows a value, and none rarer than a quarter of the mean. Ages, counts and ratings out of 100
// have rare values at their ends.
#pragma once

#include <span>
#include <string>

#include "mercer/dataset.hpp"

namespace MERCER_EXPORT mercer {

/// `rows_of`: how many rows have each of the different values.
bool whole_numbers_name_classes(std::span<const std::size_t> rows_of) noexcept;

/// How a target of 11 to 100 different whole numbers was read, and how to have it read otherwise; none for
/// other targets.
std::optional<Note> target_reading_note(const Target& target);

}  // namespace mercer
