// What FASTA's reader and writer agree on.
#pragma once

#include <string_view>

namespace mercer {

inline constexpr std::string_view fasta_blanks = " \t\r\v\f";

/// Letters of nucleotides and amino acids, an end of translation and gaps.
inline bool is_fasta_letter(char c) noexcept {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '*' || c == '-' || c == '.';
}

}  // namespace mercer
