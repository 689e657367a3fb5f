// What gives the entries of K behind a KernelOperator: tiles computed on demand, a matrix that is held,
// columns that are cached, entries rounded from float64, or a matrix that was given. A backend over the ranks
// of a cluster would be one more.
#pragma once

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "mercer/buffer.hpp"
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

/// Throws Error{data} where the points have other columns than the reference points.
void check_shapes(const Points& rows, const Points& reference);

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
  virtual bool cheap() const noexcept { return false; }

  virtual void diagonal(std::span<T> out) const = 0;
  /// out[i · stride + j] = K[rows.begin + i, columns.begin + j].
  virtual void tile(Range rows, Range columns, T* out, std::size_t stride) const = 0;
  virtual void columns(std::span<const std::size_t> indices, T* out) const = 0;
  virtual void block(std::span<const std::size_t> indices, Range columns, std::span<T* const> rows) const = 0;
  virtual void add_products(std::span<const std::size_t> indices, std::span<const double> t, Range columns,
                            double* sums) const;
  virtual void add_mutual_products(Range rows, Range columns, std::span<const double> t, double* sums) const;
  virtual bool add_sums(Range, std::span<const T>, std::size_t, Range, double*) const { return false; }
  virtual void square(std::span<const std::size_t> indices, T* out) const = 0;
  virtual std::shared_ptr<const KernelBackend> select(std::span<const std::size_t> indices) const = 0;
  /// Other rows beside the same columns; null where entries are kept.
  virtual std::shared_ptr<const KernelBackend> with_rows(const Points&) const { return nullptr; }
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

/// The columns of K that were used last, within a budget (least recently used leaves first).
template <class T>
class ColumnCache {
 public:
  ColumnCache(std::size_t length, std::size_t memory)
      : length_(length), capacity_(length ? memory / (length * sizeof(T)) : 0) {}

  /// out[j · length] … = column indices[j]. compute(missing, to) makes those that are not here.
  template <class Compute>
  void fetch(std::span<const std::size_t> indices, std::span<T> out, Compute compute) {
    std::scoped_lock lock(mutex_);
    std::vector<std::size_t> missing, places;
    for (std::size_t j = 0; j < indices.size(); ++j) {
      const auto found = columns_.find(indices[j]);
      if (found == columns_.end()) {
        missing.push_back(indices[j]);
        places.push_back(j);
        continue;
      }
      order_.splice(order_.begin(), order_, found->second.position);
      std::copy_n(found->second.numbers.data(), length_, out.data() + j * length_);
    }
    if (missing.empty()) return;
    Buffer<T> made(missing.size() * length_);
    compute(missing, made.data());
    for (std::size_t k = 0; k < missing.size(); ++k) {
      std::copy_n(made.data() + k * length_, length_, out.data() + places[k] * length_);
      keep(missing[k], made.data() + k * length_);
    }
  }

  std::size_t size() const noexcept { return columns_.size(); }
  std::size_t capacity() const noexcept { return capacity_; }

 private:
  struct Column {
    Buffer<T> numbers;
    std::list<std::size_t>::iterator position;
  };

  void keep(std::size_t index, const T* numbers) {
    if (capacity_ == 0 || columns_.contains(index)) return;
    Buffer<T> storage;
    if (columns_.size() == capacity_) {  // the oldest column's memory serves the new one
      storage = std::move(columns_.at(order_.back()).numbers);
      columns_.erase(order_.back());
      order_.pop_back();
    } else {
      storage = Buffer<T>(length_);
    }
    std::copy_n(numbers, length_, storage.data());
    order_.push_front(index);
    columns_.emplace(index, Column{std::move(storage), order_.begin()});
  }

  std::mutex mutex_;
  std::size_t length_, capacity_;
  std::list<std::size_t> order_;  // most recently used first
  std::unordered_map<std::size_t, Column> columns_;
};

}  // namespace mercer
