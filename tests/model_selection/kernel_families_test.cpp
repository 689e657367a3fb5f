#include "model_selection/object_kernels.hpp"

#include <gtest/gtest.h>

#include "data/molecules.hpp"
#include "mercer/kernel_operator.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

TEST(KernelsForObjects, CompareTheColumnsOfEveryDomain) {
  for (const Domain domain : every_domain) {
    if (domain == Domain::molecule && !reads_molecules()) continue;
    const Points points(random_objects(domain, 6, 1, "o"));
    const auto kernels = kernels_for_objects(points);
    EXPECT_GE(kernels.size(), 2u) << name_of(domain);
    for (const Kernel& k : kernels) {
      std::vector<double> K(36);
      KernelOperator<double>(k, points).matrix(K);
      EXPECT_TRUE(k.properties().psd) << k.text();
      for (const double value : K) EXPECT_TRUE(std::isfinite(value)) << k.text();
    }
  }
}

TEST(KernelsForObjects, AddUpOverSeveralColumnsAndNumbers) {
  const Points both = Points(std::vector<std::vector<double>>{{1}, {2}})
                          .with_objects({random_objects(Domain::text, 2, 1, "t"),
                                         random_objects(Domain::sequence, 2, 1, "my dna")});
  const std::string text = kernels_for_objects(both).front().text();
  EXPECT_NE(text.find("@t + "), std::string::npos) << text;
  EXPECT_NE(text.find("@\"my dna\""), std::string::npos) << text;
  EXPECT_NE(text.find("rbf(gamma=scale)"), std::string::npos) << text;
}

TEST(KernelsForObjects, LookAtPlacesWhereSequencesAreEquallyLong) {
  const std::vector<std::string> equal{"ACGT", "AAAA"}, different{"ACGT", "A"};
  EXPECT_NE(kernels_for_objects(Points(Objects("s", Domain::sequence, equal)))
                .front()
                .text()
                .find("weighted_degree"),
            std::string::npos);
  EXPECT_EQ(kernels_for_objects(Points(Objects("s", Domain::sequence, different)))
                .front()
                .text()
                .find("weighted_degree"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
