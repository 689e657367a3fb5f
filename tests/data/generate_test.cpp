// What holds for every generator, present and future, and what is refused.
#include "mercer/generate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "mercer/error.hpp"

namespace mercer {

/// Names the tests of a generator.
void PrintTo(const Generator& generator, std::ostream* out) { *out << generator.name; }

namespace {

std::string refusal(std::string_view name, const GenerateOptions& options) {
  try {
    generate(name, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

std::vector<double> everything(const Dataset& data) {
  std::vector<double> all(data.target.values);
  all.insert(all.end(), data.target.codes.begin(), data.target.codes.end());
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const std::vector<double> row = data.points.row(i);
    all.insert(all.end(), row.begin(), row.end());
  }
  for (const Objects& column : data.points.objects()) {
    if (const Bags* bags = std::get_if<Bags>(&column.storage()))
      all.insert(all.end(), bags->values.begin(), bags->values.end());
    for (std::size_t i = 0; i < column.rows(); ++i) all.push_back(double(column.hash(i)));
  }
  return all;
}

class EveryGenerator : public ::testing::TestWithParam<Generator> {};
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryGenerator, ::testing::ValuesIn(generators()),
                         [](const auto& instance) { return std::string(instance.param.name); });

std::vector<Generator> of_numbers() {
  std::vector<Generator> some;
  for (const Generator& one : generators())
    if (!one.objects) some.push_back(one);
  return some;
}
class EveryGeneratorOfNumbers : public ::testing::TestWithParam<Generator> {};
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryGeneratorOfNumbers, ::testing::ValuesIn(of_numbers()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST_P(EveryGenerator, HasTheShapeItAnnounces) {
  const Dataset data = generate(GetParam().name, {.n = 60});
  EXPECT_EQ(data.rows(), 60u);
  EXPECT_FALSE(data.points.sparse());
  EXPECT_EQ(data.points.precision(), Precision::float64);
  ASSERT_EQ(data.points.names().size(), data.points.cols());
  if (GetParam().objects) {
    ASSERT_EQ(data.points.objects().size(), 1u);
    EXPECT_EQ(data.points.objects()[0].domain(), *GetParam().objects);
  } else {
    EXPECT_TRUE(data.points.objects().empty());
    EXPECT_EQ(data.points.names().front(), "x1");
    EXPECT_EQ(data.points.names().back(), "x" + std::to_string(data.points.cols()));
  }
  EXPECT_EQ(data.target.task, GetParam().task);
  EXPECT_EQ(data.target.name, "y");
  EXPECT_EQ(data.target.size(), 60u);
  EXPECT_EQ(data.target.labels.size(), GetParam().default_classes);
}

TEST_P(EveryGenerator, IsDeterminedByItsSeed) {
  const auto draw = [&](std::uint64_t seed) { return everything(generate(GetParam().name, {.seed = seed})); };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
  EXPECT_NE(draw(0), draw(1));
}

TEST_P(EveryGenerator, GivesFiniteNumbers) {
  for (const double noise : {0.0, 1.0, 1e100}) {
    for (const double value : everything(generate(GetParam().name, {.noise = noise})))
      EXPECT_TRUE(std::isfinite(value));
  }
}

TEST_P(EveryGenerator, GivesARowThatDoesNotDependOnHowManyFollow) {
  const Dataset few = generate(GetParam().name, {.n = 5}), many = generate(GetParam().name, {.n = 50});
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(few.points.row(i), many.points.row(i));
  for (std::size_t i = 0; i < 5 && GetParam().objects; ++i)
    EXPECT_TRUE(few.points.objects()[0].equal(i, many.points.objects()[0], i));
  for (std::size_t i = 0; i < few.target.values.size(); ++i)
    EXPECT_EQ(few.target.values[i], many.target.values[i]);
}

// Objects change by whole pixels, letters or edges.
TEST_P(EveryGeneratorOfNumbers, MovesTheSamePointsWhenNoiseChanges) {
  const auto exact = everything(generate(GetParam().name, {.noise = 0.0}));
  const auto noisy = everything(generate(GetParam().name, {.noise = 1e-9}));
  ASSERT_EQ(exact.size(), noisy.size());
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(exact[i], noisy[i], 1e-8);
  EXPECT_NE(exact, noisy);
}

TEST_P(EveryGenerator, BalancesItsClasses) {
  const Dataset data = generate(GetParam().name, {.n = 61});
  std::vector<int> counts(data.target.labels.size());
  for (const std::int32_t code : data.target.codes) ++counts.at(std::size_t(code));
  for (std::size_t c = 0; c < counts.size(); ++c) {
    EXPECT_EQ(data.target.labels[c], std::to_string(c));
    EXPECT_NEAR(counts[c], 61.0 / double(counts.size()), 1);
  }
}

TEST_P(EveryGenerator, GivesASingleRow) {
  const Dataset data = generate(GetParam().name, {.n = 1});
  EXPECT_EQ(data.rows(), 1u);
  EXPECT_EQ(data.target.labels.size(), GetParam().task == Task::classification ? 1u : 0u);
}

TEST_P(EveryGenerator, RefusesImpossibleSizes) {
  EXPECT_EQ(refusal(GetParam().name, {.n = 0}), "n must be at least 1");
  for (const std::size_t n : {std::numeric_limits<std::size_t>::max(), (std::size_t{1} << 40) + 1})
    EXPECT_NE(refusal(GetParam().name, {.n = n}).find("the product must be at most 2^40"), std::string::npos);
}

TEST_P(EveryGenerator, RefusesImpossibleNoise) {
  for (const double noise : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_NE(refusal(GetParam().name, {.noise = noise}).find("it must be from 0 to 1e100"),
              std::string::npos);
}

TEST_P(EveryGenerator, TakesOrRefusesButNeverIgnoresAnOption) {
  const Generator& about = GetParam();
  if (about.least_dim > 0) {
    const std::size_t dim = std::max<std::size_t>(about.least_dim, 8);
    const Dataset wide = generate(about.name, {.dim = dim});
    if (!about.objects) {
      EXPECT_EQ(wide.points.cols(), dim);
    } else if (about.objects == Domain::vectors) {
      EXPECT_EQ(wide.points.objects()[0].bags().columns, dim);
    }
    EXPECT_NE(everything(wide), everything(generate(about.name)));
    if (about.least_dim > 1) {
      EXPECT_NE(refusal(about.name, {.dim = about.least_dim - 1}), "accepted");
    }
  } else {
    EXPECT_NE(refusal(about.name, {.dim = std::max<std::size_t>(about.default_dim, 1)}).find("takes no dim"),
              std::string::npos);
  }
  if (about.free_classes) {
    EXPECT_EQ(generate(about.name, {.classes = 7}).target.labels.size(), 7u);
    EXPECT_NE(refusal(about.name, {.classes = 1}), "accepted");
  } else {
    EXPECT_NE(refusal(about.name, {.classes = 2}).find("takes no classes"), std::string::npos);
  }
}

TEST(Generate, MessagesSayWhatWouldBeRight) {
  EXPECT_EQ(refusal("moon", {}),
            "unknown generator 'moon'; did you mean 'moons'? there are moons, circles, spirals, xor, "
            "checkerboard, blobs, histograms, sinc2d, line, sine, noise, friedman1, swiss_roll, ring_graphs, "
            "colour_images, digit_images, sets, words, dna_motif");
  EXPECT_TRUE(refusal("zebra", {}).starts_with("unknown generator 'zebra'; there are moons, "));
  EXPECT_EQ(refusal("moons", {.classes = 3}),
            "moons takes no classes: it has 2; classes is for spirals, blobs, histograms, colour_images");
  EXPECT_EQ(refusal("line", {.classes = 3}),
            "line takes no classes: its target is a number; classes is for spirals, blobs, histograms, "
            "colour_images");
  EXPECT_EQ(refusal("line", {.dim = 3}),
            "line takes no dim: it has 1 column; dim is for blobs, histograms, noise, friedman1, "
            "ring_graphs, sets, dna_motif");
  EXPECT_EQ(refusal("digit_images", {.dim = 3}),
            "digit_images takes no dim: it has images; dim is for blobs, histograms, noise, friedman1, "
            "ring_graphs, sets, dna_motif");
  EXPECT_EQ(refusal("friedman1", {.dim = 4}), "dim 4 is too small for friedman1; it must be at least 5");
  EXPECT_EQ(refusal("blobs", {.n = 3, .classes = 4}), "classes 4 is impossible; it must be from 2 to n (3)");
  EXPECT_EQ(refusal("blobs", {.n = 2, .dim = std::size_t{1} << 40}),
            "n 2 times 1099511627776 columns is too large; the product must be at most 2^40");
  EXPECT_EQ(refusal("sine", {.noise = -1.0}), "noise -1 is impossible; it must be from 0 to 1e100");
}

TEST(Generate, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (const Generator& generator : generators()) {
    EXPECT_TRUE(names.insert(generator.name).second) << generator.name;
    EXPECT_FALSE(generator.summary.empty()) << generator.name;
  }
}

}  // namespace
}  // namespace mercer
