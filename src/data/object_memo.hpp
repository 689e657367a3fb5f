// Features of objects, kept with the objects: several Gram operators are made of the same points during a
// fit, and reading a molecule takes longer than comparing it with a thousand others.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "mercer/objects.hpp"

namespace mercer {

/// Values under keys, ascending within a row: those of row i are [starts[i], starts[i + 1]).
struct FeatureTable {
  std::vector<std::size_t> starts{0};
  std::vector<std::uint64_t> keys;
  std::vector<double> values;

  std::size_t rows() const noexcept { return starts.size() - 1; }
  FeatureTable select_rows(std::span<const std::size_t> rows) const;
};

/// Safe to ask from several threads.
struct ObjectMemo {
  /// None where nothing is kept under the key.
  std::shared_ptr<const FeatureTable> find(const std::string& key) const;
  /// Not kept where that would take more than 256 MB together with what is there.
  void keep(const std::string& key, std::shared_ptr<const FeatureTable> table) const;
  /// What is kept, of some rows.
  std::shared_ptr<const ObjectMemo> select_rows(std::span<const std::size_t> rows) const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const FeatureTable>> tables_;
  mutable std::size_t kept_ = 0;  // features
};

}  // namespace mercer
