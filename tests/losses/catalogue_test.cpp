// What holds for every loss, present and future: its numbers against the formula written a second time,
// differences, suprema and minima found by search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "mercer/loss.hpp"

namespace mercer {
namespace {

using Vector = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

// L(y, f) with the parameter p, by hand.
using Reference = std::function<double(double y, const Vector& f, double p)>;
const std::map<std::string_view, Reference> references{
    {"squared", [](double y, auto& f, double) { return std::pow(y - f[0], 2); }},
    {"absolute", [](double y, auto& f, double) { return std::fabs(y - f[0]); }},
    {"huber",
     [](double y, auto& f, double p) {
       const double near = std::min(std::fabs(y - f[0]), p);  // the integral of the clipped error
       return near * near / 2 + p * (std::fabs(y - f[0]) - near);
     }},
    {"pinball", [](double y, auto& f, double p) { return std::max(p * (y - f[0]), (p - 1) * (y - f[0])); }},
    {"epsilon_insensitive",
     [](double y, auto& f, double p) {
       return std::max({0.0, y - f[0] - p, f[0] - y - p});
     }},
    {"poisson", [](double y, auto& f, double) { return std::exp(f[0]) - y * f[0]; }},
    {"hinge", [](double y, auto& f, double) { return std::max(0.0, 1 - y * f[0]); }},
    {"squared_hinge", [](double y, auto& f, double) { return std::pow(std::max(0.0, 1 - y * f[0]), 2); }},
    {"logistic", [](double y, auto& f, double) { return std::log(1 + std::exp(-y * f[0])); }},
    {"exponential", [](double y, auto& f, double) { return std::exp(-y * f[0]); }},
    {"multinomial",
     [](double y, auto& f, double) {
       double total = 0;
       for (const double one : f) total += std::exp(one);
       return -std::log(std::exp(f[std::size_t(y)]) / total);
     }},
};

// Each loss with its default, and with 0.3 for its parameter.
std::vector<AnyLoss> settings() {
  std::vector<AnyLoss> list;
  for (const AnyLoss& loss : losses()) {
    list.push_back(loss);
    for (const LossParameter& parameter : loss->parameters()) {
      list.push_back(loss);
      list.back()->set(parameter.name, 0.3);
    }
  }
  return list;
}

Vector targets_of(const Loss& loss) {
  switch (loss.target()) {
    case LossTarget::real:
      return {-1.3, 0, 2.5};
    case LossTarget::counts:
      return {0, 1, 4};
    case LossTarget::signs:
      return {-1, 1};
    case LossTarget::classes:
      break;
  }
  return {0, 1, 2};
}

// Answers at least 0.01 from every kink of the losses above.
std::vector<Vector> answers_of(const Loss& loss) {
  if (loss.target() == LossTarget::classes)
    return {{0, 0, 0}, {1, -2, 0.5}, {-0.3, 2.2, 2.1}, {3, 0.1, -4}, {-1, -1.5, 2}};
  std::vector<Vector> list;
  for (int i = 0; i < 14; ++i) list.push_back({-2.37 + 0.41 * i});
  return list;
}

void for_each_case(const auto& use) {
  for (const AnyLoss& loss : settings())
    for (const double y : targets_of(*loss))
      for (const Vector& f : answers_of(*loss)) {
        SCOPED_TRACE(testing::Message()
                     << loss->name() << ", y = " << y << ", f = " << testing::PrintToString(f));
        use(*loss, y, f);
      }
}

Vector derivative(const Loss& loss, double y, const Vector& f) {
  Vector g(f.size(), 99);
  loss.derivative(y, f, g);
  return g;
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

Vector moved(Vector f, std::size_t c, double step) {
  f[c] += step;
  return f;
}

// The minimum of a convex function of one number between two bounds, by golden section.
double minimum(const std::function<double(double)>& of, double low, double high) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  for (int step = 0; step < 64; ++step) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    const bool leftwards = of(left) <= of(right);
    (leftwards ? high : low) = leftwards ? right : left;
  }
  return of((low + high) / 2);
}

TEST(EveryLoss, HasANameOfItsOwnAndSaysWhatItIs) {
  std::set<std::string_view> names;
  for (const AnyLoss& loss : losses()) {
    EXPECT_TRUE(names.insert(loss->name()).second) << loss->name();
    EXPECT_FALSE(loss->formula().empty()) << loss->name();
    EXPECT_FALSE(loss->summary().empty()) << loss->name();
    for (const LossParameter& parameter : loss->parameters())
      EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
    EXPECT_EQ(&loss_named(loss->name()), &loss);
    EXPECT_NE(loss->smooth(), !loss->dual(1).empty()) << loss->name() << ": there is one way to solve it";
  }
  EXPECT_EQ(names.size(), 11u);
}

TEST(EveryLoss, IsItsFormula) {
  for_each_case([](const Loss& loss, double y, const Vector& f) {
    ASSERT_TRUE(references.contains(loss.name())) << "has no reference";
    const auto parameters = loss.parameters();
    const double p = parameters.empty() ? 0 : loss.get(parameters[0].name);
    EXPECT_NEAR(loss.value(y, f), references.at(loss.name())(y, f, p), 1e-12);
  });
}

TEST(EveryLoss, HasTheDerivativesOfItsDifferences) {
  constexpr double h = 1e-5;
  for_each_case([](const Loss& loss, double y, const Vector& f) {
    const std::size_t k = f.size();
    const Vector g = derivative(loss, y, f);
    Vector s(k, 99), u(k, 99);
    loss.curvature(y, f, s, u);
    for (std::size_t c = 0; c < k; ++c) {
      EXPECT_NEAR(g[c], (loss.value(y, moved(f, c, h)) - loss.value(y, moved(f, c, -h))) / (2 * h),
                  1e-7 * (1 + std::abs(g[c])));
      const Vector up = derivative(loss, y, moved(f, c, h)), down = derivative(loss, y, moved(f, c, -h));
      for (std::size_t b = 0; b < k; ++b) {
        const double w = s[b] * ((b == c ? 1 : 0) - u[b] * u[c]) * s[c];
        EXPECT_NEAR(w, (up[b] - down[b]) / (2 * h), 1e-7 * (1 + std::abs(w)));
      }
    }
  });
}

// f and f + steps that end at kinks, too: the derivative there must be a subgradient.
TEST(EveryLoss, LiesAboveItsTangents) {
  for (const AnyLoss& loss : settings())
    for (const double y : targets_of(*loss)) {
      std::vector<Vector> answers = answers_of(*loss);
      if (loss->target() != LossTarget::classes)
        for (const double kink : {y, y - 0.1, y + 0.1, y - 0.3, y + 0.3, y - 1, y + 1, -1.0, 1.0})
          answers.push_back({kink});
      for (const Vector& f : answers)
        for (const Vector& other : answers) {
          const Vector g = derivative(*loss, y, f);
          EXPECT_GE(loss->value(y, other), loss->value(y, f) + dot(g, other) - dot(g, f) - 1e-12)
              << loss->name() << " " << y << " " << f[0] << " " << other[0];
        }
    }
}

TEST(EveryLoss, MeetsItsConjugateAtTheDerivative) {
  for_each_case([](const Loss& loss, double y, const Vector& f) {
    const Vector a = derivative(loss, y, f);
    const auto conjugate = loss.conjugate(y, a);
    ASSERT_TRUE(conjugate);
    EXPECT_NEAR(*conjugate, dot(a, f) - loss.value(y, f), 1e-10);
    for (const Vector& other : answers_of(loss))
      EXPECT_GE(*conjugate, dot(a, other) - loss.value(y, other) - 1e-10);
  });
}

// Of one output; that of multinomial is tested above inside its domain and below outside.
TEST(EveryLoss, HasTheConjugateOfASearch) {
  for (const AnyLoss& loss : settings())
    for (const double y : targets_of(*loss)) {
      if (loss->target() == LossTarget::classes) continue;
      for (double a = -2.43; a < 2.5; a += 0.19) {
        const auto supremum = [&](double most) {
          return -minimum([&](double f) { return loss->value(y, {&f, 1}) - a * f; }, -most, most);
        };
        const double conjugate = loss->conjugate(y, {&a, 1}).value();
        if (conjugate == infinity) {
          EXPECT_GT(supremum(600), supremum(300) + 2)
              << loss->name() << " " << y << " " << a << ": is bounded";
        } else {
          EXPECT_NEAR(conjugate, supremum(300), 1e-9) << loss->name() << " " << y << " " << a;
        }
      }
    }
}

TEST(EveryLoss, HasTheConjugateAtTheEdgeOfItsDomain) {
  const auto conjugate = [](const char* name, double y, Vector a) {
    return loss_named(name)->conjugate(y, a).value();
  };
  EXPECT_EQ(conjugate("logistic", 1, {0}), 0);
  EXPECT_EQ(conjugate("logistic", 1, {-1}), 0);
  EXPECT_EQ(conjugate("hinge", -1, {1}), -1);
  EXPECT_EQ(conjugate("hinge", -1, {1.001}), infinity);
  EXPECT_EQ(conjugate("poisson", 2, {-2}), 0);
  EXPECT_EQ(conjugate("exponential", 1, {0}), 0);
  EXPECT_EQ(conjugate("multinomial", 1, {0, 0, 0}), 0);
  EXPECT_EQ(conjugate("multinomial", 1, {0.5, -0.5, 0}), -std::log(2));
  EXPECT_EQ(conjugate("multinomial", 1, {0.5, -0.4, 0}), infinity) << "the sum is not 1";
  EXPECT_EQ(conjugate("multinomial", 1, {1.5, -1.5, 0}), infinity) << "an entry below 0";
  EXPECT_EQ(conjugate("multinomial", 1, {-0.5, 0.5, 0}), infinity) << "an entry below 0";
}

// One point with k(x, x) = K: min over f of C·L(y, f) + f²/(2K) is minus the minimum over β of ½Kβ² + Σ
// linear·β.
TEST(EveryLoss, HasTheDualOfASearch) {
  for (const AnyLoss& loss : settings())
    for (const double y : targets_of(*loss))
      for (const double C : {0.4, 3.0})
        for (const double K : {0.5, 2.0}) {
          const auto pieces = loss->dual(y);
          if (pieces.empty()) continue;
          const double primal = minimum(
              [&](double f) {
                return C * loss->value(y, {&f, 1}) + f * f / (2 * K);
              },
              -20, 20);
          const std::function<double(std::size_t, double, double)> least = [&](std::size_t v, double sum,
                                                                               double linear) -> double {
            if (v == pieces.size()) return K * sum * sum / 2 + linear;
            const auto& [s, lower, upper] = pieces[v];
            return minimum([&](double beta) { return least(v + 1, sum + beta, linear + s * beta); },
                           C * lower, C * upper);
          };
          EXPECT_NEAR(primal, -least(0, 0, 0), 1e-9)
              << loss->name() << " y " << y << " C " << C << " K " << K;
        }
}

TEST(EveryLoss, DoesNotOverflowWhereLogarithmsAreTaken) {
  for (const double y : {-1.0, 1.0})
    for (const double far : {-1e3, 1e3}) {
      const AnyLoss& logistic = loss_named("logistic");
      Vector g(1), s(1), u(1);
      logistic->derivative(y, {&far, 1}, g);
      logistic->curvature(y, {&far, 1}, s, u);
      EXPECT_EQ(logistic->value(y, {&far, 1}), y * far > 0 ? 0 : 1e3);
      EXPECT_EQ(g[0], y * far > 0 ? 0 : -y);
      EXPECT_EQ(s[0], 0);
    }
  const AnyLoss& multinomial = loss_named("multinomial");
  const Vector f{1e3, -1e3, 1e3};
  Vector s(3), u(3);
  multinomial->curvature(1, f, s, u);
  EXPECT_NEAR(multinomial->value(0, f), std::log(2), 1e-12);
  EXPECT_NEAR(multinomial->value(1, f), 2e3 + std::log(2), 1e-9);
  EXPECT_EQ(derivative(*multinomial, 1, f), (Vector{0.5, -1, 0.5}));
  EXPECT_EQ(s, (Vector{std::sqrt(0.5), 0, std::sqrt(0.5)}));
  EXPECT_EQ(multinomial->value(0, Vector{7}), 0) << "of one class";
}

// 1 − p of a sure answer is exp(−f), not the rounding of a difference.
TEST(EveryLoss, KeepsSmallDerivatives) {
  const double f = 40;
  EXPECT_NEAR(derivative(*loss_named("logistic"), 1, {f})[0] / -std::exp(-f), 1, 1e-14);
  EXPECT_NEAR(derivative(*loss_named("multinomial"), 0, {f, 0})[0] / -std::exp(-f), 1, 1e-14);
  EXPECT_NEAR(loss_named("logistic")->value(1, {&f, 1}) / std::exp(-f), 1, 1e-14);
}

}  // namespace
}  // namespace mercer
