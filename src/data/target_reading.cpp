#include "mercer/target_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/decimal.hpp"
#include "data/number_codes.hpp"
#include "data/text_source.hpp"

namespace mercer {

namespace {

constexpr std::size_t surely_classes = 10, most_classes = 100;

/// How many different values there are, or 0 where they are not all whole or are more than can be classes.
std::size_t different_whole_numbers(const Target& target) {
  if (target.task == Task::classification) {
    const bool whole = std::ranges::all_of(target.labels, [](const std::string& label) {
      const Number number = read_number(label);
      return number.kind == Number::Kind::number && number.value == std::floor(number.value);
    });
    return whole ? target.labels.size() : 0;
  }
  if (target.task != Task::regression || target.outputs != 1) return 0;
  NumberCodes codes;
  for (const double value : target.values) {
    if (!(value == std::floor(value))) return 0;
    codes.code(value + 0.0);  // −0 is 0
    if (codes.values().size() > most_classes) return 0;
  }
  return codes.values().size();
}

}  // namespace

bool whole_numbers_name_classes(std::span<const std::size_t> rows_of) noexcept {
  const std::size_t values = rows_of.size();
  if (values <= surely_classes) return true;
  if (values > most_classes) return false;
  const std::size_t rows = std::accumulate(rows_of.begin(), rows_of.end(), std::size_t(0));
  return rows >= 5 * values && 4 * values * std::ranges::min(rows_of) >= rows;
}

std::optional<Note> target_reading_note(const Target& target) {
  const std::size_t values = different_whole_numbers(target);
  if (values <= surely_classes || values > most_classes) return std::nullopt;
  const std::string name = target.name.empty() ? "the target" : "target " + in_quotes(target.name);
  const bool classes = target.task == Task::classification;
  return Note{fmt::format("{} has {} different whole numbers and is read as {}", name, values,
                          classes ? "classes" : "numbers (regression)"),
              {{classes ? Remedy::read_as_numbers : Remedy::read_as_classes}}};
}

}  // namespace mercer
