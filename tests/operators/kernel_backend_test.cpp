// What is kept of K, and what becomes of entries that are not finite. That every backend gives the same
// entries is tested in kernel_operator_test.cpp, and of a given matrix in kernels/precomputed_test.cpp.
#include "operators/kernel_backend.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "mercer/kernels.hpp"
#include "operators/entries.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Storage = OperatorOptions::Storage;

TEST(GramStorage, IsWhatWasAskedForAndHeldNeedsTheMemory) {
  const auto x = as_points(random_rows(100, 3, 6));
  const auto storage = [&](Storage wanted, std::size_t memory) {
    return KernelOperator<float>(rbf({.gamma = 1}), x, {.storage = wanted, .memory = memory}).storage();
  };
  EXPECT_EQ(storage(Storage::automatic, 40000), Storage::held);
  EXPECT_EQ(storage(Storage::automatic, 39999), Storage::cached);
  EXPECT_EQ(storage(Storage::held, 40000), Storage::held);
  EXPECT_EQ(storage(Storage::cached, 0), Storage::cached);
  EXPECT_EQ(storage(Storage::recomputed, 0), Storage::recomputed);
  const Error error = thrown_by([&] { storage(Storage::held, 39999); });
  EXPECT_EQ(error.kind(), ErrorKind::budget);
  EXPECT_TRUE(contains(error.what(), "0.0 MB")) << error.what();
  std::vector<float> columns(300), expected(300);
  const std::vector<std::size_t> indices{4, 99, 4};
  // Room for none.
  KernelOperator<float>(rbf({.gamma = 1}), x, {.storage = Storage::cached, .memory = 0})
      .columns(indices, columns);
  KernelOperator<float>(rbf({.gamma = 1}), x).columns(indices, expected);
  EXPECT_EQ(columns, expected);
}

TEST(GramStorage, CachedColumnsMayBeAskedForFromSeveralThreads) {
  const auto x = as_points(random_rows(200, 4, 7));
  const KernelOperator<double> gram(rbf({.gamma = 1}), x,
                                    {.storage = Storage::cached, .memory = 200 * 8 * 20, .threads = 1});
  const auto K = full(gram);
  std::vector<std::thread> threads;
  std::vector<int> wrong(3, 0);
  for (std::size_t t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      std::vector<double> out(200 * 5);
      for (std::size_t round = 0; round < 40; ++round) {
        std::vector<std::size_t> indices(5);
        for (std::size_t j = 0; j < 5; ++j) indices[j] = (round * 7 + t * 3 + j * 11) % 60;
        gram.columns(indices, out);
        for (std::size_t j = 0; j < 5; ++j)
          for (std::size_t i = 0; i < 200; ++i)
            wrong[t] += std::abs(out[j * 200 + i] - K[indices[j] * 200 + i]) > 1e-14;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector(3, 0));
}

TEST(GramOverflow, NamesBothRowsOnEveryPath) {
  const Points x(std::vector<Row>{{1}, {2}, {9.475}, {3}});  // exp(9.475²) = 9.8e38: beyond float32 alone
  const Points z(std::vector<Row>{{0}, {9.475}});
  const Kernel k = Kernel::parse("exp(linear)");
  std::vector<float> out(100);
  const std::vector<std::size_t> third{2}, second{1};
  for (const bool inside : {false, true}) {
    const KernelOperator<float> own(k, x, {.float64_inside = inside}),
        cross(k, x, z, {.float64_inside = inside});
    const std::pair<std::function<void()>, std::string> cases[] = {
        {[&] { own.matrix(out); }, "exp(linear) of row 3 and row 3 is too large in float32"},
        {[&] {
           own.tile({2, 3}, {1, 4}, out);
         },
         "of row 3 and row 3 is"},
        {[&] { own.columns(third, out); }, "of row 3 and row 3 is"},
        {[&] { own.multiply(std::vector<float>(4), 1, out); }, "of row 3 and row 3 is"},
        {[&] { own.diagonal(out); }, "of row 3 and row 3 is"},
        {[&] {
           own.block(third, {1, 4}, row_pointers(out.data(), third.size(), 3));
         },
         "of row 3 and row 3 is"},
        {[&] { own.square(third, out); }, "of row 3 and row 3 is"},
        {[&] {
           cross.block(third, {1, 2}, row_pointers(out.data(), third.size(), 1));
         },
         "of row 3 and reference row 2 is"},
        {[&] { cross.matrix(out); }, "of row 3 and reference row 2 is"},
        {[&] { cross.columns(second, out); }, "of row 3 and reference row 2 is"}};
    for (const auto& [action, text] : cases) {
      const Error error = thrown_by(action);
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_TRUE(contains(error.what(), text)) << error.what() << " should say " << text;
      EXPECT_TRUE(contains(error.what(), "use float64")) << error.what();
    }
  }
  EXPECT_NEAR(full(KernelOperator<double>(k, x))[10], std::exp(9.475 * 9.475), 1e26);
  const Points large(std::vector<Row>{{1}, {30}});
  EXPECT_TRUE(contains(thrown_by([&] { full(KernelOperator<double>(k, large)); }).what(),
                       "of row 2 and row 2 is too large in float64"));
}

TEST(GramOverflow, IsNotedWhereThatIsAskedFor) {
  const Points x(std::vector<Row>{{1}, {2}, {9.475}, {3}});  // exp(9.475²) = 9.8e38: beyond float32 alone
  const std::vector<std::size_t> third{2}, first{0};
  std::vector<float> out(100);
  using Action = std::function<void(const KernelOperator<float>&)>;
  for (const bool inside : {false, true})
    for (const Action& action : std::initializer_list<Action>{
             [&](const auto& K) { K.matrix(out); }, [&](const auto& K) { K.columns(third, out); },
             [&](const auto& K) { K.multiply(std::vector<float>(4), 1, out); },
             [&](const auto& K) { K.diagonal(out); }, [&](const auto& K) { K.square(third, out); },
             [&](const auto& K) { K.select(third).square(first, out); }}) {
      const KernelOperator<float> K(Kernel::parse("exp(linear)"), x,
                                    {.float64_inside = inside, .note_overflow = true});
      EXPECT_TRUE(K.finite());
      K.square(first, out);
      EXPECT_TRUE(K.finite());
      EXPECT_EQ(out[0], std::exp(1.0f));
      action(K);
      EXPECT_FALSE(K.finite());
    }
  const Points large(std::vector<Row>{{1}, {1e39}}), wrong(std::vector<Row>{{1}, {INFINITY}});
  EXPECT_FALSE(KernelOperator<float>(linear(), large, {.note_overflow = true}).finite());
  EXPECT_TRUE(KernelOperator<double>(linear(), large, {.note_overflow = true}).finite());
  EXPECT_TRUE(contains(
      thrown_by([&] { KernelOperator<float>(linear(), wrong, {.note_overflow = true}); }).what(), "is inf"));
}

TEST(GramOverflow, NamesRowsByTheirIds) {
  const Points x(std::vector<Row>{{1}, {2}, {30}}), wrong(std::vector<Row>{{1}, {INFINITY}, {2}});
  const OperatorOptions options{.row_ids = {7, 4, 11}};
  const KernelOperator<double> K(Kernel::parse("exp(linear)"), x, options);
  const std::vector<std::size_t> some{2, 1};
  EXPECT_EQ(K.row_id(2), 11u);
  EXPECT_EQ(K.select(some).row_id(1), 4u);
  EXPECT_EQ(KernelOperator<double>(linear(), x).row_id(2), 2u);
  EXPECT_TRUE(contains(thrown_by([&] { full(K); }).what(), "of row 12 and row 12 is too large"));
  EXPECT_TRUE(contains(thrown_by([&] { full(K.select(some)); }).what(), "of row 12 and row 12 is too large"));
  EXPECT_TRUE(contains(thrown_by([&] { KernelOperator<double>(linear(), wrong, options); }).what(),
                       "row 5, column 1"));
}

TEST(GramOverflow, SaysWhereAPartIsUndefined) {
  const Points x(std::vector<Row>{{3}, {0.1}});  // tanh(x·x − 1) is negative at the second point
  for (const char* text : {"normalize(sigmoid(offset=-1))", "exp(normalize(sigmoid(offset=-1)))"}) {
    const Error error = thrown_by([&] { full(KernelOperator<double>(Kernel::parse(text), x)); });
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_TRUE(contains(error.what(), "row 1 and row 2 is not a number in float64")) << error.what();
    EXPECT_EQ(thrown_by([&] { full(KernelOperator<float>(Kernel::parse(text), x)); }).kind(),
              ErrorKind::data);
  }
}

constexpr std::size_t length = 6;

/// A cache of columns whose number j at i is 100·j + i, with a record of what had to be computed.
struct Recorded {
  explicit Recorded(std::size_t memory) : cache(length, memory) {}

  std::vector<std::size_t> fetch(const std::vector<std::size_t>& indices) {
    std::vector<float> out(indices.size() * length, -1);
    std::vector<std::size_t> computed;
    cache.fetch(indices, out, [&](std::span<const std::size_t> missing, float* to) {
      computed.assign(missing.begin(), missing.end());
      for (const std::size_t index : missing)
        for (std::size_t i = 0; i < length; ++i) *to++ = float(100 * index + i);
    });
    for (std::size_t j = 0; j < indices.size(); ++j)
      for (std::size_t i = 0; i < length; ++i) EXPECT_EQ(out[j * length + i], float(100 * indices[j] + i));
    EXPECT_LE(cache.size(), cache.capacity());
    return computed;
  }

  ColumnCache<float> cache;
};

using List = std::vector<std::size_t>;

TEST(ColumnCache, HoldsAsManyColumnsAsTheMemoryAllows) {
  EXPECT_EQ(ColumnCache<float>(length, 3 * length * 4).capacity(), 3u);
  EXPECT_EQ(ColumnCache<float>(length, 3 * length * 4 - 1).capacity(), 2u);
  EXPECT_EQ(ColumnCache<double>(length, 3 * length * 4).capacity(), 1u);
  EXPECT_EQ(ColumnCache<float>(0, 1000).capacity(), 0u);
}

TEST(ColumnCache, ComputesOnlyWhatIsMissing) {
  Recorded r(4 * length * 4);
  EXPECT_EQ(r.fetch({5, 2}), (List{5, 2}));
  EXPECT_EQ(r.fetch({2, 5}), List{});
  EXPECT_EQ(r.fetch({2, 7, 5, 1}), (List{7, 1}));
  EXPECT_EQ(r.fetch({}), List{});
  EXPECT_EQ(r.cache.size(), 4u);
}

TEST(ColumnCache, LetsTheLeastRecentlyUsedLeaveFirst) {
  Recorded r(3 * length * 4);
  r.fetch({1});
  r.fetch({2});
  r.fetch({3});
  r.fetch({1});                        // from oldest: 2, 3, 1
  EXPECT_EQ(r.fetch({4}), List{4});    // 2 leaves: 3, 1, 4
  EXPECT_EQ(r.fetch({1, 3}), List{});  // 4, 1, 3
  EXPECT_EQ(r.fetch({5}), List{5});    // 4 leaves: 1, 3, 5
  EXPECT_EQ(r.fetch({1}), List{});     // 3, 5, 1
  EXPECT_EQ(r.fetch({2}), List{2});    // 3 leaves: 5, 1, 2
  EXPECT_EQ(r.fetch({5, 1, 2}), List{});
}

TEST(ColumnCache, TakesTheSameColumnSeveralTimes) {
  Recorded r(3 * length * 4);
  r.fetch({4, 4, 4});
  EXPECT_EQ(r.cache.size(), 1u);
  EXPECT_EQ(r.fetch({4, 9, 4, 9}), (List{9, 9}));
  EXPECT_EQ(r.cache.size(), 2u);
  EXPECT_EQ(r.fetch({9, 4}), List{});
}

TEST(ColumnCache, GivesMoreColumnsThanItHolds) {
  Recorded r(2 * length * 4);
  EXPECT_EQ(r.fetch({0, 1, 2, 3, 4}).size(), 5u);
  EXPECT_EQ(r.cache.size(), 2u);
  EXPECT_EQ(r.fetch({3, 4}), List{});
  // Those held come first, before others take their place.
  EXPECT_EQ(r.fetch({0, 3, 1, 4, 2}), (List{0, 1, 2}));
  Recorded none(0);
  EXPECT_EQ(none.fetch({1, 2, 1}).size(), 3u);
  EXPECT_EQ(none.cache.size(), 0u);
}

TEST(ColumnCache, AgreesWithASimpleModelOverManySteps) {
  Recorded r(5 * length * 4);
  List order;  // most recent first
  std::size_t state = 1;
  for (int step = 0; step < 2000; ++step) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::size_t index = (state >> 33) % 9;
    const auto found = std::ranges::find(order, index);
    EXPECT_EQ(r.fetch({index}).empty(), found != order.end());
    if (found != order.end()) order.erase(found);
    order.insert(order.begin(), index);
    if (order.size() > 5) order.pop_back();
  }
}

}  // namespace
}  // namespace mercer
