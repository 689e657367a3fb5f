// Which kernels automatic selection tries on which data, in which order and with which values: the whole
// lists, as they follow from what the kernels say of themselves.
#include "model_selection/kernel_families.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "data/molecules.hpp"
#include "mercer/default_kernel.hpp"
#include "mercer/kernel_operator.hpp"
#include "random_objects.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Lines = std::vector<std::string>;

Points table(std::size_t rows, std::size_t columns) { return as_points(random_rows(rows, columns, 3)); }
Points objects(Domain domain, std::size_t rows = 6) { return Points(random_objects(domain, rows, 1, "o")); }
Points sequences(const std::vector<std::string>& texts) {
  return Points(Objects("o", Domain::sequence, texts));
}

/// "kernel | multiples of its lengths | number = its values", numbers with three digits.
Lines list(const Points& points, Task task) {
  Lines lines;
  for (const KernelFamily& family : kernel_families(points, task)) {
    std::string text = family.kernel.text(), line;
    std::smatch found;
    while (std::regex_search(text, found, std::regex("[0-9]+\\.[0-9]+"))) {
      line += found.prefix().str() + fmt::format("{:.3g}", std::stod(found.str()));
      text = found.suffix().str();
    }
    line += text;
    if (!family.multiples.empty()) line += " |";
    for (const double multiple : family.multiples) line += fmt::format(" {}", multiple);
    if (!family.number.empty()) line += " | " + family.number + " =";
    for (std::size_t v = 0; v < family.values.size() && !family.number.empty(); ++v)
      line += fmt::format(" {:.3g}", family.values[v]);
    lines.push_back(line);
  }
  return lines;
}

TEST(KernelFamilies, OfNumbersAreSmoothRoughAndStraight) {
  EXPECT_EQ(
      list(table(100, 4), Task::regression),
      (Lines{"linear", "poly(degree=2, scale=0.25, offset=1)", "rbf(gamma=scale) | 0.35 0.5 0.7 1 1.4 2 2.8",
             "matern(nu=1.5, length=scale) | 0.5 1 2 4", "matern(nu=2.5, length=scale) | 0.5 1 2 4",
             "manhattan(lambda=1) | lambda = 0.0724 0.145 0.29 0.58 1.16"}));
  EXPECT_EQ(list(table(40, 500), Task::regression).size(), 6u);
  EXPECT_EQ(list(table(40, 1), Task::none), list(table(40, 1), Task::regression));
}

TEST(KernelFamilies, OfClassesHaveShorterLengths) {
  EXPECT_EQ(
      list(table(100, 4), Task::classification),
      (Lines{"linear", "poly(degree=2, scale=0.25, offset=1)", "rbf(gamma=scale) | 0.25 0.35 0.5 0.7 1 1.4 2",
             "manhattan(lambda=1) | lambda = 0.145 0.29 0.58 1.16"}));
}

TEST(KernelFamilies, AreFewOfFewRowsAndOfManyColumns) {
  for (const std::size_t columns : {3u, 600u}) {
    EXPECT_EQ(list(table(39, columns), Task::regression),
              (Lines{"linear", "rbf(gamma=scale) | 0.7 1.4 2.8 5.6"}));
    EXPECT_EQ(list(table(39, columns), Task::classification),
              (Lines{"linear", "rbf(gamma=scale) | 0.5 1 2"}));
  }
  EXPECT_EQ(list(table(40, 501), Task::regression),
            (Lines{"linear", "rbf(gamma=scale) | 0.5 0.7 1 1.4 2.8"}));
  EXPECT_EQ(list(table(40, 501), Task::classification),
            (Lines{"linear", "rbf(gamma=scale) | 0.35 0.5 0.7 1 1.4 2"}));
}

TEST(KernelFamilies, OfObjectsAreThoseOfTheirDomain) {
  const std::string wl = "normalize(wl(iterations={}, base=subtree))", path = "normalize(shortest_path)",
                    tanimoto = "tanimoto(radius={}, bits=0, counts=yes)",
                    levels = "histogram(levels={}, count=shares)",
                    bow = "normalize(bow(weight={}, letters=lower))",
                    set = "set(rbf(gamma=scale), normalize={}) | 0.5 1 2";
  const auto with = [](const std::string& text, auto value) {
    return fmt::format(fmt::runtime(text), value);
  };
  for (const Task task : {Task::regression, Task::classification}) {
    EXPECT_EQ(
        list(objects(Domain::text), task),
        (Lines{with(bow, "tfidf, ngrams=1"), with(bow, "log, ngrams=1"), with(bow, "binary, ngrams=2")}));
    EXPECT_EQ(list(objects(Domain::symbols), task),
              (Lines{"jaccard", "normalize(intersection)", "normalize(linear)"}));
    EXPECT_EQ(list(objects(Domain::vectors), task), (Lines{with(set, "cosine"), with(set, "size")}));
    EXPECT_EQ(list(objects(Domain::graph), task), (Lines{with(wl, 3), with(wl, 1), with(wl, 5), path}));
    EXPECT_EQ(list(objects(Domain::image), task),
              (Lines{"rbf(gamma=scale) | 0.5 1 2", with(levels, 16), with(levels, 8), with(levels, 4)}));
    if (reads_molecules()) {
      EXPECT_EQ(list(objects(Domain::molecule), task),
                (Lines{with(tanimoto, 2), with(tanimoto, 1), with(tanimoto, 3),
                       fmt::format("{} + {} + {}", with(tanimoto, 2), with(wl, 3), path)}));
    }
  }
}

TEST(KernelFamilies, OfSequencesFollowTheirLettersAndLengths) {
  const Lines aligned{"normalize(weighted_degree(degree=5, shift=0))",
                      "normalize(weighted_degree(degree=8, shift=0))",
                      "normalize(weighted_degree(degree=3, shift=0))"};
  const Lines words{"normalize(spectrum(k=4, reverse_complement=no))",
                    "normalize(spectrum(k=3, reverse_complement=no))",
                    "normalize(spectrum(k=6, reverse_complement=no))"};
  const Lines gapped{"normalize(gkm(l=8, k=5, d=3, reverse_complement=yes, filter=none))"};
  const auto all = [](std::initializer_list<Lines> parts) {
    Lines joined;
    for (const Lines& part : parts) joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  };
  EXPECT_EQ(list(sequences({"ACGT", "AAAA"}), Task::regression), all({aligned, words, gapped}));
  EXPECT_EQ(list(sequences({"ACGT", "A"}), Task::regression), all({words, gapped}));
  EXPECT_EQ(list(sequences({"MKLV", "AAAA"}), Task::classification), all({aligned, words}));
  EXPECT_EQ(list(sequences({"MKLV", "A"}), Task::classification), words);
  EXPECT_EQ(list(sequences({std::string(400'000, 'A'), "A"}), Task::regression), words);  // too long for gkm
}

TEST(KernelFamilies, OfImagesOfSeveralSizesAreHistograms) {
  Random random(3);
  Images images = random_images(3, 4, 1, random);
  images.heights[1] = 2;
  images.widths[1] = 8;
  EXPECT_EQ(list(Points(Objects("o", Domain::image, std::move(images))), Task::regression),
            (Lines{"histogram(levels=16, count=shares)", "histogram(levels=8, count=shares)",
                   "histogram(levels=4, count=shares)"}));
}

TEST(KernelFamilies, AddUpOverColumnsAndNumbersWhichAreTriedAloneToo) {
  const Points both = table(50, 2).with_objects(
      {random_objects(Domain::vectors, 50, 1, "my bags"), random_objects(Domain::symbols, 50, 1, "s")});
  Lines wanted = list(table(50, 2), Task::regression);
  for (const char* sum : {"set(rbf(gamma=scale), normalize=cosine)@\"my bags\" + jaccard@s",
                          "set(rbf(gamma=scale), normalize=size)@\"my bags\" + normalize(intersection)@s",
                          "set(rbf(gamma=scale), normalize=size)@\"my bags\" + normalize(linear)@s"})
    wanted.push_back(sum + std::string(" + rbf(gamma=scale) | 0.5 1 2"));
  EXPECT_EQ(list(both, Task::regression), wanted);
}

/// A kernel that nobody knows of, with what is to be tried.
struct Newcomer {
  static constexpr std::string_view name = "newcomer", formula = "", summary = "";
  static bool three_columns(const Points& points) { return points.cols() == 3; }
  static constexpr KernelSearch search[] = {
      {"laplace(lambda=scale)", {1, 2}, Task::classification, three_columns},
      {.kernel = "normalize(subsequence)", .domain = Domain::sequence, .rank = -1}};
  static constexpr LeafTraits traits{.statistic = Statistic::dot, .search = search};
  static void params(auto&&) {}
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
};

TEST(KernelFamilies, HaveThoseOfAKernelThatIsNewInTheCatalogue) {
  std::vector<AnyLeaf> catalogue = leaves();
  catalogue.push_back(Maker<Newcomer>::leaf());
  const std::vector<KernelSearch> searches = kernel_searches(catalogue);
  const auto laplace = kernel_families(table(50, 3), Task::classification, searches).back();
  EXPECT_EQ(laplace.kernel.text(), "laplace(lambda=scale)");
  EXPECT_EQ(laplace.multiples, (std::vector<double>{1, 2}));
  EXPECT_EQ(kernel_families(table(50, 4), Task::classification, searches).size(), 4u);
  EXPECT_EQ(kernel_families(table(50, 3), Task::regression, searches).size(), 6u);
  EXPECT_EQ(kernel_families(sequences({"ACGT", "A"}), Task::regression, searches)[0].kernel.text(),
            Kernel::parse("normalize(subsequence)").text());
}

TEST(KernelFamilies, CompareTheColumnsOfEveryDomain) {
  for (const Domain domain : every_domain) {
    if (domain == Domain::molecule && !reads_molecules()) continue;
    const Points points = objects(domain);
    const auto families = kernel_families(points, Task::regression);
    EXPECT_GE(families.size(), 2u) << name_of(domain);
    for (const KernelFamily& family : families) {
      std::vector<double> K(36);
      KernelOperator<double>(family.kernel, points).matrix(K);
      EXPECT_TRUE(family.kernel.properties().psd) << family.kernel.text();
      for (const double value : K) EXPECT_TRUE(std::isfinite(value)) << family.kernel.text();
    }
  }
}

// The kernel as a person types it, over these rows.
void expect_to_run(const Kernel& kernel, const Points& points) {
  std::vector<double> K(points.rows() * points.rows());
  KernelOperator<double>(Kernel::parse(kernel.text()).resolve(points), points).matrix(K);
  for (const double value : K) EXPECT_TRUE(std::isfinite(value)) << kernel.text();
}

TEST(DefaultKernel, IsTheGaussianOfNumbers) {
  const Points points(std::vector<std::vector<double>>{{1, 2}, {3, 5}, {0, 1}});
  EXPECT_EQ(default_kernel(points).text(), "rbf(gamma=scale)");
  expect_to_run(default_kernel(points), points);
  expect_to_run(example_kernel(points), points);
}

TEST(DefaultKernel, ComparesObjectsOfEveryDomain) {
  for (const Domain domain : every_domain) {
    if (domain == Domain::molecule && !reads_molecules()) continue;
    const Points points(random_objects(domain, 6, 1, "o"));
    expect_to_run(default_kernel(points), points);
    expect_to_run(example_kernel(points), points);
    EXPECT_NE(default_kernel(points).text(), example_kernel(points).text());
  }
}

TEST(DefaultKernel, AddsUpColumnsAndNumbers) {
  const Points points = Points(std::vector<std::vector<double>>{{1}, {2}})
                            .with_objects({random_objects(Domain::text, 2, 1, "my text"),
                                           random_objects(Domain::sequence, 2, 1, "s")});
  expect_to_run(default_kernel(points), points);
  expect_to_run(example_kernel(points), points);
}

}  // namespace
}  // namespace mercer
