#include <thread>

#include "methods/problems.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

Expansion random_expansion(const std::string& kernel, std::vector<std::size_t> blocks, std::size_t width,
                           Kind kind) {
  std::size_t rows = 0;
  for (const std::size_t block : blocks) rows += block;
  Random random(7);
  Expansion e{.kernel = Kernel::parse(kernel),
              .points = as_points(random_rows(rows, 4, 3), kind),
              .blocks = std::move(blocks),
              .width = width};
  for (std::size_t i = 0; i < rows * width; ++i) e.coefficients.push_back(random.normal());
  return e;
}

std::vector<double> by_hand(const Expansion& e, const Points& at, const testing::KernelFunction& k) {
  std::vector<double> out(at.rows() * e.outputs(), 0);
  for (std::size_t i = 0; i < at.rows(); ++i)
    for (std::size_t b = 0, s = 0; b < e.blocks.size(); ++b)
      for (std::size_t end = s + e.blocks[b]; s < end; ++s)
        for (std::size_t c = 0; c < e.width; ++c)
          out[i * e.outputs() + b * e.width + c] +=
              e.coefficients[s * e.width + c] * k(e.points.row(s), at.row(i));
  return out;
}

TEST(Expansion, SumsAreThoseOfADoubleLoopForEveryStorageAndLayout) {
  for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64, Kind::sparse32})
    for (const auto& [expression, value] : testing::plain_kernels)
      for (const std::vector<std::size_t>& blocks :
           {std::vector<std::size_t>{20}, {7, 0, 13}, {1, 1, 1, 5}, {0}}) {
        const Expansion e = random_expansion(expression, blocks, 3, kind);
        const Points at = as_points(random_rows(11, 4, 9), kind);
        std::vector<double> out(at.rows() * e.outputs(), 12.0);  // what was there before does not matter
        e.sums(at, out, 2);
        testing::expect_near(out, by_hand(e, at, value), 1e-12, expression);
      }
}

// More rows than are made ready together, more than a tile, and more points than a tile has columns.
TEST(Expansion, TilesMeetWithoutGaps) {
  const Expansion e = random_expansion("rbf(gamma=0.5)", {1500, 10}, 1, Kind::dense64);
  const Points at(random_rows(4500, 4, 2));
  std::vector<double> out(at.rows() * 2), single(2);
  e.sums(at, out, 2);
  for (const std::size_t i : {0u, 255u, 256u, 4095u, 4096u, 4097u, 4499u}) {
    const Points row = at.select_rows(std::vector<std::size_t>{i});
    testing::expect_near({out[2 * i], out[2 * i + 1]}, by_hand(e, row, testing::plain_kernels[2].value),
                         1e-12, std::to_string(i));
  }
}

TEST(Expansion, BitsDoNotDependOnThreads) {
  const Expansion e = random_expansion("rbf(gamma=0.5)", {700, 600}, 2, Kind::dense64);
  const Points at(random_rows(900, 4, 2));
  std::vector<double> one(at.rows() * 4), many(one.size());
  e.sums(at, one, 1);
  for (const int threads : {2, 4}) {
    e.sums(at, many, threads);
    EXPECT_EQ(one, many) << threads;
  }
}

// What is made ready at the first call is of the kernel, the points and the coefficients as they are then.
TEST(Expansion, ChangesAreSeen) {
  for (const char* text : {"rbf(gamma=0.5)", "linear"}) {
    const testing::KernelFunction& k = testing::plain_kernels[text[0] == 'r' ? 2 : 0].value;
    Expansion e = random_expansion(text, {6, 5}, 2, Kind::dense64);
    const Points few(random_rows(3, 4, 1)), sparse = few.to_sparse(), many(random_rows(40, 4, 1));
    const auto expect_right = [&](const char* what) {
      for (const Points* at : {&few, &sparse, &many, &few}) {
        std::vector<double> out(at->rows() * e.outputs());
        e.sums(*at, out);
        testing::expect_near(out, by_hand(e, *at, k), 1e-12, std::string(text) + ", " + what);
      }
    };
    expect_right("new");
    e.coefficients[3] = 8;
    expect_right("other coefficients");
    const Expansion copy = e;
    e.points = as_points(random_rows(11, 4, 77));
    expect_right("other points");
    e.blocks = {2, 9};
    expect_right("other blocks");
    Expansion moved = std::move(e);
    e = copy;
    expect_right("copied back");
    std::swap(e, moved);
    expect_right("swapped");
    e.kernel = Kernel::parse(text[0] == 'r' ? "linear" : "rbf(gamma=0.5)");
    std::vector<double> out(few.rows() * e.outputs());
    e.sums(few, out);
    testing::expect_near(out, by_hand(e, few, testing::plain_kernels[text[0] == 'r' ? 0 : 2].value), 1e-12,
                         "other kernel");
  }
}

TEST(Expansion, ThreadsShareWhatIsMadeReady) {
  for (const char* text : {"rbf(gamma=0.5)", "linear"}) {
    const Expansion e = random_expansion(text, {300}, 1, Kind::dense64);
    const Points at(random_rows(64, 4, 5));
    std::vector<double> all(64), wanted(64);
    random_expansion(text, {300}, 1, Kind::dense64).sums(at, wanted, 1);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (std::size_t i = t; i < 64; i += 4)
          e.sums(at.select_rows(std::vector<std::size_t>{i}), {all.data() + i, 1}, 1);
      });
    for (std::thread& thread : threads) thread.join();
    testing::expect_near(all, wanted, 1e-12, text);
  }
}

TEST(Expansion, NoRowsAndNoPointsAreFine) {
  const Expansion none = random_expansion("linear", {0, 0}, 1, Kind::dense64);
  std::vector<double> out(3 * 2, 5.0);
  none.sums(Points(random_rows(3, 4, 1)), out);
  EXPECT_EQ(out, std::vector<double>(6, 0.0));
  random_expansion("linear", {4}, 1, Kind::dense64).sums(as_points(random_rows(3, 4, 1)).select_rows({}), {});
}

TEST(Expansion, CanBeStopped) {
  const Expansion e = random_expansion("linear", {10}, 1, Kind::dense64);
  std::vector<double> out(5000);
  EXPECT_NE(
      refusal(ErrorKind::cancelled,
              [&] { e.sums(Points(random_rows(5000, 4, 1)), out, 1, [](auto, double) { return false; }); }),
      "no error");
}

}  // namespace
}  // namespace mercer
