// The header of NumPy's .npy format (versions 1 to 3): a signature, a length and a Python dict as text,
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
// Every count is checked against the bytes that are there before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mercer {

struct NpyHeader {
  char kind = 'f';             ///< f float, i signed, u unsigned, b boolean, U UCS-4 text, S bytes
  std::size_t item_bytes = 8;  ///< of one element
  bool swapped = false;        ///< the bytes are in the other order than this machine's
  bool fortran = false;        ///< the first index runs fastest
  std::vector<std::size_t> shape;
  std::size_t header_bytes = 0;  ///< where the elements start

  std::size_t count() const noexcept;  ///< elements; fits, as do their bytes
  bool is_text() const noexcept { return kind == 'U' || kind == 'S'; }
};

/// "2, 3", as Python writes a shape between its brackets.
std::string shape_text(const std::vector<std::size_t>& shape);

/// The bytes to read before the header can be parsed: of the signature, then of all (once 12 bytes are
/// there).
inline constexpr std::size_t npy_prefix_bytes = 12;
std::size_t npy_header_bytes(const std::string& name, std::string_view prefix);

/// `start` holds the header; `total` is the size of header and elements together. Throws Error{data} where
/// the elements announced are not just the bytes there.
NpyHeader parse_npy_header(const std::string& name, std::string_view start, std::uint64_t total);

/// The header of a little- or big-endian (as this machine) array in C order, padded to a multiple of 64
/// bytes.
std::string npy_header_text(const std::string& descr, const std::vector<std::size_t>& shape);

}  // namespace mercer
