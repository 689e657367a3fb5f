// Dates as tables write them: 2024-01-31 or 2024/01/31, with a time or not; 31.01.2024; 31/01/2024 or
// 01/31/2024, of which a column is one or the other and its cells together tell which.
#pragma once

#include <array>

#include "mercer/dataset.hpp"

namespace mercer {

/// Days since 1970-01-01 in UTC, with the time as a fraction; none where `text` is no date in this order.
std::optional<double> days_of(std::string_view text, Schema::Dates order) noexcept;

/// "2024-01-31": the day, without its time; beyond the years 0 to 9999 the number of days.
std::string date_text(double days);

/// What the cells of a column are in common.
class DateCells {
 public:
  void add(std::string_view text) noexcept;
  void add(const DateCells& other) noexcept;
  /// The order in which every one of `cells` texts is a date; none where there is no such order, or two.
  Schema::Dates order(std::size_t cells) const noexcept;
  /// Each is a date, but 01/02/2024 may be the first of February or the second of January.
  bool ambiguous(std::size_t cells) const noexcept;

 private:
  std::size_t count(Schema::Dates order) const noexcept { return counts_[std::size_t(order)]; }

  std::array<std::size_t, 4> counts_{};  // cells that are dates, by order
};

}  // namespace mercer
