#include "mercer/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

/// What the rows of a block say about one column. Means are updated as Welford (1962) does, so that a column
/// far from 0 keeps its variance, and blocks are joined as Chan, Golub & LeVeque (1983) do.
struct Moments {
  double count = 0, mean = 0, squares = 0;  // Σ(x − mean)²
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double x) noexcept {
    count += 1;
    const double delta = x - mean;
    mean += delta / count;
    squares += delta * (x - mean);
    low = std::min(low, x);
    high = std::max(high, x);
  }
  void add(const Moments& other) noexcept {
    if (other.count == 0) return;
    const double total = count + other.count, delta = other.mean - mean;
    mean += delta * (other.count / total);
    squares += other.squares + delta * delta * (count * other.count / total);
    count = total;
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

template <class T>
std::vector<Moments> moments_of(const Dense<T>& dense) {
  const std::size_t block = std::max<std::size_t>(1024, dense.rows / 64 + 1);
  const std::size_t blocks = (dense.rows + block - 1) / block;
  std::vector<std::vector<Moments>> partial(blocks);
  parallel_for(blocks, 0, [&](std::size_t b) {
    partial[b].resize(dense.cols);
    for (std::size_t i = b * block; i < std::min(dense.rows, (b + 1) * block); ++i)
      for (std::size_t j = 0; j < dense.cols; ++j) partial[b][j].add(double(dense.row(i)[j]));
  });
  std::vector<Moments> moments(dense.cols);
  for (const auto& part : partial)
    for (std::size_t j = 0; j < dense.cols; ++j) moments[j].add(part[j]);
  return moments;
}

/// What the stored entries say about one column; the others are 0.
struct Sizes {
  double squares = 0, largest = 0;  // Σx² and max |x|
  double first = 0;
  std::size_t same = 0;  // entries equal to the first
};

template <class T>
std::vector<Sizes> sizes_of(const Sparse<T>& sparse) {
  std::vector<Sizes> sizes(sparse.cols);
  for (std::size_t k = 0; k < sparse.values.size(); ++k) {
    Sizes& column = sizes[std::size_t(sparse.indices[k])];
    const double x = double(sparse.values[k]);
    if (column.same == 0) column.first = x;
    column.same += x == column.first;
    column.squares += x * x;
    column.largest = std::max(column.largest, std::abs(x));
  }
  return sizes;
}

/// 1 / size, or 1 where that is no use: the column is constant, or so small that dividing overflows.
double inverse(double size) noexcept {
  const double result = 1 / size;
  return size > 0 && std::isfinite(result) && std::isfinite(size) ? result : 1;
}

template <class T>
Dense<T> scaled(const Dense<T>& from, const std::vector<double>& shift, const std::vector<double>& scale) {
  Dense<T> to{from.rows, from.cols, Buffer<T>(from.rows * from.cols)};
  const std::size_t block = 1024;
  parallel_for((from.rows + block - 1) / block, 0, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(from.rows, (b + 1) * block); ++i)
      for (std::size_t j = 0; j < from.cols; ++j)
        to.values[i * from.cols + j] =
            T((double(from.row(i)[j]) - (shift.empty() ? 0 : shift[j])) * scale[j]);
  });
  return to;
}

template <class T>
Sparse<T> scaled(const Sparse<T>& from, const std::vector<double>&, const std::vector<double>& scale) {
  Sparse<T> to{from.rows, from.cols, Buffer<std::size_t>(from.rows + 1),
               Buffer<std::int32_t>(from.indices.size()), Buffer<T>(from.values.size())};
  std::copy(from.starts.begin(), from.starts.end(), to.starts.begin());
  std::copy(from.indices.begin(), from.indices.end(), to.indices.begin());
  for (std::size_t k = 0; k < from.values.size(); ++k)
    to.values[k] = T(double(from.values[k]) * scale[std::size_t(from.indices[k])]);
  return to;
}

}  // namespace

Scaling Scaling::fit(Kind kind, const Points& points) {
  Scaling scaling;
  scaling.kind_ = kind;
  if (kind == Kind::none) return scaling;
  const bool standard = kind == Kind::standard;
  const auto n = double(points.rows());
  const auto fit_dense = [&](const auto& dense) {
    for (const Moments& column : moments_of(dense)) {
      const double spread = standard ? std::sqrt(column.squares / n) : column.high - column.low;
      const bool constant = !(column.high > column.low);
      scaling.shift_.push_back(constant ? 0 : standard ? column.mean : column.low);
      scaling.scale_.push_back(constant ? 1 : inverse(spread));
    }
  };
  const auto fit_sparse = [&](const auto& sparse) {
    for (const Sizes& column : sizes_of(sparse)) {
      const bool constant = column.same == sparse.rows;
      const double size = standard ? std::sqrt(column.squares / n) : column.largest;
      scaling.scale_.push_back(constant ? 1 : inverse(size));
    }
  };
  std::visit(
      [&](const auto& storage) {
        if constexpr (requires { storage.starts; })
          fit_sparse(storage);
        else
          fit_dense(storage);
      },
      points.storage());
  return scaling;
}

Scaling::Kind Scaling::kind_named(const std::string& name) {
  static const std::array<std::string, 3> names = {"none", "standard", "minmax"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return Kind(found - names.begin());
  const std::string near = nearest_word(name, names);
  throw Error(ErrorKind::usage, fmt::format("unknown scaling '{}'; {}it is none, standard or minmax", name,
                                            near.empty() ? "" : fmt::format("did you mean '{}'? ", near)));
}

Points Scaling::apply(const Points& points) const {
  if (kind_ == Kind::none) return points;
  if (points.cols() != scale_.size())
    throw Error(ErrorKind::usage, fmt::format("scaling: it was fitted to {} columns; these points have {}",
                                              scale_.size(), points.cols()));
  if (points.sparse() && !shift_.empty()) return apply(points.to_dense());  // fitted to dense points: a shift fills the zeros
  return points.with_numbers(
      std::visit([&](const auto& storage) { return Points::Storage(scaled(storage, shift_, scale_)); }, points.storage()));
}

}  // namespace mercer
