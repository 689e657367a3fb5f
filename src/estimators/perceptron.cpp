// Rows are visited one after the other, in an order shuffled anew in each epoch. Two classes, y = 1 for the first and −1 for
// the second: where y·f(x) ≤ 0, f += w·y·k(x, ·). Several classes (Crammer & Singer 2003): where the largest score of another
// class is not below that of the own, the own class gains w·k(x, ·) and that other one loses it. w is the weight of the row.
//
// f is kept at all rows, so that a visit is a look and a mistake adds a column of K. The mean of f over all visits needs no
// second function: an update at visit t of T takes part in T − t + 1 of them (counted from 1), so that with u = Σ (t − 1)·update
// the mean of the coefficients is α − u/T.
#include "mercer/methods/perceptron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "estimators/machine.hpp"
#include "estimators/rows.hpp"
#include "estimators/watch.hpp"
#include "mercer/error.hpp"
#include "mercer/gram.hpp"

namespace mercer {

namespace {

class Perceptrons {
 public:
  Perceptrons(const Gram<double>& K, const Rows& rows, std::vector<std::int32_t> codes, std::size_t classes)
      : K_(K), rows_(rows), codes_(std::move(codes)), n_(rows.size()), width_(classes == 2 ? 1 : classes),
        f_(n_ * width_, 0.0), alpha_(n_ * width_, 0.0), early_(n_ * width_, 0.0), column_(n_) {}

  /// One look at row i; true where it was a mistake.
  bool visit(std::size_t i) {
    const double* f = f_.data() + i * width_;
    const auto own = std::size_t(codes_[i]);
    if (width_ == 1) {
      const double y = own == 0 ? 1 : -1;
      const bool mistake = y * *f <= 0;
      if (mistake) update(i, 0, y);
      ++visits_;
      return mistake;
    }
    std::size_t rival = own == 0 ? 1 : 0;
    for (std::size_t c = 0; c < width_; ++c)
      if (c != own && f[c] > f[rival]) rival = c;
    const bool mistake = f[rival] >= f[own];
    if (mistake) {
      update(i, own, 1);
      update(i, rival, -1);
    }
    ++visits_;
    return mistake;
  }

  std::vector<double> coefficients(bool averaged) const {
    std::vector<double> result = alpha_;
    for (std::size_t e = 0; averaged && visits_ > 0 && e < result.size(); ++e) result[e] -= early_[e] / visits_;
    return result;
  }

  std::size_t width() const { return width_; }

 private:
  void update(std::size_t i, std::size_t c, double sign) {
    const double step = sign * rows_.weights[i];
    alpha_[i * width_ + c] += step;
    early_[i * width_ + c] += visits_ * step;
    if (held_ != i) K_.columns(std::span(&i, 1), column_);
    held_ = i;
    for (std::size_t j = 0; j < n_; ++j) f_[j * width_ + c] += step * column_[j];
  }

  const Gram<double>& K_;
  const Rows& rows_;
  std::vector<std::int32_t> codes_;
  std::size_t n_, width_;
  std::vector<double> f_, alpha_, early_, column_;  // f, α and u: n × width
  std::size_t held_ = SIZE_MAX;                     // whose column of K is in column_
  double visits_ = 0;
};

// ‖f‖² and the share of training rows that f gets wrong.
void judge(const Gram<double>& K, const Rows& rows, std::span<const std::int32_t> codes, std::span<const double> coefficients,
           std::size_t width, FitReport& report) {
  std::vector<double> f(rows.size() * width);
  K.multiply(coefficients, width, f);
  double norm = 0, wrong = 0, total = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double* own = f.data() + i * width;
    for (std::size_t c = 0; c < width; ++c) norm += coefficients[i * width + c] * own[c];
    const std::int32_t found = width == 1 ? (*own > 0 ? 0 : 1) : std::int32_t(std::max_element(own, own + width) - own);
    wrong += rows.weights[i] * (found != codes[i]);
    total += rows.weights[i];
  }
  report.norm = norm;
  report.loss = wrong / total;
}

}  // namespace

Fitted Perceptron::fit(const Training& training) const {
  if (epochs != std::floor(epochs)) throw Error(ErrorKind::usage, fmt::format("perceptron: epochs must be a whole number, not {:g}", epochs));
  (void)rows_by_class(training);  // refuses fewer than two classes, and classes without rows
  Watch watch(training.options);
  const Rows rows(training);
  const std::vector<std::int32_t> codes = rows.codes(training.target);
  const Gram<double> K(training.kernel, rows.points, {.storage = GramOptions::Storage::automatic, .memory = training.options.memory,
                                                      .threads = training.options.threads, .progress = watch.progress(0, 0.3)});
  Perceptrons learner(K, rows, codes, training.target.labels.size());
  Random random(training.options.seed);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::size_t epoch = 0, mistakes = 1;
  for (bool goes_on = true; goes_on && mistakes > 0 && epoch < std::size_t(epochs); ++epoch) {
    for (std::size_t i = rows.size(); i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
    mistakes = 0;
    for (std::size_t v = 0; v < rows.size() && goes_on; ++v) {
      mistakes += learner.visit(order[v]);
      if (v % 256 == 255 || v + 1 == rows.size())
        goes_on = watch.go_on("epochs", 0.3 + 0.7 * (double(epoch) + double(v + 1) / double(rows.size())) / epochs);
    }
  }
  std::vector<double> coefficients = learner.coefficients(averaged == "yes");
  FitReport found;
  if (!watch.cut_short()) judge(K, rows, codes, coefficients, learner.width(), found);
  Fitted fitted = expand(training, rows, std::move(coefficients), std::vector<double>(learner.width(), 0.0), Rule::one_vs_rest);
  FitReport& report = fitted.report;
  report.certificate = "";
  report.norm = found.norm;
  report.loss = found.loss;
  report.iterations = epoch;
  report.facts = {{"epochs", double(epoch)}, {"mistakes in the last epoch", double(mistakes)}};
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short;
  if (report.converged && mistakes > 0)
    report.warnings.push_back(fmt::format("the last of {} epochs still had {} mistakes: more epochs, or a richer kernel, may help", epoch,
                                          mistakes));
  report.seconds = watch.seconds();
  return fitted;
}

}  // namespace mercer
