#include "solvers/low_rank_inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/dense_cholesky.hpp"

namespace mercer {

bool LowRankInverse::prepare(const RowFactors& factors, double) {
  if (!(mu_ > 0)) return false;
  coupled_.emplace(features_, threads_, progress_);
  if (!coupled_->prepare(factors, mu_)) coupled_.reset();
  return coupled_.has_value();
}

bool LowRankInverse::prepare(std::span<const double> s, double mu) {
  coupled_.reset();
  const bool same = !small_.empty() && std::ranges::equal(s, s_);
  if (same && mu == mu_) return true;
  if (!same || rough_) {
    const bool rough = features_.rough_suffices(s, mu);  // μ hides what the small matrix is wrong by
    if (!same || !rough) small_ = features_.normal_matrix(s, rough_ = rough);
    s_.assign(s.begin(), s.end());
  }
  mu_ = mu;
  if (mu == 0) return prepare_least_norm();
  const std::size_t p = features_.features(), stride = row_stride<double>(p);
  L_ = Buffer<double>(p * stride);
  for (std::size_t r = 0; r < p; ++r) {
    std::copy_n(small_.data() + r * p, r + 1, L_.data() + r * stride);
    L_[r * stride + r] += mu;
  }
  const bool factored = cholesky_factor(L_.data(), p, stride, threads_, progress_);
  if (!factored) mu_ = -1;
  return factored;
}

bool LowRankInverse::prepare_least_norm() {
  const std::size_t p = features_.features();
  std::vector<double> whole(p * p);
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < p; ++j) whole[i * p + j] = small_[std::max(i, j) * p + std::min(i, j)];
  eigen_ = symmetric_eigen(whole, p, true);
  const double largest = eigen_.values.empty() ? 0 : eigen_.values.back();
  for (double& value : eigen_.values)
    if (value <= double(features_.rows()) * std::numeric_limits<double>::epsilon() * largest) value = 0;
  return true;
}

std::size_t LowRankInverse::rank() const noexcept {
  return std::size_t(std::ranges::count_if(eigen_.values, [](double value) { return value > 0; }));
}

double LowRankInverse::small_trace() const {
  const std::size_t p = features_.features(), stride = row_stride<double>(p);
  Buffer<double> inverse(p * p), scratch(p * p);
  for (std::size_t r = 0; r < p; ++r) std::copy_n(L_.data() + r * stride, r + 1, inverse.data() + r * p);
  cholesky_inverse(inverse.data(), p, scratch.data(), threads_, progress_);
  double trace = 0;
  for (std::size_t r = 0; r < p; ++r) trace += inverse[r * p + r];
  return trace;
}

std::string LowRankInverse::words() const {
  return fmt::format("the {} features of the rows (K = ΦΦᵀ)", features_.features());
}

void LowRankInverse::apply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  if (coupled_) return coupled_->apply(V, k, out);
  const std::size_t n = features_.rows(), p = features_.features();
  std::vector<double> small(p * k);
  const auto scale = [&](std::span<const double> from) {
    for (std::size_t e = 0; e < n * k; ++e) out[e] = from[e] * (s_.empty() ? 1.0 : s_[e / k]);
  };
  scale(V);
  features_.multiply_transposed(out, k, small);
  if (mu_ > 0)
    cholesky_solve(L_.data(), p, row_stride<double>(p), small.data(), k);
  else
    through_eigenvectors(eigen_, small, k, small, [](double part, double value) {
      return value > 0 ? part / value / value : 0;  // Λ⁻²
    });
  features_.multiply(small, k, out);
  scale(out);
  if (mu_ > 0)
    for (std::size_t e = 0; e < n * k; ++e) out[e] = (V[e] - out[e]) / mu_;
}

namespace {

constexpr std::size_t largest = 6000;  // rows of the small matrix

}  // namespace

bool CoupledInverse::prepare(const RowFactors& factors, double mu) {
  const std::size_t r = F_.features(), k = factors.outputs, size = r * k, n = F_.rows();
  if (size == 0 || size > largest) return false;
  factors_ = factors;
  mu_ = mu;
  const std::size_t stride = row_stride<double>(size);
  L_ = Buffer<double>(size * stride, 0.0);
  std::vector<double> root(n);
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      // Wᵢ[a, b] = sₐ s_b (δ − (2 − |u|²) uₐ u_b): of one sign over the rows.
      for (std::size_t i = 0; i < n; ++i) {
        const double *s = factors.s.data() + i * k, *u = factors.u.data() + i * k;
        double length = 0;
        for (std::size_t o = 0; o < k; ++o) length += u[o] * u[o];
        const double entry = s[a] * s[b] * ((a == b) - (2 - length) * u[a] * u[b]);
        root[i] = std::sqrt(a == b ? std::max(entry, 0.0) : std::abs(entry));
      }
      const Buffer<double> block = F_.normal_matrix(root, true);
      const double sign = a == b ? 1 : -1;
      for (std::size_t i = 0; i < r; ++i)
        for (std::size_t j = 0; j < (a == b ? i + 1 : r); ++j)
          L_[(a * r + i) * stride + b * r + j] = sign * block[std::max(i, j) * r + std::min(i, j)];
    }
  for (std::size_t e = 0; e < size; ++e) L_[e * stride + e] += mu;
  return cholesky_factor(L_.data(), size, stride, threads_, progress_);
}

void CoupledInverse::apply(std::span<const double> V, std::size_t columns, std::span<double> out) const {
  const std::size_t r = F_.features(), k = factors_->outputs, m = columns / k, size = r * k;
  std::vector<double> small(r * columns), ordered(size * m);
  std::ranges::copy(V, out.begin());
  factors_->apply(out, m);
  F_.multiply_transposed(out, columns, small);  // r × k × m
  for (std::size_t j = 0; j < r; ++j)
    for (std::size_t o = 0; o < k; ++o)
      for (std::size_t q = 0; q < m; ++q) ordered[(o * r + j) * m + q] = small[(j * k + o) * m + q];
  cholesky_solve(L_.data(), size, row_stride<double>(size), ordered.data(), m);
  for (std::size_t j = 0; j < r; ++j)
    for (std::size_t o = 0; o < k; ++o)
      for (std::size_t q = 0; q < m; ++q) small[(j * k + o) * m + q] = ordered[(o * r + j) * m + q];
  F_.multiply(small, columns, out);
  factors_->apply_transposed(out, m);
  for (std::size_t e = 0; e < out.size(); ++e) out[e] = (V[e] - out[e]) / mu_;
}

}  // namespace mercer
