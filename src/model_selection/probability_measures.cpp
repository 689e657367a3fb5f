// Metrics of the probabilities of the classes.
#include <algorithm>
#include <array>
#include <cmath>

#include "model_selection/measures.hpp"

namespace mercer {

Measure log_loss_measure(const Scored& scored) {
  return mean_of(scored.rows(), [&](std::size_t i) {
    return -std::log(std::clamp(scored.probability(i, scored.code(i)), 1e-15, 1.0));
  });
}

Measure brier_measure(const Scored& scored) {
  return mean_of(scored.rows(), [&](std::size_t i) {
    double sum = 0;
    for (std::size_t c = 0; c < scored.classes(); ++c) {
      const double error = scored.probability(i, c) - (c == scored.code(i) ? 1 : 0);
      sum += error * error / 2;
    }
    return sum;
  });
}

// Rows are put into bins by the probability p of the class predicted; in each the rows that are right should
// be Σ p.
Measure calibration_error_measure(const Scored& scored) {
  constexpr std::size_t bins = 15;
  std::vector<std::size_t> bin(scored.rows());
  std::vector<double> excess(scored.rows());
  for (std::size_t i = 0; i < scored.rows(); ++i) {
    const double p = scored.probability(i, scored.predicted(i));
    bin[i] = std::min(bins - 1, std::size_t(std::max(0.0, p) * double(bins)));
    excess[i] = (scored.code(i) == scored.predicted(i) ? 1 : 0) - p;
  }
  return [bin = std::move(bin), excess = std::move(excess)](Counts counts) {
    std::array<double, bins> sums{};
    double rows = 0, error = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sums[bin[i]] += counts[i] * excess[i], rows += counts[i];
    for (const double sum : sums) error += std::abs(sum);
    return error / rows;
  };
}

}  // namespace mercer
