#pragma once
#include <vector>

#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ_u Σ_v h(how many letters of u and v differ), u over the words of l letters of x, v over those
/// of z.
///   filter=none        h(m) = C(l − m, k): the gapped k-mers (k letters of a word of l, the others any) that
///                      u and v share
///   filter=full        the dot product of the words' counts as they are estimated from those of the gapped
///                      k-mers
///   filter=truncated   the same, with the estimate cut off where it becomes negative: ls-gkm's choice
/// h(m) = 0 for m > d. With d < l − k it is not positive semidefinite in general; the default d leaves
/// nothing out.
/// reverse_complement=yes: v also runs over the reverse complement of z, as either strand may have been read.
/// Lower and upper case are the same; words with other letters than A, C, G, T (U) are left out.
///                                                 Ghandi, Lee, Mohammad-Noori & Beer 2014; Lee 2016 (ls-gkm)
struct Gkm {
  static constexpr std::string_view name = "gkm";
  static constexpr std::string_view formula =
      "Σ_{u in x} Σ_{v in z} C(l−m, k), m = #(letters in which u and v of l letters differ) ≤ d";
  static constexpr std::string_view summary = "counts of shared gapped k-mers of DNA sequences";
  static constexpr Domain domains[] = {Domain::sequence};
  /// Whether the letters are those of DNA, and the pairs of words of all sequences few enough to be compared
  /// in seconds.
  static bool short_dna(const Points& sequences);
  static constexpr KernelSearch search[] = {{.kernel = "normalize(gkm(l=8, k=5))", .when = short_dna}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::pairs, .domains = domains, .prepare = true, .search = search};
  int l = 11;
  int k = 7;
  int d = 12;
  std::string reverse_complement = "yes";
  std::string filter = "none";
  static void params(auto&& parameter) {
    constexpr Interval letters{1, 12, false, "a whole number from 1 to 12", false};
    parameter("l", &Gkm::l, letters, "word length, gaps included");
    parameter("k", &Gkm::k, letters, "number of letters of a word that must match");
    parameter("d", &Gkm::d, Interval{0, 12, false, "a whole number from 0 to 12", false},
              "maximum number of mismatches that is counted");
    parameter("reverse_complement", &Gkm::reverse_complement, {"yes", "no"},
              "yes: compare both strands of DNA");
    parameter("filter", &Gkm::filter, {"none", "full", "truncated"},
              "count gapped k-mers, or words estimated from them");
  }
  Properties properties() const;
  Symbol operator()(Symbol value) const { return value; }
  void prepare();
  /// h(0) … h(l).
  std::vector<double> weights() const;
  void pairs(const Objects& x, Range rows, const Objects& z, Range columns, double* out) const;
};
inline constexpr Maker<Gkm> gkm;

}  // namespace mercer
