// Numbers as the bytes of a message between ranks of the same program, and back.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace mercer {

template <class T>
void append_value(std::string& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void append_values(std::string& bytes, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  append_value(bytes, values.size());
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <class T>
T take_value(std::string_view& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

template <class T>
std::vector<T> take_values(std::string_view& bytes) {
  std::vector<T> values(take_value<std::size_t>(bytes));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  bytes.remove_prefix(values.size() * sizeof(T));
  return values;
}

inline void append_text(std::string& bytes, std::string_view text) {
  append_value(bytes, text.size());
  bytes += text;
}

inline std::string take_text(std::string_view& bytes) {
  const auto size = take_value<std::size_t>(bytes);
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

template <class Texts>
void append_texts(std::string& bytes, const Texts& texts) {
  append_value(bytes, std::size_t(texts.size()));
  for (const std::string& text : texts) append_text(bytes, text);
}

inline std::vector<std::string> take_texts(std::string_view& bytes) {
  std::vector<std::string> texts(take_value<std::size_t>(bytes));
  for (std::string& text : texts) text = take_text(bytes);
  return texts;
}

}  // namespace mercer
