#include "plot/axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/svg.hpp"

namespace mercer {

namespace {

using Tick = std::pair<double, std::string>;

// Beyond these a range overflows or a step vanishes.
constexpr double smallest_number = 1e-300, largest_number = 1e300;

std::string power_of_ten(int exponent) {
  return exponent >= -3 && exponent <= 4 ? label_text(std::pow(10, exponent), 5) : power_text(10, exponent);
}

std::vector<Tick> powers(const Axis& axis, std::size_t count) {
  const int first = int(std::ceil(std::log10(axis.low) - 1e-9)),
            last = int(std::floor(std::log10(axis.high) + 1e-9));
  std::vector<Tick> ticks;
  if (last - first >= 2) {
    const int step = 1 + (last - first) / int(std::max<std::size_t>(count, 1));
    for (int e = first; e <= last; ++e)
      if (e % step == 0) ticks.emplace_back(std::pow(10, e), power_of_ten(e));
    return ticks;
  }
  for (int e = first - 1; e <= last; ++e)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10, e);
      if (value >= axis.low * (1 - 1e-9) && value <= axis.high * (1 + 1e-9))
        ticks.emplace_back(value, label_text(value));
    }
  return ticks;
}

std::vector<Tick> linear(const Axis& axis, std::size_t count) {
  const double reach = std::max(std::abs(axis.low), std::abs(axis.high));
  const int digits = 3 + int(std::ceil(std::log10(reach / (axis.high - axis.low))));  // enough to differ
  std::vector<Tick> ticks;
  for (const double tick : round_ticks(axis.low, axis.high, count))
    ticks.emplace_back(tick, label_text(tick, std::clamp(digits, 7, 12)));
  return ticks;
}

}  // namespace

std::string power_text(int base, int exponent) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = std::to_string(base) + (exponent < 0 ? "⁻" : "");
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

double Axis::share(double value) const noexcept {
  if (!logarithmic) return (value - low) / (high - low);
  if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::log(value / low) / std::log(high / low);
}

Axis drawable(Axis axis) {
  const double floor = axis.logarithmic ? smallest_number : -largest_number;
  axis.low = std::isnan(axis.low) ? (axis.logarithmic ? 1 : 0) : std::clamp(axis.low, floor, largest_number);
  axis.high = std::isnan(axis.high) ? axis.low : std::clamp(axis.high, floor, largest_number);
  if (axis.low > axis.high) std::swap(axis.low, axis.high);
  if (axis.logarithmic) {
    if (axis.high / axis.low > 1 + 1e-6) return axis;
    axis.low /= 2, axis.high *= 2;
    return axis;
  }
  // Wide enough to survive rounding.
  if (axis.high - axis.low > 1e-9 * std::max(std::abs(axis.low), std::abs(axis.high))) return axis;
  const double half = std::abs(axis.low) < smallest_number ? 0.5 : std::abs(axis.low) / 2;
  axis.low -= half, axis.high += half;
  return axis;
}

Axis axis_over(std::string label, std::span<const double> values, double margin, bool logarithmic) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) low = logarithmic ? 1 : 0, high = logarithmic ? 10 : 1;
  Axis axis = drawable({.label = std::move(label), .low = low, .high = high, .logarithmic = logarithmic});
  if (low == high) return axis;
  if (logarithmic) {
    const double factor = std::pow(axis.high / axis.low, margin);
    axis.low /= factor, axis.high *= factor;
  } else {
    const double room = (axis.high - axis.low) * margin;
    axis.low -= room, axis.high += room;
  }
  return drawable(std::move(axis));
}

std::vector<Tick> ticks_of(const Axis& axis, std::size_t count) {
  if (axis.ticks.empty()) {
    std::vector<Tick> ticks = axis.logarithmic ? powers(axis, count) : linear(axis, count);
    return ticks.size() < 2 && axis.logarithmic ? linear(axis, count) : ticks;
  }
  std::vector<Tick> ticks;
  for (const Tick& tick : axis.ticks) {
    const double share = axis.share(tick.first);
    if (share >= -1e-9 && share <= 1 + 1e-9) ticks.push_back(tick);
  }
  return ticks;
}

}  // namespace mercer
