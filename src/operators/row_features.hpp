// Features by rows: φ of the points, held where the memory allows it, else computed anew, block by block, for
// every product. So n × p numbers are never needed: p² and a few blocks of rows are. Nyström features that
// are not held are not even computed: products with them follow from kernel values (landmark_features.hpp).
#pragma once

#include <memory>
#include <optional>

#include "mercer/fit.hpp"  // which names RowFeatures, hidden, before it is defined
#include "operators/feature_operator.hpp"
#include "operators/landmark_features.hpp"
#include "operators/row_map.hpp"

namespace mercer {

class RowFeatures final : public FeatureOperator {
 public:
  /// `memory`: bytes that Φ may take, to be held.
  RowFeatures(std::shared_ptr<const RowMap> map, Points points, int threads, std::size_t memory);
  /// The columns themselves, or the sparse features of objects, held. None where the kernel, which must be
  /// resolved, has no such features of these points.
  static std::optional<RowFeatures> of(const Kernel& kernel, const Points& points, int threads);

  std::size_t rows() const noexcept override { return points_.rows(); }
  std::size_t features() const noexcept override { return map_->features() + (constant_ != 0); }
  void multiply(std::span<const double> W, std::size_t k, std::span<double> out) const override;
  void multiply_transposed(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  void pass(std::span<const double> W, std::size_t k, const RowTask& task,
            std::span<double> out) const override;
  /// The same from kernel values in float32 where they are computed again, else as pass().
  void rough_pass(std::span<const double> W, std::size_t k, const RowTask& task,
                  std::span<double> out) const {
    landmarks() ? by_landmarks().pass<float>(W, k, task, out) : pass(W, k, task, out);
  }
  Buffer<double> normal_matrix(std::span<const double> s, bool /* rough */ = false) const override {
    return normal_matrix_with({}, 0, s, {});
  }
  /// [Φ, V]ᵀ S² [Φ, V] for V of n × k, as normal_matrix(): in one pass over the rows. `progress` may throw.
  Buffer<double> normal_matrix_with(std::span<const double> V, std::size_t k, std::span<const double> s,
                                    const std::function<void(double done)>& progress) const;
  /// The same in float32, where that is cheaper to compute.
  Buffer<float> rough_normal_matrix_with(std::span<const double> V, std::size_t k, std::span<const double> s,
                                         const std::function<void(double done)>& progress) const;

  bool exact() const noexcept { return map_->exact(); }  ///< K = ΦΦᵀ, not only nearly
  bool held() const noexcept { return held_.has_value(); }
  /// φ(x) = L⁻¹ k(Z, x), where it is that and not held; else null.
  const LandmarkForm* landmarks() const noexcept { return held_ ? nullptr : map_->landmark_form(); }
  /// Φ as points, without the constant: what is held, or made now.
  Points table() const { return held_ ? *held_ : map_->rows_of(points_, threads_); }
  /// φ of other points.
  Points rows_of(const Points& points) const { return map_->rows_of(points, threads_); }
  /// Rows p with k(p, x) = wᵀφ(x), one for each row w of `weights`; none where no point has such features.
  std::optional<Points> points_of(const Dense<double>& weights, const Points& like) const {
    return map_->points_of(weights, like);
  }
  /// Some of the rows.
  RowFeatures select(std::span<const std::size_t> rows) const;
  /// One more feature, the same for all rows.
  RowFeatures with_constant(double value) const;
  std::vector<double> squared_norms() const;  ///< ‖φ(x)‖² of each row
  /// Their mean.
  double mean_square() const;

  /// Bytes that products and a factor of ΦᵀΦ take beside Φ.
  static std::size_t bytes(std::size_t rows, std::size_t features) {
    return sizeof(double) * 4 * features * features + std::min(block_bytes, table_bytes(rows, features));
  }
  static std::size_t table_bytes(std::size_t rows, std::size_t features) {
    return sizeof(double) * rows * features;
  }

 private:
  static constexpr std::size_t block_bytes = std::size_t(1) << 26;  // of rows that are computed at a time

  RowFeatures(std::shared_ptr<const RowMap> map, Points points, std::optional<Points> held, int threads)
      : map_(std::move(map)), points_(std::move(points)), held_(std::move(held)), threads_(threads) {}
  /// Rows of a block; the cut depends on the shape alone.
  std::size_t step() const noexcept;
  std::size_t blocks() const noexcept { return (rows() + step() - 1) / step(); }
  Range block(std::size_t b) const noexcept { return {b * step(), std::min(rows(), (b + 1) * step())}; }
  void fill(Range rows, double* out, std::size_t stride) const;
  const double* tile(Range rows, Buffer<double>& room) const;
  /// Where there are landmarks().
  LandmarkFeatures by_landmarks() const {
    return {std::shared_ptr<const LandmarkForm>(map_, landmarks()), points_, constant_, threads_};
  }

  std::shared_ptr<const RowMap> map_;
  Points points_;
  std::optional<Points> held_;
  double constant_ = 0;
  int threads_;
};

}  // namespace mercer
