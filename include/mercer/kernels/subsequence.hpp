#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ_u Σ_{i: x[i]=u} Σ_{j: z[j]=u} decay^(span(i) + span(j)) over all words u of `length` letters,
/// i and j ascending places that need not be neighbours, span = last place − first place + 1. Letters are any
/// bytes, as written.                               Lodhi, Saunders, Shawe-Taylor, Cristianini & Watkins 2002
struct Subsequence {
  static constexpr std::string_view name = "subsequence";
  static constexpr std::string_view formula =
      "Σ_u Σ_{i: x[i]=u} Σ_{j: z[j]=u} decay^(span(i)+span(j)), u of length letters";
  static constexpr std::string_view summary = "common subsequences, with longer gaps weighted less";
  static constexpr Domain domains[] = {Domain::sequence};
  static constexpr LeafTraits traits{.statistic = Statistic::pairs, .domains = domains};
  int length = 3;
  double decay = 0.5;
  static void params(auto&& parameter) {
    parameter("length", &Subsequence::length, whole, "length of the subsequences");
    parameter("decay", &Subsequence::decay, Interval{0, 1, true, "> 0 and ≤ 1"},
              "factor for each position that a subsequence spans");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol value) const { return value; }
  void pairs(const Objects& x, Range rows, const Objects& z, Range columns, double* out) const;
};
inline constexpr Maker<Subsequence> subsequence;

}  // namespace mercer
