#include "model/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/assemble.hpp"
#include "data/dates.hpp"
#include "kernels/linear_form.hpp"
#include "kernels/node.hpp"
#include "mercer/dataset.hpp"
#include "model/prediction.hpp"

namespace mercer {

namespace {

// f(x ± h) are told apart to about 1e-16 / h, and their difference misses the slope by about h²: both are
// small here.
constexpr double step = 1e-5;  // of a standard deviation

std::vector<double> standard_deviations(const Points& points, std::span<const double> means) {
  std::vector<double> squares(points.cols(), 0.0), stored(points.cols(), 0.0);
  const double n = double(points.rows());
  std::visit(
      [&]<class S>(const S& s) {
        const auto add = [&](std::size_t j, double value) {
          squares[j] += (value - means[j]) * (value - means[j]), stored[j] += 1;
        };
        if constexpr (requires { s.starts; }) {
          for (std::size_t e = 0; e < s.values.size(); ++e)
            add(std::size_t(s.indices[e]), double(s.values[e]));
        } else {
          for (std::size_t i = 0; i < s.rows; ++i)
            for (std::size_t j = 0; j < s.cols; ++j) add(j, double(s.row(i)[j]));
        }
      },
      points.storage());
  for (std::size_t j = 0; j < squares.size(); ++j)
    squares[j] = std::sqrt((squares[j] + (n - stored[j]) * means[j] * means[j]) / std::max(n, 1.0));
  return squares;
}

}  // namespace

Sensitivity::Sensitivity(const Model& model, const Points& points, int threads)
    : model_(model),
      points_(points),
      threads_(threads),
      columns_(source_columns(model)),
      means_(column_means(points.storage(), threads)),
      deviations_(standard_deviations(points, means_)) {
  const Kernel& kernel = model.kernel();
  defined_ = !kernel.uses_precomputed();
  linear_ = LinearForm::of(kernel) && model.method->traits().expands && model.fitted.expansion.self == 0;
  non_negative_ = any_leaf(kernel, [](const Leaf& leaf) { return leaf.traits().non_negative_only; });
}

std::size_t Sensitivity::probes_per_row() const noexcept {
  if (points_.sparse()) return 1 + 2 * points_.stored() / std::max<std::size_t>(1, points_.rows());
  std::size_t count = 1;
  for (const SourceColumn& column : columns_)
    count += column.categories.empty() ? 2 : column.categories.size();
  return count;
}

std::vector<Sensitivity::Probe> Sensitivity::probes(std::span<const double> x) const {
  std::vector<Probe> all;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const SourceColumn& column = columns_[c];
    const double now = x[column.begin], deviation = deviations_[column.begin];
    if (!column.categories.empty()) {
      for (std::size_t category = 0; category < column.categories.size(); ++category)
        all.push_back({Probe::Kind::category, c, category});
    } else if (!points_.sparse() || now != 0) {
      const double h = step * (deviation > 0 ? deviation : std::max(1.0, std::abs(now)));
      all.push_back({Probe::Kind::value, c, 0, now + h});
      all.push_back({Probe::Kind::value, c, 0, non_negative_ && now >= 0 && now < h ? now : now - h});
    } else {
      continue;
    }
    if (linear_) all.push_back({Probe::Kind::zero, c});
  }
  return all;
}

void Sensitivity::apply(const Probe& probe, std::span<double> x) const {
  const SourceColumn& column = columns_[probe.column];
  const std::vector<double>& shift = model_.scaling.shift();
  for (std::size_t j = 0; j < column.count(); ++j) {
    double& value = x[column.begin + j];
    switch (probe.kind) {
      case Probe::Kind::value:
        value = probe.value;
        break;
      case Probe::Kind::category:
        value = j == probe.category ? 1 : 0;
        break;
      case Probe::Kind::zero:
        value = shift.empty() ? 0 : shift[column.begin + j];
        break;
    }
  }
}

// Row 0 is x itself, row i the probe before it in number; sparse where the points are.
Points Sensitivity::probe_rows(std::span<const double> x, std::span<const Probe> probes, Range range) const {
  const std::size_t d = x.size(), count = range.size();
  const auto fill = [&](std::size_t i, std::span<double> row) {
    std::ranges::copy(x, row.begin());
    if (range.begin + i > 0) apply(probes[range.begin + i - 1], row);
  };
  if (!points_.sparse()) {
    Buffer<double> values(count * d);
    for (std::size_t i = 0; i < count; ++i) fill(i, {values.data() + i * d, d});
    return Points(Dense<double>{count, d, std::move(values)}, points_.names());
  }
  std::vector<double> row(d), values;
  std::vector<std::int32_t> indices;
  Buffer<std::size_t> starts(count + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    fill(i, row);
    for (std::size_t j = 0; j < d; ++j)
      if (row[j] != 0) indices.push_back(std::int32_t(j)), values.push_back(row[j]);
    starts[i + 1] = values.size();
  }
  Sparse<double> sparse{count, d, std::move(starts), Buffer<std::int32_t>(indices.size()),
                        Buffer<double>(values.size())};
  std::ranges::copy(indices, sparse.indices.begin());
  std::ranges::copy(values, sparse.values.begin());
  return Points(std::move(sparse), points_.names());
}

// The model's scores at x, then at each probe; a part at a time, since rows may be wide. The objects of the
// row stay beside its numbers.
std::vector<double> Sensitivity::scores(std::size_t row, std::span<const double> x,
                                        std::span<const Probe> probes) const {
  const std::size_t total = probes.size() + 1,
                    at_once = std::max<std::size_t>(
                        16, (std::size_t(1) << 22) / std::max<std::size_t>(x.size(), 1));
  std::vector<double> all;
  for (std::size_t begin = 0; begin < total; begin += at_once) {
    const Range range{begin, std::min(total, begin + at_once)};
    const std::vector<std::size_t> same(range.size(), row);
    std::vector<Objects> beside;
    for (const Objects& column : points_.objects()) beside.push_back(column.select_rows(same));
    const Predictions p =
        model_.predict(probe_rows(x, probes, range).with_objects(std::move(beside)), threads_);
    all.insert(all.end(), p.scores.begin(), p.scores.end());
  }
  return all;
}

ColumnEffect Sensitivity::effect(std::size_t column, std::span<const Probe> probes, std::span<const double> f,
                                 double now) const {
  const SourceColumn& source = columns_[column];
  ColumnEffect effect{.column = column, .name = source.name, .value = {}, .category = {}};
  if (linear_) effect.amount = now - f.back();
  if (source.categories.empty()) {
    effect.slope = (f[0] - f[1]) / (probes[0].value - probes[1].value);
    effect.effect = effect.slope * deviations_[source.begin];
    return effect;
  }
  for (const Probe& probe : probes) {
    if (probe.kind != Probe::Kind::category) continue;
    const double change = f[probe.category] - now;
    effect.effect += means_[source.begin + probe.category] * std::abs(change);
    if (std::abs(change) <= std::abs(effect.change)) continue;
    effect.change = change;
    effect.category = source.categories[probe.category];
  }
  return effect;
}

std::vector<std::vector<ColumnEffect>> Sensitivity::effects(std::size_t row,
                                                            std::span<const Question> questions) const {
  const std::vector<double> x = points_.row(row);
  const std::vector<Probe> all = probes(x);
  if (all.empty()) return std::vector<std::vector<ColumnEffect>>(questions.size());
  const std::vector<double> scored = scores(row, x, all);
  const std::size_t width = scored.size() / (all.size() + 1);
  std::vector<std::vector<ColumnEffect>> effects(questions.size());
  for (std::size_t q = 0; q < questions.size(); ++q) {
    std::vector<double> f;
    for (std::size_t i = 0; i <= all.size(); ++i) f.push_back(questions[q].score(scored.data() + i * width));
    for (std::size_t begin = 0; begin < all.size();) {
      std::size_t end = begin;
      while (end < all.size() && all[end].column == all[begin].column) ++end;
      const auto own = std::span(all).subspan(begin, end - begin);
      const auto own_f = std::span(f).subspan(begin + 1, end - begin);
      const std::size_t column = all[begin].column;
      effects[q].push_back(effect(column, own, own_f, f[0]));
      effects[q].back().value = value_text(columns_[column], x);
      begin = end;
    }
  }
  return effects;
}

namespace {

// Pairs a < b in the order of the scores.
std::size_t pair_number(std::size_t a, std::size_t b, std::size_t classes) {
  return a * classes - a * (a + 1) / 2 + b - a - 1;
}

// The decision value of `own` against `other`, above 0 for the former.
std::pair<std::size_t, double> pair_score(std::size_t own, std::size_t other, std::size_t classes) {
  return own < other ? std::pair(pair_number(own, other, classes), 1.0)
                     : std::pair(pair_number(other, own, classes), -1.0);
}

Question about_pairs(const Model& model, std::size_t own, const double* scores) {
  const std::size_t k = model.labels.size();
  std::size_t runner_up = k;
  double least = 0;
  for (std::size_t other = 0; other < k; ++other) {
    if (other == own) continue;
    const auto [pair, sign] = pair_score(own, other, k);
    if (runner_up == k || sign * scores[pair] < least) runner_up = other, least = sign * scores[pair];
  }
  return {model.labels[own], model.labels[runner_up], {pair_score(own, runner_up, k)}};
}

Question about_classes(const Model& model, std::size_t own, const double* scores) {
  const std::size_t k = model.labels.size(), width = model.fitted.rho.size();
  // One score of two classes.
  if (width < k) return {model.labels[own], model.labels[1 - own], {{0, own == 0 ? 1.0 : -1.0}}};
  std::size_t runner_up = own == 0 ? 1 : 0;
  for (std::size_t other = 0; other < k; ++other)
    if (other != own && scores[other] > scores[runner_up]) runner_up = other;
  return {model.labels[own], model.labels[runner_up], {{own, 1.0}, {runner_up, -1.0}}};
}

}  // namespace

double Question::score(const double* row_scores) const {
  double sum = 0;
  for (const auto& [number, factor] : scores) sum += factor * row_scores[number];
  return sign * sum;
}

double Question::constant(const Model& model) const {
  double sum = 0;
  for (const auto& [number, factor] : scores) sum -= factor * model.fitted.rho[number];
  return sum;
}

std::vector<double> Question::outputs(const Model& model) const {
  std::vector<double> factors(model.fitted.expansion.outputs(), 0.0);
  const std::size_t k = model.labels.size();
  for (const auto& [number, factor] : scores) {
    if (model.fitted.rule != Rule::one_vs_one) {
      factors[number] += factor;
      continue;
    }
    for (std::size_t a = 0; a < k; ++a)
      for (std::size_t b = a + 1; b < k; ++b)
        if (pair_number(a, b, k) == number)
          factors[a * (k - 1) + b - 1] += factor, factors[b * (k - 1) + a] += factor;
  }
  return factors;
}

std::vector<std::string> score_names(const Model& model) {
  const Rule rule = model.fitted.rule;
  const std::size_t outputs = model.fitted.rho.size();
  if (rule == Rule::novelty) return {"inside"};
  auto names =
      Target{.task = Task::regression, .name = model.schema.target, .outputs = outputs}.output_names();
  for (std::size_t o = 0; o < outputs; ++o)
    if (rule == Rule::projection)
      names[o] = fmt::format("coordinate {}", o + 1);
    else if (rule == Rule::rate)
      names[o] = "log " + names[o];
  return names;
}

std::vector<Question> questions(const Model& model, const Predictions& predictions, std::size_t row) {
  if (model.labels.empty()) {
    std::vector<Question> all;
    for (const std::string& name : score_names(model)) all.push_back({name, "", {{all.size(), 1.0}}});
    return all;
  }
  const auto own = std::size_t(predictions.codes[row]);
  const double* scores = predictions.scores.data() + row * predictions.width;
  if (model.labels.size() == 1) {  // no runner-up, and of pairs no score either
    Question alone{model.labels[0], "", {}};
    if (predictions.width > 0) alone.scores.push_back({0, 1.0});
    return {alone};
  }
  Question about = model.fitted.rule == Rule::one_vs_one ? about_pairs(model, own, scores)
                                                         : about_classes(model, own, scores);
  about.sign = score_sign(model.labels.size(), predictions.width);
  return {about};
}

std::vector<SourceColumn> source_columns(const Model& model) {
  std::vector<SourceColumn> columns;
  std::size_t begin = 0;
  for (const Schema::Column& column : model.schema.columns) {
    if (column.objects) continue;
    columns.push_back({column.name, begin, column.categories, column.dates != Schema::Dates::none});
    begin += columns.back().count();
  }
  if (begin == model.columns) return columns;
  columns.clear();  // not a table
  const Points& points = model.fitted.expansion.points;
  for (std::size_t j = 0; j < model.columns; ++j)
    columns.push_back({model.map ? fmt::format("column {}", j + 1) : points.name(j), j});
  return columns;
}

std::string value_text(const SourceColumn& column, std::span<const double> row) {
  const auto own = row.subspan(column.begin, column.count());
  if (column.dates) return date_text(own[0]);
  if (column.categories.empty()) return fmt::format("{:.4g}", own[0]);
  const auto largest = std::ranges::max_element(own);
  return *largest > 0.5 ? column.categories[std::size_t(largest - own.begin())] : "none";
}

std::vector<double> unscaled(const Scaling& scaling, std::vector<double> row) {
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (!scaling.scale().empty()) row[j] /= scaling.scale()[j];
    if (!scaling.shift().empty()) row[j] += scaling.shift()[j];
  }
  return row;
}

}  // namespace mercer
