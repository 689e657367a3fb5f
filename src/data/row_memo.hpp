// Images of rows under functions of a program, kept with the rows: several operators are made of the same
// rows during a fit, in another order or in float32, and nobody knows how long such a function takes.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "mercer/points.hpp"

namespace mercer {

/// Safe to ask from several threads.
class RowMemo {
 public:
  using Image = std::shared_ptr<const Dense<double>>;

  Image find(const std::string& key) const;  ///< null where nothing is kept under the key
  /// Not kept where that would take more than 512 MB together with what is there.
  void keep(const std::string& key, Image image) const;
  /// What is kept, of some rows.
  std::shared_ptr<const RowMemo> select_rows(std::span<const std::size_t> rows) const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, Image> images_;
  mutable std::size_t kept_ = 0;  // numbers
};

}  // namespace mercer
