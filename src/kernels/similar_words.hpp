// Words that are alike, in sums of their vectors.
#pragma once

#include "data/object_memo.hpp"
#include "mercer/points.hpp"
#include "mercer/word_vectors.hpp"

namespace mercer {

/// Rows Σ_w value(w)·weight(w)·(vector of w): the coordinates of the vectors, then a column for each word of
/// the vocabulary that has no vector, then those that the vocabulary does not know. `vocabulary`: words of
/// the reference points and, where they are weighed, their weights; a word that it does not have weighs
/// `unknown_weight`.
Points spread_over_vectors(const FeatureTable& table, const WordVectors& words, const Vocabulary& vocabulary,
                           double unknown_weight, int threads);

}  // namespace mercer
