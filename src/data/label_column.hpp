// The column (or the columns of numbers) to be learned, read by many tasks at once, and the choice between
// classes and numbers.
//
// A label that is a number is that number however it is written: +1, 1 and 1.0 are one class, 1.5 and 1.7 are
// two. Without a word from the caller a column is taken as classes where a label is text, or where all are
// integers with few distinct values: at most half as many as rows, though two are always few, and above 10 of
// them only where they are about equally frequent (mercer/target_reading.hpp). Several columns are always
// numbers.
#pragma once

#include <bit>
#include <unordered_map>

#include "data/text_source.hpp"

namespace mercer {

class LabelColumn {
 public:
  LabelColumn() = default;
  /// `outputs` is the number of columns.
  LabelColumn(std::size_t rows, std::size_t chunks, const ReadOptions& options, std::size_t outputs = 1);

  bool may_be_text() const noexcept { return task_ != Task::regression; }
  /// Reads the label of `row`, on behalf of the task that parses `chunk`; refuses what cannot be one.
  void read(const TextSource& source, std::size_t chunk, std::size_t row, std::string_view text,
            std::size_t output = 0);
  void set_number(std::size_t row, double value, std::size_t output = 0) noexcept {
    numbers_[row * outputs_ + output] = value;
  }
  /// `at` is where the text stands in its file.
  void set_text(std::size_t chunk, std::size_t row, std::string_view text, const char* at = nullptr);

  /// Sets the mark of each row that has no label, or lacks one of its numbers (with gaps: all).
  void mark_missing(std::vector<char>& marks) const;
  /// Moves the labels of rows [from, from + count) to `to` ≤ from; the rows' chunk is `chunk`.
  void move(std::size_t chunk, std::size_t from, std::size_t to, std::size_t count);
  void resize(std::size_t rows) { numbers_.resize(rows * outputs_); }
  /// Keeps the chosen rows, ascending.
  void keep(const std::vector<std::size_t>& rows);

  /// The labels of some rows as the bytes of a message, and into the rows from `first_row` on, as those of
  /// `chunk`. `text`: where the file's text begins, on either side.
  void append_to(std::string& bytes, const char* text) const;
  void take(std::string_view& bytes, std::size_t chunk, std::size_t first_row, const char* text);

  /// `file` is for messages, as is the text of the file where the labels were read from one.
  Target finish(std::string name, const std::string& file, const TextSource* source = nullptr);

 private:
  struct Texts {
    std::vector<std::string> words;
    std::unordered_map<std::string, std::int32_t> known;
    std::vector<std::pair<std::size_t, std::int32_t>> rows;  // row and index into words
    const char* first = nullptr;                             // where the first one stood
  };
  bool has_texts() const noexcept;
  bool code_numbers(Target& target) const;
  void code_texts(Target& target) const;
  void refuse_mixture(const std::string& file, const TextSource* source) const;

  std::vector<double> numbers_;  // rows × outputs; NaN where missing or a text
  std::size_t outputs_ = 1;
  std::vector<Texts> texts_;  // one per chunk
  Task task_ = Task::none;
  Missing missing_ = Missing::refuse;
  bool gaps_ = false;  // may be among the numbers of a row
};

/// Distinct numbers, each with a code in the order of appearance. A small hash table with open addressing: a
/// column of labels is looked up once per row, and the nodes of std::unordered_map would cost more than
/// parsing it.
class NumberCodes {
 public:
  /// The code of `value`, which is neither NaN nor −0; a new one where it was not seen before.
  std::int32_t code(double value) {
    std::size_t slot = slot_of(value);
    if (slots_[slot] >= 0) return slots_[slot];
    slots_[slot] = std::int32_t(values_.size());
    values_.push_back(value);
    if (2 * values_.size() > slots_.size()) grow();
    return std::int32_t(values_.size()) - 1;
  }
  const std::vector<double>& values() const noexcept { return values_; }  ///< by code

 private:
  std::size_t slot_of(double value) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t hash = std::bit_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15u;
    std::size_t slot = std::size_t(hash >> 32) & mask;
    while (slots_[slot] >= 0 && values_[std::size_t(slots_[slot])] != value) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t k = 0; k < values_.size(); ++k) slots_[slot_of(values_[k])] = std::int32_t(k);
  }

  std::vector<std::int32_t> slots_ = std::vector<std::int32_t>(64, -1);
  std::vector<double> values_;
};

/// The target that `labels`, pieces of the source, say.
Target read_labels(const TextSource& source, const std::vector<std::string_view>& labels,
                   const ReadOptions& options, std::string name);

/// The order of labels and categories: numbers by value, then texts by byte.
bool label_less(const std::string& a, const std::string& b);

}  // namespace mercer
