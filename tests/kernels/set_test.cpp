#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "kernels/set_samples.hpp"
#include "mercer/kernel_objects.hpp"
#include "mercer/kernels.hpp"
#include "mercer/set_kernels.hpp"

namespace mercer {
namespace {

double gaussian(const std::vector<double>& a, const std::vector<double>& b, double gamma) {
  double squared = 0;
  for (std::size_t k = 0; k < a.size(); ++k) squared += (a[k] - b[k]) * (a[k] - b[k]);
  return std::exp(-gamma * squared);
}

double sum_of_pairs(const Bag& A, const Bag& B, double gamma) {
  double sum = 0;
  for (const auto& a : A)
    for (const auto& b : B) sum += gaussian(a, b, gamma);
  return sum;
}

TEST(SetKernel, IsTheSumOverAllPairsOfMembers) {
  const std::vector<Bag> x = random_bags(9, 3, 1), z = random_bags(7, 3, 2);
  const auto K = matrix_of(Kernel::parse("set(rbf(gamma=0.3))"), bags_of(x, 3), bags_of(z, 3));
  const auto cosine =
      matrix_of(Kernel::parse("set(rbf(gamma=0.3), normalize=cosine)"), bags_of(x, 3), bags_of(z, 3));
  const auto size =
      matrix_of(Kernel::parse("set(rbf(gamma=0.3), normalize=size)"), bags_of(x, 3), bags_of(z, 3));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double sum = sum_of_pairs(x[i], z[j], 0.3),
                   own = sum_of_pairs(x[i], x[i], 0.3) * sum_of_pairs(z[j], z[j], 0.3);
      const bool empty = x[i].empty() || z[j].empty();
      EXPECT_NEAR(K[i * z.size() + j], sum, 1e-12);
      EXPECT_NEAR(cosine[i * z.size() + j], empty ? 0 : sum / std::sqrt(own), 1e-12);
      EXPECT_NEAR(size[i * z.size() + j], empty ? 0 : sum / double(x[i].size() * z[j].size()), 1e-12);
    }
}

TEST(SetKernel, IsPositiveSemidefiniteWithTheSameBitsForAnyNumberOfThreads) {
  const Points points = bags_of(random_bags(40, 2, 3), 2);
  for (const char* text :
       {"set(rbf(gamma=1))", "set(linear, normalize=size)", "set(rbf(gamma=1), normalize=cosine)",
        "exp(set(laplace(lambda=1), normalize=cosine))", "normalize(set(rbf(gamma=1)) + 2)"}) {
    const auto K = matrix_of(Kernel::parse(text), points);
    EXPECT_GE(least_eigenvalue(K, 40), -1e-9) << text;
    EXPECT_EQ(K, matrix_of(Kernel::parse(text), points, 3)) << text;
  }
}

TEST(SetKernel, NormalisedByItselfIsOneOnTheDiagonalAndZeroForAnEmptySet) {
  const Points points = bags_of(random_bags(5, 2, 4), 2);
  const auto K = matrix_of(Kernel::parse("set(rbf(gamma=1), normalize=cosine)"), points);
  EXPECT_EQ(K[0], 0);
  EXPECT_NEAR(K[6], 1, 1e-15);
  const auto outside = matrix_of(Kernel::parse("normalize(set(rbf(gamma=1)))"), points);
  for (std::size_t e = 0; e < 25; ++e) EXPECT_NEAR(K[e], outside[e], 1e-12);
}

TEST(SetKernel, TakesWordsOfTextsAndSymbolsAsMembers) {
  const Points symbols = texts_of({"", "a", "a b b", "B a"}, Domain::symbols);
  EXPECT_EQ(matrix_of(Kernel::parse("set(delta)"), symbols),
            (std::vector<double>{0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 5, 1, 0, 1, 1, 2}));
  const Points texts = texts_of({"", "A", "a, b: b!", "B a"}, Domain::text);
  EXPECT_EQ(matrix_of(Kernel::parse("set(delta)"), texts),
            (std::vector<double>{0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 5, 3, 0, 1, 3, 2}));
  EXPECT_EQ(matrix_of(Kernel::parse("set(spectrum(k=2))"), texts_of({"abab ab", "bab"}, Domain::symbols)),
            (std::vector<double>{10, 4, 4, 2}));
}

TEST(SetKernel, TakesNodesOfGraphsByTheirAttributes) {
  const auto graphs = [](std::size_t attributes) {
    Graphs g{Buffer<std::size_t>(3),
             Buffer<std::size_t>(3, 0),
             Buffer<std::int32_t>(3, 0),
             {},
             {},
             {},
             attributes,
             Buffer<double>(3 * attributes, 2)};
    g.nodes[0] = 0, g.nodes[1] = 1, g.nodes[2] = 3;
    return Points(Objects("graph", Domain::graph, std::move(g)));
  };
  EXPECT_EQ(matrix_of(Kernel::parse("set(linear)"), graphs(2)), (std::vector<double>{8, 16, 16, 32}));
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { matrix_of(Kernel::parse("set(linear)"), graphs(0)); }),
            "set compares the nodes of graphs by the numbers they have, but those of column 'graph' have "
            "labels alone; try wl");
}

TEST(SetKernel, ResolvesAutoOnTheMembers) {
  const std::vector<Bag> sets = random_bags(6, 2, 7);
  std::vector<std::vector<double>> members;
  for (const Bag& set : sets) members.insert(members.end(), set.begin(), set.end());
  for (const char* inside : {"rbf(gamma=scale)", "rbf(sigma=median)", "rbf(gamma=scale)@2"}) {
    const std::string expected = Kernel::parse(inside).resolve(Points(members)).text();
    EXPECT_EQ(Kernel::parse(std::string("set(") + inside + ")").resolve(bags_of(sets, 2)).text(),
              "set(" + expected + ", normalize=none)");
  }
  EXPECT_TRUE(Kernel::parse("set(rbf)").resolve(bags_of({{}, {}}, 2)).resolved()) << "sets without members";
}

TEST(SetKernel, ReadsAndPrintsTheSame) {
  for (const char* text : {"set(linear, normalize=none)", "set(delta + linear, normalize=cosine)",
                           "set(set(linear, normalize=size), normalize=size)"})
    EXPECT_EQ(Kernel::parse(text).text(), text);
  EXPECT_EQ(set_kernel(linear(), SetNormalize::size).text(), "set(linear, normalize=size)");
  EXPECT_EQ(set_kernel(linear()).node().with_parts({delta()}).text(), "set(delta, normalize=none)");
}

TEST(SetKernel, KnowsWhatIsProved) {
  EXPECT_TRUE(set_kernel(linear()).properties().psd);
  EXPECT_EQ(set_kernel(linear()).prove().because, "a valid kernel, summed over the members of two sets");
  EXPECT_EQ(set_kernel(rbf({.gamma = 1}), SetNormalize::size).properties().bound, 1);
  EXPECT_EQ(set_kernel(linear(), SetNormalize::cosine).properties().bound, 1);
  EXPECT_EQ(set_kernel(rbf({.gamma = 1})).properties().bound, INFINITY);
  EXPECT_FALSE(set_kernel(sigmoid(), SetNormalize::cosine).properties().psd);
  EXPECT_EQ(set_kernel(sigmoid()).prove().because, "sigmoid is not positive semidefinite in general");
  EXPECT_EQ(set_kernel(linear(), SetNormalize::size).node().dependence(), Dependence::linear);
  EXPECT_EQ(set_kernel(linear(), SetNormalize::cosine).node().dependence(), Dependence::other);
}

TEST(SetKernel, SaysWhichColumnsItCompares) {
  const auto compared = [](const char* text) { return objects_compared(Kernel::parse(text)); };
  ASSERT_EQ(compared("set(spectrum(k=2))@title + rbf@x").size(), 1u) << "what is inside sees the members";
  EXPECT_EQ(compared("set(spectrum(k=2))@title")[0].column, "title");
  EXPECT_EQ(compared("set(spectrum(k=2))@title")[0].domain, Domain::text);
  EXPECT_EQ(compared("general_set(delta, linear)")[0].domain, Domain::text);
  EXPECT_TRUE(compared("mmd(rbf)").empty()) << "bags are read as they are";
}

TEST(SetKernel, RefusesWhatCannotBe) {
  const auto parsed = [](const std::string& text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_NE(parsed("set(rbf, normalize=length)").find("normalize must be none or cosine or size, not length"),
            std::string::npos);
  EXPECT_NE(parsed("set(center(rbf) + 1)").find("center depends on all points that are compared"),
            std::string::npos);
  EXPECT_NE(parsed("set(bow(weight=tfidf))").find("depends on all points that are compared"),
            std::string::npos);
  EXPECT_NE(parsed("set(precomputed)").find("precomputed knows rows by their place in a matrix"),
            std::string::npos);
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [] {
                      matrix_of(set_kernel(linear()), Points({{1, 2}}));
                    }),
            "set compares sets of vectors or sets of symbols or texts or graphs, but the data have rows of "
            "numbers alone");
}

TEST(SetKernel, OfSetsOfAMillionMembersSaysThatItIsTooMuch) {
  const Points large = bags_of({Bag(1'000'000, {1.0})}, 1);
  const std::string what =
      refusal(ErrorKind::budget, [&] { matrix_of(Kernel::parse("set(rbf(gamma=1))"), large); });
  EXPECT_NE(what.find("comparing a set of 1000000 members with one of 1000000"), std::string::npos) << what;
  const Points small = bags_of({Bag(3'000, {1.0}), {{1.0}}, {}}, 1);
  EXPECT_EQ(matrix_of(Kernel::parse("set(rbf(gamma=1))"), small),
            (std::vector<double>{9e6, 3e3, 0, 3e3, 1, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace mercer
