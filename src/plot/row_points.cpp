#include "plot/row_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace mercer {

ColourMap map_of_values(std::span<const double> field, std::span<const double> values) {
  std::vector<double> sorted;
  for (const double value : values)
    if (std::isfinite(value)) sorted.push_back(value);
  std::ranges::sort(sorted);
  std::vector<double> all;
  if (!sorted.empty()) {
    const std::size_t cut = sorted.size() / 50;
    all = {sorted[cut], sorted[sorted.size() - 1 - cut]};
  }
  for (const double value : field)
    if (std::isfinite(value)) all.push_back(value);
  if (all.empty()) return ColourMap(0, 1);
  const auto [low, high] = std::ranges::minmax(all);
  return ColourMap(low, high);
}

std::vector<double> first_outputs(std::span<const double> values, std::size_t outputs) {
  std::vector<double> first;
  for (std::size_t e = 0; e < values.size(); e += outputs) first.push_back(values[e]);
  return first;
}

std::vector<std::size_t> classes_of(const Target& target, std::span<const std::string> known,
                                    std::vector<std::string>& labels) {
  labels.assign(known.begin(), known.end());
  std::vector<std::size_t> place;
  for (const std::string& label : target.labels) {
    const auto found = std::ranges::find(labels, label);
    place.push_back(std::size_t(found - labels.begin()));
    if (found == labels.end()) labels.push_back(label);
  }
  std::vector<std::size_t> classes;
  for (const std::int32_t code : target.codes) classes.push_back(place[std::size_t(code)]);
  return classes;
}

std::vector<std::size_t> class_counts(const Target& target) {
  std::vector<std::size_t> counts(target.labels.size(), 0);
  for (const std::int32_t code : target.codes) ++counts[std::size_t(code)];
  return counts;
}

std::string class_title(const std::string& target, const std::string& label) {
  const bool number = !label.empty() && (std::isdigit(static_cast<unsigned char>(label[0])) ||
                                         label[0] == '-' || label[0] == '+' || label[0] == '.');
  return number ? fmt::format("{} = {}", target.empty() ? "class" : target, label) : label;
}

Style class_style(std::size_t number, std::size_t rows, std::string title) {
  constexpr Marker markers[] = {Marker::dot, Marker::triangle, Marker::square, Marker::cross};
  constexpr std::size_t crowd = 1000;
  return {.colour = class_colour(number),
          .label = std::move(title),
          .marker = markers[number % std::size(markers)],
          .size = rows > crowd ? 2.2 : 3};
}

// Sky blue is like blue, and olive like amber: they come last.
int class_colour(std::size_t number) {
  constexpr int colours[palette_size] = {0, 1, 2, 3, 4, 7, 5, 6};
  return colours[number % palette_size];
}

Style ring_style(std::size_t rings, std::string title) {
  constexpr std::size_t crowd = 300;
  return {.colour = ink,
          .label = std::move(title),
          .marker = Marker::ring,
          .size = rings > crowd ? 4.0 : 5.5,
          .opacity = rings > crowd ? 0.45 : 1};
}

void add_classes(Chart& chart, std::span<const double> x, std::span<const double> y,
                 std::span<const std::size_t> classes, std::span<const std::string> titles) {
  std::vector<std::vector<double>> xs(titles.size()), ys(titles.size());
  for (std::size_t i = 0; i < classes.size(); ++i)
    xs[classes[i]].push_back(x[i]), ys[classes[i]].push_back(y[i]);
  for (std::size_t c = 0; c < titles.size(); ++c)
    if (!xs[c].empty()) chart.points(xs[c], ys[c], class_style(c, classes.size(), titles[c]));
}

void note_sample(Chart& chart, std::size_t drawn, std::size_t all, std::string_view what) {
  if (drawn < all) chart.note(fmt::format("{} of {} {} are drawn, chosen at random", drawn, all, what));
}

bool has_support_vectors(const Model& model) {
  return model.fitted.report.certificate == CertificateKind::kkt_violation;
}

std::string name_of_points(const Model& model) {
  if (has_support_vectors(model)) return "support vector";
  if (model.method->traits().online) return "point kept";
  return model.method->name() == "sparse_gp" ? "inducing point" : "";
}

std::optional<std::vector<double>> support_places(const Model& model, std::span<const std::size_t> columns) {
  const std::optional<Points> rows = support_rows(model);
  if (!rows) return std::nullopt;
  std::vector<double> places, row(rows->cols());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    rows->copy_row(i, row);
    for (const std::size_t column : columns) places.push_back(row[column]);
  }
  return places;
}

std::optional<Points> support_rows(const Model& model) {
  const Expansion e = over_support(model.fitted);
  if (name_of_points(model).empty() || model.map || e.points.cols() != model.columns ||
      e.points.rows() < model.fitted.report.support_vectors)
    return std::nullopt;
  std::vector<std::size_t> supporting;  // some kernels make a model keep points with coefficients 0 as well
  for (std::size_t i = 0; i < e.points.rows(); ++i)
    if (std::ranges::any_of(std::span(e.coefficients).subspan(i * e.width, e.width),
                            [](double c) { return c != 0; }))
      supporting.push_back(i);
  const Points scaled = e.points.select_rows(supporting);
  const std::vector<double>&shift = model.scaling.shift(), &scale = model.scaling.scale();
  if (scale.empty()) return scaled;
  Dense<double> rows{scaled.rows(), scaled.cols(), Buffer<double>(scaled.rows() * scaled.cols())};
  for (std::size_t i = 0; i < rows.rows; ++i) {  // the scaling is undone: x ↦ x / scale + shift
    double* row = rows.values.data() + i * rows.cols;
    scaled.copy_row(i, {row, rows.cols});
    for (std::size_t j = 0; j < rows.cols; ++j) row[j] = row[j] / scale[j] + (shift.empty() ? 0 : shift[j]);
  }
  return Points(std::move(rows), scaled.names());
}

}  // namespace mercer
