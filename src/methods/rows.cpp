#include "methods/rows.hpp"

#include <algorithm>
#include <numeric>

#include "operators/compiled_kernel.hpp"
#include "mercer/error.hpp"
#include "methods/linear_weights.hpp"
#include "operators/row_features.hpp"

namespace mercer {

Rows::Rows(const Training& training) {
  numbers.reserve(training.points.rows());
  weights.reserve(training.points.rows());
  for (std::size_t i = 0; i < training.points.rows(); ++i)
    if (training.weights.empty() || training.weights[i] > 0) {
      numbers.push_back(i);
      weights.push_back(training.weights.empty() ? 1 : training.weights[i]);
    }
  if (numbers.empty()) throw Error(ErrorCode::invalid_data, "there are no rows to learn from");
  const bool all = size() == training.points.rows();
  points = all ? training.points : training.points.select_rows(numbers);
  if (training.features)
    features = all ? training.features : std::make_shared<RowFeatures>(training.features->select(numbers));
}

bool Rows::weighted() const noexcept {
  return std::ranges::any_of(weights, [](double w) { return w != 1; });
}

std::vector<double> Rows::values(const Target& target) const {
  const std::size_t outputs = target.size() == 0 ? 1 : target.values.size() / target.size();
  std::vector<double> own;
  own.reserve(numbers.size() * outputs);
  for (const std::size_t i : numbers)
    own.insert(own.end(), target.values.begin() + std::ptrdiff_t(i * outputs),
               target.values.begin() + std::ptrdiff_t((i + 1) * outputs));
  return own;
}

std::vector<std::int32_t> Rows::codes(const Target& target) const {
  std::vector<std::int32_t> own;
  own.reserve(numbers.size());
  for (const std::size_t i : numbers) own.push_back(target.codes[i]);
  return own;
}

KernelSystem system_of(const Kernel& kernel, const Points& points,
                       const std::shared_ptr<const RowFeatures>& features, const std::string& solver,
                       const FitOptions& options, Progress progress) {
  const SystemOptions how{.threads = options.threads,
                          .memory = options.memory,
                          .seed = options.seed,
                          .way = solver == "cholesky" || solver == "cg" ? solver : "auto",
                          .progress = std::move(progress)};
  if (!features) return KernelSystem(kernel, points, how);
  return KernelSystem(features, how,
                      features->exact() ? std::optional(KernelSystem::Exact{kernel, points}) : std::nullopt);
}

namespace {

// w = Φᵀα for each column of the coefficients: outputs × features.
std::vector<double> feature_weights(const RowFeatures& features, std::span<const double> coefficients,
                                    std::size_t width) {
  const std::size_t p = features.features();
  std::vector<double> by_feature(p * width), W(p * width);
  features.multiply_transposed(coefficients, width, by_feature);
  for (std::size_t c = 0; c < width; ++c)
    for (std::size_t j = 0; j < p; ++j) W[c * p + j] = by_feature[j * width + c];
  return W;
}

std::vector<double> unit_matrix(std::size_t size) {
  std::vector<double> unit(size * size, 0);
  for (std::size_t i = 0; i < size; ++i) unit[i * size + i] = 1;
  return unit;
}

void append_row(std::vector<double>& to, std::span<const double> from, std::size_t i, std::size_t width) {
  const auto row = from.subspan(i * width, width);
  to.insert(to.end(), row.begin(), row.end());
}

}  // namespace

Fitted over_weights(const RowFeatures& features, std::span<const double> W, std::size_t outputs, Rule rule) {
  if (const LandmarkForm* form = features.landmarks()) {
    const std::size_t m = form->count();
    std::vector<double> coefficients(m * outputs);
    for (std::size_t e = 0; e < coefficients.size(); ++e) coefficients[e] = W[e % outputs * m + e / outputs];
    form->to_coefficients(coefficients, outputs);
    Fitted fitted{.expansion = {.kernel = form->kernel, .points = form->landmarks}, .rule = rule};
    fitted.expansion.width = outputs;
    fitted.expansion.coefficients = std::move(coefficients);
    fitted.expansion.blocks = {m};
    return fitted;
  }
  Dense<double> weights{outputs, features.features(), Buffer<double>(W.size())};
  std::ranges::copy(W, weights.values.begin());
  Fitted fitted{.expansion = {.kernel = Kernel::parse("linear"), .points = Points(std::move(weights))},
                .rule = rule};
  fitted.expansion.width = outputs;
  fitted.expansion.coefficients = unit_matrix(outputs);
  fitted.expansion.blocks = {outputs};
  return fitted;
}

Fitted expand(const Training& training, const Rows& rows, std::vector<double> coefficients,
              std::vector<double> rho, Rule rule) {
  Fitted fitted{.expansion = {.kernel = training.kernel}, .rule = rule, .rho = std::move(rho)};
  const Points& points = rows.points;
  Expansion& e = fitted.expansion;
  e.width = fitted.rho.size();
  std::vector<std::size_t> kept;
  const bool keep_all = looks_at_all_points(training.kernel);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const auto row = std::span(coefficients).subspan(i * e.width, e.width);
    const bool supports = std::ranges::any_of(row, [](double c) { return c != 0; });
    fitted.report.support_vectors += supports;
    if (supports || keep_all) kept.push_back(i);
  }
  if (training.over_features) {
    Fitted over =
        over_weights(*rows.features, feature_weights(*rows.features, coefficients, e.width), e.width, rule);
    over.rho = std::move(fitted.rho);
    over.report.support_vectors = fitted.report.support_vectors;
    for (const std::size_t i : kept) {
      over.support.rows.push_back(rows.numbers[i]);
      append_row(over.support.coefficients, coefficients, i, e.width);
    }
    return over;
  }
  if (kept.size() == points.rows()) {
    e.points = points;
    e.coefficients = std::move(coefficients);
  } else {
    e.points = points.select_rows(kept);
    for (const std::size_t i : kept) append_row(e.coefficients, coefficients, i, e.width);
  }
  for (const std::size_t i : kept) fitted.support.rows.push_back(rows.numbers[i]);
  e.blocks = {e.points.rows()};
  keep_weights(fitted, false);
  return fitted;
}

}  // namespace mercer
