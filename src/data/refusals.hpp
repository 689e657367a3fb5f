// The words for a file or a number that cannot be taken, the same in every format.
#pragma once

#include <string>
#include <string_view>

#include "data/text_source.hpp"
#include "mercer/dataset.hpp"

namespace mercer {

/// For a field that is no plain number: NaN where it is missing or infinite and `missing` allows that, 0
/// where it is too small for a double; refuses anything else. `hint` follows the refusal of a text.
double unusual_value(const TextSource& source, std::string_view text, Missing missing,
                     std::string_view hint = "write a number such as 1.5");

/// Error{data}: "name: what; hint".
[[noreturn]] void refuse_file(const std::string& name, const std::string& what, std::string hint = {});

[[noreturn]] void refuse_float(const TextSource& source, std::string_view text);

}  // namespace mercer
