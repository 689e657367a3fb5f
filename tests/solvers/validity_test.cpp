#include "mercer/validity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "operators/entries.hpp"
#include "mercer/kernels.hpp"
#include "mercer/user_kernel.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Verdict = Validity::Verdict;

Validity check(const std::string& text, const std::vector<Row>& rows, const Target& target = {},
               const ValidityOptions& options = {}) {
  return check_kernel(Kernel::parse(text), as_points(rows), target, options);
}

TEST(Validity, ProvesWhatTheRulesProve) {
  const auto rows = random_rows(50, 3, 1);
  for (const char* text : {"rbf(gamma=1)", "poly(degree=3)", "exp(0.1*linear)",
                           "0.5*rbf(gamma=1) + linear*poly(degree=2)", "rbf"}) {
    const Validity v = check(text, rows);
    EXPECT_EQ(v.verdict, Verdict::valid) << text << ": " << v.reason;
    EXPECT_TRUE(v.proof.psd && v.symmetric && !v.witness && !v.culprit) << text;
    EXPECT_TRUE(v.reason.starts_with("proved: ")) << v.reason;
    EXPECT_TRUE(v.kernel.resolved());
    ASSERT_EQ(v.eigenvalues.size(), 50u);
    EXPECT_TRUE(std::ranges::is_sorted(v.eigenvalues));
    EXPECT_GE(v.eigenvalues.front(), -v.tolerance) << text;
    EXPECT_LE(v.factor_error, 1e-10) << text;
    EXPECT_GT(v.tolerance, 0);
    EXPECT_FALSE(v.alignment);
  }
}

TEST(Validity, DoesNotProveButSeesNoViolation) {
  // 1 + 1.999 xᵀz + (xᵀz)²: valid in truth.
  const Validity v = check("poly(degree=2) - 0.001*linear", random_rows(30, 2, 2));
  EXPECT_EQ(v.verdict, Verdict::not_proved) << v.reason;
  EXPECT_TRUE(contains(v.reason, "no violation was seen on 30 rows")) << v.reason;
  EXPECT_TRUE(contains(v.reason, "negative coefficient")) << v.reason;
  EXPECT_FALSE(v.witness || v.culprit);
}

TEST(Validity, SaysUnderWhichConditionAKernelIsValid) {
  const auto rows = random_rows(40, 3, 2);
  for (const char* text : {"distance", "multiquadric(c=2)", "thin_plate", "distance + rbf(gamma=1)"}) {
    const Validity v = check(text, rows);
    EXPECT_EQ(v.verdict, Verdict::conditional) << text << ": " << v.reason;
    EXPECT_FALSE(v.proof.psd || v.witness || v.culprit);
    EXPECT_LT(v.eigenvalues.front(), -v.tolerance) << text << ": K itself is indefinite";
    ASSERT_TRUE(v.conditional_minimum);
    EXPECT_GE(*v.conditional_minimum, -v.tolerance) << text;
    EXPECT_TRUE(contains(v.reason, "only conditionally, of order")) << v.reason;
  }
  EXPECT_TRUE(contains(check("distance", rows).reason, "center(distance(beta=1)) is positive semidefinite"));
  EXPECT_EQ(check("center(distance)", rows).verdict, Verdict::valid);
  // Of 2 points at distance r, c = (1, −1)/√2: cᵀKc = r.
  EXPECT_NEAR(*check("distance", {{0, 0}, {3, 4}}).conditional_minimum, 5, 1e-12);
  EXPECT_FALSE(check("thin_plate", {{0, 0}, {3, 4}, {1, 0}}).conditional_minimum) << "no c is left";
}

TEST(Validity, FindsWhatIsUselessThoughValid) {
  const auto rows = random_rows(20, 3, 3);
  const Validity delta = check("delta", rows), constant = check("constant(c=3)", rows);
  EXPECT_EQ(delta.verdict, Verdict::useless);
  EXPECT_TRUE(contains(delta.reason, "diagonal") && contains(delta.reason, "no generalisation possible"))
      << delta.reason;
  EXPECT_NEAR(delta.effective_rank, 20, 1e-10);
  EXPECT_EQ(constant.verdict, Verdict::useless);
  EXPECT_TRUE(contains(constant.reason, "constant")) << constant.reason;
  EXPECT_NEAR(constant.effective_rank, 1, 1e-10);
  EXPECT_NEAR(constant.eigenvalues.back(), 60, 1e-10);
}

TEST(Validity, WarnsOfNearlyUselessKernels) {
  const auto rows = random_rows(40, 5, 4);
  const auto narrow = check("rbf(gamma=5)", rows), wide = check("rbf(gamma=1e-6)", rows),
             right = check("rbf(gamma=0.1)", rows);
  ASSERT_EQ(narrow.warnings.size(), 1u);
  EXPECT_TRUE(narrow.warnings.front().starts_with("nearly diagonal")) << narrow.warnings.front();
  ASSERT_EQ(wide.warnings.size(), 1u);
  EXPECT_TRUE(wide.warnings.front().starts_with("nearly constant")) << wide.warnings.front();
  EXPECT_TRUE(right.warnings.empty());
  EXPECT_EQ(narrow.verdict, Verdict::valid);
  Target random_target{.task = Task::regression, .name = "y", .labels = {}, .codes = {}, .values = {}};
  for (std::size_t i = 0; i < 40; ++i) random_target.values.push_back(i % 2 ? 1 : -1);
  std::vector<Row> pairs;  // both targets at every place
  for (std::size_t i = 0; i < 20; ++i) pairs.push_back(rows[i]), pairs.push_back(rows[i]);
  const auto unaligned = check("rbf(gamma=0.1)", pairs, random_target);
  ASSERT_EQ(unaligned.warnings.size(), 1u);
  EXPECT_TRUE(unaligned.warnings.front().starts_with("alignment with the target is only"))
      << unaligned.warnings.front();
}

TEST(Validity, AdvisesOnTheWidthsOfTheKernelAlone) {
  const auto rows = random_rows(40, 5, 4);
  for (const auto& [kernel, advice] :
       {std::pair{"rbf(gamma=5)", "(a smaller gamma)"},
        {"matern(length=0.3)", "(a larger length)"},
        {"rational_quadratic(alpha=9, length=0.1)", "(a larger length)"},  // alpha is no width
        {"manhattan(lambda=5)", "(a smaller lambda)"}}) {
    const auto narrow = check(kernel, rows);
    ASSERT_EQ(narrow.warnings.size(), 1u) << kernel;
    EXPECT_TRUE(contains(narrow.warnings.front(), advice)) << narrow.warnings.front();
  }
}

/// vᵀKv with K from the formula itself, on the rows that the witness names.
double quadratic(const Validity::Witness& w, const std::vector<Row>& rows, const Reference& k) {
  double sum = 0;
  for (std::size_t i = 0; i < w.rows.size(); ++i)
    for (std::size_t j = 0; j < w.rows.size(); ++j)
      sum += w.coefficients[i] * w.coefficients[j] * k(rows[w.rows[i]], rows[w.rows[j]]);
  return sum;
}

TEST(Validity, GivesAWitnessThatHoldsOnTheNamedRows) {
  const auto rows = random_rows(300, 2, 5);
  const std::pair<const char*, Reference> examples[] = {
      {"rbf(gamma=1) - linear",
       [](const Row& x, const Row& z) { return std::exp(-squared_gap(x, z)) - dot(x, z); }},
      {"sigmoid(scale=1, offset=-1)", [](const Row& x, const Row& z) { return std::tanh(dot(x, z) - 1); }},
      {"rbf(gamma=1) - 0.9*laplace(lambda=0.1)", [](const Row& x, const Row& z) {
         return std::exp(-squared_gap(x, z)) - 0.9 * std::exp(-0.1 * std::sqrt(squared_gap(x, z)));
       }}};
  for (const auto& [text, k] : examples)
    for (const std::size_t sample : {40, 1000}) {
      const Validity v = check(text, rows, {}, {.sample = sample, .seed = 7});
      EXPECT_EQ(v.verdict, Verdict::invalid) << text;
      EXPECT_LT(v.eigenvalues.front(), -v.tolerance);
      EXPECT_GT(v.factor_error, 0);
      ASSERT_TRUE(v.witness) << text;
      EXPECT_LT(v.witness->value, 0);
      EXPECT_LE(v.witness->rows.size(), 4u) << text;  // these violations show on few rows
      ASSERT_EQ(v.witness->rows.size(), v.witness->coefficients.size());
      for (const std::size_t row : v.witness->rows) EXPECT_TRUE(std::ranges::binary_search(v.rows, row));
      EXPECT_NEAR(quadratic(*v.witness, rows, k), v.witness->value, 1e-12 * (1 + std::abs(v.witness->value)))
          << text;
      EXPECT_TRUE(contains(v.reason, "not positive semidefinite")) << v.reason;
    }
}

TEST(Validity, NamesTheSmallestIndefinitePart) {
  const auto rows = random_rows(60, 3, 6);
  const std::pair<const char*, const char*> examples[] = {
      {"rbf(gamma=1) - 3*linear", "-3*linear"},
      {"rbf(gamma=1) + exp(rbf(gamma=1) - 3*linear)@[1, 2]", "-3*linear"},
      {"2*(rbf(gamma=1) + 5*sigmoid(scale=1, offset=-1))", "sigmoid(scale=1, offset=-1)"},
      {"rbf(gamma=1)*polynomial(linear, coefficients=[0, 1, -2])",
       "polynomial(linear, coefficients=[0, 1, -2])"},
      {"sigmoid(scale=1, offset=-2)", "sigmoid(scale=1, offset=-2)"}};
  for (const auto& [text, culprit] : examples) {
    const Validity v = check(text, rows);
    EXPECT_EQ(v.verdict, Verdict::invalid) << text;
    EXPECT_EQ(v.culprit.value_or("none"), culprit) << text;
  }
}

TEST(Validity, SeesAKernelThatIsNotSymmetric) {
  const Kernel lopsided = user_kernel("lopsided", [](std::span<const double> x, std::span<const double> z) {
    return x[0] * z[0] + 0.25 * x[0];
  });
  const Validity v = check_kernel(lopsided, Points(std::vector<Row>{{1}, {2}, {4}}), {});
  EXPECT_EQ(v.verdict, Verdict::invalid);
  EXPECT_FALSE(v.symmetric);
  EXPECT_NEAR(v.asymmetry, 0.25 * 3 / 17, 1e-15);  // k(4, 1) − k(1, 4), against k(4, 4) = 17
  EXPECT_TRUE(v.reason.starts_with("not symmetric")) << v.reason;
  EXPECT_FALSE(v.witness);
  const Kernel even =
      user_kernel("even", [](std::span<const double> x, std::span<const double> z) { return x[0] * z[0]; });
  EXPECT_EQ(check_kernel(even, Points(std::vector<Row>{{1}, {2}, {4}}), {}).verdict, Verdict::not_proved);
}

/// ⟨KHYYᵀH⟩ / (‖HKH‖ ‖HYYᵀH‖) by full matrices, H = I − 11ᵀ/n.
double direct_alignment(const std::vector<double>& K, const std::vector<double>& Y, std::size_t n) {
  const auto centred = [n](const std::vector<double>& A) {
    std::vector<double> out(A);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double row = 0, column = 0, all = 0;
        for (std::size_t k = 0; k < n; ++k) row += A[i * n + k], column += A[k * n + j];
        for (const double value : A) all += value;
        out[i * n + j] += -row / double(n) - column / double(n) + all / double(n * n);
      }
    return out;
  };
  const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  const auto A = centred(K), B = centred(Y);
  return product(A, B) / std::sqrt(product(A, A) * product(B, B));
}

TEST(Validity, AlignsWithTheTarget) {
  const std::size_t n = 25;
  const auto rows = random_rows(n, 2, 8);
  Target classes{
      .task = Task::classification, .name = "y", .labels = {"a", "b", "c"}, .codes = {}, .values = {}};
  Target real{.task = Task::regression, .name = "y", .labels = {}, .codes = {}, .values = {}};
  for (const Row& row : rows) {
    classes.codes.push_back(row[0] > 0.5 ? 2 : row[0] < -0.2 ? 0 : 1);
    real.values.push_back(row[0] + 0.3 * row[1] * row[1] + 10);
  }
  std::vector<double> same(n * n), products(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      same[i * n + j] = classes.codes[i] == classes.codes[j];
      products[i * n + j] = real.values[i] * real.values[j];
    }
  for (const char* text : {"rbf(gamma=0.5)", "linear", "poly(degree=2)"}) {
    const auto K = full(KernelOperator<double>(Kernel::parse(text), as_points(rows)));
    EXPECT_NEAR(check(text, rows, classes).alignment.value(), direct_alignment(K, same, n), 1e-12) << text;
    EXPECT_NEAR(check(text, rows, real).alignment.value(), direct_alignment(K, products, n), 1e-12) << text;
  }
  Target both{.task = Task::regression, .name = "u,v", .labels = {}, .codes = {}, .values = {}, .outputs = 2};
  std::vector<double> of_both(n * n);
  for (std::size_t i = 0; i < n; ++i)
    both.values.insert(both.values.end(), {real.values[i], double(classes.codes[i])});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      of_both[i * n + j] = products[i * n + j] + double(classes.codes[i]) * classes.codes[j];
  EXPECT_NEAR(
      check("linear", rows, both).alignment.value(),
      direct_alignment(full(KernelOperator<double>(Kernel::parse("linear"), as_points(rows))), of_both, n),
      1e-12);
  // A kernel that is the target aligns perfectly; one that is the same everywhere not at all.
  std::vector<Row> targets;
  for (const double y : real.values) targets.push_back({y});
  EXPECT_NEAR(check("linear", targets, real).alignment.value(), 1, 1e-12);
  EXPECT_EQ(check("constant(c=1)", rows, real).alignment.value(), 0);
  // On a sample the rows' own targets are used.
  const Validity sampled = check("rbf(gamma=0.5)", rows, real, {.sample = 12, .seed = 3});
  Target chosen = real;
  chosen.values.clear();
  std::vector<Row> some;
  for (const std::size_t i : sampled.rows) some.push_back(rows[i]), chosen.values.push_back(real.values[i]);
  EXPECT_NEAR(sampled.alignment.value(), check("rbf(gamma=0.5)", some, chosen).alignment.value(), 1e-12);
}

TEST(Validity, CountsTheDirectionsThatCarryTheMatrix) {
  // Eigenvalues 4, 1, 0: (4 + 1)² / (16 + 1)
  EXPECT_NEAR(check("linear", {{2, 0}, {0, 1}, {0, 0}}).effective_rank, 25.0 / 17, 1e-12);
  const Validity v = check("rbf(gamma=1) - linear", random_rows(20, 2, 9));
  double sum = 0, squares = 0;
  for (const double value : v.eigenvalues) sum += std::abs(value), squares += value * value;
  EXPECT_NEAR(v.effective_rank, sum * sum / squares, 1e-12);
}

TEST(Validity, SamplesWithTheSeed) {
  const auto rows = random_rows(200, 2, 10);
  const auto sample = [&](std::uint64_t seed) {
    return check("rbf(gamma=1)", rows, {}, {.sample = 30, .seed = seed}).rows;
  };
  const auto first = sample(1);
  EXPECT_EQ(first.size(), 30u);
  EXPECT_TRUE(std::ranges::is_sorted(first));
  EXPECT_EQ(std::set<std::size_t>(first.begin(), first.end()).size(), 30u);
  EXPECT_LT(first.back(), 200u);
  EXPECT_EQ(sample(1), first);
  EXPECT_NE(sample(2), first);
  EXPECT_EQ(check("rbf(gamma=1)", rows, {}, {.sample = 200}).rows.size(), 200u);
  EXPECT_EQ(check("rbf(gamma=1)", rows, {}, {.sample = 30, .threads = 1}).eigenvalues,
            check("rbf(gamma=1)", rows, {}, {.sample = 30, .threads = 4}).eigenvalues);
  std::set<std::size_t> seen;  // every row has its chance
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const std::size_t row : sample(seed)) seen.insert(row);
  EXPECT_EQ(seen.size(), 200u);
}

TEST(Validity, TakesOneRowAndRefusesNone) {
  const Validity one =
      check("rbf(gamma=1)", {{1, 2}},
            {.task = Task::regression, .name = "y", .labels = {}, .codes = {}, .values = {3}});
  EXPECT_EQ(one.verdict, Verdict::valid);
  EXPECT_EQ(one.eigenvalues, std::vector<double>{1});
  EXPECT_EQ(one.effective_rank, 1);
  EXPECT_FALSE(one.alignment);
  const Validity negative = check("-1*linear", {{2}});
  EXPECT_EQ(negative.verdict, Verdict::invalid);
  EXPECT_EQ(negative.witness.value().value, -4);
  EXPECT_EQ(check("linear", {{0, 0}}).verdict, Verdict::valid);  // K = 0
  EXPECT_EQ(thrown_by([] { check_kernel(linear(), Points(), {}); }).kind(), ErrorKind::data);
  EXPECT_EQ(thrown_by([] { check("linear", {{1}, {2}}, {}, {.sample = 0}); }).kind(), ErrorKind::usage);
}

// Rows that are there twice look alike under any kernel; that alone is no generalisation.
TEST(Validity, RepeatedRowsDoNotMakeAKernelUseful) {
  auto rows = random_rows(20, 3, 3);
  rows.push_back(rows.front());
  for (const char* text : {"delta", "2*delta", "delta + constant(c=0.5)", "rbf(gamma=1e9)",
                           "rbf(gamma=1e9) + 3*constant(c=1)"}) {
    const Validity v = check(text, rows);
    EXPECT_EQ(v.verdict, Verdict::useless) << text << ": " << v.reason;
    EXPECT_TRUE(contains(v.reason, "apart from 2 repeated rows") &&
                contains(v.reason, "no generalisation possible"))
        << v.reason;
    EXPECT_TRUE(v.warnings.empty());
  }
  EXPECT_TRUE(contains(check("delta + constant(c=0.5)", rows).reason, "constant off its diagonal (0.5)"));
  for (const char* text : {"rbf(gamma=0.1)", "linear", "delta + linear"})
    EXPECT_EQ(check(text, rows).verdict, Verdict::valid) << text;
}

// A table of one category has few different rows, each many times: what is learned of a category carries over
// to its other rows.
TEST(Validity, RowsOfAFewKindsAreWorthSomething) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < 30; ++i)
    rows.push_back({i % 3 == 0 ? 1.0 : 0.0, i % 3 == 1 ? 1.0 : 0.0, i % 3 == 2 ? 1.0 : 0.0});
  for (const char* text : {"delta", "linear", "rbf(gamma=1)"}) {
    const Validity v = check(text, rows);
    EXPECT_EQ(v.verdict, Verdict::valid) << text << ": " << v.reason;
    ASSERT_EQ(v.warnings.size(), 1u) << text;
    EXPECT_TRUE(contains(v.warnings[0],
                         "every two different rows are equally similar: only the 30 repeated rows (of 30)"))
        << v.warnings[0];
  }
  // A single pair says nothing of others.
  EXPECT_EQ(check("rbf(gamma=1)", {{0}, {1}}).verdict, Verdict::valid);
}

TEST(Validity, AdvisesTheParametersThatTheKernelHas) {
  const auto rows = random_rows(40, 5, 4);
  const auto warning = [&](const char* text) {
    const Validity v = check(text, rows);
    return v.warnings.empty() ? std::string("none") : v.warnings.front();
  };
  EXPECT_TRUE(contains(warning("rbf(gamma=5)"), "(a smaller gamma)")) << warning("rbf(gamma=5)");
  EXPECT_TRUE(contains(warning("rbf(sigma=0.3)"), "(a larger sigma)")) << warning("rbf(sigma=0.3)");
  EXPECT_TRUE(contains(warning("matern(nu=0.5, length=0.2)"), "(a larger length)"))
      << warning("matern(nu=0.5, length=0.2)");
  EXPECT_TRUE(contains(warning("rbf(gamma=1e-7)"), "(a larger gamma)")) << warning("rbf(gamma=1e-7)");
  EXPECT_FALSE(contains(warning("delta + 0.001*linear"), "gamma")) << warning("delta + 0.001*linear");
  EXPECT_FALSE(contains(warning("rbf(gamma=1e-7)"), "above")) << warning("rbf(gamma=1e-7)");
  std::vector<Row> line;  // one column: all cosines are 1, and yet the rows differ
  for (int i = 1; i < 20; ++i) line.push_back({double(i)});
  EXPECT_TRUE(check("linear", line).warnings.empty());
}

TEST(CheckKernel, WarnsOfValuesThatDrownOthers) {
  Dense<double> rows{40, 2, Buffer<double>(80)};
  for (std::size_t e = 0; e < 80; ++e) rows.values[e] = 1000 * std::sin(double(e));
  const Points points(std::move(rows));
  const auto warned = [&](const char* text) {
    const Validity v = check_kernel(Kernel::parse(text), points, {});
    return std::ranges::any_of(v.warnings, [](const std::string& w) {
      return w.find("smaller values are lost to rounding; scale the columns") != std::string::npos;
    });
  };
  EXPECT_TRUE(warned("poly(degree=10)"));
  EXPECT_FALSE(warned("poly(degree=2)"));
  EXPECT_FALSE(warned("normalize(poly(degree=10))"));
  EXPECT_FALSE(warned("rbf(gamma=1e-6)"));
}

}  // namespace
}  // namespace mercer
