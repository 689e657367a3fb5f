#include "mercer/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mercer/progress.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/geometry.hpp"
#include "mercer/linear_functions.hpp"
#include "model/object_parts.hpp"
#include "model/sensitivity.hpp"

namespace mercer {

namespace {

// aᵢ: what each example's coefficients come to for the score that is asked about.
std::vector<double> example_coefficients(const Expansion& e, std::span<const double> factors) {
  std::vector<double> a(e.points.rows(), 0.0);
  std::size_t i = 0;
  for (std::size_t b = 0; b < e.blocks.size(); ++b)
    for (const std::size_t end = i + e.blocks[b]; i < end; ++i)
      for (std::size_t c = 0; c < e.width; ++c)
        a[i] += factors[b * e.width + c] * e.coefficients[i * e.width + c];
  return a;
}

// Similarities of the explained rows to the examples under one kernel, a row at a time.
class Similarities {
 public:
  Similarities(const Kernel& kernel, const Points& rows, const Expansion& e, int threads)
      : K_(kernel, rows, e.points, {.threads = threads}),
        own_(e.self == 0 ? std::vector<double>(rows.rows(), 0.0) : self_similarities(kernel, rows, e.points)),
        self_(e.self) {}
  std::vector<double> of(std::size_t row) const {
    std::vector<double> k(K_.cols());
    K_.tile({row, row + 1}, {0, K_.cols()}, k);
    return k;
  }
  double self(std::size_t row, double factor) const { return factor * self_ * own_[row]; }

 private:
  KernelOperator<double> K_;
  std::vector<double> own_;
  double self_;
};

void add_examples(const std::vector<double>& a, const std::vector<double>& k, std::size_t wanted,
                  Explanation& out) {
  std::vector<std::size_t> order;
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != 0) order.push_back(i);  // of machines for pairs, the other pairs' examples do not take part
    total += std::abs(a[i] * k[i]);
  }
  const std::size_t kept = std::min(wanted, order.size());
  const auto larger = [&](std::size_t i, std::size_t j) {
    return std::pair(-std::abs(a[i] * k[i]), i) < std::pair(-std::abs(a[j] * k[j]), j);
  };
  std::ranges::partial_sort(order, order.begin() + std::ptrdiff_t(kept), larger);
  for (std::size_t o = 0; o < order.size(); ++o) {
    const std::size_t i = order[o];
    const double amount = a[i] * k[i];
    if (o < kept)
      out.examples.push_back({i, a[i], k[i], amount, total > 0 ? std::abs(amount) / total : 0});
    else
      out.others += amount;
  }
  out.other_count = order.size() - kept;
}

std::string why_no_examples(const Model& model) {
  if (model.map)
    return fmt::format("the model was fitted on {} features ({}), not on similarities to examples",
                       model.map->features(), model.map->text());
  if (!model.method->traits().expands)
    return fmt::format("{} is not a sum over its examples", model.method->name());
  if (keeps_weights(model))
    return "the kernel is linear: the model keeps a weight for each column, not examples";
  return {};
}

struct Explainer {
  const Model& model;
  const ExplainOptions& options;
  Sensitivity sensitivity;
  Points scaled;
  std::vector<Similarities> whole, terms;  // one, or none where there are no examples; one per term
  std::vector<std::string> term_names;

  Explainer(const Model& of, const Points& points, const Points& rows, const ExplainOptions& given)
      : model(of), options(given), sensitivity(of, points, given.threads) {
    if (model.map || !model.method->traits().expands) return;
    const Expansion& e = model.fitted.expansion;
    scaled = model.scaling.apply(rows);
    if (why_no_examples(model).empty()) whole.emplace_back(e.kernel, scaled, e, options.threads);
    const std::vector<Kernel> parts = terms_of(e.kernel);
    if (parts.size() < 2) return;
    for (const Kernel& part : parts) {
      terms.emplace_back(part, scaled, e, options.threads);
      term_names.push_back(part.text());
    }
  }

  // Every part of every object of the row is hidden in turn.
  void add_parts(const Points& row, std::span<const Question> asked, std::span<Explanation> out) const {
    for (std::size_t c = 0; c < row.objects().size(); ++c) {
      const Objects& column = row.objects()[c];
      const std::vector<ObjectPart> parts = parts_of(column, 0);
      if (parts.empty()) continue;
      std::vector<Objects> changed;
      const std::vector<std::size_t> same(parts.size(), 0);
      for (std::size_t o = 0; o < row.objects().size(); ++o)
        changed.push_back(o == c ? without_parts(column, 0, parts) : row.objects()[o].select_rows(same));
      const Predictions p =
          model.predict(row.select_rows(same).with_objects(std::move(changed)), options.threads);
      for (std::size_t q = 0; q < asked.size(); ++q)
        for (std::size_t part = 0; part < parts.size(); ++part)
          out[q].parts.push_back({column.name(), parts[part].where.begin, parts[part].where.end,
                                  parts[part].text,
                                  out[q].score - asked[q].score(p.scores.data() + part * p.width)});
    }
  }

  void add_sums(const Question& question, std::size_t place, Explanation& out) const {
    if (whole.empty() && terms.empty()) return;
    const std::vector<double> factors = question.outputs(model),
                              a = example_coefficients(model.fitted.expansion, factors);
    const double factor = std::accumulate(factors.begin(), factors.end(), 0.0);
    if (!whole.empty()) {
      add_examples(a, whole[0].of(place), options.examples, out);
      out.self = whole[0].self(place, factor);
    }
    const std::vector<double>& trend = model.fitted.expansion.trend;
    if (!trend.empty()) {
      std::vector<double> x(scaled.cols());
      scaled.copy_row(place, x);
      for (std::size_t j = 0; j < x.size(); ++j)
        for (std::size_t o = 0; o < factors.size(); ++o)
          out.trend += factors[o] * trend[j * factors.size() + o] * x[j];
    }
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const std::vector<double> k = terms[t].of(place);
      out.terms.push_back(
          {term_names[t], std::inner_product(a.begin(), a.end(), k.begin(), terms[t].self(place, factor))});
    }
  }
};

void check_rows(const Points& points, std::span<const std::size_t> rows) {
  for (const std::size_t row : rows)
    if (row >= points.rows())
      throw Error(ErrorCode::invalid_argument, fmt::format("there is no row {}", row + 1),
                  {.hint = fmt::format("the data have {}", points.rows())});
}

}  // namespace

std::vector<Explanation> explain(const Model& model, const Points& points, std::span<const std::size_t> rows,
                                 const ExplainOptions& options) {
  check_rows(points, rows);
  const Points chosen = points.select_rows(rows);
  const Predictions p = model.predict(chosen, options.threads);
  if (rows.empty()) return {};
  const Explainer explainer(model, points, chosen, options);
  std::vector<Explanation> all;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    options.progress.check("explanations", double(r) / double(rows.size()));
    const std::vector<Question> asked = questions(model, p, r);
    const auto effects = explainer.sensitivity.defined()
                             ? explainer.sensitivity.effects(rows[r], asked)
                             : std::vector<std::vector<ColumnEffect>>(asked.size());
    for (std::size_t q = 0; q < asked.size(); ++q) {
      Explanation one{.row = rows[r],
                      .subject = asked[q].subject,
                      .against = asked[q].against,
                      .score = asked[q].score(p.scores.data() + r * p.width),
                      .constant = asked[q].constant(model),
                      .columns = effects[q],
                      .no_examples = why_no_examples(model)};
      explainer.add_sums(asked[q], r, one);
      std::ranges::stable_sort(one.columns, std::ranges::greater{},
                               [](const ColumnEffect& effect) { return std::abs(effect.effect); });
      all.push_back(std::move(one));
    }
    explainer.add_parts(chosen.select_rows(std::vector<std::size_t>{r}), asked,
                        std::span(all).last(asked.size()));
  }
  return all;
}

namespace {

// So many rows that the probes take about a second or two.
std::size_t affordable_rows(const Model& model, const Sensitivity& sensitivity, std::size_t wanted) {
  const double probe = double(model.fitted.expansion.points.stored() + model.columns + 1);
  const double rows = 1e10 / (probe * double(sensitivity.probes_per_row()));
  return std::max<std::size_t>(1, std::size_t(std::min(rows, double(wanted))));
}

}  // namespace

std::vector<ColumnInfluence> column_influence(const Model& model, const Points& points,
                                              const InfluenceOptions& options) {
  const Sensitivity sensitivity(model, points, options.threads);
  if (!sensitivity.defined()) return {};
  const std::size_t count = std::min(points.rows(), affordable_rows(model, sensitivity, options.rows));
  std::vector<std::size_t> rows(count);
  for (std::size_t r = 0; r < count; ++r) rows[r] = r * points.rows() / count;
  std::vector<ColumnInfluence> influences;
  for (const SourceColumn& column : sensitivity.columns())
    influences.push_back({influences.size(), column.name});
  const Predictions p = model.predict(points.select_rows(rows), options.threads);
  double asked = 0, total = 0;
  for (std::size_t r = 0; r < count; ++r) {
    options.progress.check("columns", double(r) / double(count));
    for (const auto& effects : sensitivity.effects(rows[r], questions(model, p, r))) {
      for (const ColumnEffect& effect : effects)
        influences[effect.column].influence += std::abs(effect.effect);
      asked += 1;
    }
  }
  for (ColumnInfluence& one : influences) one.influence /= std::max(asked, 1.0), total += one.influence;
  for (ColumnInfluence& one : influences) one.share = total > 0 ? one.influence / total : 0;
  std::ranges::stable_sort(influences, std::ranges::greater{}, &ColumnInfluence::influence);
  return influences;
}

namespace {

/// At most 60 bytes of a text, cut between two characters.
std::string shortened(std::string_view text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

std::string example_text(const Model& model, std::size_t example, std::span<const std::size_t> columns) {
  if (model.map) return {};
  const Points& points = model.fitted.expansion.points;
  const std::vector<double> row = unscaled(model.scaling, points.row(example));
  const std::vector<SourceColumn> sources = source_columns(model);
  std::string text;
  for (const Objects& column : points.objects())
    if (const Texts* texts = std::get_if<Texts>(&column.storage()))
      text += fmt::format("{}{}", text.empty() ? "" : ", ", shortened((*texts)[example]));
  for (const std::size_t c : columns) {
    const std::string value = value_text(sources.at(c), row);
    if (points.sparse() && value == "0") continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", sources[c].name, value);
  }
  return text;
}

std::string example_class(const Model& model, std::size_t example) {
  if (model.map || model.fitted.rule != Rule::one_vs_one) return {};
  std::size_t end = 0;
  for (std::size_t b = 0; b < model.fitted.expansion.blocks.size() && b < model.labels.size(); ++b)
    if (end += model.fitted.expansion.blocks[b]; example < end) return model.labels[b];
  return {};
}

}  // namespace mercer
