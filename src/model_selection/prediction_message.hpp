// Predictions as the bytes of a message between ranks, and back.
#pragma once

#include "base/byte_message.hpp"
#include "mercer/model.hpp"

namespace mercer {

inline std::string bytes_of(const Predictions& p) {
  std::string bytes;
  append_values(bytes, p.codes);
  append_values(bytes, p.values);
  append_value(bytes, p.outputs);
  append_value(bytes, p.width);
  append_values(bytes, p.probabilities);
  append_values(bytes, p.scores);
  append_value(bytes, p.pairs);
  return bytes;
}

inline Predictions take_predictions(std::string_view& bytes) {
  Predictions p;
  p.codes = take_values<std::int32_t>(bytes);
  p.values = take_values<double>(bytes);
  p.outputs = take_value<std::size_t>(bytes);
  p.width = take_value<std::size_t>(bytes);
  p.probabilities = take_values<double>(bytes);
  p.scores = take_values<double>(bytes);
  p.pairs = take_value<bool>(bytes);
  return p;
}

}  // namespace mercer
