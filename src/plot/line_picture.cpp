// Columns of a table as lines over the first one: measurements, such as times against sizes.
#include <fmt/format.h>

#include "mercer/error.hpp"
#include "mercer/line_picture.hpp"
#include "plot/chart.hpp"

namespace mercer {

namespace {

std::vector<double> column(const Points& table, std::size_t c) {
  std::vector<double> values;
  for (std::size_t i = 0; i < table.rows(); ++i) values.push_back(table.row(i)[c]);
  return values;
}

}  // namespace

std::string line_picture(const Points& table, const LinePicture& options) {
  if (table.cols() < 2)
    throw Error(ErrorCode::invalid_data,
                fmt::format("lines stand on the first column, so the table needs 2 columns or more, not {}",
                            table.cols()));
  if (table.rows() == 0) throw Error(ErrorCode::invalid_data, "the table has no rows to draw");
  const std::vector<double> x = column(table, 0);
  std::vector<std::vector<double>> lines;
  std::vector<double> all;
  for (std::size_t c = 1; c < table.cols(); ++c) {
    lines.push_back(column(table, c));
    all.insert(all.end(), lines.back().begin(), lines.back().end());
  }
  Chart chart(options.title, axis_over(table.name(0), x, 0.04, options.log_x),
              axis_over(options.label, all, 0.08, options.log_y));
  for (std::size_t i = 0; i < lines.size(); ++i)
    chart.marked_line(x, lines[i], series_style(i, table.name(i + 1)));
  return chart.svg();
}

}  // namespace mercer
