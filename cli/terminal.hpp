// The terminal: how wide it is, and whether it shows colour.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mercer::cli {

/// Columns for text: COLUMNS where it is set, else the width of the terminal, 80 where output goes to a file
/// or a pipe; at least 40, and at most 120, since longer lines are hard to read.
std::size_t text_width();

enum class Color { automatic, always, never };

/// --color, which `automatic` leaves to NO_COLOR, TERM and whether the output is a terminal.
void use_color(Color color);
/// The same from the arguments, before they are parsed: what is wrong with them is said in colour too.
void use_color_of(const std::vector<std::string>& arguments);

/// Bold where standard output shows colour.
std::string heading(const std::string& text);
/// The line with the program's name in front ("mercer: ") in red, or in yellow before a note, where standard
/// error shows colour.
std::string with_colored_prefix(const std::string& line);

}  // namespace mercer::cli
