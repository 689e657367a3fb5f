// f(x) = Σ wᵢ yᵢ k(xᵢ, x) / Σ wᵢ k(xᵢ, x), with weights k ≥ 0 that need not be positive semidefinite. Of classes y is 1 for the
// own class and 0 for the others: f are the shares of the classes, and the largest is the weighted majority.
// Where all weights are 0 (a row so far away that they underflow) the answer is the mean of the targets.
#include "mercer/methods/nadaraya_watson.hpp"

#include "estimators/kept_rows.hpp"
#include "estimators/weighted_sums.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_left_out = 20'000;  // a fit then takes seconds at most

void predict(const KeptRows& rows, const Kernel& kernel, const Points& at, bool leave_own_out, std::span<double> out, int threads, const Progress& progress) {
  const std::size_t width = rows.width, sums = width + 1;
  std::vector<double> V(rows.size() * sums), found(at.rows() * sums);  // the last column: the weights themselves
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < width; ++c) V[i * sums + c] = rows.weight(i) * rows.targets[i * width + c];
    V[i * sums + width] = rows.weight(i);
  }
  WeightedSums{kernel, rows.points, V, sums}(at, leave_own_out, found, threads, progress);
  for (std::size_t i = 0; i < at.rows(); ++i)
    for (std::size_t c = 0; c < width; ++c) {
      const double total = found[i * sums + width];
      out[i * width + c] = total > 0 ? found[i * sums + c] / total : rows.mean[c];
    }
}

}  // namespace

Fitted NadarayaWatson::fit(const Training& training) const {
  Watch watch(training.options);
  Fitted fitted = keep_rows(training, Rows(training));
  const KeptRows rows(fitted, name);
  report_leave_one_out(watch, fitted, rows, most_left_out, [&](std::span<double> out, const Progress& progress) {
    predict(rows, rows.kernel, rows.points, true, out, training.options.threads, progress);
  });
  return fitted;
}

void NadarayaWatson::evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads, const Progress& progress) const {
  const KeptRows rows(fitted, name);
  predict(rows, rows.kernel, at, false, out, threads, progress);
}

}  // namespace mercer
