#include "operators/quantized_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "operators/entries.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Whole = std::vector<std::vector<std::int64_t>>;

constexpr std::size_t ample_memory = std::size_t(1) << 30;
constexpr Precision both_precisions[] = {Precision::float32, Precision::float64};

/// n × d whole numbers from low to high, both of which occur, as do −1, 0 and 1 where they are between.
Whole whole_rows(std::size_t n, std::size_t d, std::int64_t low, std::int64_t high, std::uint64_t seed) {
  Random random(seed);
  Whole rows(n, std::vector<std::int64_t>(d));
  for (auto& row : rows)
    for (auto& value : row) value = low + std::int64_t(random.below(std::uint64_t(high - low + 1)));
  const std::int64_t must[] = {1, -1, low, high, 0};
  std::size_t place = 0;
  for (const std::int64_t value : must)
    if (low <= value && value <= high && place < n * d) rows[place / d][place % d] = value, ++place;
  return rows;
}

std::vector<Row> times(const Whole& rows, double unit) {
  std::vector<Row> out;
  for (const auto& row : rows) {
    out.emplace_back();
    for (const std::int64_t value : row) out.back().push_back(double(value) * unit);
  }
  return out;
}

Wholeness wholeness(const std::vector<Row>& rows, Precision precision = Precision::float64,
                    std::size_t memory = ample_memory, Kind kind = Kind::dense64) {
  const Points points = as_points(rows, kind);
  return find_wholeness(points, points, precision, memory);
}

TEST(FindWholeness, FindsTheUnitAndTheLeastMultiple) {
  for (const Precision precision : both_precisions)
    for (const Kind kind : {Kind::dense64, Kind::sparse64, Kind::dense32, Kind::sparse32})
      for (const double unit : {1.0, 0.5, 1024.0, 3.0})
        for (const auto& [low, high] : {std::pair{0, 1}, {0, 127}, {-1, 1}, {-64, 63}, {-127, 0}, {-3, 2}}) {
          const auto found =
              wholeness(times(whole_rows(9, 7, low, high, 1), unit), precision, ample_memory, kind);
          EXPECT_EQ(found.unit, unit) << low << ' ' << high;
          EXPECT_EQ(found.bits, low == 0 && high == 1) << low << ' ' << high;
          EXPECT_EQ(found.bytes, !found.bits) << low << ' ' << high;
          EXPECT_EQ(found.lowest, low) << unit;
        }
  EXPECT_EQ(wholeness({{-4, -2}, {0, -6}}).unit, 2);
  EXPECT_EQ(wholeness({{-4, -2}, {0, -6}}).lowest, -3);
}

TEST(FindWholeness, LooksAtBothSides) {
  const Points ones(std::vector<Row>{{1, 0}}), halves(std::vector<Row>{{0.5, 1}}),
      thirds(std::vector<Row>{{1.0 / 3, 1.5}}), negative(std::vector<Row>{{-7, 0}}),
      zeros(std::vector<Row>{{0, 0}});
  const auto unit = [](const Points& a, const Points& b) {
    return find_wholeness(a, b, Precision::float64, ample_memory).unit;
  };
  EXPECT_EQ(unit(ones, halves), 0.5);
  EXPECT_EQ(unit(halves, ones), 0.5);
  EXPECT_EQ(unit(ones, thirds), 0);
  EXPECT_EQ(unit(thirds, ones), 0);
  EXPECT_EQ(unit(ones, zeros), 1);
  EXPECT_EQ(unit(zeros, ones), 1);
  EXPECT_EQ(find_wholeness(ones, negative, Precision::float64, ample_memory).lowest, -7);
  EXPECT_EQ(find_wholeness(negative, ones, Precision::float64, ample_memory).lowest, -7);
}

TEST(FindWholeness, AllowsForTheRoundingOfFractions) {
  std::vector<Row> pixels(1), tenths(1), nearly(1);
  for (int k = 0; k <= 127; ++k) pixels[0].push_back(k / 255.0), tenths[0].push_back(k / 10.0 - 6);
  EXPECT_EQ(wholeness(pixels).unit, 1 / 255.0);
  EXPECT_TRUE(wholeness(pixels).bytes);
  nearly = pixels;
  nearly[0][50] *= 1 + 1e-13;
  EXPECT_EQ(wholeness(nearly).unit, 0);
  EXPECT_EQ(wholeness({{1, 1 + 1e-9}}).unit, 0);
  EXPECT_EQ(wholeness({{1, 2.5}}).unit, 0);
}

TEST(FindWholeness, SeesPointsThatAreNot) {
  for (const Precision precision : both_precisions) {
    EXPECT_EQ(wholeness(random_rows(20, 5, 1), precision).unit, 0);
    EXPECT_EQ(wholeness({{0, 0}, {0, 0}}, precision).unit, 0);  // there is no unit
    EXPECT_EQ(wholeness({}, precision).unit, 0);
    EXPECT_EQ(find_wholeness(Points(Dense<double>{3, 0, Buffer<double>(0)}),
                             Points(Dense<double>{3, 0, Buffer<double>(0)}), precision, ample_memory)
                  .unit,
              0);
    EXPECT_EQ(wholeness({{1, (1 << 20) + 1}}, precision).unit, 0);
    EXPECT_EQ(wholeness({{1, 1e300}}, precision).unit, 0);
    EXPECT_EQ(wholeness({{1e-200, 1e-200}}, precision).unit, 0);  // its square is 0
    EXPECT_EQ(wholeness({{1e200, 0}}, precision).unit, 0);        // its square is infinite
  }
  // The same in float32.
  EXPECT_EQ(wholeness({{1e-30, 0}}, Precision::float32).unit, 0);
  EXPECT_EQ(wholeness({{1e30, 0}}, Precision::float32).unit, 0);
  EXPECT_EQ(wholeness({{1e-30, 0}}, Precision::float64).unit, 1e-30);
  EXPECT_EQ(wholeness({{1e30, 0}}, Precision::float64).unit, 1e30);
}

TEST(FindWholeness, TakesFloat32ForLargerNumbersOfFloat64Kernels) {
  const auto found = wholeness({{1, 1000}, {-1000, 3}});
  EXPECT_EQ(found.unit, 1);
  EXPECT_FALSE(found.bytes);
  EXPECT_EQ(wholeness({{1, 1000}, {-1000, 3}}, Precision::float32).unit, 0);  // nothing is gained
  EXPECT_EQ(wholeness({{4096, 0}, {1, 0}}).unit, 1);  // a square of 2²⁴ is the last
  EXPECT_EQ(wholeness({{4096, 1}, {1, 0}}).unit, 0);
  EXPECT_EQ(wholeness({{1, 0}, {1, 4096}}).unit, 0);
}

TEST(FindWholeness, TakesBytesWhereSumsFit32Bits) {
  const auto bytes = [](std::size_t d, double high) {
    Row row(d, 1);
    row[0] = high;
    return wholeness({row}, Precision::float32).bytes;
  };
  EXPECT_TRUE(bytes(132000, 127));  // 128 · 127 · 132 000 = 2.146e9
  EXPECT_FALSE(bytes(132200, 127));
  EXPECT_FALSE(bytes(33100, 255));
}

TEST(FindWholeness, KeepsToTheMemory) {
  // 12 numbers on both sides.
  const std::vector<Row> small{{1, 2, 3}, {0, 1, 0}}, large{{1, 2000, 3}, {0, 1, 0}};
  EXPECT_EQ(wholeness(small, Precision::float32, 24).unit, 1);
  EXPECT_EQ(wholeness(small, Precision::float32, 23).unit, 0);
  EXPECT_EQ(wholeness(large, Precision::float64, 48).unit, 1);
  EXPECT_EQ(wholeness(large, Precision::float64, 47).unit, 0);
}

std::int64_t whole_dot(const std::vector<std::int64_t>& x, const std::vector<std::int64_t>& z) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * z[k];
  return sum;
}

std::int64_t whole_gap(const std::vector<std::int64_t>& x, const std::vector<std::int64_t>& z) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - z[k]) * (x[k] - z[k]);
  return sum;
}

template <class T>
void expect_products(const QuantizedPoints& a, const Whole& x, Range rows, const QuantizedPoints& b,
                     const Whole& z, Range columns, double unit, const std::string& what) {
  const std::size_t stride = columns.size() + 3;
  std::vector<T> out(rows.size() * stride, T(-77));
  a.products(rows, b, columns, out.data(), stride);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < stride; ++j) {
      const T got = out[i * stride + j];
      if (j >= columns.size()) {
        ASSERT_EQ(got, T(-77)) << what;
        continue;
      }
      const std::int64_t sum = whole_dot(x[rows.begin + i], z[columns.begin + j]);
      const double expected = unit * unit * double(sum);
      const bool exact = sizeof(T) == 8 || (unit == 1 && std::abs(sum) <= 1 << 24);
      ASSERT_NEAR(got, expected, exact ? 0 : 3e-7 * std::abs(expected)) << what << " at " << i << ", " << j;
    }
}

/// look_up_distances() with a table whose entries are their own places.
template <class T>
void expect_distances(const QuantizedPoints& a, const Whole& x, Range rows, const QuantizedPoints& b,
                      const Whole& z, Range columns, const std::string& what) {
  const double farthest = std::sqrt(double(a.largest_norm())) + std::sqrt(double(b.largest_norm()));
  if (farthest * farthest > 1 << 17) return;  // no table would be that long
  std::vector<T> table(std::size_t(farthest * farthest) + 2);
  std::iota(table.begin(), table.end(), T(0));
  std::vector<T> out((rows.size() + 1) * (columns.size() + 1), T(-77));
  const auto to = row_pointers(out.data(), rows.size(), columns.size() + 1);
  a.look_up_distances(rows, b, columns, std::span<const T>(table), to.data());
  for (std::size_t i = 0; i <= rows.size(); ++i)
    for (std::size_t j = 0; j <= columns.size(); ++j) {
      const bool inside = i < rows.size() && j < columns.size();
      ASSERT_EQ(out[i * (columns.size() + 1) + j],
                inside ? T(whole_gap(x[rows.begin + i], z[columns.begin + j])) : T(-77))
          << what;
    }
}

void expect_all(const Whole& x, const Whole& z, double unit, Kind kind, const std::string& what) {
  const Points a = as_points(times(x, unit), kind), b = as_points(times(z, unit), kind);
  const Wholeness how = find_wholeness(a, b, Precision::float64, ample_memory);
  ASSERT_EQ(how.unit, unit) << what;
  const QuantizedPoints left(a, how), right(b, how);
  const Range all_rows{0, x.size()}, all_columns{0, z.size()};
  for (const Range rows : {all_rows, Range{0, 0}, Range{x.size() / 3, x.size() / 3 + 1}, Range{1, x.size()}})
    for (const Range columns :
         {all_columns, Range{0, 0}, Range{z.size() - 1, z.size()}, Range{z.size() / 2, z.size()}}) {
      expect_products<double>(left, x, rows, right, z, columns, unit, what);
      expect_products<float>(left, x, rows, right, z, columns, unit, what);
      if (!left.bytes()) continue;
      expect_distances<double>(left, x, rows, right, z, columns, what);
      expect_distances<float>(left, x, rows, right, z, columns, what);
    }
  expect_products<double>(right, z, all_columns, left, x, all_rows, unit, what + " the other way");
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(left.squared_norm(i), unit * unit * double(whole_dot(x[i], x[i]))) << what;
    for (std::size_t j = 0; j < z.size(); j += 1 + z.size() / 9)
      ASSERT_EQ(left.squared_distance(i, right, j), unit * unit * double(whole_gap(x[i], z[j]))) << what;
  }
  std::vector<std::size_t> chosen;
  Random random(x.size());
  for (std::size_t c = 0; c < 1 + x.size() / 2; ++c) chosen.push_back(random.below(x.size()));  // some twice
  Whole picked;
  for (const std::size_t i : chosen) picked.push_back(x[i]);
  const QuantizedPoints gathered = left.gather(chosen), none = left.gather({});
  expect_products<double>(gathered, picked, {0, picked.size()}, right, z, all_columns, unit,
                          what + " gathered");
  expect_products<float>(right, z, all_columns, gathered, picked, {0, picked.size()}, unit,
                         what + " gathered columns");
  expect_products<double>(none, {}, {0, 0}, right, z, all_columns, unit, what + " none");
  if (left.bytes())
    expect_distances<float>(gathered, picked, {0, picked.size()}, right, z, all_columns, what + " gathered");
  EXPECT_EQ(gathered.squared_norm(0), left.squared_norm(chosen[0]));
  EXPECT_EQ(gathered.squared_distance(0, left, 0), left.squared_distance(chosen[0], left, 0));
}

TEST(QuantizedPoints, GiveExactSums) {
  std::uint64_t seed = 1;
  for (const auto& [low, high] :
       {std::pair{0, 1}, {0, 127}, {0, 255}, {-1, 1}, {-255, 0}, {-128, 127}, {-700, 800}})
    for (const auto& [n, m, d] : {std::tuple{2, 2, 2}, {1, 5, 4}, {3, 1, 9}, {33, 130, 7}, {70, 41, 20}})
      for (const Kind kind : {Kind::dense64, Kind::sparse64}) {
        const auto x = whole_rows(std::size_t(n), std::size_t(d), low, high, ++seed);
        const auto z = whole_rows(std::size_t(m), std::size_t(d), low, high, ++seed);
        ASSERT_NO_FATAL_FAILURE(expect_all(x, z, seed % 3 == 0 ? 0.25 : 1, kind,
                                           std::to_string(low) + " … " + std::to_string(high) + ", " +
                                               std::to_string(n) + "×" + std::to_string(m) + "×" +
                                               std::to_string(d)));
      }
}

TEST(QuantizedPoints, GiveExactSumsWhereTheyAreLargest) {
  // Beyond 33 000 columns sums of bytes' products do not fit 32 bits.
  for (const auto& [low, high] : {std::pair{0, 255}, {-255, 0}, {-128, 127}, {0, 1}, {-1, 1}, {-100, 20}})
    for (const std::size_t d : {5000, 33000, 33100, 64999, 70000, 139000}) {
      Whole x(3, std::vector<std::int64_t>(d, low)), z(2, std::vector<std::int64_t>(d, high));
      x[1].assign(d, high), z[1].assign(d, low);
      x[2][0] = low < 0 ? -1 : 1;
      const Points a = as_points(times(x, 1)), b = as_points(times(z, 1));
      const KernelOperator<double> gram(linear(), a, b);
      const auto K = full(gram);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 2; ++j)
          ASSERT_EQ(K[i * 2 + j], double(whole_dot(x[i], z[j]))) << low << ' ' << d;
    }
}

TEST(QuantizedPoints, GiveKernelsEqualToADoubleLoop) {
  struct Data {
    const char* name;
    int low, high;
    double unit;
  };
  for (const Data& data : {Data{"binary", 0, 1, 1},
                           {"bytes", 0, 255, 1},
                           {"pixels", 0, 255, 1 / 255.0},
                           {"signs", -1, 1, 1},
                           {"tenths", -40, 60, 0.1},
                           {"counts", 0, 600, 1}})
    for (const auto& [n, m, d] : {std::tuple{1, 1, 1}, {2, 3, 2}, {37, 150, 11}, {20, 9, 100}}) {
      const double scale = 1 / (data.unit * data.unit * double(data.high) * double(data.high) * d);
      const auto x = times(whole_rows(std::size_t(n), std::size_t(d), data.low, data.high, 3), data.unit);
      auto z = times(whole_rows(std::size_t(m), std::size_t(d), data.low, data.high, 4), data.unit);
      z.back() = x.back();
      const std::pair<Kernel, Reference> kernels[] = {
          {linear(), [](auto& a, auto& b) { return dot(a, b); }},
          {rbf({.gamma = scale}), [&](auto& a, auto& b) { return std::exp(-scale * squared_gap(a, b)); }},
          {poly({.degree = 3, .scale = scale}),
           [&](auto& a, auto& b) { return std::pow(scale * dot(a, b) + 1, 3); }},
          {laplace({.lambda = std::sqrt(scale)}),
           [&](auto& a, auto& b) { return std::exp(-std::sqrt(scale * squared_gap(a, b))); }},
          {2.0 * rbf({.gamma = scale}) + rbf({.gamma = 3 * scale}) * delta(),
           [&](auto& a, auto& b) { return 2 * std::exp(-scale * squared_gap(a, b)) + (a == b ? 1 : 0); }},
          {rbf({.gamma = scale}) * linear(),
           [&](auto& a, auto& b) { return std::exp(-scale * squared_gap(a, b)) * dot(a, b); }}};
      for (const auto& [kernel, reference] : kernels)
        for (const Kind kind : {Kind::dense64, Kind::sparse64}) {
          const std::string what = std::string(data.name) + " " + kernel.text() + " " + std::to_string(n) +
                                   "×" + std::to_string(m);
          const Points a = as_points(x, kind), b = as_points(z, kind);
          expect_close(full(KernelOperator<double>(kernel, a, b)), double_loop(reference, x, z), 1e-12, what);
          expect_close(full(KernelOperator<float>(kernel, a, b)), double_loop(reference, x, z), 1e-5, what);
          expect_close(full(KernelOperator<double>(kernel, b)), double_loop(reference, z, z), 1e-12,
                       what + " symmetric");
          expect_close(full(KernelOperator<float>(kernel, b)), double_loop(reference, z, z), 1e-5,
                       what + " symmetric");
        }
    }
}

}  // namespace
}  // namespace mercer
