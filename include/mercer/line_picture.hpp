// A picture of measurements: the columns of a table as lines over the first one.
#pragma once

#include <string>

#include "mercer/points.hpp"

namespace MERCER_EXPORT mercer {

struct LinePicture {
  std::string title = {}, label = {};  ///< above the picture, and beside what the lines are
  bool log_x = false, log_y = false;   ///< numbers that are not positive are left out then
};

/// SVG text (mercer/picture.hpp). Throws Error{data} for a table of fewer than two columns or no rows.
std::string line_picture(const Points& table, const LinePicture& options = {});

}  // namespace mercer
