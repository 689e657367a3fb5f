// How a fault in an expression is shown: what is wrong, then the expression with a mark under the place.
#pragma once

#include <string>
#include <string_view>

#include "mercer/error.hpp"

namespace mercer {

/// Error{usage} for the bytes [begin, end) of `text`. Long expressions are cut around the place.
Error expression_fault(std::string_view text, std::size_t begin, std::size_t end, const std::string& what);

}  // namespace mercer
