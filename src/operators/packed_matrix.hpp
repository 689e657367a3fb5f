// One view of the points as a factor of products: the layout that the inner loops read.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "operators/quantized_points.hpp"
#include "mercer/kernel.hpp"

namespace mercer {

/// How both sides of a product are laid out; decided once from both, so that they match.
struct Layout {
  bool dense = true;
  std::size_t columns = 0;  ///< of both sides; one with fewer of its own has zeros in the others
  /// Where the mean is far from 0, ‖x‖² + ‖z‖² − 2xᵀz cancels; points are then moved by it. Empty: not moved.
  std::vector<double> centre;
  Wholeness whole = {};
  /// Squared distances are summed over the coordinates: of few, that is faster, and nothing cancels.
  bool direct = false;
  /// There are so many numbers that copies of them are not welcome: products read the points where they are,
  /// in whatever precision and order, some columns at a time.
  bool in_place = false;
  /// Products by our own loops, whatever the depth: an entry's bits are then those of its two points.
  bool own_loops = false;
};

/// Chooses between dense and sparse products by their expected cost per pair, and finds the centre.
/// `reference` gives the mean. `memory`: what dense copies may take. `products_only`: no coordinate is looked
/// at by itself. `minima`: sums of the smaller of two numbers are wanted, which have no matrix product.
/// `largest_copy`: as in OperatorOptions.
Layout choose_layout(const Points& rows, const Points& reference, bool wants_distances, bool products_only,
                     Precision precision, std::size_t memory, bool minima = false,
                     std::size_t largest_copy = SIZE_MAX);

/// One that says nothing of the other points (OperatorOptions::pairs_alone): as they are stored, not moved.
Layout layout_of_pairs(const Points& rows, const Points& reference, bool wants_distances);

template <class T>
struct PackedMatrix {
  std::size_t rows = 0, cols = 0;
  const T* dense = nullptr;                      // rows × cols; null where sparse, empty or in place
  const Sparse<T>* sparse = nullptr;             // or null where dense
  std::shared_ptr<const QuantizedPoints> whole;  // in place of both
  bool direct = false, in_place = false, own_loops = false;  // as in Layout

  PackedMatrix() = default;
  /// `moved`: by the layout's centre.
  PackedMatrix(const Points& points, const Layout& layout, bool moved, int threads = 1);
  /// The chosen rows alone.
  PackedMatrix gather(std::span<const std::size_t> chosen) const;
  /// out (row-major) = some columns of some rows, which are in place.
  void read(Range some_rows, Range columns, T* out) const;

 private:
  Points kept_;  // owner of the numbers, where they are used as they are
  std::shared_ptr<Dense<T>> made_dense_;
  std::shared_ptr<Sparse<T>> made_sparse_;
  std::shared_ptr<const std::vector<std::size_t>> order_;  // in place: which rows of kept_; none: all
  std::shared_ptr<const std::vector<double>> centre_;  // in place: what each row is moved by; none: not moved

  template <class U>
  friend bool same_numbers(const PackedMatrix<U>& a, const PackedMatrix<U>& b);
};

/// Whether two operands share their numbers.
template <class T>
bool same_numbers(const PackedMatrix<T>& a, const PackedMatrix<T>& b) {
  return a.dense == b.dense && a.sparse == b.sparse && a.whole == b.whole && a.in_place == b.in_place &&
         a.order_ == b.order_ && a.centre_ == b.centre_;
}

template <class T>
double squared_norm(const PackedMatrix<T>& points, std::size_t i);
/// ‖aᵢ − bⱼ‖² without cancellation.
template <class T>
double squared_distance(const PackedMatrix<T>& a, std::size_t i, const PackedMatrix<T>& b, std::size_t j);

}  // namespace mercer
