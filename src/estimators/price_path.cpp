#include "estimators/price_path.hpp"

#include <algorithm>

#include "gram/simd/steps.hpp"

namespace mercer {

namespace {

// Where the last answer ended, with what was at a bound at the new one.
void begin_at(BoxProblem& next, const BoxProblem& last, const std::vector<double>& beta) {
  next.guess = beta;
  for (std::size_t v = 0; v < beta.size(); ++v)
    if (last.at_bound(v, beta[v])) next.guess[v] = beta[v] > 0 ? next.upper[v] : next.lower[v];
  next.start = feasible_guess(next);
}

bool any_at_bound(const BoxProblem& problem, const std::vector<double>& beta) {
  for (std::size_t v = 0; v < beta.size(); ++v)
    if (problem.at_bound(v, beta[v])) return true;
  return false;
}

}  // namespace

PricePath::PricePath(const Validation& validation) : validation_(validation), poll_(validation.training.options.progress) {
  const auto& fold = validation.fold;
  const auto& codes = validation.training.target.codes;
  for (std::size_t i = 0; i < fold.size(); ++i) {
    const bool begins = i == 0 || fold[i] != fold[i - 1] || (!codes.empty() && codes[i] != codes[i - 1]);
    if (begins) segments_.push_back({i, i});
    segments_.back().end = i + 1;
    if (held_rows_.size() <= fold[i]) held_rows_.resize(fold[i] + 1);
    held_rows_[fold[i]].push_back(i);
  }
}

std::vector<double> PricePath::scores_of(std::size_t fold, const BoxProblem& problem, const SmoResult& result) const {
  const Gram<float>& K = *validation_.gram;
  std::vector<const float*> rows;
  std::vector<double> beta;
  for (std::size_t v = 0; v < problem.size(); ++v)
    if (result.beta[v] != 0) rows.push_back(K.held() + std::size_t(problem.points[v]) * K.cols()), beta.push_back(result.beta[v]);
  std::vector<double> scores(held_rows_[fold].size(), -result.certificate.levels[0]);
  std::vector<const float*> parts(rows.size());
  std::size_t done = 0;
  for (const Range segment : segments_) {
    if (validation_.fold[segment.begin] != fold) continue;
    for (std::size_t r = 0; r < rows.size(); ++r) parts[r] = rows[r] + segment.begin;
    simd::steps<float>().accumulate(scores.data() + done, parts.data(), beta.data(), beta.size(), segment.size());
    done += segment.size();
  }
  return scores;
}

void PricePath::follow(std::size_t fold, const std::function<BoxProblem(double)>& make,
                       const std::function<void(std::size_t, std::span<const double>)>& take) const {
  RowStore<float> store(*validation_.gram, segments_, 0, 1);
  BoxProblem last;
  std::vector<double> beta, scores;
  for (std::size_t v = 0; v < validation_.values.size(); ++v) {
    if (v == 0 || any_at_bound(last, beta)) {
      BoxProblem problem = make(validation_.values[v]);
      if (v > 0) begin_at(problem, last, beta);
      SmoOptions how{.tolerance = validation_.training.tolerance, .working_set = problem.size() <= 1536 ? problem.size() : 1024};
      how.report = [&](double, double) { return poll_("rows left out", 0), true; };
      SmoResult result = smo_uncertified(problem, store, how);
      scores = scores_of(fold, problem, result);
      beta = std::move(result.beta);
      last = std::move(problem);
    }
    take(v, scores);
  }
}

}  // namespace mercer
