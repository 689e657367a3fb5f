// What the tests of methods share: small problems, a machine written out in double loops, and what is
// expected of both.
#pragma once

#include <algorithm>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/methods.hpp"
#include "mercer/model.hpp"

namespace mercer::testing {

/// For traces: what a value of an enum is called.
template <class Enum>
std::string word(Enum value) {
  return std::string(words_of(value)[std::size_t(value)]);
}

using Table = std::vector<std::vector<double>>;

/// Classes around distinct centres, in turn: row i is of class i mod classes.
inline Dataset blobs(std::size_t n, std::size_t classes, std::uint64_t seed, double spread = 1,
                     std::size_t cols = 3) {
  Random random(seed);
  Dataset data;
  data.target.task = Task::classification;
  Table centres(classes, std::vector<double>(cols)), rows;
  for (auto& centre : centres)
    for (double& value : centre) value = random.uniform(-2, 2);
  for (std::size_t c = 0; c < classes; ++c) data.target.labels.push_back(std::to_string(c + 1));
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> row = centres[i % classes];
    for (double& value : row) value += spread * random.normal();
    rows.push_back(std::move(row));
    data.target.codes.push_back(std::int32_t(i % classes));
  }
  data.points = Points(rows);
  return data;
}

/// A wave with noise.
inline Dataset wave(std::size_t n, std::uint64_t seed, double noise = 0.3) {
  Random random(seed);
  Dataset data;
  data.target.task = Task::regression;
  Table rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.push_back({random.uniform(-3, 3), random.uniform(-1, 1)});
    data.target.values.push_back(std::sin(rows.back()[0]) + 0.5 * rows.back()[1] + noise * random.normal());
  }
  data.points = Points(rows);
  return data;
}

/// Counts whose rate is e^(sin x + 1) of the first column: Poisson's numbers, by Knuth's product.
inline Dataset counts(std::size_t n, std::uint64_t seed) {
  Random random(seed + 100);
  Dataset data = wave(n, seed);
  for (std::size_t i = 0; i < n; ++i) {
    const double least = std::exp(-std::exp(std::sin(data.points.row(i)[0]) + 1));
    double& count = data.target.values[i] = 0;
    for (double product = random.uniform(); product > least; product *= random.uniform()) ++count;
  }
  return data;
}

inline Dataset two_classes(const Table& rows, std::vector<std::int32_t> codes) {
  Dataset data;
  data.points = Points(rows);
  data.target = {Task::classification, "", {"a", "b"}, std::move(codes), {}};
  return data;
}

/// The SVMs: methods with a dual, variables at bounds and fits that can be gone on with.
inline std::vector<AnyMethod> svms() { return {Svm{}, NuSvm{}, Svr{}, NuSvr{}, OneClass{}}; }

/// The data that a method asks for.
inline Dataset data_for(const Method& method, std::size_t n = 40, std::uint64_t seed = 1) {
  if (method.name() == "poisson") return counts(n, seed);
  if (method.traits().task == Task::regression) return wave(n, seed);
  Dataset data = blobs(n, !supervised(method.traits().task) ? 1 : method.name() == "mmd" ? 2 : 3, seed);
  if (!supervised(method.traits().task)) data.target = {};
  return data;
}

/// Methods that take the kernel for a weight refuse one that is negative somewhere, inducing points cannot
/// stand for the rows that a mean is taken over, and linear machines are for linear kernels.
inline bool suits(const Method& method, std::string_view kernel) {
  if (method.traits().needs_columns) return kernel == "linear";
  if (method.name() == "sparse_gp" || method.traits().online) return !kernel.starts_with("center");
  return (method.name() != "nadaraya_watson" && method.name() != "lwlr" && method.name() != "spectral") ||
         kernel.starts_with("rbf");
}

/// One that every method takes but for linear machines, which have their own.
inline Kernel usual_kernel(const Method& method) {
  return Kernel::parse(method.traits().needs_columns ? "linear" : "rbf(gamma=1)");
}

inline Dataset choose(const Dataset& data, const std::vector<std::size_t>& rows) {
  Dataset chosen = data;
  chosen.points = data.points.select_rows(rows);
  chosen.target.codes.clear();
  chosen.target.values.clear();
  chosen.weights.clear();
  for (const std::size_t i : rows) {
    if (!data.target.codes.empty()) chosen.target.codes.push_back(data.target.codes[i]);
    if (!data.target.values.empty()) chosen.target.values.push_back(data.target.values[i]);
    if (!data.weights.empty()) chosen.weights.push_back(data.weights[i]);
  }
  return chosen;
}

inline std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = random.below(i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  return order;
}

inline std::vector<double> numbers_of(const Target& target) {
  return target.task == Task::classification ? target.numbers() : target.values;
}

inline FitOptions tight(double tolerance = 1e-6) { return {.tolerance = tolerance, .threads = 2}; }

// --- The kernels of the comparisons, written a second time.
inline double dot(const std::vector<double>& x, const std::vector<double>& z) {
  double sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += x[c] * z[c];
  return sum;
}
inline double rbf(const std::vector<double>& x, const std::vector<double>& z, double gamma) {
  double sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += (x[c] - z[c]) * (x[c] - z[c]);
  return std::exp(-gamma * sum);
}
using KernelFunction = std::function<double(const std::vector<double>&, const std::vector<double>&)>;
struct PlainKernel {
  std::string expression;
  KernelFunction value;
};
inline const std::vector<PlainKernel> plain_kernels{
    {"linear", dot},
    {"poly(degree=2, scale=0.5, offset=1)",
     [](auto& x, auto& z) { return std::pow(0.5 * dot(x, z) + 1, 2); }},
    {"rbf(gamma=0.5)", [](auto& x, auto& z) { return rbf(x, z, 0.5); }},
    {"0.5*rbf(gamma=2) + linear", [](auto& x, auto& z) { return 0.5 * rbf(x, z, 2) + dot(x, z); }}};

/// The coefficients that a column of the expansion gives to the rows of `points`, which must be distinct.
inline std::vector<double> coefficients_of(const Model& model, const Points& points, std::size_t column = 0) {
  const Expansion e = over_support(model.fitted);
  std::vector<double> coefficients(points.rows(), 0);
  for (std::size_t s = 0; s < e.points.rows(); ++s) {
    std::size_t i = 0;
    while (i < points.rows() && points.row(i) != e.points.row(s)) ++i;
    EXPECT_LT(i, points.rows()) << "a support vector is not a training row";
    if (i < points.rows()) coefficients[i] = e.coefficients[s * e.width + column];
  }
  return coefficients;
}

/// Σⱼ βⱼ k(xⱼ, xᵢ) − ρ for every row, in double loops.
inline std::vector<double> decision(const Points& points, const std::vector<double>& beta, double level,
                                    const KernelFunction& k) {
  std::vector<double> f(points.rows(), -level);
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (std::size_t j = 0; j < points.rows(); ++j) f[i] += beta[j] * k(points.row(j), points.row(i));
  return f;
}

/// ½βᵀKβ
inline double half_norm(const Points& points, const std::vector<double>& beta, const KernelFunction& k) {
  const std::vector<double> f = decision(points, beta, 0, k);
  double sum = 0;
  for (std::size_t i = 0; i < f.size(); ++i) sum += 0.5 * beta[i] * f[i];
  return sum;
}

inline double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

inline void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance,
                        const std::string& what = "") {
  ASSERT_EQ(a.size(), b.size()) << what;
  double scale = 1;
  for (const double value : b) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], tolerance * scale) << what << ", entry " << i;
}

/// Everything in the model and in what it says of `points` is a number.
inline void expect_finite(const Model& model, const Points& points, const std::string& what = "") {
  const auto finite = [](const std::vector<double>& values) {
    for (const double value : values)
      if (!std::isfinite(value)) return false;
    return true;
  };
  EXPECT_TRUE(finite(model.fitted.expansion.coefficients)) << what;
  EXPECT_TRUE(finite(model.fitted.rho)) << what;
  EXPECT_TRUE(finite(model.predict(points).scores)) << what;
  const FitReport& r = model.fitted.report;
  EXPECT_TRUE(finite({r.objective, r.violation, r.gap}))
      << what << ": " << r.objective << ", " << r.violation << ", " << r.gap;
}

/// Of several values the one of this name, or the one at this place; NaN where there is none.
inline double diagnostic(const Model& model, std::string_view id, std::string_view name) {
  const Diagnostic* d = model.fitted.report.diagnostic(id);
  if (!d) return NAN;
  const auto found = std::ranges::find(d->names, name);
  return found == d->names.end() ? NAN : d->values[std::size_t(found - d->names.begin())];
}
inline double diagnostic(const Model& model, std::string_view id, std::size_t place = 0) {
  const Diagnostic* d = model.fitted.report.diagnostic(id);
  return d && place < d->values.size() ? d->values[place] : NAN;
}

inline double accuracy(const Model& model, const Dataset& data) {
  const Predictions p = model.predict(data.points);
  double right = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) right += p.codes[i] == data.target.codes[i];
  return right / double(data.rows());
}

}  // namespace mercer::testing
