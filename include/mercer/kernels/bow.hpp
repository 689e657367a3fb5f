#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ_w weight(w in x)·weight(w in z) over words w, tf being how often w occurs in the text: tf
/// (count), 1 (binary), 1 + ln tf (log) or tf·(ln((1 + n)/(1 + df)) + 1) (tfidf), df being how many of the n
/// training texts have the word.                                                        Salton & Buckley 1988
struct Bow {
  static constexpr std::string_view name = "bow";
  static constexpr std::string_view formula = "Σ_w weight(w in x)·weight(w in z), w: words";
  static constexpr std::string_view summary = "bag of words: words shared by two texts or sets of symbols";
  static constexpr Domain domains[] = {Domain::text, Domain::symbols};
  static constexpr KernelSearch search[] = {{"normalize(bow(weight=tfidf))"},
                                            {"normalize(bow(weight=log))"},
                                            {"normalize(bow(weight=binary, ngrams=2))"}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::dot, .domains = domains, .weighs_by_rarity = true, .search = search};
  std::string weight = "count";
  int ngrams = 1;
  std::string letters = "lower";
  static void params(auto&& parameter) {
    parameter("weight", &Bow::weight, {"count", "binary", "log", "tfidf"},
              "weight of a word that occurs tf times: tf, 1, 1 + ln tf, or tf·idf");
    parameter("ngrams", &Bow::ngrams, Interval{1, 10, false, "a whole number from 1 to 10", false},
              "longest n-gram: up to this many words in a row count as a word");
    parameter("letters", &Bow::letters, {"lower", "as_written"},
              "texts: lower ignores case, as_written keeps it");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
  bool weighs_by_rarity() const { return weight == "tfidf"; }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
};
inline constexpr Maker<Bow> bow;

}  // namespace mercer
