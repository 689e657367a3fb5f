// The area under the ROC curve: the part of pairs of a row of one class and a row of another whose scores are
// in order, ties counting a half. Rows are sorted by a score once; for any counts of the rows one pass then
// gives the areas of a class against every other, since a row of another class adds the rows of the class
// that lie above it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "mercer/error.hpp"
#include "model_selection/measures.hpp"

namespace mercer {

namespace {

// Rows by a score that is large for one class, to be told from others.
struct Ranking {
  std::size_t label;
  std::vector<std::size_t> others;
  std::vector<std::uint32_t> rows;  // ascending
  std::vector<std::uint32_t> ends;  // of each run of equal scores
};

template <class Score>
Ranking rank(std::size_t label, std::vector<std::size_t> others, std::vector<std::uint32_t> rows,
             Score score) {
  std::ranges::stable_sort(rows, {}, score);
  Ranking ranking{label, std::move(others), std::move(rows), {}};
  for (std::size_t i = 1; i <= ranking.rows.size(); ++i)
    if (i == ranking.rows.size() || score(ranking.rows[i]) != score(ranking.rows[i - 1]))
      ranking.ends.push_back(std::uint32_t(i));
  return ranking;
}

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

struct MeanArea {
  std::vector<Ranking> rankings;
  std::vector<std::int32_t> truth;
  std::size_t classes;

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

std::vector<std::vector<std::uint32_t>> rows_of_classes(const Scored& scored) {
  std::vector<std::vector<std::uint32_t>> rows(scored.classes());
  for (std::size_t i = 0; i < scored.rows(); ++i) rows[scored.code(i)].push_back(std::uint32_t(i));
  return rows;
}

// Each pair's decision value ranks the rows of its two classes.
std::vector<Ranking> rank_by_pairs(const Scored& scored) {
  const Predictions& p = scored.predictions;
  const auto of = rows_of_classes(scored);
  std::vector<Ranking> rankings;
  std::size_t pair = 0;
  for (std::size_t a = 0; a < scored.classes(); ++a)
    for (std::size_t b = a + 1; b < scored.classes(); ++b, ++pair) {
      if (of[a].empty() || of[b].empty()) continue;
      std::vector<std::uint32_t> rows = of[a];
      rows.insert(rows.end(), of[b].begin(), of[b].end());
      rankings.push_back(
          rank(a, {b}, std::move(rows), [&](std::uint32_t i) { return p.scores[i * p.width + pair]; }));
    }
  return rankings;
}

// Each class's number ranks all rows, against every other class.
std::vector<Ranking> rank_by_classes(const Scored& scored, std::span<const double> numbers) {
  const std::size_t k = scored.classes();
  std::vector<std::uint32_t> all(scored.rows());
  std::iota(all.begin(), all.end(), std::uint32_t(0));
  std::vector<Ranking> rankings;
  for (std::size_t c = 0; c < k; ++c) {
    std::vector<std::size_t> others;
    for (std::size_t other = 0; other < k; ++other)
      if (other != c) others.push_back(other);
    rankings.push_back(rank(c, std::move(others), all, [&](std::uint32_t i) { return numbers[i * k + c]; }));
  }
  return rankings;
}

// Of two classes one score, large for the second.
std::vector<Ranking> rank_two(const Scored& scored) {
  const Predictions& p = scored.predictions;
  std::vector<std::uint32_t> all(scored.rows());
  std::iota(all.begin(), all.end(), std::uint32_t(0));
  std::vector<Ranking> one;
  one.push_back(rank(1, {0}, std::move(all), [&](std::uint32_t i) {
    if (p.scores.empty()) return p.probabilities[2 * i + 1];
    return p.width == 2 ? p.scores[2 * i + 1] - p.scores[2 * i] : p.scores[i];
  }));
  return one;
}

}  // namespace

Measure auc_measure(const Scored& scored) {
  const Predictions& p = scored.predictions;
  const std::size_t n = scored.rows(), k = scored.classes(), pairs = k * (k - 1) / 2;
  const auto make = [&](std::vector<Ranking> rankings) {
    return MeanArea{std::move(rankings), scored.truth.codes, k};
  };
  if (k < 2 || n == 0) return make({});
  if (k == 2 && (p.scores.size() == n * p.width || p.probabilities.size() == 2 * n))
    return make(rank_two(scored));
  if (p.probabilities.size() == n * k) return make(rank_by_classes(scored, p.probabilities));
  if (p.scores.size() == n * k && !p.pairs) return make(rank_by_classes(scored, p.scores));
  if (p.scores.size() == n * pairs) return make(rank_by_pairs(scored));
  throw Error(
      ErrorCode::unsupported,
      fmt::format("auc of {} classes needs a score or a probability of each class or pair of classes", k),
      {.hint = fmt::format("the predictions have {} scores a row", p.scores.size() / n)});
}

}  // namespace mercer
