// φ, what turns points into rows of features: the columns themselves, sparse features of objects, monomials,
// or an approximation (Nyström, Fourier, sketch). Each is made by the function in its own header.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "base/parallel.hpp"
#include "mercer/feature_map.hpp"  // which names RowMap, hidden, before it is defined

namespace mercer {

struct LandmarkForm;

class RowMap {
 public:
  virtual ~RowMap() = default;
  virtual std::size_t features() const noexcept = 0;
  virtual bool exact() const noexcept { return false; }  ///< φ(x)ᵀφ(z) = k(x, z), not only nearly
  /// φ of every row, dense or sparse; the points have the map's columns.
  virtual Points rows_of(const Points& points, int threads) const = 0;
  /// φ(x) = L⁻¹ k(Z, x) with landmarks Z, where it is that (operators/landmark_features.hpp): products with Φ
  /// then follow from kernel values alone. Else null.
  virtual const LandmarkForm* landmark_form() const noexcept { return nullptr; }
  /// Rows p with k(p, x) = wᵀφ(x), one for each row w of `weights`. None where no point has such features.
  virtual std::optional<Points> points_of(const Dense<double>& /* weights */,
                                          const Points& /* like */) const {
    return std::nullopt;
  }
};

/// A map whose features are dense.
class DenseMap : public RowMap {
 public:
  /// out (points.rows() × features, row-major) = φ of every row.
  virtual void apply(const Points& points, int threads, double* out) const = 0;
  Points rows_of(const Points& points, int threads) const override {
    Dense<double> rows{points.rows(), features(), Buffer<double>(points.rows() * features())};
    apply(points, threads, rows.values.data());
    return Points(std::move(rows));
  }
};

/// Some rows that follow each other.
inline Points rows_between(const Points& points, Range range) {
  std::vector<std::size_t> rows(range.size());
  std::iota(rows.begin(), rows.end(), range.begin);
  return points.select_rows(rows);
}

/// Calls task(range) for ranges that together are all rows. The cut depends on the number of rows alone.
inline void for_row_blocks(std::size_t rows, int threads, const std::function<void(Range)>& task) {
  constexpr std::size_t step = 128;
  parallel_for((rows + step - 1) / step, threads, [&](std::size_t b) {
    task({b * step, std::min(rows, (b + 1) * step)});
  });
}

}  // namespace mercer
