// One tile of K: each distinct statistic once, then the whole formula while the tile is in cache.
#pragma once

#include <optional>
#include <vector>

#include "base/pool.hpp"
#include "operators/packed_points.hpp"
#include "operators/simd/evaluate.hpp"
#include "operators/simd/gaussian_tile.hpp"

namespace mercer {

template <class T>
class TileEngine {
 public:
  TileEngine(const CompiledKernel& program, std::string kernel_text, OverflowFlag noted = {});

  /// A kernel of ‖x − z‖² alone has few values on points of small whole numbers: one for each distance there
  /// can be. Where that is so for these two sides, and any gathered from them, its values are computed once
  /// and looked up from now on.
  void tabulate(const PackedPoints<T>& a, const PackedPoints<T>& b);

  /// out[i · stride + j] = k(aᵢ, bⱼ) for i in `rows` and j in `columns`. Error{data} where one is not finite.
  void compute(const PackedPoints<T>& a, Range rows, const PackedPoints<T>& b, Range columns, T* out,
               std::size_t stride) const;
  /// rows[i][j − columns.begin] = k(aᵢ, bⱼ) for all of a: rows that lie anywhere.
  void compute(const PackedPoints<T>& a, const PackedPoints<T>& b, Range columns,
               std::span<T* const> rows) const;

  /// Lays out columns for tiles of few rows, which would take longer to do so than to be computed.
  void lay_out(const PackedPoints<T>& b);

  /// Whether sums over the rows of tiles with these columns are made without the tiles.
  bool adds(const PackedPoints<T>& b) const;
  /// sums[j − columns.begin] += Σᵢ t[i]·k(aᵢ, bⱼ), where it is so.
  void add(const PackedPoints<T>& a, std::span<const double> t, const PackedPoints<T>& b, Range columns,
           double* sums) const;
  /// sums[c · columns.size() + j − columns.begin] += Σᵢ V[i · width + c]·k(aᵢ, bⱼ) for c < width and i in
  /// `rows`, where it is so.
  void add(const PackedPoints<T>& a, Range rows, std::span<const T> V, std::size_t width,
           const PackedPoints<T>& b, Range columns, double* sums) const;
  /// sums[i] += Σⱼ t[j]·k(aᵢ, aⱼ) and sums[j] += Σᵢ t[i]·k(aᵢ, aⱼ), i in `rows` and j in `columns`, which
  /// share nothing, where it is so.
  void add_mutual(const PackedPoints<T>& a, Range rows, Range columns, std::span<const double> t,
                  double* sums) const;

 private:
  struct Scratch {
    std::vector<Buffer<T>> statistics;  // each rows × columns of the tile
    std::vector<T*> rows;
    Buffer<T> registers, transposed, left_panel, right_panel, product;
    Buffer<double> tile;
    std::vector<std::size_t> starts;  // the columns' non-zeros by coordinate
    std::vector<std::int32_t> points;
    std::vector<T> numbers, left, right, terms;
  };
  struct Tile {
    const PackedPoints<T>&a, &b;
    Range rows, columns;
    T* const* out;                                                     // of each row
    bool turned() const { return a.is_reference && !b.is_reference; }  // as tiles of columns() are
  };

  void compute(const Tile& t, T* first_statistic, std::size_t stride, Scratch& scratch) const;
  void fill_statistic(const CompiledKernel::Statistic& statistic, std::size_t number, const Tile& t, T* out,
                      std::size_t stride, Scratch& scratch) const;
  void panel_products(const PackedMatrix<T>& a, const PackedMatrix<T>& b, const Tile& t, T* out,
                      std::size_t stride, Scratch& scratch) const;
  template <class SumRow>
  void by_coordinate(const PackedMatrix<T>& a, const PackedMatrix<T>& b, const Tile& t, T* out,
                     std::size_t stride, Scratch& scratch, const SumRow& sum_row) const;
  void dense_sums(const PackedMatrix<T>& a, const PackedMatrix<T>& b, const simd::Bytecode<T>& bytecode,
                  const Tile& t, T* out, std::size_t stride, Scratch& scratch) const;
  void sparse_sums(const PackedMatrix<T>& a, const PackedMatrix<T>& b, const simd::Bytecode<T>& bytecode,
                   const Tile& t, T* out, std::size_t stride, Scratch& scratch) const;
  template <class Meet>
  void sparse_meetings(const PackedMatrix<T>& a, const PackedMatrix<T>& b, const Tile& t, T* out,
                       std::size_t stride, Scratch& scratch, const Meet& meet) const;
  simd::GaussianTile<T> gaussian_tile(const PackedPoints<T>& a, Range rows, const PackedPoints<T>& b,
                                      Range columns) const;
  void run_formula(const Tile& t, const std::vector<const T*>& statistics,
                   const std::vector<std::size_t>& strides, Scratch& scratch) const;
  void refuse_overflow(const Tile& t, std::size_t row, std::size_t column, T value) const;

  /// A formula that is factor·exp(p·‖x − z‖² + q) and nothing else, with p ≤ 0 and a positive factor.
  struct Gaussian {
    std::size_t view, norm;  // norm: the number of the value that holds the squared norms
    T p, q, factor;
  };

  const CompiledKernel& program_;
  simd::Bytecode<T> bytecode_;
  std::optional<Gaussian> gaussian_;
  Buffer<T> panels_;             // of the numbers at …
  const T* laid_out_ = nullptr;  // … here; null: of none
  std::vector<T> table_;         // by the squared distance in units²; empty: not tabulated
  std::vector<simd::Bytecode<T>> coordinate_bytecode_, pair_bytecode_;  // as CompiledKernel::statistics
  const simd::Functions& simd_;
  std::string kernel_text_;
  OverflowFlag noted_;
  mutable Pool<Scratch> idle_;
};

}  // namespace mercer
