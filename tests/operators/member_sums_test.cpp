#include "operators/member_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

Members members_of(const Points& points) {
  const Bags& bags = points.objects().front().bags();
  Dense<double> rows{bags.starts[bags.rows()], bags.columns, Buffer<double>(bags.values.size())};
  std::ranges::copy(bags.values, rows.values.begin());
  return {Points(std::move(rows)), {bags.starts.begin(), bags.starts.end()}};
}
const MemberMap map{"bags", members_of};

TEST(MemberSums, AreDoubleSumsOverBothSets) {
  const Kernel k = rbf({.gamma = 0.4});
  for (const auto& [n, m] : {std::pair{1, 1}, {3, 7}, {600, 50}}) {  // the last in several runs
    const Points x(random_objects(Domain::vectors, std::size_t(n), 1)),
        z(random_objects(Domain::vectors, std::size_t(m), 2));
    std::vector<double> sums(std::size_t(n * m));
    member_sums(map, k)(x, {0, std::size_t(n)}, z, {0, std::size_t(m)}, sums.data());
    const Members a = members_of(x), b = members_of(z);
    std::vector<double> K(a.points.rows() * b.points.rows());
    KernelOperator<double>(k, a.points, b.points).matrix(K);
    for (std::size_t i = 0; i < std::size_t(n); ++i)
      for (std::size_t j = 0; j < std::size_t(m); ++j) {
        double expected = 0;
        for (std::size_t p = a.starts[i]; p < a.starts[i + 1]; ++p)
          for (std::size_t q = b.starts[j]; q < b.starts[j + 1]; ++q) expected += K[p * b.points.rows() + q];
        EXPECT_NEAR(sums[i * std::size_t(m) + j], expected, 1e-12 * std::abs(expected));
      }
    const Range rows{std::size_t(n) / 3, std::size_t(n)}, columns{std::size_t(m) / 2, std::size_t(m)};
    std::vector<double> part(rows.size() * columns.size());
    member_sums(map, k)(x, rows, z, columns, part.data());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j)
        EXPECT_NEAR(part[i * columns.size() + j], sums[(rows.begin + i) * std::size_t(m) + columns.begin + j],
                    1e-12);
  }
}

TEST(MemberSums, OfAnEmptySetAreZeroAndOfAHugePairRefused) {
  const Points some(
      Objects("b", Domain::vectors, Bags{buffer_of<std::size_t>({0, 0, 1}), 1, buffer_of<double>({2})}));
  std::vector<double> sums(4, 7);
  member_sums(map, linear())(some, {0, 2}, some, {0, 2}, sums.data());
  EXPECT_EQ(sums, (std::vector<double>{0, 0, 0, 4}));
  const Points large(Objects("b", Domain::vectors,
                             Bags{buffer_of<std::size_t>({0, 400000}), 1, Buffer<double>(400000, 1.0)}));
  double out = 0;
  try {
    member_sums(map, linear())(large, {0, 1}, large, {0, 1}, &out);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::budget);
    EXPECT_NE(std::string(error.what()).find("a set of 400000 members"), std::string::npos);
  }
}

}  // namespace
}  // namespace mercer
