// The inputs x₁ … xₙ: rows of numbers, dense or sparse, in float32 or float64, and beside the numbers columns
// of objects (texts, graphs, …) where there are any. Immutable and cheap to copy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "mercer/buffer.hpp"
#include "mercer/objects.hpp"

namespace MERCER_EXPORT mercer {

template <class T>
struct Dense {
  std::size_t rows = 0, cols = 0;
  Buffer<T> values;  // rows × cols, row-major

  const T* row(std::size_t i) const noexcept { return values.data() + i * cols; }
  T at(std::size_t i, std::size_t column) const noexcept { return row(i)[column]; }
};

/// Compressed sparse rows. Within a row the indices ascend strictly; they are 0-based and below cols.
template <class T>
struct Sparse {
  std::size_t rows = 0, cols = 0;
  Buffer<std::size_t> starts;    // rows + 1; row i is [starts[i], starts[i + 1])
  Buffer<std::int32_t> indices;  // starts[rows]
  Buffer<T> values;              // starts[rows]

  T at(std::size_t i, std::size_t column) const noexcept {
    const std::int32_t *first = indices.data() + starts[i], *last = indices.data() + starts[i + 1];
    // A row without zeros has column c in place c; where some are left out, it stands before.
    const std::int32_t* found = first + std::min(column, std::size_t(last - first));
    if (found == last || *found != std::int32_t(column))
      found = std::lower_bound(first, found, std::int32_t(column));
    return found != last && *found == std::int32_t(column) ? values[std::size_t(found - indices.data())]
                                                           : T(0);
  }
};
template <class T>
inline constexpr bool is_sparse = false;
template <class T>
inline constexpr bool is_sparse<Sparse<T>> = true;

/// What the columns stand for that were found in objects (k-mers, words, …): ascending keys and, where
/// features are weighed by how common they are, a weight of each.
struct Vocabulary {
  std::vector<std::uint64_t> keys = {};
  std::vector<double> weights = {};  ///< one per key, or none
  std::string layout = {};           ///< what all objects have in common, of features that are places
};

enum class Precision { float32, float64 };

class MERCER_HIDDEN RowMemo;

class Points {
 public:
  using Storage = std::variant<Dense<float>, Dense<double>, Sparse<float>, Sparse<double>>;

  Points();
  /// Throws Error{data} where the storage contradicts itself. `names`: one per column, or none.
  explicit Points(Storage storage, std::vector<std::string> names = {});
  /// Objects alone: rows of no numbers.
  explicit Points(Objects objects);
  /// Dense float64 points from nested lists, for small examples.
  explicit Points(const std::vector<std::vector<double>>& rows);

  /// Over numbers elsewhere (a numpy array), which `owner` keeps alive: read where they are, never written.
  /// The last points that read them let go of the owner, in whichever thread that happens.
  template <class T>
  static Points borrow(std::size_t rows, std::size_t cols, std::span<const T> values,
                       const std::shared_ptr<const void>& owner, std::vector<std::string> names = {}) {
    Points points(Dense<T>{rows, cols, {values, owner}}, std::move(names));
    points.borrowed_ = true;
    return points;
  }
  /// Compressed sparse rows likewise, laid out as in Sparse.
  template <class T>
  static Points borrow(std::size_t rows, std::size_t cols, std::span<const std::size_t> starts,
                       std::span<const std::int32_t> indices, std::span<const T> values,
                       const std::shared_ptr<const void>& owner, std::vector<std::string> names = {}) {
    Points points(Sparse<T>{rows, cols, {starts, owner}, {indices, owner}, {values, owner}},
                  std::move(names));
    points.borrowed_ = true;
    return points;
  }
  bool borrowed() const noexcept { return borrowed_; }  ///< the numbers change where their owner changes them

  std::size_t rows() const noexcept;
  std::size_t cols() const noexcept;
  bool sparse() const noexcept;
  Precision precision() const noexcept;
  std::size_t stored() const noexcept;  ///< numbers held: rows × cols, or the non-zeros
  std::size_t bytes() const noexcept;   ///< memory held by the numbers and indices
  const Storage& storage() const noexcept { return *storage_; }
  const std::vector<std::string>& names() const noexcept { return *names_; }
  /// The name of a column, or "column 3" (counted from 1) where it has none.
  std::string name(std::size_t column) const;

  /// Columns of objects, beside those of numbers; each has as many rows.
  const std::vector<Objects>& objects() const noexcept { return *objects_; }
  /// The same rows with these objects. Throws Error{data} where they have other rows, or two columns one
  /// name.
  Points with_objects(std::vector<Objects> objects) const;
  Points with_vocabulary(Vocabulary vocabulary) const;
  /// Empty where columns were not found in objects.
  const Vocabulary& vocabulary() const noexcept { return *vocabulary_; }

  /// The same rows as rows of a kernel matrix that was given: the numbers are values k(x, z), column c those
  /// with the row z whose id is c. Throws Error{data} where there are not as many ids as rows, or one names
  /// no column.
  Points with_ids(std::vector<std::size_t> ids) const;
  /// Of rows of a given kernel matrix, in whatever order they are picked; else empty.
  std::span<const std::size_t> ids() const noexcept {
    return ids_ ? std::span<const std::size_t>(*ids_) : std::span<const std::size_t>();
  }

  /// Row i as a dense float64 vector of cols() numbers.
  void copy_row(std::size_t i, std::span<double> out) const;
  std::vector<double> row(std::size_t i) const;

  /// The chosen rows, in the order given; storage kind and precision are kept.
  Points select_rows(std::span<const std::size_t> rows) const;
  /// The chosen columns of numbers, dense or sparse as before, without the objects.
  Points select_columns(std::span<const std::size_t> columns) const;
  Points to_dense() const;
  Points to_sparse() const;
  Points with_precision(Precision precision) const;

  /// The same rows with other numbers: names, objects, vocabulary and ids stay. They must have as many rows
  /// and columns.
  Points with_numbers(Storage storage) const;

  /// What functions of a program made of these rows (data/row_memo.hpp). Copies share it, and chosen rows
  /// take their part along.
  const RowMemo& memo() const noexcept { return *memo_; }

 private:
  /// The same numbers, stored another way.
  Points with_same_numbers(Storage storage) const;

  std::shared_ptr<const Storage> storage_;
  std::shared_ptr<const std::vector<std::string>> names_;
  std::shared_ptr<const std::vector<Objects>> objects_;
  std::shared_ptr<const Vocabulary> vocabulary_;
  std::shared_ptr<const std::vector<std::size_t>> ids_;
  std::shared_ptr<const RowMemo> memo_;
  bool borrowed_ = false;
};

}  // namespace mercer
