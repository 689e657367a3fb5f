// The arrays of a .npz file, which is a zip archive of .npy files.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"
#include "data/npy_array.hpp"

namespace mercer {

class ZipArchive {
 public:
  explicit ZipArchive(const MappedFile& file);
  ~ZipArchive();

  /// The names of the arrays, without .npy.
  const std::vector<std::string>& names() const noexcept { return names_; }
  bool has(const std::string& name) const noexcept;
  /// Opens an array: its header is read, and checked against the size the archive gives, before anything of
  /// that size is allocated. The array must not outlive the archive.
  NpyArray open(const std::string& name) const;

 private:
  struct Handle;
  std::string file_;
  std::unique_ptr<Handle> handle_;
  std::vector<std::string> names_;
};

}  // namespace mercer
