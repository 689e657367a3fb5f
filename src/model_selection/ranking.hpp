// How well a score puts the rows of one class before all others: the curves behind the area under the ROC
// curve and the average precision. The areas themselves are in mercer/metrics.hpp: the part of pairs of a row
// of one class and a row of another whose scores are in order, ties counting a half.
#pragma once

#include <span>
#include <vector>

namespace mercer {

struct RankingCurve {
  std::vector<double> x, y;
};

/// The part of the positive rows (y) against the part of the others (x) with a score of at least a threshold,
/// from (0, 0) to (1, 1), one point for each distinct score. Both kinds of rows must be there.
RankingCurve roc_curve(const std::vector<bool>& positive, std::span<const double> scores);

/// The part of the rows above a threshold that is positive (y: precision) against the part of the positive
/// rows that is above it (x: recall), one point for each distinct score at which recall grows, recall
/// ascending. A positive row must be there.
RankingCurve precision_recall_curve(const std::vector<bool>& positive, std::span<const double> scores);

/// Σ (recall_i − recall_{i−1}) precision_i: the area under that curve, drawn in steps.
double average_precision(const RankingCurve& curve);

}  // namespace mercer
