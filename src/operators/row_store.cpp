#include "operators/row_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/parallel.hpp"
#include "base/seconds.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr std::size_t slab_bytes = std::size_t(4) << 20;
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t worth_threads = 1 << 15;  // entries
constexpr std::size_t rows_per_task = 256;      // enough for the matrix product inside to run at full speed

}  // namespace

std::vector<Range> cut_segments(std::span<const std::size_t> lengths, std::size_t longest) {
  std::vector<Range> segments;
  std::size_t begin = 0;
  for (const std::size_t length : lengths) {
    const std::size_t count = (length + longest - 1) / longest;
    for (std::size_t s = 0; s < count; ++s)
      segments.push_back({begin + length * s / count, begin + length * (s + 1) / count});
    begin += length;
  }
  return segments;
}

template <class T>
RowStore<T>::RowStore(const KernelOperator<T>& gram, std::vector<Range> segments, std::size_t memory,
                      int threads, std::shared_ptr<RowMemory<T>> kept)
    : gram_(gram),
      segments_(std::move(segments)),
      threads_(threads),
      memory_(memory),
      kept_(kept ? std::move(kept) : std::make_shared<RowMemory<T>>()),
      slots_(gram.rows()) {
  constexpr std::size_t line = 64 / sizeof(T);
  std::size_t longest = 1;
  for (const Range& segment : segments_) longest = std::max(longest, segment.size());
  stride_ = (longest + line - 1) / line * line;
  if (stride_ % (4 * line) == 0)
    stride_ += line;  // rows a power of two apart would fall into the same cache sets
  const std::size_t slot_bytes = stride_ * sizeof(T);
  const std::size_t all = gram.rows() * segments_.size(), two_rows = std::min(2 * segments_.size(), all);
  capacity_ = std::min(memory / slot_bytes, all);
  if (capacity_ < two_rows)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("{:.3g} MB do not hold two rows of the Gram matrix", double(memory) / 1e6),
                {.hint = fmt::format("at least {:.3g} MB are needed", double(two_rows * slot_bytes) / 1e6)});
  slots_per_slab_ = std::clamp<std::size_t>(slab_bytes / slot_bytes, 1, std::max<std::size_t>(capacity_, 1));
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

// Fresh memory is touched at once, to know its cost: 0.1 ns a byte on bare machines, up to 2 on virtual ones.
template <class T>
void RowStore<T>::add_slab() {
  const std::size_t entries = std::min(slots_per_slab_, capacity_ - owners_.size()) * stride_;
  std::vector<Buffer<T>>& idle = kept_->idle;
  if (!idle.empty() && idle.back().size() >= entries) {
    slabs_.push_back(std::move(idle.back()));
    idle.pop_back();
    return;
  }
  idle.clear();  // of stores with shorter rows
  const auto start = std::chrono::steady_clock::now();
  Buffer<T>& slab = slabs_.emplace_back(entries);
  constexpr std::size_t page = page_bytes / sizeof(T);
  const std::size_t share =
      (slab.size() / page / std::size_t(threads_ > 0 ? threads_ : hardware_threads()) + 1) * page;
  parallel_for((slab.size() + share - 1) / share, threads_, [&](std::size_t task) {
    for (std::size_t i = task * share; i < std::min((task + 1) * share, slab.size()); i += page) slab[i] = 0;
  });
  kept_->touch_seconds += seconds_since(start);
  kept_->touched += slab.size();
}

template <class T>
typename RowStore<T>::Slot RowStore<T>::take_slot(std::int32_t point, std::int32_t segment) {
  Slot slot = oldest_;
  if (owners_.size() < allowed_) {
    slot = Slot(owners_.size());
    if (owners_.size() == slabs_.size() * slots_per_slab_) add_slab();
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

// `needed`: the slots of one fetch; the store holds two such sets from the start.
template <class T>
void RowStore<T>::grow(std::size_t needed) {
  if (recompute_seconds_ * double(kept_->touched) > kept_->touch_seconds * double(allowed_ * stride_)) {
    allowed_ *= 2;
    recompute_seconds_ = 0;
  }
  allowed_ = std::min(std::max(allowed_, 2 * needed), capacity_);
}

// Gives slots to those rows that are not here.
template <class T>
std::vector<typename RowStore<T>::Order> RowStore<T>::order_missing(std::span<const std::int32_t> points,
                                                                    std::span<const std::int32_t> segments) {
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
  return orders;
}

template <class T>
void RowStore<T>::fetch(std::span<const std::int32_t> points, std::span<const std::int32_t> segments,
                        std::vector<const T*>& rows) {
  assert(points.size() <= most_rows(segments.size()));
  // What is here already is marked as new first, so that it does not make room for what is missing.
  std::size_t again = 0;
  for (const std::int32_t point : points)
    for (const std::int32_t segment : segments)
      if (const Slot slot = slot_of(point, segment); slot >= 0)
        unlink(slot), make_newest(slot);
      else
        again += slot == given_away;
  grow(points.size() * segments.size());
  try {
    compute(order_missing(points, segments), again);
  } catch (...) {
    forget();  // slots were given away that hold nothing
    throw;
  }
  rows.resize(points.size() * segments.size());
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t s = 0; s < segments.size(); ++s)
      rows[p * segments.size() + s] = address(slot_of(points[p], segments[s]));
}

template <class T>
Buffer<T> RowStore<T>::take_room(std::size_t entries) {
  Buffer<T> room = std::move(kept_->room);
  if (room.size() < entries) room = Buffer<T>(), room = Buffer<T>(entries);
  return room;
}

template <class T>
void RowStore<T>::give_back(Buffer<T> room) {
  if (room.size() > kept_->room.size()) kept_->room = std::move(room);
}

template <class T>
void RowStore<T>::forget() {
  for (Buffer<T>& slab : slabs_) kept_->idle.push_back(std::move(slab));
  slabs_.clear();
  owners_.clear();
  for (std::vector<Slot>& slots : slots_) slots.clear();
  newest_ = oldest_ = none;
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
  parallel_for(tasks.size(), total * stride_ < worth_threads ? 1 : threads_, [&](std::size_t t) {
    const auto& [order, begin, end] = tasks[t];
    std::vector<T*> rows;
    for (std::size_t r = begin; r < end; ++r) rows.push_back(address(order->slots[r]));
    gram_.block(std::span(order->points).subspan(begin, end - begin), segments_[order->segment], rows);
  });
  if (total > 0) recompute_seconds_ += seconds_since(start) * double(again) / double(total);
}

template class RowStore<float>;
template class RowStore<double>;

}  // namespace mercer
