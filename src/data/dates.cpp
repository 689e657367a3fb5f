#include "data/dates.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "data/decimal.hpp"

namespace mercer {

namespace {

using Dates = Schema::Dates;

/// Takes a number of `least` to `most` digits off the front of `text`; −1 where there is none.
int take_number(std::string_view& text, std::size_t least, std::size_t most) noexcept {
  int number = 0;
  std::size_t digits = 0;
  while (digits < text.size() && digits < most && detail::is_digit(text[digits]))
    number = number * 10 + (text[digits++] - '0');
  if (digits < least) return -1;
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, char wanted) noexcept {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

/// "T10:30", " 10:30:15.5", "T10:30Z", "T10:30+02:00" as a part of a day; nothing is midnight.
std::optional<double> time_of(std::string_view text) noexcept {
  if (text.empty()) return 0;
  if (!take(text, 'T') && !take(text, ' ')) return {};
  const int hours = take_number(text, 1, 2);
  if (hours < 0 || hours > 24 || !take(text, ':')) return {};
  const int minutes = take_number(text, 2, 2);
  if (minutes < 0 || minutes > 59) return {};
  double seconds = 0;
  if (take(text, ':')) {
    const int whole = take_number(text, 2, 2);
    if (whole < 0 || whole > 60) return {};
    seconds = whole;
    if (take(text, '.')) {
      double place = 0.1;
      if (text.empty() || !detail::is_digit(text[0])) return {};
      for (; !text.empty() && detail::is_digit(text[0]); text.remove_prefix(1), place /= 10)
        seconds += place * (text[0] - '0');
    }
  }
  double shift = 0;
  if (const bool east = text.starts_with('+'); east || text.starts_with('-')) {
    text.remove_prefix(1);
    const int hour = take_number(text, 2, 2);
    (void)take(text, ':');
    const int minute = text.empty() ? 0 : take_number(text, 2, 2);
    if (hour < 0 || hour > 14 || minute < 0 || minute > 59) return {};
    shift = (east ? -1 : 1) * (hour * 60 + minute);
  } else {
    (void)take(text, 'Z');
  }
  if (!text.empty()) return {};
  return (hours * 3600 + minutes * 60 + seconds + shift * 60) / 86400;
}

}  // namespace

std::optional<double> days_of(std::string_view text, Dates order) noexcept {
  if (order == Dates::none || text.size() < 8 || !detail::is_digit(text[0])) return {};
  const bool year_first = order == Dates::year_first;
  const int first = year_first ? take_number(text, 4, 4) : take_number(text, 1, 2);
  if (first < 0 || text.empty()) return {};
  const char separator = text[0];
  const bool known = year_first ? separator == '-' || separator == '/'
                                : separator == '/' || (order == Dates::day_first && separator == '.');
  if (!known || !take(text, separator)) return {};
  const int second = take_number(text, 1, 2);
  if (second < 0 || !take(text, separator)) return {};
  const int third = year_first ? take_number(text, 1, 2) : take_number(text, 4, 4);
  if (third < 0) return {};
  const int year = year_first ? first : third;
  const int month = order == Dates::month_first ? first : second;
  const int day = year_first ? third : order == Dates::month_first ? second : first;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)),
                                         std::chrono::day(unsigned(day))};
  const std::optional<double> time = time_of(text);
  if (!date.ok() || !time) return {};
  return double(std::chrono::sys_days(date).time_since_epoch().count()) + *time;
}

void DateCells::add(std::string_view text) noexcept {
  if (text.size() < 8 || !detail::is_digit(text[0])) return;
  for (std::size_t k = 1; k < counts_.size(); ++k) counts_[k] += days_of(text, Dates(k)).has_value();
}

void DateCells::add(const DateCells& other) noexcept {
  for (std::size_t k = 0; k < counts_.size(); ++k) counts_[k] += other.counts_[k];
}

Dates DateCells::order(std::size_t cells) const noexcept {
  if (cells == 0) return Dates::none;
  if (count(Dates::year_first) == cells) return Dates::year_first;
  const bool days = count(Dates::day_first) == cells, months = count(Dates::month_first) == cells;
  if (days == months) return Dates::none;
  return days ? Dates::day_first : Dates::month_first;
}

bool DateCells::ambiguous(std::size_t cells) const noexcept {
  return cells > 0 && count(Dates::day_first) == cells && count(Dates::month_first) == cells;
}

std::string date_text(double days) {
  // `rounding`: of a day; scaling and back may lose a bit.
  constexpr double year_0 = -719528, year_10000 = 2932897, rounding = 1e-6;
  const double whole = std::floor(days + rounding);
  if (!(whole >= year_0 && whole < year_10000)) return fmt::format("{:.4g}", days);
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{int(whole)}}};
  return fmt::format("{:04}-{:02}-{:02}", int(date.year()), unsigned(date.month()), unsigned(date.day()));
}

}  // namespace mercer
