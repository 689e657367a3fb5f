#include "mercer/default_kernel.hpp"

#include <gtest/gtest.h>

#include "data/molecules.hpp"
#include "mercer/kernel_operator.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

// The kernel as a person types it, over these rows.
void expect_to_run(const Kernel& kernel, const Points& points) {
  std::vector<double> K(points.rows() * points.rows());
  KernelOperator<double>(Kernel::parse(kernel.text()).resolve(points), points).matrix(K);
  for (const double value : K) EXPECT_TRUE(std::isfinite(value)) << kernel.text();
}

TEST(DefaultKernel, IsTheGaussianOfNumbers) {
  const Points points(std::vector<std::vector<double>>{{1, 2}, {3, 5}, {0, 1}});
  EXPECT_EQ(default_kernel(points).text(), "rbf(gamma=scale)");
  expect_to_run(default_kernel(points), points);
  expect_to_run(example_kernel(points), points);
}

TEST(DefaultKernel, ComparesObjectsOfEveryDomain) {
  for (const Domain domain : every_domain) {
    if (domain == Domain::molecule && !reads_molecules()) continue;
    const Points points(random_objects(domain, 6, 1, "o"));
    expect_to_run(default_kernel(points), points);
    expect_to_run(example_kernel(points), points);
    EXPECT_NE(default_kernel(points).text(), example_kernel(points).text());
  }
}

TEST(DefaultKernel, AddsUpColumnsAndNumbers) {
  const Points points = Points(std::vector<std::vector<double>>{{1}, {2}})
                            .with_objects({random_objects(Domain::text, 2, 1, "my text"),
                                           random_objects(Domain::sequence, 2, 1, "s")});
  expect_to_run(default_kernel(points), points);
  expect_to_run(example_kernel(points), points);
}

}  // namespace
}  // namespace mercer
