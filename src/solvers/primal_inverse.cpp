#include "solvers/primal_inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

namespace {

Buffer<double> transpose(const Points& points, int threads) {
  const std::size_t rows = points.rows(), columns = points.cols();
  constexpr std::size_t chunk = 512;
  Buffer<double> out(rows * columns);
  parallel_for((rows + chunk - 1) / chunk, threads, [&](std::size_t part) {
    std::vector<double> row(columns);
    for (std::size_t i = part * chunk; i < std::min(rows, (part + 1) * chunk); ++i) {
      points.copy_row(i, row);
      for (std::size_t j = 0; j < columns; ++j) out[j * rows + i] = row[j];
    }
  });
  return out;
}

}  // namespace

PrimalInverse::PrimalInverse(const Points& points, int threads, const Progress& progress)
    : rows_(points.rows()),
      columns_(points.cols()),
      transposed_(transpose(points, threads)),
      inverse_(transposed_.data(), columns_, rows_, threads, progress),
      threads_(threads),
      progress_(progress) {}

bool PrimalInverse::prepare(const RowFactors& factors, double c) {
  if (!(c > 0)) return false;
  coupled_.emplace(inverse_, threads_, progress_);
  if (!coupled_->prepare(factors, c)) coupled_.reset();
  return coupled_.has_value();
}

bool PrimalInverse::prepare(std::span<const double> s, double c) {
  coupled_.reset();
  if (c > 0) {
    c_ = -1;
    return inverse_.prepare(s, c) && (c_ = c, true);
  }
  if (c_ == 0 && std::ranges::equal(s, s_)) return true;
  const std::size_t stride = row_stride<double>(columns_);
  const Buffer<double> lower = inverse_.small_matrix(s);
  std::vector<double> whole(columns_ * columns_);
  for (std::size_t i = 0; i < columns_; ++i)
    for (std::size_t j = 0; j < columns_; ++j)
      whole[i * columns_ + j] = lower[std::max(i, j) * stride + std::min(i, j)];
  eigen_ = symmetric_eigen(whole, columns_, true);
  const double largest = eigen_.values.empty() ? 0 : eigen_.values.back();
  for (double& value : eigen_.values)
    if (value <= double(rows_) * std::numeric_limits<double>::epsilon() * largest) value = 0;
  s_.assign(s.begin(), s.end());
  c_ = 0;
  return true;
}

std::size_t PrimalInverse::rank() const noexcept {
  return std::size_t(std::ranges::count_if(eigen_.values, [](double value) { return value > 0; }));
}

std::string PrimalInverse::words() const {
  return fmt::format("the {} columns of the points (K = ΦΦᵀ)", columns_);
}

void PrimalInverse::multiply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  std::vector<double> small(columns_ * k);
  inverse_.transposed_product(V, k, small);
  inverse_.product(small, k, out);
}

void PrimalInverse::apply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  if (coupled_) return coupled_->apply(V, k, out);
  if (c_ > 0) return inverse_.apply(V, k, out);
  const auto weight = [&](std::size_t e) { return s_.empty() ? 1.0 : s_[e / k]; };
  std::vector<double> weighted(V.begin(), V.end()), small(columns_ * k), turned(columns_ * k);
  for (std::size_t e = 0; e < weighted.size(); ++e) weighted[e] *= weight(e);
  inverse_.transposed_product(weighted, k, small);
  const auto d = blasint(columns_), columns = blasint(k);
  const SingleThreadedBlas one_thread;
  if (d > 0) {
    blas().dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, d, columns, d, 1, eigen_.vectors.data(), d,
                 small.data(), columns, 0, turned.data(), columns);
    for (std::size_t e = 0; e < turned.size(); ++e) {
      const double value = eigen_.values[e / k];
      turned[e] = value > 0 ? turned[e] / value / value : 0;
    }
    blas().dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, d, columns, d, 1, eigen_.vectors.data(), d,
                 turned.data(), columns, 0, small.data(), columns);
  }
  inverse_.product(small, k, out);
  for (std::size_t e = 0; e < out.size(); ++e) out[e] *= weight(e);
}

}  // namespace mercer
