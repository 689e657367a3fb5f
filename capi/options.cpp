#include "capi/options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer::capi {

namespace {

using Json = nlohmann::ordered_json;

std::string with_underscores(std::string word) {
  for (char& c : word) c = c == '-' ? '_' : c;
  return word;
}

std::string shown(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

Options::Options(const char* text) : given_(Json::object()) {
  const std::string_view whole = text ? text : "";
  if (whole.find_first_not_of(" \t\r\n") == whole.npos) return;
  std::set<std::string> words;
  std::string twice;
  const auto notice = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::key && depth == 1)
      if (const std::string word = with_underscores(parsed.get<std::string>()); !words.insert(word).second)
        twice = word;
    return true;
  };
  Json json;
  try {
    json = Json::parse(whole, notice);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::invalid_argument, fmt::format("the options are not JSON: {}", error.what()),
                {.hint = "write {\"method\": \"svm\", \"C\": 10}"});
  }
  if (!json.is_object())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the options must be a JSON object, not {}", shown(json)),
                {.hint = "write {\"method\": \"svm\", \"C\": 10}"});
  if (!twice.empty())
    throw Error(ErrorCode::invalid_argument, fmt::format("the option '{}' is given twice", twice));
  for (auto& [word, value] : json.items()) given_[with_underscores(word)] = std::move(value);
}

const Json& Options::json(const std::string& word) {
  static const Json none;
  asked_.insert(word);
  const auto found = given_.find(word);
  return found == given_.end() ? none : *found;
}

bool Options::has(const std::string& word) { return !json(word).is_null(); }

std::string Options::text(const std::string& word, const std::string& standard) {
  const Json& value = json(word);
  if (value.is_null()) return standard;
  if (!value.is_string()) refuse(word, "must be a text");
  return value.get<std::string>();
}

bool Options::flag(const std::string& word) {
  const Json& value = json(word);
  if (value.is_null()) return false;
  if (!value.is_boolean()) refuse(word, "must be true or false");
  return value.get<bool>();
}

std::optional<double> Options::number(const std::string& word) {
  const Json& value = json(word);
  if (value.is_null()) return {};
  if (!value.is_number()) refuse(word, "must be a number");
  return value.get<double>();
}

std::optional<std::uint64_t> Options::count(const std::string& word, std::uint64_t least) {
  const std::optional<double> value = number(word);
  if (!value) return {};
  if (!(*value >= double(least)) || *value != std::floor(*value) || *value > 0x1p53)
    refuse(word, fmt::format("must be a whole number ≥ {}", least));
  return std::uint64_t(*value);
}

std::vector<std::string> Options::texts(const std::string& word) {
  const Json& value = json(word);
  if (value.is_null()) return {};
  if (value.is_string()) return {value.get<std::string>()};
  std::vector<std::string> list;
  if (!value.is_array()) refuse(word, "must be a text or a list of texts");
  for (const Json& one : value) {
    if (!one.is_string()) refuse(word, "must be a text or a list of texts");
    list.push_back(one.get<std::string>());
  }
  return list;
}

void Options::refuse_others() const {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const auto& [word, value] : given_.items())
    if (!asked_.contains(word))
      throw Error(ErrorCode::unknown_name, fmt::format("there is no option '{}' here", word),
                  {.value = word, .hint = suggestion(word, known)});
}

void Options::refuse(const std::string& word, const std::string& requirement) const {
  const auto found = given_.find(word);
  throw Error(ErrorCode::invalid_argument,
              fmt::format("{} {}, not {}", word, requirement, found == given_.end() ? "null" : shown(*found)),
              {.parameter = word, .value = found == given_.end() ? "" : shown(*found)});
}

void Options::refuse_choice(const std::string& word, const std::string& given,
                            const std::vector<std::string>& known) const {
  throw Error(ErrorCode::invalid_argument, fmt::format("{}: unknown value '{}'", word, given),
              {.value = given, .hint = suggestion(given, known)});
}

}  // namespace mercer::capi
