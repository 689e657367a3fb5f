#include "model/object_parts.hpp"

#include <gtest/gtest.h>

#include "data/molecules.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

Objects texts(Domain domain, std::vector<std::string> list) { return Objects("o", domain, list); }

std::vector<std::string> listed(const Objects& objects) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < objects.rows(); ++i) all.emplace_back(objects.texts()[i]);
  return all;
}

TEST(ObjectParts, OfTextsAreWordsThatCanBeLeftOut) {
  const Objects prose = texts(Domain::text, {"", "One, two!"});
  EXPECT_TRUE(parts_of(prose, 0).empty());
  const auto parts = parts_of(prose, 1);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].text, "two");
  EXPECT_EQ(parts[1].where.begin, 5u);
  EXPECT_EQ(listed(without_parts(prose, 1, parts)), (std::vector<std::string>{", two!", "One, !"}));
}

TEST(ObjectParts, OfSequencesAreLettersOrPiecesThatBecomeN) {
  const Objects dna = texts(Domain::sequence, {"ACG"});
  EXPECT_EQ(listed(without_parts(dna, 0, parts_of(dna, 0))), (std::vector<std::string>{"NCG", "ANG", "ACN"}));
  const Objects chromosome = texts(Domain::sequence, {std::string(100'001, 'A')});
  const auto pieces = parts_of(chromosome, 0);
  EXPECT_LE(pieces.size(), 500u);
  EXPECT_EQ(pieces.back().where.end, 100'001u);
}

TEST(ObjectParts, OfSetsAndGraphsAreMembersAndNodesWithTheirEdges) {
  const Objects bags("b", Domain::vectors,
                     Bags{buffer_of<std::size_t>({0, 1, 3}), 2, buffer_of<double>({9, 9, 1, 2, 3, 4})});
  const Objects fewer = without_parts(bags, 1, parts_of(bags, 1));
  ASSERT_EQ(fewer.rows(), 2u);
  EXPECT_EQ(fewer.bags().values[0], 3);
  EXPECT_EQ(fewer.bags().values[2], 1);
  const Objects path("g", Domain::graph,
                     Graphs{buffer_of<std::size_t>({0, 3}), buffer_of<std::size_t>({0, 2}),
                            buffer_of<std::int32_t>({5, 6, 7}), buffer_of<std::int32_t>({0, 1}),
                            buffer_of<std::int32_t>({1, 2}), buffer_of<std::int32_t>({1, 2})});
  const auto nodes = parts_of(path, 0);
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[2].text, "node 3 (label 7)");
  const Objects cut = without_parts(path, 0, nodes);
  const Graphs& graphs = cut.graphs();
  EXPECT_EQ(graphs.size(1), 2u);
  EXPECT_EQ(graphs.edges[1] - graphs.edges[0], 1u);  // 6 – 7 is left
  EXPECT_EQ(graphs.from[0], 0);
  EXPECT_EQ(graphs.edge_labels[0], 2);
  EXPECT_EQ(graphs.edges[2] - graphs.edges[1], 0u);  // the middle is gone
}

TEST(ObjectParts, OfImagesAreCellsThatTakeTheMeanColour) {
  Random random(1);
  const Objects images("i", Domain::image, random_images(1, 16, 3, random));
  const auto cells = parts_of(images, 0);
  ASSERT_EQ(cells.size(), 64u);
  const Objects changed = without_parts(images, 0, cells);
  for (std::size_t c : {0, 63}) {
    int different = 0;
    for (std::size_t b = 0; b < 768; ++b)
      different += changed.images().pixels[c * 768 + b] != images.images().pixels[b];
    EXPECT_GT(different, 6);
    EXPECT_LE(different, 12);  // 2 × 2 pixels of three channels
  }
}

TEST(ObjectParts, OfMoleculesAreAtoms) {
  if (!reads_molecules()) GTEST_SKIP() << "built without RDKit";
  const Objects molecules = texts(Domain::molecule, {"CCO"});
  const auto atoms = parts_of(molecules, 0);
  ASSERT_EQ(atoms.size(), 3u);
  EXPECT_EQ(atoms[2].text, "O (atom 3)");
  const auto changed = listed(without_parts(molecules, 0, atoms));
  EXPECT_EQ(changed[2], "*CC");
  EXPECT_TRUE(check_molecules(without_parts(texts(Domain::molecule, {"c1ccncc1"}), 0,
                                            parts_of(texts(Domain::molecule, {"c1ccncc1"}), 0)))
                  .empty());
}

}  // namespace
}  // namespace mercer
