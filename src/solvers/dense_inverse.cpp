#include "solvers/dense_inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "solvers/refinement.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

template <class T>
std::size_t DenseInverse<T>::bytes(std::size_t n) {
  return n * row_stride<T>(n) * sizeof(T);
}

template <class T>
std::string DenseInverse<T>::words() const {
  return sizeof(T) == 4 ? "a float32 Cholesky factor" : "a float64 Cholesky factor";
}

/// The lower half of S K S + cI, where L will be.
template <class T>
void DenseInverse<T>::fill(std::span<const double> s, double c) {
  const std::size_t n = K_.rows(), stride = row_stride<T>(n);
  constexpr std::size_t rows_at_once = 64, columns_at_once = 1024;
  if (L_.empty()) L_ = Buffer<T>(n * stride);
  parallel_for((n + rows_at_once - 1) / rows_at_once, threads_worth(n * n, threads_), [&](std::size_t part) {
    const Range rows{part * rows_at_once, std::min(n, (part + 1) * rows_at_once)};
    Buffer<T> tile(rows.size() * columns_at_once);
    for (std::size_t begin = 0; begin < rows.end; begin += columns_at_once) {
      const Range columns{begin, std::min(rows.end, begin + columns_at_once)};
      K_.tile(rows, columns, {tile.data(), rows.size() * columns.size()});
      for (std::size_t i = rows.begin; i < rows.end; ++i)
        for (std::size_t j = columns.begin; j < columns.end; ++j) {
          const double value = tile[(i - rows.begin) * columns.size() + j - begin];
          L_[i * stride + j] = T(value * (s.empty() ? 1.0 : s[i] * s[j]) + (i == j ? c : 0));
        }
    }
    progress_.check("Gram matrix", double(rows.end) / double(n));
  });
}

template <class T>
bool DenseInverse<T>::singular() const {
  const std::size_t n = K_.rows(), stride = row_stride<T>(n);
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = double(L_[i * stride + i]) * double(L_[i * stride + i]);
    least = std::min(least, pivot);
    most = std::max(most, pivot);
  }
  return !(least > double(n) * std::numeric_limits<T>::epsilon() * most);
}

template <class T>
bool DenseInverse<T>::prepare(std::span<const double> s, double c) {
  if (c == c_ && std::ranges::equal(s, s_)) return true;
  c_ = -1;
  fill(s, c);
  if (!cholesky_factor(L_.data(), K_.rows(), row_stride<T>(K_.rows()), threads_, progress_) ||
      (c == 0 && K_.rows() > 0 && singular()))
    return false;
  s_.assign(s.begin(), s.end());
  c_ = c;
  return true;
}

template <class T>
void DenseInverse<T>::apply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  std::vector<double> norms = column_norms(V, k);  // columns are made of norm 1: float32 has a short range
  for (double& norm : norms) norm = norm > 0 ? norm : 1;
  Buffer<T> scaled(V.size());
  for (std::size_t e = 0; e < V.size(); ++e) scaled[e] = T(V[e] / norms[e % k]);
  cholesky_solve(L_.data(), K_.rows(), row_stride<T>(K_.rows()), scaled.data(), k);
  for (std::size_t e = 0; e < V.size(); ++e) out[e] = double(scaled[e]) * norms[e % k];
}

template class DenseInverse<float>;
template class DenseInverse<double>;

bool PseudoInverse::prepare(std::span<const double> s, double c) {
  if (c == c_ && std::ranges::equal(s, s_)) return true;
  const std::size_t n = K_.rows();
  std::vector<double> A(n * n);
  K_.matrix(A);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      A[i * n + j] = A[i * n + j] * (s.empty() ? 1.0 : s[i] * s[j]) + (i == j ? c : 0);
  eigen_ = symmetric_eigen(A, n, true);
  double largest = 0;
  for (const double value : eigen_.values) largest = std::max(largest, std::abs(value));
  dropped_ = 0;
  for (double& value : eigen_.values)
    if (std::abs(value) <= double(n) * std::numeric_limits<double>::epsilon() * largest)
      value = 0, ++dropped_;
  s_.assign(s.begin(), s.end());
  c_ = c;
  return true;
}

std::string PseudoInverse::words() const {
  return fmt::format("all eigenvalues, {} of {} taken as 0", dropped_, eigen_.values.size());
}

void PseudoInverse::apply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  through_eigenvectors(eigen_, V, k, out,
                       [](double part, double value) { return value == 0 ? 0 : part / value; });
}

}  // namespace mercer
