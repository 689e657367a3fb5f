#include "mercer/json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "mercer/methods.hpp"
#include "model/models.hpp"

namespace mercer {
namespace {

using nlohmann::json;

TEST(ModelJson, TellsWhatAModelIs) {
  const Model model = testing::example_model(Svm{.C = 4});
  const json told = json::parse(json_of(model));
  EXPECT_EQ(told["method"], "svm");
  EXPECT_EQ(told["parameters"]["C"], 4);
  EXPECT_EQ(told["kernel"], model.kernel().text());
  EXPECT_EQ(told["classes"].get<std::vector<std::string>>(), model.labels);
  EXPECT_EQ(told["rows"], 40);
  EXPECT_EQ(told["columns"], 4);
  EXPECT_EQ(told["converged"], model.fitted.report.converged);
  EXPECT_EQ(told["kkt_violation"], model.fitted.report.violation);
  EXPECT_TRUE(told["approx"].is_null());
  EXPECT_FALSE(told.contains("linear"));
}

TEST(ModelJson, HasTheWeightsOfALinearModel) {
  const Model model = testing::example_model(Ridge{}, Kind::dense64, "linear");
  const json told = json::parse(json_of(model));
  ASSERT_EQ(told["linear"].size(), 1u);
  EXPECT_EQ(told["linear"][0]["weights"].size(), 4u);
}

TEST(ModelJson, WritesNumbersThatJsonLacksAsTexts) {
  FitReport report;
  report.objective = std::numeric_limits<double>::infinity();
  report.violation = std::numeric_limits<double>::quiet_NaN();
  const json told = json::parse(json_of(report));
  EXPECT_EQ(told["objective"], "Infinity");
  EXPECT_EQ(told["violation"], "NaN");
  EXPECT_TRUE(told["norm"].is_null());
}

TEST(ModelJson, SaysHintsInTheWordsOfTheInterface) {
  FitReport report;
  report.warnings.emplace_back("the columns differ in scale", std::vector<Hint>{{Remedy::scale_columns}});
  const json told = json::parse(json_of(report, [](const Hint&) { return std::string("press the button"); }));
  EXPECT_EQ(told["warnings"][0], "the columns differ in scale; press the button");
}

TEST(ModelJson, ReplacesBytesThatAreNoUtf8) {
  Model model = testing::example_model(Svm{});
  model.labels[0] = "\xff!";
  EXPECT_EQ(json::parse(json_of(model))["classes"][0], "\xEF\xBF\xBD!");
}

TEST(ModelJson, HasTheHyperparametersOfAMethod) {
  const AnyMethod method = Ridge{};
  const json told = json::parse(json_of(*method));
  EXPECT_EQ(told.size(), method->parameters().size());
  EXPECT_EQ(told["bias"], std::get<Word>(method->get("bias")).text);
}

}  // namespace
}  // namespace mercer
