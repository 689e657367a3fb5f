// How kernels, methods and losses are listed and explained.
#pragma once

#include <string>
#include <vector>

#include "cli/session.hpp"

namespace mercer::cli {

/// "  name        text", the text wrapped to the terminal below itself.
void say_entry(const Session& session, const std::string& name, const std::string& text,
               std::size_t indent = 2, std::size_t column = 14);

/// A parameter: what it means, then its values and its default in brackets, as in help.
std::string parameter_text(const std::string& meaning, const std::string& range, const std::string& standard);
/// The same with a note in place of the default.
std::string parameter_note(const std::string& meaning, const std::string& range, const std::string& note);

/// The place of `name` among the known ones; throws Error{usage} with the nearest, or where to find all: "no
/// kernel 'rbff'; did you mean 'rbf'?".
std::size_t place_of(const std::string& name, const std::vector<std::string>& known, const std::string& what,
                     const std::string& lists_all);

}  // namespace mercer::cli
