// What regression models predict over one column, with what they say about their own doubt: two standard
// deviations of a Gaussian process (Rasmussen & Williams 2006, section 2.2), the tube of a support vector
// regression, the quantiles that several models stand for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/sample.hpp"
#include "mercer/error.hpp"
#include "mercer/model_pictures.hpp"
#include "plot/model_slice.hpp"
#include "plot/model_title.hpp"
#include "plot/row_points.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_curve_rows = 2500, places = 400, most_curves = 8;
constexpr double curve_margin = 0.04;

struct Curve {
  std::string label;
  std::vector<double> values;
};

struct CurveScene {
  std::span<const Model> models;
  const Dataset& drawn;
  std::size_t column;
  std::vector<double> x, held;
  Points at = {};  // the held row with each of x
  std::vector<Curve> curves = {};
};

void check(std::span<const Model> models, const Dataset& data) {
  if (models.empty()) throw Error(ErrorCode::unsupported, "a curve needs a model");
  if (data.rows() == 0) throw Error(ErrorCode::invalid_data, "there are no rows to draw");
  if (!data.points.objects().empty())
    throw Error(ErrorCode::unsupported,
                "a model of objects has no curve: there is no middle object to hold the others at",
                {.hint = "draw its components instead"});
  if (models.size() > most_curves)
    throw Error(ErrorCode::unsupported,
                fmt::format("{} curves in one picture cannot be told apart", models.size()),
                {.hint = fmt::format("give at most {} models", most_curves)});
  for (const Model& model : models) {
    const bool numbers = model.labels.empty() &&
                         (model.fitted.rule == Rule::value || model.fitted.rule == Rule::rate) &&
                         supervised(model.method->traits().task);
    if (!numbers)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{} does not predict numbers, so it has no curve", model.method->name()),
                  {.hint = "draw its regions instead"});
    if (model.columns != data.points.cols())
      throw Error(ErrorCode::invalid_data, fmt::format("the model has {} columns but the data have {}",
                                                       model.columns, data.points.cols()));
  }
}

double quantile_of(const Model& model) { return std::get<double>(model.method->get("tau")); }

std::string title_of(const Model& model) {
  return model.method->name() == "quantile" ? fmt::format("quantile {:.4g}", quantile_of(model))
                                            : method_title(*model.method);
}

// A curve for each model, or for each output of the only one.
std::vector<Curve> curves_of(const CurveScene& s, const CurveOptions& options) {
  std::vector<Curve> curves;
  for (const Model& model : s.models) {
    const Predictions p = model.predict(s.at, options.threads, options.progress);
    const std::size_t outputs = s.models.size() > 1 ? 1 : std::min(p.outputs, most_curves);
    const std::vector<std::string> names = s.drawn.target.output_names();
    for (std::size_t o = 0; o < outputs; ++o) {
      Curve curve{outputs > 1 && o < names.size() ? names[o] : title_of(model), {}};
      for (std::size_t i = 0; i < s.x.size(); ++i) curve.values.push_back(p.values[i * p.outputs + o]);
      curves.push_back(std::move(curve));
    }
  }
  return curves;
}

// Two standard deviations to either side, of the function and of an observation.
struct Doubt {
  std::vector<double> function, observation;
};

std::optional<Doubt> doubt_of(const CurveScene& s, int threads) {
  const Fitted& fitted = s.models[0].fitted;
  if (s.curves.size() > 1 || (fitted.precision.empty() && fitted.factor.empty())) return std::nullopt;
  const Diagnostic* noise = s.models[0].fitted.report.diagnostic("noise_variance");
  Doubt doubt;
  for (const double variance : s.models[0].variances(s.at, threads)) {
    doubt.function.push_back(2 * std::sqrt(variance));
    doubt.observation.push_back(2 * std::sqrt(variance + (noise ? noise->values[0] : 0)));
  }
  return doubt;
}

// Between the outermost quantiles lie these parts of the targets.
void add_quantile_band(Chart& chart, const CurveScene& s) {
  if (s.models.size() == 1 ||
      !std::ranges::all_of(s.models, [](const Model& model) { return model.method->name() == "quantile"; }))
    return;
  const auto [first, last] = std::ranges::minmax_element(s.models, {}, quantile_of);
  chart.band(s.x, s.curves[std::size_t(first - s.models.begin())].values,
             s.curves[std::size_t(last - s.models.begin())].values,
             {.colour = 0,
              .label = fmt::format("between quantiles: {:.3g} % of the targets",
                                   100 * (quantile_of(*last) - quantile_of(*first))),
              .opacity = 0.2});
}

void add_bands(Chart& chart, const CurveScene& s, const std::optional<Doubt>& doubt) {
  const std::vector<double>& curve = s.curves[0].values;
  add_quantile_band(chart, s);
  if (doubt) {
    chart.band_around(s.x, curve, doubt->observation,
                      {.colour = 0, .label = "± 2σ of an observation", .opacity = 0.15});
    chart.band_around(s.x, curve, doubt->function,
                      {.colour = 0, .label = "± 2σ of the function", .opacity = 0.3});
  }
  if (s.curves.size() == 1 && s.models[0].method->name() == "svr") {
    const double epsilon = std::get<double>(s.models[0].method->get("epsilon"));
    chart.band_around(s.x, curve, std::vector<double>(s.x.size(), epsilon),
                      {.colour = 0, .label = fmt::format("tube (± ε = {:.3g})", epsilon), .opacity = 0.2});
  }
}

void add_rows(Chart& chart, const CurveScene& s, std::span<const double> x) {
  const Target& target = s.drawn.target;
  if (target.task == Task::none) return;
  const std::vector<double> values = target.numbers();
  const bool several = s.models.size() == 1 && s.curves.size() > 1;
  for (std::size_t o = 0; o < (several ? std::min(target.outputs, s.curves.size()) : 1); ++o) {
    std::vector<double> y;
    for (std::size_t i = 0; i < x.size(); ++i) y.push_back(values[i * target.outputs + o]);
    chart.points(x, y,
                 {.colour = several ? int(o) : muted,
                  .label = several ? "" : "row",
                  .size = x.size() > 500 ? 2.0 : 3.0,
                  .opacity = x.size() > 500 ? 0.6 : 1});
  }
}

// Of a support vector regression of one column: the rows on the tube or beyond it are its support vectors.
void add_supports(Chart& chart, const CurveScene& s, std::span<const double> x, int threads) {
  const Model& model = s.models[0];
  const Target& target = s.drawn.target;
  if (s.models.size() > 1 || model.method->name() != "svr" || model.columns > 1 || target.task == Task::none)
    return;
  const double reach = std::get<double>(model.method->get("epsilon")) - model.fitted.report.tolerance;
  const std::vector<double> values = target.numbers(),
                            predicted = model.predict(s.drawn.points, threads).values;
  std::vector<double> ring_x, ring_y;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::abs(values[i] - predicted[i]) >= reach) ring_x.push_back(x[i]), ring_y.push_back(values[i]);
  chart.points(ring_x, ring_y,
               ring_style(ring_x.size(), fmt::format("row on the tube or beyond ({})", ring_x.size())));
}

// Of a model of one column over few points: where they are, on the curve.
void add_points_kept(Chart& chart, const CurveScene& s, int threads) {
  const Model& model = s.models[0];
  const std::string name = name_of_points(model);
  if (s.models.size() > 1 || model.columns > 1 || s.curves.size() > 1 ||
      (name != "inducing point" && name != "point kept"))
    return;
  const std::optional<Points> rows = support_rows(model);
  if (!rows) return;
  std::vector<double> x;
  for (std::size_t i = 0; i < rows->rows(); ++i) x.push_back(rows->row(i)[0]);
  chart.points(
      x, model.predict(*rows, threads).values,
      {.colour = ink, .label = fmt::format("{} ({})", name, x.size()), .marker = Marker::cross, .size = 5});
}

void note_slice(Chart& chart, const CurveScene& s, bool chosen) {
  const std::size_t others = s.held.size() - 1;
  if (others == 0) return;
  chart.note(fmt::format("along {}{}; the curve has the other {} held at {} median{}, the rows have theirs",
                         s.drawn.points.name(s.column), chosen ? "" : ", the most important column",
                         others == 1 ? "column" : fmt::format("{} columns", others),
                         others == 1 ? "its" : "their", others == 1 ? "" : "s"));
}

// The height: the targets of the rows, and the curves and bands as far as half of the targets' range beyond
// them. A polynomial that runs away at the ends would leave nothing else to be seen.
Axis height_axis(const CurveScene& s, const std::optional<Doubt>& doubt) {
  std::vector<double> all;
  for (const Curve& curve : s.curves) all.insert(all.end(), curve.values.begin(), curve.values.end());
  for (std::size_t i = 0; doubt && i < s.x.size(); ++i)
    for (const double side : {-1, 1}) all.push_back(s.curves[0].values[i] + side * doubt->observation[i]);
  const std::string name = s.drawn.target.output_names()[0];
  if (s.drawn.target.task == Task::none) return axis_over("value", all, curve_margin);
  const std::vector<double> values = s.drawn.target.numbers();
  const auto [low, high] = std::ranges::minmax(values);
  for (double& value : all)
    value = high > low ? std::clamp(value, low - (high - low) / 2, high + (high - low) / 2) : value;
  all.insert(all.end(), values.begin(), values.end());
  return axis_over(s.curves.size() > 1 && s.models.size() == 1 ? "value" : name, all, curve_margin);
}

std::string title_of(std::span<const Model> models) {
  if (models.size() == 1) return model_title(models[0]);
  const std::string kernel = rounded(models[0].kernel().text());
  const bool same = std::ranges::all_of(
      models, [&](const Model& model) { return rounded(model.kernel().text()) == kernel; });
  return fmt::format("{} models{}", models.size(), same ? " · " + kernel : "");
}

}  // namespace

std::string curve_picture(std::span<const Model> models, const Dataset& data, const CurveOptions& options) {
  check(models, data);
  const std::vector<std::size_t> chosen =
      options.column.empty() ? most_effective_columns(models[0], data.points, 1, options.threads)
                             : columns_named(data.points, {&options.column, 1}, 1);
  if (chosen.empty()) throw Error(ErrorCode::invalid_data, "the data have no column to draw a curve over");
  const std::vector<std::size_t> rows = sampled_rows(data.rows(), most_curve_rows, 1);
  const Dataset drawn = data.select_rows(rows);
  std::vector<double> across;
  for (std::size_t i = 0; i < drawn.rows(); ++i) across.push_back(drawn.points.row(i)[chosen[0]]);
  const Axis axis = axis_over(data.points.name(chosen[0]), across, curve_margin);

  CurveScene s{models, drawn, chosen[0], {}, middle_row(data.points, models[0].schema)};
  for (std::size_t i = 0; i < places; ++i)
    s.x.push_back(axis.low + (axis.high - axis.low) * double(i) / double(places - 1));
  s.at = varied_rows(s.held, chosen, s.x, data.points.sparse());
  s.curves = curves_of(s, options);
  const std::optional<Doubt> doubt = doubt_of(s, options.threads);

  Chart chart(options.title.empty() ? title_of(models) : options.title, axis, height_axis(s, doubt), 640,
              440);
  add_bands(chart, s, doubt);
  add_supports(chart, s, across, options.threads);
  add_rows(chart, s, across);
  for (std::size_t c = 0; c < s.curves.size(); ++c)
    chart.line(s.x, s.curves[c].values, {.colour = int(c), .label = s.curves[c].label, .width = 2.2});
  add_points_kept(chart, s, options.threads);
  note_slice(chart, s, !options.column.empty());
  note_sample(chart, rows.size(), data.rows(), "rows");
  return chart.svg();
}

}  // namespace mercer
