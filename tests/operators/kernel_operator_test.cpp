// The Gram operator's paths: whichever way an entry is asked for, and whatever is kept, it is the same
// number.
#include "mercer/kernel_operator.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "operators/entries.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Storage = OperatorOptions::Storage;

std::vector<Row> rows_of(std::size_t n, std::size_t d, std::uint64_t seed, double density = 1) {
  auto rows = random_rows(n, d, seed);
  Random random(seed + 100);
  for (Row& row : rows)
    for (double& value : row)
      if (random.uniform() > density) value = 0;
  return rows;
}

/// Some columns, once and again, in any order, against those of K.
template <class T>
void expect_columns(const KernelOperator<T>& gram, const std::vector<T>& K, bool to_the_bit,
                    const std::string& what) {
  const std::size_t n = gram.rows(), m = gram.cols();
  std::vector<std::size_t> all{m - 1, 0, m / 2, m / 2, std::min<std::size_t>(7, m - 1)};
  for (std::size_t j = 0; j < std::min<std::size_t>(m, 40); ++j) all.push_back((j * 13) % m);
  for (const std::size_t count : {std::size_t(0), std::size_t(1), std::size_t(5), all.size()}) {
    const std::span<const std::size_t> indices(all.data(), count);
    std::vector<T> columns(indices.size() * n);
    gram.columns(indices, columns);
    for (std::size_t j = 0; j < indices.size(); ++j)
      for (std::size_t i = 0; i < n; ++i)
        if (!same_entry(columns[j * n + i], K[i * m + indices[j]], to_the_bit))
          FAIL() << what << " " << count << " columns at " << i << ", " << indices[j] << ": "
                 << columns[j * n + i] << ", " << K[i * m + indices[j]];
  }
}

/// Every odd piece of K against K itself.
template <class T>
void expect_pieces(const KernelOperator<T>& gram, const std::vector<T>& K, bool to_the_bit,
                   const std::string& what) {
  const std::size_t n = gram.rows(), m = gram.cols();
  const auto clipped = [](Range r, std::size_t size) {
    return Range{std::min(r.begin, size), std::min(r.end, size)};
  };
  for (const Range rows : {Range{0, 0},
                           {0, 1},
                           {5, 6},
                           {3, 10},
                           {0, 24},
                           {120, 137},
                           {500, 531},
                           {1000, 1070},
                           {2040, 2100},
                           {0, 2100}})
    for (const Range columns : {Range{0, 0},
                                {7, 8},
                                {1, 14},
                                {100, 133},
                                {200, 401},
                                {505, 520},
                                {1020, 1230},
                                {2045, 2100},
                                {0, 2100}}) {
      const Range r = clipped(rows, n), c = clipped(columns, m);
      if (r.size() * c.size() > 400000) continue;
      std::vector<T> tile(r.size() * c.size());
      gram.tile(r, c, tile);
      for (std::size_t i = r.begin; i < r.end; ++i)
        for (std::size_t j = c.begin; j < c.end; ++j)
          if (const T got = tile[(i - r.begin) * c.size() + j - c.begin];
              !same_entry(got, K[i * m + j], to_the_bit))
            FAIL() << what << " tile [" << r.begin << ", " << r.end << ") × [" << c.begin << ", " << c.end
                   << ") at " << i << ", " << j << ": " << got << ", " << K[i * m + j];
    }
  expect_columns(gram, K, to_the_bit, what);
}

template <class T>
std::vector<T> product(const KernelOperator<T>& gram, std::size_t k) {
  std::vector<T> V(gram.cols() * k), out(gram.rows() * k, T(-1));
  Random random(77);
  for (T& value : V) value = T(random.normal());
  gram.multiply(V, k, out);
  return out;
}

template <class T>
KernelOperator<T> make(const Kernel& k, const Points& x, const Points& z, bool symmetric,
                       const OperatorOptions& options) {
  return symmetric ? KernelOperator<T>(k, x, options) : KernelOperator<T>(k, x, z, options);
}

template <class T>
void expect_one_matrix(const Kernel& k, const Points& x, const Points& z, bool symmetric, bool to_the_bit,
                       const std::string& what) {
  const KernelOperator<T> gram = make<T>(k, x, z, symmetric, {.threads = 1});
  const std::vector<T> K = full(gram);
  ASSERT_EQ(gram.symmetric(), symmetric);
  for (std::size_t i = 0; i < gram.rows() && symmetric; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (K[i * gram.cols() + j] != K[j * gram.cols() + i])
        FAIL() << what << " is not symmetric at " << i << ", " << j;
  expect_pieces(gram, K, to_the_bit, what + " recomputed");
  const KernelOperator<T> held = make<T>(k, x, z, symmetric, {.storage = Storage::held, .threads = 2});
  expect_pieces(held, K, true, what + " held");
  ASSERT_EQ(full(held), K) << what;
  expect_columns(make<T>(k, x, z, symmetric, {.storage = Storage::cached, .memory = 1 << 26}), K, to_the_bit,
                 what + " cached");
  for (const std::size_t columns : {1, 5}) {
    const auto expected = product(gram, columns);
    const auto from_held = product(held, columns);
    for (std::size_t e = 0; e < expected.size(); ++e)
      ASSERT_TRUE(same_entry(from_held[e], expected[e], to_the_bit)) << what << " held product " << e;
    for (const int threads : {2, 4})
      ASSERT_EQ(product(make<T>(k, x, z, symmetric, {.threads = threads}), columns), expected)
          << what << " with " << threads << " threads";
  }
  ASSERT_EQ(full(make<T>(k, x, z, symmetric, {.threads = 4})), K) << what << " with 4 threads";
  // K·V in long double.
  const auto got = product(gram, 1);
  Random random(77);
  std::vector<T> V(gram.cols());
  for (T& value : V) value = T(random.normal());
  for (std::size_t i = 0; i < gram.rows(); ++i) {
    long double sum = 0, size = 0;
    for (std::size_t j = 0; j < V.size(); ++j) {
      sum += static_cast<long double>(K[i * V.size() + j]) * V[j];
      size += std::abs(static_cast<long double>(K[i * V.size() + j]) * V[j]);
    }
    ASSERT_NEAR(double(got[i]), double(sum), (sizeof(T) == 4 ? 1e-5 : 1e-13) * double(size) + 1e-30) << what;
  }
}

TEST(GramPaths, GiveTheSameBitsForEveryShape) {
  for (const auto& [n, m, d] : {std::tuple{2100, 530, 1},
                                {700, 2100, 2},
                                {1100, 300, 5},
                                {530, 1100, 17},
                                {1030, 259, 64},
                                {300, 640, 300},
                                {260, 520, 784},
                                {150, 210, 1000}}) {
    const auto x = rows_of(std::size_t(n), std::size_t(d), 1), z = rows_of(std::size_t(m), std::size_t(d), 2);
    const Kernel k = rbf({.gamma = 0.4 / d});
    for (const bool symmetric : {true, false}) {
      const std::string what =
          std::to_string(n) + "×" + std::to_string(symmetric ? n : m) + "×" + std::to_string(d);
      expect_one_matrix<float>(k, as_points(x), as_points(z), symmetric, products_keep_bits(),
                               what + " float32");
      expect_one_matrix<double>(k, as_points(x), as_points(z), symmetric, products_keep_bits(),
                                what + " float64");
    }
  }
}

TEST(GramPaths, GiveTheSameBitsForSparsePoints) {
  const auto x = rows_of(530, 3000, 1, 0.01), z = rows_of(140, 3000, 2, 0.01);
  for (const bool symmetric : {true, false}) {
    expect_one_matrix<float>(rbf({.gamma = 0.02}), as_points(x, Kind::sparse32), as_points(z, Kind::sparse64),
                             symmetric, true, "sparse float32");
    expect_one_matrix<double>(rbf({.gamma = 0.02}), as_points(x, Kind::sparse64),
                              as_points(z, Kind::sparse32), symmetric, true, "sparse float64");
  }
}

TEST(GramPaths, GiveTheSameBitsForEveryRule) {
  const auto x = as_points(random_rows(140, 40, 3, true)), z = as_points(random_rows(70, 40, 4, true));
  for (const char* text :
       {"linear", "normalize(poly(degree=3, scale=0.05))", "center(rbf(gamma=0.02))",
        "weighted(rbf(gamma=0.02), by=norm)", "cosine",
        "0.5*rbf(gamma=0.02) + poly(degree=2, scale=0.1)*linear", "rbf(gamma=0.5)@[1, 3] + linear@2",
        "matern(nu=1.5, length=5)", "normalize(center(linear) + 1)", "sigmoid(scale=0.01)",
        "mapped(rbf(gamma=0.001), by=squares)", "constant(c=2)", "delta + linear"})
    for (const bool symmetric : {true, false}) {
      expect_one_matrix<float>(Kernel::parse(text), x, z, symmetric, products_keep_bits(),
                               std::string(text) + " float32");
      expect_one_matrix<double>(Kernel::parse(text), x, z, symmetric, products_keep_bits(),
                                std::string(text) + " float64");
    }
  for (const char* text : {"manhattan(lambda=0.02)", "chi2(gamma=0.1)", "intersection",
                           "anova(gamma=0.5, degree=2)", "rational_quadratic(alpha=0.7)@[1, 2]"})
    for (const bool symmetric : {true, false})
      expect_one_matrix<float>(Kernel::parse(text), x, z, symmetric, true, text);
}

/// block(), add_products() and square() of some rows, in any order and some twice, against K.
template <class T>
void expect_blocks(const KernelOperator<T>& gram, const std::vector<T>& K, bool to_the_bit,
                   const std::string& what) {
  const std::size_t n = gram.rows(), m = gram.cols();
  Random random(n + 31);
  for (const std::size_t count : {std::size_t(0), std::size_t(1), std::size_t(2), std::size_t(19), n + 3}) {
    std::vector<std::size_t> chosen(count);
    for (std::size_t& i : chosen) i = random.below(n);
    for (const Range columns : {Range{0, m}, Range{0, 0}, Range{m / 2, m / 2 + 1}, Range{m / 3, m}}) {
      std::vector<T> out(count * columns.size());
      gram.block(chosen, columns, row_pointers(out.data(), chosen.size(), columns.size()));
      for (std::size_t e = 0; e < out.size(); ++e) {
        const std::size_t i = chosen[e / columns.size()], j = columns.begin + e % columns.size();
        if (!same_entry(out[e], K[i * m + j], to_the_bit))
          FAIL() << what << " block at " << i << ", " << j << ": " << out[e] << ", " << K[i * m + j];
      }
      std::vector<double> t(count), sums(columns.size(), 0.25);
      for (double& value : t) value = random.normal();
      gram.add_products(chosen, t, columns, sums);
      for (std::size_t c = 0; c < columns.size(); ++c) {
        double expected = 0.25, size = 1;
        for (std::size_t i = 0; i < count; ++i) {
          expected += t[i] * double(K[chosen[i] * m + columns.begin + c]);
          size += std::abs(t[i] * double(K[chosen[i] * m + columns.begin + c]));
        }
        ASSERT_NEAR(sums[c], expected, (sizeof(T) == 8 && to_the_bit ? 1e-14 : 1e-5) * size)
            << what << " sum at " << c;
      }
    }
    if (!gram.symmetric()) continue;
    for (const auto& [r, c] :
         {std::pair(Range{0, n / 3}, Range{n / 3, n}), std::pair(Range{n / 2, n}, Range{1, n / 2}),
          std::pair(Range{0, 0}, Range{0, n})}) {
      std::vector<double> t(n), sums(n, 0.25);
      for (double& value : t) value = random.normal();
      gram.add_mutual_products(r, c, t, sums);
      for (std::size_t i = 0; i < n; ++i) {
        const auto within = [&](Range range) { return i >= range.begin && i < range.end; };
        double expected = 0.25, size = 1;
        const Range others = within(r) ? c : within(c) ? r : Range{0, 0};
        for (std::size_t j = others.begin; j < others.end; ++j) {
          expected += t[j] * double(K[i * n + j]);
          size += std::abs(t[j] * double(K[i * n + j]));
        }
        ASSERT_NEAR(sums[i], expected, (sizeof(T) == 8 && to_the_bit ? 1e-14 : 1e-5) * size)
            << what << " mutual at " << i;
      }
    }
    std::vector<T> out(count * count);
    if (count > 0) {
      const KernelOperator<T> some = gram.select(chosen);
      EXPECT_EQ(some.rows(), count);
      const auto entries = full(some);
      for (std::size_t e = 0; e < entries.size(); ++e) {
        const std::size_t i = chosen[e / count], j = chosen[e % count];
        if (!same_entry(entries[e], K[i * n + j], to_the_bit))
          FAIL() << what << " select at " << i << ", " << j << ": " << entries[e] << ", " << K[i * n + j];
      }
    }
    gram.square(chosen, out);
    for (std::size_t e = 0; e < out.size(); ++e) {
      const std::size_t i = chosen[e / count], j = chosen[e % count];
      if (!same_entry(out[e], K[i * n + j], to_the_bit))
        FAIL() << what << " square at " << i << ", " << j << ": " << out[e] << ", " << K[i * n + j];
    }
  }
}

template <class T>
void expect_sums(const KernelOperator<T>& gram, double tolerance, const std::string& what) {
  const auto K = full(gram);
  const std::size_t n = gram.rows(), m = gram.cols(), width = 3;
  Random random(7);
  for (const Range rows : {Range{0, n}, Range{5, 5}, Range{n / 3, n - 1}})
    for (const Range columns : {Range{0, m}, Range{m / 2, m / 2}, Range{3, m - 2}}) {
      std::vector<T> V(rows.size() * width);
      for (T& value : V) value = T(random.normal());
      std::vector<double> sums(width * columns.size(), -1.5);
      ASSERT_TRUE(gram.add_sums(rows, V, width, columns, sums)) << what;
      for (std::size_t e = 0; e < sums.size(); ++e) {
        const std::size_t c = e / columns.size(), j = columns.begin + e % columns.size();
        double expected = -1.5, size = 1;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double term = double(V[i * width + c]) * double(K[(rows.begin + i) * m + j]);
          expected += term;
          size += std::abs(term);
        }
        ASSERT_NEAR(sums[e], expected, tolerance * size) << what << ' ' << c << ", " << j;
      }
    }
}

TEST(KernelOperator, AddsSeveralSumsOfAGaussianKernelWithoutItsEntries) {
  for (const std::size_t d : {2u, 40u}) {
    const auto x = as_points(random_rows(150, d, 11)), z = as_points(random_rows(61, d, 12));
    const Kernel k = Kernel::parse("2*rbf(gamma=" + std::to_string(0.3 / double(d)) + ")");
    expect_sums(KernelOperator<float>(k, x, z, {}), 4e-6, "float32");
    expect_sums(KernelOperator<double>(k, x, z, {}), 1e-14, "float64");
    expect_sums(KernelOperator<float>(k, x), 4e-6, "symmetric");
  }
}

TEST(KernelOperator, AddsNothingWhereEntriesAreStored) {
  const auto x = as_points(random_rows(40, 3, 11)), wide = as_points(random_rows(40, 300, 11));
  const std::vector<double> V(40, 1.0);
  std::vector<double> sums(40, 0.5);
  const auto refuses = [&](const Kernel& k, const Points& points, Storage storage) {
    return !KernelOperator<double>(k, points, {.storage = storage}).add_sums({0, 40}, V, 1, {0, 40}, sums);
  };
  EXPECT_TRUE(refuses(Kernel::parse("linear"), x, Storage::recomputed));
  EXPECT_TRUE(refuses(Kernel::parse("rbf(gamma=1) + linear"), x, Storage::recomputed));
  EXPECT_TRUE(refuses(Kernel::parse("rbf(gamma=1)"), wide, Storage::recomputed));
  EXPECT_TRUE(refuses(Kernel::parse("rbf(gamma=1)"), x, Storage::held));
  EXPECT_EQ(sums, std::vector<double>(40, 0.5));
}

TEST(GramPaths, GiveTheSameBitsInBlocksAndSquares) {
  const auto x = random_rows(150, 7, 11), z = random_rows(60, 7, 12);
  auto whole = x;
  for (Row& row : whole)
    for (double& value : row) value = std::floor(4 * value);
  for (const char* text :
       {"rbf(gamma=0.1)", "normalize(poly(degree=2))", "center(linear)", "manhattan(lambda=0.3)"})
    for (const auto& [rows, kind] :
         {std::pair{x, Kind::dense64}, {x, Kind::sparse32}, {whole, Kind::dense64}})
      for (const bool symmetric : {true, false})
        for (const Storage storage : {Storage::recomputed, Storage::held, Storage::cached})
          for (const bool inside : {false, true}) {
            const Kernel k = Kernel::parse(text);
            const auto a = as_points(rows, kind), b = as_points(z, kind);
            const OperatorOptions options{.storage = storage, .threads = 1, .float64_inside = inside};
            const auto narrow = make<float>(k, a, b, symmetric, options);
            expect_blocks(narrow, full(narrow), products_keep_bits(), std::string(text) + " float32");
            const auto wide = make<double>(k, a, b, symmetric, options);
            if (!inside)
              expect_blocks(wide, full(wide), products_keep_bits(), std::string(text) + " float64");
          }
}

template <class T>
void expect_the_same_in_place(const Kernel& k, const Points& x, const Points& z, bool symmetric,
                              const std::string& what) {
  const KernelOperator<T> there = make<T>(k, x, z, symmetric, {.threads = 2, .largest_copy = 0});
  const std::vector<T> K = full(there), expected = full(make<T>(k, x, z, symmetric, {.threads = 2}));
  double largest = 0;
  for (const T value : expected) largest = std::max(largest, std::abs(double(value)));
  for (std::size_t e = 0; e < K.size(); ++e)
    ASSERT_NEAR(K[e], expected[e], (sizeof(T) == 4 ? 3e-5 : 1e-12) * largest) << what;
  expect_pieces(there, K, products_keep_bits(), what);
  expect_blocks(there, K, products_keep_bits(), what);
  if (!symmetric) return;
  const std::vector<std::size_t> some{7, 3, 3, 99, 0};
  const KernelOperator<T> selected = there.select(some);
  const std::vector<T> part = full(selected), again = full(selected.select(std::vector<std::size_t>{4, 1}));
  for (std::size_t i = 0; i < some.size(); ++i)
    for (std::size_t j = 0; j < some.size(); ++j)
      ASSERT_TRUE(
          same_entry(part[i * some.size() + j], K[some[i] * x.rows() + some[j]], products_keep_bits()))
          << what;
  ASSERT_TRUE(same_entry(again[1], K[some[4] * x.rows() + some[1]], products_keep_bits())) << what;
}

// Panels of columns, of rows in another precision and order and moved by their mean, give the matrix that
// copies give.
TEST(GramPaths, ReadLargePointsWhereTheyAre) {
  for (const double offset : {0.0, 100.0}) {
    auto x = random_rows(150, 2500, 21), z = random_rows(61, 2500, 22);
    for (auto* rows : {&x, &z})
      for (Row& row : *rows)
        for (double& value : row) value += offset;
    for (const char* text : {"rbf(gamma=0.0002)", "normalize(poly(degree=2, scale=0.001))",
                             "linear + rbf(gamma=0.0002)", "center(rbf(gamma=0.0002))"})
      for (const Kind kind : {Kind::dense32, Kind::dense64})
        for (const bool symmetric : {true, false}) {
          const std::string what = std::string(text) + (symmetric ? " of one set" : " of two sets");
          expect_the_same_in_place<float>(Kernel::parse(text), as_points(x, kind), as_points(z, kind),
                                          symmetric, what + " float32");
          expect_the_same_in_place<double>(Kernel::parse(text), as_points(x, kind), as_points(z, kind),
                                           symmetric, what + " float64");
        }
  }
}

TEST(GramDiagonal, IsThatOfTheMatrixAndNotOfTwoSets) {
  const auto x = as_points(random_rows(40, 6, 5));
  for (const char* text : {"linear", "rbf(gamma=1)", "normalize(poly(degree=2))", "center(rbf(gamma=0.1))",
                           "2*laplace(lambda=1) + cosine"}) {
    const KernelOperator<double> gram(Kernel::parse(text), x);
    const auto K = full(gram);
    std::vector<double> diagonal(40);
    gram.diagonal(diagonal);
    for (std::size_t i = 0; i < 40; ++i)
      EXPECT_NEAR(diagonal[i], K[i * 41], 1e-13 * (1 + std::abs(K[i * 41]))) << text;
  }
  std::vector<double> diagonal(40);
  EXPECT_EQ(thrown_by([&] { KernelOperator<double>(linear(), x, x).diagonal(diagonal); }).kind(),
            ErrorKind::usage);
}

TEST(GramFloat64Inside, IsTheRoundedFloat64Matrix) {
  auto rows = random_rows(150, 20, 8);
  for (Row& row : rows)
    for (double& value : row) value = value / 3 + 100;  // not representable in float32
  const auto x = as_points(rows), z = as_points(random_rows(60, 20, 9));
  for (const bool symmetric : {true, false})
    for (const Storage storage : {Storage::recomputed, Storage::held, Storage::cached}) {
      const Kernel k = Kernel::parse("rbf(gamma=0.1) + poly(degree=2, scale=0.001)");
      const auto exact = full(make<double>(k, x, z, symmetric, {}));
      const KernelOperator<float> gram =
          make<float>(k, x, z, symmetric, {.storage = storage, .float64_inside = true});
      const std::vector<float> rounded(exact.begin(), exact.end());
      EXPECT_EQ(full(gram), rounded);
      expect_pieces(gram, rounded, products_keep_bits(), "float64 inside");
      if (!symmetric) continue;
      std::vector<float> diagonal(150);
      std::vector<double> exact_diagonal(150);
      gram.diagonal(diagonal);
      make<double>(k, x, z, true, {}).diagonal(exact_diagonal);
      EXPECT_EQ(diagonal, std::vector<float>(exact_diagonal.begin(), exact_diagonal.end()));
    }
}

TEST(GramShapes, MayBeEmptyOrOne) {
  EXPECT_TRUE(full(KernelOperator<double>(rbf({.gamma = 1}), Points(std::vector<Row>{}))).empty());
  const Points one(std::vector<Row>{{2, 3}}), bare(Points(Dense<double>{3, 0, Buffer<double>(0)}));
  EXPECT_EQ(full(KernelOperator<double>(linear(), one)), std::vector<double>{13});
  EXPECT_EQ(full(KernelOperator<double>(rbf({.gamma = 1}), bare)), std::vector<double>(9, 1));
  EXPECT_EQ(full(KernelOperator<float>(poly({.degree = 2}), bare, bare)), std::vector<float>(9, 1));
  EXPECT_EQ(full(KernelOperator<float>(intersection(), bare)), std::vector<float>(9, 0));
  EXPECT_EQ(full(KernelOperator<double>(linear(), bare.to_sparse())), std::vector<double>(9, 0));
  const Points none = one.select_rows({});
  EXPECT_EQ(KernelOperator<double>(rbf(), one, none).cols(), 0u);
  EXPECT_TRUE(full(KernelOperator<double>(rbf(), none, one)).empty());
  std::vector<double> out(1, 7);
  KernelOperator<double>(linear(), one, none).multiply({}, 1, out);
  EXPECT_EQ(out.front(), 0);
  const Error error = thrown_by([&] { KernelOperator<double>(linear(), one, bare); });
  EXPECT_EQ(error.kind(), ErrorKind::data);
  EXPECT_TRUE(contains(error.what(), "the points have 2 columns but the reference points have 0"))
      << error.what();
}

// Which other points there are changes the layout (a centre, bytes, panels) and with it rounding; here it
// does not.
TEST(KernelOperator, GivesThePairsTheirBitsAlone) {
  for (const std::size_t d : {1u, 5u, 20u, 100u})
    for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64})
      for (const char* text :
           {"rbf(gamma=0.3)", "poly(degree=2, scale=0.1, offset=1) + laplace(lambda=0.2)", "intersection"}) {
        const Points all = as_points(random_rows(60, d, d, true, 30), kind);
        const KernelOperator<double> whole(Kernel::parse(text), all, {.pairs_alone = true});
        const KernelOperator<double> plain(Kernel::parse(text), all);
        std::vector<double> K(60 * 60), about(60 * 60);
        whole.matrix(K);
        plain.matrix(about);
        for (std::size_t e = 0; e < K.size(); ++e)
          EXPECT_NEAR(K[e], about[e], 1e-9 * (1 + std::abs(about[e])));
        for (const std::vector<std::size_t>& some :
             {std::vector<std::size_t>{3}, {7, 50}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}}) {
          const std::size_t m = some.size();
          std::vector<double> part(m * m), row(m);
          const KernelOperator<double> few(Kernel::parse(text), all.select_rows(some), {.pairs_alone = true});
          few.matrix(part);
          few.tile({0, 1}, {0, m}, row);
          for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < m; ++j)
              EXPECT_EQ(part[i * m + j], K[some[i] * 60 + some[j]]) << text << ' ' << d;
          for (std::size_t j = 0; j < m; ++j) EXPECT_EQ(row[j], K[some[0] * 60 + some[j]]);
        }
      }
}

TEST(KernelOperator, TakesOtherRowsBesideTheSameColumns) {
  for (const char* text : {"rbf(gamma=0.2)", "linear", "center(poly(degree=2))", "laplace(lambda=2)@[1, 3]",
                           "normalize(linear) + cosine"})
    for (const Kind kind : {Kind::dense64, Kind::sparse64}) {
      const Points columns = as_points(rows_of(30, 5, 1), kind), first = as_points(rows_of(2, 5, 2), kind),
                   other = as_points(rows_of(9, 5, 3), kind);
      const KernelOperator<double> before(Kernel::parse(text), first, columns, {.threads = 1}),
          whole(Kernel::parse(text), other, columns, {.threads = 1});
      const KernelOperator<double> after = before.with_rows(other);
      EXPECT_EQ(after.rows(), 9u);
      const std::vector<double> got = full(after), wanted = full(whole);
      for (std::size_t e = 0; e < wanted.size(); ++e) EXPECT_NEAR(got[e], wanted[e], 1e-12) << text;
    }
  const Points points = as_points(rows_of(4, 5, 1));
  const auto refused = [](const KernelOperator<double>& K, const Points& rows) {
    try {
      K.with_rows(rows);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(refused(KernelOperator<double>(Kernel::parse("linear"), points), points),
            "other rows are taken by a Gram matrix between two sets that keeps no entries");
  EXPECT_EQ(
      refused(KernelOperator<double>(Kernel::parse("linear"), points, points), as_points(rows_of(4, 3, 1))),
      "the points have 3 columns but the reference points have 5; they must have the same");
}

}  // namespace
}  // namespace mercer
