// Images as rules of kernels see them: a column of them, or rows of numbers that are images line by line.
#pragma once

#include <string_view>
#include <vector>

#include "mercer/leaf.hpp"
#include "mercer/points.hpp"

namespace mercer {

struct Frame {
  std::size_t height, width, channels;
};

/// Of rows of numbers: images of this width, or square ones where it is 0. Error{data} where they cannot be.
Frame frame_of_rows(std::size_t columns, int width, std::string_view kernel);

/// The column of images, where there is one; none where there are rows of numbers alone. Error{usage} where
/// there is neither, or more than one.
std::vector<Objects> images_in(const Points& points, std::string_view kernel);

/// A parameter that counts pixels: a whole number from `least` to `most`.
int pixel_count(const Argument& argument, std::string_view name, int least, int most);

inline constexpr int widest_image = 1'000'000;

}  // namespace mercer
