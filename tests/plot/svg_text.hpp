// What the tests of pictures ask of SVG text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "plot/lines.hpp"

namespace mercer {

inline std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// Every tag is closed by its own, in order, and every '&' begins an entity.
inline testing::AssertionResult well_formed(const std::string& svg) {
  constexpr std::string_view entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    if (end == std::string::npos) return testing::AssertionFailure() << "an open tag at byte " << at;
    const std::string tag = svg.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return testing::AssertionFailure() << "'<' in <" << tag << ">";
    if (count(tag, "\"") % 2 != 0) return testing::AssertionFailure() << "an open quote in <" << tag << ">";
    if (tag.ends_with('/')) continue;
    if (!tag.starts_with('/')) {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    } else if (open.empty() || open.back() != tag.substr(1)) {
      return testing::AssertionFailure() << "<" << tag << "> closes nothing";
    } else {
      open.pop_back();
    }
  }
  if (!open.empty()) return testing::AssertionFailure() << "<" << open.back() << "> stays open";
  for (std::size_t at = svg.find('&'); at != std::string::npos; at = svg.find('&', at + 1)) {
    const std::string_view rest = std::string_view(svg).substr(at);
    if (std::ranges::none_of(entities, [&](std::string_view entity) { return rest.starts_with(entity); }))
      return testing::AssertionFailure() << "a bare '&' at byte " << at;
  }
  return testing::AssertionSuccess();
}

inline double attribute(const std::string& tag, const std::string& name) {
  const std::size_t at = tag.find(" " + name + "=\"");
  return at == std::string::npos ? 0 : std::atof(tag.c_str() + at + name.size() + 3);
}

/// The frame of the first plot of a chart.
inline Frame frame_in(const std::string& svg) {
  const std::string tag = svg.substr(svg.find("<rect class=\"frame\""));
  return {attribute(tag, "x"), attribute(tag, "y"), attribute(tag, "width"), attribute(tag, "height")};
}

/// The places named by M and L in the path of the first element that begins with `beginning`.
inline std::vector<Place> path_points(const std::string& svg, const std::string& beginning) {
  std::vector<Place> places;
  const std::size_t element = svg.find(beginning);
  if (element == std::string::npos) return places;
  std::size_t at = svg.find(" d=\"", element) + 4;
  for (const std::size_t end = svg.find('"', at); at < end; ++at) {
    if (svg[at] != 'M' && svg[at] != 'L') continue;
    char* rest = nullptr;
    const double x = std::strtod(svg.c_str() + at + 1, &rest);
    places.push_back({x, std::strtod(rest, nullptr)});
  }
  return places;
}

}  // namespace mercer
