#include "model_selection/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "mercer/error.hpp"
#include "model_selection/measures.hpp"

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

// The part of pairs in order: of the others, each counts the positive rows above it, and half of those beside
// it.
std::optional<double> area_under_roc(const std::vector<bool>& positive, std::span<const double> scores) {
  double ordered = 0, positives_before = 0, negatives_before = 0;
  each_threshold(positive, scores, [&](double positives, double negatives) {
    ordered += (negatives - negatives_before) * (positives_before + positives) / 2;
    positives_before = positives, negatives_before = negatives;
  });
  const double pairs = positives_before * negatives_before;
  return pairs > 0 ? std::optional(ordered / pairs) : std::nullopt;
}

double average_precision(const RankingCurve& curve) {
  double sum = 0, before = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    sum += (curve.x[i] - before) * curve.y[i];
    before = curve.x[i];
  }
  return sum;
}

// --- The metric auc

namespace {

// Rows by a score that is large for one class, to be told from others.
struct Ranking {
  std::size_t label;
  std::vector<std::size_t> others;
  std::vector<std::uint32_t> rows;  // ascending
  std::vector<std::uint32_t> ends;  // of each run of equal scores
};

// ordered[c] += the pairs of a row of class c and one of the ranking's class with a larger score.
void add_ordered(const Ranking& ranking, Counts counts, std::span<const std::int32_t> truth,
                 std::span<double> ordered) {
  const auto own = std::int32_t(ranking.label);
  double above = 0;  // rows of the class; walked from the largest score down
  for (std::size_t run = ranking.ends.size(); run-- > 0;) {
    const std::size_t begin = run ? ranking.ends[run - 1] : 0, end = ranking.ends[run];
    double tied = 0;
    for (std::size_t i = begin; i < end; ++i)
      if (truth[ranking.rows[i]] == own) tied += counts[ranking.rows[i]];
    for (std::size_t i = begin; i < end; ++i)
      if (const std::uint32_t row = ranking.rows[i]; truth[row] != own)
        ordered[std::size_t(truth[row])] += counts[row] * (above + tied / 2);
    above += tied;
  }
}

// Rows are sorted by a score once; for any counts of the rows one pass then gives the areas of a class
// against every other, since a row of another class adds the rows of the class that lie above it.
struct MeanArea {
  std::vector<std::int32_t> truth;
  std::size_t classes;
  std::vector<Ranking> rankings = {};

  template <class Score>
  void rank(std::size_t label, std::vector<std::size_t> others, std::vector<std::uint32_t> rows,
            Score score) {
    std::ranges::stable_sort(rows, {}, score);
    Ranking& ranking = rankings.emplace_back(Ranking{label, std::move(others), std::move(rows), {}});
    for (std::size_t i = 1; i <= ranking.rows.size(); ++i)
      if (i == ranking.rows.size() || score(ranking.rows[i]) != score(ranking.rows[i - 1]))
        ranking.ends.push_back(std::uint32_t(i));
  }

  double operator()(Counts counts) const {
    std::vector<double> rows(classes), ordered(classes);
    for (std::size_t i = 0; i < counts.size(); ++i) rows[std::size_t(truth[i])] += counts[i];
    double sum = 0, areas = 0;
    for (const Ranking& ranking : rankings) {
      for (const std::size_t other : ranking.others) ordered[other] = 0;
      add_ordered(ranking, counts, truth, ordered);
      for (const std::size_t other : ranking.others)
        if (const double pairs = rows[ranking.label] * rows[other]; pairs > 0)
          sum += ordered[other] / pairs, areas += 1;
    }
    return areas > 0 ? sum / areas : std::numeric_limits<double>::quiet_NaN();
  }
};

// Each pair's decision value ranks the rows of its two classes.
void rank_by_pairs(MeanArea& area, const Predictions& p) {
  std::vector<std::vector<std::uint32_t>> of(area.classes);
  for (std::size_t i = 0; i < area.truth.size(); ++i)
    of[std::size_t(area.truth[i])].push_back(std::uint32_t(i));
  for (std::size_t a = 0, pair = 0; a < area.classes; ++a)
    for (std::size_t b = a + 1; b < area.classes; ++b, ++pair) {
      if (of[a].empty() || of[b].empty()) continue;
      std::vector<std::uint32_t> rows = of[a];
      rows.insert(rows.end(), of[b].begin(), of[b].end());
      area.rank(a, {b}, std::move(rows), [&](std::uint32_t i) { return p.scores[i * p.width + pair]; });
    }
}

// Each class's number ranks all rows, against every other class.
void rank_by_classes(MeanArea& area, const std::vector<std::uint32_t>& all, std::span<const double> numbers) {
  for (std::size_t c = 0; c < area.classes; ++c) {
    std::vector<std::size_t> others;
    for (std::size_t other = 0; other < area.classes; ++other)
      if (other != c) others.push_back(other);
    area.rank(c, std::move(others), all, [&](std::uint32_t i) { return numbers[i * area.classes + c]; });
  }
}

}  // namespace

Measure auc_measure(const Scored& scored) {
  const Predictions& p = scored.predictions;
  const std::size_t n = scored.rows(), k = scored.classes(), pairs = k * (k - 1) / 2;
  MeanArea area{scored.truth.codes, k};
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), std::uint32_t(0));
  if (k < 2 || n == 0) return area;
  if (k == 2 && (p.scores.size() == n * p.width || p.probabilities.size() == 2 * n))
    area.rank(1, {0}, all, [&](std::uint32_t i) {  // one score, large for the second class
      if (p.scores.empty()) return p.probabilities[2 * i + 1];
      return p.width == 2 ? p.scores[2 * i + 1] - p.scores[2 * i] : p.scores[i];
    });
  else if (p.probabilities.size() == n * k)
    rank_by_classes(area, all, p.probabilities);
  else if (p.scores.size() == n * k && !p.pairs)
    rank_by_classes(area, all, p.scores);
  else if (p.scores.size() == n * pairs)
    rank_by_pairs(area, p);
  else
    throw Error(
        ErrorCode::unsupported,
        fmt::format("auc of {} classes needs a score or a probability of each class or pair of classes", k),
        {.hint = fmt::format("the predictions have {} scores a row", p.scores.size() / n)});
  return area;
}

}  // namespace mercer
