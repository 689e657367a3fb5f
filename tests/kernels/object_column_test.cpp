#include "kernels/object_column.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "data/words.hpp"
#include "message_of.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

Objects texts(std::string name, Domain domain, std::vector<std::string> list) {
  return Objects(std::move(name), domain, list);
}
Points points_of(std::vector<Objects> columns) {
  return Points(Dense<double>{columns.front().rows(), 0, {}}).with_objects(std::move(columns));
}

void letters(const Objects& x, std::size_t i, FeatureRow& row) {
  for (const char c : x.texts()[i]) row.add(std::uint64_t(c), 1);
}

TEST(ObjectColumn, IsTheOneThatFits) {
  const Domain sequence[] = {Domain::sequence};
  const Points both = points_of({texts("t", Domain::text, {"a"}), texts("s", Domain::sequence, {"A"})});
  EXPECT_EQ(object_column(both, sequence, "spectrum").name(), "s");
  EXPECT_EQ(object_column(points_of({texts("t", Domain::text, {"a"})}), sequence, "spectrum").domain(),
            Domain::sequence);
  const Points two = points_of({texts("s", Domain::sequence, {"a"}), texts("u", Domain::sequence, {"A"})});
  EXPECT_NE(message_of([&] {
              object_column(two, sequence, "spectrum");
            }).find("could compare the columns 's' (sequences), 'u' (sequences); name one: spectrum@s"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              object_column(Points(std::vector<std::vector<double>>{{1}}), sequence, "spectrum");
            }).find("spectrum compares sequences, but the data have rows of numbers alone"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              object_column(points_of({random_objects(Domain::graph, 1, 1, "g")}), sequence, "spectrum");
            }).find("only 'g' (graphs)"),
            std::string::npos);
}

TEST(FeatureImage, CountsOverTheColumnsOfTheReference) {
  const Objects reference = texts("s", Domain::sequence, {"abca", "", "c"}),
                others = texts("s", Domain::sequence, {"cczza", "b", ""});
  for (const int threads : {1, 3}) {
    const Points image = feature_image(reference, {"letters", letters, false}, nullptr, threads);
    ASSERT_EQ(image.cols(), 3u);
    EXPECT_EQ(image.row(0), (std::vector<double>{2, 1, 1}));
    EXPECT_EQ(image.row(1), (std::vector<double>{0, 0, 0}));
    const Points other = feature_image(others, {"letters", letters, false}, &image, threads);
    ASSERT_EQ(other.cols(), 4u);  // z stands behind: the reference has none
    EXPECT_EQ(other.row(0), (std::vector<double>{1, 0, 2, 2}));
    EXPECT_EQ(other.row(1), (std::vector<double>{0, 1, 0, 0}));
  }
}

TEST(FeatureImage, WeighsByRarityAmongTheReference) {
  const Objects reference = texts("s", Domain::sequence, {"aab", "b", "b"}),
                others = texts("s", Domain::sequence, {"abz"});
  const Points image = feature_image(reference, {"letters", letters, true}, nullptr, 1),
               other = feature_image(others, {"letters", letters, true}, &image, 1);
  const double a = std::log(4.0 / 2) + 1, b = std::log(4.0 / 4) + 1, z = std::log(4.0) + 1;
  EXPECT_DOUBLE_EQ(image.row(0)[0], 2 * a);
  EXPECT_DOUBLE_EQ(image.row(1)[1], b);
  EXPECT_EQ(other.row(0), (std::vector<double>{a, b, z}));
}

TEST(FeatureImage, IsTheSameForAnyNumberOfThreadsAndManyBlocks) {
  const Objects many = random_objects(Domain::sequence, 333, 3);
  const Points one = feature_image(many, {"letters", letters, false}, nullptr, 1),
               three = feature_image(many, {"letters", letters, false}, nullptr, 3);
  for (std::size_t i = 0; i < many.rows(); ++i) {
    std::map<char, double> counts;
    for (const char c : many.texts()[i]) ++counts[c];
    const auto row = one.row(i);
    ASSERT_EQ(row, three.row(i));
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(row[k], counts["ACGT"[k]]);
  }
  EXPECT_EQ(feature_image(many.select_rows({}), {"letters", letters}, nullptr, 2).rows(), 0u);
}

TEST(NumbersOfObjects, AreWordCountsOrPixels) {
  const Points symbols = points_of({texts("tags", Domain::symbols, {"red blue red", "Red"})});
  const Points counts = with_numbers_of_objects(symbols, "intersection", nullptr, 1);
  ASSERT_EQ(counts.cols(), 3u);
  std::vector<double> first = counts.row(0);
  std::ranges::sort(first);
  EXPECT_EQ(first, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(counts.objects().size(), 1u);
  const Points image =
      with_numbers_of_objects(Points(random_objects(Domain::image, 3, 1)), "rbf", nullptr, 1);
  EXPECT_EQ(image.cols(), 48u);
  EXPECT_EQ(image.row(2)[47], double(image.objects()[0].images().pixels[3 * 48 - 1]));
  EXPECT_EQ(
      with_numbers_of_objects(Points(std::vector<std::vector<double>>{{1, 2}}), "rbf", nullptr, 1).cols(),
      2u);
  EXPECT_NE(message_of([&] {
              with_numbers_of_objects(Points(random_objects(Domain::sequence, 2, 1, "s")), "rbf", nullptr, 1);
            }).find("column 's' holds sequences; try spectrum"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              with_numbers_of_objects(Points(random_objects(Domain::vectors, 2, 1, "s")), "rbf", nullptr, 1);
            }).find("try set(rbf)"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
