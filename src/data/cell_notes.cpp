#include "data/cell_notes.hpp"

#include <fmt/format.h>

namespace mercer {

namespace {

using Role = TableColumn::Role;

/// "'age' (177), 'fare' (1) and 3 more": columns with how many of their cells.
class CountedColumns {
 public:
  void add(const std::string& name, std::size_t cells) {
    if (count_++ < most_)
      text_ += fmt::format("{}{} ({})", text_.empty() ? "" : ", ", in_quotes(name), cells);
  }
  bool empty() const noexcept { return count_ == 0; }
  std::string text() const {
    return count_ <= most_ ? text_ : fmt::format("{} and {} more", text_, count_ - most_);
  }

 private:
  static constexpr std::size_t most_ = 10;
  std::size_t count_ = 0;
  std::string text_;
};

std::string strange_cells(const TableColumn& column, const CellCounts& counts) {
  const bool one = counts.strange == 1;
  if (column.role == Role::categorical)
    return fmt::format(
        "column {}: {} cell{} a category that was not learned, such as {}: none of the known ones is set",
        in_quotes(column.name), counts.strange, one ? " has" : "s have", in_quotes(counts.example));
  return fmt::format("column {}: {} cell{} no {}, such as {}: taken as missing", in_quotes(column.name),
                     counts.strange, one ? " is" : "s are", column.role == Role::date ? "date" : "number",
                     in_quotes(counts.example));
}

}  // namespace

void CellNotes::add(std::size_t chunk, const CellsOfColumns& found) {
  const std::lock_guard lock(mutex_);
  for (const auto& [column, counts] : found) {
    Total& total = columns_[column];
    if (counts.strange > 0 && (total.counts.strange == 0 || chunk < total.chunk)) {
      total.counts.example = counts.example;
      total.chunk = chunk;
    }
    total.counts.missing += counts.missing;
    total.counts.strange += counts.strange;
  }
}

std::vector<std::string> CellNotes::sentences(const TableLayout& layout, bool fills) const {
  constexpr std::size_t most = 20;
  std::vector<std::string> sentences;
  CountedColumns means, own, none;
  std::size_t strange = 0;
  for (const auto& [number, total] : columns_) {
    const TableColumn& column = layout.columns[number];
    if (total.counts.strange > 0 && strange++ < most)
      sentences.push_back(strange_cells(column, total.counts));
    if (total.counts.missing == 0) continue;
    if (column.role != Role::categorical)
      means.add(column.name, total.counts.missing);
    else
      (column.category_number.contains(missing_category) ? own : none).add(column.name, total.counts.missing);
  }
  if (strange > most) sentences.push_back(fmt::format("{} more columns hold such cells", strange - most));
  if (!fills) return sentences;
  if (!means.empty()) sentences.push_back("missing numbers take the mean of their column: " + means.text());
  if (!own.empty()) sentences.push_back("missing texts are a category of their own: " + own.text());
  if (!none.empty())
    sentences.push_back("missing texts in columns that had none before are no known category: " +
                        none.text());
  return sentences;
}

}  // namespace mercer
