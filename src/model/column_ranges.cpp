#include "model/column_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace mercer {

namespace {

struct ColumnRange {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::size_t count = 0;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
    ++count;
  }
  double width() const { return count > 0 ? high - low : 0; }
  double magnitude() const { return std::max(std::abs(low), std::abs(high)); }
};

std::vector<ColumnRange> ranges_of(const Points& points) {
  std::vector<ColumnRange> ranges(points.cols());
  std::visit(
      [&](const auto& storage) {
        if constexpr (requires { storage.starts; }) {
          for (std::size_t e = 0; e < storage.starts[points.rows()]; ++e)
            ranges[std::size_t(storage.indices[e])].add(double(storage.values[e]));
          for (ColumnRange& range : ranges)
            if (range.count < points.rows()) range.add(0);
        } else {
          for (std::size_t i = 0; i < points.rows(); ++i)
            for (std::size_t j = 0; j < points.cols(); ++j) ranges[j].add(double(storage.row(i)[j]));
        }
      },
      points.storage());
  return ranges;
}

}  // namespace

std::optional<Note> scaling_advice(const Points& points, bool in_trouble) {
  const double factor = in_trouble ? 10 : 100;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  bool far = false;
  for (const ColumnRange& range : ranges_of(points)) {
    if (!(range.width() > 0)) continue;  // a constant column tells nothing, whatever its size
    least = std::min(least, range.width());
    most = std::max(most, range.width());
    far = far || range.magnitude() > 100 * range.width();
  }
  if (most >= factor * least)
    return Note{fmt::format("the ranges of the columns differ by a factor of {:.2g}, and the kernel sees "
                            "little but the widest",
                            most / least),
                {{Remedy::scale_columns}}};
  if (in_trouble && far)
    return Note{"a column lies far from 0 for its range, which costs digits", {{Remedy::scale_columns}}};
  return std::nullopt;
}

}  // namespace mercer
