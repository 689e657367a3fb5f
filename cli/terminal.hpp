// Text on the terminal: how wide it is, whether it shows colour, and how help and listings are laid out in
// its columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mercer::cli {

/// Columns for text: COLUMNS where it is set, else the width of the terminal, 80 where output goes to a file
/// or a pipe; at least 40, and at most 120, since longer lines are hard to read.
std::size_t text_width();

/// --color of the arguments, before they are parsed: what is wrong with them is said in colour too. `auto`
/// leaves it to NO_COLOR, TERM and whether the output is a terminal.
void use_color_of(const std::vector<std::string>& arguments);

/// Bold where standard output shows colour.
std::string heading(const std::string& text);
/// The line with the program's name in front ("mercer: ") in red, or in yellow before a note, where standard
/// error shows colour.
std::string with_colored_prefix(const std::string& line);

/// The parts between the marks.
std::vector<std::string_view> split(std::string_view text, char mark);

/// Columns that UTF-8 text takes on a screen.
std::size_t shown_width(std::string_view text);

/// The text and spaces after it, `width` columns at least.
std::string padded(std::string_view text, std::size_t width);

/// The text broken between words into lines of at most `width` columns, the first after `first` spaces and
/// the others after `others`. Words that are longer than a line are broken at | , / or, without these,
/// anywhere. Line breaks in the text are kept. Ends without a line break.
std::string wrapped(std::string_view text, std::size_t width, std::size_t first, std::size_t others);

/// A term, then its description from `column` on: on the same line, or below a term that reaches into that
/// column.
std::string entry(std::string_view term, std::string_view description, std::size_t indent, std::size_t column,
                  std::size_t width);

/// A paragraph whose lines keep their own indentation: lines that are too long go on below the text behind
/// their first gap of two or more spaces, or below their beginning.
std::string refilled(std::string_view text, std::size_t width);

}  // namespace mercer::cli
