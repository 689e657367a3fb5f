#include "data/validate.hpp"

#include <initializer_list>

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;

template <class T>
Buffer<T> buffer(std::initializer_list<T> values) {
  Buffer<T> result(values.size());
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

Sparse<double> sparse(std::size_t rows, std::size_t cols, std::initializer_list<std::size_t> starts,
                      std::initializer_list<std::int32_t> indices, std::initializer_list<double> values) {
  return {rows, cols, buffer(starts), buffer(indices), buffer(values)};
}

TEST(Validate, DenseSizesMustAgree) {
  EXPECT_EQ(refusal([] {
              Points(Dense<float>{2, 3, Buffer<float>(5, 0.f)});
            }),
            "points: 2 rows of 3 columns need 6 values; there are 5");
  EXPECT_EQ(refusal([] {
              Points(Dense<double>{std::size_t(1) << 40, std::size_t(1) << 40, {}});
            }),
            "points: 1099511627776 rows of 1099511627776 columns are more than memory can hold");
}

TEST(Validate, GoodSparsePointsPass) {
  EXPECT_EQ(Points(sparse(3, 4, {0, 2, 2, 3}, {0, 3, 1}, {1, 2, 3})).stored(), 3u);
  EXPECT_EQ(Points(sparse(0, 4, {0}, {}, {})).rows(), 0u);
}

TEST(Validate, SparseStorageThatContradictsItselfIsRefused) {
  EXPECT_EQ(refusal([] {
              Points(sparse(2, 4, {0, 1}, {0}, {1}));
            }),
            "points: 2 rows need 3 starts; there are 2");
  EXPECT_EQ(refusal([] {
              Points(sparse(1, 4, {0, 1}, {0, 1}, {1}));
            }),
            "points: 2 indices for 1 values; one for each is needed");
  const std::string starts = "points: starts must ascend from 0 to the 2 entries";
  EXPECT_EQ(refusal([] { Points(sparse(2, 4, {0, 2, 1}, {0, 1}, {1, 2})); }), starts);
  EXPECT_EQ(refusal([] { Points(sparse(2, 4, {1, 1, 2}, {0, 1}, {1, 2})); }), starts);
  EXPECT_EQ(refusal([] { Points(sparse(2, 4, {0, 3, 2}, {0, 1}, {1, 2})); }), starts);
  const std::string indices = "points: the indices of row 0 must ascend strictly and be below 4";
  EXPECT_EQ(refusal([] { Points(sparse(1, 4, {0, 2}, {1, 0}, {1, 2})); }), indices);
  EXPECT_EQ(refusal([] { Points(sparse(1, 4, {0, 2}, {1, 1}, {1, 2})); }), indices);
  EXPECT_EQ(refusal([] { Points(sparse(1, 4, {0, 2}, {1, 4}, {1, 2})); }), indices);
  EXPECT_EQ(refusal([] { Points(sparse(1, 4, {0, 2}, {-1, 2}, {1, 2})); }), indices);
  EXPECT_EQ(refusal([] { Points(sparse(0, std::size_t(1) << 31, {0}, {}, {})); }),
            "points: 2147483648 columns are too many for sparse points; at most 2147483647 can be");
}

}  // namespace
}  // namespace mercer
