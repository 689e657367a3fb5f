#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = Σ_w weight(w in x)·weight(w in z) over words w, tf being how often w occurs in the text: tf
/// (count), 1 (binary), 1 + ln tf (log) or tf·(ln((1 + n)/(1 + df)) + 1) (tfidf), df being how many of the n
/// training texts have the word.                                                        Salton & Buckley 1988
/// With a similarity S of words, k(x, z) = Σ_v Σ_w weight(v in x)·S(v, w)·weight(w in z); as S = VVᵀ, it is
/// the dot product of the sums of the vectors of the words.               Siolas & d'Alché-Buc 2000;
/// Cristianini,
///                                                                              Shawe-Taylor & Lodhi 2002
struct Bow {
  static constexpr std::string_view name = "bow";
  static constexpr std::string_view formula = "Σ_w weight(w in x)·weight(w in z), w: words";
  static constexpr std::string_view summary = "bag of words: words shared by two texts or sets of symbols";
  static constexpr Domain domains[] = {Domain::text, Domain::symbols};
  static constexpr KernelSearch search[] = {{"normalize(bow(weight=tfidf))"},
                                            {"normalize(bow(weight=log))"},
                                            {"normalize(bow(weight=binary, ngrams=2))"}};
  static constexpr LeafTraits traits{.statistic = Statistic::dot,
                                     .domains = domains,
                                     .prepare = true,
                                     .weighs_by_rarity = true,
                                     .words = true,
                                     .search = search};
  static constexpr Interval word_file{0, 0, false, "a file of word vectors or similarities", false};
  std::string weight = "count";
  int ngrams = 1;
  std::string letters = "lower";
  WordSimilarity similarity = {};
  std::optional<std::string> missing = {};
  static void params(auto&& parameter) {
    parameter("weight", &Bow::weight, {"count", "binary", "log", "tfidf"},
              "weight of a word that occurs tf times: tf, 1, 1 + ln tf, or tf·idf");
    parameter("ngrams", &Bow::ngrams, Interval{1, 10, false, "a whole number from 1 to 10", false},
              "longest n-gram: up to this many words in a row count as a word");
    parameter("letters", &Bow::letters, {"lower", "as_written"},
              "texts: lower ignores case, as_written keeps it");
    parameter(
        "similarity", &Bow::similarity, word_file,
        "words that are alike count as partly the same: a text file with a vector for each word (word v1 "
        "v2 …), or with a similarity for pairs (word, word, number, separated by tabs)");
    parameter(
        "missing", &Bow::missing, {"refuse", "own", "ignore"},
        "words that the file does not have: refuse them, own: alike to themselves only, or ignore them");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot) const { return dot; }
  bool weighs_by_rarity() const { return weight == "tfidf"; }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const;
  void prepare();  ///< throws Error{usage} where `missing` is given without a similarity
  SharedWords words() const { return similarity.vectors; }
};
inline constexpr Maker<Bow> bow;

}  // namespace mercer
