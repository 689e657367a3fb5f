#include "data/array_bytes.hpp"

#include "data/npy_header.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;

NpyHeader header_of(const ArrayBytes& array) {
  const std::string bytes = array.header + std::string(array.elements());
  return parse_npy_header(array.name, bytes, bytes.size());
}

TEST(ArrayBytes, DenseAndSparsePoints) {
  const Points points({{1, 0, 3}, {4, 5, 0}});
  const auto dense = arrays_of_points(points);
  ASSERT_EQ(dense.size(), 1u);
  EXPECT_EQ(header_of(dense[0]).shape, (std::vector<std::size_t>{2, 3}));
  const Points same = points.to_sparse();  // the arrays share its numbers
  const auto sparse = arrays_of_points(same);
  ASSERT_EQ(sparse.size(), 5u);
  EXPECT_EQ(header_of(sparse[0]).count(), 4u);
  EXPECT_EQ(sparse[4].elements(), "csr");
}

TEST(ArrayBytes, IntegerLabelsAreIntegersAndOthersText) {
  Target target = testing::classes({"-1", "1"}, {1, 0});
  EXPECT_EQ(header_of(array_of_target(target)).kind, 'i');
  target.labels = {"1.5", "2"};
  EXPECT_EQ(header_of(array_of_target(target)).kind, 'U');
  target.labels = {"+1", "-1"};  // as written, not the number's own text
  EXPECT_EQ(header_of(array_of_target(target)).kind, 'U');
  target.labels = {"é", "long"};
  EXPECT_EQ(header_of(array_of_target(target)).item_bytes, 16u);
  target.labels = {"\xff", "x"};
  EXPECT_EQ(refusal([&] { array_of_target(target); }), "label '\xff' is not UTF-8 text; rename it");
  target = testing::real({1, 2});
  EXPECT_EQ(header_of(array_of_target(target)).kind, 'f');
}

}  // namespace
}  // namespace mercer
