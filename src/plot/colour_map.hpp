// Colours for numbers. Both maps change evenly to the eye and are told apart by the colour-blind.
//   sequential  viridis (Smith & van der Walt 2015), for numbers of one sign
//   diverging   blue, white at 0, red (Brewer's RdBu), for numbers of both signs
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "plot/lines.hpp"

namespace mercer {

struct Colour {
  std::uint8_t red, green, blue;

  std::string hex() const;  ///< "#440154"
};

enum class ColourScheme { sequential, diverging };

/// The numbers from low to high in `steps` colours.
class ColourMap {
 public:
  static constexpr std::size_t steps = 64;

  /// Chooses the scheme and the range for numbers whose smallest and largest are given (both finite). It
  /// diverges where both signs are substantial: the lesser side reaches at least a tenth of the greater. A
  /// range that nearly reaches 0 is extended to it.
  ColourMap(double smallest, double largest) noexcept;

  ColourScheme scheme() const noexcept { return scheme_; }
  double low() const noexcept { return low_; }
  double high() const noexcept { return high_; }
  std::size_t step(double value) const noexcept;  ///< below `steps`; values out of range take the end's
  Colour colour(std::size_t step) const noexcept;

 private:
  ColourScheme scheme_;
  double low_, high_;
};

/// Path elements of rows × cols cells, each 1 wide and high, in the colours of their values: grey for those
/// that are not finite.
std::string heat_markup(std::size_t rows, std::size_t cols, std::span<const double> values,
                        const ColourMap& map);

/// The colours from the lowest at the bottom of the frame to the highest at its top.
std::string scale_markup(const ColourMap& map, const Frame& frame);

}  // namespace mercer
