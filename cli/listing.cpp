#include "cli/listing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/layout.hpp"
#include "cli/terminal.hpp"
#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer::cli {

void say_entry(const Session& session, const std::string& name, const std::string& text, std::size_t indent,
               std::size_t column) {
  session.say(entry(name, text, indent, column, text_width()));
}

std::string parameter_text(const std::string& meaning, const std::string& range,
                           const std::string& standard) {
  return parameter_note(meaning, range, standard.empty() ? "must be given" : "default: " + standard);
}

std::string parameter_note(const std::string& meaning, const std::string& range, const std::string& note) {
  return fmt::format("{}{}[{}{}{}]", meaning, meaning.empty() ? "" : " ", range, range.empty() ? "" : "; ",
                     note);
}

std::size_t place_of(const std::string& name, const std::vector<std::string>& known, const std::string& what,
                     const std::string& lists_all) {
  const auto found = std::ranges::find(known, name);
  if (found != known.end()) return std::size_t(found - known.begin());
  const std::string near = nearest_word(name, known);
  throw Error(ErrorCode::invalid_argument, fmt::format("no {} '{}'", what, name),
              {.hint = fmt::format("{}", near.empty() ? fmt::format("'{}' lists all", lists_all)
                                                      : fmt::format("did you mean '{}'?", near))});
}

}  // namespace mercer::cli
