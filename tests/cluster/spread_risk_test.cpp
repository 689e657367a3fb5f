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

}  // namespace
}  // namespace mercer::cluster
