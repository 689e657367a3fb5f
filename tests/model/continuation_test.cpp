#include "model/continuation.hpp"

#include <fmt/format.h>

#include "message_of.hpp"
#include "methods/in_parts.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

const Kernel smooth = Kernel::parse("rbf(gamma=0.5)");

std::string refused(const Model& first, const AnyMethod& method, const Kernel& other, const Dataset& more,
                    FitOptions options = {}, Scaling::Kind scaling = Scaling::Kind::none) {
  options.resume = &first;
  return message_of([&] { fit(method, other, more, options, scaling); });
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(Continuation, RefusesAnotherProblem) {
  const Dataset data = testing::blobs(30, 2, 1);
  const OnlinePerceptron method{.budget = 5};
  const Model first = fit(method, smooth, data);
  EXPECT_SAYS(refused(first, Norma{}, smooth, data), "was fitted by online_perceptron, not by norma");
  EXPECT_SAYS(refused(first, method, Kernel::parse("linear"), data),
              "has the kernel rbf(gamma=0.5), not linear");
  EXPECT_SAYS(refused(first, method, smooth, data, {}, Scaling::Kind::standard),
              "scales its columns in another way");
  EXPECT_SAYS(refused(first, method, smooth, data, {.approx = "nystrom:5"}),
              "has the kernel approximation none");
  EXPECT_SAYS(refused(first, method, smooth, data, {.probabilities = true}), "probabilities need all rows");
  Dataset other = testing::blobs(9, 3, 1);
  EXPECT_SAYS(refused(first, method, smooth, other),
              "row 3 has the class '3', but the model to go on from has the classes 1, 2");
  EXPECT_SAYS(refused(first, method, smooth, testing::blobs(9, 2, 1, 1, 4)),
              "the rows have 4 columns, but the model to go on from has 3");
  Dataset wrong = data;
  wrong.points = Points(testing::Table(30, {1.0, std::nan(""), 2.0}));
  EXPECT_SAYS(refused(first, method, smooth, wrong), "row 1, column 2 is nan");
  const Norma norma{.rate = 0.1};
  const Model numbers = fit(norma, smooth, testing::wave(20, 1));
  EXPECT_SAYS(refused(numbers, Norma{.rate = 0.2}, smooth, testing::wave(5, 1)),
              "was fitted with rate=0.1, not 0.2");
  Dataset two = testing::wave(4, 1);
  two.target.outputs = 2;
  two.target.values.resize(8);
  EXPECT_SAYS(refused(numbers, norma, smooth, two), "the target has 2 columns");
}

TEST(Continuation, KeepsScalingAndApproximation) {
  const Dataset data = testing::blobs(60, 3, 1);
  std::vector<std::size_t> front(30), back(30);
  for (std::size_t i = 0; i < 30; ++i) front[i] = i, back[i] = 30 + i;
  for (const std::string approx : {"", "nystrom:8"}) {
    const FitOptions options{.approx = approx};
    const Model first =
        fit(OnlinePerceptron{.budget = 6}, smooth, data.select_rows(front), options, Scaling::Kind::standard);
    FitOptions more;
    more.resume = &first;
    const Model second = fit(OnlinePerceptron{.budget = 6}, first.kernel(), data.select_rows(back), more);
    EXPECT_EQ(second.scaling.shift(), first.scaling.shift());
    EXPECT_EQ(second.map.has_value(), !approx.empty());
    EXPECT_EQ(second.rows, 60u);
    // As if the rows had been made ready before.
    Dataset ready = data;
    ready.points = first.scaling.apply(data.points);
    if (first.map) ready.points = first.map->apply(ready.points);
    const Model whole = fit(OnlinePerceptron{.budget = 6}, first.fitted.expansion.kernel, ready);
    EXPECT_EQ(whole.fitted.expansion.coefficients, second.fitted.expansion.coefficients);
  }
}

TEST(Continuation, TakesASmallerBudget) {
  const Dataset data = testing::blobs(80, 2, 1, 3);
  const Model first = fit(OnlinePerceptron{.budget = 20}, smooth, data);
  ASSERT_EQ(first.fitted.expansion.points.rows(), 20u);
  const Model second = fit(OnlinePerceptron{.budget = 4}, smooth, data, {.resume = &first});
  EXPECT_EQ(second.fitted.expansion.points.rows(), 4u);
}

TEST(Continuation, LearnsFromObjectsOfEveryKind) {
  const std::pair<Domain, const char*> kinds[] = {{Domain::text, "normalize(bow)"},
                                                  {Domain::sequence, "normalize(spectrum(k=3))"},
                                                  {Domain::graph, "wl(iterations=2)"},
                                                  {Domain::image, "histogram"},
                                                  {Domain::sequence, "subsequence(length=2)"}};
  for (const auto& [domain, text] : kinds) {
    SCOPED_TRACE(text);
    Dataset data;
    data.points = Points(random_objects(domain, 24, 5));
    data.target = {Task::classification, "", {"a", "b"}, {}};
    for (std::size_t i = 0; i < 24; ++i) data.target.codes.push_back(std::int32_t(i * i % 3 == 0));
    const Kernel own = Kernel::parse(text).resolve(data.points);
    const Model whole = fit(OnlinePerceptron{.budget = 7}, own, data);
    for (const std::size_t part : {1u, 5u}) {
      const Model parts = testing::in_parts(OnlinePerceptron{.budget = 7}, own, data, part);
      EXPECT_EQ(whole.fitted.expansion.coefficients, parts.fitted.expansion.coefficients);
      EXPECT_EQ(whole.fitted.state, parts.fitted.state);
      EXPECT_EQ(whole.predict(data.points).codes, parts.predict(data.points).codes);
    }
  }
}

// A file may say anything: what the method keeps for itself is checked against the rest.
TEST(Continuation, RefusesAStateThatContradictsTheModel) {
  const Dataset classes = testing::blobs(30, 2, 1), numbers = testing::wave(30, 1);
  const auto loaded = [](Model model, auto change) {
    change(model.fitted.state);
    return message_of([&] { Model::from_bytes(model.bytes()); });
  };
  const Model perceptron = fit(OnlinePerceptron{.budget = 5}, smooth, classes),
              norma = fit(Norma{}, smooth, classes),
              ridge = fit(RecursiveRidge{.budget = 5}, smooth, numbers),
              batch = fit(Ridge{}, smooth, numbers);
  EXPECT_SAYS(loaded(perceptron, [](auto& s) { s.pop_back(); }), "holds 3 numbers");
  EXPECT_SAYS(loaded(perceptron, [](auto& s) { s[1] = -1; }), "below 0");
  EXPECT_SAYS(loaded(perceptron, [](auto& s) { s[2] = 1e9; }), "more harm");
  EXPECT_SAYS(loaded(norma, [](auto& s) { s.clear(); }), "holds 0 numbers");
  EXPECT_SAYS(loaded(norma, [](auto& s) { s[0] = -3; }), "below 0");
  EXPECT_SAYS(loaded(ridge, [](auto& s) { s.push_back(1); }), "a dictionary of 5 rows has");
  EXPECT_SAYS(loaded(ridge, [](auto& s) { s[1] = 0; }), "diagonal is not above 0");
  EXPECT_SAYS(loaded(ridge, [](auto& s) { s[0] = 1; }), "fewer rows than the dictionary");
  EXPECT_SAYS(loaded(batch, [](auto& s) { s.push_back(1); }), "belongs to no model of this method");
  EXPECT_SAYS(loaded(norma, [](auto& s) { s[0] = std::nan(""); }), "not finite");
}

}  // namespace
}  // namespace mercer
