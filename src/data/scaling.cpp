#include "mercer/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/copy_of.hpp"
#include "base/disk_arrays.hpp"
#include "base/parallel.hpp"
#include "data/density.hpp"
#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

/// What the rows of a block say about one column. Means are updated as Welford (1962) does, so that a column
/// far from 0 keeps its variance, and blocks are joined as Chan, Golub & LeVeque (1983) do.
struct ColumnMoments {
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
  void add(const ColumnMoments& other) noexcept {
    if (other.count == 0) return;
    const double total = count + other.count, delta = other.mean - mean;
    mean += delta * (other.count / total);
    squares += other.squares + delta * delta * (count * other.count / total);
    count = total;
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

/// Row i; a sparse one is spread out into `scratch`.
template <class T>
const T* dense_row_of(const Dense<T>& dense, std::size_t i, std::vector<T>&) noexcept {
  return dense.row(i);
}
template <class T>
const T* dense_row_of(const Sparse<T>& sparse, std::size_t i, std::vector<T>& scratch) {
  scratch.assign(sparse.cols, T(0));
  for (std::size_t k = sparse.starts[i]; k < sparse.starts[i + 1]; ++k)
    scratch[std::size_t(sparse.indices[k])] = sparse.values[k];
  return scratch.data();
}

/// Of every number, in the same order for dense and sparse points, so that both give the same bits.
std::vector<ColumnMoments> moments_of_rows(const auto& points) {
  const std::size_t block = std::max<std::size_t>(1024, points.rows / 64 + 1);
  std::vector<std::vector<ColumnMoments>> partial((points.rows + block - 1) / block);
  parallel_blocks(points.rows, block, 0, [&](std::size_t first, std::size_t last) {
    std::vector<ColumnMoments>& part = partial[first / block];
    part.resize(points.cols);
    std::vector<std::remove_cvref_t<decltype(points.values[0])>> scratch;
    for (std::size_t i = first; i < last; ++i) {
      const auto* row = dense_row_of(points, i, scratch);
      for (std::size_t j = 0; j < points.cols; ++j) part[j].add(double(row[j]));
    }
  });
  std::vector<ColumnMoments> moments(points.cols);
  for (const auto& part : partial)
    for (std::size_t j = 0; j < points.cols; ++j) moments[j].add(part[j]);
  return moments;
}

/// Of the stored numbers; then the zeros that are not stored are added at once.
template <class T>
std::vector<ColumnMoments> moments_of_stored(const Sparse<T>& sparse) {
  std::vector<ColumnMoments> moments(sparse.cols);
  for (std::size_t k = 0; k < sparse.values.size(); ++k)
    moments[std::size_t(sparse.indices[k])].add(double(sparse.values[k]));
  for (ColumnMoments& column : moments)
    if (const double zeros = double(sparse.rows) - column.count; zeros > 0)
      column.add(ColumnMoments{.count = zeros, .low = 0, .high = 0});
  return moments;
}

/// 1 / size, or 1 where that is no use: the column is constant, or so small that dividing overflows.
double inverse(double size) noexcept {
  const double result = 1 / size;
  return size > 0 && std::isfinite(result) && std::isfinite(size) ? result : 1;
}

template <class T>
Dense<T> scaled(const Dense<T>& from, const std::vector<double>& shift, const std::vector<double>& scale) {
  Dense<T> to{from.rows, from.cols, Buffer<T>(from.rows * from.cols)};
  parallel_blocks(from.rows, 1024, 0, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t j = 0; j < from.cols; ++j)
        to.values[i * from.cols + j] =
            T((double(from.row(i)[j]) - (shift.empty() ? 0 : shift[j])) * scale[j]);
  });
  return to;
}

template <class T>
Dense<T> scaled_dense(const Sparse<T>& from, const std::vector<double>& shift,
                      const std::vector<double>& scale) {
  std::vector<T> zero(from.cols);  // a row of zeros, scaled
  for (std::size_t j = 0; j < from.cols; ++j) zero[j] = T((0 - shift[j]) * scale[j]);
  Dense<T> to{from.rows, from.cols, Buffer<T>(checked_product(from.rows, from.cols))};
  parallel_blocks(from.rows, 1024, 0, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      T* row = to.values.data() + i * from.cols;
      std::copy(zero.begin(), zero.end(), row);
      for (std::size_t k = from.starts[i]; k < from.starts[i + 1]; ++k) {
        const auto j = std::size_t(from.indices[k]);
        row[j] = T((double(from.values[k]) - shift[j]) * scale[j]);
      }
    }
  });
  return to;
}

template <class T>
Sparse<T> scaled(const Sparse<T>& from, const std::vector<double>&, const std::vector<double>& scale) {
  Sparse<T> to{from.rows, from.cols, copy_of(from.starts), copy_of(from.indices),
               Buffer<T>(from.values.size())};
  for (std::size_t k = 0; k < from.values.size(); ++k)
    to.values[k] = T(double(from.values[k]) * scale[std::size_t(from.indices[k])]);
  return to;
}

}  // namespace

Scaling Scaling::fit(Kind kind, const Points& points) {
  Scaling scaling;
  scaling.kind_ = kind;
  if (kind == Kind::none) return scaling;
  const bool standard = kind == Kind::standard, shifts = may_be_dense(points);
  const auto n = double(points.rows());
  const std::vector<ColumnMoments> moments = std::visit(
      [&](const auto& storage) {
        if constexpr (requires { storage.starts; })
          if (!shifts) return moments_of_stored(storage);
        return moments_of_rows(storage);
      },
      points.storage());
  for (const ColumnMoments& column : moments) {
    const double spread = standard ? std::sqrt(column.squares / n) : column.high - column.low;
    const double middle = standard ? column.mean : column.low;
    const bool usable = std::isfinite(middle) && std::isfinite(spread) && n > 0;
    if (shifts) scaling.shift_.push_back(usable ? middle : 0);
    scaling.scale_.push_back(usable && column.high > column.low ? inverse(spread) : 1);
  }
  return scaling;
}

std::string Scaling::note() const {
  if (kind_ == Kind::none || scale_.empty() || !shift_.empty()) return {};
  const bool standard = kind_ == Kind::standard;
  return fmt::format(
      "scaling {}: the sparse rows are too large to fill in their zeros, so that each column is divided by "
      "its {}, but its {} is not subtracted; kernels of distances such as rbf do not see the difference",
      standard ? "standard" : "minmax", standard ? "standard deviation" : "maximum − minimum",
      standard ? "mean" : "minimum");
}

Scaling::Kind Scaling::kind_named(const std::string& name) {
  static const std::array<std::string, 3> names = {"none", "standard", "minmax"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return Kind(found - names.begin());
  const std::string near = nearest_word(name, names);
  throw Error(ErrorCode::unknown_name, fmt::format("unknown scaling '{}'", name),
              {.hint = fmt::format("{}it is none, standard or minmax",
                                   near.empty() ? "" : fmt::format("did you mean '{}'? ", near))});
}

Points Scaling::apply(const Points& points) const {
  if (kind_ == Kind::none) return points;
  if (points.cols() != scale_.size())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("scaling: it was fitted to {} columns", scale_.size()),
                {.hint = fmt::format("these points have {}", points.cols())});
  return points.with_numbers(std::visit(
      [&](const auto& storage) -> Points::Storage {
        const OnDiskAs as_before(storage.values.data());
        if constexpr (requires { storage.starts; })
          if (!shift_.empty()) return scaled_dense(storage, shift_, scale_);
        return scaled(storage, shift_, scale_);
      },
      points.storage()));
}

}  // namespace mercer
