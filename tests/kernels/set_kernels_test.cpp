#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "kernels/set_samples.hpp"
#include "mercer/kernel_objects.hpp"
#include "mercer/kernel_parameters.hpp"
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

std::map<std::string, double> member_counts(const std::string& text) {
  std::map<std::string, double> counts;
  std::istringstream words(text);
  for (std::string word; words >> word;) counts[word] += 1;
  return counts;
}

double shared_pairs(const std::string& x, const std::string& y) {  // spectrum(k=2)
  double sum = 0;
  for (std::size_t p = 0; p + 2 <= x.size(); ++p)
    for (std::size_t q = 0; q + 2 <= y.size(); ++q) sum += x.substr(p, 2) == y.substr(q, 2);
  return sum;
}

template <class OfSymbols, class OfCounts>
std::vector<double> by_definition(const std::vector<std::string>& x, const std::vector<std::string>& z,
                                  OfSymbols k, OfCounts k_bar) {
  std::vector<double> K;
  for (const auto& A : x)
    for (const auto& B : z) {
      double sum = 0;
      for (const auto& [a, m] : member_counts(A))
        for (const auto& [b, n] : member_counts(B)) sum += k(a, b) * k_bar(m, n);
      K.push_back(sum);
    }
  return K;
}

double identity(const std::string& a, const std::string& b) { return a == b; }
double product(double m, double n) { return m * n; }
double smaller(double m, double n) { return std::min(m, n); }

void expect_near(const std::vector<double>& K, const std::vector<double>& expected) {
  ASSERT_EQ(K.size(), expected.size());
  for (std::size_t e = 0; e < K.size(); ++e)
    EXPECT_NEAR(K[e], expected[e], 1e-12 * (1 + std::abs(expected[e]))) << e;
}

TEST(GeneralSet, EqualsItsDefinition) {
  const auto x = random_symbols(11, 1), z = random_symbols(8, 2);
  const Points X = texts_of(x, Domain::symbols), Z = texts_of(z, Domain::symbols);
  expect_near(matrix_of(Kernel::parse("general_set(delta, linear)"), X, Z),
              by_definition(x, z, identity, product));
  expect_near(matrix_of(Kernel::parse("general_set(delta, intersection)"), X, Z),
              by_definition(x, z, identity, smaller));
  expect_near(matrix_of(Kernel::parse("general_set(spectrum(k=2), linear)"), X, Z),
              by_definition(x, z, shared_pairs, product));
  expect_near(matrix_of(Kernel::parse("general_set(spectrum(k=2), intersection)"), X, Z),
              by_definition(x, z, shared_pairs, smaller));
  expect_near(
      matrix_of(Kernel::parse("general_set(delta, rbf(gamma=0.5))"), X, Z),
      by_definition(x, z, identity, [](double m, double n) { return std::exp(-0.5 * (m - n) * (m - n)); }));
}

TEST(GeneralSet, OfIdenticalSymbolsIsTheKernelOfCounts) {
  const Points points = texts_of(random_symbols(12, 3), Domain::symbols);
  expect_near(matrix_of(Kernel::parse("general_set(delta, linear)"), points),
              matrix_of(Kernel::parse("bow"), points));
  expect_near(matrix_of(Kernel::parse("general_set(delta, intersection)"), points),
              matrix_of(Kernel::parse("intersection"), points));
  expect_near(matrix_of(Kernel::parse("general_set(delta, 1)"), points),
              matrix_of(Kernel::parse("bow(weight=binary)"), points));
}

TEST(GeneralSet, ComparesWordsOfTextsInLowerCase) {
  const auto K = matrix_of(Kernel::parse("general_set(spectrum(k=3), linear)"),
                           texts_of({"Colour! colour", "the color"}, Domain::text));
  EXPECT_EQ(K[1], 4) << "col and olo, twice";
}

TEST(GeneralSet, IsPositiveSemidefinite) {
  const Points points = texts_of(random_symbols(40, 5), Domain::symbols);
  for (const char* text :
       {"general_set(spectrum(k=2), linear)", "general_set(normalize(spectrum(k=2)), intersection)",
        "normalize(general_set(delta, jaccard))"}) {
    const Kernel k = Kernel::parse(text);
    EXPECT_TRUE(k.properties().psd) << text;
    EXPECT_GE(least_eigenvalue(matrix_of(k, points), 40), -1e-9) << text;
  }
}

TEST(GeneralSet, OfSharesDividesTheCountsByTheSizeOfTheSet) {
  const auto x = random_symbols(12, 1), z = random_symbols(9, 2);
  const auto shares = [](const std::string& text) {
    std::map<std::string, double> counts;
    std::istringstream in(text);
    double size = 0;
    for (std::string word; in >> word; ++size) counts[word] += 1;
    for (auto& [word, count] : counts) count /= size;
    return counts;
  };
  const auto K = matrix_of(Kernel::parse("general_set(spectrum(k=2), rbf(gamma=3), counts=share)"),
                           texts_of(x, Domain::symbols), texts_of(z, Domain::symbols));
  const auto D = matrix_of(general_set_kernel(delta(), intersection(), SetCounts::share),
                           texts_of(x, Domain::symbols), texts_of(z, Domain::symbols));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < z.size(); ++j) {
      double sum = 0, smaller = 0;
      for (const auto& [v, a] : shares(x[i]))
        for (const auto& [w, b] : shares(z[j])) {
          double pairs = 0;  // of equal pairs of letters
          for (std::size_t p = 0; p + 2 <= v.size(); ++p)
            for (std::size_t q = 0; q + 2 <= w.size(); ++q) pairs += v.substr(p, 2) == w.substr(q, 2);
          sum += pairs * std::exp(-3 * (a - b) * (a - b));
          if (v == w) smaller += std::min(a, b);
        }
      EXPECT_NEAR(K[i * z.size() + j], sum, 1e-12);
      EXPECT_NEAR(D[i * z.size() + j], smaller, 1e-12);
    }
  EXPECT_EQ(Kernel::parse("general_set(delta, linear, counts=raw)").text(), "general_set(delta, linear)");
  EXPECT_EQ(Kernel::parse("general_set(delta, linear, counts=share)").text(),
            "general_set(delta, linear, counts=share)");
  EXPECT_NE(refusal(ErrorKind::usage, [] { Kernel::parse("general_set(delta, linear, counts=half)"); })
                .find("counts must be raw or share, not half"),
            std::string::npos);
}

TEST(GeneralSet, ReadsPrintsAndResolvesItsParts) {
  const Kernel k = Kernel::parse("general_set(spectrum(k=2), rbf(gamma=scale))");
  EXPECT_EQ(k.text(), "general_set(spectrum(k=2, reverse_complement=no), rbf(gamma=scale))");
  EXPECT_FALSE(k.resolved());
  // The counts are 2, 1, 1 and 3: their variance is 11/16.
  EXPECT_EQ(k.resolve(texts_of({"a a b", "b c c c"}, Domain::symbols)).text(),
            fmt::format("general_set(spectrum(k=2, reverse_complement=no), rbf(gamma={}))", 16 / 11.0));
  EXPECT_EQ(general_set_kernel(delta(), linear()).text(), "general_set(delta, linear)");
  EXPECT_EQ(Kernel::parse(k.text()).text(), k.text());
  EXPECT_EQ(k.node().with_parts(k.parts()).text(), k.text());
  EXPECT_EQ(general_set_kernel(delta(), sigmoid()).prove().because,
            "sigmoid is not positive semidefinite in general");
}

TEST(GeneralSet, RefusesWhatCannotBe) {
  const auto parsed = [](const std::string& text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_NE(
      parsed("general_set(delta)").find("general_set takes two kernels, of symbols and of counts, not 1"),
      std::string::npos);
  EXPECT_NE(parsed("general_set(delta, linear, linear)").find("not 3"), std::string::npos);
  EXPECT_NE(parsed("general_set(delta, center(linear))").find("center depends on all points"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::usage,
                    [] { matrix_of(general_set_kernel(delta(), linear()), bags_of({{{1.0}}}, 1)); })
                .find("general_set compares sets of symbols or texts"),
            std::string::npos);
}

/// The mean of (1 + aᵀb)² over all pairs; 0 without any.
double mean_of_pairs(const Bag& A, const Bag& B) {
  double sum = 0;
  for (const auto& a : A)
    for (const auto& b : B) {
      double dot = 1;
      for (std::size_t k = 0; k < a.size(); ++k) dot += a[k] * b[k];
      sum += dot * dot;
    }
  return A.empty() || B.empty() ? 0 : sum / double(A.size() * B.size());
}

TEST(MmdKernel, IsAGaussianOfTheDistanceOfTheMeans) {
  const std::vector<Bag> x = random_bags(9, 2, 1), z = random_bags(8, 2, 2);
  const auto K = matrix_of(Kernel::parse("mmd((1 + linear)^2, gamma=0.1)"), bags_of(x, 2), bags_of(z, 2));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double squared =
          mean_of_pairs(x[i], x[i]) + mean_of_pairs(z[j], z[j]) - 2 * mean_of_pairs(x[i], z[j]);
      EXPECT_NEAR(K[i * z.size() + j], std::exp(-0.1 * squared), 1e-12);
    }
}

TEST(MmdKernel, OfALinearKernelSeesTheMeansAlone) {
  const auto K = matrix_of(Kernel::parse("mmd(linear, gamma=2)"),
                           bags_of({{{-1.0}, {1.0}}, {{0.0}}, {{3.0}, {1.0}}}, 1));
  EXPECT_EQ(K[1], 1);
  EXPECT_NEAR(K[2], std::exp(-8), 1e-15);
  EXPECT_LT(matrix_of(Kernel::parse("mmd(rbf(gamma=1))"), bags_of({{{-1.0}, {1.0}}, {{0.0}}}, 1))[1], 0.8)
      << "the Gaussian sees the spread too";
}

TEST(MmdKernel, IsPositiveSemidefiniteWithOnesOnTheDiagonal) {
  const Points points = bags_of(random_bags(40, 2, 3), 2);
  const Kernel k = Kernel::parse("mmd(rbf(gamma=1), gamma=3)");
  const auto K = matrix_of(k, points);
  EXPECT_GE(least_eigenvalue(K, 40), -1e-9);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(K[i * 41], 1);
  EXPECT_EQ(K, matrix_of(k, points, 3));
  EXPECT_EQ(k.properties().bound, 1);
  EXPECT_EQ(k.properties().diagonal, 1);
  EXPECT_TRUE(k.properties().psd);
  EXPECT_FALSE(mmd_kernel(sigmoid()).properties().psd);
}

TEST(MmdKernel, ReadsPrintsAndResolves) {
  EXPECT_EQ(Kernel::parse("mmd(linear)").text(), "mmd(linear, gamma=1)");
  EXPECT_EQ(mmd_kernel(delta(), 0.25).text(), "mmd(delta, gamma=0.25)");
  const Kernel k = Kernel::parse("mmd(rbf, gamma=2)").resolve(bags_of({{{0.0}, {2.0}}, {}}, 1));
  EXPECT_EQ(k.text(), "mmd(" + rbf().resolve(Points(Bag{{0.0}, {2.0}})).text() + ", gamma=2)");
  const std::vector<double> numbers{3, 4};
  EXPECT_EQ(with_parameters(k, numbers).text(), "mmd(rbf(gamma=3), gamma=4)");
}

TEST(MmdKernel, RefusesWhatCannotBe) {
  const auto parsed = [](const std::string& text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_NE(parsed("mmd(rbf, gamma=0)").find("mmd: gamma must be > 0 and at most 1e300, not 0"),
            std::string::npos);
  EXPECT_NE(parsed("mmd(rbf, gamma=scale)").find("gamma must be a number > 0, not scale"), std::string::npos);
  EXPECT_NE(parsed("mmd(center(rbf))").find("center depends on all points"), std::string::npos);
}

}  // namespace
}  // namespace mercer
