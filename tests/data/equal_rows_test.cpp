#include "data/equal_rows.hpp"

#include "data/scratch.hpp"

namespace mercer {
namespace {

/// By comparing every pair of rows.
std::vector<std::size_t> by_definition(const Points& rows, const Points& among) {
  std::vector<std::size_t> found(rows.rows(), no_row);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = among.rows(); j-- > 0;)
      if (rows.row(i) == among.row(j)) found[i] = j;
  return found;
}

/// Rows of a few small numbers, so that many are equal and zeros abound.
Points repetitive(std::size_t n, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<double>> rows(n, std::vector<double>(cols));
  for (auto& row : rows)
    for (double& value : row) value = double(random.below(3)) - 1;
  return Points(rows);
}

TEST(EqualRows, AreFoundInEveryStorage) {
  for (const std::size_t n : {1u, 2u, 3u, 100u, 700u})
    for (const std::size_t cols : {1u, 2u, 5u}) {
      const Points dense = repetitive(n, cols, n + cols), others = repetitive(n / 2 + 1, cols, 7 * n);
      const auto own = by_definition(dense, dense), theirs = by_definition(dense, others);
      for (const Points& a : {dense, dense.to_sparse(), dense.with_precision(Precision::float32)}) {
        EXPECT_EQ(find_rows(a, a, 2), own);
        for (const Points& b : {dense, dense.to_sparse()}) EXPECT_EQ(find_rows(a, b, 1), own);
        for (const Points& b : {others, others.to_sparse().with_precision(Precision::float32)})
          EXPECT_EQ(find_rows(a, b), theirs);
      }
    }
}

TEST(EqualRows, AreAllTheSameWhereThereAreNoColumns) {
  const Points none(Dense<double>{3, 0, {}});
  EXPECT_EQ(find_rows(none, none), (std::vector<std::size_t>{0, 0, 0}));
  EXPECT_TRUE(find_rows(Points(), none).empty());
  EXPECT_EQ(find_rows(none, Points(Dense<double>{0, 0, {}})), (std::vector<std::size_t>(3, no_row)));
}

TEST(EqualRows, TellNeighbouringNumbersAndPlacesApart) {
  const double one = 1, next = std::nextafter(one, 2.0);
  const Points rows({{one, 0}, {next, 0}, {0, one}, {one, 0}, {-one, 0}, {-0.0, one}});
  EXPECT_EQ(find_rows(rows, rows), (std::vector<std::size_t>{0, 1, 2, 0, 4, 2}));
}

}  // namespace
}  // namespace mercer
