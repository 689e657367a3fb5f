// What every SVG picture needs: text made safe for XML, titles broken into lines, ticks at round numbers,
// cells, and the style sheet with the words that elements are written with.
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

/// Colours beside the palette's 0 … 7: that of text, that of notes, and two that are the same on any page.
inline constexpr int ink = -1, muted = -2, white = -3, black = -4;
inline constexpr int palette_size = 8;

extern const std::string_view chart_style;  ///< a <style> element

/// The class of the strokes or the fills of a colour.
std::string stroke_class(int colour);
std::string fill_class(int colour);
/// An attribute, where the opacity is below 1.
std::string opacity_attribute(double opacity);

/// A coordinate: one decimal, none where it is 0.
std::string pixels(double value);

/// The characters of UTF-8 text, and the width that they take at 12 pixels, as far as it can be told without
/// the font.
std::size_t characters(std::string_view text);
double text_width(std::string_view text);

/// Path data for each of `count` colours: the runs of equal colours in a row of rows × cols cells, each one
/// stroke of width 1 through the middle of its cells. `colours` is row-major; one that is not below `count`
/// is not drawn.
std::vector<std::string> cell_runs(std::size_t rows, std::size_t cols, std::span<const std::uint8_t> colours,
                                   std::size_t count);

}  // namespace mercer
