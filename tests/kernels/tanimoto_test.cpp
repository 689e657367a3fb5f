#include "mercer/kernels/tanimoto.hpp"

#include <gtest/gtest.h>
#include <lapacke.h>

#include <map>

#include "base/refusal.hpp"
#include "data/molecules.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {
namespace {

const std::vector<std::string> few{"CCO",
                                   "OCC",
                                   "C",
                                   "CCCCCCCC",
                                   "c1ccccc1O",
                                   "c1ccccc1",
                                   "CC(=O)Oc1ccccc1C(=O)O",
                                   "[Na+].[Cl-]",
                                   "CN1C=NC2=C1C(=O)N(C(=O)N2C)C"};

Objects molecules(const std::vector<std::string>& list) { return Objects("smiles", Domain::molecule, list); }

std::vector<double> gram_of(const std::string& kernel, const Objects& x) {
  std::vector<double> K(x.rows() * x.rows());
  KernelOperator<double>(Kernel::parse(kernel), Points(x)).matrix(K);
  return K;
}

class TanimotoTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_molecules()) GTEST_SKIP() << "this build has no RDKit";
  }
};

TEST_F(TanimotoTest, IsTheShareOfEnvironmentsInCommon) {
  const Objects x = molecules(few);
  for (const int radius : {0, 1, 2, 3})
    for (const int bits : {0, 7, 2048})
      for (const char* counts : {"yes", "no"}) {
        std::vector<std::map<std::uint32_t, double>> all(x.rows());
        for (std::size_t i = 0; i < x.rows(); ++i)
          for (const Environment& e : environments(x, i, radius, false)) {
            double& count = all[i][bits ? e.key % std::uint32_t(bits) : e.key];
            count = std::string(counts) == "yes" ? count + e.count : 1;
          }
        const auto text = "tanimoto(radius=" + std::to_string(radius) + ", bits=" + std::to_string(bits) +
                          ", counts=" + counts + ")";
        std::vector<double> K = gram_of(text, x);
        for (std::size_t i = 0; i < x.rows(); ++i)
          for (std::size_t j = 0; j < x.rows(); ++j) {
            double least = 0, most = 0;
            auto a = all[i], b = all[j];
            for (const auto& [key, count] : all[j]) a[key] += 0;
            for (const auto& [key, count] : a) {
              least += std::min(count, b[key]);
              most += std::max(count, b[key]);
            }
            EXPECT_NEAR(K[i * x.rows() + j], least / most, 1e-15)
                << text << " of " << few[i] << " and " << few[j];
          }
        std::vector<double> eigenvalues(x.rows());
        const int n = int(x.rows());
        ASSERT_EQ(LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', n, K.data(), n, eigenvalues.data()), 0);
        EXPECT_GE(eigenvalues.front(), -1e-12);
      }
}

TEST_F(TanimotoTest, DoesNotDependOnHowAMoleculeIsWritten) {
  const std::vector<double> K = gram_of("tanimoto", molecules({"CCO", "OCC", "C(O)C", "[CH3][CH2][OH]"}));
  EXPECT_EQ(K, std::vector<double>(16, 1.0));
}

TEST_F(TanimotoTest, GivesEachEnvironmentAtItsAtoms) {
  const Objects x = molecules({"CCO"});
  FeatureRow merged, parts(true);
  Tanimoto{}.features(x, 0, merged);
  Tanimoto{}.features(x, 0, parts);
  std::map<std::uint64_t, double> sums;
  std::vector<double> at_atom(3);
  for (const auto& entry : parts.entries()) {
    ASSERT_LT(entry.part.begin, 3u);
    EXPECT_EQ(entry.part.end, entry.part.begin + 1);
    sums[entry.key] += entry.value;
    at_atom[entry.part.begin] += entry.value;
  }
  ASSERT_EQ(sums.size(), merged.entries().size());
  for (const auto& entry : merged.entries()) EXPECT_NEAR(sums[entry.key], entry.value, 1e-12);
  // C, C, O alone, C-C and C-O from their ends, and the whole from the middle (where it is met at 1 bond).
  EXPECT_NEAR(at_atom[0], 1 + 1. / 2 + 1. / 3, 1e-12);
  EXPECT_NEAR(at_atom[1], 1 + 2. / 2 + 1. / 3, 1e-12);
  EXPECT_NEAR(at_atom[2], 1 + 1. / 2 + 1. / 3, 1e-12);
}

TEST_F(TanimotoTest, NamesTheRowThatIsNoMolecule) {
  EXPECT_EQ(refusal(ErrorKind::data,
                    [] {
                      gram_of("tanimoto", molecules({"CCO", "C1CC"}));
                    }),
            "row 2 of column 'smiles': 'C1CC' is no molecule: it is not written as SMILES is");
}

TEST(Tanimoto, RefusesImpossibleParameters) {
  EXPECT_EQ(refusal(ErrorKind::usage, [] { tanimoto({.radius = -1}); }),
            "tanimoto: radius must be a whole number from 0 to 20, not -1");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { tanimoto({.bits = -1}); }),
            "tanimoto: bits must be a whole number from 0 to 16777216, not -1");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { tanimoto({.counts = "maybe"}); }),
            "tanimoto: counts must be yes or no, not maybe");
}

}  // namespace
}  // namespace mercer
