// Distinct numbers, each with a code in the order of appearance. A small hash table with open addressing: a
// column of labels is looked up once per row, and the nodes of std::unordered_map would cost more than
// parsing it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mercer {

class NumberCodes {
 public:
  /// The code of `value`, which is neither NaN nor −0; a new one where it was not seen before.
  std::int32_t code(double value) {
    std::size_t slot = slot_of(value);
    if (slots_[slot] >= 0) return slots_[slot];
    slots_[slot] = std::int32_t(values_.size());
    values_.push_back(value);
    if (2 * values_.size() > slots_.size()) grow();
    return std::int32_t(values_.size()) - 1;
  }
  const std::vector<double>& values() const noexcept { return values_; }  ///< by code

 private:
  std::size_t slot_of(double value) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t hash = std::bit_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15u;
    std::size_t slot = std::size_t(hash >> 32) & mask;
    while (slots_[slot] >= 0 && values_[std::size_t(slots_[slot])] != value) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t k = 0; k < values_.size(); ++k) slots_[slot_of(values_[k])] = std::int32_t(k);
  }

  std::vector<std::int32_t> slots_ = std::vector<std::int32_t>(64, -1);
  std::vector<double> values_;
};

}  // namespace mercer
