#include "kernels/maps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/refusal.hpp"

namespace mercer {
namespace {

std::vector<double> image(const std::vector<PointMapInfo>& known, const std::string& name,
                          std::vector<double> x, double parameter = 0) {
  return std::ranges::find(known, name, &PointMapInfo::name)->apply(x, parameter);
}

TEST(PointMaps, AreWhatTheirFormulasSay) {
  EXPECT_EQ(image(point_maps(), "squares", {-3, 2}), (std::vector<double>{9, 4}));
  EXPECT_EQ(image(point_maps(), "powers", {-3, 2}, 3), (std::vector<double>{-3, 2, 9, 4, -27, 8}));
  EXPECT_EQ(image(point_maps(), "append_norm", {3, 4}), (std::vector<double>{3, 4, 25}));
  EXPECT_EQ(image(point_maps(), "unit", {3, 4}), (std::vector<double>{0.6, 0.8}));
  EXPECT_EQ(image(point_maps(), "unit", {0, 0}), (std::vector<double>{0, 0}));
  EXPECT_EQ(image(point_functions(), "norm", {3, 4}), (std::vector<double>{5}));
  EXPECT_EQ(image(point_functions(), "inverse_norm", {3, 4}), (std::vector<double>{0.2}));
  EXPECT_EQ(image(point_functions(), "inverse_norm", {0, 0}), (std::vector<double>{0}));
  EXPECT_EQ(image(point_functions(), "exp_norm", {3, 4}, 5), (std::vector<double>{std::exp(-0.5)}));
}

TEST(PointMaps, NameEachMapOnceAndGiveFunctionsOneNumber) {
  for (const PointMapInfo& function : point_functions()) {
    EXPECT_EQ(function.apply(std::vector<double>{1, 2, 3}, 1).size(), 1u) << function.name;
    EXPECT_EQ(std::ranges::find(point_maps(), function.name, &PointMapInfo::name), point_maps().end());
  }
}

TEST(MapRows, MapsDenseAndSparseRowsAlike) {
  const Points points({{1, 0, 2}, {0, 0, 3}});
  const auto twice = [](std::span<const double> x) { return std::vector{x[0] + x[2], x[1] - 1}; };
  for (const Points& given : {points, points.to_sparse(), points.with_precision(Precision::float32)}) {
    const Points images = map_rows(given, twice);
    ASSERT_EQ(images.rows(), 2u);
    ASSERT_EQ(images.cols(), 2u);
    EXPECT_EQ(images.row(0), (std::vector<double>{3, -1}));
    EXPECT_EQ(images.row(1), (std::vector<double>{3, -1}));
  }
}

TEST(MapRows, RefusesImagesOfDifferentLengths) {
  const auto uneven = [](std::span<const double> x) { return std::vector<double>(std::size_t(x[0])); };
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] {
                      map_rows(Points({{2}, {2}, {5}}), uneven);
                    }),
            "the map gives 5 numbers for row 3 but 2 for row 1; it must give the same number for all");
  EXPECT_EQ(map_rows(Points({{0}, {0}}), uneven).cols(), 0u);
}

Points named_points() { return Points(Dense<double>{1, 3, Buffer<double>(3, 0.0)}, {"mass", "größe", "2"}); }

std::vector<std::size_t> found(const std::vector<std::string>& columns) {
  return find_columns(named_points(), columns);
}

TEST(FindColumns, FindsNamesAndNumbersInTheOrderGiven) {
  EXPECT_EQ(found({"größe", "mass"}), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(found({"1", "3"}), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(found({"2"}), (std::vector<std::size_t>{2})) << "a name wins over a number";
  EXPECT_EQ(find_columns(Points({{1, 2, 3}}), std::vector<std::string>{"2", "2"}),
            (std::vector<std::size_t>{1, 1}));
}

TEST(FindColumns, TakesAColumnOfCategoriesForAllOfItsOwn) {
  const Points points(Dense<double>{1, 4, Buffer<double>(4, 1.0)},
                      {"city=Oslo", "age", "city=Rome", "citystate=yes"});
  EXPECT_EQ(find_columns(points, std::vector<std::string>{"city", "age"}),
            (std::vector<std::size_t>{0, 2, 1}));
  EXPECT_EQ(find_columns(points, std::vector<std::string>{"city=Rome"}), (std::vector<std::size_t>{2}));
}

TEST(FindColumns, RefusesWhatIsNotThere) {
  const auto message = [](const std::string& column) {
    return refusal(ErrorKind::usage, [&] { found({"mass", column}); });
  };
  EXPECT_EQ(message("mas"), "no column 'mas' in the data; did you mean 'mass'?");
  for (const std::string bad : {"4", "0", "-1", "1.5", "", "99999999999999999999", "1 "})
    EXPECT_EQ(message(bad),
              "no column '" + bad + "' in the data; columns are named, or numbered from 1 to 3");
}

std::string choice_refusal(const Combinator::Arguments& arguments) {
  return refusal(ErrorKind::usage, [&] { choose(point_maps(), arguments); });
}

TEST(Choose, FindsANameAndItsDefault) {
  const Choice powers = choose(point_maps(), "powers");
  ASSERT_NE(powers.info, nullptr);
  EXPECT_EQ(powers.info->name, "powers");
  EXPECT_EQ(powers.text(), "by=powers, degree=3");
  EXPECT_EQ(choose(point_maps(), "unit").text(), "by=unit");
}

TEST(Choose, TakesTheParameterInAnyOrder) {
  EXPECT_EQ(choose(point_maps(), {{"degree", 5.0}, {"by", Word{"powers"}}}).text(), "by=powers, degree=5");
  EXPECT_EQ(choose(point_functions(), {{"by", Word{"exp_norm"}}, {"sigma", 0.5}}).text(),
            "by=exp_norm, sigma=0.5");
}

TEST(Choose, KeepsAnUnknownNameAsAColumn) {
  const Choice column = choose(point_functions(), "body mass");
  EXPECT_EQ(column.info, nullptr);
  EXPECT_EQ(column.text(), "by=\"body mass\"");
  EXPECT_EQ(choose(point_functions(), {{"by", 2.0}}).name, "2");
}

TEST(Choose, RefusesWhatDoesNotFit) {
  const auto powers = [](Argument degree) {
    return choice_refusal({{"by", Word{"powers"}}, {"degree", degree}});
  };
  EXPECT_EQ(powers(0.0), "degree must be a whole number from 1 to 1000, not 0");
  EXPECT_EQ(powers(2.5), "degree must be a whole number from 1 to 1000, not 2.5");
  EXPECT_EQ(powers(1001.0), "degree must be a whole number from 1 to 1000, not 1001");
  EXPECT_EQ(powers(Word{"two"}), "degree must be a whole number from 1 to 1000, not two");
  EXPECT_EQ(choice_refusal({{"by", Word{"unit"}}, {"degree", 2.0}}), "by=unit takes no parameter degree");
  EXPECT_EQ(choice_refusal({{"by", std::vector<double>{1}}}), "by must be a name, not a list");
  for (const double sigma : {0.0, -1.0, double(INFINITY)})
    EXPECT_EQ(refusal(ErrorKind::usage,
                      [&] {
                        choose(point_functions(), {{"by", Word{"exp_norm"}}, {"sigma", sigma}});
                      }),
              "sigma must be > 0, not " + to_text(sigma));
}

}  // namespace
}  // namespace mercer
