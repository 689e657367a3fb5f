// The text of a table as its parsers want it: UTF-8, with a known delimiter and with points in its numbers.
// Spreadsheets of half of Europe write 1,5;2,5 in Windows-1252, and call that CSV too; and tab-separated text
// may hold quotes that enclose no cell.
#pragma once

#include "data/text_source.hpp"

namespace mercer {

struct TableText {
  std::string rewritten;  ///< empty where the text can stay as it is
  char delimiter = ',';
  std::vector<Note> notes;  ///< what was rewritten
};

/// The delimiter is a tab where `tabs`, else the first of comma, tab and semicolon that stands as often in
/// the second record as in the first.
TableText table_text(const TextSource& source, bool tabs, int threads);

/// Some programs put the cells of tab-separated text between quotes as RFC 4180 says; many write tabs between
/// cells as they are, so that a message such as
///   ham<tab>He said "yes"
/// has quotes that enclose nothing. Where the text cannot be read by the RFC, its lines are taken as records,
/// and a cell is between quotes only if it begins and ends with one. The same table with each cell that has
/// other quotes put between quotes; empty where the text needs no change.
std::string with_tab_quotes(std::string_view text);

bool is_utf8(std::string_view text) noexcept;

/// Every text is one in Windows-1252: Latin-1, with quotes, dashes and the euro in place of control
/// characters.
std::string from_windows_1252(std::string_view text);

}  // namespace mercer
