#include "solvers/landmarks.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "operators/pivoted_cholesky.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

Landmarks pivoted(const KernelOperator<double>& K, const LandmarkOptions& options) {
  auto found = pivoted_cholesky(K, {.rank = options.count,
                                    .seed = options.seed,
                                    .progress = options.progress,
                                    .threads = options.threads});
  if (found.pivots.empty()) found.pivots.push_back(0);  // K is 0: any row will do
  return {.rows = std::move(found.pivots),
          .trace_left = found.trace > 0 ? std::max(0.0, found.trace_left / found.trace) : 0};
}

// The first `count` of a random order (Fisher & Yates).
Landmarks uniform(std::size_t n, const LandmarkOptions& options) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  Random random(options.seed);
  const std::size_t count = std::min(n, options.count);
  for (std::size_t i = 0; i < count; ++i) std::swap(order[i], order[i + random.below(n - i)]);
  order.resize(count);
  return {.rows = std::move(order)};
}

// An index with a probability in proportion to its weight; none where all are 0.
std::size_t draw(const std::vector<double>& weights, Random& random) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(total > 0)) return weights.size();
  double left = random.uniform() * total;
  std::size_t last = weights.size();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    if ((left -= weights[i]) < 0) break;
  }
  return last;
}

Landmarks spread(const KernelOperator<double>& K, const LandmarkOptions& options) {
  const std::size_t n = K.rows();
  std::vector<double> diagonal(n), column(n), nearest(n, std::numeric_limits<double>::infinity());
  K.diagonal(diagonal);
  Random random(options.seed);
  Landmarks chosen;
  for (std::size_t next = random.below(n);;) {
    chosen.rows.push_back(next);
    if (chosen.rows.size() >= std::min(n, options.count)) return chosen;
    if (options.progress &&
        !options.progress("landmarks", double(chosen.rows.size()) / double(options.count)))
      throw Error(ErrorCode::cancelled, "the choice of landmarks was stopped");
    K.columns(std::span(&next, 1), column);
    for (std::size_t i = 0; i < n; ++i) {
      const double squared = diagonal[i] - 2 * column[i] + diagonal[next];
      // Equal rows differ by rounding alone.
      nearest[i] = std::min(nearest[i], squared > 1e-14 * (diagonal[i] + diagonal[next]) ? squared : 0.0);
    }
    next = draw(nearest, random);
    if (next == n) return chosen;
  }
}

}  // namespace

Landmarks choose_landmarks(LandmarkRule rule, const KernelOperator<double>& K,
                           const LandmarkOptions& options) {
  if (K.rows() == 0)
    throw Error(ErrorCode::invalid_data, "landmarks are chosen among rows, and there are none");
  switch (rule) {
    case LandmarkRule::pivoted:
      return pivoted(K, options);
    case LandmarkRule::uniform:
      return uniform(K.rows(), options);
    case LandmarkRule::spread:
      break;
  }
  return spread(K, options);
}

}  // namespace mercer
