// The rows on the two leading principal components of the space of a kernel: how it lays them out before
// anything is learned about them, and what a model says of them.
#include <fmt/format.h>

#include <algorithm>

#include "base/sample.hpp"
#include "mercer/error.hpp"
#include "mercer/methods/pca.hpp"
#include "plot/kernel_plane.hpp"
#include "plot/model_title.hpp"
#include "plot/row_points.hpp"

namespace mercer {

namespace {

// The eigenvectors of more would take longer than a person waits for a picture.
constexpr std::size_t most_plane_rows = 2000;
constexpr std::size_t most_component_rows = 4000, most_predicted_rows = 2500, most_rings = 1500;

Model principal_components(const Kernel& kernel, const Points& points, double count, int threads,
                           const Progress& progress) {
  return fit(Pca{.components = int(count)}, kernel, {.points = points},
             {.threads = threads, .allow_indefinite = true, .progress = progress});
}

// Rows in a line span one dimension, which no rule tells beforehand.
Model one_or_two(const Kernel& kernel, const Points& points, int threads, const Progress& progress) {
  if (points.rows() == 2) return principal_components(kernel, points, 1, threads, progress);
  try {
    return principal_components(kernel, points, 2, threads, progress);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    return principal_components(kernel, points, 1, threads, progress);
  }
}

// A sample of the rows, and where they lie.
struct Scene {
  const KernelPlane& plane;
  const Dataset& data;
  std::vector<std::size_t> rows;
  Dataset drawn = data.select_rows(rows);
  KernelPlane::Coordinates at = {};

  Chart chart(const std::string& title) const {
    return Chart(title, axis_over(plane.label(1), at.x), axis_over(plane.label(2), at.y), 620, 500);
  }
  std::string finish(Chart& chart) const {
    note_sample(chart, rows.size(), data.rows(), "rows");
    if (plane.rows < plane.of) chart.note(fmt::format("the components are those of {} rows", plane.rows));
    return chart.svg();
  }
  // The first of each row's outputs as a colour.
  void add_numbers(Chart& chart, std::span<const double> all, std::size_t outputs,
                   const std::string& label) const {
    const std::vector<double> values = first_outputs(all, outputs);
    const ColourMap map = map_of_values({}, values);
    chart.points(at.x, at.y, values, map);
    chart.colour_bar(map, label);
  }
};

// In the colour of the class that is known, or else of the one predicted.
void add_labelled(Chart& chart, const Scene& s, const Model& model, const Predictions& predictions) {
  std::vector<std::string> labels = model.labels, titles;
  std::vector<std::size_t> predicted(predictions.codes.begin(), predictions.codes.end()), classes = predicted;
  const Target& target = s.drawn.target;
  const bool known = target.task == Task::classification && supervised(model.method->traits().task);
  if (known) classes = classes_of(target, model.labels, labels);
  for (const std::string& label : labels)
    titles.push_back(class_title(known ? target.name : "cluster", label));
  add_classes(chart, s.at.x, s.at.y, classes, titles);
  if (!known) {
    chart.note("the colours are the model's predictions");
    return;
  }
  std::vector<double> x, y;
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes[i] != predicted[i]) x.push_back(s.at.x[i]), y.push_back(s.at.y[i]);
  chart.points(x, y,
               {.colour = ink,
                .label = fmt::format("the model gives another class ({})", x.size()),
                .marker = Marker::cross,
                .size = x.size() > 100 ? 3.5 : 4.5,
                .opacity = x.size() > 100 ? 0.6 : 1});
}

void add_supports(Chart& chart, const Scene& s, const Model& model, int threads) {
  const std::optional<Points> supports = support_rows(model);
  if (!supports || model.labels.empty()) return;
  const std::vector<std::size_t> shown = sampled_rows(supports->rows(), most_rings, 1);
  const KernelPlane::Coordinates at =
      s.plane.of_points(model.scaling.apply(supports->select_rows(shown)), threads);
  chart.points(at.x, at.y, ring_style(shown.size(), fmt::format("support vector ({})", supports->rows())));
  note_sample(chart, shown.size(), supports->rows(), "support vectors");
}

}  // namespace

KernelPlane kernel_plane(const Kernel& kernel, const Points& points, int threads, const Progress& progress) {
  if (points.rows() < 2)
    throw Error(ErrorCode::invalid_data, fmt::format("components need at least two rows, and there {} {}",
                                                     points.rows() == 1 ? "is" : "are", points.rows()));
  const std::vector<std::size_t> rows = sampled_rows(points.rows(), most_plane_rows, 1);
  return {one_or_two(kernel.resolve(points), points.select_rows(rows), threads, progress), rows.size(),
          points.rows()};
}

KernelPlane::Coordinates KernelPlane::of_points(const Points& points, int threads) const {
  const Predictions p = pca.predict(points, threads);
  Coordinates at;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    at.x.push_back(p.values[i * p.outputs]);
    at.y.push_back(p.outputs > 1 ? p.values[i * p.outputs + 1] : 0);
  }
  return at;
}

std::string KernelPlane::label(std::size_t component) const {
  const Diagnostic* shares = pca.fitted.report.diagnostic("explained_variance_ratio");
  return fmt::format(
      "component {} ({:.1f} % of the variance)", component,
      shares && component <= shares->values.size() ? 100 * shares->values[component - 1] : 0.0);
}

std::string components_picture(const Kernel& kernel, const Dataset& data,
                               const KernelPictureOptions& options) {
  const KernelPlane plane = kernel_plane(kernel, data.points, options.threads, options.progress);
  Scene s{plane, data, sampled_rows(data.rows(), most_component_rows, 1)};
  s.at = plane.of_points(s.drawn.points, options.threads);
  Chart chart = s.chart(options.title.empty()
                            ? fmt::format("Principal components · {}", rounded(plane.pca.kernel().text()))
                            : options.title);
  const Target& target = s.drawn.target;
  if (target.task == Task::classification) {
    std::vector<std::string> labels, titles;
    const std::vector<std::size_t> classes = classes_of(target, {}, labels);
    for (const std::string& label : labels) titles.push_back(class_title(target.name, label));
    add_classes(chart, s.at.x, s.at.y, classes, titles);
  } else if (target.task == Task::regression) {
    s.add_numbers(chart, target.values, target.outputs, target.output_names()[0]);
  } else {
    chart.points(s.at.x, s.at.y, class_style(0, s.at.x.size()));
  }
  return s.finish(chart);
}

std::string component_regions(const Model& model, const Dataset& data, const RegionsOptions& options) {
  if (!options.columns.empty())
    throw Error(ErrorCode::unsupported, "the plane of components is not one of columns",
                {.hint = "leave the columns out, or take the projection on columns"});
  const KernelPlane plane =
      kernel_plane(model.kernel(), model.scaling.apply(data.points), options.threads, options.progress);
  Scene s{plane, data, sampled_rows(data.rows(), most_predicted_rows, 1)};
  s.at = plane.of_points(model.scaling.apply(s.drawn.points), options.threads);
  const Predictions p = model.predict(s.drawn.points, options.threads, options.progress);
  Chart chart = s.chart(options.title.empty() ? model_title(model) : options.title);
  add_supports(chart, s, model, options.threads);
  if (!model.labels.empty()) {
    add_labelled(chart, s, model, p);
  } else if (model.fitted.rule == Rule::novelty) {
    std::vector<std::size_t> outside;
    for (const double value : p.values) outside.push_back(value > 0 ? 0 : 1);
    add_classes(chart, s.at.x, s.at.y, outside, std::vector<std::string>{"inside", "outside"});
  } else {
    s.add_numbers(chart, p.values, p.outputs, "the model's prediction");
  }
  chart.note("no row lies between the rows, so there is nothing to predict: the plane has no regions");
  return s.finish(chart);
}

}  // namespace mercer
