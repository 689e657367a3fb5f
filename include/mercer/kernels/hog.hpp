#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ_b h_b(x)ᵀh_b(z), h_b being the histograms of oriented gradients of the cells of block b, taken
/// together, divided by their length, clipped and divided by their length again.        Dalal & Triggs 2005
struct Hog {
  static constexpr std::string_view name = "hog";
  static constexpr std::string_view formula =
      "Σ_b h_b(x)ᵀ h_b(z), h_b: gradient directions in block b of cells";
  static constexpr std::string_view summary =
      "histograms of oriented gradients: the shapes in images of one size";
  static constexpr Domain domains[] = {Domain::image};
  static constexpr LeafTraits traits{.statistic = Statistic::dot, .domains = domains, .aligned = true};
  int cell = 8, bins = 9, block = 2;
  std::string direction = "unsigned";
  double clip = 0.2;
  static constexpr Interval pixels{1, 256, false, "a whole number from 1 to 256", false},
      two_to_64{2, 64, false, "a whole number from 2 to 64", false},
      one_to_16{1, 16, false, "a whole number from 1 to 16", false},
      to_one{0, 1, true, "> 0 and at most 1", false};
  static void params(auto&& parameter) {
    parameter("cell", &Hog::cell, pixels, "side of a cell in pixels");
    parameter("bins", &Hog::bins, two_to_64, "directions of a histogram");
    parameter("block", &Hog::block, one_to_16,
              "side of a block in cells; blocks overlap, one begins at every cell");
    parameter("direction", &Hog::direction, {"unsigned", "signed"},
              "unsigned: light on dark is the same as dark on light (0 to 180 degrees); signed: it is not");
    parameter("clip", &Hog::clip, to_one, "largest value of a normalised block");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
  std::string layout(const Objects& x) const;
};
inline constexpr Maker<Hog> hog;

}  // namespace mercer
