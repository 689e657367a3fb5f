#include "solvers/map_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

// In the order of MapName::Kind.
const std::vector<std::string> kinds{"nystrom", "fourier", "sketch", "explicit"};
const std::vector<std::string> rules{"pivoted", "uniform", "kmeans++"};  // in the order of LandmarkRule
constexpr std::size_t most = std::size_t(1) << 24;

std::size_t find(std::string_view what, const std::string& word, const std::vector<std::string>& known) {
  const auto found = std::ranges::find(known, word);
  if (found != known.end()) return std::size_t(found - known.begin());
  const std::string near = nearest_word(word, known);
  throw Error(ErrorCode::unknown_name, fmt::format("unknown {} '{}'", what, word),
              {.hint = fmt::format("{}", near.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                                                      : fmt::format("did you mean '{}'?", near))});
}

std::size_t parse_count(std::string_view text, const std::string& word) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc{} || end != word.data() + word.size() || count == 0 || count > most)
    throw Error(
        ErrorCode::invalid_parameter,
        fmt::format("the count of a feature map must be a whole number from 1 to {}, not '{}' in '{}'", most,
                    word, text),
        {.hint = fmt::format("e.g. {}:1000", text.substr(0, text.find(':')))});
  return count;
}

}  // namespace

MapName MapName::parse(std::string_view text) {
  std::vector<std::string> words{""};
  for (const char c : text) {
    if (c == ':')
      words.emplace_back();
    else
      words.back() += c;
  }
  MapName name{.kind = Kind(find("feature map", words[0], kinds))};
  const std::size_t allowed = name.kind == Kind::nystrom ? 3 : name.kind == Kind::explicit_map ? 1 : 2;
  if (words.size() > allowed)
    throw Error(ErrorCode::invalid_argument, fmt::format("'{}' says more than {} takes", text, words[0]),
                {.hint = "write nystrom:COUNT, nystrom:COUNT:RULE, fourier:COUNT, sketch:COUNT or explicit"});
  if (name.kind == Kind::explicit_map) return name;
  name.count = parse_count(text, words.size() > 1 ? words[1] : "");
  if (name.kind == Kind::fourier) name.count += name.count % 2;  // cosines and sines
  if (name.kind == Kind::sketch) name.count = std::bit_ceil(name.count);
  if (words.size() > 2) name.rule = LandmarkRule(find("choice of landmarks", words[2], rules));
  return name;
}

std::string MapName::text() const {
  std::string text = kinds[std::size_t(kind)];
  if (kind != Kind::explicit_map) text += fmt::format(":{}", count);
  if (kind == Kind::nystrom && rule != LandmarkRule::pivoted) text += ":" + rules[std::size_t(rule)];
  return text;
}

}  // namespace mercer
