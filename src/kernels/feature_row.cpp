// The features of one object, collected in any order. A long object (a chromosome) has far fewer different
// features than places where one begins, so that equal keys are merged whenever as many new entries have come
// as there were before.
#include <algorithm>

#include "mercer/leaf.hpp"

namespace mercer {

namespace {

constexpr std::size_t fewest_to_merge = 4096;

// The finaliser of SplitMix64 (Steele, Lea & Flood 2014): a permutation.
std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

void FeatureRow::add(std::uint64_t key, double value, Part part) {
  entries_.push_back({key, value, part});
  if (!keep_parts_ && entries_.size() >= 2 * std::max(merged_, fewest_to_merge)) merge();
}

const std::vector<FeatureRow::Entry>& FeatureRow::entries() {
  if (keep_parts_) return entries_;
  merge();
  std::erase_if(entries_, [](const Entry& entry) { return entry.value == 0; });
  merged_ = entries_.size();
  return entries_;
}

void FeatureRow::clear() noexcept {
  entries_.clear();
  merged_ = 0;
}

void FeatureRow::merge() {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.key < b.key; });  // sums in the order given
  std::size_t last = 0;
  for (std::size_t e = 1; e < entries_.size(); ++e) {
    if (entries_[e].key == entries_[last].key)
      entries_[last].value += entries_[e].value;
    else
      entries_[++last] = entries_[e];
  }
  if (!entries_.empty()) entries_.resize(last + 1);
  merged_ = entries_.size();
}

std::uint64_t key_of(std::string_view bytes, std::uint64_t seed) noexcept {
  std::uint64_t key = mix(seed + 0x9e3779b97f4a7c15u + bytes.size());
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = std::min<std::size_t>(8, bytes.size());
    for (std::size_t b = 0; b < count; ++b)
      word |= std::uint64_t(static_cast<unsigned char>(bytes[b])) << (8 * b);
    key = key_of(key, word);
    bytes.remove_prefix(count);
  }
  return key;
}

std::uint64_t key_of(std::uint64_t a, std::uint64_t b) noexcept {
  return mix(mix(a + 0x9e3779b97f4a7c15u) ^ (b * 0xd6e8feb86659fd93u + 0x2545f4914f6cdd1du));
}

}  // namespace mercer
