#include "model/probability.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "data/scratch.hpp"
#include "mercer/methods.hpp"

namespace mercer {
namespace {

Dataset blobs(std::size_t per_class, std::size_t classes, double spread, std::uint64_t seed) {
  Random random(seed);
  Dataset data;
  data.target.kind = Target::Kind::classes;
  std::vector<std::vector<double>> rows;
  for (std::size_t c = 0; c < classes; ++c) {
    data.target.labels.push_back("c" + std::to_string(c));
    for (std::size_t i = 0; i < per_class; ++i) {
      rows.push_back({double(c % 2) * 2 + spread * random.normal(), double(c / 2) * 2 + spread * random.normal()});
      data.target.codes.push_back(std::int32_t(c));
    }
  }
  data.points = Points(rows);
  return data;
}

const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");

TEST(Probabilities, NeverContradictThePrediction) {
  for (const std::size_t classes : {2, 4}) {
    const Dataset data = blobs(60, classes, 1.2, 4), others = blobs(100, classes, 1.2, 5);
    const Model model = fit(Svm{}, kernel, data, {.probabilities = true});
    const Predictions p = model.predict(others.points);
    ASSERT_EQ(p.probabilities.size(), others.rows() * classes);
    for (std::size_t i = 0; i < others.rows(); ++i) {
      const auto own = std::span(p.probabilities).subspan(i * classes, classes);
      double sum = 0;
      for (const double value : own) sum += value;
      EXPECT_NEAR(sum, 1, 1e-9);
      EXPECT_EQ(p.codes[i], std::ranges::max_element(own) - own.begin());
    }
  }
}

TEST(Probabilities, AreCalibratedOnRowsTheModelHasNotSeen) {
  const Dataset data = blobs(300, 2, 1.5, 6), others = blobs(2000, 2, 1.5, 7);
  // So large a C and gamma that the machine remembers its rows: on them every score is sure and right.
  const Model model = fit(Svm{.C = 1000}, Kernel::parse("rbf(gamma=50)"), data, {.probabilities = true});
  const Predictions p = model.predict(others.points);
  double claimed = 0, right = 0;
  for (std::size_t i = 0; i < others.rows(); ++i) {
    claimed += std::max(p.probabilities[2 * i], p.probabilities[2 * i + 1]);
    right += p.codes[i] == others.target.codes[i];
  }
  EXPECT_NEAR(claimed / double(others.rows()), right / double(others.rows()), 0.1);
}

TEST(Probabilities, DependOnTheSeedAlone) {
  const Dataset data = blobs(40, 3, 1, 8);
  const Model a = fit(Svm{}, kernel, data, {.threads = 1, .seed = 3, .probabilities = true});
  const Model b = fit(Svm{}, kernel, data, {.threads = 4, .seed = 3, .probabilities = true});
  const Model c = fit(Svm{}, kernel, data, {.threads = 1, .seed = 4, .probabilities = true});
  EXPECT_EQ(a.fitted.slopes, b.fitted.slopes);
  EXPECT_EQ(a.fitted.offsets, b.fitted.offsets);
  EXPECT_NE(a.fitted.slopes, c.fitted.slopes);
}

TEST(Probabilities, NeedTwoRowsOfEachClassAndPairs) {
  Dataset data = blobs(10, 2, 1, 9);
  std::vector<std::size_t> chosen{0, 10, 11, 12};
  EXPECT_EQ(testing::refusal([&] { fit(Svm{}, kernel, data.select_rows(chosen), {.probabilities = true}); }),
            "class 'c0' has a single row; probabilities need two of each class or more");
  const Dataset three = blobs(10, 3, 1, 9);
  EXPECT_EQ(testing::refusal([&] { fit(Svm{.multiclass = "ovr"}, kernel, three, {.probabilities = true}); }),
            "probabilities are calibrated for pairs of classes; set multiclass=ovo");
  EXPECT_EQ(testing::refusal([&] { fit(OneClass{}, kernel, data, {.probabilities = true}); }), "one_class has no classes, so no probabilities");
}

}  // namespace
}  // namespace mercer
