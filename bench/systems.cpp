// How fast is (K + cI) x = y of kernel ridge regression, against LAPACK's dposv, which is what scikit-learn's
// KernelRidge calls?
//   bench_systems [N …]   rbf(gamma=scale) of normal points, 8 and 32 columns, c = 0.1 and 0.02;
//                         without N: 5,000 and 10,000
// One thread each. The peer is given K in float64 from Mercer, and its time is counted; seconds are of the
// processor, so that other programs on the machine count less.
#include <cblas.h>
#include <lapacke.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include "base/random.hpp"
#include "solvers/kernel_system.hpp"

namespace {

using namespace mercer;

double processor_seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

void compare(std::size_t n, std::size_t d) {
  Random random(1);
  Dense<double> numbers{n, d, Buffer<double>(n * d)};
  for (double& value : numbers.values) value = random.normal();
  std::vector<double> y(n), x(n);
  for (std::size_t i = 0; i < n; ++i)
    y[i] =
        std::sin(numbers.row(i)[0]) + 0.5 * numbers.row(i)[1] * numbers.row(i)[d - 1] + 0.1 * random.normal();
  const Points points{Points::Storage(std::move(numbers))};
  const Kernel kernel = Kernel::parse("rbf(gamma=scale)").resolve(points);
  const double peer = processor_seconds([&] {
    Buffer<double> K(n * n);
    KernelOperator<double>(kernel, points, {.threads = 1}).matrix(K);
    for (std::size_t i = 0; i < n; ++i) K[i * n + i] += 0.1;
    x = y;
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', lapack_int(n), 1, K.data(), lapack_int(n), x.data(),
                      lapack_int(n)) != 0)
      std::abort();
  });
  for (const double c : {0.1, 0.02}) {
    std::string reason;
    KernelSystem::Solution solution;
    const double own = processor_seconds([&] {
      KernelSystem system(kernel, points, {.threads = 1});
      solution = system.solve({}, c, y, 1, 1e-8, x);
      reason = system.reason();
    });
    std::printf("| %zu | %zu | %g | %.2f s | %.2f s | %.1f× | %.1e | %zu | %s |\n", n, d, c, peer, own,
                peer / own, solution.residual, solution.iterations, reason.c_str());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  openblas_set_num_threads(1);
  std::vector<std::size_t> sizes;
  for (int i = 1; i < count; ++i) sizes.push_back(std::strtoul(arguments[i], nullptr, 10));
  if (sizes.empty()) sizes = {5000, 10000};
  std::printf(
      "| rows | columns | c | dposv | Mercer, residual 1e-8 | faster | residual | iterations | how "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t n : sizes)
    for (const std::size_t d : {8u, 32u}) compare(n, d);
}
