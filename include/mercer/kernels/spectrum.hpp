#pragma once
#include "mercer/leaf.hpp"

namespace mercer {

/// k(x, z) = Σ over all words w of k letters: (how often w is in x)·(how often w is in z).              Leslie, Eskin & Noble 2002
struct Spectrum {
  static constexpr std::string_view name = "spectrum";
  static constexpr std::string_view formula = "Σ_w #(w in x)·#(w in z), w of k letters";
  static constexpr std::string_view summary = "words of k letters that two sequences share";
  static constexpr Domain domains[] = {Domain::sequence};
  static constexpr auto statistic = Statistic::dot;
  int k = 3;
  static void params(auto&& parameter) { parameter("k", &Spectrum::k, whole, "letters of a word"); }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
};
inline constexpr Maker<Spectrum> spectrum;

}  // namespace mercer
