#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ over all words w of k letters: (how often w is in x)·(how often w is in z).
///                                                                                 Leslie, Eskin & Noble 2002
/// reverse_complement=yes, for DNA: a word and its reverse complement are one, as either strand may have been
/// read. Lower and upper case are then the same, and words with other letters than A, C, G, T (U) are left
/// out; otherwise letters are any bytes, as written.
struct Spectrum {
  static constexpr std::string_view name = "spectrum";
  static constexpr std::string_view formula = "Σ_w #(w in x)·#(w in z), w of k letters";
  static constexpr std::string_view summary = "counts of shared words of k letters";
  static constexpr Domain domains[] = {Domain::sequence};
  static constexpr KernelSearch search[] = {
      {"normalize(spectrum(k=4))"}, {"normalize(spectrum(k=3))"}, {"normalize(spectrum(k=6))"}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::dot, .domains = domains, .prepare = true, .search = search};
  int k = 3;
  std::string reverse_complement = "no";
  static void params(auto&& parameter) {
    parameter("k", &Spectrum::k, whole, "word length (k-mers)");
    parameter("reverse_complement", &Spectrum::reverse_complement, {"no", "yes"},
              "yes: count a k-mer and its reverse complement (DNA) as the same");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
  void prepare() const;
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
};
inline constexpr Maker<Spectrum> spectrum;

}  // namespace mercer
