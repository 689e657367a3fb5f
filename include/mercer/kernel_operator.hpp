// The Gram matrix K, K[i, j] = k(xᵢ, zⱼ), as an operator. Nothing that uses it knows what a point is.
// Entries are the same bits for any number of threads. A kernel is taken to be symmetric: columns() may
// compute k(z, x) for k(x, z).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mercer/kernel.hpp"
#include "mercer/progress.hpp"

namespace MERCER_EXPORT mercer {

struct OperatorOptions {
  enum class Storage {
    automatic,   ///< held where K fits the memory given, else cached
    held,        ///< the whole of K, computed at once
    cached,      ///< the columns used last, as many as the memory allows
    recomputed,  ///< nothing is kept
  };
  Storage storage = Storage::recomputed;
  std::size_t memory = std::size_t(1) << 30;  ///< bytes for what is kept
  int threads = 0;                            ///< 0: all
  /// KernelOperator<float>: compute in float64 and round the result. Slower; for data on which float32 is not
  /// enough.
  bool float64_inside = false;
  /// Bytes of dense points of which copies may be made, in another precision or order; larger ones are read
  /// where they are.
  std::size_t largest_copy = std::size_t(128) << 20;
  /// An entry's bits depend on its two points alone, not on the others beside them: for rows that come in
  /// parts. Kernels over the members of sets keep that to rounding only.
  bool pairs_alone = false;
  /// Notes in finite() that a point or an entry is not finite in T, instead of throwing: for those who try
  /// float32 first. What is computed after that means nothing.
  bool note_overflow = false;
  std::vector<std::size_t> row_ids = {};  ///< the rows' numbers in messages, from 0; none: their order
  Progress progress = {};
};

template <class T>  // float or double
class KernelOperator {
 public:
  /// K of the points with themselves: symmetric.
  KernelOperator(const Kernel& kernel, const Points& points, const OperatorOptions& options = {});
  /// K between two sets. The columns are the reference: center(k) takes its mean over them, and `scale`,
  /// `auto` and `median` are resolved on them.
  KernelOperator(const Kernel& kernel, const Points& rows, const Points& columns,
                 const OperatorOptions& options = {});
  KernelOperator(KernelOperator&&) noexcept;
  KernelOperator& operator=(KernelOperator&&) noexcept;
  ~KernelOperator();

  /// K[indices, indices] of a symmetric K, as an operator that computes the same entries to the bit.
  KernelOperator select(std::span<const std::size_t> indices) const;

  /// K between other rows and the same columns, which are not made ready again. Of a K between two sets that
  /// keeps no entries (Storage::recomputed). The layout of the points stays that of the rows before: these
  /// should be dense or sparse, few or many, as those were.
  KernelOperator with_rows(const Points& rows) const;

  std::size_t rows() const noexcept;
  std::size_t cols() const noexcept;
  bool symmetric() const noexcept;
  std::size_t row_id(std::size_t i) const noexcept;  ///< the number of row i in messages, from 0
  const Kernel& kernel() const noexcept;             ///< resolved
  OperatorOptions::Storage storage() const noexcept;
  bool cheap() const noexcept;     ///< an entry takes a few nanoseconds: less than to find it in memory
  bool finite() const noexcept;    ///< false once something was noted: OperatorOptions::note_overflow
  const T* held() const noexcept;  ///< K, rows() × cols() row-major, where it is held; else null

  /// k(xᵢ, xᵢ) for all i; of a symmetric K.
  void diagonal(std::span<T> out) const;
  /// out = K[rows, columns], row-major.
  void tile(Range rows, Range columns, std::span<T> out) const;
  /// Whole columns: out[j · rows() + i] = K[i, indices[j]].
  void columns(std::span<const std::size_t> indices, std::span<T> out) const;
  /// rows[i] = K[indices[i], columns], each where its pointer says, computed by the calling thread alone.
  void block(std::span<const std::size_t> indices, Range columns, std::span<T* const> rows) const;
  /// sums[j] += Σᵢ t[i]·K[indices[i], columns.begin + j], computed by the calling thread alone: what a
  /// function with coefficients t is at those points. Sums of a few rows may be made in T; these are added up
  /// in float64.
  void add_products(std::span<const std::size_t> indices, std::span<const double> t, Range columns,
                    std::span<double> sums) const;
  /// sums[i] += Σⱼ t[j]·K[i, j] and sums[j] += Σᵢ t[i]·K[i, j] of a symmetric K, i in `rows` and j in
  /// `columns`, two ranges that share nothing: each entry serves twice. t and sums are over all points.
  /// Computed by the calling thread alone.
  void add_mutual_products(Range rows, Range columns, std::span<const double> t,
                           std::span<double> sums) const;
  /// sums[c · columns.size() + j] += Σᵢ V[i · width + c]·K[rows.begin + i, columns.begin + j] for c < width,
  /// computed by the calling thread alone: several functions at once. Sums of a few rows are made in T, and
  /// these are added up in float64. Only where entries, which are ≥ 0 then, need not be stored: of a Gaussian
  /// kernel over few columns. Elsewhere false, and nothing is done.
  bool add_sums(Range rows, std::span<const T> V, std::size_t width, Range columns,
                std::span<double> sums) const;
  /// out = K[indices, indices] of a symmetric K, row-major. One half is computed and mirrored.
  void square(std::span<const std::size_t> indices, std::span<T> out) const;
  /// out = K·V; V is cols() × k and out rows() × k, row-major.
  void multiply(std::span<const T> V, std::size_t k, std::span<T> out) const;
  /// out = K, row-major. Of a symmetric K one half is computed and mirrored.
  void matrix(std::span<T> out) const;

 private:
  struct MERCER_HIDDEN State;  // the kernel, and the backend that gives the entries
  explicit KernelOperator(std::unique_ptr<const State> state) noexcept;
  std::unique_ptr<const State> state_;
};

/// Where `count` rows begin that lie `stride` apart, for KernelOperator::block().
template <class T>
std::vector<T*> row_pointers(T* first, std::size_t count, std::size_t stride) {
  std::vector<T*> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = first + i * stride;
  return rows;
}

extern template class KernelOperator<float>;
extern template class KernelOperator<double>;

}  // namespace mercer
