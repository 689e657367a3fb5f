// A matrix as a heat map, and the Gram matrix of a kernel: with the rows in the order of their classes, a
// kernel under which a class is like itself and unlike the others shows as blocks along the diagonal. One SVG
// element per entry would make a file that no browser opens: the matrix is averaged down to at most 256 × 256
// cells, the colours are quantised, and each colour is one path whose strokes are the runs of equal cells in
// a row. The worst case, 65,536 runs, is some 600 kB.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "base/sample.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/model_pictures.hpp"
#include "mercer/picture.hpp"
#include "plot/colour_map.hpp"
#include "plot/matrix_cells.hpp"
#include "plot/model_title.hpp"
#include "plot/row_points.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_gram_rows = 1024, most_gram_cells = 168;  // a picture of fewer than 300 kB
constexpr double long_side = 512;  // pixels of the longer side, before rounding to whole pixels per cell
constexpr double short_side = 48;  // pixels that a shorter side has at least
constexpr double left_margin = 56, scale_width = 16, bar_labels = 72, gap = 16;
constexpr double narrowest = 360, shortest_bar = 160;
constexpr double matrix_line_height = 20, character = 7.9;  // the width is that of 13 px monospaced text
constexpr std::size_t most_class_label = 16;                // characters

// Selectors carry the class, since inside a page a style applies to the whole page.
constexpr std::string_view style = R"(<style>
.mercer-matrix .page{fill:#fff}
.mercer-matrix text{fill:#24292f;font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
.mercer-matrix .title{font:600 13px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
.mercer-matrix .note{fill:#57606a}
.mercer-matrix .frame{fill:none;stroke:#57606a}
.mercer-matrix .halo{stroke:#000;stroke-opacity:.45;stroke-width:2.5}
.mercer-matrix .line{stroke:#fff;stroke-width:1}
.mercer-matrix .end{text-anchor:end}
.mercer-matrix .mid{text-anchor:middle}
@media (prefers-color-scheme:dark){
.mercer-matrix .page{fill:#15181d}
.mercer-matrix text{fill:#e6e8eb}
.mercer-matrix .note{fill:#a4acb5}
.mercer-matrix .frame{stroke:#a4acb5}
}
</style>
)";

using Group = MatrixPictureOptions::Group;

struct Picture {
  std::string svg;

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(svg), format, std::forward<Arguments>(arguments)...);
  }
};

void check(std::span<const float> values, std::size_t rows, std::size_t cols,
           const MatrixPictureOptions& options) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorCode::invalid_argument, message); };
  if (rows == 0 || cols == 0)
    refuse(
        fmt::format("a picture of a {} × {} matrix is impossible; it needs a row and a column", rows, cols));
  if (values.size() / cols != rows || values.size() % cols != 0)
    refuse(fmt::format("{} values are not a {} × {} matrix", values.size(), rows, cols));
  std::size_t previous = 0;
  for (const auto& group : options.groups) {
    if (group.begin < previous || group.begin >= group.end || group.end > rows)
      refuse(fmt::format("group '{}' of rows {} to {} is impossible; groups must ascend within {} rows",
                         group.label, group.begin, group.end, rows));
    previous = group.end;
  }
}

void draw_frame(Picture& picture, const Frame& frame) {
  picture.add("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", frame.x - 0.5,
              frame.y - 0.5, frame.width + 1, frame.height + 1);
}

/// Row or column numbers worth a tick, counted from 1.
std::vector<std::size_t> numbers_to_show(std::size_t count, double pixels) {
  std::vector<std::size_t> numbers{1};
  for (const double tick : round_ticks(1, double(count), std::size_t(std::max(1.0, pixels / 80))))
    if (tick > 1 && tick == std::floor(tick)) numbers.push_back(std::size_t(tick));
  return numbers;
}

void draw_axes(Picture& picture, const Frame& frame, std::size_t rows, std::size_t cols) {
  draw_frame(picture, frame);
  for (const std::size_t number : numbers_to_show(rows, frame.height)) {
    const double y = frame.y + (double(number) - 0.5) / double(rows) * frame.height;
    picture.add("<path class=\"frame\" d=\"M{:.1f} {:.1f}h-4\"/>", frame.x - 1, y);
    picture.add("<text class=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", frame.x - 8, y + 4, number);
  }
  for (const std::size_t number : numbers_to_show(cols, frame.width)) {
    const double x = frame.x + (double(number) - 0.5) / double(cols) * frame.width;
    picture.add("<path class=\"frame\" d=\"M{:.1f} {:.1f}v4\"/>", x, frame.y + frame.height + 1);
    picture.add("<text class=\"mid\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, frame.y + frame.height + 18,
                number);
  }
}

void draw_groups(Picture& picture, const Frame& frame, std::size_t rows, std::size_t cols,
                 const std::vector<Group>& groups) {
  // Closer ones are left out: they would hide the cells.
  constexpr double line_distance = 4, label_distance = 14;
  std::string lines;
  double last_line = 0, last_label = -label_distance;
  const auto separate = [&](std::size_t row) {
    const double at = double(row) / double(rows) * frame.height;
    if (at - last_line < line_distance || frame.height - at < line_distance) return;
    last_line = at;
    fmt::format_to(std::back_inserter(lines), "M{} {:.1f}h{}", frame.x, frame.y + at, frame.width);
    if (rows == cols)
      fmt::format_to(std::back_inserter(lines), "M{:.1f} {}v{}", frame.x + at, frame.y, frame.height);
  };
  for (const auto& group : groups) {
    separate(group.begin);
    separate(group.end);
    const double middle = double(group.begin + group.end) / 2 / double(rows) * frame.height;
    if (middle - last_label < label_distance) continue;
    last_label = middle;
    picture.add("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", frame.x + frame.width + 8,
                frame.y + middle + 4, escape_xml(shortened(group.label, most_class_label)));
  }
  if (!lines.empty())
    picture.add("<path class=\"halo\" d=\"{}\"/><path class=\"line\" d=\"{}\"/>\n", lines, lines);
}

void draw_scale(Picture& picture, const ColourMap& map, const Frame& bar) {
  picture.svg += scale_markup(map, bar);
  draw_frame(picture, bar);
  const double reach = std::max(std::abs(map.low()), std::abs(map.high()));
  const int digits = 3 + int(std::ceil(std::log10(reach / (map.high() - map.low()))));  // enough to differ
  for (const double tick : round_ticks(map.low(), map.high(), 5)) {
    const double y = bar.y + bar.height * (1 - (tick - map.low()) / (map.high() - map.low()));
    picture.add("<path class=\"frame\" d=\"M{:.1f} {:.1f}h4\"/>", bar.x + bar.width + 1, y);
    picture.add("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", bar.x + bar.width + 9, y + 4,
                label_text(tick, std::max(3, digits)));
  }
}

std::vector<std::string> notes(const MatrixCells& cells, std::size_t rows, std::size_t cols) {
  std::vector<std::string> lines{fmt::format("{} × {}", rows, cols)};
  if (cells.smallest == cells.largest)
    lines[0] += fmt::format(", every value {}", label_text(cells.smallest));
  else if (cells.smallest < cells.largest)
    lines[0] += fmt::format(", values from {} to {}", label_text(cells.smallest), label_text(cells.largest));
  if (cells.rows < rows || cells.cols < cols)
    lines.push_back(fmt::format("a cell is the mean of {} × {} values",
                                label_text(std::round(10 * double(rows) / double(cells.rows)) / 10),
                                label_text(std::round(10 * double(cols) / double(cells.cols)) / 10)));
  if (cells.not_finite > 0)
    lines.push_back(fmt::format("{} value{} not finite (grey)", cells.not_finite,
                                cells.not_finite == 1 ? " is" : "s are"));
  return lines;
}

/// The size of one side: how many cells, and how many whole pixels they take.
std::pair<std::size_t, double> side(std::size_t count, std::size_t longer, std::size_t most_cells) {
  const double wanted = std::max(short_side, long_side * double(count) / double(longer));
  const std::size_t cells = std::min({count, most_cells, std::size_t(wanted)});
  return {cells, double(cells) * std::max(1.0, std::round(wanted / double(cells)))};
}

double label_width(const std::vector<Group>& groups) {
  std::size_t longest = 0;
  for (const auto& group : groups)
    longest = std::max(longest, std::min(most_class_label, group.label.size()));
  return groups.empty() ? 0 : 8 + double(longest) * 7;
}

// The rows class by class, each in the order of the data; as they are where there are no classes.
std::vector<std::size_t> order_by_class(const Target& target, std::size_t n, std::vector<Group>& groups) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  if (target.task != Task::classification) return order;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return target.codes[i]; });
  const std::vector<std::size_t> counts = class_counts(target);
  for (std::size_t c = 0, begin = 0; c < counts.size(); begin += counts[c++])
    if (counts[c] > 0) groups.push_back({target.labels[c], begin, begin + counts[c]});
  return order;
}

}  // namespace

MatrixCells average(std::span<const float> values, std::size_t rows, std::size_t cols, std::size_t to_rows,
                    std::size_t to_cols) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  MatrixCells cells{.rows = to_rows,
                    .cols = to_cols,
                    .means = {},
                    .low = infinity,
                    .high = -infinity,
                    .smallest = infinity,
                    .largest = -infinity};
  cells.means.reserve(to_rows * to_cols);
  const auto add = [&](float value, double& sum) {
    if (!std::isfinite(value)) {
      sum = std::numeric_limits<double>::quiet_NaN();
      ++cells.not_finite;
      return;
    }
    sum += double(value);
    cells.smallest = std::min(cells.smallest, double(value));
    cells.largest = std::max(cells.largest, double(value));
  };
  for (std::size_t r = 0; r < to_rows; ++r) {
    const std::size_t top = r * rows / to_rows, bottom = (r + 1) * rows / to_rows;
    for (std::size_t c = 0; c < to_cols; ++c) {
      const std::size_t left = c * cols / to_cols, right = (c + 1) * cols / to_cols;
      double sum = 0;
      for (std::size_t i = top; i < bottom; ++i)
        for (const float value : values.subspan(i * cols + left, right - left)) add(value, sum);
      const double mean = sum / double((bottom - top) * (right - left));
      cells.means.push_back(mean);
      if (std::isnan(mean)) continue;
      cells.low = std::min(cells.low, mean);
      cells.high = std::max(cells.high, mean);
    }
  }
  if (cells.low > cells.high) cells.low = 0, cells.high = 1;
  return cells;
}

std::string matrix_picture(std::span<const float> values, std::size_t rows, std::size_t cols,
                           const MatrixPictureOptions& options) {
  check(values, rows, cols, options);
  const auto [cell_rows, height] =
      side(rows, std::max(rows, cols), std::max<std::size_t>(1, options.most_cells));
  const auto [cell_cols, width] =
      side(cols, std::max(rows, cols), std::max<std::size_t>(1, options.most_cells));
  const MatrixCells cells = average(values, rows, cols, cell_rows, cell_cols);
  const ColourMap map(cells.low, cells.high);
  std::vector<std::string> captions = notes(cells, rows, cols);
  for (const std::string& note : options.notes) captions.push_back(escape_xml(note));

  const double bar_x = left_margin + width + label_width(options.groups) + gap;
  const double page_width = std::max(narrowest, bar_x + scale_width + bar_labels);
  const auto title = wrapped(options.title, std::size_t((page_width - 2 * gap) / character), 4);
  const Frame frame{left_margin, gap + double(title.size()) * matrix_line_height, width, height};
  const Frame bar{bar_x, frame.y, scale_width, std::max(height, shortest_bar)};
  const double notes_y = frame.y + height + 2 * matrix_line_height;
  const double page_height =
      std::max(notes_y + double(captions.size()) * matrix_line_height, bar.y + bar.height + gap);

  Picture picture;
  picture.add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mercer-matrix\" role=\"img\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
      std::ceil(page_width), std::ceil(page_height));
  picture.add("<title>{}</title>\n", options.title.empty() ? "Matrix" : escape_xml(options.title));
  picture.svg += style;
  picture.add("<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
  for (std::size_t i = 0; i < title.size(); ++i)
    picture.add("<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>\n", gap,
                gap + double(i) * matrix_line_height + 6, escape_xml(title[i]));
  picture.add(
      "<g transform=\"translate({} {}) scale({} {})\" shape-rendering=\"crispEdges\" "
      "fill=\"none\">\n{}</g>\n",
      frame.x, frame.y, frame.width / double(cells.cols), frame.height / double(cells.rows),
      heat_markup(cells.rows, cells.cols, cells.means, map));
  draw_groups(picture, frame, rows, cols, options.groups);
  draw_axes(picture, frame, rows, cols);
  draw_scale(picture, map, bar);
  for (std::size_t i = 0; i < captions.size(); ++i)
    picture.add("<text class=\"note\" x=\"{}\" y=\"{}\">{}</text>\n", left_margin,
                notes_y + double(i) * matrix_line_height, captions[i]);
  picture.svg += "</svg>\n";
  return std::move(picture.svg);
}

std::string matrix_picture_by_class(const Points& matrix, const Target& target, const std::string& title) {
  const std::size_t n = matrix.rows();
  if (matrix.cols() != n)
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("a {} × {} matrix has no order of classes", n, matrix.cols()),
                {.hint = "it must be square"});
  if (target.task == Task::classification && target.size() != n)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("there are classes of {} rows, but the matrix has {}", target.size(), n));
  MatrixPictureOptions picture{.title = title};
  const std::vector<std::size_t> order = order_by_class(target, n, picture.groups);
  std::vector<float> values(n * n);
  std::vector<double> row(n);
  for (std::size_t i = 0; i < n; ++i) {
    matrix.copy_row(order[i], row);
    for (std::size_t j = 0; j < n; ++j) values[i * n + j] = float(row[order[j]]);
  }
  return matrix_picture(values, n, n, picture);
}

std::string gram_picture(const Kernel& kernel, const Dataset& data, const KernelPictureOptions& options) {
  const Kernel resolved = kernel.resolve(data.points);
  const std::vector<std::size_t> sample = sampled_rows(data.rows(), most_gram_rows, 1);
  const Dataset drawn = data.select_rows(sample);
  MatrixPictureOptions picture{.title = options.title.empty() ? rounded(resolved.text()) : options.title,
                               .most_cells = most_gram_cells};
  const std::vector<std::size_t> order = order_by_class(drawn.target, drawn.rows(), picture.groups);
  std::vector<float> values(order.size() * order.size());
  KernelOperator<float>(resolved, drawn.points.select_rows(order),
                        {.threads = options.threads, .progress = options.progress})
      .matrix(values);
  if (drawn.rows() < data.rows())
    picture.notes.push_back(fmt::format("{} of {} rows, chosen at random", drawn.rows(), data.rows()));
  return matrix_picture(values, order.size(), order.size(), picture);
}

}  // namespace mercer
