// Kernel PCA as a scatter of the rows: how a kernel lays them out before anything is learned about them.
#include <fmt/format.h>

#include "base/sample.hpp"
#include "mercer/model_pictures.hpp"
#include "plot/chart.hpp"
#include "plot/kernel_plane.hpp"
#include "plot/model_title.hpp"
#include "plot/row_points.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_component_rows = 4000;
constexpr double components_width = 620, components_height = 500;

void add_targets(Chart& chart, const KernelPlane::Coordinates& at, const Target& target) {
  if (target.task == Task::classification) {
    std::vector<std::string> labels, titles;
    const std::vector<std::size_t> classes = classes_of(target, {}, labels);
    for (const std::string& label : labels) titles.push_back(class_title(target.name, label));
    add_classes(chart, at.x, at.y, classes, titles);
  } else if (target.task == Task::regression) {
    std::vector<double> values;
    for (std::size_t i = 0; i < at.x.size(); ++i) values.push_back(target.values[i * target.outputs]);
    const ColourMap map = map_of_values({}, values);
    chart.points(at.x, at.y, values, map);
    chart.colour_bar(map, target.output_names()[0]);
  } else {
    chart.points(at.x, at.y, class_style(0, at.x.size()));
  }
}

}  // namespace

std::string components_picture(const Kernel& kernel, const Dataset& data,
                               const KernelPictureOptions& options) {
  const KernelPlane plane = kernel_plane(kernel, data.points, options.threads, options.progress);
  const std::vector<std::size_t> rows = sampled_rows(data.rows(), most_component_rows, 1);
  const Dataset drawn = data.select_rows(rows);
  const KernelPlane::Coordinates at = plane.of_points(drawn.points, options.threads);
  Chart chart(
      options.title.empty() ? fmt::format("Principal components · {}", rounded(plane.pca.kernel().text()))
                            : options.title,
      axis_over(plane.label(1), at.x), axis_over(plane.label(2), at.y), components_width, components_height);
  add_targets(chart, at, drawn.target);
  note_sample(chart, rows.size(), data.rows(), "rows");
  if (plane.rows < plane.of) chart.note(fmt::format("the components are those of {} rows", plane.rows));
  return chart.svg();
}

}  // namespace mercer
