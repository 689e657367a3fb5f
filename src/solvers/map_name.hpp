// The text that names a feature map: "nystrom:500:uniform", "fourier:4096", "sketch:1024", "explicit".
#pragma once

#include <string>
#include <string_view>

#include "solvers/nystrom.hpp"

namespace mercer {

struct MapName {
  enum class Kind { nystrom, fourier, sketch, explicit_map };
  Kind kind = Kind::explicit_map;
  std::size_t count = 0;  ///< landmarks or features: of fourier even, of sketch a power of two
  LandmarkRule rule = LandmarkRule::pivoted;

  /// Error{usage} for an unknown word (with the nearest known one) or a count that is not from 1 to 2²⁴.
  static MapName parse(std::string_view text);
  std::string text() const;
};

}  // namespace mercer
