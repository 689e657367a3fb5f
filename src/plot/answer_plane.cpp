#include "plot/answer_plane.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace mercer {

namespace {

constexpr std::size_t most_numbers = std::size_t(1) << 22;  // of rows and scores held at once
constexpr std::size_t coarse_columns = 80, coarse_rows = 60;

// How many times finer than coarse the cells can be: kernel values are counted, and how long a row is for
// each of them.
std::size_t fineness(const Model& model, std::size_t columns) {
  constexpr double cheap = 4e7, bearable = 4e8;
  const double cost = double(coarse_columns * coarse_rows) *
                      std::max(1.0, double(model.fitted.expansion.points.rows())) *
                      (1 + double(columns) / 32);
  return 16 * cost <= cheap ? 4 : 4 * cost <= bearable ? 2 : 1;
}

double middle(const Axis& axis, std::size_t cell, std::size_t cells) {
  return axis.low + (double(cell) + 0.5) / double(cells) * (axis.high - axis.low);
}

std::vector<double> middles(const AnswerPlane& plane, const Axis& x, const Axis& y, bool both) {
  std::vector<double> grid;
  for (std::size_t r = 0; r < plane.rows; ++r)
    for (std::size_t c = 0; c < plane.columns; ++c) {
      grid.push_back(middle(x, c, plane.columns));
      if (both) grid.push_back(middle(y, r, plane.rows));
    }
  return grid;
}

void add(AnswerPlane& plane, const Model& model, const Predictions& p, std::size_t count) {
  plane.codes.insert(plane.codes.end(), p.codes.begin(), p.codes.end());
  const bool two = model.labels.size() == 2, calibrated = two && !model.fitted.slopes.empty();
  for (std::size_t i = 0; i < count; ++i) {
    if (model.labels.empty())
      plane.values.push_back(model.fitted.rule == Rule::novelty ? p.scores[i * p.width]
                                                                : p.values[i * p.outputs]);
    if (two) plane.values.push_back(two_class_score(p, i));
    if (calibrated) plane.odds.push_back(p.probabilities[2 * i + 1] - p.probabilities[2 * i]);
  }
}

}  // namespace

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

AnswerPlane answers_over(const Model& model, std::span<const double> held,
                         std::span<const std::size_t> columns, const Axis& x, const Axis& y, bool sparse,
                         int threads, const Progress& progress) {
  const std::size_t finer = fineness(model, held.size());
  const bool both = columns.size() > 1;
  AnswerPlane plane{.columns = finer * coarse_columns, .rows = both ? finer * coarse_rows : 1};
  const std::vector<double> grid = middles(plane, x, y, both);
  const VariedRows rows{held, columns, grid, sparse};
  const std::size_t numbers = held.size() + model.fitted.rho.size() + model.fitted.expansion.outputs();
  const std::size_t at_once = std::max<std::size_t>(1, most_numbers / numbers);
  for (std::size_t begin = 0; begin < rows.rows(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, rows.rows());
    add(plane, model, model.predict(rows.points(begin, end), threads, progress), end - begin);
  }
  return plane;
}

}  // namespace mercer
