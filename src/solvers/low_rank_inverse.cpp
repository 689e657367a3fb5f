#include "solvers/low_rank_inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/blas.hpp"
#include "solvers/cholesky_inverse.hpp"
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
    apply_least_norm(small, k, small);
  features_.multiply(small, k, out);
  scale(out);
  if (mu_ > 0)
    for (std::size_t e = 0; e < n * k; ++e) out[e] = (V[e] - out[e]) / mu_;
}

/// out = V Λ⁻² Vᵀ · small; p × k.
void LowRankInverse::apply_least_norm(std::span<const double> small, std::size_t k,
                                      std::span<double> out) const {
  const auto p = blasint(features_.features()), columns = blasint(k);
  if (p == 0) return;
  const SingleThreadedBlas one_thread;
  std::vector<double> turned(small.size());
  gemm(CblasTrans, CblasNoTrans, p, columns, p, 1, eigen_.vectors.data(), p, small.data(), columns, 0,
       turned.data(), columns);
  for (std::size_t e = 0; e < turned.size(); ++e) {
    const double value = eigen_.values[e / k];
    turned[e] = value > 0 ? turned[e] / value / value : 0;
  }
  gemm(CblasNoTrans, CblasNoTrans, p, columns, p, 1, eigen_.vectors.data(), p, turned.data(), columns, 0,
       out.data(), columns);
}

}  // namespace mercer
