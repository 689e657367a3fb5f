// A fit by Newton's method that is stopped and goes on from its checkpoint.
#include <gtest/gtest.h>

#include <cmath>
#include <unistd.h>

#include <filesystem>

#include "cluster/spread_fit.hpp"
#include "cluster/spread_points.hpp"

namespace mercer::cluster {
namespace {

Dataset two_classes(std::size_t n) {
  Dataset data;
  data.points = random_rows(n, 2);
  data.target = {.task = Task::classification, .name = "y", .labels = {"in", "out"}};
  const std::vector<double> noise = random_numbers(n, 5);
  for (std::size_t i = 0; i < n; ++i) {
    const double* x = std::get<Dense<double>>(data.points.storage()).values.data() + 2 * i;
    data.target.codes.push_back(std::hypot(x[0], x[1]) + 0.4 * noise[i] > 1.2);
  }
  return data;
}

TEST(SpreadRisk, GoesOnFromItsCheckpoint) {
  const Communicator ranks(MPI_COMM_WORLD);
  std::string path =
      (std::filesystem::temp_directory_path() / ("newton_" + std::to_string(::getpid()) + ".state")).string();
  ranks.broadcast(path);
  const Dataset data = two_classes(120);
  AnyMethod method = method_named("logistic");
  method->set("lambda", 1e-4);
  const SpreadTask task{method, Kernel::parse("rbf(gamma=1)"), data};
  const SpreadTask* const own = ranks.first() ? &task : nullptr;
  SpreadOptions options{.fit = {.threads = 1, .memory = 1 << 24}, .checkpoint = path, .every = 1e9};
  int calls = 0;
  options.stopped = [&] { return ++calls == 4; };
  EXPECT_THROW(fit_spread(ranks, own, options), AgreedError);
  if (ranks.first()) EXPECT_TRUE(std::filesystem::exists(path));
  options.stopped = {};
  const std::optional<Model> resumed = fit_spread(ranks, own, options);
  if (ranks.first()) {
    std::filesystem::remove(path);
    const Model one = fit(method, task.kernel, data, {.threads = 1});
    ASSERT_TRUE(resumed);
    EXPECT_NE(resumed->fitted.report.solver.find("after 4 steps of an earlier run"), std::string::npos)
        << resumed->fitted.report.solver;
    EXPECT_TRUE(resumed->fitted.report.converged);
    EXPECT_NEAR(resumed->fitted.report.objective, one.fitted.report.objective, 1e-7);
    const Predictions a = one.predict(data.points, 1), b = resumed->predict(data.points, 1);
    for (std::size_t i = 0; i < a.scores.size(); ++i) EXPECT_NEAR(a.scores[i], b.scores[i], 1e-3);
  }
  // Another penalty is another fit.
  std::vector<double> X(share_of(ranks, data.points).rows(), 0.0);
  Checkpoint(ranks, path, 0, 1).write(X, 1, 3);
  EXPECT_THROW(fit_spread(ranks, own, options), AgreedError);
  if (ranks.first()) std::filesystem::remove(path);
}

Dataset three_classes(std::size_t n) {
  Dataset data = two_classes(n);
  data.target.labels = {"in", "left", "right"};
  const auto& values = std::get<Dense<double>>(data.points.storage()).values;
  for (std::size_t i = 0; i < n; ++i)
    if (data.target.codes[i] == 1 && values[2 * i] > 0) data.target.codes[i] = 2;
  return data;
}

// Of several classes, over the rows and over features, with and without a constant, with weights.
TEST(SpreadRisk, HasTheClassesOfOneMachine) {
  const Communicator ranks(MPI_COMM_WORLD);
  Dataset data = three_classes(90);
  for (std::size_t i = 0; i < 90; ++i) data.weights.push_back(0.5 + double(i % 3));
  for (const char* approx : {"none", "nystrom:15"})
    for (const char* bias : {"free", "none"}) {
      AnyMethod method = method_named("logistic");
      method->set("lambda", 1e-3);
      method->set("bias", Word{bias});
      const SpreadTask task{method, Kernel::parse("rbf(gamma=1)"), data};
      const FitOptions fit_options{.threads = 1, .memory = 1 << 24, .approx = approx};
      const auto found = fit_spread(ranks, ranks.first() ? &task : nullptr, {.fit = fit_options});
      if (!ranks.first()) continue;
      ASSERT_TRUE(found);
      const Model one = fit(method, task.kernel, data, fit_options);
      EXPECT_TRUE(found->fitted.report.converged);
      EXPECT_NEAR(found->fitted.report.objective, one.fitted.report.objective, 1e-7);
      const Predictions a = one.predict(data.points, 1), b = found->predict(data.points, 1);
      ASSERT_EQ(a.probabilities.size(), b.probabilities.size());
      for (std::size_t i = 0; i < a.probabilities.size(); ++i)
        EXPECT_NEAR(a.probabilities[i], b.probabilities[i], 1e-4);
    }
}

// What a step sends, from one question whether to go on to the next (docs/cluster.md).
std::vector<Traffic> traffic_of_steps(const Communicator& ranks, const Dataset& data,
                                      const std::string& approx) {
  AnyMethod method = method_named("logistic");
  method->set("lambda", 1e-3);
  const SpreadTask task{method, Kernel::parse("rbf(gamma=1)"), data};
  SpreadOptions options{.fit = {.threads = 1, .memory = 1 << 24, .approx = approx}};
  std::vector<Traffic> at;
  options.stopped = [&] {
    at.push_back(ranks.traffic());
    return false;
  };
  fit_spread(ranks, ranks.first() ? &task : nullptr, options);
  std::vector<Traffic> steps;
  for (std::size_t i = 0; i + 1 < at.size(); ++i) steps.push_back(at[i + 1] - at[i]);
  return steps;
}

// Whether to go on (24 bytes), the matrix and the gradient over (p + 1)k numbers, and the risk before and at
// each length of the step.
TEST(SpreadRisk, AStepOverFeaturesSendsWhatTheCostModelSays) {
  const Communicator ranks(MPI_COMM_WORLD);
  for (const std::size_t classes : {2, 3}) {
    const std::size_t k = classes == 2 ? 1 : 3, size = (12 + 1) * k;
    const auto steps =
        traffic_of_steps(ranks, classes == 2 ? two_classes(90) : three_classes(90), "nystrom:12");
    ASSERT_GE(steps.size(), 3u);
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      ASSERT_GE(steps[i].collectives, 5u);
      const std::size_t lengths = steps[i].collectives - 4;
      EXPECT_EQ(steps[i], (Traffic{0, 0, 4 + lengths, 24 + 8 * (size * size + size + 1 + lengths)}));
    }
  }
}

// Blocks go from rank to rank in products with K alone, of k columns.
TEST(SpreadRisk, AStepOverRowsSendsProducts) {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::size_t P = std::size_t(ranks.size()), n = 24 * P;
  for (const std::size_t classes : {2, 3}) {
    const std::size_t k = classes == 2 ? 1 : 3;
    const auto steps = traffic_of_steps(ranks, classes == 2 ? two_classes(n) : three_classes(n), "none");
    ASSERT_GE(steps.size(), 2u);
    // Those in float32 are held, those in float64 send the rows, too.
    const std::size_t of_V = 2 * (P / 2) * 24 * k * 8, of_rows = (P / 2) * (32 + 24 * 2 * 8);
    for (const Traffic& step : steps) {
      if (P == 1) {
        EXPECT_EQ(step.messages, 0u);
        continue;
      }
      // a products in float32 and b in float64: (2a + 3b)⌊P/2⌋ messages.
      EXPECT_EQ(step.messages % (P / 2), 0u);
      bool matches = false;
      for (std::size_t b = 0; 3 * b * (P / 2) <= step.messages; ++b) {
        const std::size_t rest = step.messages - 3 * b * (P / 2);
        if (rest % (2 * (P / 2)) != 0) continue;
        matches |= step.bytes == (rest / (2 * (P / 2)) + b) * of_V + b * of_rows;
      }
      EXPECT_TRUE(matches) << step.messages << " messages, " << step.bytes << " bytes";
    }
  }
}

}  // namespace
}  // namespace mercer::cluster
