#include "solvers/coupled_inverse.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/dense_cholesky.hpp"

namespace mercer {

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
