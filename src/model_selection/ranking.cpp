#include "model_selection/ranking.hpp"

#include <algorithm>
#include <numeric>

namespace mercer {

namespace {

// Calls visit(positives, negatives) with how many of each have at least the score, for each distinct score
// from the top.
template <class Visit>
void each_threshold(const std::vector<bool>& positive, std::span<const double> scores, const Visit& visit) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::sort(order, std::greater(), [&](std::size_t i) { return scores[i]; });
  double positives = 0, negatives = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    (positive[order[i]] ? positives : negatives) += 1;
    if (i + 1 == order.size() || scores[order[i + 1]] != scores[order[i]]) visit(positives, negatives);
  }
}

}  // namespace

RankingCurve roc_curve(const std::vector<bool>& positive, std::span<const double> scores) {
  const double all = double(std::ranges::count(positive, true)), others = double(positive.size()) - all;
  RankingCurve curve{{0}, {0}};
  each_threshold(positive, scores, [&](double positives, double negatives) {
    curve.x.push_back(negatives / others);
    curve.y.push_back(positives / all);
  });
  return curve;
}

RankingCurve precision_recall_curve(const std::vector<bool>& positive, std::span<const double> scores) {
  const double all = double(std::ranges::count(positive, true));
  RankingCurve curve;
  double before = 0;
  each_threshold(positive, scores, [&](double positives, double negatives) {
    if (positives == before) return;
    before = positives;
    curve.x.push_back(positives / all);
    curve.y.push_back(positives / (positives + negatives));
  });
  return curve;
}

double average_precision(const RankingCurve& curve) {
  double sum = 0, before = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    sum += (curve.x[i] - before) * curve.y[i];
    before = curve.x[i];
  }
  return sum;
}

}  // namespace mercer
