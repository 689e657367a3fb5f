#pragma once
#include <string>

#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σₑ min(xₑ, zₑ) / Σₑ max(xₑ, zₑ), xₑ being how often the circular environment e of at most
/// `radius` bonds is in molecule x; with counts=no, whether it is: |x ∩ z| / |x ∪ z|. bits: environments
/// share so many columns by their remainder; 0: each has its own.
///                                                                   Ralaivola, Swamidass, Saigo & Baldi 2005
struct Tanimoto {
  static constexpr std::string_view name = "tanimoto";
  static constexpr std::string_view formula = "Σ min(xₑ, zₑ) / Σ max(xₑ, zₑ), e the environments of atoms";
  static constexpr std::string_view summary =
      "Tanimoto similarity of Morgan fingerprints; the usual choice for molecules";
  static constexpr Domain domains[] = {Domain::molecule};
  static constexpr KernelSearch search[] = {
      {"tanimoto(radius=2)"},
      {"tanimoto(radius=1)"},
      {"tanimoto(radius=3)"},
      {"tanimoto + normalize(wl(iterations=3)) + normalize(shortest_path)"}};
  static constexpr LeafTraits traits{.statistic = Statistic::dot, .domains = domains, .search = search};
  int radius = 2;
  int bits = 0;
  std::string counts = "yes";
  static void params(auto&& parameter) {
    parameter("radius", &Tanimoto::radius, Interval{0, 20, false, "a whole number from 0 to 20", false},
              "radius of the Morgan fingerprint, in bonds (2: ECFP4)");
    parameter("bits", &Tanimoto::bits,
              Interval{0, 1 << 24, false, "a whole number from 0 to 16777216", false},
              "length of the folded fingerprint; 0: not folded");
    parameter("counts", &Tanimoto::counts, {"yes", "no"}, "yes: count fingerprint; no: binary fingerprint");
  }
  Properties properties() const { return {.psd = true, .bound = 1, .diagonal = 1}; }
  /// Σ max(x, z) = Σ x + Σ z − Σ min(x, z); Σ min(x, x) = Σ x.
  Symbol operator()(Symbol common, Symbol xx, Symbol zz) const { return common / (xx + zz - common); }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
};
inline constexpr Maker<Tanimoto> tanimoto;

}  // namespace mercer
