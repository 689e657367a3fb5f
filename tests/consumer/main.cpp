#include <cmath>
#include <cstdio>

#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "mercer/version.hpp"

int main() {
  using namespace mercer;
  const Points points({{0.0, 1.0}, {1.0, 1.0}, {2.0, -1.0}});
  const Kernel k = 0.5 * rbf({.gamma = 0.1}) + poly({.degree = 2}) * linear();
  std::vector<double> K(9);
  KernelOperator<double>(k, points).matrix(K);
  const double expected = 0.5 * std::exp(-0.1) + 4.0;  // rows 1 and 2: ‖x − z‖² = 1, xᵀz = 1
  std::printf("mercer %s: %s\nk(row 1, row 2) = %.15g\n", version(), k.text().c_str(), K[1]);
  return std::abs(K[1] - expected) < 1e-14 ? 0 : 1;
}
