// Files of word vectors, as word2vec and GloVe write them (`word v₁ … v_d`, fields separated by spaces or
// tabs, with or without a first line `count d`), and of similarities of pairs (`word<TAB>word<TAB>number`).
// Which of them a file is, its first line says: the second field of a pair is no number.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "data/text_source.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/word_vectors.hpp"

namespace mercer {

namespace {

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc() ? value : std::nan("");
}

/// The fields between spaces and tabs.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end;
  }
  return fields;
}

/// The fields between tabs; a word may have spaces in it.
std::vector<std::string_view> tab_fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t tab = line.find('\t');
    fields.push_back(trimmed(line.substr(0, tab), " "));
    if (tab == line.npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

double finite_number(const TextSource& source, std::string_view field) {
  const std::optional<double> value = number_in(field);
  if (!value)
    source.refuse(field.data(), in_quotes(field) + " is not a number", "write a number such as 0.5");
  if (!std::isfinite(*value))
    source.refuse(field.data(), in_quotes(field) + " is not finite", "write a number such as 0.5");
  return *value;
}

bool is_pair(std::string_view line) {
  const auto fields = tab_fields_of(line);
  return fields.size() == 3 && !number_in(fields[1]);
}

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Calls use(line) for each line that is not blank.
void each_line(std::string_view rest, auto&& use) {
  while (!rest.empty())
    if (const std::string_view line = without_end(take_line(rest)); !trimmed(line, " \t").empty()) use(line);
}

SharedWords read_pairs(const TextSource& source) {
  struct Seen {
    double similarity;
    const char* place;
  };
  std::vector<WordPair> pairs;
  std::unordered_map<std::string, Seen> seen;
  each_line(source.text(), [&](std::string_view line) {
    const auto fields = tab_fields_of(line);
    if (fields.size() != 3 || fields[0].empty() || fields[1].empty())
      source.refuse(line.data(), "this line is no pair of words with their similarity",
                    "write word, tab, word, tab, number");
    WordPair pair{std::string(fields[0]), std::string(fields[1]), finite_number(source, fields[2])};
    const auto [low, high] = std::minmax(fields[0], fields[1]);
    const auto [before, added] =
        seen.emplace(fmt::format("{}\t{}", low, high), Seen{pair.similarity, line.data()});
    if (!added && before->second.similarity != pair.similarity)
      source.refuse(fields[2].data(),
                    fmt::format("{} and {} have the similarity {} here and {} in line {}",
                                in_quotes(fields[0]), in_quotes(fields[1]), to_text(pair.similarity),
                                to_text(before->second.similarity), source.place(before->second.place).line),
                    "a similarity is the same both ways: give each pair once");
    if (added) pairs.push_back(std::move(pair));
  });
  return word_similarities(pairs);
}

/// Of word2vec's first line, `count d`.
struct Header {
  std::size_t words, dimensions;
};

std::optional<std::size_t> count_in(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Where the first line is two whole numbers and the second has a word and as many numbers as it says.
std::optional<Header> header_of(std::string_view text) {
  const auto first = fields_of(without_end(take_line(text))),
             second = fields_of(without_end(take_line(text)));
  if (first.size() != 2) return std::nullopt;
  const auto words = count_in(first[0]), dimensions = count_in(first[1]);
  if (!words || !dimensions || *dimensions == 0 || second.size() != *dimensions + 1) return std::nullopt;
  return Header{*words, *dimensions};
}

SharedWords read_vectors(const TextSource& source) {
  const std::optional<Header> header = header_of(source.text());
  std::string_view rest = source.text();
  if (header) take_line(rest);
  std::size_t dimensions = header ? header->dimensions : 0;
  std::vector<std::string> words;
  std::vector<double> values;
  std::unordered_map<std::string_view, std::pair<std::size_t, const char*>> seen;  // number and place
  std::size_t lines = 0;
  each_line(rest, [&](std::string_view line) {
    ++lines;
    const auto fields = fields_of(line);
    if (dimensions == 0) dimensions = fields.size() - 1;
    if (fields.size() - 1 != dimensions || dimensions == 0)
      source.refuse(line.data(),
                    dimensions == 0 ? fmt::format("the word {} has no numbers", in_quotes(fields[0]))
                                    : fmt::format("the vector of {} has {} numbers, but others have {}",
                                                  in_quotes(fields[0]), fields.size() - 1, dimensions),
                    "write a word and its vector in each line, or word, tab, word, tab, similarity");
    const std::size_t begin = values.size();
    for (std::size_t k = 1; k < fields.size(); ++k) values.push_back(finite_number(source, fields[k]));
    const auto [before, added] = seen.emplace(fields[0], std::pair{words.size(), line.data()});
    if (added) {
      words.emplace_back(fields[0]);
      return;
    }
    const auto [number, place] = before->second;
    if (!std::equal(values.begin() + std::ptrdiff_t(begin), values.end(),
                    values.begin() + std::ptrdiff_t(number * dimensions)))
      source.refuse(
          line.data(),
          fmt::format("{} has another vector in line {}", in_quotes(fields[0]), source.place(place).line),
          "give each word once");
    values.resize(begin);
  });
  if (header && lines != header->words)
    refuse_file(source.name(),
                fmt::format("the first line says {} words, but there are {}", header->words, lines),
                "is the file complete?");
  if (words.empty())
    refuse_file(source.name(), "there are no words", "write a word and its vector in each line");
  return word_vectors(words, values, dimensions);
}

}  // namespace

SharedWords read_word_vectors(const std::string& path) {
  const MappedFile file(path);
  const TextSource source(file);
  std::string_view rest = source.text();
  std::string_view first = without_end(take_line(rest));
  while (trimmed(first, " \t").empty() && !rest.empty()) first = without_end(take_line(rest));
  try {
    return is_pair(first) ? read_pairs(source) : read_vectors(source);
  } catch (const Error& error) {
    throw error.details().file.empty() ? error.in_file(path) : error;
  }
}

}  // namespace mercer
