#include "operators/landmark_features.hpp"

#include <algorithm>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "mercer/kernel_operator.hpp"
#include "operators/product.hpp"
#include "operators/row_map.hpp"

namespace mercer {

namespace {

constexpr std::size_t block_rows = 8192;       // that one thread takes, with a sum of its own
constexpr std::size_t blocks_at_once = 32;     // whose sums are held
constexpr std::size_t tile_bytes = 1 << 20;    // of K_nZ: it stays in the second-level cache
constexpr std::size_t panel_bytes = 64 << 20;  // of features, for normal matrices
constexpr std::size_t normal_tile = 512;       // of these
constexpr std::size_t fill_rows = 256;         // of a panel, by one thread

// K between these rows and the landmarks. What float32 cannot hold is noted, not refused.
template <class T>
KernelOperator<T> kernel_rows(const LandmarkForm& form, const Points& points, Range rows) {
  std::vector<std::size_t> ids(rows.size());
  std::iota(ids.begin(), ids.end(), rows.begin);
  return KernelOperator<T>(form.kernel, points.select_rows(ids), form.landmarks,
                           {.threads = 1, .note_overflow = sizeof(T) == 4, .row_ids = ids});
}

void solve(const LandmarkForm& form, CBLAS_TRANSPOSE op, std::span<double> X, std::size_t k) {
  const std::size_t m = form.count();
  const SingleThreadedBlas one_thread;
  if (k == 1)
    trsv(CblasLower, op, CblasNonUnit, m, form.L.data(), m, X.data(), 1);
  else if (k > 1)
    trsm(CblasLeft, CblasLower, op, CblasNonUnit, m, k, 1, form.L.data(), m, X.data(), k);
}

}  // namespace

void LandmarkForm::to_coefficients(std::span<double> W, std::size_t k) const {
  solve(*this, CblasTrans, W, k);
}
void LandmarkForm::to_features(std::span<double> V, std::size_t k) const { solve(*this, CblasNoTrans, V, k); }

/// Adds Kᵀ task(K·coefficients + level) of these rows to `sums`, and the sum of what the task leaves after
/// it. Rows that float32 cannot hold are computed in float64.
template <class T>
void LandmarkFeatures::add_block(Range rows, std::span<const double> coefficients,
                                 std::span<const double> level, std::size_t k, const RowTask& task,
                                 double* sums) const {
  const std::size_t m = form_->count();
  const KernelOperator<T> K = kernel_rows<T>(*form_, points_, rows);
  if constexpr (sizeof(T) == 4)
    if (!K.finite()) return add_block<double>(rows, coefficients, level, k, task, sums);
  const std::size_t step = std::clamp<std::size_t>(tile_bytes / sizeof(T) / m, 16, 256);
  Buffer<T> tile(step * m);
  Buffer<double> F(step * k);
  for (std::size_t begin = 0; begin < rows.size(); begin += step) {
    const Range part{begin, std::min(begin + step, rows.size())};
    K.tile(part, {0, m}, {tile.data(), part.size() * m});
    for (std::size_t e = 0; e < part.size() * k; ++e) F[e] = level.empty() ? 0 : level[e % k];
    if (!coefficients.empty())
      add_panel_products<T>(tile.data(), m, part.size(), m, k, coefficients.data(), F.data(), nullptr,
                            nullptr);
    task({rows.begin + part.begin, rows.begin + part.end}, F.data());
    if (!sums) continue;
    add_panel_products<T>(tile.data(), m, part.size(), m, k, nullptr, nullptr, F.data(), sums);
    for (std::size_t e = 0; e < part.size() * k; ++e) sums[m * k + e % k] += F[e];
  }
}

/// All rows: sums is (m + 1) × k, or null.
template <class T>
void LandmarkFeatures::run(std::span<const double> W, std::size_t k, const RowTask& task,
                           double* sums) const {
  const std::size_t n = rows(), m = form_->count(), blocks = (n + block_rows - 1) / block_rows,
                    size = (m + 1) * k;
  std::vector<double> coefficients, level;
  if (!W.empty()) {
    coefficients.assign(W.begin(), W.begin() + std::ptrdiff_t(m * k));
    form_->to_coefficients(coefficients, k);
    for (std::size_t e = 0; e < k && constant_ != 0; ++e) level.push_back(constant_ * W[m * k + e]);
  }
  Buffer<double> parts(sums ? std::min(blocks, blocks_at_once) * size : 0);
  for (std::size_t first = 0; first < blocks; first += blocks_at_once) {
    const std::size_t count = std::min(blocks_at_once, blocks - first);
    parallel_for(count, threads_worth(count * block_rows * size, threads_), [&](std::size_t b) {
      double* own = sums ? parts.data() + b * size : nullptr;
      if (own) std::fill_n(own, size, 0.0);
      const std::size_t begin = (first + b) * block_rows;
      add_block<T>({begin, std::min(n, begin + block_rows)}, coefficients, level, k, task, own);
    });
    for (std::size_t e = 0; sums && e < count * size; ++e) sums[e % size] += parts[e];
  }
}

void LandmarkFeatures::multiply(std::span<const double> W, std::size_t k, std::span<double> out) const {
  run<double>(
      W, k, [&](Range rows, double* F) { std::copy_n(F, rows.size() * k, out.data() + rows.begin * k); },
      nullptr);
}

void LandmarkFeatures::multiply_transposed(std::span<const double> V, std::size_t k,
                                           std::span<double> out) const {
  pass(
      {}, k, [&](Range rows, double* F) { std::copy_n(V.data() + rows.begin * k, rows.size() * k, F); }, out);
}

template <class T>
void LandmarkFeatures::pass(std::span<const double> W, std::size_t k, const RowTask& task,
                            std::span<double> out) const {
  const std::size_t m = form_->count();
  std::vector<double> sums((m + 1) * k, 0.0);
  run<T>(W, k, task, sums.data());
  std::copy_n(sums.data(), m * k, out.data());
  form_->to_features(out.first(m * k), k);
  for (std::size_t e = 0; e < k && constant_ != 0; ++e) out[m * k + e] = constant_ * sums[m * k + e];
}

template void LandmarkFeatures::pass<float>(std::span<const double>, std::size_t, const RowTask&,
                                            std::span<double>) const;
template void LandmarkFeatures::pass<double>(std::span<const double>, std::size_t, const RowTask&,
                                             std::span<double>) const;

// A panel of rows of [Φ, V] is filled side by side; then tiles of the result are added up side by side.
template <class T>
Buffer<T> LandmarkFeatures::normal_matrix_with(std::span<const double> V, std::size_t k,
                                               std::span<const double> s,
                                               const std::function<void(double)>& progress) const {
  const SingleThreadedBlas one_thread;
  const std::size_t n = rows(), m = form_->count(), p = features(), size = p + k,
                    tiles = (size + normal_tile - 1) / normal_tile,
                    height = std::max(fill_rows, panel_bytes / sizeof(T) / size / fill_rows * fill_rows);
  Buffer<T> out(size * size, T(0)), panel(std::min(height, n) * size), L;
  if constexpr (sizeof(T) == 4) {
    L = Buffer<T>(m * m);
    std::ranges::copy(form_->L, L.begin());
  }
  const T* triangle = nullptr;
  if constexpr (sizeof(T) == 4)
    triangle = L.data();
  else
    triangle = form_->L.data();
  const auto fill = [&](Range range, T* to) {
    const KernelOperator<T> K = kernel_rows<T>(*form_, points_, range);
    Buffer<T> tile(range.size() * m);
    K.tile({0, range.size()}, {0, m}, tile);
    trsm<T>(CblasRight, CblasLower, CblasTrans, CblasNonUnit, range.size(), m, 1, triangle, m, tile.data(),
            m);
    for (std::size_t i = 0; i < range.size(); ++i, to += size) {
      const std::size_t row = range.begin + i;
      std::copy_n(tile.data() + i * m, m, to);
      if (constant_ != 0) to[m] = T(constant_);
      for (std::size_t j = 0; j < k; ++j) to[p + j] = T(V[row * k + j]);
      for (std::size_t j = 0; j < size && !s.empty(); ++j) to[j] *= T(s[row]);
    }
  };
  for (std::size_t first = 0; first < n; first += height) {
    const std::size_t count = std::min(height, n - first);
    parallel_for((count + fill_rows - 1) / fill_rows, threads_worth(count * m * m, threads_),
                 [&](std::size_t b) {
                   const std::size_t begin = b * fill_rows, end = std::min(count, begin + fill_rows);
                   fill({first + begin, first + end}, panel.data() + begin * size);
                 });
    parallel_for(tiles * tiles, threads_worth(count * size * size, threads_), [&](std::size_t task) {
      const std::size_t row = task / tiles * normal_tile, column = task % tiles * normal_tile;
      if (column <= row)
        gemm<T>(CblasTrans, CblasNoTrans, std::min(normal_tile, size - row),
                std::min(normal_tile, size - column), count, 1, panel.data() + row, size,
                panel.data() + column, size, 1, out.data() + row * size + column, size);
    });
    if (progress) progress(double(first + count) / double(n));
  }
  return out;
}

template Buffer<float> LandmarkFeatures::normal_matrix_with(std::span<const double>, std::size_t,
                                                            std::span<const double>,
                                                            const std::function<void(double)>&) const;
template Buffer<double> LandmarkFeatures::normal_matrix_with(std::span<const double>, std::size_t,
                                                             std::span<const double>,
                                                             const std::function<void(double)>&) const;

}  // namespace mercer
