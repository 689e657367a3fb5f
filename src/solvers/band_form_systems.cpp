// What a band form is made for: factors of B + cI, and systems and inverses with A + cI by them.
#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "solvers/band_form.hpp"
#include "solvers/refinement.hpp"
#include "solvers/simd/band_norms.hpp"

namespace mercer {

template <class T>
std::optional<BandFactor> BandForm<T>::factor(double c) const {
  BandFactor L = band_;
  for (std::size_t j = 0; j < n_; ++j) {
    double* own = L.data() + j * (band_width + 1);
    own[0] += c;
    if (!(own[0] > 0)) return {};
    const double root = std::sqrt(own[0]);
    own[0] = root;
    const std::size_t below = std::min(band_width, n_ - 1 - j);
    for (std::size_t i = 1; i <= below; ++i) own[i] /= root;
    for (std::size_t i = 1; i <= below; ++i) {
      double* other = own + i * (band_width + 1) - i;
      for (std::size_t k = i; k <= below; ++k) other[k] -= own[i] * own[k];
    }
  }
  return L;
}

// As simd::BandNorms has it.
template <class T>
std::vector<T> BandForm<T>::pack(const BandFactor& L) const {
  constexpr std::size_t rows = simd::norm_rows;
  std::vector<T> packed;
  packed.reserve((n_ + rows - 1) / rows * simd::packed_norm_rows(band_width));
  const auto entry = [&](std::size_t i, std::size_t j) {
    return i < n_ && i - j <= band_width ? L[j * (band_width + 1) + i - j] : 0.0;
  };
  for (std::size_t first = 0; first < n_; first += rows) {
    for (std::size_t left = band_width; left > 0; --left)
      for (std::size_t i = first; i < first + rows; ++i)
        packed.push_back(T(left <= first ? entry(i, first - left) : 0));
    for (std::size_t i = first; i < first + rows; ++i)
      for (std::size_t j = first; j < first + rows; ++j)
        packed.push_back(T(i == j ? (i < n_ ? 1 / entry(i, i) : 1) : j < i && j < n_ ? entry(i, j) : 0));
  }
  return packed;
}

template <class T>
std::vector<double> BandForm<T>::inverse_diagonals(std::span<const BandFactor> factors,
                                                   const Progress& progress) const {
  constexpr std::size_t columns = simd::norm_columns;
  const std::size_t padded = (n_ + simd::norm_rows - 1) / simd::norm_rows * simd::norm_rows;
  std::vector<std::vector<T>> packed(factors.size());
  parallel_for(factors.size(), threads_, [&](std::size_t f) { packed[f] = pack(factors[f]); });
  std::vector<double> out(factors.size() * n_);
  const auto& norms = simd::band_norms<T>();
  parallel_for((n_ + columns - 1) / columns, threads_, [&](std::size_t block) {
    const std::size_t first = block * columns, count = std::min(columns, n_ - first);
    Buffer<T> q(padded * columns, T(0)), scratch(simd::norm_scratch(band_width));
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < n_; ++k) q[k * columns + i] = Q_[(first + i) * n_ + k];
    double sums[columns];
    for (std::size_t f = 0; f < factors.size(); ++f) {
      norms.squared_norms(packed[f].data(), padded, band_width, q.data(), scratch.data(), sums);
      std::copy_n(sums, count, out.data() + f * n_ + first);
    }
    progress.check("leave-one-out errors", double(first) / double(n_));
  });
  return out;
}

template <class T>
void BandForm<T>::apply_inverse(std::span<const BandFactor* const> factors, std::span<const double> V,
                                std::span<double> out) const {
  constexpr std::size_t step = 640;  // rows for which BLAS packs V once
  const std::size_t k = factors.size();
  std::vector<double> norms = column_norms(V, k);  // columns are made of norm 1: float32 has a short range
  for (double& norm : norms) norm = norm > 0 ? norm : 1;
  Buffer<T> scaled(n_ * k), inside(n_ * k);
  for (std::size_t e = 0; e < V.size(); ++e) scaled[e] = T(V[e] / norms[e % k]);
  const auto turn = [&](CBLAS_TRANSPOSE op, const Buffer<T>& from, Buffer<T>& to) {
    parallel_blocks(n_, step, threads_, [&](std::size_t first, std::size_t last) {
      const SingleThreadedBlas one_thread;
      gemm<T>(op, CblasNoTrans, last - first, k, n_, 1, Q_.data() + (op == CblasTrans ? first : first * n_),
              n_, from.data(), k, 0, to.data() + first * k, k);
    });
  };
  turn(CblasTrans, scaled, inside);
  parallel_for(k, threads_, [&](std::size_t column) {
    const BandFactor& L = *factors[column];
    std::vector<double> x(n_);
    for (std::size_t i = 0; i < n_; ++i) x[i] = double(inside[i * k + column]);
    for (std::size_t j = 0; j < n_; ++j) {
      const double* own = L.data() + j * (band_width + 1);
      x[j] /= own[0];
      for (std::size_t i = 1; i <= std::min(band_width, n_ - 1 - j); ++i) x[j + i] -= own[i] * x[j];
    }
    for (std::size_t j = n_; j-- > 0;) {
      const double* own = L.data() + j * (band_width + 1);
      double sum = x[j];
      for (std::size_t i = 1; i <= std::min(band_width, n_ - 1 - j); ++i) sum -= own[i] * x[j + i];
      x[j] = sum / own[0];
    }
    // (A + cI)⁻¹ may be large: again of norm 1.
    double size = 0;
    for (const double value : x) size += value * value;
    size = size > 0 ? std::sqrt(size) : 1;
    norms[column] *= size;
    for (std::size_t i = 0; i < n_; ++i) inside[i * k + column] = T(x[i] / size);
  });
  turn(CblasNoTrans, inside, scaled);
  for (std::size_t e = 0; e < out.size(); ++e) out[e] = double(scaled[e]) * norms[e % k];
}

template std::optional<BandFactor> BandForm<float>::factor(double) const;
template std::vector<float> BandForm<float>::pack(const BandFactor&) const;
template std::vector<double> BandForm<float>::inverse_diagonals(std::span<const BandFactor>,
                                                                const Progress&) const;
template void BandForm<float>::apply_inverse(std::span<const BandFactor* const>, std::span<const double>,
                                             std::span<double>) const;
template std::optional<BandFactor> BandForm<double>::factor(double) const;
template std::vector<double> BandForm<double>::pack(const BandFactor&) const;
template std::vector<double> BandForm<double>::inverse_diagonals(std::span<const BandFactor>,
                                                                 const Progress&) const;
template void BandForm<double>::apply_inverse(std::span<const BandFactor* const>, std::span<const double>,
                                              std::span<double>) const;

}  // namespace mercer
