// The rows on the two leading principal components of the space of the model's kernel. A place in this plane
// belongs to many rows or to none, so it has no answer of the model and there are no regions: the rows
// themselves show what the model does.
#include "plot/component_regions.hpp"

#include <fmt/format.h>

#include "base/sample.hpp"
#include "mercer/error.hpp"
#include "plot/chart.hpp"
#include "plot/kernel_plane.hpp"
#include "plot/model_title.hpp"
#include "plot/row_points.hpp"
#include "plot/support_places.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_rows = 2500, most_rings = 1500;
constexpr double width = 620, height = 500;

struct Scene {
  const Model& model;
  const Dataset& drawn;
  Predictions predictions;
  KernelPlane::Coordinates at;
};

// In the colour of the class that is known, or else of the one predicted.
void add_labelled(Chart& chart, const Scene& s) {
  std::vector<std::string> labels = s.model.labels, titles;
  std::vector<std::size_t> predicted(s.predictions.codes.begin(), s.predictions.codes.end()),
      classes = predicted;
  const bool known = s.drawn.target.task == Task::classification && supervised(s.model.method->traits().task);
  if (known) classes = classes_of(s.drawn.target, s.model.labels, labels);
  for (const std::string& label : labels)
    titles.push_back(known ? class_title(s.drawn.target.name, label) : class_title("cluster", label));
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

void add_novelties(Chart& chart, const Scene& s) {
  std::vector<std::size_t> outside;
  for (const double value : s.predictions.values) outside.push_back(value > 0 ? 0 : 1);
  add_classes(chart, s.at.x, s.at.y, outside, std::vector<std::string>{"inside", "outside"});
}

void add_numbers(Chart& chart, const Scene& s) {
  std::vector<double> values;
  for (std::size_t i = 0; i < s.at.x.size(); ++i)
    values.push_back(s.predictions.values[i * s.predictions.outputs]);
  const ColourMap map = map_of_values({}, values);
  chart.points(s.at.x, s.at.y, values, map);
  chart.colour_bar(map, "the model's prediction");
}

void add_supports(Chart& chart, const Scene& s, const KernelPlane& plane, int threads) {
  const std::optional<Points> supports = support_rows(s.model);
  if (!supports || s.model.labels.empty()) return;
  const std::vector<std::size_t> shown = sampled_rows(supports->rows(), most_rings, 1);
  const KernelPlane::Coordinates at =
      plane.of_points(s.model.scaling.apply(supports->select_rows(shown)), threads);
  chart.points(at.x, at.y, ring_style(shown.size(), fmt::format("support vector ({})", supports->rows())));
  note_sample(chart, shown.size(), supports->rows(), "support vectors");
}

}  // namespace

std::string component_regions(const Model& model, const Dataset& data, const RegionsOptions& options) {
  if (!options.columns.empty())
    throw Error(ErrorCode::unsupported, "the plane of components is not one of columns",
                {.hint = "leave the columns out, or take the projection on columns"});
  const std::vector<std::size_t> rows = sampled_rows(data.rows(), most_rows, 1);
  const Dataset drawn = data.select_rows(rows);
  const KernelPlane plane =
      kernel_plane(model.kernel(), model.scaling.apply(data.points), options.threads, options.progress);
  const Scene s{model, drawn, model.predict(drawn.points, options.threads, options.progress),
                plane.of_points(model.scaling.apply(drawn.points), options.threads)};
  Chart chart(options.title.empty() ? model_title(model) : options.title, axis_over(plane.label(1), s.at.x),
              axis_over(plane.label(2), s.at.y), width, height);
  add_supports(chart, s, plane, options.threads);
  if (!model.labels.empty())
    add_labelled(chart, s);
  else if (model.fitted.rule == Rule::novelty)
    add_novelties(chart, s);
  else
    add_numbers(chart, s);
  chart.note("no row lies between the rows, so there is nothing to predict: the plane has no regions");
  note_sample(chart, rows.size(), data.rows(), "rows");
  if (plane.rows < plane.of) chart.note(fmt::format("the components are those of {} rows", plane.rows));
  return chart.svg();
}

}  // namespace mercer
