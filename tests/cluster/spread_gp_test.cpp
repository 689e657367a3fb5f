// A Gaussian process of more rows than its factor has memory for, against that of one machine.
#include <gtest/gtest.h>

#include "cluster/spread_fit.hpp"
#include "cluster/spread_points.hpp"

namespace mercer::cluster {
namespace {

Dataset noisy_sums(std::size_t n) {
  Dataset data;
  data.points = random_rows(n, 3);
  data.target = {.task = Task::regression, .name = "y"};
  const std::vector<double> noise = random_numbers(n, 5);
  for (std::size_t i = 0; i < n; ++i) {
    const double* x = std::get<Dense<double>>(data.points.storage()).values.data() + 3 * i;
    data.target.values.push_back(10 + x[0] - 2 * x[1] * x[2] + 0.1 * noise[i]);
    data.weights.push_back(1 + double(i % 3));
  }
  return data;
}

double likelihood_of(const FitReport& report, std::string_view id) {
  for (const Diagnostic& diagnostic : report.diagnostics)
    if (diagnostic.id == id) return diagnostic.values.at(0);
  ADD_FAILURE() << id << " is not in the report";
  return 0;
}

TEST(SpreadGp, HasTheMeanAndTheEvidenceOfOneMachine) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Dataset data = noisy_sums(240);
  AnyMethod method = method_named("gp");
  method->set("noise", 0.05);
  method->set("optimize", Word{"none"});
  const SpreadTask task{method, Kernel::parse("4*rbf(gamma=0.2)"), data};
  const std::size_t memory = std::size_t(1) << 19;
  EXPECT_TRUE(gp_needs_ranks(240, memory));
  EXPECT_FALSE(gp_needs_ranks(240, std::size_t(1) << 24));
  const auto found =
      fit_spread(ranks, ranks.first() ? &task : nullptr, {.fit = {.threads = 1, .memory = memory}});
  if (!ranks.first()) return;
  ASSERT_TRUE(found);
  const Model one = fit(method, task.kernel, data, {.threads = 1});
  EXPECT_TRUE(found->fitted.report.converged);
  const Predictions a = one.predict(data.points, 1), b = found->predict(data.points, 1);
  for (std::size_t i = 0; i < a.values.size(); ++i) EXPECT_NEAR(a.values[i], b.values[i], 1e-5);
  const FitReport& report = found->fitted.report;
  EXPECT_NEAR(likelihood_of(report, "log_marginal_likelihood"),
              likelihood_of(one.fitted.report, "log_marginal_likelihood"),
              4 * likelihood_of(report, "log_marginal_likelihood_error") + 1e-3);
  EXPECT_THROW(found->variances(data.points, 1), Error);
}

}  // namespace
}  // namespace mercer::cluster
