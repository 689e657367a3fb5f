// Options as a JSON object: each word is taken with the type it must have, and what nobody took is refused.
// Words are the command line's, with _ or - in them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mercer::capi {

class Options {
 public:
  /// NULL and "" are {}. Throws Error{invalid_argument} where the text is no JSON object, or has a word
  /// twice.
  explicit Options(const char* text);

  /// Whether the word is there (null is not).
  bool has(const std::string& word);
  std::string text(const std::string& word, const std::string& standard = {});
  bool flag(const std::string& word);
  std::optional<double> number(const std::string& word);
  /// A whole number of at least `least`.
  std::optional<std::uint64_t> count(const std::string& word, std::uint64_t least = 0);
  /// A text, or a list of them.
  std::vector<std::string> texts(const std::string& word);
  /// One of the words of a table.
  template <class T>
  T choice(const std::string& word, const std::vector<std::pair<std::string, T>>& table, T standard) {
    if (!has(word)) return standard;
    const std::string given = text(word);
    std::vector<std::string> known;
    for (const auto& [name, value] : table) {
      if (name == given) return value;
      known.push_back(name);
    }
    refuse_choice(word, given, known);
  }
  /// As it is; null where it is not there.
  const nlohmann::ordered_json& json(const std::string& word);

  /// Throws Error{unknown_name} for a word that nobody asked for.
  void refuse_others() const;
  /// {invalid_argument}: "C: must be a number, not "ten""
  [[noreturn]] void refuse(const std::string& word, const std::string& requirement) const;

 private:
  [[noreturn]] void refuse_choice(const std::string& word, const std::string& given,
                                  const std::vector<std::string>& known) const;

  nlohmann::ordered_json given_;  // by words with _
  std::set<std::string> asked_;
};

}  // namespace mercer::capi
