// The elements of a .npy array, read block by block from a file or out of an archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/npy_header.hpp"
#include "mercer/error.hpp"
#include "mercer/points.hpp"

namespace mercer {

/// Gives the next bytes of an array, exactly as many as are asked for; they stay until the next call.
using NextBytes = std::function<std::string_view(std::size_t bytes)>;

class NpyArray {
 public:
  /// `next` continues behind the header. `name` is what messages call the array.
  NpyArray(std::string name, NpyHeader header, NextBytes next)
      : name_(std::move(name)), header_(std::move(header)), next_(std::move(next)) {}

  const NpyHeader& header() const noexcept { return header_; }
  const std::string& name() const noexcept { return name_; }
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

}  // namespace mercer
