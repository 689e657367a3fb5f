// Which rows a read leaves out. Readers tell it at whatever depth they find out; nobody has to listen.
#pragma once

#include <cstddef>
#include <vector>

namespace mercer {

/// Listens, on the thread it is made on, for as long as it lives.
class LeftOut {
 public:
  LeftOut() noexcept;
  ~LeftOut();
  LeftOut(const LeftOut&) = delete;
  LeftOut& operator=(const LeftOut&) = delete;

  /// `left[i]`: whether row i of those that were not left out before is left out now.
  static void tell(const std::vector<char>& left);
  /// Rows are no longer those of the file: what was told before is of no use.
  static void forget() noexcept;
  /// Rows of the file, from 0, ascending.
  std::vector<std::size_t>& rows() noexcept { return rows_; }

 private:
  LeftOut* outer_;
  std::vector<std::size_t> rows_;
};

}  // namespace mercer
