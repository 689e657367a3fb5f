#include "data/molecules.hpp"

#include <gtest/gtest.h>

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;

Objects column(const std::string& smiles) { return Objects("smiles", Domain::molecule, std::vector{smiles}); }

TEST(MoleculesWithoutRdkit, AreRefusedWithWhatToDo) {
  if (reads_molecules()) GTEST_SKIP() << "RDKit is here; tests/cli/machine_test.py takes it away";
  const std::string expected = why_no_molecules();
  EXPECT_NE(expected.find("install librdkit"), expected.npos) << expected;
  EXPECT_EQ(refusal([] { check_molecules(column("C")); }), expected);
  EXPECT_EQ(refusal([] { molecule_graph(column("C"), 0); }), expected);
  EXPECT_EQ(refusal([] { environments(column("C"), 0, 2, false); }), expected);
  EXPECT_EQ(refusal([] { molecule_svg("C", std::vector{1.0}); }), expected);
}

TEST(MoleculesOfAColumn, ThatCannotBeReadNameTheirRow) {
  if (!reads_molecules()) GTEST_SKIP() << why_no_molecules();
  EXPECT_EQ(why_no_molecules(), "");
  const std::string message = refusal([] { molecule_graph(column("C1CC"), 0); });
  EXPECT_EQ(message.find("row 1 of column 'smiles': 'C1CC' is no molecule"), 0u) << message;
}

}  // namespace
}  // namespace mercer
