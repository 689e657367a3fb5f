// What a model predicts over the plane of two columns: cells in the colours of the predictions, lines where
// the score is 0 or ±1, the rows and the support vectors. A model of more columns is seen on a slice of its
// space, so a row need not lie in the region that it belongs to; the note below says what the slice is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "base/sample.hpp"
#include "mercer/error.hpp"
#include "mercer/model_pictures.hpp"
#include "plot/kernel_plane.hpp"
#include "plot/model_slice.hpp"
#include "plot/model_title.hpp"
#include "plot/row_points.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_region_rows = 2500, most_region_rings = 1500;
constexpr double regions_margin = 0.06;         // free at the ends of the axes
constexpr double tint = 0.3, weak_tint = 0.14;  // of regions, and of the part within the margin
constexpr std::uint8_t no_colour = 255;

struct Drawing {
  const Model& model;
  const Dataset& data;  // the rows drawn
  std::vector<std::size_t> columns;
  int threads;
  PredictionPlane plane = {};
  std::vector<double> x = {}, y = {};  // of the rows

  void contour(Chart& chart, std::span<const double> values, double level, const Style& style) const {
    chart.contour(plane.columns, plane.rows, values, level, style);
  }
};

std::vector<double> column_values(const Points& points, std::size_t column) {
  std::vector<double> values;
  const Points one = points.select_columns(std::vector<std::size_t>{column}).to_dense();
  for (std::size_t i = 0; i < one.rows(); ++i) values.push_back(one.row(i)[0]);
  return values;
}

void check(const Model& model, const Dataset& data) {
  if (data.rows() == 0) throw Error(ErrorCode::invalid_data, "there are no rows to draw");
  if (data.points.cols() != model.columns)
    throw Error(ErrorCode::invalid_data, fmt::format("the model has {} columns but the data have {}",
                                                     model.columns, data.points.cols()));
  if (model.fitted.rule == Rule::projection)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} gives coordinates, which have no regions", model.method->name()),
                {.hint = "draw its components instead"});
  if (model.kernel().uses_precomputed())
    throw Error(ErrorCode::unsupported,
                "a model of precomputed kernel values knows no columns, so it has no plane to draw");
  if (model.method->name() == "mmd")
    throw Error(ErrorCode::unsupported, "mmd compares two samples",
                {.hint = "its function has no regions to draw"});
}

// The cells of each class; within the margin they are paler.
void add_regions(Chart& chart, const Drawing& d) {
  const PredictionPlane& plane = d.plane;
  const bool graded = has_margin(d.model);
  for (const bool within : {false, true}) {
    std::vector<std::uint8_t> colours;
    for (std::size_t i = 0; i < plane.codes.size(); ++i) {
      const bool weak = graded && std::abs(plane.values[i]) < 1;
      colours.push_back(weak == within ? std::uint8_t(class_colour(std::size_t(plane.codes[i]))) : no_colour);
    }
    if (!within || graded) chart.cells(plane.columns, plane.rows, colours, within ? weak_tint : tint);
  }
}

void add_boundaries(Chart& chart, const Drawing& d) {
  const PredictionPlane& plane = d.plane;
  if (d.model.labels.size() != 2) return;
  const bool probable = !plane.odds.empty();
  d.contour(
      chart, probable ? plane.odds : plane.values, 0,
      {.colour = ink, .label = probable ? "boundary (probability ½)" : "boundary (score 0)", .width = 2});
  if (!has_margin(d.model) && probable)
    for (const double level : {0.1, 0.25, 0.75, 0.9})
      d.contour(chart, plane.odds, 2 * level - 1,
                {.colour = ink,
                 .label = level == 0.1 ? "probability 0.1, ¼, ¾, 0.9" : "",
                 .width = std::abs(level - 0.5) < 0.3 ? 1.3 : 0.8,
                 .dashed = true});
  if (!has_margin(d.model)) return;
  for (const double side : {1, -1})
    d.contour(chart, plane.values, side,
              {.colour = ink, .label = side > 0 ? "margin (score ±1)" : "", .width = 1.3, .dashed = true});
}

// The rows drawn that lie on the margin, within it or beyond it: what support vectors are, where the model
// does not keep them.
std::vector<std::size_t> rows_within_margin(const Drawing& d) {
  std::vector<std::string> labels;
  const std::vector<std::size_t> classes = classes_of(d.data.target, d.model.labels, labels);
  const Predictions p = d.model.predict(d.data.points, d.threads);
  const double reach = 1 + d.model.fitted.report.tolerance;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes[i] < 2 && (classes[i] == 1 ? 1 : -1) * two_class_score(p, i) <= reach) rows.push_back(i);
  return rows;
}

// Rings at the support vectors. Those of one column have no height of their own, so the rows' are taken.
void add_supports(Chart& chart, const Drawing& d) {
  const std::string name = name_of_points(d.model);
  if (name.empty()) return;
  std::vector<double> x, y;
  std::string title;
  const std::optional<std::vector<double>> places = support_places(d.model, d.columns);
  if (places && d.columns.size() == 2) {
    const std::vector<std::size_t> shown = sampled_rows(places->size() / 2, most_region_rings, 1);
    for (const std::size_t i : shown) x.push_back((*places)[2 * i]), y.push_back((*places)[2 * i + 1]);
    title = fmt::format("{} ({})", name, places->size() / 2);
    note_sample(chart, shown.size(), places->size() / 2, name == "point kept" ? "points kept" : name + "s");
  } else if (has_margin(d.model) && d.data.target.task == Task::classification) {
    for (const std::size_t i : rows_within_margin(d)) x.push_back(d.x[i]), y.push_back(d.y[i]);
    title = fmt::format("row on the margin or within ({})", x.size());
  }
  if (!title.empty()) chart.points(x, y, ring_style(x.size(), title));
}

void add_novelty_region(Chart& chart, const Drawing& d) {
  std::vector<std::uint8_t> colours;
  for (const double score : d.plane.values) colours.push_back(score > 0 ? 0 : no_colour);
  chart.cells(d.plane.columns, d.plane.rows, colours, tint * 0.7);
  d.contour(chart, d.plane.values, 0, {.colour = ink, .label = "boundary (score 0)", .width = 2});
}

// Inside and outside by the model: what is known about the rows is not what it learned.
void add_novelties(Chart& chart, const Drawing& d) {
  const Predictions p = d.model.predict(d.data.points, d.threads);
  for (const bool inside : {true, false}) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < d.x.size(); ++i)
      if ((p.values[i] > 0) == inside) x.push_back(d.x[i]), y.push_back(d.y[i]);
    chart.points(x, y,
                 {.colour = inside ? 0 : 1,
                  .label = fmt::format("{} ({})", inside ? "row inside" : "row outside", x.size()),
                  .marker = inside ? Marker::dot : Marker::cross});
  }
}

void add_heat(Chart& chart, const Drawing& d) {
  const Target& target = d.data.target;
  std::vector<double> values;
  if (target.task == Task::regression) values = first_outputs(target.values, target.outputs);
  const ColourMap map = map_of_values(d.plane.values, values);
  chart.heat(d.plane.columns, d.plane.rows, d.plane.values, map);
  const std::vector<std::string> names = target.output_names();
  chart.colour_bar(map, names.empty() ? "value" : names[0]);
  if (!values.empty())
    chart.points(d.x, d.y, values, map, 3, black);
  else
    chart.points(d.x, d.y, {.colour = white, .size = 2});
}

void note_slice(Chart& chart, const Drawing& d, bool chosen) {
  const std::size_t others = d.model.columns - d.columns.size();
  if (others == 0) return;
  std::string names;
  for (const std::size_t column : d.columns)
    names += (names.empty() ? "" : " and ") + d.data.points.name(column);
  chart.note(fmt::format("a slice along {}{}; the other {} held at {} median{}", names,
                         chosen ? "" : ", the most important columns",
                         others == 1 ? "column is" : fmt::format("{} columns are", others),
                         others == 1 ? "its" : "their", others == 1 ? "" : "s"));
}

// Where there is one column, the rows of each class lie in a strip of their own, shaken so that they can be
// told apart.
std::vector<double> strips(std::span<const std::size_t> classes, std::size_t rows) {
  Random random(1);
  std::vector<double> heights;
  for (std::size_t i = 0; i < rows; ++i)
    heights.push_back((classes.empty() ? 0 : double(classes[i])) + random.uniform(-0.25, 0.25));
  return heights;
}

Axis strip_axis(std::span<const std::string> labels) {
  Axis axis{.label = "", .low = -0.6, .high = std::max(1.0, double(labels.size())) - 0.4};
  for (std::size_t c = 0; c < labels.size(); ++c) axis.ticks.emplace_back(double(c), labels[c]);
  if (labels.empty()) axis.ticks.emplace_back(0, "");
  return axis;
}

}  // namespace

Projection projection_named(std::string_view name) {
  if (name == "columns") return Projection::columns;
  if (name == "components") return Projection::components;
  throw Error(ErrorCode::unknown_name, fmt::format("unknown projection '{}'", name),
              {.hint = "choose from columns, components"});
}

std::string regions_picture(const Model& model, const Dataset& data, const RegionsOptions& options) {
  check(model, data);
  if (options.projection == Projection::components) return component_regions(model, data, options);
  if (!data.points.objects().empty())
    throw Error(ErrorCode::unsupported,
                "a model of objects has no plane of columns: there is no middle object to hold the others at",
                {.hint = "draw its components instead"});
  const std::vector<std::size_t> rows = sampled_rows(data.rows(), most_region_rows, 1);
  const Dataset drawn = data.select_rows(rows);
  Drawing d{model, drawn,
            options.columns.empty() ? most_effective_columns(model, data.points, 2, options.threads)
                                    : columns_named(data.points, options.columns, 2),
            options.threads};
  const bool classifies = !model.labels.empty(), flat = d.columns.size() == 1;
  if (flat && !classifies && model.fitted.rule != Rule::novelty)
    return curve_picture({&model, 1}, data,
                         {.title = options.title,
                          .column = data.points.name(d.columns[0]),
                          .threads = options.threads,
                          .progress = options.progress});

  std::vector<std::string> labels = model.labels, titles;
  const std::vector<std::size_t> classes = drawn.target.task == Task::classification && classifies
                                               ? classes_of(drawn.target, model.labels, labels)
                                               : std::vector<std::size_t>();
  for (const std::string& label : labels)
    titles.push_back(
        class_title(model.schema.target.empty() ? drawn.target.name : model.schema.target, label));
  d.x = column_values(drawn.points, d.columns[0]);
  d.y = flat ? strips(classes, d.x.size()) : column_values(drawn.points, d.columns[1]);
  const Axis across = axis_over(data.points.name(d.columns[0]), d.x, regions_margin);
  const Axis up = flat ? strip_axis(classes.empty() ? std::vector<std::string>() : titles)
                       : axis_over(data.points.name(d.columns[1]), d.y, regions_margin);
  Chart chart(options.title.empty() ? model_title(model) : options.title, across, up, 620, flat ? 300 : 500);
  d.plane = predictions_over(model, middle_row(data.points, model.schema), d.columns, across, up,
                             data.points.sparse(), options.threads, options.progress);

  if (classifies) {
    add_regions(chart, d);
    add_supports(chart, d);
    if (classes.empty())
      chart.points(d.x, d.y, {.colour = ink, .label = "row", .size = 2.5});
    else
      add_classes(chart, d.x, d.y, classes, titles);
    add_boundaries(chart, d);
  } else if (model.fitted.rule == Rule::novelty) {
    add_novelty_region(chart, d);
    add_supports(chart, d);
    add_novelties(chart, d);
  } else {
    add_heat(chart, d);
  }
  note_slice(chart, d, !options.columns.empty());
  note_sample(chart, rows.size(), data.rows(), "rows");
  return chart.svg();
}

}  // namespace mercer
