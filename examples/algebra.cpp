// Kernels as mathematics: build, print, prove, and compute with them.
#include <cstdio>

#include "mercer/generate.hpp"
#include "mercer/geometry.hpp"
#include "mercer/kernels.hpp"
#include "mercer/user_kernel.hpp"
#include "mercer/validity.hpp"

int main() {
  using namespace mercer;
  const Dataset data = generate("circles", {.n = 100});

  const Kernel k = 0.5 * rbf({.gamma = 1}) + poly({.degree = 2}) * linear();
  std::printf("%s\n  %s\n", k.text().c_str(), k.prove().because.c_str());

  // A kernel of one's own is a function, and is checked like any other.
  const Kernel mine = user_kernel("angle", [](std::span<const double> x, std::span<const double> z) {
    return x[0] * z[1] - x[1] * z[0];
  });
  const Validity v = check_kernel(k + mine, data.points, data.target);
  std::printf("%s\n  %s\n", (k + mine).text().c_str(), v.reason.c_str());

  // Which point is the most unusual? The one farthest from the mean, in the feature space of the kernel.
  const std::vector<double> distances = squared_distances_to_mean(k, data.points, data.points);
  std::size_t farthest = 0;
  for (std::size_t i = 0; i < distances.size(); ++i)
    if (distances[i] > distances[farthest]) farthest = i;
  std::printf("row %zu is farthest from the mean\n", farthest + 1);
  return v.verdict == Validity::Verdict::invalid ? 0 : 1;  // the angle is not symmetric
}
