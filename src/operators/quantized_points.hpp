// Points whose coordinates are small whole multiples of one number: images, counts, one-hot columns. Their
// dot products are whole numbers too, and can be computed exactly in narrower arithmetic than the kernel's:
// by counting bits where there are only zeros and ones (a word of 32 coordinates takes as long as two of
// float32), in bytes where the multiples span at most 256 values (four times as fast as float32;
// operators/byte_matrix.hpp), else in float32.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mercer/kernel.hpp"
#include "operators/byte_matrix.hpp"

namespace mercer {

/// How points are whole; decided once from both sides of a product. unit = 0: not, or nothing is gained.
struct Wholeness {
  double unit = 0;
  bool bits = false;  ///< all are 0 or the unit
  bool bytes = false;
  ByteWay way = ByteWay::none;  ///< of bytes: how their products are made
  std::int32_t lowest = 0;      ///< multiple; bytes: the least of all
};

/// `memory`: what the copies may take.
Wholeness find_wholeness(const Points& a, const Points& b, Precision precision, std::size_t memory);

class QuantizedPoints {
 public:
  QuantizedPoints(const Points& points, const Wholeness& wholeness, int threads = 1);
  QuantizedPoints gather(std::span<const std::size_t> chosen) const;

  double squared_norm(std::size_t i) const;
  double squared_distance(std::size_t i, const QuantizedPoints& other, std::size_t j) const;
  /// out[i · stride + j] = the dot product of own point rows.begin + i and the other's columns.begin + j.
  template <class T>
  void products(Range rows, const QuantizedPoints& other, Range columns, T* out, std::size_t stride) const;

  /// Whether T holds every dot product, squared norm and squared distance of bytes as it is.
  template <class T>
  bool sums_are_exact() const {
    int exponent = 0;
    return (how_.bits || how_.bytes) && std::frexp(how_.unit, &exponent) == 0.5 &&
           largest_norm() < (std::int64_t(1) << std::numeric_limits<T>::digits) / 4;
  }

  bool bytes() const noexcept { return how_.bytes; }
  bool bits() const noexcept { return how_.bits; }
  /// Of bits: the words of a point, 32 coordinates each, and of all points from the i-th on.
  std::size_t words() const noexcept { return (cols_ + 31) / 32; }
  const std::uint32_t* words_from(std::size_t i) const noexcept { return bits_.data() + i * words(); }
  double unit() const noexcept { return how_.unit; }
  /// Of bits and bytes: at least the squared norm of any of the points, in units².
  std::int32_t largest_norm() const noexcept { return largest_norm_; }
  /// Of bytes: out[i][j] = table[the squared distance of those points in units²]. The table covers them all.
  template <class T>
  void look_up_distances(Range rows, const QuantizedPoints& other, Range columns, std::span<const T> table,
                         T* const* out) const;

 private:
  QuantizedPoints() = default;
  template <class T>
  void bit_products(Range rows, const QuantizedPoints& other, Range columns, T* out,
                    std::size_t stride) const;
  std::int32_t row_term(std::size_t i) const { return (128 + how_.lowest) * sums_[i]; }
  std::int32_t column_term(std::size_t j) const {
    return how_.lowest * (sums_[j] + std::int32_t(cols_) * how_.lowest);
  }
  void convert(std::size_t i, std::span<const double> row);

  Wholeness how_;
  std::size_t rows_ = 0, cols_ = 0;
  Buffer<std::uint32_t> bits_;       // rows × words
  Buffer<float> floats_;             // rows × cols multiples, where neither bits nor bytes
  ByteMatrix bytes_;                 // multiple − lowest
  std::vector<std::int32_t> sums_;   // of these, per point
  std::vector<std::int32_t> norms_;  // of the multiples squared, per point
  std::int32_t largest_norm_ = 0;    // of these, or of those they were gathered from
};

}  // namespace mercer
