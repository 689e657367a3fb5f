#include "plot/support_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mercer/generate.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"

namespace mercer {
namespace {

// Independently: of a support vector machine the rows that are not beyond the margin on their side support
// it.
std::size_t rows_at_margin(const Model& model, const Dataset& data) {
  const Predictions p = model.predict(data.points);
  std::size_t count = 0;
  for (std::size_t i = 0; i < data.rows(); ++i)
    count += (data.target.codes[i] == 1 ? 1 : -1) * p.scores[i] <= 1 + 1e-3;
  return count;
}

TEST(SupportPlaces, AreRowsOfTheDataInTheirOwnUnits) {
  const Dataset moons = generate("moons", {.n = 80});
  for (const auto scaling : {Scaling::Kind::none, Scaling::Kind::standard, Scaling::Kind::minmax}) {
    const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), moons, {}, scaling);
    const auto places = support_places(model, std::vector<std::size_t>{1, 0});
    ASSERT_TRUE(places);
    ASSERT_EQ(places->size(), 2 * model.fitted.report.support_vectors);
    EXPECT_NEAR(double(places->size() / 2), double(rows_at_margin(model, moons)), 2);
    for (std::size_t s = 0; s < places->size(); s += 2) {
      double nearest = 1;
      for (std::size_t i = 0; i < moons.rows(); ++i) {
        const auto row = moons.points.row(i);
        nearest = std::min(nearest, std::hypot(row[1] - (*places)[s], row[0] - (*places)[s + 1]));
      }
      EXPECT_LT(nearest, 1e-9);
    }
  }
}

TEST(SupportPlaces, EveryRowThatTheKernelKeepsIsNotOne) {
  const Dataset moons = generate("moons", {.n = 60});
  const Model model = fit(Svm{}, Kernel::parse("center(rbf(gamma=1))"), moons);
  ASSERT_TRUE(support_rows(model));
  EXPECT_EQ(support_rows(model)->rows(), model.fitted.report.support_vectors);
  EXPECT_LT(support_rows(model)->rows(), 60u);
}

TEST(SupportPlaces, AreNotKeptByWeightsNorByFeaturesAndOthersHaveNone) {
  const Dataset moons = generate("moons", {.n = 60, .noise = 0.4});
  const std::vector<std::size_t> columns{0, 1};
  Model model = fit(Svm{}, Kernel::parse("linear"), moons);
  ASSERT_TRUE(support_places(model, columns));
  // As weights are: one row for all.
  model.fitted.expansion.points = model.fitted.expansion.points.select_rows(std::vector<std::size_t>{0});
  EXPECT_TRUE(has_support_vectors(model));
  EXPECT_FALSE(support_places(model, columns));
  EXPECT_FALSE(
      support_places(fit(Svm{}, Kernel::parse("rbf(gamma=1)"), moons, {.approx = "nystrom:10"}), columns));
  const Model ridge = fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), generate("sine", {.n = 20}));
  EXPECT_FALSE(has_support_vectors(ridge));
  EXPECT_FALSE(support_rows(ridge));
}

}  // namespace
}  // namespace mercer
