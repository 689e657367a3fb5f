#include "plot/model_slice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <variant>

#include "base/sample.hpp"
#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_viewed_rows = 4096;                // that medians are taken from
constexpr std::size_t most_numbers = std::size_t(1) << 22;    // of rows and scores held at once
constexpr std::size_t coarse_columns = 80, coarse_rows = 60;  // of the cells of a plane
constexpr std::size_t effect_rows = 64, least_candidates = 32, most_candidates = 256,
                      effort = std::size_t(1) << 25;  // numbers of the rows moved
constexpr double step_share = 0.01;                   // of the standard deviation

// A sample of the rows, dense, in float64, column after column.
std::vector<std::vector<double>> sampled_columns(const Points& points) {
  const std::size_t room =
      std::clamp<std::size_t>(most_numbers / std::max<std::size_t>(1, points.cols()), 64, most_viewed_rows);
  const std::vector<std::size_t> rows = sampled_rows(points.rows(), room, 1);
  std::vector<std::vector<double>> columns(points.cols(), std::vector<double>(rows.size()));
  std::vector<double> row(points.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    points.copy_row(rows[i], row);
    for (std::size_t j = 0; j < row.size(); ++j) columns[j][i] = row[j];
  }
  return columns;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / std::max(1.0, double(values.size()));
}

double median_of(std::vector<double>& values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  std::ranges::nth_element(values, values.begin() + std::ptrdiff_t(middle));
  if (values.size() % 2 == 1) return values[middle];
  const double below = *std::max_element(values.begin(), values.begin() + std::ptrdiff_t(middle));
  return below + (values[middle] - below) / 2;
}

double deviation_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / std::max(1.0, double(values.size())));
}

// The columns whose effects are worth finding out, at most so many: those with the largest spread once
// scaled.
std::vector<std::size_t> candidates(const Model& model, std::span<const double> deviations) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < deviations.size(); ++j)
    if (deviations[j] > 0) columns.push_back(j);
  const std::size_t most =
      std::clamp(effort / (2 * effect_rows * std::max<std::size_t>(1, deviations.size())), least_candidates,
                 most_candidates);
  if (columns.size() <= most) return columns;
  const std::vector<double>& scale = model.scaling.scale();
  std::ranges::stable_sort(columns, std::greater(), [&](std::size_t j) {
    return deviations[j] * (scale.empty() ? 1 : std::abs(scale[j]));
  });
  columns.resize(most);
  std::ranges::sort(columns);
  return columns;
}

// How many times finer than coarse the cells can be: kernel values are counted, and how long a row is for
// each of them.
std::size_t fineness(const Model& model, std::size_t columns) {
  constexpr double cheap = 4e7, bearable = 4e8;
  const double cost = double(coarse_columns * coarse_rows) *
                      std::max(1.0, double(model.fitted.expansion.points.rows())) *
                      (1 + double(columns) / 32);
  return 16 * cost <= cheap ? 4 : 4 * cost <= bearable ? 2 : 1;
}

// Σ |difference of the scores| of each pair of rows, summed over the pairs.
double change(const Predictions& p, std::size_t first, std::size_t pairs) {
  double sum = 0;
  for (std::size_t i = first * p.width; i < (first + pairs) * p.width; ++i)
    sum += std::abs(p.scores[i + pairs * p.width] - p.scores[i]);
  return sum;
}

void add(PredictionPlane& plane, const Model& model, const Predictions& p, std::size_t count) {
  plane.codes.insert(plane.codes.end(), p.codes.begin(), p.codes.end());
  const Fitted& f = model.fitted;
  // Shares of neighbours are probabilities, too, but in steps.
  const bool two = model.labels.size() == 2,
             probable = two && (!f.slopes.empty() || !f.precision.empty() || f.rule == Rule::softmax);
  for (std::size_t i = 0; i < count; ++i) {
    if (model.labels.empty())
      plane.values.push_back(model.fitted.rule == Rule::novelty ? p.scores[i * p.width]
                                                                : p.values[i * p.outputs]);
    if (two) plane.values.push_back(two_class_score(p, i));
    if (probable) plane.odds.push_back(p.probabilities[2 * i + 1] - p.probabilities[2 * i]);
  }
}

}  // namespace

std::vector<bool> indicator_columns(const Schema& schema, std::size_t columns) {
  std::vector<bool> indicator;
  for (const Schema::Column& column : schema.columns)
    indicator.insert(indicator.end(), column.width(), !column.categories.empty());
  if (indicator.size() != columns)
    indicator.assign(columns, false);  // a schema of other columns says nothing about these
  return indicator;
}

std::vector<double> middle_row(const Points& points, const Schema& schema) {
  std::vector<std::vector<double>> columns = sampled_columns(points);
  const std::vector<bool> indicator = indicator_columns(schema, points.cols());
  std::vector<double> row;
  if (std::ranges::none_of(indicator, [](bool is) { return is; })) {
    for (auto& column : columns) row.push_back(median_of(column));
    return row;
  }
  for (const Schema::Column& column : schema.columns) {
    const std::size_t begin = row.size(), count = column.categories.size();
    if (column.objects) continue;
    if (count == 0) {
      row.push_back(median_of(columns[begin]));
      continue;
    }
    std::vector<double> shares;
    for (std::size_t c = 0; c < count; ++c) shares.push_back(mean_of(columns[begin + c]));
    row.resize(begin + count, 0);
    row[begin + std::size_t(std::ranges::max_element(shares) - shares.begin())] = 1;
  }
  return row;
}

std::vector<double> column_effects(const Model& model, const Points& points, int threads) {
  std::vector<double> deviations, effects(points.cols(), 0);
  for (const auto& column : sampled_columns(points)) deviations.push_back(deviation_of(column));
  const std::vector<std::size_t> columns = candidates(model, deviations),
                                 rows = sampled_rows(points.rows(), effect_rows, 2);
  const std::size_t columns_at_once = std::clamp<std::size_t>(
      most_numbers / (2 * effect_rows * std::max<std::size_t>(1, points.cols())), 1, 16);
  for (std::size_t begin = 0; begin < columns.size(); begin += columns_at_once) {
    const std::size_t end = std::min(begin + columns_at_once, columns.size());
    Dense<double> moved{2 * rows.size() * (end - begin), points.cols(),
                        Buffer<double>(2 * rows.size() * (end - begin) * points.cols())};
    double* out = moved.values.data();
    for (std::size_t c = begin; c < end; ++c)
      for (const double side : {-step_share, step_share})
        for (const std::size_t i : rows) {
          points.copy_row(i, {out, points.cols()});
          out[columns[c]] += side * deviations[columns[c]];
          out += points.cols();
        }
    const Points at(std::move(moved), points.names());
    const Predictions p = model.predict(points.sparse() ? at.to_sparse() : at, threads);
    for (std::size_t c = begin; c < end; ++c)
      effects[columns[c]] =
          change(p, 2 * rows.size() * (c - begin), rows.size()) / (2 * step_share * double(rows.size()));
  }
  return effects;
}

std::vector<std::size_t> most_effective_columns(const Model& model, const Points& points, std::size_t count,
                                                int threads) {
  std::vector<std::size_t> columns(points.cols());
  std::iota(columns.begin(), columns.end(), std::size_t(0));
  if (columns.size() <= count) return columns;
  const std::vector<double> effects = column_effects(model, points, threads);
  const std::vector<bool> indicator = indicator_columns(model.schema, points.cols());
  std::ranges::stable_sort(columns, [&](std::size_t a, std::size_t b) {
    return indicator[a] != indicator[b] ? bool(indicator[b]) : effects[a] > effects[b];
  });
  columns.resize(count);
  return columns;
}

std::vector<std::size_t> columns_named(const Points& points, std::span<const std::string> names,
                                       std::size_t most) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorCode::invalid_argument, message); };
  if (names.size() > most)
    refuse(fmt::format("the picture has room for {} column{}, but {} are named", most, most == 1 ? "" : "s",
                       names.size()));
  std::vector<std::size_t> columns;
  for (const std::string& name : names) {
    auto column = std::size_t(std::ranges::find(points.names(), name) - points.names().begin());
    if (column == points.names().size()) {
      std::size_t number = 0;
      const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
      if (fault != std::errc() || end != name.data() + name.size() || number < 1 || number > points.cols()) {
        const std::string nearest = nearest_word(name, points.names());
        refuse(fmt::format("there is no column '{}'; {}give a name or a number from 1 to {}", name,
                           nearest.empty() ? "" : fmt::format("did you mean '{}'? Else ", nearest),
                           points.cols()));
      }
      column = number - 1;
    }
    if (std::ranges::find(columns, column) != columns.end())
      refuse(fmt::format("the column '{}' is named twice", name));
    columns.push_back(column);
  }
  return columns;
}

Points varied_rows(std::span<const double> held, std::span<const std::size_t> changed,
                   std::span<const double> grid, bool sparse) {
  const std::size_t count = changed.empty() ? 0 : grid.size() / changed.size();
  Dense<double> rows{count, held.size(), Buffer<double>(count * held.size())};
  for (std::size_t i = 0; i < count; ++i) {
    double* out = rows.values.data() + i * held.size();
    std::ranges::copy(held, out);
    for (std::size_t c = 0; c < changed.size(); ++c) out[changed[c]] = grid[i * changed.size() + c];
  }
  const Points points(std::move(rows));
  return sparse ? points.to_sparse() : points;
}

double two_class_score(const Predictions& p, std::size_t row) {
  return p.width == 2 ? p.scores[2 * row + 1] - p.scores[2 * row] : p.scores[row * p.width];
}

bool has_margin(const Model& model) {
  if (model.labels.size() != 2) return false;
  const std::string_view name = model.method->name();
  if (name == "svm" || name == "nu_svm") return true;
  if (name != "rerm") return false;
  const Argument loss = model.method->get("loss");
  return std::get<Word>(loss).text == "hinge" || std::get<Word>(loss).text == "squared_hinge";
}

PredictionPlane predictions_over(const Model& model, std::span<const double> held,
                                 std::span<const std::size_t> columns, const Axis& x, const Axis& y,
                                 bool sparse, int threads, const Progress& progress) {
  const std::size_t finer = fineness(model, held.size());
  const bool both = columns.size() > 1;
  PredictionPlane plane{.columns = finer * coarse_columns, .rows = both ? finer * coarse_rows : 1};
  const auto middle = [](const Axis& axis, std::size_t cell, std::size_t cells) {
    return axis.low + (double(cell) + 0.5) / double(cells) * (axis.high - axis.low);
  };
  const std::size_t cells = plane.columns * plane.rows,
                    numbers = held.size() + model.fitted.rho.size() + model.fitted.expansion.outputs(),
                    at_once = std::max<std::size_t>(1, most_numbers / numbers);
  for (std::size_t begin = 0; begin < cells; begin += at_once) {
    const std::size_t end = std::min(begin + at_once, cells);
    std::vector<double> grid;
    for (std::size_t i = begin; i < end; ++i) {
      grid.push_back(middle(x, i % plane.columns, plane.columns));
      if (both) grid.push_back(middle(y, i / plane.columns, plane.rows));
    }
    add(plane, model, model.predict(varied_rows(held, columns, grid, sparse), threads, progress),
        end - begin);
  }
  return plane;
}

}  // namespace mercer
