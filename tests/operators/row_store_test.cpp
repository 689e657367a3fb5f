#include "operators/row_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "operators/entries.hpp"
#include "mercer/kernels.hpp"
#include "mercer/user_kernel.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

std::vector<std::pair<std::size_t, std::size_t>> pairs(const std::vector<Range>& ranges) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (const Range& range : ranges) out.emplace_back(range.begin, range.end);
  return out;
}

TEST(CutSegments, CoverEachPartWithEqualPieces) {
  using Ends = std::vector<std::pair<std::size_t, std::size_t>>;
  const auto cut = [](std::vector<std::size_t> lengths, std::size_t longest) {
    return pairs(cut_segments(lengths, longest));
  };
  EXPECT_EQ(cut({}, 10), Ends{});
  EXPECT_EQ(cut({0, 0}, 10), Ends{});
  EXPECT_EQ(cut({1}, 1), (Ends{{0, 1}}));
  EXPECT_EQ(cut({10}, 10), (Ends{{0, 10}}));
  EXPECT_EQ(cut({11}, 10), (Ends{{0, 5}, {5, 11}}));
  EXPECT_EQ(cut({0, 3, 0, 4, 0}, 10), (Ends{{0, 3}, {3, 7}}));
  EXPECT_EQ(cut({3}, 1), (Ends{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(pairs(cut_segments(std::vector<std::size_t>{2048, 2049})),
            (Ends{{0, 2048}, {2048, 3072}, {3072, 4097}}));
}

TEST(CutSegments, LeaveNoGapAndNoneIsLongerThanAskedFor) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::size_t> lengths(random.below(6));
    for (std::size_t& length : lengths) length = random.below(3) == 0 ? 0 : random.below(200);
    const std::size_t longest = 1 + random.below(60);
    std::size_t end = 0, part = 0, part_end = 0;
    for (const Range& segment : cut_segments(lengths, longest)) {
      ASSERT_EQ(segment.begin, end);
      ASSERT_GT(segment.size(), 0u);
      ASSERT_LE(segment.size(), longest);
      while (part_end <= segment.begin) part_end += lengths[part++];
      ASSERT_LE(segment.end, part_end);  // within one part
      end = segment.end;
    }
    ASSERT_EQ(end, std::accumulate(lengths.begin(), lengths.end(), std::size_t(0)));
  }
}

std::vector<std::int32_t> some(std::size_t count, std::size_t of, Random& random) {
  std::vector<std::int32_t> all(of);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random.below(of - i)]);
  all.resize(count);
  return all;
}

template <class T>
void expect_rows(RowStore<T>& store, const std::vector<T>& K, std::span<const std::int32_t> points,
                 std::span<const std::int32_t> segments, bool to_the_bit, const std::string& what) {
  std::vector<const T*> rows;
  store.fetch(points, segments, rows);
  ASSERT_EQ(rows.size(), points.size() * segments.size());
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t s = 0; s < segments.size(); ++s) {
      const Range columns = store.segments()[std::size_t(segments[s])];
      for (std::size_t j = columns.begin; j < columns.end; ++j) {
        const T expected = K[std::size_t(points[p]) * store.gram().rows() + j];
        const T got = rows[p * segments.size() + s][j - columns.begin];
        if (!same_entry(got, expected, to_the_bit))
          FAIL() << what << " row " << points[p] << " column " << j << ": " << got << ", " << expected;
      }
    }
}

/// The fewest bytes that a store of these segments accepts.
template <class T>
std::size_t least_memory(const KernelOperator<T>& gram, const std::vector<Range>& segments) {
  std::size_t refused = 0, accepted = std::size_t(1) << 40;
  while (accepted - refused > 1) {
    const std::size_t middle = refused + (accepted - refused) / 2;
    try {
      RowStore<T>(gram, segments, middle, 1);
      accepted = middle;
    } catch (const Error&) {
      refused = middle;
    }
  }
  return accepted;
}

template <class T>
void expect_random_fetches(const Points& points, const std::vector<std::size_t>& lengths, std::size_t longest,
                           const std::string& what) {
  const KernelOperator<T> gram(rbf({.gamma = 0.1}), points, {.threads = 1});
  const auto K = full(gram);
  const auto segments = cut_segments(lengths, longest);
  const std::size_t n = gram.rows(), least = least_memory(gram, segments);
  for (const std::size_t memory : {least, 2 * least, 10 * least, n * least})
    for (const int threads : {1, 2, 4}) {
      RowStore<T> store(gram, segments, memory, threads);
      Random random(memory + 7);
      for (int round = 0; round < 25; ++round) {
        const auto chosen_segments = some(1 + random.below(segments.size()), segments.size(), random);
        const std::size_t most = std::min(n, store.most_rows(chosen_segments.size()));
        // Mostly among a few points, so that rows come again.
        const std::size_t among = round % 3 ? std::min(n, std::max<std::size_t>(most, 12)) : n;
        const auto chosen = some(random.below(std::min(most, among) + 1), among, random);
        ASSERT_NO_FATAL_FAILURE(expect_rows<T>(store, K, chosen, chosen_segments, products_keep_bits(),
                                               what + " " + std::to_string(memory) + " bytes"));
      }
    }
}

TEST(RowStore, GivesTheEntriesOfTheGramMatrixWhateverItHolds) {
  const auto dense = as_points(random_rows(130, 6, 1));
  expect_random_fetches<float>(dense, {50, 0, 79, 1}, 20, "float32");
  expect_random_fetches<double>(dense, {50, 0, 79, 1}, 20, "float64");
  expect_random_fetches<float>(dense, {130}, 1000, "one segment");
  expect_random_fetches<double>(as_points(random_rows(600, 3, 2), Kind::sparse64), {300, 300}, 300,
                                "two segments");
  expect_random_fetches<float>(as_points(random_rows(1, 3, 3)), {1}, 5, "one point");
  expect_random_fetches<double>(as_points(random_rows(2, 3, 3)), {1, 1}, 5, "two points");
}

TEST(RowStore, TakesManyRowsAtOnce) {  // more than a task computes
  const KernelOperator<float> gram(rbf({.gamma = 0.1}), as_points(random_rows(700, 4, 4)), {.threads = 1});
  const auto K = full(gram);
  RowStore<float> store(gram, cut_segments(std::vector<std::size_t>{700}, 350), std::size_t(1) << 30, 2);
  std::vector<std::int32_t> all(700);
  std::iota(all.begin(), all.end(), 0);
  expect_rows<float>(store, K, all, std::vector<std::int32_t>{1, 0}, products_keep_bits(), "all");
  EXPECT_EQ(store.computed(), 700u * 700u);
  // Everything is held from here on.
  Random random(5);
  for (int round = 0; round < 10; ++round)
    expect_rows<float>(store, K, some(300, 700, random), std::vector<std::int32_t>{0, 1},
                       products_keep_bits(), "held");
  EXPECT_EQ(store.computed(), 700u * 700u);
}

TEST(RowStore, ComputesAgainWhatItGaveAway) {
  const std::size_t n = 60;
  const KernelOperator<double> gram(rbf({.gamma = 0.1}), as_points(random_rows(n, 4, 6)), {.threads = 1});
  const auto K = full(gram);
  const auto segments = cut_segments(std::vector<std::size_t>{n}, 30);
  RowStore<double> store(gram, segments, least_memory(gram, segments), 1);
  EXPECT_EQ(store.most_rows(2), 2u);
  EXPECT_EQ(store.most_rows(1), 4u);
  const std::vector<std::int32_t> both{0, 1};
  std::size_t expected = 0;
  for (int round = 0; round < 5; ++round)
    for (const std::int32_t first : {0, 2, 4}) {
      expect_rows<double>(store, K, std::vector<std::int32_t>{first, first + 1}, both, products_keep_bits(),
                          "two rows");
      EXPECT_EQ(store.computed(), expected += 2 * n);
    }
  expect_rows<double>(store, K, std::vector<std::int32_t>{5, 4}, both, products_keep_bits(), "again");
  EXPECT_EQ(store.computed(), expected);
  expect_rows<double>(store, K, std::vector<std::int32_t>{5, 9}, both, products_keep_bits(), "one of them");
  EXPECT_EQ(store.computed(), expected + n);
}

TEST(RowStore, GivesAwayWhatWasUsedLongestAgo) {
  const std::size_t n = 40;
  const KernelOperator<float> gram(linear(), as_points(random_rows(n, 4, 7)), {.threads = 1});
  const auto K = full(gram);
  // Room for everything, but a store starts with twice what is asked for.
  RowStore<float> store(gram, {{0, n}}, std::size_t(1) << 30, 1);
  const std::vector<std::int32_t> whole{0};
  std::size_t expected = 0;
  const auto computes = [&](std::int32_t first, std::size_t rows) {
    expect_rows<float>(store, K, std::vector<std::int32_t>{first, first + 1}, whole, products_keep_bits(),
                       "pair");
    EXPECT_EQ(store.computed(), expected += rows * n) << first;
  };
  computes(0, 2);
  computes(2, 2);
  computes(0, 0);
  computes(4, 2);  // 2 and 3 go
  computes(0, 0);
  computes(4, 0);
  computes(6, 2);  // 0 and 1 go
  computes(5, 0);
  computes(3, 1);  // 4 stays; 3 comes again, for 7
  computes(5, 0);
}

TEST(RowStore, TakesTheMemoryOfStoresBeforeIt) {
  const auto kept = std::make_shared<RowMemory<float>>();
  for (const std::size_t n : {40, 700, 30, 701, 5}) {  // rows of all lengths, in memory of all lengths
    const KernelOperator<float> gram(linear(), as_points(random_rows(n, 3, n)), {.threads = 1});
    std::vector<float> K(n * n);
    gram.matrix(K);
    std::vector<std::int32_t> points(n);
    std::iota(points.begin(), points.end(), 0);
    {
      RowStore<float> store(gram, {{0, n}}, std::size_t(1) << 30, 1, kept);
      expect_rows<float>(store, K, points, std::vector<std::int32_t>{0}, products_keep_bits(), "kept");
      EXPECT_TRUE(kept->idle.empty() || kept->idle.back().size() > 0);
    }
    ASSERT_FALSE(kept->idle.empty());
  }
  const std::size_t touched = kept->touched;
  const KernelOperator<float> gram(linear(), as_points(random_rows(700, 3, 1)), {.threads = 1});
  RowStore<float> store(gram, {{0, 700}}, std::size_t(1) << 30, 1, kept);
  std::vector<const float*> rows;
  store.fetch(std::vector<std::int32_t>{0, 1, 2}, std::vector<std::int32_t>{0}, rows);
  EXPECT_EQ(kept->touched, touched);  // nothing fresh
}

TEST(RowStore, SaysHowMuchMemoryIsNeeded) {
  const KernelOperator<float> gram(linear(), as_points(random_rows(1000, 2, 8)), {.threads = 1});
  const Error error = thrown_by([&] { RowStore<float>(gram, {{0, 1000}}, 5000, 1); });
  EXPECT_EQ(error.kind(), ErrorKind::budget);
  EXPECT_TRUE(contains(error.what(), "0.005 MB do not hold two rows of the Gram matrix; at least 0.008"))
      << error.what();
  EXPECT_EQ(thrown_by([&] { RowStore<float>(gram, {{0, 1000}}, 0, 1); }).kind(), ErrorKind::budget);
  for (const std::size_t longest : {1000, 333, 16, 1}) {
    const auto segments = cut_segments(std::vector<std::size_t>{1000}, longest);
    const std::size_t least = least_memory(gram, segments);
    EXPECT_GE(least, 2 * 1000 * sizeof(float));
    EXPECT_LE(least, 2 * segments.size() * (longest * sizeof(float) + 128));  // two lines of padding at most
  }
}

TEST(RowStore, IsUsableAfterAKernelThrew) {
  std::atomic<bool> armed = false, infinite = false;
  const auto rows = random_rows(50, 3, 9);
  const auto function = [&](std::span<const double> x, std::span<const double> z) {
    const bool marked = x[0] == rows[17][0] && x[1] == rows[17][1] && x[2] == rows[17][2];
    if (armed && marked && infinite) return std::numeric_limits<double>::infinity();
    if (armed && marked) throw std::runtime_error("row 17");
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * z[k];
    return sum;
  };
  const KernelOperator<double> gram(user_kernel("mine", PairFunction(function)), as_points(rows),
                                    {.threads = 1});
  const auto K = full(gram);
  const auto segments = cut_segments(std::vector<std::size_t>{50}, 25);
  const std::vector<std::int32_t> both{0, 1}, before{3, 4, 5}, with{16, 17, 18, 19}, one{17};
  for (const std::size_t memory : {2 * least_memory(gram, segments), std::size_t(1) << 20})
    for (const int threads : {1, 2})
      for (const bool is_infinite : {false, true}) {
        RowStore<double> store(gram, segments, memory, threads);
        expect_rows<double>(store, K, before, both, true, "before");
        armed = true, infinite = is_infinite;
        std::vector<const double*> out;
        if (is_infinite) {
          EXPECT_EQ(thrown_by([&] { store.fetch(with, both, out); }).kind(), ErrorKind::data);
        } else {
          EXPECT_THROW(store.fetch(with, both, out), std::runtime_error);
        }
        EXPECT_ANY_THROW(store.fetch(one, both, out));
        armed = false;
        expect_rows<double>(store, K, with, both, true, "after");
        expect_rows<double>(store, K, before, both, true, "after");
      }
}

TEST(RowStore, TakesEmptyFetches) {
  const KernelOperator<float> gram(linear(), as_points(random_rows(5, 2, 8)), {.threads = 1});
  RowStore<float> store(gram, {{0, 5}}, 1000, 1);
  std::vector<const float*> rows(3);
  store.fetch({}, std::vector<std::int32_t>{0}, rows);
  EXPECT_TRUE(rows.empty());
  store.fetch(std::vector<std::int32_t>{1, 2}, {}, rows);
  EXPECT_TRUE(rows.empty());
  EXPECT_EQ(store.computed(), 0u);
  EXPECT_EQ(store.threads(), 1);
}

}  // namespace
}  // namespace mercer
