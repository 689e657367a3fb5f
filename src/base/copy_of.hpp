// Buffers are moved, never copied by accident; here they are copied on purpose.
#pragma once

#include <algorithm>
#include <iterator>

#include "mercer/buffer.hpp"

namespace mercer {

/// The elements of a buffer, span or vector in a buffer of their own.
template <class Range>
auto copy_of(const Range& from) {
  Buffer<std::remove_cvref_t<decltype(*std::begin(from))>> to(std::size(from));
  std::copy(std::begin(from), std::end(from), to.begin());
  return to;
}

}  // namespace mercer
