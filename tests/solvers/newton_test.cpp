// Regularised risks against their gradient in double loops, against random neighbours of the minimum, and
// Newton's method against the gradient recursion.
#include "solvers/newton.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "mercer/kernels.hpp"
#include "operators/row_features.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

constexpr std::size_t classes = 3;

/// A risk of one loss over random rows, K dense in float64.
struct Example {
  Points points;
  Kernel kernel;
  AnyLoss loss;
  std::vector<double> y, v, K;
  double lambda, constant;

  Example(const AnyLoss& one, std::size_t n, double price, bool bias, const Kernel& k = rbf({.gamma = 0.3}),
          std::uint64_t seed = 1)
      : points(as_points(random_rows(n, 3, seed))),
        kernel(k),
        loss(one),
        v(n),
        K(n * n),
        lambda(price),
        constant(bias ? 1 : 0) {
    Random random(seed + 7);
    double weight = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double signal = std::sin(points.row(i)[0]) + 0.5 * random.normal();
      switch (loss->target()) {
        case LossTarget::real:
          y.push_back(2 * signal);
          break;
        case LossTarget::counts:
          y.push_back(std::floor(3 * std::exp(signal)));
          break;
        case LossTarget::signs:
          y.push_back(signal > 0 ? 1 : -1);
          break;
        case LossTarget::classes:
          y.push_back(double(i % classes));
          break;
      }
      weight += v[i] = random.uniform(0.5, 2);
    }
    for (double& share : v) share /= weight;
    KernelOperator<double>(kernel, points, {.threads = 1}).matrix(K);
  }
  std::size_t n() const { return y.size(); }
  std::size_t outputs() const { return loss->target() == LossTarget::classes ? classes : 1; }
  RiskProblem problem() const {
    return {.loss = *loss, .y = y, .v = v, .lambda = lambda, .outputs = outputs(), .constant = constant};
  }
  KernelSystem system(const std::string& way = "auto", int threads = 1) const {
    if (way == "features") {
      const RowFeatures own = *RowFeatures::of(kernel, points, threads);
      return KernelSystem(std::make_shared<RowFeatures>(constant > 0 ? own.with_constant(1) : own),
                          {.threads = threads});
    }
    return KernelSystem(constant > 0 ? kernel + Kernel::parse("constant(c=1)") : kernel, points,
                        {.threads = threads, .way = way});
  }
  std::vector<double> times_K(const std::vector<double>& A) const {
    const std::size_t k = outputs();
    std::vector<double> out(A.size(), 0.0);
    for (std::size_t i = 0; i < n(); ++i)
      for (std::size_t j = 0; j < n(); ++j)
        for (std::size_t c = 0; c < k; ++c) out[i * k + c] += K[i * n() + j] * A[j * k + c];
    return out;
  }
  std::vector<double> values(const std::vector<double>& A, const std::vector<double>& b) const {
    std::vector<double> f = times_K(A);
    for (std::size_t e = 0; e < f.size(); ++e) f[e] += b[e % outputs()];
    return f;
  }
  double risk(const std::vector<double>& A, const std::vector<double>& b) const {
    const std::vector<double> f = values(A, b), Ka = times_K(A);
    double sum = 0;
    for (std::size_t i = 0; i < n(); ++i)
      sum += v[i] * loss->value(y[i], std::span(f).subspan(i * outputs(), outputs()));
    for (std::size_t e = 0; e < A.size(); ++e) sum += lambda * A[e] * Ka[e];
    return sum;
  }
  /// √(rᵀKr + |Σ v L′|²)
  double gradient(const std::vector<double>& A, const std::vector<double>& b) const {
    const std::size_t k = outputs();
    const std::vector<double> f = values(A, b);
    std::vector<double> r(A.size()), slope(k, 0.0), g(k);
    for (std::size_t i = 0; i < n(); ++i) {
      loss->derivative(y[i], std::span(f).subspan(i * k, k), g);
      for (std::size_t c = 0; c < k; ++c)
        r[i * k + c] = v[i] * g[c] + 2 * lambda * A[i * k + c], slope[c] += v[i] * g[c];
    }
    const std::vector<double> Kr = times_K(r);
    double sum = 0;
    for (std::size_t e = 0; e < r.size(); ++e) sum += r[e] * Kr[e];
    for (std::size_t c = 0; constant > 0 && c < k; ++c) sum += slope[c] * slope[c];
    return std::sqrt(std::max(0.0, sum));
  }
};

void expect_minimum(const Example& example, const RiskSolution& solution, double tolerance) {
  EXPECT_TRUE(solution.converged) << solution.gradient << " after " << solution.steps;
  EXPECT_LE(solution.gradient, tolerance);
  EXPECT_NEAR(solution.gradient, example.gradient(solution.A, solution.b), 0.01 * tolerance + 1e-13);
  const double risk = example.risk(solution.A, solution.b);
  EXPECT_NEAR(solution.risk, risk, 1e-10 * (1 + std::abs(risk)));
  EXPECT_NEAR(solution.loss + example.lambda * solution.norm, risk, 1e-10 * (1 + std::abs(risk)));
  const std::vector<double> f = example.values(solution.A, solution.b);
  for (std::size_t e = 0; e < f.size(); ++e) EXPECT_NEAR(solution.f[e], f[e], 1e-9 * (1 + std::abs(f[e])));
  if (example.constant == 0) {
    EXPECT_EQ(solution.b, std::vector<double>(example.outputs(), 0.0));
  }
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const double length = std::pow(10, random.uniform(-4, 0));
    std::vector<double> A = solution.A, b = solution.b;
    for (double& value : A) value += length * random.normal() / std::sqrt(double(A.size()));
    for (double& value : b) value += example.constant > 0 ? length * random.normal() : 0;
    EXPECT_GE(example.risk(A, b), risk - 1e-11 * (1 + std::abs(risk))) << trial;
  }
}

TEST(Newton, FindsTheMinimumOfEverySmoothLoss) {
  for (const AnyLoss& loss : losses())
    for (const bool bias : {true, false})
      for (const double lambda : {0.1, 1e-3, 1e-6}) {
        if (!loss->smooth() || (loss->target() == LossTarget::classes && lambda < 1e-3)) continue;
        SCOPED_TRACE(std::string(loss->name()) + (bias ? " with a constant, " : " alone, ") +
                     std::to_string(lambda));
        const Example example(loss, 40, lambda, bias);
        KernelSystem system = example.system();
        const RiskSolution solution = minimise_risk(system, example.problem(), {.tolerance = 1e-8});
        expect_minimum(example, solution, 1e-8);
      }
}

TEST(Newton, EveryWayOfTheSystemsLeadsThere) {
  for (const char* name : {"logistic", "multinomial", "poisson", "huber"})
    for (const std::string way : {"cholesky", "cg", "features"}) {
      SCOPED_TRACE(name + (" " + way));
      const Example example(loss_named(name), 60, 1e-2, true, linear());
      KernelSystem system = example.system(way);
      expect_minimum(example, minimise_risk(system, example.problem(), {.tolerance = 1e-8}), 1e-8);
    }
}

TEST(Newton, TheGradientRecursionReachesTheSameFunction) {
  for (const AnyLoss& loss : losses())
    for (const bool bias : {true, false}) {
      if (!loss->smooth()) continue;
      SCOPED_TRACE(std::string(loss->name()) + (bias ? " with a constant" : " alone"));
      const Example example(loss, 25, 0.05, bias, rbf({.gamma = 2}));
      KernelSystem system = example.system();
      const RiskSolution newton = minimise_risk(system, example.problem(), {.tolerance = 1e-9});
      const RiskSolution gradient =
          descend_risk(system, example.problem(), {.tolerance = 1e-8, .most_steps = 100'000});
      expect_minimum(example, gradient, 1e-8);
      EXPECT_GT(gradient.steps, newton.steps);
      // Of classes, a constant added to all outputs of a row changes nothing.
      const double shift = example.outputs() > 1 ? gradient.f[0] - newton.f[0] : 0;
      for (std::size_t e = 0; e < newton.f.size(); ++e) {
        EXPECT_NEAR(gradient.f[e] - shift, newton.f[e], 1e-6);
        EXPECT_NEAR(gradient.A[e], newton.A[e], 1e-5);
      }
    }
}

TEST(Newton, SmallProblems) {
  for (const AnyLoss& loss : losses())
    for (const std::size_t n : {1u, 2u, 3u}) {
      if (!loss->smooth()) continue;
      SCOPED_TRACE(std::string(loss->name()) + " of " + std::to_string(n));
      const Example example(loss, n, 0.1, false);
      KernelSystem system = example.system();
      expect_minimum(example, minimise_risk(system, example.problem(), {.tolerance = 1e-8}), 1e-8);
    }
}

// Far from the minimum the second derivative is flat (huber, squared_hinge), or it explodes (poisson,
// exponential).
TEST(Newton, StartsFarFromTheMinimum) {
  for (const char* name : {"huber", "squared_hinge", "poisson", "exponential", "multinomial"})
    for (const bool bias : {true, false}) {
      SCOPED_TRACE(std::string(name) + (bias ? " with a constant" : " alone"));
      Example example(loss_named(name), 50, 1e-5, bias, rbf({.gamma = 1}));
      if (example.loss->target() == LossTarget::real || example.loss->target() == LossTarget::counts)
        for (double& value : example.y) value *= 1000;
      KernelSystem system = example.system();
      const double tolerance = example.loss->target() == LossTarget::counts ? 1e-6 : 1e-8;
      expect_minimum(example, minimise_risk(system, example.problem(), {.tolerance = tolerance}), tolerance);
    }
}

// The price of the change of b is 0 at the end, but it must not hold b back until then.
TEST(Newton, AFreeConstantDoesNotSlowItDown) {
  for (const AnyLoss& loss : losses())
    for (const double lambda : {0.1, 10.0}) {
      if (!loss->smooth()) continue;
      SCOPED_TRACE(std::string(loss->name()) + ", " + std::to_string(lambda));
      const Example example(loss, 40, lambda, true, Kernel::parse("0.01*rbf(gamma=1)"));
      KernelSystem system = example.system();
      const RiskSolution solution = minimise_risk(system, example.problem(), {.tolerance = 1e-8});
      expect_minimum(example, solution, 1e-8);
      EXPECT_LE(solution.steps, 5u);
    }
}

TEST(Newton, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const char* name : {"logistic", "multinomial"}) {
    const Example example(loss_named(name), 200, 1e-3, true);
    KernelSystem one = example.system("cg", 1), two = example.system("cg", 2);
    const RiskSolution a = minimise_risk(one, example.problem(), {}),
                       b = minimise_risk(two, example.problem(), {});
    EXPECT_EQ(a.A, b.A);
    EXPECT_EQ(a.b, b.b);
    EXPECT_EQ(a.gradient, b.gradient);
  }
}

TEST(Newton, EndsWhereItIsToldTo) {
  for (const char* name : {"logistic", "multinomial", "poisson"}) {
    SCOPED_TRACE(name);
    const Example example(loss_named(name), 40, 1e-4, true);
    KernelSystem system = example.system();
    const std::size_t whole = minimise_risk(system, example.problem(), {}).steps;
    ASSERT_GT(whole, 2u);
    const RiskSolution none = minimise_risk(system, example.problem(),
                                            {.progress = [](std::string_view, double) { return false; }});
    EXPECT_EQ(none.steps, 0u);
    EXPECT_FALSE(none.converged);
    EXPECT_EQ(none.A, std::vector<double>(example.n() * example.outputs(), 0.0));
    EXPECT_NEAR(none.gradient, example.gradient(none.A, none.b), 1e-12);
    const RiskSolution two = minimise_risk(system, example.problem(), {.most_steps = 2});
    EXPECT_EQ(two.steps, 2u);
    EXPECT_FALSE(two.converged);
    EXPECT_LT(two.risk, none.risk);
    EXPECT_NEAR(two.gradient, example.gradient(two.A, two.b), 1e-12);
    // What is told: the norm of the gradient, and how many of its decades are done.
    std::string first;
    double last = 0;
    const RiskSolution told = minimise_risk(
        system, example.problem(), {.unit = 2, .progress = [&](std::string_view what, double fraction) {
                                      if (first.empty()) {
                                        first = what;
                                        EXPECT_EQ(fraction, 0);
                                      }
                                      last = fraction;
                                      return true;
                                    }});
    EXPECT_TRUE(told.converged);
    EXPECT_EQ(first, fmt::format("gradient {:.2g}", none.gradient / 2));
    EXPECT_EQ(last, 1);
    EXPECT_EQ(descend_risk(system, example.problem(), {.most_steps = 3}).steps, 3u);
    EXPECT_EQ(
        descend_risk(system, example.problem(), {.progress = [](std::string_view, double) { return false; }})
            .steps,
        0u);
  }
}

}  // namespace
}  // namespace mercer
