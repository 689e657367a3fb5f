#include "solvers/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace mercer {

namespace {

/// Σᵢ U[i, q]·V[i, q] for every column q.
std::vector<double> column_products(std::span<const double> U, std::span<const double> V, std::size_t k) {
  std::vector<double> sums(k);
  for (std::size_t e = 0; e < U.size(); e += k)
    for (std::size_t q = 0; q < k; ++q) sums[q] += U[e + q] * V[e + q];
  return sums;
}

}  // namespace

std::vector<double> column_norms(std::span<const double> V, std::size_t k) {
  std::vector<double> norms = column_products(V, V, k);
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

GradientResult conjugate_gradients(const BlockOperator& A, const BlockOperator& preconditioner,
                                   std::span<double> R, std::size_t k, std::span<double> Z,
                                   const GradientOptions& options) {
  GradientResult result;
  std::vector<double> preconditioned(R.size()), P(R.size()), AP(R.size()), rho(k, 0.0), step(k), turn(k);
  std::vector<bool> active(k, true), broken(k, false);
  std::ranges::fill(Z, 0.0);
  std::vector<double> norms = column_norms(R, k);
  for (;;) {
    const std::vector<double> sizes = column_norms(Z, k);
    bool any = false;
    for (std::size_t q = 0; q < k; ++q) {
      if (norms[q] <= std::max(options.goals[q], options.floor * sizes[q])) active[q] = false;
      any = any || active[q];
    }
    if (!any || result.iterations >= options.most) break;
    // P = M⁻¹R + βP, where a column that has ended keeps its P but no longer moves.
    preconditioner(R, k, preconditioned);
    const std::vector<double> next = column_products(R, preconditioned, k);
    for (std::size_t q = 0; q < k; ++q) turn[q] = rho[q] > 0 ? next[q] / rho[q] : 0;
    rho = next;
    for (std::size_t e = 0; e < P.size(); e += k)
      for (std::size_t q = 0; q < k; ++q) P[e + q] = preconditioned[e + q] + turn[q] * P[e + q];
    A(P, k, AP);
    const std::vector<double> curvature = column_products(P, AP, k);
    for (std::size_t q = 0; q < k; ++q) {
      // Neither A nor the preconditioner is positive definite to rounding any more: the column stays where it
      // is.
      if (active[q] && !(curvature[q] > 0 && rho[q] > 0 && std::isfinite(rho[q] / curvature[q])))
        active[q] = false, broken[q] = true;
      step[q] = active[q] ? rho[q] / curvature[q] : 0;
    }
    for (std::size_t e = 0; e < P.size(); e += k)
      for (std::size_t q = 0; q < k; ++q) {
        Z[e + q] += step[q] * P[e + q];
        R[e + q] -= step[q] * AP[e + q];
      }
    norms = column_norms(R, k);
    ++result.iterations;
    if (options.go_on && !options.go_on(norms)) {
      result.stopped = true;
      break;
    }
  }
  result.converged =
      std::ranges::none_of(active, std::identity{}) && std::ranges::none_of(broken, std::identity{});
  return result;
}

}  // namespace mercer
