// One set of points made ready for a CompiledKernel: factors of its products, numbers of single points.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "operators/packed_matrix.hpp"
#include "operators/compiled_kernel.hpp"

namespace mercer {

/// Where it is noted that a number is not finite in T; null: that is an Error. Shared by derived operators.
using OverflowFlag = std::shared_ptr<std::atomic<bool>>;

/// Which entry of K, by the numbers of rows in messages, from 0.
struct EntryPlace {
  std::size_t row, column;
  bool symmetric;
};
/// An entry is not finite in T.
template <class T>
void refuse_entry(const std::string& kernel, EntryPlace place, double value, const OverflowFlag& noted);

template <class T>
struct PackedPoints {
  std::size_t rows = 0;
  // As CompiledKernel::views; not gathered unless a function fills tiles from them.
  std::vector<Points> views;
  std::vector<PackedMatrix<T>> plain, centred;  // per view; empty operands where no statistic needs them
  std::vector<std::vector<double>> values;      // as CompiledKernel::values, each `rows` numbers
  std::vector<std::vector<T>> rounded;          // the same in T, for the tiles
  bool is_reference = false;                    // or gathered from a side that is

  /// `seen`: the points as the program's views see them. `reference`: the side over which means are taken;
  /// null where this side is itself the reference. `ids`: the rows' numbers in messages; none: their order.
  PackedPoints(const CompiledKernel& program, std::span<const Layout> layouts, std::vector<Points> seen,
               const PackedPoints* reference, int threads = 1, std::span<const std::size_t> ids = {},
               const OverflowFlag& noted = {});
  /// The chosen points alone.
  PackedPoints gather(std::span<const std::size_t> chosen) const;
  /// The number of point i in messages.
  std::size_t row_id(std::size_t i) const noexcept { return ids_.empty() ? i : ids_[i]; }

 private:
  PackedPoints() = default;
  void add_value(const CompiledKernel& program, const CompiledKernel::Value& value,
                 const PackedPoints* reference);
  std::vector<double> self_values(const CompiledKernel::Statistic& statistic) const;

  std::vector<std::size_t> ids_;  // empty: 0, 1, …
  bool has_tiles_ = false;        // some statistic is filled by a function
};

/// Throws Error{data} naming the first row and column where `points` are not finite in the precision, or are
/// negative although `needs_non_negative` (a kernel's name) is not empty. False where they are finite, but
/// not in the precision, and that is noted.
bool check_domain(const Points& points, const std::string& needs_non_negative, Precision precision,
                  std::span<const std::size_t> ids = {}, const OverflowFlag& noted = {});

/// A formula over column values alone, at each of n points.
std::vector<double> evaluate_points(const Formula& formula, std::span<const std::vector<double>> values,
                                    std::size_t n);

}  // namespace mercer
