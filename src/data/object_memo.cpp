#include "data/object_memo.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_features = (std::size_t(256) << 20) / 16;

}  // namespace

FeatureTable FeatureTable::select_rows(std::span<const std::size_t> chosen) const {
  FeatureTable some;
  for (const std::size_t i : chosen) {
    some.keys.insert(some.keys.end(), keys.begin() + std::ptrdiff_t(starts[i]),
                     keys.begin() + std::ptrdiff_t(starts[i + 1]));
    some.values.insert(some.values.end(), values.begin() + std::ptrdiff_t(starts[i]),
                       values.begin() + std::ptrdiff_t(starts[i + 1]));
    some.starts.push_back(some.keys.size());
  }
  return some;
}

std::shared_ptr<const FeatureTable> ObjectMemo::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = tables_.find(key);
  return found == tables_.end() ? nullptr : found->second;
}

void ObjectMemo::keep(const std::string& key, std::shared_ptr<const FeatureTable> table) const {
  const std::lock_guard lock(mutex_);
  if (kept_ + table->keys.size() > most_features || tables_.contains(key)) return;
  kept_ += table->keys.size();
  tables_.emplace(key, std::move(table));
}

std::shared_ptr<const ObjectMemo> ObjectMemo::select_rows(std::span<const std::size_t> rows) const {
  const std::lock_guard lock(mutex_);
  auto some = std::make_shared<ObjectMemo>();
  for (const auto& [key, table] : tables_)
    some->keep(key, std::make_shared<FeatureTable>(table->select_rows(rows)));
  return some;
}

}  // namespace mercer
