// Quotes in tab-separated text. Some programs put cells between quotes as RFC 4180 says; many write tabs
// between cells as they are, so that a message such as
//   ham<tab>He said "yes"
// has quotes that enclose nothing. Where the text cannot be read by the RFC, its lines are taken as records,
// and a cell is between quotes only if it begins and ends with one.
#pragma once

#include <string>
#include <string_view>

namespace mercer {

/// The same table with each cell that has other quotes put between quotes; empty where the text needs no
/// change.
std::string with_tab_quotes(std::string_view text);

}  // namespace mercer
