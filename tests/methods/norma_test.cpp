#include "mercer/methods/norma.hpp"

#include "mercer/loss.hpp"
#include "methods/in_parts.hpp"

namespace mercer {
namespace {

// Steps as the paper has them, over all rows ever seen: those that were dropped have the coefficient 0.
struct Steps {
  std::vector<std::size_t> order = {};  // of the terms
  testing::Table alpha;                 // rows × functions
  std::vector<double> b;

  std::vector<double> at(const testing::Table& K, std::size_t i) const {
    std::vector<double> f = b;
    for (std::size_t j = 0; j < alpha.size(); ++j)
      for (std::size_t c = 0; c < f.size(); ++c) f[c] += alpha[j][c] * K[j][i];
    return f;
  }
};

std::vector<double> by_hand(const Norma& method, std::string_view loss_name, const Dataset& data,
                            const testing::Table& K) {
  AnyLoss loss = loss_named(loss_name);
  if (method.shape) loss->set(loss->parameters().front().name, *method.shape);
  const std::size_t n = data.rows(), classes = data.target.labels.size();
  const bool of_classes = data.target.task == Task::classification;
  const std::size_t width = of_classes ? (classes == 2 ? 1 : classes) : data.target.outputs;
  Steps s{{}, testing::Table(n, std::vector<double>(width, 0)), std::vector<double>(width, 0)};
  for (std::size_t i = 0; i < n; ++i) {  // one pass: a row has one term at most
    const double w = data.weights.empty() ? 1 : data.weights[i];
    const double eta =
        method.schedule == Norma::Schedule::root ? method.rate / std::sqrt(double(i + 1)) : method.rate;
    const std::vector<double> f = s.at(K, i);
    bool adds = false;
    std::vector<double> g(width);
    for (std::size_t c = 0; c < width; ++c) {
      const double y = !of_classes                              ? data.target.values[i * width + c]
                       : std::size_t(data.target.codes[i]) == c ? 1
                                                                : -1;
      loss->derivative(y, {&f[c], 1}, {&g[c], 1});
      g[c] *= w;
      adds = adds || g[c] != 0;
    }
    for (auto& row : s.alpha)
      for (double& a : row) a *= 1 - eta * method.lambda;
    if (!adds) continue;
    for (std::size_t c = 0; c < width; ++c) {
      s.alpha[i][c] = -eta * g[c];
      if (method.bias == Bias::free) s.b[c] -= eta * g[c];
    }
    s.order.push_back(i);
    if (s.order.size() > std::size_t(method.budget)) {
      s.alpha[s.order.front()].assign(width, 0.0);
      s.order.erase(s.order.begin());
    }
  }
  std::vector<double> scores;
  for (std::size_t i = 0; i < n; ++i)
    for (const double f : s.at(K, i)) scores.push_back(of_classes && classes == 2 ? -f : f);
  return scores;
}

TEST(Norma, TakesTheStepsOfThePaper) {
  const auto k = [](const auto& x, const auto& z) { return testing::rbf(x, z, 0.5); };
  for (const std::size_t classes : {2u, 3u})
    for (const auto loss :
         {Norma::Loss::automatic, Norma::Loss::logistic, Norma::Loss::squared_hinge, Norma::Loss::squared})
      for (const int budget : {1, 8, 500})
        for (const Bias bias : {Bias::free, Bias::none}) {
          const Dataset data = testing::blobs(50, classes, 3, 1.5);
          const Norma method{.loss = loss, .rate = 0.3, .lambda = 0.01, .bias = bias, .budget = budget};
          const Model model = fit(method, Kernel::parse("rbf(gamma=0.5)"), data);
          const std::string name = loss == Norma::Loss::automatic ? "hinge" : testing::word(loss);
          testing::expect_near(model.predict(data.points).scores,
                               by_hand(method, name, data, testing::gram_of(data.points, k)), 1e-10);
          EXPECT_LE(model.fitted.expansion.points.rows(), std::size_t(budget));
        }
}

TEST(Norma, TakesThemForNumbersAndWeights) {
  const auto k = [](const auto& x, const auto& z) { return testing::rbf(x, z, 0.5); };
  for (const auto loss : {Norma::Loss::automatic, Norma::Loss::absolute, Norma::Loss::epsilon_insensitive,
                          Norma::Loss::huber, Norma::Loss::pinball})
    for (const auto schedule : {Norma::Schedule::root, Norma::Schedule::constant})
      for (const std::size_t outputs : {1u, 2u}) {
        Dataset data = testing::wave(40, 3);
        Random random(2);
        std::vector<double> values;
        for (std::size_t i = 0; i < 40; ++i) {
          data.weights.push_back(random.uniform(0.2, 2));
          for (std::size_t o = 0; o < outputs; ++o)
            values.push_back(data.target.values[i] * (1.0 + double(o)));
        }
        data.target.values = values;
        data.target.outputs = outputs;
        Norma method{.loss = loss, .rate = 0.2, .schedule = schedule, .lambda = 0.05, .budget = 11};
        if (loss == Norma::Loss::epsilon_insensitive || loss == Norma::Loss::pinball) method.shape = 0.3;
        const Model model = fit(method, Kernel::parse("rbf(gamma=0.5)"), data);
        const std::string name = loss == Norma::Loss::automatic ? "squared" : testing::word(loss);
        testing::expect_near(model.predict(data.points).values,
                             by_hand(method, name, data, testing::gram_of(data.points, k)), 1e-10);
      }
}

TEST(Norma, IsTheSameInWhateverPartsRowsCome) {
  testing::expect_same_in_parts(Norma{.rate = 0.2, .budget = 9}, testing::blobs(60, 3, 2, 2.0));
  testing::expect_same_in_parts(Norma{.rate = 0.1, .budget = 20}, testing::wave(60, 2));
}

TEST(Norma, RefusesWhatItCannotDo) {
  const Dataset classes = testing::blobs(20, 2, 1), numbers = testing::wave(200, 1);
  const auto said = [](const AnyMethod& method, const char* kernel, const Dataset& data) {
    return message_of([&] { fit(method, Kernel::parse(kernel), data); });
  };
  EXPECT_NE(said(Norma{.loss = Norma::Loss::hinge}, "linear", numbers).find("is a loss of classes"),
            std::string::npos);
  EXPECT_NE(said(Norma{.rate = 10, .lambda = 0.1}, "linear", classes).find("rate·lambda must be below 1"),
            std::string::npos);
  EXPECT_NE(
      said(Norma{.loss = Norma::Loss::hinge, .shape = 1}, "linear", classes).find("has no number of its own"),
      std::string::npos);
  EXPECT_NE(
      said(Norma{.rate = 50, .schedule = Norma::Schedule::constant}, "1000*linear", numbers).find("diverge"),
      std::string::npos);
}

// A row that fits exactly adds no term: a model without points predicts its bias.
TEST(Norma, MayHaveNoPoints) {
  Dataset data = testing::wave(3, 1);
  data.target.values.assign(3, 0.0);
  const Model model = fit(Norma{}, Kernel::parse("linear"), data);
  EXPECT_EQ(model.fitted.expansion.points.rows(), 0u);
  const Model again = Model::from_bytes(model.bytes());
  EXPECT_EQ(again.predict(data.points).values, std::vector<double>(3, 0.0));
  data.target.values = {1, 2, 3};
  EXPECT_EQ(fit(Norma{}, again.kernel(), data, {.resume = &again}).fitted.expansion.points.rows(), 3u);
}

}  // namespace
}  // namespace mercer
