// How a fault in an expression is shown: what is wrong, then the expression with a mark under the place.
#pragma once

#include <string>
#include <string_view>

#include "mercer/error.hpp"

namespace mercer {

/// The fault, as wrong usage, at the bytes [begin, end) of `text`. Long expressions are cut around the place.
Error expression_fault(std::string_view text, std::size_t begin, std::size_t end, const Error& fault);

}  // namespace mercer
