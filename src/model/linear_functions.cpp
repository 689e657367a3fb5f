// f(x) = wᵀx + b, so b = f(0) and w_j = f(e_j) − b at the unit vectors: any model with the linear kernel,
// whatever its scaling, map and expansion. The scaling shifts: f(0) may be large beside the weights, so that
// they are found from f(s·e_j) with s the column's own scale.
#include "mercer/linear_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/linear_form.hpp"
#include "mercer/error.hpp"
#include "mercer/features.hpp"
#include "model/sensitivity.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_columns = 100'000;

bool is_linear(const Model& model) {
  if (!model.method->traits().expands || model.columns == 0 || model.columns > most_columns ||
      model.fitted.expansion.self != 0)
    return false;
  if (!model.fitted.expansion.points.objects().empty()) return false;
  return LinearForm::of(model.kernel()) && (!model.map || model.map->exact());
}

std::vector<std::string> subjects(const Model& model) {
  const std::size_t outputs = model.fitted.rho.size(), k = model.labels.size();
  if (k == 2 && outputs == 1) return {fmt::format("{} against {}", model.labels[1], model.labels[0])};
  if (model.fitted.rule == Rule::one_vs_one) {
    std::vector<std::string> names;
    for (std::size_t a = 0; a < k; ++a)
      for (std::size_t b = a + 1; b < k; ++b)
        names.push_back(fmt::format("{} against {}", model.labels[a], model.labels[b]));
    return names;
  }
  return k > 0 ? model.labels : score_names(model);
}

// s_j e_j for each column, and 0: (columns + 1) × columns, sparse.
Points column_probes(std::span<const double> sizes) {
  const std::size_t d = sizes.size();
  Sparse<double> rows{d + 1, d, Buffer<std::size_t>(d + 2), Buffer<std::int32_t>(d), Buffer<double>(d)};
  std::iota(rows.starts.begin(), rows.starts.end(), std::size_t(0));
  rows.starts[d + 1] = d;
  std::iota(rows.indices.begin(), rows.indices.end(), 0);
  std::ranges::copy(sizes, rows.values.begin());
  return Points(std::move(rows));
}

// Some rows at a time: a scaling with a shift makes them dense.
std::vector<double> scores_of(const Model& model, const Points& rows) {
  constexpr std::size_t at_once = 256;
  std::vector<double> all;
  for (std::size_t begin = 0; begin < rows.rows(); begin += at_once) {
    std::vector<std::size_t> chosen(std::min(at_once, rows.rows() - begin));
    std::iota(chosen.begin(), chosen.end(), begin);
    const Predictions p = model.predict(rows.select_rows(chosen));
    all.insert(all.end(), p.scores.begin(), p.scores.end());
  }
  return all;
}

}  // namespace

std::vector<LinearFunction> linear_functions(const Model& model) {
  if (!is_linear(model)) return {};
  const std::size_t d = model.columns;
  std::vector<double> sizes(d, 1.0);
  for (std::size_t j = 0; j < model.scaling.scale().size(); ++j)
    if (const double scale = std::abs(model.scaling.scale()[j]); scale > 0) sizes[j] = 1 / scale;
  const std::vector<double> scores = scores_of(model, column_probes(sizes));
  const std::size_t width = model.fitted.rho.size();
  std::vector<LinearFunction> functions;
  for (const std::string& subject : subjects(model)) {
    const std::size_t o = functions.size();
    LinearFunction one{subject, std::vector<double>(d), scores[d * width + o]};
    for (std::size_t j = 0; j < d; ++j) one.weights[j] = (scores[j * width + o] - one.intercept) / sizes[j];
    functions.push_back(std::move(one));
  }
  return functions;
}

bool keeps_weights(const Model& model) {
  const Fitted& f = model.fitted;
  return model.method->traits().expands && f.expansion.points.rows() < f.report.support_vectors &&
         LinearSum::of(f.expansion.kernel, f.expansion.points);
}

FeatureFunctions feature_functions(const Model& model) {
  constexpr double most_features = 10'000;
  if (is_linear(model) || (model.map && !model.map->exact()) || model.columns == 0 ||
      !model.method->traits().expands || model.fitted.expansion.self != 0)
    return {};
  const Expansion& e = model.fitted.expansion;
  if (!model.map && (!e.points.objects().empty() || !e.points.ids().empty())) return {};
  // A row to see what the features are called.
  const Points row =
      model.map ? Points(Dense<double>{1, model.columns, Buffer<double>(model.columns, 0.0)},
                         model.map->state().names)
                : e.points.select_rows(std::vector<std::size_t>(std::min<std::size_t>(e.points.rows(), 1)));
  try {
    const FeatureCount count = count_features(model.kernel(), row.cols(), {}, row.names());
    if (count.truncated || count.log10 > std::log10(most_features) || row.rows() == 0) return {};
    FeatureFunctions found{.names = explicit_features(model.kernel(), row).names()};
    Model over = model;  // whose columns are the features
    over.map.reset();
    over.scaling = {};
    over.schema = {};
    if (!model.map)
      over.fitted.expansion.points = explicit_features(model.kernel(), e.points, {.names = false});
    over.fitted.expansion.kernel = Kernel::parse("linear");
    over.columns = found.names.size();
    if (over.fitted.expansion.points.cols() != over.columns) return {};
    found.functions = linear_functions(over);
    return found;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::usage) return {};  // no finite map
    throw;
  }
}

}  // namespace mercer
