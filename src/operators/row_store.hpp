// Rows of a symmetric K for solvers that ask for the same ones again and again, cut into segments of columns.
//
// A problem over some of the points (a pair of classes, a fold) needs its rows over those points alone.
// Points are therefore laid out so that each such set is a few consecutive segments, and a row is computed
// and kept segment by segment: all the problems share one store and none computes what it does not use. All
// slots have the same size; the slots that were used longest ago are reused.
//
// Many rows are needed once only, and touching fresh memory may cost more than computing a row again. So the
// store starts small and grows towards its budget only when recomputing what it gave away has taken as long
// as the memory would: at most twice the time of the better choice. What it holds does not change any number.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mercer/kernel_operator.hpp"

namespace mercer {

/// Cuts each of the consecutive ranges with these lengths into equal segments of at most `longest` columns.
std::vector<Range> cut_segments(std::span<const std::size_t> lengths, std::size_t longest = 2048);

/// Memory that goes from one store to the next, one at a time: fresh pages may cost more than what is written
/// to them.
template <class T>
struct RowMemory {
  std::vector<Buffer<T>> idle = {};  ///< slabs that no store holds
  Buffer<T> room = {}, block = {};   ///< for a matrix beside the rows, and for that of a working set
  double touch_seconds = 0;          ///< what the slabs took
  std::size_t touched = 0;           ///< their entries
};

template <class T>
class RowStore {
 public:
  /// `gram` outlives the store. `segments` cover 0 … n without gaps. `kept`: null for memory of its own.
  RowStore(const KernelOperator<T>& gram, std::vector<Range> segments, std::size_t memory, int threads,
           std::shared_ptr<RowMemory<T>> kept = nullptr);
  RowStore(const RowStore&) = delete;
  ~RowStore() { forget(); }

  const KernelOperator<T>& gram() const noexcept { return gram_; }
  const std::vector<Range>& segments() const noexcept { return segments_; }
  /// How many rows over `segments` segments fit at once.
  std::size_t most_rows(std::size_t segments) const noexcept {
    return capacity_ / std::max<std::size_t>(segments, 1);
  }
  std::size_t computed() const noexcept { return computed_; }  ///< entries of K computed so far
  int threads() const noexcept { return threads_; }
  std::size_t memory() const noexcept { return memory_; }  ///< bytes at most
  void forget();                                           ///< all rows; their memory is kept for others
  const std::shared_ptr<RowMemory<T>>& kept() const noexcept { return kept_; }
  /// Room for a matrix beside the rows, until it is given back or for good: fresh memory costs.
  Buffer<T> take_room(std::size_t entries);
  void give_back(Buffer<T> room);

  /// rows[p · segments.size() + s] = K[points[p], segment segments[s]], valid until the next call. At most
  /// most_rows() points, none twice.
  void fetch(std::span<const std::int32_t> points, std::span<const std::int32_t> segments,
             std::vector<const T*>& rows);

 private:
  using Slot = std::int32_t;
  static constexpr Slot none = -1, given_away = -2;
  struct Owner {
    std::int32_t point = none, segment = none;
    Slot newer = none, older = none;
  };
  struct Order {  // of one segment: points to be computed and where to
    std::int32_t segment;
    std::vector<std::size_t> points;
    std::vector<Slot> slots;
  };

  T* address(Slot slot) noexcept {
    return slabs_[std::size_t(slot) / slots_per_slab_].data() + std::size_t(slot) % slots_per_slab_ * stride_;
  }
  Slot& slot_of(std::int32_t point, std::int32_t segment);
  Slot take_slot(std::int32_t point, std::int32_t segment);
  std::vector<Order> order_missing(std::span<const std::int32_t> points,
                                   std::span<const std::int32_t> segments);
  void add_slab();
  void grow(std::size_t needed);
  void unlink(Slot slot) noexcept;
  void make_newest(Slot slot) noexcept;
  void compute(const std::vector<Order>& orders, std::size_t again);

  const KernelOperator<T>& gram_;
  std::vector<Range> segments_;
  int threads_;
  std::size_t memory_, stride_ = 0, slots_per_slab_ = 1, capacity_ = 0, computed_ = 0;
  std::size_t allowed_ = 0;       // slots to be used at present, at most capacity_
  double recompute_seconds_ = 0;  // since allowed_ last grew
  std::shared_ptr<RowMemory<T>> kept_;
  std::vector<Buffer<T>> slabs_;
  std::vector<Owner> owners_;             // of the slots taken so far
  std::vector<std::vector<Slot>> slots_;  // by point, then segment; empty for points never asked for
  Slot newest_ = none, oldest_ = none;
};

}  // namespace mercer
