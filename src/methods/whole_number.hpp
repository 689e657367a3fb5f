// Parameters that count something: methods hold all numbers as double.
#pragma once

#include <cstddef>
#include <string_view>

namespace mercer {

/// The value as a count. Throws Error{usage} where it is not a whole number of at least 1.
std::size_t whole_number(std::string_view method, std::string_view parameter, double value);

}  // namespace mercer
