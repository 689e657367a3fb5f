// What the tests of pages ask of HTML text.
#pragma once

#include <set>

#include "svg_text.hpp"

namespace mercer {

/// Tags close each other, no identifier is there twice, links lead to one that is there, and nothing comes
/// from outside.
inline testing::AssertionResult page_is_sound(const std::string& html) {
  constexpr std::string_view start = "<!DOCTYPE html>\n";
  if (!html.starts_with(start)) return testing::AssertionFailure() << "the page does not begin with its type";
  if (const auto formed = well_formed(html.substr(start.size())); !formed) return formed;
  const auto values = [&](const std::string& mark) {
    std::vector<std::string> found;
    for (std::size_t at = html.find(mark); at != std::string::npos; at = html.find(mark, at + 1))
      found.push_back(html.substr(at + mark.size(), html.find('"', at + mark.size()) - at - mark.size()));
    return found;
  };
  std::set<std::string> known;
  for (const std::string& id : values(" id=\""))
    if (!known.insert(id).second) return testing::AssertionFailure() << "two elements are called " << id;
  for (const std::string& link : values("href=\""))
    if (!link.starts_with("#") || !known.contains(link.substr(1)))
      return testing::AssertionFailure() << "a link to " << link;
  if (count(html, "http") != count(html, "xmlns=\"http://www.w3.org/2000/svg\""))
    return testing::AssertionFailure() << "an address outside";
  for (const char* word : {"<script", "<link", "<img", "<iframe", "@import", "url(", "src="})
    if (count(html, word) > 0) return testing::AssertionFailure() << "there is " << word;
  return testing::AssertionSuccess();
}

}  // namespace mercer
