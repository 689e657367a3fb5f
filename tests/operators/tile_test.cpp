// Tiles against independent double loops over the whole catalogue, every rule, storages and shapes.
#include "operators/tile.hpp"

#include <gtest/gtest.h>
#include <lapacke.h>

#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "operators/entries.hpp"
#include "operators/object_kernels.hpp"
#include "kernels/catalogue.hpp"
#include "mercer/kernels/precomputed.hpp"
#include "mercer/error.hpp"
#include "mercer/kernels.hpp"
#include "mercer/user_kernel.hpp"
#include "random_points.hpp"
#include "reference_kernels.hpp"

namespace mercer {
namespace {

std::size_t dimension_for(const std::string& text, std::size_t wanted) {
  return text.starts_with("quadratic_form") ? 3 : text.starts_with("spectral_mixture") ? 2 : wanted;
}

void number_rows(std::vector<Row>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][0] = double(i + 1);
}

TEST(EveryKernel, HasAReference) {
  for (const auto& leaf : leaves())
    EXPECT_TRUE(!leaf->traits().domains.empty() || reference_kernels().contains(std::string(leaf->name())))
        << leaf->name();
}

TEST(EveryKernel, EqualsADoubleLoop) {
  for (const auto& [name, reference] : reference_kernels()) {
    const Kernel k = Kernel::parse(reference.text);
    for (const auto& [n, m, wanted] :
         {std::tuple{1, 1, 1}, {2, 3, 2}, {7, 1, 5}, {33, 130, 7}, {150, 259, 17}}) {
      const std::size_t d = reference.numbered ? std::size_t(std::max(n, m)) + 1
                                               : dimension_for(reference.text, std::size_t(wanted));
      auto x = random_rows(std::size_t(n), d, 1, reference.non_negative);
      auto z = random_rows(std::size_t(m), d, 2, reference.non_negative);
      z.front() = x.front();  // a point that is in both sets
      if (reference.numbered) number_rows(x), number_rows(z);
      const auto expected = double_loop(reference.function, x, z);
      const auto points = [&](const std::vector<Row>& rows, Kind kind) {
        return reference.numbered ? kernel_rows(as_points(rows, kind)) : as_points(rows, kind);
      };
      for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64, Kind::sparse32}) {
        const std::string what =
            reference.text + " " + std::to_string(n) + "×" + std::to_string(m) + "×" + std::to_string(d);
        expect_close(full(KernelOperator<double>(k, points(x, kind), points(z, kind))), expected, 1e-12,
                     what);
        expect_close(full(KernelOperator<float>(k, points(x, kind), points(z, kind))), expected, 1e-5, what);
      }
      expect_close(full(KernelOperator<double>(k, points(x, Kind::sparse32), points(z, Kind::dense64))),
                   expected, 1e-12, "mixed " + reference.text);
    }
  }
}

TEST(EveryKernel, EqualsADoubleLoopOnVerySparsePoints) {  // wide enough that sparse products are chosen
  for (const auto& [name, reference] : reference_kernels()) {
    if (name == "quadratic_form" || name == "spectral_mixture" || reference.numbered) continue;
    auto x = random_rows(20, 3000, 3, reference.non_negative);
    Random random(4);
    for (Row& row : x)
      for (double& value : row)
        if (random.uniform() < 0.99) value = 0;
    x[3] = x[5];
    std::fill(x[7].begin(), x[7].end(), 0.0);
    const auto expected = double_loop(reference.function, x, x);
    if (name == "anova" || name == "periodic") continue;  // 3000 equal terms leave nothing to compare
    expect_close(full(KernelOperator<double>(Kernel::parse(reference.text), as_points(x, Kind::sparse64))),
                 expected, 1e-12, reference.text);
    expect_close(full(KernelOperator<float>(Kernel::parse(reference.text), as_points(x, Kind::sparse32))),
                 expected, 2e-5, reference.text);
  }
}

TEST(EveryKernel, IsPositiveSemidefiniteWhereItClaimsToBe) {
  for (const auto& [name, reference] : reference_kernels()) {
    const Kernel k = Kernel::parse(reference.text);
    if (!k.properties().psd) continue;
    const std::size_t n = 60;
    const auto x = as_points(random_rows(n, dimension_for(reference.text, 4), 5, reference.non_negative));
    auto K = full(KernelOperator<double>(k, x));
    std::vector<double> eigenvalues(n);
    const SingleThreadedBlas one_thread;
    ASSERT_EQ(LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', n, K.data(), n, eigenvalues.data()), 0);
    EXPECT_GE(eigenvalues.front(), -1e-12 * eigenvalues.back()) << reference.text;
  }
}

// With P the projection to what is orthogonal to the polynomials of degree below the order, PKP has no
// negative eigenvalue, and K itself has one.
TEST(EveryKernel, IsConditionallyPositiveSemidefiniteWhereItClaimsToBe) {
  int seen = 0;
  for (const auto& [name, reference] : reference_kernels()) {
    const Kernel k = Kernel::parse(reference.text);
    const int order = k.properties().conditional_order;
    if (order == 0) continue;
    ++seen;
    const std::size_t n = 50, d = 3;
    const auto rows = random_rows(n, d, 5);
    std::vector<Row> basis{Row(n, 1)};
    for (std::size_t c = 0; c < d && order > 1; ++c) {
      basis.emplace_back();
      for (const Row& row : rows) basis.back().push_back(row[c]);
    }
    std::vector<double> K = full(KernelOperator<double>(k, as_points(rows))), P(n * n, 0), eigenvalues(n);
    for (std::size_t b = 0; b < basis.size(); ++b) {
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t a = 0; a < b; ++a) {
          const double along = dot(basis[a], basis[b]);
          for (std::size_t i = 0; i < n; ++i) basis[b][i] -= along * basis[a][i];
        }
      const double length = std::sqrt(dot(basis[b], basis[b]));
      for (double& value : basis[b]) value /= length;
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        P[i * n + j] = i == j;
        for (const Row& q : basis) P[i * n + j] -= q[i] * q[j];
      }
    const auto times = [&](const std::vector<double>& A, const std::vector<double>& B) {
      std::vector<double> AB(n * n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t l = 0; l < n; ++l)
          for (std::size_t j = 0; j < n; ++j) AB[i * n + j] += A[i * n + l] * B[l * n + j];
      return AB;
    };
    std::vector<double> PKP = times(P, times(K, P));
    const SingleThreadedBlas one_thread;
    ASSERT_EQ(LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', n, PKP.data(), n, eigenvalues.data()), 0);
    EXPECT_GE(eigenvalues.front(), -1e-12 * eigenvalues.back()) << reference.text;
    ASSERT_EQ(LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', n, K.data(), n, eigenvalues.data()), 0);
    EXPECT_LT(eigenvalues.front(), -1e-3 * eigenvalues.back()) << reference.text;
  }
  EXPECT_GE(seen, 4);
}

TEST(EveryKernel, KeepsItsPropertiesOnData) {
  for (const auto& [name, reference] : reference_kernels()) {
    const Kernel k = Kernel::parse(reference.text);
    const Properties p = k.properties();
    if (reference.numbered) continue;  // its rows say whether it is symmetric
    const std::size_t d = dimension_for(reference.text, 3);
    auto rows = random_rows(30, d, 6, reference.non_negative);
    const auto K = full(KernelOperator<double>(k, as_points(rows)));
    for (const double value : K) EXPECT_LE(std::abs(value), p.bound * (1 + 1e-12)) << reference.text;
    for (std::size_t i = 0; i < 30; ++i) {
      for (std::size_t j = 0; j < 30; ++j) EXPECT_EQ(K[i * 30 + j], K[j * 30 + i]) << reference.text;
      if (p.diagonal) {
        EXPECT_NEAR(K[i * 31], *p.diagonal, 1e-12) << reference.text;
      }
    }
    if (!p.translation_invariant) continue;
    for (auto& row : rows)
      for (double& value : row) value += 8;
    const auto moved = full(KernelOperator<double>(k, as_points(rows)));
    for (std::size_t e = 0; e < K.size(); ++e) EXPECT_NEAR(moved[e], K[e], 1e-10) << reference.text;
  }
}

struct Rule {
  std::string text;
  Reference function;
};

std::vector<Rule> rules() {
  const auto rbf = [](const Row& x, const Row& z) { return std::exp(-0.5 * squared_gap(x, z)); };
  const auto poly = [](const Row& x, const Row& z) { return std::pow(1 + dot(x, z), 2); };
  const auto norm = [](const Row& x) { return std::sqrt(dot(x, x)); };
  // 0/0 is 0 throughout.
  const auto inverse_norm = [=](const Row& x) { return norm(x) > 0 ? 1 / norm(x) : 0; };
  const auto cosine = [=](const Row& x, const Row& z) {
    return dot(x, z) * inverse_norm(x) * inverse_norm(z);
  };
  const auto ratio = [](double a, double b) { return b > 0 ? a / b : 0; };
  return {
      {"2.5*rbf(gamma=0.5)", [=](auto& x, auto& z) { return 2.5 * rbf(x, z); }},
      {"rbf(gamma=0.5) + poly(degree=2)", [=](auto& x, auto& z) { return rbf(x, z) + poly(x, z); }},
      {"rbf(gamma=0.5) - 0.5*linear", [=](auto& x, auto& z) { return rbf(x, z) - 0.5 * dot(x, z); }},
      {"0.5*rbf(gamma=0.5) + poly(degree=2)*linear",
       [=](auto& x, auto& z) { return 0.5 * rbf(x, z) + poly(x, z) * dot(x, z); }},
      {"(1 + linear)^3", [](auto& x, auto& z) { return std::pow(1 + dot(x, z), 3); }},
      {"polynomial(rbf(gamma=0.5), coefficients=[1, 0, 2, 0.5])",
       [=](auto& x, auto& z) {
         const double k = rbf(x, z);
         return 1 + 2 * k * k + 0.5 * k * k * k;
       }},
      {"exp(0.1*linear)", [](auto& x, auto& z) { return std::exp(0.1 * dot(x, z)); }},
      {"weighted(linear, by=norm)", [=](auto& x, auto& z) { return norm(x) * dot(x, z) * norm(z); }},
      {"weighted(rbf(gamma=0.5), by=inverse_norm)",
       [=](auto& x, auto& z) { return rbf(x, z) * inverse_norm(x) * inverse_norm(z); }},
      {"weighted(exponential(sigma=2), by=exp_norm, sigma=2)",
       [](auto& x, auto& z) { return std::exp(-squared_gap(x, z) / 8); }},
      {"weighted(rbf(gamma=0.5), by=@2)", [=](auto& x, auto& z) { return x[1] * rbf(x, z) * z[1]; }},
      {"mapped(linear, by=squares)",
       [](auto& x, auto& z) {
         double sum = 0;
         for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * x[k] * z[k] * z[k];
         return sum;
       }},
      {"mapped(rbf(gamma=0.01), by=append_norm)",
       [](auto& x, auto& z) {
         return std::exp(-0.01 * (squared_gap(x, z) + std::pow(dot(x, x) - dot(z, z), 2)));
       }},
      {"mapped(linear, by=powers, degree=2)",
       [](auto& x, auto& z) {
         double sum = 0;
         for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * z[k] + x[k] * x[k] * z[k] * z[k];
         return sum;
       }},
      {"mapped(linear, by=unit)", cosine},
      {"scaled(rbf(gamma=0.5), by=[1, -0.5, 0, 2]) + scaled(linear, by=[0, 0, 3, 1])",
       [=](auto& x, auto& z) {
         const auto times = [](const Row& a) { return Row{a[0], -0.5 * a[1], 0, 2 * a[3]}; };
         return rbf(times(x), times(z)) + 9 * x[2] * z[2] + x[3] * z[3];
       }},
      {"normalize(poly(degree=2) + rbf(gamma=0.5))",
       [=](auto& x, auto& z) {
         const auto k = [=](auto& a, auto& b) { return poly(a, b) + rbf(a, b); };
         return k(x, z) / std::sqrt(k(x, x) * k(z, z));
       }},
      {"normalize(normalize(linear)*exp(0.1*linear))",
       [=](auto& x, auto& z) {
         const auto k = [=](auto& a, auto& b) { return cosine(a, b) * std::exp(0.1 * dot(a, b)); };
         return ratio(k(x, z), std::sqrt(k(x, x) * k(z, z)));
       }},
      {"rbf(gamma=0.5)@[1, 3] + linear@2",
       [](auto& x, auto& z) {
         return std::exp(-0.5 * (std::pow(x[0] - z[0], 2) + std::pow(x[2] - z[2], 2))) + x[1] * z[1];
       }},
      {"sigmoid(scale=0.1) + manhattan(lambda=0.1)*intersection",
       [](auto& x, auto& z) {
         double l1 = 0, least = 0;
         for (std::size_t k = 0; k < x.size(); ++k)
           l1 += std::abs(x[k] - z[k]), least += std::min(x[k], z[k]);
         return std::tanh(0.1 * dot(x, z)) + std::exp(-0.1 * l1) * least;
       }},
      {"3", [](auto&, auto&) { return 3.0; }},
      {"1 - rbf(gamma=0.5)/4", [=](auto& x, auto& z) { return 1 - rbf(x, z) / 4; }},
  };
}

TEST(EveryRule, EqualsADoubleLoop) {
  for (const auto& [text, function] : rules()) {
    for (const auto& [n, m] : {std::pair{1, 2}, {40, 70}}) {
      const auto x = random_rows(std::size_t(n), 4, 11, true, 0.2),
                 z = random_rows(std::size_t(m), 4, 12, true, 0.2);
      for (const Kind kind : {Kind::dense64, Kind::sparse64}) {
        const Kernel k = Kernel::parse(text);
        expect_close(full(KernelOperator<double>(k, as_points(x, kind), as_points(z, kind))),
                     double_loop(function, x, z), 1e-12, text);
        expect_close(full(KernelOperator<float>(k, as_points(x, kind), as_points(z, kind))),
                     double_loop(function, x, z), 1e-5, text);
      }
    }
  }
}

TEST(EveryRule, GivesItsDiagonal) {
  for (const auto& [text, function] : rules()) {
    const auto x = random_rows(9, 4, 13, true, 0.2);
    std::vector<double> diagonal(9), expected;
    KernelOperator<double>(Kernel::parse(text), as_points(x)).diagonal(diagonal);
    for (const Row& row : x) expected.push_back(function(row, row));
    expect_close(diagonal, expected, 1e-12, text);
  }
}

TEST(Center, SubtractsTheMeansOfTheReference) {
  const auto x = random_rows(5, 3, 21), z = random_rows(8, 3, 22);
  const auto k = [](const Row& a, const Row& b) { return std::exp(-0.5 * squared_gap(a, b)); };
  const auto mean_with = [&](const Row& a) {
    double sum = 0;
    for (const Row& r : z) sum += k(a, r);
    return sum / 8;
  };
  double all = 0;
  for (const Row& r : z) all += mean_with(r) / 8;
  const auto expected =
      double_loop([&](auto& a, auto& b) { return k(a, b) - mean_with(a) - mean_with(b) + all; }, x, z);
  expect_close(full(KernelOperator<double>(center(rbf({.gamma = 0.5})), as_points(x), as_points(z))),
               expected, 1e-13, "center");
  const auto own = full(KernelOperator<double>(center(rbf({.gamma = 0.5})), as_points(z)));
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(std::accumulate(&own[i * 8], &own[i * 8] + 8, 0.0), 0, 1e-13);
}

TEST(UserKernel, WorksAsAFunctionOfTwoPointsOrOfATileAndInRules) {
  const auto x = random_rows(70, 3, 31);
  const auto pair = user_kernel(
      "mine", [](std::span<const double> a, std::span<const double> b) { return a[0] * b[0] + 1; });
  const auto tile =
      user_kernel("tiles", [](const Points& a, Range rows, const Points& b, Range columns, double* out) {
        for (std::size_t i = rows.begin; i < rows.end; ++i)
          for (std::size_t j = columns.begin; j < columns.end; ++j) *out++ = a.row(i)[0] * b.row(j)[0] + 1;
      });
  EXPECT_FALSE(pair.properties().psd);
  const auto expected =
      double_loop([](auto& a, auto& b) { return (a[0] * b[0] + 1) * std::exp(-squared_gap(a, b)); }, x, x);
  for (const Kernel& k : {pair, tile})
    expect_close(full(KernelOperator<double>(k * rbf({.gamma = 1}), as_points(x))), expected, 1e-12,
                 k.text());
  std::vector<double> diagonal(70);
  KernelOperator<double>(normalize(pair), as_points(x)).diagonal(diagonal);
  for (const double value : diagonal) EXPECT_NEAR(value, 1, 1e-14);
}

TEST(Callables, WeighAndMap) {
  const auto x = random_rows(6, 3, 32);
  const Kernel weighed = weighted(linear(), [](std::span<const double> a) { return a[0] + 2; });
  const Kernel through = mapped(linear(), [](std::span<const double> a) {
    return std::vector{a[0] * a[1], 1.0};
  });
  expect_close(full(KernelOperator<double>(weighed, as_points(x))),
               double_loop([](auto& a, auto& b) { return (a[0] + 2) * dot(a, b) * (b[0] + 2); }, x, x), 1e-12,
               "weighted");
  expect_close(full(KernelOperator<double>(through, as_points(x))),
               double_loop([](auto& a, auto& b) { return a[0] * a[1] * b[0] * b[1] + 1; }, x, x), 1e-12,
               "mapped");
}

// --- Kernels of objects: what holds for every one, present and future. Each has its own definition in
// tests/kernels.

Points objects_of(Domain domain, std::size_t n, std::uint64_t seed) {
  return Points(random_objects(domain, n, seed));
}

TEST(EveryKernelOfObjects, IsSymmetricAndPositiveSemidefiniteWhereItClaimsToBe) {
  for (const auto& [k, domain] : object_kernels()) {
    const std::size_t n = 40;
    auto K = full(KernelOperator<double>(k, objects_of(domain, n, 1)));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(K[i * n + j], K[j * n + i]) << k.text();
    if (!k.properties().psd) continue;
    std::vector<double> eigenvalues(n);
    const SingleThreadedBlas one_thread;
    ASSERT_EQ(LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', n, K.data(), n, eigenvalues.data()), 0);
    EXPECT_GE(eigenvalues.front(), -1e-10 * eigenvalues.back()) << k.text() << " on " << name_of(domain);
  }
}

TEST(EveryKernelOfObjects, HasTheSameValuesBetweenTwoSetsAsInOne) {
  for (const auto& [k, domain] : object_kernels()) {
    const Points all = objects_of(domain, 20, 2);
    std::vector<std::size_t> first(8), second(12);
    std::iota(first.begin(), first.end(), 0);
    std::iota(second.begin(), second.end(), 8);
    const auto K = full(KernelOperator<double>(k, all));
    for (const int threads : {1, 3}) {
      const auto between = full(
          KernelOperator<double>(k, all.select_rows(first), all.select_rows(second), {.threads = threads}));
      if (looks_at_all_points(k)) continue;
      for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 12; ++j)
          EXPECT_NEAR(between[i * 12 + j], K[i * 20 + 8 + j], 1e-12 * (1 + std::abs(between[i * 12 + j])))
              << k.text();
    }
    std::vector<double> diagonal(20);
    KernelOperator<double>(k, all).diagonal(diagonal);
    for (std::size_t i = 0; i < 20; ++i)
      EXPECT_NEAR(diagonal[i], K[i * 21], 1e-12 * (1 + std::abs(diagonal[i]))) << k.text();
    const auto narrow = full(KernelOperator<float>(k, all));
    for (std::size_t e = 0; e < K.size(); ++e)
      EXPECT_NEAR(narrow[e], K[e], 1e-4 * (1 + std::abs(K[e]))) << k.text();
  }
}

TEST(EveryKernelOfObjects, AddsMultipliesAndNormalisesLikeAnyOther) {
  for (const auto& [k, domain] : object_kernels()) {
    const std::size_t n = 15;
    const Points x = Points(random_rows(n, 2, 4)).with_objects({random_objects(domain, n, 3)});
    const Kernel r = rbf({.gamma = 0.5});
    const auto K = full(KernelOperator<double>(k, x)), R = full(KernelOperator<double>(r, x)),
               sum = full(KernelOperator<double>(0.5 * k + r, x)),
               product = full(KernelOperator<double>(k * r, x)),
               unit = full(KernelOperator<double>(normalize(k), x)),
               power = full(KernelOperator<double>(exp(0.001 * k), x));
    for (std::size_t e = 0; e < K.size(); ++e) {
      const double norm = std::sqrt(K[e / n * (n + 1)] * K[e % n * (n + 1)]),
                   scale = 1e-12 * (1 + std::abs(K[e]));
      EXPECT_NEAR(sum[e], 0.5 * K[e] + R[e], scale) << k.text();
      EXPECT_NEAR(product[e], K[e] * R[e], scale) << k.text();
      EXPECT_NEAR(unit[e], norm > 0 ? K[e] / norm : 0, 1e-12) << k.text();
      EXPECT_NEAR(power[e], std::exp(0.001 * K[e]), 1e-11 * power[e]) << k.text();
    }
  }
}

TEST(EveryKernelOfObjects, TakesAnEmptyObjectAndNoneAtAll) {
  for (const auto& [k, domain] : object_kernels()) {
    EXPECT_TRUE(full(KernelOperator<double>(k, objects_of(domain, 3, 1).select_rows({}))).empty())
        << k.text();
    if (domain > Domain::symbols) continue;
    const std::vector<std::string> texts{"", "ACGTACGTACGTACGT a b"};
    const auto K = full(KernelOperator<double>(k, Points(Objects("t", domain, texts))));
    for (const double value : K) EXPECT_TRUE(std::isfinite(value)) << k.text();
    const auto unit = full(KernelOperator<double>(normalize(k), Points(Objects("t", domain, texts))));
    EXPECT_TRUE(K[0] != 0 || unit[0] == 0) << k.text();
  }
}

}  // namespace
}  // namespace mercer
