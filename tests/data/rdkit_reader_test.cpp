// Molecules as the plug-in reads them.
#include "data/molecules.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <numeric>

#include "base/parallel.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;

Objects molecules(const std::vector<std::string>& list) { return Objects("smiles", Domain::molecule, list); }

class Molecules : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_molecules()) GTEST_SKIP() << why_no_molecules();
  }
};

TEST_F(Molecules, AreGraphsOfTheirAtomsAsWritten) {
  const Graphs graph = molecule_graph(molecules({"C", "[NH4+].O=CC1=CC1"}), 1);
  EXPECT_EQ(graph.rows(), 1u);
  EXPECT_EQ(std::vector(graph.node_labels.begin(), graph.node_labels.end()),
            (std::vector<std::int32_t>{7 + 256, 8, 6, 6, 6, 6}));
  EXPECT_EQ(graph.edges[1], 5u);
  std::vector<std::vector<int>> bonds;
  for (std::size_t e = 0; e < 5; ++e) bonds.push_back({graph.from[e], graph.to[e], graph.edge_labels[e]});
  std::ranges::sort(bonds);
  EXPECT_EQ(bonds, (std::vector<std::vector<int>>{{1, 2, 2}, {2, 3, 1}, {3, 4, 2}, {4, 5, 1}, {5, 3, 1}}));
  const Graphs benzene = molecule_graph(molecules({"C1=CC=CC=C1"}), 0);
  for (const std::int32_t label : benzene.edge_labels) EXPECT_EQ(label, 12);
}

TEST_F(Molecules, ThatAreNoneAreListedWithTheirRows) {
  ::testing::internal::CaptureStderr();
  std::vector<std::string> list(100, "CCO");
  list[3] = "C1CC";
  list[40] = "";
  list[41] = "CO(C)C";
  list[42] = "not a molecule";
  list[97] = "c1ccc1c";
  list[99] = std::string(3001, 'C');
  const std::vector<BadMolecule> bad = check_molecules(molecules(list));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  ASSERT_EQ(bad.size(), 6u);
  EXPECT_EQ(bad[0].row, 3u);
  EXPECT_EQ(bad[0].reason, "'C1CC' is no molecule: it is not written as SMILES is");
  EXPECT_EQ(bad[1].reason, "the cell is empty; a molecule is written as SMILES, e.g. CCO");
  EXPECT_EQ(bad[2].reason,
            "'CO(C)C' is no molecule: Explicit valence for atom # 1 O, 3, is greater than permitted");
  EXPECT_EQ(bad[3].row, 42u);
  EXPECT_EQ(bad[4].reason.substr(0, 26), "'c1ccc1c' is no molecule: ");
  EXPECT_NE(bad[5].reason.find("it has 3001 letters; at most 3000 are possible"), std::string::npos);
  for (const int threads : {1, 3}) {
    const auto again = check_molecules(molecules(list), threads);
    ASSERT_EQ(again.size(), 6u);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(again[k].row, bad[k].row);
  }
  EXPECT_TRUE(check_molecules(molecules({})).empty());
}

TEST_F(Molecules, SurviveDamage) {
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text = "CC(=O)Oc1ccccc1C(=O)[O-].[Na+]";
    testing::damage(text, "()[]=#-+.123cCnNoO@/\\%", random);
    const Objects one = molecules({text});
    const bool good = check_molecules(one).empty();
    EXPECT_EQ(refusal([&] { environments(one, 0, 2, true); }) == "no error", good);
    EXPECT_EQ(refusal([&] { molecule_graph(one, 0); }) == "no error", good);
  }
}

TEST_F(Molecules, AreReadFromManyThreadsAlike) {
  const Objects x = molecules({"CC(=O)Oc1ccccc1C(=O)O", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C", "CCO"});
  std::vector<std::uint64_t> sums(300);
  parallel_for(sums.size(), 4, [&](std::size_t k) {
    for (const Environment& e : environments(x, k % 3, 2, true))
      sums[k] += std::uint64_t(e.key) * (e.count + std::accumulate(e.atoms.begin(), e.atoms.end(), 0u));
  });
  for (std::size_t k = 3; k < sums.size(); ++k) EXPECT_EQ(sums[k], sums[k - 3]);
}

TEST_F(Molecules, HaveEnvironmentsAroundTheirAtoms) {
  const auto ethanol = environments(molecules({"CCO"}), 0, 1, true);
  ASSERT_EQ(ethanol.size(), 6u);  // three atoms, and each with its neighbours
  std::uint32_t total = 0;
  std::vector<std::size_t> sizes;
  for (const Environment& e : ethanol) {
    total += e.count;
    sizes.push_back(e.atoms.size());
  }
  std::ranges::sort(sizes);
  EXPECT_EQ(total, 6u);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 1, 1, 2, 2, 3}));
  const auto benzene = environments(molecules({"c1ccccc1"}), 0, 0, true);
  ASSERT_EQ(benzene.size(), 1u);
  EXPECT_EQ(benzene[0].count, 6u);
  EXPECT_EQ(benzene[0].atoms, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_TRUE(environments(molecules({"CCO"}), 0, 1, false)[0].atoms.empty());
}

TEST_F(Molecules, NameTheirAtomsAndLoseOne) {
  EXPECT_EQ(atom_names("[Na+].OC1=CC1"), (std::vector<std::string>{"Na", "O", "C", "C", "C"}));
  EXPECT_EQ(with_any_atom("CCO", 2), "*CC");
  for (const char* text : {"c1ccccc1O", "CC(=O)[O-].[NH4+]", "C[C@H](N)C(=O)O"})
    for (std::size_t atom = 0; atom < atom_names(text).size(); ++atom) {
      const std::string changed = with_any_atom(text, atom);
      EXPECT_TRUE(check_molecules(molecules({changed})).empty()) << changed;
      EXPECT_EQ(atom_names(changed).size(), atom_names(text).size());
    }
}

TEST_F(Molecules, AreDrawnWithColouredAtoms) {
  const std::string svg = molecule_svg("CCO", std::vector{1.0, 0.0, -0.5});
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_NE(svg.find("#72AAF2"), std::string::npos) << svg;  // full blue
  EXPECT_EQ(molecule_svg("CCO", std::vector{0.0, 0.0, 0.0}).find("#72AAF2"), std::string::npos);
  EXPECT_EQ(refusal([] { molecule_svg("CCO", std::vector{1.0}); }),
            "'CCO' has 3 atoms, but there are 1 weights; give one for each");
  EXPECT_EQ(refusal([] { molecule_svg("C(", std::vector{1.0}); }),
            "'C(' is no molecule: it is not written as SMILES is");
}

TEST_F(Molecules, OfPublicDataAreAllRead) {
  const auto folder = testing::public_data();
  if (folder.empty()) GTEST_SKIP() << "the folder of public data is missing; set MERCER_DATA";
  std::ifstream in(folder / "mol_esol" / "esol.csv");
  std::vector<std::string> list;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) list.push_back(line.substr(0, line.rfind(',')));
  EXPECT_EQ(list.size(), 1128u);
  EXPECT_TRUE(check_molecules(molecules(list)).empty());
}

}  // namespace
}  // namespace mercer
