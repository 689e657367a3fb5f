// Text laid out in columns of a terminal: help, listings and tables are made of these three functions.
#pragma once

#include <string>
#include <string_view>

namespace mercer::cli {

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
