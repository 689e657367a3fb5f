#include "data/label_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/byte_message.hpp"
#include "data/decimal.hpp"
#include "data/density.hpp"
#include "mercer/target_reading.hpp"

namespace mercer {

namespace {

constexpr double too_large_integer = 9007199254740992;  // 2⁵³, which 2⁵³ + 1 is rounded to

}  // namespace

LabelColumn::LabelColumn(std::size_t rows, std::size_t chunks, const ReadOptions& options,
                         std::size_t outputs)
    : numbers_(checked_product(rows, outputs), std::numeric_limits<double>::quiet_NaN()),
      outputs_(outputs),
      texts_(chunks),
      task_(outputs > 1 ? Task::regression : options.task),
      missing_(options.missing),
      gaps_(options.target_gaps) {}

void LabelColumn::read(const TextSource& source, std::size_t chunk, std::size_t row, std::string_view text,
                       std::size_t output) {
  using Kind = Number::Kind;
  const Number number = read_number(text);
  const char* const at = text.data();
  switch (number.kind) {
    case Kind::number:
      // From 2⁵³ on two different integers may be one double, and two classes would silently become one.
      if (task_ != Task::regression && std::abs(number.value) >= too_large_integer &&
          text.find_first_not_of("+-0123456789") == text.npos)
        source.refuse(at,
                      fmt::format("label {} is too large to be told from its neighbours", in_quotes(text)),
                      "the largest integer label is 9007199254740991");
      set_number(row, number.value, output);
      return;
    case Kind::missing:
    case Kind::infinite:
      if (missing_ == Missing::drop || missing_ == Missing::automatic) return;
      source.refuse(at, fmt::format("label {} is missing or not finite", in_quotes(text)),
                    "give the row a label", {{Remedy::treat_missing, "drop"}});
    case Kind::too_large:
      source.refuse(at, fmt::format("{} is too large for a double", in_quotes(text)),
                    "the largest is 1.7976931348623157e+308");
    case Kind::text:
      break;
  }
  if (task_ == Task::regression)
    source.refuse(at, fmt::format("target {} is not a number", in_quotes(text)),
                  "a real target needs one in every row");
  set_text(chunk, row, text, at);
}

void LabelColumn::set_text(std::size_t chunk, std::size_t row, std::string_view text, const char* at) {
  Texts& texts = texts_[chunk];
  if (texts.rows.empty()) texts.first = at;
  const auto [entry, added] = texts.known.try_emplace(std::string(text), std::int32_t(texts.words.size()));
  if (added) texts.words.emplace_back(text);
  texts.rows.emplace_back(row, entry->second);
}

bool LabelColumn::has_texts() const noexcept {
  return std::ranges::any_of(texts_, [](const Texts& texts) { return !texts.rows.empty(); });
}

void LabelColumn::mark_missing(std::vector<char>& marks) const {
  std::vector<char> absent(marks.size(), gaps_);
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const bool lacks = std::isnan(numbers_[i]);
    absent[i / outputs_] = gaps_ ? absent[i / outputs_] && lacks : absent[i / outputs_] || lacks;
  }
  for (const Texts& texts : texts_)
    for (const auto& [row, word] : texts.rows) absent[row] = 0;
  for (std::size_t i = 0; i < absent.size(); ++i) marks[i] |= absent[i];
}

void LabelColumn::move(std::size_t chunk, std::size_t from, std::size_t to, std::size_t count) {
  if (from == to) return;
  std::copy_n(numbers_.begin() + std::ptrdiff_t(from * outputs_), count * outputs_,
              numbers_.begin() + std::ptrdiff_t(to * outputs_));
  for (auto& [row, word] : texts_[chunk].rows) row -= from - to;
}

void LabelColumn::keep(const std::vector<std::size_t>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t output = 0; output < outputs_; ++output)
      set_number(i, numbers_[rows[i] * outputs_ + output], output);
  resize(rows.size());
  for (Texts& texts : texts_) {
    std::size_t kept = 0;
    for (const auto& [row, word] : texts.rows) {
      const auto found = std::ranges::lower_bound(rows, row);
      if (found != rows.end() && *found == row)
        texts.rows[kept++] = {std::size_t(found - rows.begin()), word};
    }
    texts.rows.resize(kept);
  }
}

void LabelColumn::append_to(std::string& bytes, const char* text) const {
  append_values(bytes, numbers_);
  append_value(bytes, texts_.size());
  for (const Texts& texts : texts_) {
    append_texts(bytes, texts.words);
    append_value(bytes, texts.rows.size());
    for (const auto& [row, word] : texts.rows) append_value(bytes, row), append_value(bytes, word);
    append_value(bytes, texts.first ? texts.first - text : std::ptrdiff_t(-1));
  }
}

void LabelColumn::take(std::string_view& bytes, std::size_t chunk, std::size_t first_row, const char* text) {
  const std::vector<double> numbers = take_values<double>(bytes);
  std::ranges::copy(numbers, numbers_.begin() + std::ptrdiff_t(first_row * outputs_));
  const auto chunks = take_value<std::size_t>(bytes);
  for (std::size_t c = 0; c < chunks; ++c) {
    const std::vector<std::string> words = take_texts(bytes);
    std::vector<std::pair<std::size_t, std::int32_t>> rows(take_value<std::size_t>(bytes));
    for (auto& [row, word] : rows) {
      row = take_value<std::size_t>(bytes);
      word = take_value<std::int32_t>(bytes);
    }
    const auto place = take_value<std::ptrdiff_t>(bytes);
    const char* const first = place < 0 ? nullptr : text + place;
    for (const auto& [row, word] : rows) set_text(chunk, first_row + row, words[std::size_t(word)], first);
  }
}

Target LabelColumn::finish(std::string name, const std::string& file, const TextSource* source) {
  Target target;
  target.name = std::move(name);
  if (task_ != Task::regression && code_numbers(target)) {
    target.task = Task::classification;
    code_texts(target);
    return target;
  }
  if (has_texts()) refuse_mixture(file, source);
  target.task = Task::regression;
  target.codes.clear();
  target.values = std::move(numbers_);
  target.outputs = outputs_;
  return target;
}

/// Gives the rows with numbers their codes. False, where the caller has not asked for classes, at a number
/// that is no integer, when there are too many, or when some are too rare: then they are no classes.
bool LabelColumn::code_numbers(Target& target) const {
  const bool any = task_ == Task::classification;
  const std::size_t most = std::clamp<std::size_t>(numbers_.size() / 2, 2, 100);
  NumberCodes codes;
  target.codes.resize(numbers_.size());
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const double value = numbers_[i] + 0.0;  // −0 and 0 are one class
    if (std::isnan(value)) continue;
    if (!any && value != std::floor(value)) return false;
    target.codes[i] = codes.code(value);
    if (!any && codes.values().size() > most) return false;
  }
  if (!any && !has_texts()) {
    std::vector<std::size_t> rows_of(codes.values().size());
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (!std::isnan(numbers_[i])) ++rows_of[std::size_t(target.codes[i])];
    if (!whole_numbers_name_classes(rows_of)) return false;
  }
  std::vector<double> ascending = codes.values();
  std::ranges::sort(ascending);
  std::vector<std::int32_t> place;
  for (const double value : codes.values())
    place.push_back(std::int32_t(std::ranges::lower_bound(ascending, value) - ascending.begin()));
  for (std::size_t i = 0; i < numbers_.size(); ++i)
    if (!std::isnan(numbers_[i])) target.codes[i] = place[std::size_t(target.codes[i])];
  for (const double value : ascending) target.labels.push_back(number_text(value));
  return true;
}

/// One text among many numbers is a slip of the pen, not a class.
void LabelColumn::refuse_mixture(const std::string& file, const TextSource* source) const {
  const Texts& texts = *std::ranges::find_if(texts_, [](const Texts& some) { return !some.rows.empty(); });
  const std::string what = fmt::format(
      "target {} is not a number, as others are; write a number, or set the task to classes to take every "
      "value as a class",
      in_quotes(texts.words[std::size_t(texts.rows.front().second)]));
  if (source) source->refuse(texts.first, what);
  refuse_file(file, what);
}

/// Adds the texts that rows still hold to the labels, in order, and gives those rows their codes.
void LabelColumn::code_texts(Target& target) const {
  std::unordered_map<std::string, std::int32_t> code_of;
  for (const Texts& texts : texts_)
    for (const auto& [row, word] : texts.rows) code_of.try_emplace(texts.words[std::size_t(word)], 0);
  std::vector<std::string> words;
  for (const auto& [word, code] : code_of) words.push_back(word);
  std::ranges::sort(words, label_less);
  for (const std::string& word : words) {
    code_of[word] = std::int32_t(target.labels.size());
    target.labels.push_back(word);
  }
  for (const Texts& texts : texts_) {
    std::vector<std::int32_t> codes;  // of this chunk's words; 0 for those whose rows were dropped
    for (const std::string& word : texts.words) codes.push_back(code_of[word]);
    for (const auto& [row, word] : texts.rows) target.codes[row] = codes[std::size_t(word)];
  }
}

Target read_labels(const TextSource& source, const std::vector<std::string_view>& labels,
                   const ReadOptions& options, std::string name) {
  LabelColumn column(labels.size(), 1, options);
  for (std::size_t i = 0; i < labels.size(); ++i) column.read(source, 0, i, labels[i]);
  return column.finish(std::move(name), source.name(), &source);
}

bool label_less(const std::string& a, const std::string& b) {
  const Number left = read_number(a), right = read_number(b);
  const bool left_number = left.kind == Number::Kind::number,
             right_number = right.kind == Number::Kind::number;
  if (left_number != right_number) return left_number;
  if (left_number && left.value != right.value) return left.value < right.value;
  return a < b;
}

std::vector<double> Target::numbers() const {
  if (task != Task::classification) return values;
  std::vector<double> of_label;
  for (const std::string& label : labels) {
    const Number number = read_number(label);
    if (number.kind != Number::Kind::number)
      throw Error(ErrorCode::invalid_file, fmt::format("class label {} is not a number", in_quotes(label)),
                  {.hint = "a real target needs numbers"});
    of_label.push_back(number.value);
  }
  std::vector<double> result(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) result[i] = of_label[std::size_t(codes[i])];
  return result;
}

}  // namespace mercer
