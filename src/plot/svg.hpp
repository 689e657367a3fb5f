// What every SVG picture needs: text made safe for XML, titles broken into lines, ticks at round numbers, and
// cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mercer {

/// Text that may stand in an element or an attribute. Bytes that are not UTF-8 and characters that XML 1.0
/// has no way to write become U+FFFD.
std::string escape_xml(std::string_view text);

/// At most `width` characters of `text` (UTF-8), the last of them "…" where it was longer.
std::string shortened(std::string_view text, std::size_t width);

/// Breaks `text` at spaces into lines of at most `width` characters; a longer word is cut. At most `most`
/// lines, the last of them shortened.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t most);

/// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high]: about `count` of them.
std::vector<double> round_ticks(double low, double high, std::size_t count);

/// A number for a label: a true minus sign, no trailing zeros.
std::string label_text(double value, int significant_digits = 4);

/// Path data for each of `count` colours: the runs of equal colours in a row of rows × cols cells, each one
/// stroke of width 1 through the middle of its cells. `colours` is row-major; one that is not below `count`
/// is not drawn.
std::vector<std::string> cell_runs(std::size_t rows, std::size_t cols, std::span<const std::uint8_t> colours,
                                   std::size_t count);

}  // namespace mercer
