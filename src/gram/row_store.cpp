#include "gram/row_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>

#include "base/parallel.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr std::size_t slab_bytes = std::size_t(64) << 20;
constexpr double fresh_memory_seconds = 0.25e-9;  // a byte: 0.1 on bare machines, up to 2 on virtual ones
constexpr std::size_t rows_per_task = 256;  // enough for the matrix product inside to run at full speed

}  // namespace

std::vector<Range> cut_segments(std::span<const std::size_t> lengths, std::size_t longest) {
  std::vector<Range> segments;
  std::size_t begin = 0;
  for (const std::size_t length : lengths) {
    const std::size_t count = (length + longest - 1) / longest;
    for (std::size_t s = 0; s < count; ++s) segments.push_back({begin + length * s / count, begin + length * (s + 1) / count});
    begin += length;
  }
  return segments;
}

template <class T>
RowStore<T>::RowStore(const Gram<T>& gram, std::vector<Range> segments, std::size_t memory, int threads)
    : gram_(gram), segments_(std::move(segments)), threads_(threads), slots_(gram.rows()) {
  constexpr std::size_t line = 64 / sizeof(T);
  std::size_t longest = 1;
  for (const Range& segment : segments_) longest = std::max(longest, segment.size());
  stride_ = (longest + line - 1) / line * line;
  if (stride_ % (4 * line) == 0) stride_ += line;  // rows a power of two apart would fall into the same cache sets
  const std::size_t slot_bytes = stride_ * sizeof(T);
  capacity_ = std::min(memory / slot_bytes, gram.rows() * segments_.size());
  slots_per_slab_ = std::clamp<std::size_t>(slab_bytes / slot_bytes, 1, std::max<std::size_t>(capacity_, 1));
  if (capacity_ < std::min<std::size_t>(2, gram.rows()) * segments_.size())
    throw Error(ErrorKind::budget, fmt::format("{:.3g} MB do not hold two rows of the Gram matrix; at least {:.3g} MB are needed",
                                               double(memory) / 1e6, double(2 * segments_.size() * slot_bytes) / 1e6));
}

template <class T>
typename RowStore<T>::Slot& RowStore<T>::slot_of(std::int32_t point, std::int32_t segment) {
  std::vector<Slot>& slots = slots_[point];
  if (slots.empty()) slots.assign(segments_.size(), none);
  return slots[segment];
}

template <class T>
void RowStore<T>::unlink(Slot slot) noexcept {
  const Owner& owner = owners_[slot];
  (owner.newer == none ? newest_ : owners_[owner.newer].older) = owner.older;
  (owner.older == none ? oldest_ : owners_[owner.older].newer) = owner.newer;
}

template <class T>
void RowStore<T>::make_newest(Slot slot) noexcept {
  owners_[slot].older = newest_;
  owners_[slot].newer = none;
  (newest_ == none ? oldest_ : owners_[newest_].newer) = slot;
  newest_ = slot;
}

template <class T>
typename RowStore<T>::Slot RowStore<T>::take_slot(std::int32_t point, std::int32_t segment) {
  Slot slot = oldest_;
  if (owners_.size() < allowed_) {
    slot = Slot(owners_.size());
    if (owners_.size() == slabs_.size() * slots_per_slab_)
      slabs_.emplace_back(std::min(slots_per_slab_, capacity_ - owners_.size()) * stride_);
    owners_.emplace_back();
  } else {
    slots_[owners_[slot].point][owners_[slot].segment] = given_away;
    unlink(slot);
  }
  owners_[slot].point = point;
  owners_[slot].segment = segment;
  make_newest(slot);
  return slot;
}

// `needed`: the slots of one fetch; the store holds a few such sets from the start.
template <class T>
void RowStore<T>::grow(std::size_t needed) {
  if (recompute_seconds_ > fresh_memory_seconds * double(allowed_ * stride_ * sizeof(T))) {
    allowed_ *= 2;
    recompute_seconds_ = 0;
  }
  allowed_ = std::min(std::max(allowed_, 3 * needed), capacity_);
}

template <class T>
void RowStore<T>::fetch(std::span<const std::int32_t> points, std::span<const std::int32_t> segments,
                        std::vector<const T*>& rows) {
  assert(points.size() <= most_rows(segments.size()));
  // What is here already is marked as new first, so that it does not make room for what is missing.
  std::size_t again = 0;
  for (const std::int32_t point : points)
    for (const std::int32_t segment : segments)
      if (const Slot slot = slot_of(point, segment); slot >= 0) unlink(slot), make_newest(slot);
      else again += slot == given_away;
  grow(points.size() * segments.size());
  std::vector<Order> orders;
  for (const std::int32_t segment : segments) {
    Order order{segment, {}, {}};
    for (const std::int32_t point : points) {
      if (slot_of(point, segment) >= 0) continue;
      const Slot slot = take_slot(point, segment);
      slot_of(point, segment) = slot;
      order.points.push_back(std::size_t(point));
      order.slots.push_back(slot);
    }
    if (!order.points.empty()) orders.push_back(std::move(order));
  }
  compute(orders, again);
  rows.resize(points.size() * segments.size());
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t s = 0; s < segments.size(); ++s) rows[p * segments.size() + s] = address(slot_of(points[p], segments[s]));
}

template <class T>
void RowStore<T>::forget() {
  slabs_.clear();
  owners_.clear();
  for (std::vector<Slot>& slots : slots_) slots.clear();
  newest_ = oldest_ = none;
}

template <class T>
Buffer<T> RowStore<T>::borrow_tile(std::size_t size) {
  {
    std::scoped_lock lock(tiles_mutex_);
    if (!tiles_.empty()) {
      Buffer<T> tile = std::move(tiles_.back());
      tiles_.pop_back();
      return tile;
    }
  }
  return Buffer<T>(size);
}

// `again`: how many of the slots were computed before.
template <class T>
void RowStore<T>::compute(const std::vector<Order>& orders, std::size_t again) {
  const auto start = std::chrono::steady_clock::now();
  std::size_t total = 0;
  struct Task {
    const Order* order;
    std::size_t begin, end;
  };
  std::vector<Task> tasks;
  for (const Order& order : orders) {
    for (std::size_t begin = 0; begin < order.points.size(); begin += rows_per_task)
      tasks.push_back({&order, begin, std::min(begin + rows_per_task, order.points.size())});
    computed_ += order.points.size() * segments_[order.segment].size();
    total += order.points.size();
  }
  try {
    parallel_for(tasks.size(), threads_, [&](std::size_t t) {
      const auto& [order, begin, end] = tasks[t];
      const Range columns = segments_[order->segment];
      const std::size_t count = end - begin, width = columns.size();
      Buffer<T> tile = borrow_tile(rows_per_task * stride_);
      gram_.block(std::span(order->points).subspan(begin, count), columns, std::span(tile.data(), count * width));
      for (std::size_t r = 0; r < count; ++r) std::copy_n(tile.data() + r * width, width, address(order->slots[begin + r]));
      std::scoped_lock lock(tiles_mutex_);
      tiles_.push_back(std::move(tile));
    });
  } catch (...) {
    forget();  // slots were given away that hold nothing
    throw;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (total > 0) recompute_seconds_ += seconds * double(again) / double(total);
}

template class RowStore<float>;
template class RowStore<double>;

}  // namespace mercer
