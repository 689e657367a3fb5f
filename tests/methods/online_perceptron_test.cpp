#include "mercer/methods/online_perceptron.hpp"

#include "methods/in_parts.hpp"

namespace mercer {
namespace {

// The Forgetron as the paper has it: a list of terms, every sum written out, and φ by bisection.
struct Term {
  std::size_t row, own, other;  // the classes that gain and lose
  double sigma;
};
struct ByHand {
  std::vector<Term> terms = {};
  double mistakes = 0, harm = 0, largest = 0;

  double score(const testing::Table& K, std::size_t at, std::size_t c) const {
    double sum = 0;
    for (const Term& t : terms) sum += t.sigma * ((t.own == c) - double(t.other == c)) * K[t.row][at];
    return sum;
  }
  void visit(const testing::Table& K, std::size_t row, std::size_t own, std::size_t classes,
             std::size_t budget, double weight) {
    largest = std::max(largest, K[row][row]);
    std::size_t other = own == 0 ? 1 : 0;
    for (std::size_t c = 0; c < classes; ++c)
      if (c != own && score(K, row, c) > score(K, row, other)) other = c;
    if (score(K, row, own) > score(K, row, other)) return;
    ++mistakes;
    terms.push_back({row, own, other, weight});
    while (terms.size() > budget) {
      const Term old = terms.front();
      // Of two classes f is the score of one of them, half of what two functions have between them.
      const double factor = classes == 2 ? 1 : 2;
      const double margin = (score(K, old.row, old.own) - score(K, old.row, old.other)) /
                            (classes == 2 ? 2 : 1) / (factor * largest);
      const auto allowed = [&](double phi) {
        const double lambda = phi * old.sigma;
        return harm + lambda * lambda + 2 * lambda - 2 * lambda * phi * margin <= 15.0 / 32 * mistakes;
      };
      double low = 0, high = 1;
      if (allowed(1)) low = 1;
      for (int step = 0; step < 100 && low < 1; ++step)
        (allowed((low + high) / 2) ? low : high) = (low + high) / 2;
      const double lambda = low * old.sigma;
      harm += lambda * lambda + 2 * lambda - 2 * lambda * low * margin;
      terms.erase(terms.begin());
      for (Term& t : terms) t.sigma *= low;
    }
  }
};

TEST(OnlinePerceptron, DoesWhatThePaperSays) {
  for (const std::size_t classes : {2u, 4u})
    for (const int budget : {1, 2, 7, 1000})
      for (const int epochs : {1, 3})
        for (const bool weighted : {false, true}) {
          SCOPED_TRACE(fmt::format("{} classes, budget {}, {} epochs", classes, budget, epochs));
          Dataset data = testing::blobs(60, classes, 3, 1.5);
          Random random(8);
          for (std::size_t i = 0; weighted && i < 60; ++i)
            data.weights.push_back(i % 5 == 2 ? 0 : random.uniform(0.5, 2));
          const testing::Table K =
              testing::gram_of(data.points, [](auto& x, auto& z) { return testing::rbf(x, z, 0.5); });
          ByHand hand;
          for (int epoch = 0; epoch < epochs; ++epoch)
            for (std::size_t i = 0; i < 60; ++i)
              if (const double w = weighted ? data.weights[i] : 1; w > 0)
                hand.visit(K, i, std::size_t(data.target.codes[i]), classes, std::size_t(budget), w);
          const Model model = fit(OnlinePerceptron{.budget = budget, .epochs = epochs},
                                  Kernel::parse("rbf(gamma=0.5)"), data);
          std::vector<double> expected;
          for (std::size_t i = 0; i < 60; ++i)
            for (std::size_t c = 0; c < (classes == 2 ? 1 : classes); ++c)
              expected.push_back(classes == 2 ? -hand.score(K, i, 0) : hand.score(K, i, c));
          testing::expect_near(model.predict(data.points).scores, expected, 1e-9);
          EXPECT_LE(model.fitted.expansion.points.rows(), std::size_t(budget));
          EXPECT_EQ(model.fitted.report.diagnostic("mistakes")->values[0], hand.mistakes);
        }
}

// Dekel, Shalev-Shwartz & Singer 2008, theorem 4: for every g of norm at most U, whatever the rows.
TEST(OnlinePerceptron, MakesNoMoreMistakesThanTheBoundAllows) {
  const int budget = 500;
  const double U = 0.25 * std::sqrt((budget + 1) / std::log(budget + 1.0));
  const auto k = [](const std::vector<double>& x, const std::vector<double>& z) {
    return testing::rbf(x, z, 0.5);
  };
  for (const double flipped : {0.0, 0.03, 0.3}) {
    Random random(4);
    Dataset data;
    data.target = {Task::classification, "", {"a", "b"}, {}};
    testing::Table rows;
    std::vector<double> y;
    for (std::size_t i = 0; i < 6000; ++i) {
      const double side = random.uniform() < 0.5 ? 1 : -1;
      rows.push_back({side * 2 + 0.3 * random.normal(), 0.3 * random.normal()});
      y.push_back(random.uniform() < flipped ? -side : side);
      data.target.codes.push_back(y.back() > 0 ? 0 : 1);
    }
    data.points = Points(rows);
    const Model model = fit(OnlinePerceptron{.budget = budget}, Kernel::parse("rbf(gamma=0.5)"), data);
    const std::vector<double> a{2, 0}, b{-2, 0};
    for (const double scale : {0.5, 1.0, U / std::sqrt(2 - 2 * k(a, b))}) {
      const double square = scale * scale * (2 - 2 * k(a, b));  // ‖g‖² of g = scale·(k(a, ·) − k(b, ·))
      ASSERT_LE(square, U * U * (1 + 1e-12));
      double loss = 0;
      for (std::size_t i = 0; i < rows.size(); ++i)
        loss += std::max(0.0, 1 - y[i] * scale * (k(a, rows[i]) - k(b, rows[i])));
      EXPECT_LE(model.fitted.report.diagnostic("mistakes")->values[0], 2 * square + 4 * loss) << flipped;
    }
    EXPECT_EQ(model.fitted.expansion.points.rows() == std::size_t(budget), flipped > 0.1);
  }
}

TEST(OnlinePerceptron, IsTheSameInWhateverPartsRowsCome) {
  for (const std::size_t classes : {2u, 3u})
    testing::expect_same_in_parts(OnlinePerceptron{.budget = 9}, testing::blobs(70, classes, 2, 2.0));
}

TEST(OnlinePerceptron, LearnsAClassThatHasNoRowYet) {
  Dataset data = testing::blobs(30, 2, 1);
  data.target.labels.push_back("later");
  const Model first = fit(OnlinePerceptron{}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_EQ(first.labels.size(), 3u);
  Dataset more = testing::blobs(10, 1, 5);
  more.target.labels = {"later"};
  const Model second = fit(OnlinePerceptron{}, first.kernel(), more, {.resume = &first});
  EXPECT_EQ(second.predict(more.points).codes.back(), 2);
  EXPECT_EQ(second.rows, 40u);
}

TEST(OnlinePerceptron, RefusesWhatItCannotLearn) {
  EXPECT_NE(message_of([] { AnyMethod(OnlinePerceptron{.budget = 0}); }).find("budget"), std::string::npos);
  Dataset one = testing::blobs(5, 1, 1);
  EXPECT_NE(
      message_of([&] { fit(OnlinePerceptron{}, Kernel::parse("linear"), one); }).find("two classes or more"),
      std::string::npos);
  const Dataset data = testing::blobs(9, 2, 1);
  EXPECT_NE(message_of([&] {
              fit(OnlinePerceptron{}, Kernel::parse("center(linear)"), data);
            }).find("looks at all rows at once"),
            std::string::npos);
  Dataset none = data;
  none.weights.assign(9, 0.0);
  EXPECT_NE(
      message_of([&] { fit(OnlinePerceptron{}, Kernel::parse("linear"), none); }).find("weight above 0"),
      std::string::npos);
}

}  // namespace
}  // namespace mercer
