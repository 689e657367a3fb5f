#include "kernels/image_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/node.hpp"
#include "kernels/object_column.hpp"
#include "mercer/error.hpp"

namespace mercer {

Frame frame_of_rows(std::size_t columns, int width, std::string_view kernel) {
  if (width > 0) {
    if (columns % std::size_t(width) == 0) return {columns / std::size_t(width), std::size_t(width), 1};
    throw Error(ErrorCode::invalid_data,
                fmt::format("rows of {} columns are no images of width {}", columns, width),
                {.owner = std::string(kernel), .hint = "it must divide the number of columns"});
  }
  const auto side = std::size_t(std::lround(std::sqrt(double(columns))));
  if (side * side == columns) return {side, side, 1};
  throw Error(ErrorCode::invalid_data, fmt::format("rows of {} columns are no square images", columns),
              {.owner = std::string(kernel),
               .hint = fmt::format("say how wide they are, e.g. width={}, or give a column of images",
                                   std::max<std::size_t>(side, 1))});
}

std::vector<Objects> images_in(const Points& points, std::string_view kernel) {
  static constexpr Domain image[] = {Domain::image};
  const bool has_images = std::ranges::any_of(
      points.objects(), [](const Objects& column) { return column.domain() == Domain::image; });
  if (!has_images && points.cols() > 0) return {};
  return {object_column(points, image, kernel)};
}

int pixel_count(const Argument& argument, std::string_view name, int least, int most) {
  const double* number = std::get_if<double>(&argument);
  if (!number || !(*number >= least && *number <= most) || *number != std::floor(*number))
    throw Error(ErrorCode::invalid_parameter, fmt::format("{} must be a whole number from {} to {}, not {}",
                                                          name, least, most, to_text(argument)));
  return int(*number);
}

}  // namespace mercer
