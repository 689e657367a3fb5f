#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ over all colours b of min(h_b(x), h_b(z)), h_b the share of the pixels of colour b, each
/// channel in `levels` levels. A grey pixel is the colour with three equal channels.
///                                                            Swain & Ballard 1991; Barla, Odone & Verri 2003
struct Histogram {
  static constexpr std::string_view name = "histogram";
  static constexpr std::string_view formula = "Σ_b min(h_b(x), h_b(z)), h_b: share of pixels of colour b";
  static constexpr std::string_view summary = "overlap of the colour histograms of two images";
  static constexpr Domain domains[] = {Domain::image};
  static constexpr KernelSearch search[] = {
      {"histogram(levels=16)"}, {"histogram(levels=8)"}, {"histogram(levels=4)"}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::coordinate_sum, .domains = domains, .search = search};
  static constexpr Interval one_to_256{1, 256, false, "a whole number from 1 to 256", false};
  int levels = 16;
  std::string count = "shares";
  static void params(auto&& parameter) {
    parameter("levels", &Histogram::levels, one_to_256, "levels per channel, so levels³ bins");
    parameter("count", &Histogram::count, {"shares", "pixels"},
              "shares: fractions of the pixels, which sum to 1; pixels: counts");
  }
  Properties properties() const {
    return {.psd = true, .bound = count == "shares" ? 1 : std::numeric_limits<double>::infinity()};
  }
  Symbol coordinate(Symbol x, Symbol z) const { return min(x, z); }
  Symbol operator()(Symbol sum) const { return sum; }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
};
inline constexpr Maker<Histogram> histogram;

}  // namespace mercer
