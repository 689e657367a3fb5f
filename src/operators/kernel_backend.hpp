// What gives the entries of K behind a KernelOperator: tiles computed on demand, a matrix that is held,
// columns that are cached, entries rounded from float64, or a matrix that was given. A backend over the ranks
// of a cluster would be one more.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>

#include "mercer/kernel_operator.hpp"
#include "operators/packed_points.hpp"

namespace mercer {

/// Ranges of `step` that together are [0, total).
struct Blocks {
  std::size_t total, step;
  std::size_t count() const { return (total + step - 1) / step; }
  Range operator[](std::size_t i) const { return {i * step, std::min(total, (i + 1) * step)}; }
};

/// All of a symmetric matrix (size × size): blocks of the lower half are computed and mirrored.
template <class T>
void fill_symmetric(Blocks blocks, int threads, const Progress& progress, T* out,
                    const std::function<void(Range rows, Range columns)>& compute);

/// Entries are those of KernelOperator; BLAS is single-threaded while one of these functions runs.
template <class T>
class KernelBackend {
 public:
  explicit KernelBackend(int threads) : threads_(threads) {}
  virtual ~KernelBackend() = default;
  virtual std::size_t rows() const noexcept = 0;
  virtual std::size_t cols() const noexcept = 0;
  virtual bool symmetric() const noexcept = 0;
  virtual std::size_t row_id(std::size_t i) const noexcept = 0;
  virtual const T* held() const noexcept { return nullptr; }

  virtual void diagonal(std::span<T> out) const = 0;
  /// out[i · stride + j] = K[rows.begin + i, columns.begin + j].
  virtual void tile(Range rows, Range columns, T* out, std::size_t stride) const = 0;
  virtual void columns(std::span<const std::size_t> indices, T* out) const = 0;
  virtual void block(std::span<const std::size_t> indices, Range columns, std::span<T* const> rows) const = 0;
  virtual void square(std::span<const std::size_t> indices, T* out) const = 0;
  virtual std::shared_ptr<const KernelBackend> select(std::span<const std::size_t> indices) const = 0;
  /// Rows and columns of a tile at most: whoever asks to stop waits for a tile to end.
  virtual std::size_t largest_tile() const noexcept { return 2048; }

  /// By tiles, whatever gives them.
  void multiply(std::span<const T> V, std::size_t k, std::span<T> out, const Progress& progress) const;
  void matrix(T* out, const Progress& progress) const;
  int threads() const noexcept { return threads_; }

 private:
  int threads_;
};

template <class T>
using Backend = std::shared_ptr<const KernelBackend<T>>;

/// Entries of a kernel expression, computed tile by tile. `columns`: null where K is symmetric.
template <class T>
Backend<T> computed_entries(const Kernel& kernel, const Points& rows, const Points* columns,
                            const OperatorOptions& options, const OverflowFlag& noted);
/// Entries of a matrix that was given: the values of `rows` in the columns that stand for `columns`.
template <class T>
Backend<T> given_entries(const Points& rows, const Points* columns, const OperatorOptions& options,
                         const OverflowFlag& noted);
/// Entries computed in float64 and rounded.
Backend<float> rounded_entries(Backend<double> exact, std::string kernel, const OverflowFlag& noted);
/// All entries, kept in memory.
template <class T>
Backend<T> held_entries(Backend<T> entries, const Progress& progress);
/// The columns used last, within `memory` bytes.
template <class T>
Backend<T> cached_entries(Backend<T> entries, std::size_t memory);

}  // namespace mercer
