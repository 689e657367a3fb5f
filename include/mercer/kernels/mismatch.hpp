#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ_w φ_w(x)·φ_w(z) over all words w of k letters, φ_w(x) = how many words of x differ from w in
/// at most m letters. Lower and upper case are the same; words of x with a letter outside the alphabet (N in
/// DNA) are left out.                                               Leslie, Eskin, Cohen, Weston & Noble 2004
struct Mismatch {
  static constexpr std::string_view name = "mismatch";
  static constexpr std::string_view formula =
      "Σ_w φ_w(x)·φ_w(z), φ_w(x) = #(words of x within m substitutions of w), w of k letters";
  static constexpr std::string_view summary = "counts of words of k letters shared up to m substitutions";
  static constexpr Domain domains[] = {Domain::sequence};
  static constexpr LeafTraits traits{.statistic = Statistic::dot, .domains = domains, .prepare = true};
  int k = 5;
  int m = 1;
  std::string alphabet = "ACGT";
  static void params(auto&& parameter) {
    parameter("k", &Mismatch::k, whole, "word length (k-mers)");
    parameter("m", &Mismatch::m, Interval{0, 8, false, "a whole number from 0 to 8", false},
              "maximum number of mismatches");
    parameter("alphabet", &Mismatch::alphabet, {}, "letters that a mismatch may put in place of another");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
  void prepare() const;
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
};
inline constexpr Maker<Mismatch> mismatch;

}  // namespace mercer
