// Points of unsigned bytes and their products, exact in 32 bits. There are two ways to make them: loops of
// our own over columns that are laid out once (operators/simd/byte_product.hpp), and oneDNN's product, which
// lays them out in every call but knows matrix instructions (AMX), too. The sums are the same bits.
#pragma once

#include <cstdint>
#include <span>

#include "mercer/buffer.hpp"
#include "mercer/kernel.hpp"

namespace mercer {

enum class ByteWay { none, panels, onednn };

/// How products of bytes up to `highest` are made on this processor; `numbers`: how many bytes there are. Our
/// loops, where the processor has dot products of bytes, but where it has matrix instructions as well and
/// there is much to do, whichever is found to be faster. None: their sums may not be exact.
ByteWay way_of_bytes(double highest, double numbers);

/// Sums of products of some rows and columns.
struct ByteSums {
  Buffer<std::int32_t> numbers;
  std::size_t stride = 0, first = 0;
  const std::int32_t* row(std::size_t i) const { return numbers.data() + i * stride + first; }
};

/// The points are the rows, and as the other side of a product, less 128, the columns.
class ByteMatrix {
 public:
  ByteMatrix() = default;
  ByteMatrix(std::size_t rows, std::size_t cols, ByteWay way);

  std::uint8_t* row(std::size_t i) { return rows_.data() + i * depth_; }
  const std::uint8_t* row(std::size_t i) const { return rows_.data() + i * depth_; }
  /// Takes row i, which was written, as a column, too. Different rows by several threads at once.
  void lay_out(std::size_t i);
  ByteMatrix gather(std::span<const std::size_t> chosen) const;

  /// Σₖ a·b of own bytes a and the other's b less 128.
  ByteSums times(Range rows, const ByteMatrix& other, Range columns) const;

 private:
  ByteWay way_ = ByteWay::none;
  std::size_t cols_ = 0, depth_ = 0;  // depth: bytes of a row, those beyond the last column being 0
  Buffer<std::uint8_t> rows_;
  Buffer<std::int8_t> columns_;  // in panels, or as the rows
};

}  // namespace mercer
