// The loops of SMO against plain ones. Small whole numbers keep every operation exact, so that ties are ties
// in any arithmetic; other numbers may differ by fused roundings.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "solvers/simd/smo_steps.hpp"
#include "base/simd/targets.hpp"

namespace mercer::simd {
namespace {

constexpr std::size_t padded_lengths[] = {0, 32, 64, 96, 480, 1024, 2080};

/// action(name, T(0)) for every instruction set and both precisions.
template <class Action>
void with_each_set(Action action) {
  for (const std::string& set : instruction_sets()) {
    action(set, 0.0f);
    action(set, 0.0);
  }
}

/// −G towards larger and towards smaller β, and rows of K.
template <class T>
struct Variables {
  std::vector<T> rise, fall, diagonal, a, b;

  /// `can`: the share of variables that can rise, and of those that can fall.
  Variables(std::size_t n, std::uint64_t seed, bool whole, double can) {
    Random random(seed);
    const auto number = [&] { return whole ? double(random.below(9)) - 4 : random.normal(); };
    for (std::size_t j = 0; j < n; ++j) {
      const double G = number();
      a.push_back(T(number()));
      b.push_back(T(number()));
      diagonal.push_back(T(whole ? double(random.below(4) + 1) : random.uniform(0.5, 2)));
      rise.push_back(random.uniform() < can ? T(-G) : T(cannot_rise));
      fall.push_back(random.uniform() < can ? T(-G) : T(cannot_fall));
    }
  }
  std::size_t size() const { return rise.size(); }
};

template <class T>
Extremes extremes(const std::vector<T>& rise, const std::vector<T>& fall) {
  Extremes e{-INFINITY, 0, INFINITY};
  for (std::size_t j = 0; j < rise.size(); ++j) {
    if (rise[j] > e.top) e.top = rise[j], e.at = j;
    e.bottom = std::min(e.bottom, double(fall[j]));
  }
  return e;
}

template <class T>
void expect_moves(const std::string& set, std::size_t n, bool whole, double can) {
  Variables<T> v(n, n + 17, whole, can);
  const double t = whole ? 3 : 0.37;
  const Variables<T> before = v;
  const Extremes found = steps<T>(set).move(v.rise.data(), v.fall.data(), v.a.data(), v.b.data(), t, n);
  const auto expect_moved = [&](T from, T to, std::size_t j) {
    if (std::isinf(from))
      ASSERT_EQ(to, from) << set << ' ' << n << ' ' << j;
    else
      ASSERT_NEAR(to, double(from) - t * (double(v.a[j]) - double(v.b[j])),
                  whole ? 0 : 20 * std::numeric_limits<T>::epsilon())
          << set << ' ' << n << ' ' << j;
  };
  for (std::size_t j = 0; j < n; ++j) {
    expect_moved(before.rise[j], v.rise[j], j);
    expect_moved(before.fall[j], v.fall[j], j);
  }
  const Extremes plain = extremes(v.rise, v.fall);
  EXPECT_EQ(found.top, plain.top) << set << ' ' << n << ' ' << can;
  EXPECT_EQ(found.bottom, plain.bottom) << set << ' ' << n << ' ' << can;
  EXPECT_EQ(plain.top > -INFINITY ? found.at : 0, plain.at) << set << ' ' << n << ' ' << can;
}

TEST(SimdSteps, MoveAndFindTheExtremes) {
  with_each_set([](const std::string& set, auto zero) {
    for (const std::size_t n : padded_lengths)
      for (const bool whole : {true, false})
        for (const double can : {1.0, 0.6, 0.05, 0.0}) expect_moves<decltype(zero)>(set, n, whole, can);
  });
}

TEST(SimdSteps, MoveSeesAnExtremeInEveryPlace) {
  with_each_set([](const std::string& set, auto zero) {
    using T = decltype(zero);
    constexpr std::size_t n = 64;
    const std::vector<T> row(n, T(1));
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<T> rise(n, T(-5));
      rise[j] = 2, rise[(j + 1) % n] = -11;
      std::vector<T> fall = rise;
      const Extremes e = steps<T>(set).move(rise.data(), fall.data(), row.data(), row.data(), 8, n);
      ASSERT_EQ(e.top, 2) << set << ' ' << j;
      ASSERT_EQ(e.at, j) << set;
      ASSERT_EQ(e.bottom, -11) << set << ' ' << j;
    }
  });
}

TEST(SimdSteps, MoveTakesTheFirstOfEqualOnes) {
  with_each_set([](const std::string& set, auto zero) {
    using T = decltype(zero);
    constexpr std::size_t n = 96;
    const std::vector<T> row(n, T(0));
    std::vector<T> rise(n, T(1)), fall(n, T(1));
    for (std::size_t first = 0; first < n; ++first) {
      const Extremes e = steps<T>(set).move(rise.data(), fall.data(), row.data(), row.data(), 1, n);
      ASSERT_EQ(e.at, first) << set;
      rise[first] = T(cannot_rise);
    }
  });
}

template <class T>
double gain(const Variables<T>& v, double own, double top, std::size_t j) {
  const double drop = top - double(v.fall[j]);
  if (!(drop > 0)) return 0;
  return drop * drop / std::max(own + double(v.diagonal[j]) - 2 * double(v.a[j]), least_curvature);
}

/// The first with the largest gain, or n.
template <class T>
std::size_t plain_partner(const Variables<T>& v, double own, double top) {
  std::size_t best = v.size();
  for (std::size_t j = 0; j < v.size(); ++j)
    if (gain(v, own, top, j) > (best == v.size() ? 0 : gain(v, own, top, best))) best = j;
  return best;
}

template <class T>
std::size_t found_partner(const std::string& set, const Variables<T>& v, double own, double top) {
  return steps<T>(set).partner(v.fall.data(), v.a.data(), own, v.diagonal.data(), top, v.size());
}

TEST(SimdSteps, PartnerHasTheLargestGain) {
  with_each_set([](const std::string& set, auto zero) {
    using T = decltype(zero);
    for (const std::size_t n : padded_lengths)
      for (const double can : {1.0, 0.6, 0.05, 0.0})
        for (const double top : {9.0, 2.0, 0.0, -3.0, -9.0}) {
          // Whole: ties abound, and the rows give curvatures of either sign.
          const Variables<T> whole(n, n + 5, true, can);
          ASSERT_EQ(found_partner(set, whole, 2, top), plain_partner(whole, 2, top))
              << set << ' ' << n << ' ' << can << ' ' << top;
          const Variables<T> real(n, n + 6, false, can);
          const std::size_t expected = plain_partner(real, 1.5, top),
                            found = found_partner(set, real, 1.5, top);
          ASSERT_EQ(found == n, expected == n) << set << ' ' << n << ' ' << can << ' ' << top;
          if (found == n) continue;
          ASSERT_GE(gain(real, 1.5, top, found),
                    gain(real, 1.5, top, expected) * (1 - 100 * std::numeric_limits<T>::epsilon()))
              << set;
        }
  });
}

TEST(SimdSteps, PartnerIsTheFirstOfEqualOnes) {
  with_each_set([](const std::string& set, auto zero) {
    using T = decltype(zero);
    constexpr std::size_t n = 96;
    const std::vector<T> row(n, T(0.5)), diagonal(n, T(1));
    std::vector<T> fall(n, T(-1));
    for (std::size_t first = 0; first <= n; ++first) {
      ASSERT_EQ(steps<T>(set).partner(fall.data(), row.data(), 1, diagonal.data(), 0.25, n), first) << set;
      if (first < n) fall[first] = T(cannot_fall);
    }
  });
}

TEST(SimdSteps, PartnerWithoutCurvatureCountsTheLeast) {
  with_each_set([](const std::string& set, auto zero) {
    using T = decltype(zero);
    // Equal points (curvature 0) beat the rest; a curvature below 0 is no better than 0, so the larger drop
    // decides.
    std::vector<T> row(32, T(0)), fall(32, T(-5)), diagonal(32, T(1));
    row[11] = T(1), fall[11] = T(-0.5);
    const auto partner = [&] {
      return steps<T>(set).partner(fall.data(), row.data(), 1, diagonal.data(), 0, 32);
    };
    EXPECT_EQ(partner(), 11u) << set;
    row[14] = T(3), fall[14] = T(-0.75);
    EXPECT_EQ(partner(), 14u) << set;
    fall[14] = T(-0.25);
    EXPECT_EQ(partner(), 11u) << set;
  });
}

TEST(SimdSteps, AccumulateAddsRows) {
  with_each_set([](const std::string& set, auto zero) {
    using T = decltype(zero);
    for (std::size_t count = 0; count < 10; ++count)
      for (const std::size_t n : {0, 1, 2, 7, 8, 9, 31, 2049}) {
        Random random(100 * count + n);
        std::vector<std::vector<T>> rows(count, std::vector<T>(n));
        std::vector<const T*> pointers;
        std::vector<double> t, f(n + 3, -7.5), expected(n), magnitude(n);
        for (auto& row : rows) {
          for (T& value : row) value = T(random.normal());
          pointers.push_back(row.data());
          t.push_back(random.normal());
        }
        for (std::size_t j = 0; j < n; ++j) {
          expected[j] = f[j] = random.normal();
          magnitude[j] = std::abs(f[j]);
          for (std::size_t r = 0; r < count; ++r) {
            expected[j] += t[r] * double(rows[r][j]);
            magnitude[j] += std::abs(t[r] * double(rows[r][j]));
          }
        }
        steps<T>(set).accumulate(f.data(), pointers.data(), t.data(), count, n);
        for (std::size_t j = 0; j < n; ++j)
          ASSERT_NEAR(f[j], expected[j], 1e-15 * magnitude[j]) << set << ' ' << count << ' ' << n << ' ' << j;
        for (std::size_t j = n; j < f.size(); ++j) ASSERT_EQ(f[j], -7.5) << set;  // nothing past the end
      }
  });
}

}  // namespace
}  // namespace mercer::simd
