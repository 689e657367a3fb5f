// What the tests of methods that learn online share: the same model, bit by bit, in whatever parts rows come.
#pragma once

#include <fmt/format.h>

#include "message_of.hpp"
#include "methods/problems.hpp"

namespace mercer {

namespace testing {

/// k of all pairs of rows.
inline Table gram_of(const Points& points, const KernelFunction& k) {
  Table K(points.rows(), std::vector<double>(points.rows()));
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (std::size_t j = 0; j < points.rows(); ++j) K[i][j] = k(points.row(i), points.row(j));
  return K;
}

inline Model in_parts(const AnyMethod& method, const Kernel& kernel, const Dataset& data, std::size_t part,
                      const FitOptions& options = {}) {
  std::optional<Model> model;
  for (std::size_t begin = 0; begin < data.rows(); begin += part) {
    std::vector<std::size_t> rows(std::min(part, data.rows() - begin));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = begin + i;
    FitOptions how = options;
    if (model) how.resume = &*model;
    model = fit(method, kernel, data.select_rows(rows), how);
    model = Model::from_bytes(model->bytes());  // as it is after it was saved
  }
  return *std::move(model);
}

inline void expect_same_bits(const Model& a, const Model& b) {
  EXPECT_EQ(a.fitted.expansion.coefficients, b.fitted.expansion.coefficients);
  EXPECT_EQ(a.fitted.rho, b.fitted.rho);
  EXPECT_EQ(a.fitted.state, b.fitted.state);
  EXPECT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.fitted.expansion.points.rows(), b.fitted.expansion.points.rows());
  for (std::size_t i = 0; i < a.fitted.expansion.points.rows(); ++i)
    EXPECT_EQ(a.fitted.expansion.points.row(i), b.fitted.expansion.points.row(i));
}

/// Rows of whole numbers, far from 0, deep and sparse ones: all that the engine treats in its own way.
inline void expect_same_in_parts(const AnyMethod& method, Dataset data) {
  const std::size_t n = data.rows();
  Table whole, far, deep;
  Random random(3);
  for (std::size_t i = 0; i < n; ++i) {
    whole.push_back({});
    deep.push_back({});
    for (int c = 0; c < 12; ++c) whole.back().push_back(double(random.below(3)));
    for (int c = 0; c < 100; ++c) deep.back().push_back(random.normal() / 10);
    far.push_back(data.points.row(i));
    for (double& value : far.back()) value = value / 10 + 1000;
    for (int c = 0; c < 9; ++c) far.back().push_back(1000 + random.normal() / 10);
  }
  const std::vector<Points> kinds{data.points,
                                  Points(whole),
                                  Points(far),
                                  Points(deep),
                                  Points(whole).to_sparse(),
                                  data.points.with_precision(Precision::float32)};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind)
    for (const char* text :
         {"rbf(gamma=0.7)", "0.1*normalize(poly(degree=2, offset=1, scale=0.01)) + laplace(lambda=0.3)"}) {
      SCOPED_TRACE(fmt::format("{}, points of kind {}", text, kind));
      data.points = kinds[kind];
      const Kernel kernel = Kernel::parse(text);
      const Model whole_model = fit(method, kernel, data);
      for (const std::size_t part : {std::size_t(1), std::size_t(7), n})
        for (const int threads : {1, 2})
          expect_same_bits(in_parts(method, kernel, data, part, {.threads = threads}), whole_model);
    }
}

}  // namespace testing
}  // namespace mercer
