// The words of a text, and the members of a set of symbols.
#pragma once

#include <functional>

#include "mercer/objects.hpp"

namespace mercer {

enum class Letters { lower, as_written };

/// Calls use(word, begin, end) for each word at bytes [begin, end), in order.
///   symbols   what stands between white space, as it is written
///   text      runs of letters and digits. In UTF-8, punctuation and spaces end a word and every other
///             character beyond ASCII belongs to one; bytes that are no UTF-8 belong to words. Capitals of
///             Latin, Greek and Cyrillic letters are made small, unless `letters` says otherwise.
/// `word` is gone when use() returns.
void each_word(std::string_view text, Domain domain,
               const std::function<void(std::string_view word, std::size_t begin, std::size_t end)>& use,
               Letters letters = Letters::lower);

/// UTF-8 with the capitals of those scripts made small; it has as many bytes.
void append_lower(std::string& out, std::string_view text);

}  // namespace mercer
