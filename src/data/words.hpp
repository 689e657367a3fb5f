// The words of a text, and the members of a set of symbols.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "mercer/objects.hpp"

namespace mercer {

/// Calls use(word, begin, end) for each word at bytes [begin, end), in order.
///   symbols   what stands between spaces, as it is written
///   text      runs of letters and digits, ASCII letters in lower case; bytes from 0x80 on (other scripts in UTF-8) are letters
void each_word(std::string_view text, Domain domain, const std::function<void(std::string_view word, std::size_t begin, std::size_t end)>& use);

}  // namespace mercer
