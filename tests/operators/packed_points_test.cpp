#include "operators/packed_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/entries.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Domain, RefusesPointsThatAreNotFinite) {
  for (const double wrong : {infinity, -infinity, std::nan("")})
    for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64, Kind::sparse32}) {
      auto rows = random_rows(4, 3, 1);
      rows[2][1] = wrong;
      const Error error =
          thrown_by([&] { KernelOperator<double>(rbf({.gamma = 1}), as_points(rows, kind)); });
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_TRUE(contains(error.what(), "row 3, column 2 is")) << error.what();
      EXPECT_TRUE(contains(error.what(), "points must be finite numbers")) << error.what();
      EXPECT_EQ(thrown_by([&] {
                  KernelOperator<double>(linear(), as_points(random_rows(2, 3, 1)), as_points(rows, kind));
                }).kind(),
                ErrorKind::data);
      EXPECT_EQ(thrown_by([&] {
                  KernelOperator<float>(linear(), as_points(rows, kind), as_points(random_rows(2, 3, 1)));
                }).kind(),
                ErrorKind::data);
    }
}

TEST(Domain, RefusesNegativePointsWhereTheKernelIsUndefined) {
  for (const char* name : {"intersection", "chi2"})
    for (const Kind kind : {Kind::dense64, Kind::sparse32}) {
      auto rows = random_rows(5, 4, 2, true);
      rows[4][3] = -0.25;
      const Error error = thrown_by([&] {
        KernelOperator<double>(Kernel::parse(std::string("linear + ") + name), as_points(rows, kind));
      });
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_TRUE(contains(error.what(), std::string("row 5, column 4 is -0.25, but ") + name +
                                             " is defined for values ≥ 0 only"))
          << error.what();
      // Not that column.
      KernelOperator<double>(Kernel::parse(std::string("linear + ") + name + "@[1, 2]"),
                             as_points(rows, kind));
      // Nor its square.
      KernelOperator<double>(Kernel::parse(std::string("mapped(") + name + ", by=squares)"),
                             as_points(rows, kind));
    }
}

TEST(Domain, UsesTheColumnsNamesAndTheSparseRow) {
  const Points named(Dense<double>{1, 2,
                                   [] {
                                     Buffer<double> values(2, 1.0);
                                     values[1] = infinity;
                                     return values;
                                   }()},
                     {"mass", "charge"});
  EXPECT_TRUE(contains(thrown_by([&] { check_domain(named, "", Precision::float64); }).what(),
                       "row 1, charge is inf"));
  std::vector<Row> rows(6, Row(5));
  rows[4][2] = -1;
  const Points sparse = as_points(rows, Kind::sparse64);  // rows without a single number come first
  EXPECT_TRUE(contains(thrown_by([&] { check_domain(sparse, "chi2", Precision::float64); }).what(),
                       "row 5, column 3"));
  check_domain(sparse, "", Precision::float32);
}

TEST(Domain, RefusesWhatFloat32CannotHold) {
  const Points large(std::vector<Row>{{1, 1e39}}), small(std::vector<Row>{{1, 3e38}});
  check_domain(large, "", Precision::float64);
  check_domain(small, "", Precision::float32);
  EXPECT_TRUE(contains(thrown_by([&] { check_domain(large, "", Precision::float32); }).what(),
                       "row 1, column 2 is 1e+39, too large for float32"));
}

TEST(EvaluatePoints, IsAFormulaAtEachPoint) {
  Formula f;
  f.finish(exp(f.column_value(1)) * f.column_value(0) + 3);
  for (const std::size_t n : {0, 1, 7, 513}) {
    std::vector<std::vector<double>> values(2);
    for (std::size_t i = 0; i < n; ++i) values[0].push_back(double(i)), values[1].push_back(-double(i) / 9);
    const auto out = evaluate_points(f, values, n);
    ASSERT_EQ(out.size(), n);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(out[i], std::exp(values[1][i]) * values[0][i] + 3, 1e-13);
  }
}

template <class T>
PackedPoints<T> side_of(const CompiledKernel& program, const Points& points,
                        const PackedPoints<T>* reference = nullptr) {
  std::vector<Layout> layouts;
  std::vector<Points> seen = program.views_of(points, reference ? &reference->views : nullptr, 1);
  for (const Points& view : seen)
    layouts.push_back({.dense = !view.sparse(), .columns = view.cols(), .centre = {}});
  return PackedPoints<T>(program, layouts, std::move(seen), reference);
}

TEST(PackedPoints, HoldsNormsMeansAndFunctionsOfItsPoints) {
  const auto rows = random_rows(9, 3, 3), others = random_rows(5, 3, 4);
  const CompiledKernel program(weighted(center(linear()), "norm"));
  const auto reference = side_of<double>(program, as_points(others));
  for (const Kind kind : {Kind::dense64, Kind::sparse64}) {
    const auto side = side_of<double>(program, as_points(rows, kind), &reference);
    ASSERT_EQ(side.values.size(), program.values.size());
    for (std::size_t v = 0; v < program.values.size(); ++v)
      for (std::size_t i = 0; i < 9; ++i) {
        double expected = std::sqrt(dot(rows[i], rows[i]));
        if (program.values[v].kind == CompiledKernel::Value::Kind::self) expected *= expected;
        if (program.values[v].kind == CompiledKernel::Value::Kind::formula) continue;
        if (program.values[v].kind == CompiledKernel::Value::Kind::mean) {
          expected = 0;
          for (const Row& r : others) expected += dot(rows[i], r) / 5;
        }
        if (program.values[v].kind == CompiledKernel::Value::Kind::all_mean) {
          expected = 0;
          for (const Row& r : others)
            for (const Row& s : others) expected += dot(s, r) / 25;
        }
        EXPECT_NEAR(side.values[v][i], expected, 1e-13) << program.values[v].key;
      }
  }
}

TEST(PackedPoints, GathersEverythingThatBelongsToAPoint) {
  const Kernel plain = Kernel::parse("normalize(poly(degree=2)) + rbf(gamma=1)@[1, 3] + manhattan(lambda=1)");
  const CompiledKernel program(
      plain + user_kernel("first", PairFunction([](auto x, auto z) { return x[0] * z[0]; })));
  const auto rows = random_rows(12, 4, 5);
  EXPECT_TRUE(side_of<float>(CompiledKernel(plain), as_points(rows))
                  .gather(std::vector<std::size_t>{3})
                  .views.empty());  // of no use
  for (const Kind kind : {Kind::dense32, Kind::sparse32}) {
    const auto side = side_of<float>(program, as_points(rows, kind));
    const std::vector<std::size_t> chosen{11, 0, 0, 7};
    const auto picked = side.gather(chosen);
    EXPECT_EQ(picked.rows, 4u);
    EXPECT_TRUE(picked.is_reference);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(picked.row_id(i), chosen[i]);
      EXPECT_EQ(picked.views[0].row(i), rows[chosen[i]]);
      for (std::size_t v = 0; v < side.values.size(); ++v) {
        EXPECT_EQ(picked.values[v][i], side.values[v][chosen[i]]);
        EXPECT_EQ(picked.rounded[v][i], side.rounded[v][chosen[i]]);
      }
      EXPECT_EQ(squared_norm(picked.plain[0], i), squared_norm(side.plain[0], chosen[i]));
    }
    const auto again = picked.gather(std::vector<std::size_t>{3});
    EXPECT_EQ(again.row_id(0), 7u);
  }
}

}  // namespace
}  // namespace mercer
