#include "mercer/objects.hpp"

#include <gtest/gtest.h>

#include "message_of.hpp"
#include "mercer/points.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

TEST(Objects, OfEveryDomainAreSelectedComparedAndHashedByWhatTheyAre) {
  for (const Domain domain : every_domain) {
    const Objects all = random_objects(domain, 9, 1, "o");
    const std::vector<std::size_t> rows{4, 0, 4, 8};
    const Objects some = all.select_rows(rows);
    ASSERT_EQ(some.rows(), 4u);
    EXPECT_EQ(some.name(), "o");
    EXPECT_EQ(some.domain(), domain);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_TRUE(some.equal(i, all, rows[i])) << name_of(domain);
      EXPECT_EQ(some.hash(i), all.hash(rows[i])) << name_of(domain);
    }
    const Objects other = random_objects(domain, 9, 2, "o");
    int equal = 0;
    for (std::size_t i = 0; i < 9; ++i) equal += all.equal(i, other, i);
    EXPECT_LT(equal, 6) << name_of(domain);
    EXPECT_EQ(all.select_rows({}).rows(), 0u);
    EXPECT_GT(all.bytes(), some.select_rows({}).bytes());
  }
}

TEST(Objects, TextsAreKeptToTheByte) {
  const std::vector<std::string> list{"", "ACGT", std::string("a\0b", 3), "größe"};
  const Objects texts("t", Domain::text, list);
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(texts.texts()[i], list[i]);
  EXPECT_EQ(texts.as(Domain::sequence).texts()[1], "ACGT");
  EXPECT_EQ(texts.as(Domain::sequence).domain(), Domain::sequence);
  EXPECT_NE(message_of([&] {
              texts.as(Domain::graph);
            }).find("column 't' holds texts, which cannot be read as graphs"),
            std::string::npos);
}

TEST(Objects, StorageThatContradictsItselfIsRefused) {
  const auto refused = [](Domain domain, Objects::Storage storage) {
    return message_of([&] { Objects("x", domain, std::move(storage)); });
  };
  EXPECT_NE(refused(Domain::graph, Texts{buffer_of<std::size_t>({0}), {}}).find("not that of graphs"),
            std::string::npos);
  EXPECT_NE(refused(Domain::text, Texts{buffer_of<std::size_t>({0, 5}), buffer_of<char>({'a'})})
                .find("count 5, but there are 1"),
            std::string::npos);
  EXPECT_NE(refused(Domain::text, Texts{buffer_of<std::size_t>({0, 2, 1}), buffer_of<char>({'a'})})
                .find("do not ascend"),
            std::string::npos);
  EXPECT_NE(refused(Domain::text, Texts{}).find("no starts"), std::string::npos);
  EXPECT_NE(
      refused(Domain::vectors, Bags{buffer_of<std::size_t>({0, 1}), 1, buffer_of<double>({std::nan("")})})
          .find("not finite"),
      std::string::npos);
  const auto graph = [](std::int32_t end) {
    return Graphs{buffer_of<std::size_t>({0, 2}),  buffer_of<std::size_t>({0, 1}),
                  buffer_of<std::int32_t>({1, 1}), buffer_of<std::int32_t>({0}),
                  buffer_of<std::int32_t>({end}),  buffer_of<std::int32_t>({0})};
  };
  EXPECT_EQ(refused(Domain::graph, graph(1)), "");
  EXPECT_NE(refused(Domain::graph, graph(2)).find("an edge of graph 1 ends at node 2, but it has 2"),
            std::string::npos);
  EXPECT_NE(refused(Domain::graph, graph(-1)).find("ends at node -1"), std::string::npos);
  EXPECT_NE(refused(Domain::image, Images{buffer_of<std::size_t>({0, 3}), buffer_of<std::uint32_t>({2}),
                                          buffer_of<std::uint32_t>({2}), 1, Buffer<std::uint8_t>(3, 0)})
                .find("image 1 is 2 × 2"),
            std::string::npos);
  EXPECT_NE(refused(Domain::image, Images{buffer_of<std::size_t>({0}), {}, {}, 2, {}}).find("2 channels"),
            std::string::npos);
}

TEST(Domains, AreNamed) {
  for (const Domain domain : every_domain) EXPECT_EQ(domain_named(name_of(domain)), domain);
  EXPECT_NE(message_of([] { domain_named("sequense"); }).find("did you mean 'sequence'?"), std::string::npos);
}

TEST(PointsWithObjects, SelectRowsOfBoth) {
  const Points points = Points(std::vector<std::vector<double>>{{1}, {2}, {3}})
                            .with_objects({random_objects(Domain::sequence, 3, 1, "s")});
  const std::vector<std::size_t> rows{2, 0};
  const Points some = points.select_rows(rows);
  EXPECT_EQ(some.row(0), std::vector<double>{3});
  EXPECT_TRUE(some.objects()[0].equal(0, points.objects()[0], 2));
  EXPECT_EQ(points.to_sparse().with_precision(Precision::float32).objects().size(), 1u);
  EXPECT_TRUE(points.select_columns(std::vector<std::size_t>{0}).objects().empty());
  const Points alone(random_objects(Domain::graph, 4, 1));
  EXPECT_EQ(alone.rows(), 4u);
  EXPECT_EQ(alone.cols(), 0u);
  EXPECT_NE(message_of([&] {
              points.with_objects({random_objects(Domain::text, 2, 1, "t")});
            }).find("has 2 objects; there are 3 rows"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              points.with_objects(
                  {random_objects(Domain::text, 3, 1, "t"), random_objects(Domain::text, 3, 1, "t")});
            }).find("named 't'"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
