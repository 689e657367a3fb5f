// A text being read: its name for messages, its bytes, and the one way in which every reader refuses it. A
// place is a pointer into the text; line and column are counted only when a message needs them, so that
// parsing does not have to keep track. The words for a file or a number that cannot be taken are the same in
// every format.
#pragma once

#include "base/file.hpp"
#include "mercer/dataset.hpp"

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

/// Throws Error "name: what; hint".
[[noreturn]] void refuse_file(const std::string& name, const std::string& what, std::string hint = {},
                              ErrorCode code = ErrorCode::invalid_file);

/// For a field that is no plain number: NaN where it is missing or infinite and `missing` allows that, 0
/// where it is too small for a double; refuses anything else. `hint` follows the refusal of a text.
double unusual_value(const TextSource& source, std::string_view text, Missing missing,
                     std::string_view hint = "write a number such as 1.5");
[[noreturn]] void refuse_missing(const TextSource& source, std::string_view text);
[[noreturn]] void refuse_float(const TextSource& source, std::string_view text);

/// `text` between quotes for a message: cut to 40 characters, control characters written out.
std::string in_quotes(std::string_view text);

/// "a,b" as a and b; one empty text where there is none.
std::vector<std::string> split_at_commas(std::string_view list);

/// Takes the first line off the front of `rest`, and returns it without its end.
std::string_view take_line(std::string_view& rest) noexcept;

/// Without the `blanks` around it.
std::string_view trimmed(std::string_view text, std::string_view blanks) noexcept;

/// A character of Unicode in UTF-8.
void append_utf8(std::string& out, char32_t code);

/// With A to Z made small.
std::string lower_case(std::string_view text);

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
