// NumPy's files as data sets. A .npy file is one array; a .npz file is a zip archive of them. Elements are
// read block by block, from the file or out of the archive.
#pragma once

#include "data/assemble.hpp"
#include "data/npy_header.hpp"

struct zip;  // an archive, as libzip calls it

namespace mercer {

/// Gives the next bytes of an array, exactly as many as are asked for; they stay until the next call.
using NextBytes = std::function<std::string_view(std::size_t bytes)>;

/// An array being read.
class NpyArray {
 public:
  /// `next` continues behind the header. `name` is what messages call the array.
  NpyArray(std::string name, NpyHeader header, NextBytes next)
      : name_(std::move(name)), header_(std::move(header)), next_(std::move(next)) {}

  const NpyHeader& header() const noexcept { return header_; }
  [[noreturn]] void refuse(const std::string& what, std::string hint = {},
                           std::vector<Hint> hints = {}) const;

  /// Rows of numbers; a list of numbers is one column. Refuses other shapes, text, integers beyond 2⁵³ and
  /// numbers too large for a T.
  template <class T>
  Dense<T> matrix() const;
  /// A list of numbers, or a matrix of one column.
  std::vector<double> numbers() const;
  /// A list of integers.
  std::vector<std::int64_t> integers() const;
  /// A list of texts, or one text.
  std::vector<std::string> texts() const;

 private:
  template <class Take>
  void for_each_block(Take take) const;
  void check_list(const char* what) const;
  void decode(std::string_view bytes, std::size_t first, std::vector<double>& out) const;
  template <class Element>
  void decode_as(std::string_view bytes, std::size_t first, std::vector<double>& out) const;

  std::string name_;
  NpyHeader header_;
  NextBytes next_;
};

struct DiscardZip {
  void operator()(zip* archive) const noexcept;
};

/// The arrays of a .npz file.
class ZipArchive {
 public:
  explicit ZipArchive(const MappedFile& file);

  /// The names of the arrays, without .npy.
  const std::vector<std::string>& names() const noexcept { return names_; }
  bool has(const std::string& name) const noexcept;
  /// Opens an array: its header is read, and checked against the size the archive gives, before anything of
  /// that size is allocated. The array must not outlive the archive.
  NpyArray open(const std::string& name) const;

 private:
  std::string file_;
  std::unique_ptr<zip, DiscardZip> archive_;
  std::vector<std::string> names_;
};

/// Arrays as the parts of a data set.
Points::Storage read_points(const NpyArray& array, const ReadOptions& options);
/// One label or number per row: texts are classes, numbers as LabelColumn decides. A matrix of numbers with
/// as many rows as the points is a target of several columns.
void read_target(const NpyArray& array, const ReadOptions& options, std::string name, Parts& parts);
/// One number, 0 or more, per row.
void read_weights(const NpyArray& array, const ReadOptions& options, Parts& parts);
Reading assemble_arrays(Parts parts, const ReadOptions& options, const std::string& file);

/// An array to be written.
struct ArrayBytes {
  std::string name;         ///< in a .npz file
  std::string header;       ///< as .npy has it
  std::string owned;        ///< elements made for the purpose, or
  std::string_view shared;  ///< elements that belong to the data set

  std::string_view elements() const noexcept { return owned.empty() ? shared : std::string_view(owned); }
};

/// X, or the five arrays of scipy.sparse.save_npz where the points are sparse.
std::vector<ArrayBytes> arrays_of_points(const Points& points);
/// y: real targets as float64 (a matrix where there are several columns), integer labels as int64, other
/// labels as text.
ArrayBytes array_of_target(const Target& target);

/// As numpy.savez does: not compressed, written whole or not at all.
void write_archive(const std::string& path, const std::vector<ArrayBytes>& arrays);

}  // namespace mercer
