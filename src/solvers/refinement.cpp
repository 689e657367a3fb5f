#include "solvers/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mercer {

Refinement::Refinement(const LinearSystem& system, const BlockOperator& exact, std::span<double> X,
                       bool start, const Progress& progress)
    : system_(system), exact_(exact), X_(X), progress_(progress), goals_(column_norms(system.R, system.k)) {
  if (!start) std::ranges::fill(X_, 0.0);
  compute_residual();
}

/// out = (S K S + cI) V
void Refinement::multiply(const BlockOperator& K, std::span<const double> V, std::span<double> out) const {
  const std::span<const double> s = system_.s;
  const std::size_t k = system_.k, columns = system_.columns();
  const double c = system_.c;
  if (system_.factors) {
    std::vector<double> scaled(V.begin(), V.end());
    system_.factors->apply(scaled, k);
    K(scaled, columns, out);
    system_.factors->apply_transposed(out, k);
  } else if (s.empty()) {
    K(V, k, out);
  } else {
    std::vector<double> scaled(V.begin(), V.end());
    for (std::size_t e = 0; e < scaled.size(); ++e) scaled[e] *= s[e / k];
    K(scaled, k, out);
    for (std::size_t e = 0; e < out.size(); ++e) out[e] *= s[e / k];
  }
  for (std::size_t e = 0; e < out.size(); ++e) out[e] += c * V[e];
}

double Refinement::worst(std::span<const double> norms) const {
  double largest = 0;
  for (std::size_t q = 0; q < norms.size(); ++q)
    if (norms[q] > 0)
      largest =
          std::max(largest, goals_[q] > 0 ? norms[q] / goals_[q] : std::numeric_limits<double>::infinity());
  return largest;
}

void Refinement::compute_residual() {
  left_.assign(system_.R.begin(), system_.R.end());
  at_rounding_ = false;
  if (std::ranges::any_of(X_, [](double x) { return x != 0; })) {
    std::vector<double> product(X_.size());
    multiply(exact_, X_, product);
    for (std::size_t e = 0; e < left_.size(); ++e) left_[e] -= product[e];
    // ‖A X‖ says how large A is on X; sums are exact to some ε of that and of what cancelled in it.
    const std::vector<double> products = column_norms(product, system_.k),
                              norms = column_norms(left_, system_.k);
    const double rounding = 4 * std::numeric_limits<double>::epsilon();
    at_rounding_ = true;
    for (std::size_t q = 0; q < norms.size(); ++q)
      at_rounding_ = at_rounding_ && norms[q] <= rounding * (products[q] + goals_[q]);
  }
  residual_ = worst(column_norms(left_, system_.k));
}

auto Refinement::run(const BlockOperator& K, const Inverse& inverse, double& rounding, std::size_t most)
    -> Outcome {
  const std::size_t k = system_.k, end = iterations_ + most;
  const BlockOperator A = [&](std::span<const double> V, std::size_t, std::span<double> out) {
    multiply(K, V, out);
  };
  const BlockOperator M = [&](std::span<const double> V, std::size_t, std::span<double> out) {
    inverse.apply(V, system_.columns(), out);
  };
  while (!converged()) {
    if (iterations_ >= end) return Outcome::exhausted;
    const std::vector<double> before(X_.begin(), X_.end()), old_left = left_;
    const double old_residual = residual_;
    const bool was_at_rounding = at_rounding_;
    // What the recurrence says below a third of the rounding of K is lost in it.
    GradientOptions options{.floor = 0.3 * rounding, .most = end - iterations_};
    for (const double norm : goals_) options.goals.push_back(0.5 * system_.tolerance * norm);
    if (progress_)
      options.each_step = [&](std::span<const double> norms) {
        const double residual = worst(norms), goal = std::min(system_.tolerance, 0.5);
        return progress_(fmt::format("residual {:.1e}", residual),
                         std::clamp(std::log(std::max(residual, 1e-300)) / std::log(goal), 0.0, 1.0));
      };
    std::vector<double> inner = left_, Z(X_.size());
    const GradientResult result = conjugate_gradients(A, M, inner, k, Z, options);
    iterations_ += result.iterations;
    for (std::size_t e = 0; e < Z.size(); ++e) X_[e] += Z[e];
    compute_residual();
    double largest = 0;
    for (std::size_t e = 0; e < inner.size(); ++e) inner[e] -= left_[e];
    const std::vector<double> errors = column_norms(inner, k), sizes = column_norms(Z, k);
    for (std::size_t q = 0; q < k; ++q) largest = std::max(largest, sizes[q] > 0 ? errors[q] / sizes[q] : 0);
    rounding = largest;
    if (!(residual_ <= old_residual)) {  // also where it is not a number
      std::ranges::copy(before, X_.begin());
      left_ = old_left;
      residual_ = old_residual;
      at_rounding_ = was_at_rounding;
      return result.stopped ? Outcome::stopped : Outcome::stalled;
    }
    if (converged()) break;
    if (result.stopped) return Outcome::stopped;
    if (residual_ > 0.5 * old_residual) return iterations_ >= end ? Outcome::exhausted : Outcome::stalled;
  }
  return Outcome::converged;
}

void Refinement::solve_directly(const Inverse& inverse) {
  std::ranges::fill(X_, 0.0);
  compute_residual();
  for (int step = 0; step < 3; ++step) {
    const std::vector<double> before(X_.begin(), X_.end()), old_left = left_;
    const double old_residual = residual_;
    std::vector<double> Z(X_.size());
    inverse.apply(left_, system_.columns(), Z);
    for (std::size_t e = 0; e < Z.size(); ++e) X_[e] += Z[e];
    compute_residual();
    ++iterations_;
    if (residual_ <= system_.tolerance) return;
    if (step > 0 && !(residual_ < 0.5 * old_residual)) {
      if (!(residual_ <= old_residual)) {
        std::ranges::copy(before, X_.begin());
        left_ = old_left;
        residual_ = old_residual;
      }
      return;
    }
  }
}

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
      // A or the preconditioner is not positive definite to rounding any more: the column stays as it is.
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
    if (options.each_step && !options.each_step(norms)) {
      result.stopped = true;
      break;
    }
  }
  result.converged =
      std::ranges::none_of(active, std::identity{}) && std::ranges::none_of(broken, std::identity{});
  return result;
}

}  // namespace mercer
