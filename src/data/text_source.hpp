// A text being read: its name for messages, its bytes, and the one way in which every reader refuses it. A
// place is a pointer into the text; line and column are counted only when a message needs them, so that
// parsing does not have to keep track.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"
#include "mercer/error.hpp"

namespace mercer {

/// Line and byte column, both from 1.
struct Place {
  std::size_t line = 1, column = 1;
};

class TextSource {
 public:
  /// Skips a UTF-8 byte order mark and the line ends after the last line; refuses empty and binary files.
  explicit TextSource(const MappedFile& file);
  TextSource(std::string name, std::string_view text);

  const std::string& name() const noexcept { return name_; }
  std::string_view text() const noexcept { return text_; }
  Place place(const char* at) const noexcept;
  /// Throws Error{data} "name:line:column: what"; `what` says what is wrong, then what would be right.
  [[noreturn]] void refuse(const char* at, const std::string& what, std::string hint = {},
                           std::vector<Hint> hints = {}) const;
  void forget(std::string_view part) const noexcept;

 private:
  std::string name_;
  std::string_view text_;
  const MappedFile* file_ = nullptr;
};

/// `text` between quotes for a message: cut to 40 characters, control characters written out.
std::string in_quotes(std::string_view text);

/// "a,b" as a and b; one empty text where there is none.
std::vector<std::string> split_at_commas(std::string_view list);

/// "'a', 'b' and 3 more": the first few of `words` for a message.
template <class Words>
std::string listed(const Words& words, std::size_t most = 10) {
  std::string list;
  std::size_t shown = 0;
  for (const auto& word : words) {
    if (shown == most) break;
    list += (shown++ ? ", " : "") + in_quotes(word);
  }
  if (words.size() > shown) list += " and " + std::to_string(words.size() - shown) + " more";
  return list;
}

}  // namespace mercer
