// log det A of A = S K S + cI by stochastic Lanczos quadrature (Ubaru, Chen & Saad 2017) with the Nyström
// preconditioner P (Gardner, Pleiss, Bindel, Weinberger & Wilson 2018):
//   log det A = log det P + E wᵀ log(P^-½ A P^-½) w,   w ~ N(0, I).
// Each probe w = P^-½ z, z ~ N(0, P), begins a Lanczos recurrence; of q_j only u_j = P^½ q_j and P⁻¹u_j are
// needed. With T the tridiagonal matrix of its coefficients, T = Q diag(θ) Qᵀ, the quadratic form is
// ‖w‖² Σ Q₁ᵢ² log θᵢ. The probes are columns of one product with K.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "cluster/spread_system.hpp"
#include "solvers/eigen.hpp"

namespace mercer::cluster {

namespace {

constexpr std::size_t most_lanczos_steps = 100;

// The coefficients of one probe's recurrence.
struct Recurrence {
  double squares = 0;  // ‖w‖²
  std::vector<double> diagonal, beside;
  bool ended = false;

  double quadratic_form() const {
    const std::size_t m = diagonal.size();
    std::vector<double> T(m * m, 0.0);
    for (std::size_t i = 0; i < m; ++i) {
      T[i * m + i] = diagonal[i];
      if (i + 1 < m) T[i * m + i + 1] = T[(i + 1) * m + i] = beside[i];
    }
    const Eigen eigen = symmetric_eigen(T, m, true);
    double sum = 0;
    for (std::size_t i = 0; i < m; ++i)
      sum += eigen.vectors[i] * eigen.vectors[i] * std::log(std::max(eigen.values[i], 1e-300));
    return squares * sum;
  }
};

struct MeanAndError {
  double mean = 0, error = 0;
};

MeanAndError mean_of(std::span<const Recurrence> probes) {
  std::vector<double> forms;
  for (const Recurrence& probe : probes) forms.push_back(probe.quadratic_form());
  const double q = double(forms.size()), mean = std::accumulate(forms.begin(), forms.end(), 0.0) / q;
  double squares = 0;
  for (const double form : forms) squares += (form - mean) * (form - mean);
  return {mean, std::sqrt(squares / (q * (q - 1)))};
}

std::vector<double> column_products(const Communicator& ranks, std::span<const double> a,
                                    std::span<const double> b, std::size_t k) {
  std::vector<double> sums(k, 0.0);
  for (std::size_t e = 0; e < a.size(); ++e) sums[e % k] += a[e] * b[e];
  ranks.sum(std::span(sums));
  return sums;
}

}  // namespace

auto SpreadSystem::log_determinant(std::span<const double> s, double c, std::size_t probes,
                                   const std::function<void()>& each) -> LogDeterminant {
  make_factor(c, probes, 1e-6);
  if (!factor_->prepare(s, c))
    throw AgreedError(Error(ErrorCode::not_finite, "K + noise is not positive definite"));
  const std::size_t n = own_.rows(), k = probes;
  const Sides sides{s, nullptr, c, k, k};
  std::vector<double> U = factor_->draws(k, options_.seed), before(n * k, 0.0), P(n * k), AP(n * k);
  std::vector<Recurrence> columns(k);
  const double size = double(rows_);
  MeanAndError found;
  for (std::size_t step = 0; step < std::min(most_lanczos_steps, rows_); ++step) {
    if (each) each();
    factor_->apply(U, k, P);
    std::vector<double> lengths = column_products(ranks_, U, P, k);
    for (std::size_t q = 0; q < k; ++q) {
      Recurrence& column = columns[q];
      if (step == 0) column.squares = lengths[q];
      // Nothing is left of the Krylov space.
      column.ended |= !(lengths[q] > 1e-20 * size) && step > 0;
      lengths[q] = std::sqrt(std::max(lengths[q], 1e-300));
      if (step > 0 && !column.ended) column.beside.push_back(lengths[q]);
    }
    if (std::ranges::all_of(columns, &Recurrence::ended)) break;
    for (std::size_t e = 0; e < U.size(); ++e) U[e] /= lengths[e % k], P[e] /= lengths[e % k];
    std::vector<double> scaled = P;
    sides.before(scaled);
    exact_->multiply(scaled, k, AP);
    sides.after(AP);
    for (std::size_t e = 0; e < AP.size(); ++e) AP[e] += c * P[e];
    const std::vector<double> alpha = column_products(ranks_, P, AP, k);
    for (std::size_t q = 0; q < k; ++q)
      if (!columns[q].ended) columns[q].diagonal.push_back(alpha[q]);
    for (std::size_t e = 0; e < AP.size(); ++e) {
      const double next = AP[e] - alpha[e % k] * U[e] - (step > 0 ? lengths[e % k] * before[e] : 0);
      before[e] = U[e];
      U[e] = next;
    }
    const MeanAndError now = mean_of(columns);
    const bool settled = step > 0 && std::abs(now.mean - found.mean) <= 0.02 * now.error + 1e-9 * size;
    found = now;
    if (settled) break;
  }
  return {factor_->log_determinant() + found.mean, found.error};
}

}  // namespace mercer::cluster
