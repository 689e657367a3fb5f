// One side of a chart: which numbers it shows, where they lie and which of them are written.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mercer {

struct Axis {
  std::string label;
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<std::pair<double, std::string>> ticks = {};  ///< empty: round numbers
  bool grid = true;                                        ///< lines through the plot at the ticks

  /// 0 at low, 1 at high; NaN for what a logarithmic axis cannot show.
  double share(double value) const noexcept;
};

/// An axis over the finite values (the positive ones where it is logarithmic), with this part of their range
/// free at both ends. Where there are none, from 0 to 1 (1 to 10); where all are equal, a range around them.
Axis axis_over(std::string label, std::span<const double> values, double margin = 0.04,
               bool logarithmic = false);

/// The same axis with a range that can be drawn: finite, low < high, and positive where it is logarithmic.
Axis drawable(Axis axis);

/// The ticks of a drawable axis within its range: its own, or about `count` round ones, on a logarithmic axis
/// powers of ten.
std::vector<std::pair<double, std::string>> ticks_of(const Axis& axis, std::size_t count);

/// "2⁻⁵"
std::string power_text(int base, int exponent);

}  // namespace mercer
