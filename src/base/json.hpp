// JSON as others are told it: keys in the order in which they are added, and numbers that JSON lacks as
// texts.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace mercer {

using Json = nlohmann::ordered_json;

/// A JSON number, or the text "Infinity", "-Infinity" or "NaN".
inline Json json_number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}
/// Null for none.
inline Json json_number(const std::optional<double>& value) { return value ? json_number(*value) : Json(); }

/// Labels and names come from files: bytes that are no UTF-8 become the replacement character.
inline std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mercer
