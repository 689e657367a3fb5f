#include "solvers/held_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/blas.hpp"
#include "base/lapack.hpp"

namespace mercer {

bool invert_factor(double* A, std::size_t n, std::size_t stride) {
  constexpr std::size_t least = 48;  // LAPACK's own loops are quick enough
  if (n <= least) return lapack::potrf(A, n, stride) && lapack::trtri(A, n, stride);
  const SingleThreadedBlas one_thread;
  const std::size_t first = (n / 2 + 7) / 8 * 8, rest = n - first;
  double *below = A + first * stride, *corner = below + first;
  if (!invert_factor(A, first, stride)) return false;
  trmm(CblasRight, CblasTrans, rest, first, 1, A, stride, below, stride);
  syrk(CblasLower, CblasNoTrans, rest, first, -1, below, stride, 1, corner, stride);
  if (!invert_factor(corner, rest, stride)) return false;
  trmm(CblasRight, CblasNoTrans, rest, first, -1, A, stride, below, stride);
  trmm(CblasLeft, CblasNoTrans, rest, first, 1, corner, stride, below, stride);
  return true;
}

bool HeldInverse::singular() const {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double pivot = 1 / (M_[i * n_ + i] * M_[i * n_ + i]);
    least = std::min(least, pivot);
    most = std::max(most, pivot);
  }
  return !(least > double(n_) * std::numeric_limits<double>::epsilon() * most);
}

bool HeldInverse::prepare(std::span<const double> s, double c) {
  if (c == c_ && std::ranges::equal(s, s_)) return true;
  c_ = -1;
  progress_.check("Cholesky factor", 0);
  if (M_.empty()) M_ = Buffer<double>(n_ * n_);
  for (std::size_t i = 0; i < n_; ++i) {
    double* row = M_.data() + i * n_;
    std::copy_n(K_ + i * n_, i + 1, row);
    for (std::size_t j = 0; j <= i && !s.empty(); ++j) row[j] *= s[i] * s[j];
    row[i] += c;
  }
  if (!invert_factor(M_.data(), n_, n_) || (c == 0 && n_ > 0 && singular())) return false;
  s_.assign(s.begin(), s.end());
  c_ = c;
  return true;
}

void HeldInverse::apply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  const SingleThreadedBlas one_thread;
  std::ranges::copy(V, out.begin());
  for (const CBLAS_TRANSPOSE op : {CblasNoTrans, CblasTrans})
    if (k == 1)
      blas().dtrmv(CblasRowMajor, CblasLower, op, CblasNonUnit, blasint(n_), M_.data(), blasint(n_),
                   out.data(), 1);
    else
      trmm(CblasLeft, op, n_, k, 1, M_.data(), n_, out.data(), k);
}

std::optional<double> HeldInverse::trace() const {
  if (c_ < 0) return {};
  double trace = 0;
  for (std::size_t i = 0; i < n_; ++i)
    trace += std::inner_product(M_.data() + i * n_, M_.data() + i * n_ + i + 1, M_.data() + i * n_, 0.0);
  return trace;
}

}  // namespace mercer
