#include "operators/row_features.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "mercer/error.hpp"
#include "operators/exact_maps.hpp"

namespace mercer {

namespace {

constexpr std::size_t blocks_at_once = 8;  // of which several threads have one each
constexpr std::size_t normal_tile = 256;   // of ΦᵀΦ

}  // namespace

RowFeatures::RowFeatures(std::shared_ptr<const RowMap> map, Points points, int threads, std::size_t memory)
    : map_(std::move(map)), points_(std::move(points)), threads_(threads) {
  if (table_bytes(rows(), features()) <= memory) held_ = map_->rows_of(points_, threads_);
}

std::optional<RowFeatures> RowFeatures::of(const Kernel& kernel, const Points& points, int threads) {
  if (auto map = column_map(kernel, points)) {
    Points rows = map->rows_of(points, threads);
    return RowFeatures(std::move(map), points, std::move(rows), threads);
  }
  SparseFeatures sparse = sparse_map(kernel, points, threads);
  if (!sparse.map) return std::nullopt;
  return RowFeatures(std::move(sparse.map), points, std::move(sparse.rows), threads);
}

RowFeatures RowFeatures::select(std::span<const std::size_t> rows) const {
  RowFeatures some(map_, points_.select_rows(rows), std::nullopt, threads_);
  if (held_) some.held_ = held_->select_rows(rows);
  some.constant_ = constant_;
  return some;
}

RowFeatures RowFeatures::with_constant(double value) const {
  RowFeatures more = *this;
  more.constant_ = value;
  return more;
}

std::size_t RowFeatures::step() const noexcept {
  return std::clamp<std::size_t>(
      block_bytes / sizeof(double) / blocks_at_once / std::max<std::size_t>(features(), 1), 16, 1024);
}

/// out = Φ of these rows, `stride` apart; with the constant, where there is room for it.
void RowFeatures::fill(Range range, double* out, std::size_t stride) const {
  const std::size_t own = map_->features();
  Points computed;
  if (!held_) computed = map_->rows_of(rows_between(points_, range), 1);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    double* row = out + (i - range.begin) * stride;
    (held_ ? *held_ : computed).copy_row(held_ ? i : i - range.begin, {row, own});
    if (constant_ != 0 && stride > own) row[own] = constant_;
    if (held_) continue;
    for (std::size_t j = 0; j < own; ++j)
      if (!std::isfinite(row[j]))
        throw Error(ErrorCode::not_finite, fmt::format("feature {} of row {} is not finite", j + 1, i + 1),
                    {.row = i + 1, .hint = "scale the data or the kernel"});
  }
}

/// Rows of Φ without the constant: where they are held, or in `room`.
const double* RowFeatures::tile(Range range, Buffer<double>& room) const {
  const std::size_t own = map_->features();
  if (held_)
    if (const auto* dense = std::get_if<Dense<double>>(&held_->storage())) return dense->row(range.begin);
  room = Buffer<double>(range.size() * own);
  fill(range, room.data(), own);
  return room.data();
}

void RowFeatures::multiply(std::span<const double> W, std::size_t k, std::span<double> out) const {
  if (landmarks()) return by_landmarks().multiply(W, k, out);
  const SingleThreadedBlas one_thread;
  const std::size_t own = map_->features();
  parallel_for(blocks(), threads_worth(rows() * own * k, threads_), [&](std::size_t b) {
    const Range range = block(b);
    double* to = out.data() + range.begin * k;
    for (std::size_t e = 0; e < range.size() * k; ++e)
      to[e] = constant_ != 0 ? constant_ * W[own * k + e % k] : 0;
    if (own == 0 || k == 0) return;
    Buffer<double> room;
    const double* phi = tile(range, room);
    if (k == 1)
      gemv(CblasNoTrans, range.size(), own, 1, phi, own, W.data(), 1, 1, to, 1);
    else
      gemm(CblasNoTrans, CblasNoTrans, range.size(), k, own, 1, phi, own, W.data(), k, 1, to, k);
  });
}

void RowFeatures::multiply_transposed(std::span<const double> V, std::size_t k, std::span<double> out) const {
  pass(
      {}, k, [&](Range rows, double* F) { std::copy_n(V.data() + rows.begin * k, rows.size() * k, F); }, out);
}

// Several blocks side by side, each with a sum of its own.
void RowFeatures::pass(std::span<const double> W, std::size_t k, const RowTask& task,
                       std::span<double> out) const {
  if (landmarks()) return by_landmarks().pass(W, k, task, out);
  const SingleThreadedBlas one_thread;
  const std::size_t own = map_->features(), p = features();
  std::ranges::fill(out, 0.0);
  if (k == 0) return;
  Buffer<double> sums(std::min(blocks_at_once, blocks()) * p * k);
  for (std::size_t first = 0; first < blocks(); first += blocks_at_once) {
    const std::size_t count = std::min(blocks_at_once, blocks() - first);
    parallel_for(count, threads_worth(count * step() * p * k, threads_), [&](std::size_t b) {
      const Range range = block(first + b);
      double* to = sums.data() + b * p * k;
      std::fill_n(to, p * k, 0.0);
      Buffer<double> room, F(range.size() * k);
      const double* phi = own > 0 ? tile(range, room) : nullptr;
      for (std::size_t e = 0; e < F.size(); ++e)
        F[e] = constant_ != 0 && !W.empty() ? constant_ * W[own * k + e % k] : 0;
      if (own > 0 && !W.empty() && k == 1)
        gemv(CblasNoTrans, range.size(), own, 1, phi, own, W.data(), 1, 1, F.data(), 1);
      else if (own > 0 && !W.empty())
        gemm(CblasNoTrans, CblasNoTrans, range.size(), k, own, 1, phi, own, W.data(), k, 1, F.data(), k);
      task(range, F.data());
      for (std::size_t e = 0; e < F.size() && constant_ != 0; ++e) to[own * k + e % k] += constant_ * F[e];
      if (own == 0) return;
      if (k == 1)
        gemv(CblasTrans, range.size(), own, 1, phi, own, F.data(), 1, 1, to, 1);
      else
        gemm(CblasTrans, CblasNoTrans, own, k, range.size(), 1, phi, own, F.data(), k, 1, to, k);
    });
    for (std::size_t b = 0; b < count; ++b)
      for (std::size_t e = 0; e < p * k; ++e) out[e] += sums[b * p * k + e];
  }
}

// Several blocks are filled side by side; then tiles of the result are added up side by side, each over all
// of these rows. Where there are few features, and so one tile only, each block has a sum of its own.
Buffer<double> RowFeatures::normal_matrix_with(std::span<const double> V, std::size_t k,
                                               std::span<const double> s,
                                               const std::function<void(double)>& progress) const {
  if (landmarks()) return by_landmarks().normal_matrix_with<double>(V, k, s, progress);
  const SingleThreadedBlas one_thread;
  const std::size_t p = features(), size = p + k, tiles = (size + normal_tile - 1) / normal_tile;
  Buffer<double> out(size * size, 0.0);
  if (size == 0) return out;
  const std::size_t side_by_side = std::min(blocks_at_once, blocks()),
                    height = std::min(step(), this->rows());
  Buffer<double> rows(side_by_side * height * size), sums(tiles == 1 ? side_by_side * size * size : 0);
  const auto add = [&](std::size_t row, std::size_t column, const double* from, std::size_t count,
                       double beta, double* to) {
    gemm(CblasTrans, CblasNoTrans, std::min(normal_tile, size - row), std::min(normal_tile, size - column),
         count, 1, from + row, size, from + column, size, beta, to + row * size + column, size);
  };
  // Rows that count for nothing are left out where they are at hand one by one and no tile has to find them.
  const bool choosy = !s.empty() && held_ && tiles == 1;
  const auto fill_scaled = [&](Range range, double* to) {
    const double* begin = to;
    if (!choosy) fill(range, to, size);
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (choosy && s[i] == 0) continue;
      if (choosy) fill({i, i + 1}, to, size);
      std::copy_n(V.data() + i * k, k, to + p);
      if (!s.empty())
        for (std::size_t j = 0; j < size; ++j) to[j] *= s[i];
      to += size;
    }
    return std::size_t(to - begin) / size;
  };
  for (std::size_t first = 0; first < blocks(); first += blocks_at_once) {
    const std::size_t count = std::min(blocks_at_once, blocks() - first);
    const int threads = threads_worth(count * step() * size * size, threads_);
    parallel_for(count, threads, [&](std::size_t b) {
      const Range range = block(first + b);
      double* tile = rows.data() + b * height * size;
      const std::size_t filled = fill_scaled(range, tile);
      if (tiles == 1) add(0, 0, tile, filled, 0, sums.data() + b * size * size);
    });
    if (tiles == 1) {
      for (std::size_t b = 0; b < count; ++b)
        for (std::size_t e = 0; e < size * size; ++e) out[e] += sums[b * size * size + e];
    } else {
      const std::size_t filled = block(first + count - 1).end - block(first).begin;
      parallel_for(tiles * tiles, threads, [&](std::size_t task) {
        const std::size_t row = task / tiles * normal_tile, column = task % tiles * normal_tile;
        if (column <= row) add(row, column, rows.data(), filled, 1, out.data());
      });
    }
    if (progress) progress(double(first + count) / double(blocks()));
  }
  return out;
}

Buffer<float> RowFeatures::rough_normal_matrix_with(std::span<const double> V, std::size_t k,
                                                    std::span<const double> s,
                                                    const std::function<void(double)>& progress) const {
  if (landmarks()) return by_landmarks().normal_matrix_with<float>(V, k, s, progress);
  const Buffer<double> exact = normal_matrix_with(V, k, s, progress);
  Buffer<float> rounded(exact.size());
  std::ranges::copy(exact, rounded.begin());
  return rounded;
}

std::vector<double> RowFeatures::squared_norms() const {
  const std::size_t p = features();
  std::vector<double> squares(rows(), 0);
  parallel_for(blocks(), threads_worth(rows() * p, threads_), [&](std::size_t b) {
    const Range range = block(b);
    Buffer<double> phi(range.size() * p);
    fill(range, phi.data(), p);
    for (std::size_t e = 0; e < phi.size(); ++e) squares[range.begin + e / p] += phi[e] * phi[e];
  });
  return squares;
}

double RowFeatures::mean_square() const {
  const std::vector<double> squares = squared_norms();
  return std::accumulate(squares.begin(), squares.end(), 0.0) / double(std::max<std::size_t>(rows(), 1));
}

}  // namespace mercer
